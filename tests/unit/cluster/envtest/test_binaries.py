"""Where the programs of a control plane are looked for. Starting them is tested in tests/controlplane."""

from __future__ import annotations

from pathlib import Path

from ork.cluster.envtest.binaries import binaries


def built(folder: Path) -> Path:
    """Return a folder with the programs."""
    folder.mkdir(parents=True)
    for name in ("etcd", "kube-apiserver"):
        (folder / name).touch()
    return folder


def test_the_assets_of_setup_envtest_decide_alone(tmp_path: Path) -> None:
    mine, other = built(tmp_path / "mine"), built(tmp_path / "cache" / "ork" / "controlplane-v1.37.0")
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert binaries(cache | {"KUBEBUILDER_ASSETS": str(mine)}) == mine
    assert binaries(cache | {"KUBEBUILDER_ASSETS": str(tmp_path / "nothing")}) is None
    assert binaries(cache) == other


def test_of_several_that_were_built_the_latest_version_is_taken(tmp_path: Path) -> None:
    for version in ("v1.9.2", "v1.37.0", "v1.36.10"):
        built(tmp_path / "ork" / f"controlplane-{version}")
    found = binaries({"XDG_CACHE_HOME": str(tmp_path)})
    assert found is not None
    assert found.name == "controlplane-v1.37.0"


def test_a_build_that_is_not_complete_does_not_count(tmp_path: Path) -> None:
    folder = built(tmp_path / "ork" / "controlplane-v1.37.0")
    (folder / "etcd").unlink()
    assert binaries({"XDG_CACHE_HOME": str(tmp_path)}) is None


def test_a_folder_of_ones_own_comes_before_the_cache(tmp_path: Path) -> None:
    own = built(tmp_path / "own")
    built(tmp_path / "ork" / "controlplane-v1.37.0")
    assert binaries({"XDG_CACHE_HOME": str(tmp_path), "ORK_CONTROLPLANE": str(own)}) == own

"""The files that ship with `ork`."""

from __future__ import annotations

from ork.base import shipped


def test_shipped_files_are_where_they_are_looked_for() -> None:
    assert (shipped.folder("schemas") / "kubernetes" / "kinds.json").is_file()
    assert shipped.folder("packs").name == "packs"

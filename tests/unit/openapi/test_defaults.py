"""What Kubernetes fills in, and in which form it keeps what it is given.

`answers.json` holds what a real API server made of small objects, as tests/controlplane/kubernetes.py recorded it.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from ork.base import paths
from ork.base.objects import Kind, Object, split_api_version
from ork.openapi import kubernetes

Answer = dict[str, Object]

ANSWERS: list[Answer] = json.loads((Path(__file__).parent / "answers.json").read_text())

AT_CREATION: dict[str, tuple[str, ...]] = {
    "": ("metadata.namespace", "metadata.generation"),
    "CustomResourceDefinition": ("status.storedVersions",),
    "DaemonSet": ("metadata.annotations",),
    "Job": ("metadata.labels", "spec.selector", "spec.template.metadata.labels"),
    "Namespace": ("metadata.labels", "spec.finalizers"),
    "PersistentVolume": ("metadata.finalizers", "status.lastPhaseTransitionTime"),
    "PersistentVolumeClaim": ("metadata.finalizers",),
    "Pod": ("spec.preemptionPolicy", "spec.priority", "spec.tolerations", "status.qosClass"),
    "Service": (
        *("spec.clusterIP", "spec.clusterIPs", "spec.ipFamilies", "spec.ipFamilyPolicy", "spec.healthCheckNodePort"),
    ),
}
"""What only a creation brings, by kind: by admission, out of a pool, or made of the object's uid."""


def kind_of(obj: Object) -> Kind:
    return kubernetes.kinds()[(*split_api_version(obj["apiVersion"]), obj["kind"])]


def read(obj: Object) -> Object:
    return kubernetes.defaults(kind_of(obj), obj)


def without_creation(obj: Object) -> Object:
    for path in (*AT_CREATION[""], *AT_CREATION.get(obj["kind"], ())):
        obj = paths.without(obj, tuple(path.split(".")))
    if obj["kind"] == "Service":
        ports = [paths.without(port, ("nodePort",)) for port in obj["spec"].get("ports", ())]
        obj = paths.put(obj, ("spec", "ports"), ports)
    return obj


def label(answer: Answer) -> str:
    return f"{answer['sent']['kind']}-{answer['sent']['metadata']['name']}"


@pytest.mark.parametrize("answer", ANSWERS, ids=label)
def test_an_object_is_read_as_a_real_server_reads_it(answer: Answer) -> None:
    assert without_creation(read(answer["sent"])) == without_creation(answer["got"])


@pytest.mark.parametrize("answer", ANSWERS, ids=label)
def test_what_was_read_once_is_read_as_it_is(answer: Answer) -> None:
    before = copy.deepcopy(answer)
    stored, mine = read(answer["got"]), read(answer["sent"])
    assert (stored, stored is answer["got"]) == (answer["got"], True)
    assert read(mine) is mine
    assert answer == before


@pytest.mark.parametrize("answer", ANSWERS, ids=label)
def test_what_a_real_server_took_is_taken(answer: Answer) -> None:
    got = answer["got"]
    assert kubernetes.validate_builtin(kind_of(got), got) == []
    assert kubernetes.validate_builtin(kind_of(got), got, got) == []


# ── forms ──
def pod(**container: Any) -> Object:
    spec = {"containers": [{"name": "a", "image": "a", **container}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": spec}


@pytest.mark.parametrize(
    ("image", "policy"),
    [
        *(("a", "Always"), ("a:latest", "Always"), ("a:1", "IfNotPresent"), ("host:5000/a", "Always")),
        *(("host:5000/a:1", "IfNotPresent"), ("a@sha256:" + "0" * 64, "IfNotPresent")),
        ("a:latest@sha256:" + "0" * 64, "Always"),
    ],
)
def test_an_image_is_pulled_by_its_tag(image: str, policy: str) -> None:
    assert read(pod(image=image))["spec"]["containers"][0]["imagePullPolicy"] == policy


@pytest.mark.parametrize(
    ("sent", "kept"), [("1000m", "1"), ("1024Mi", "1Gi"), (2, "2"), (0.5, "500m"), ("1e3", "1e3"), ("1500m", "1500m")]
)
def test_quantities_are_kept_in_one_form(sent: Any, kept: str) -> None:
    container = read(pod(resources={"limits": {"cpu": sent}}))["spec"]["containers"][0]
    assert container["resources"]["limits"] == {"cpu": kept}
    assert container["resources"]["requests"] == {"cpu": kept}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"resources": {"limits": {"cpu": "much"}}},
            r"quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        ),
        ({"resources": {"limits": {"cpu": "1kk"}}}, "unable to parse quantity's suffix"),
    ],
)
def test_a_malformed_quantity_is_refused_in_the_words_of_go(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        read(pod(**fields))
    assert str(caught.value) == message


def test_zeros_are_left_out_where_the_type_leaves_them_out() -> None:
    obj = pod(ports=[{"containerPort": 80, "hostPort": 0, "hostIP": ""}], tty=False, args=[])
    container = read(obj)["spec"]["containers"][0]
    assert container["ports"] == [{"containerPort": 80, "protocol": "TCP"}]
    assert not {"tty", "args"} & container.keys()
    assert container["resources"] == {}


def test_null_is_as_good_as_nothing() -> None:
    assert read(pod(env=None, resources=None)) == read(pod())


def test_keys_that_the_schema_does_not_know_stay() -> None:
    """Pruning is another step."""
    assert read(pod(odd=1))["spec"]["containers"][0]["odd"] == 1

"""What `ork` knows of Kubernetes against a real API server: its own kinds, and random custom resources."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from ork.base.objects import Object, split_api_version
from ork.openapi import kubernetes, structural
from ork.openapi.causes import Cause
from ork.openapi.problems import causes_of
from tests.controlplane import kubernetes as recorder
from tests.controlplane.controlplane import SKIP_REASON, ControlPlane, binaries
from tests.controlplane.mutations import mutated
from tests.property import structural_schemas

pytestmark = [pytest.mark.skipif(binaries() is None, reason=SKIP_REASON), pytest.mark.timeout(120)]

Kinds = dict[str, Object]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[recorder.Server]:
    with ControlPlane(tmp_path_factory.mktemp("kubernetes")) as plane:
        yield recorder.Server(plane)


@pytest.fixture(scope="module")
def kinds(server: recorder.Server) -> Kinds:
    return recorder.served(server)


def recorded(name: str) -> Any:
    return json.loads((recorder.TESTS / name).read_text())


def causes_in(answer: Object) -> list[Cause]:
    if answer.get("kind") != "Status":
        return []
    return sorted(Cause(row["reason"], row["field"], row["message"]) for row in answer["details"]["causes"])


# ── its own kinds ──
def test_the_server_still_answers_as_recorded(server: recorder.Server, kinds: Kinds) -> None:
    assert recorder.answered(server, kinds) == recorded("answers.json")


def test_the_server_still_refuses_as_recorded(server: recorder.Server, kinds: Kinds) -> None:
    assert recorder.refused(server, kinds) == recorded("refusals.json")


def test_its_kinds_are_those_that_ship(server: recorder.Server, kinds: Kinds) -> None:
    shipped = json.loads((recorder.SCHEMAS / "kinds.json").read_text())
    assert {key: {**entry, "type": shipped[key]["type"]} for key, entry in kinds.items()} == shipped


STRANGE = ("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy")
"""Kinds whose rules are not known here."""


def test_what_the_server_takes_is_taken_and_what_it_refuses_is_mostly_refused(
    server: recorder.Server, kinds: Kinds
) -> None:
    random = Random(1)
    answers = [answer["sent"] for answer in recorded("answers.json") if answer["sent"]["kind"] not in STRANGE]
    refused = agreed = 0
    for _ in range(1500):
        obj = mutated(random, random.choice(answers))
        answer = server.send("POST", kinds, obj, dry=True)
        found = judged(obj)
        if answer["kind"] != "Status":
            assert found == [], obj
        elif answer["reason"] == "Invalid":
            refused += 1
            agreed += [cause[:2] for cause in found] == [cause[:2] for cause in causes_in(answer)]
    assert refused > 300
    assert agreed / refused > 0.95


def judged(obj: Object) -> list[Cause]:
    """Return why we would refuse to create an object."""
    kind = kubernetes.kinds()[(*split_api_version(obj["apiVersion"]), obj["kind"])]
    try:
        read = kubernetes.defaults(kind, obj)
    except ValueError as error:
        return [Cause("", "", str(error))]
    if kind.kind == "CustomResourceDefinition":
        stored = [version["name"] for version in read["spec"]["versions"] or () if version.get("storage")][:1]
        read = {**read, "status": {**(read.get("status") or {}), "storedVersions": stored or None}}
    return sorted(kubernetes.validate_builtin(kind, read))


# ── custom resources ──
GROUP = "random.example.com"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_objects_are_read_and_judged_as_the_server_does(
    server: recorder.Server, kinds: Kinds, seed: int
) -> None:
    random = Random(seed)
    schema = random_schema(random)
    every = serve(server, kinds, f"Random{seed}", schema)
    compiled = structural.compile(schema)
    for name, below in schema["properties"]["spec"]["properties"].items():
        for _ in range(4):
            spec = {name: structural_schemas.value(random, below)}
            obj = {"apiVersion": f"{GROUP}/v1", "kind": f"Random{seed}", "metadata": {"name": "a"}, "spec": spec}
            answer = server.send("POST", every, obj, dry=True)
            read = compiled.prune(compiled.default(obj))
            assert sorted(compiled.validate(read)) == causes_in(answer), (below, spec)
            assert answer["kind"] == "Status" or answer.get("spec") == read["spec"], (below, spec)


def random_schema(random: Random) -> Object:
    """Return a schema of 70 random fields that an API server takes."""
    fields: dict[str, Object] = {}
    while len(fields) < 70:
        drawn = structural_schemas.schema(random)
        if not causes_of(whole({"p": drawn}), ""):
            fields[f"p{len(fields)}"] = drawn
    return whole(fields)


def whole(fields: dict[str, Object]) -> Object:
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}


def serve(server: recorder.Server, kinds: Kinds, kind: str, schema: Object) -> Kinds:
    """Have the server serve a kind; return all kinds with it."""
    plural = f"{kind.lower()}s"
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"plural": plural, "kind": kind}
    crd: Object = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": {"group": GROUP, "scope": "Namespaced", "names": names, "versions": [version]},
    }
    answer = server.send("POST", kinds, crd, dry=False)
    assert answer["kind"] != "Status", answer["message"]
    every = {**kinds, f"{GROUP}/v1/{kind}": {"plural": plural, "namespaced": True}}
    probe = {"apiVersion": f"{GROUP}/v1", "kind": kind, "metadata": {"name": "a"}}
    deadline = time.monotonic() + 30
    while server.send("GET", every, probe, dry=False).get("details", {}).get("kind") != plural:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return every

"""The whole of a namespace as it is, and as simulate says that it has to be: the two must be one."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any

from ork.base.objects import Object, uid
from ork.cluster.kube.client import ApiError, Client, path_of
from ork.katalog.sources import Sources, in_memory
from ork.simulate.run import Options
from ork.simulate.suite import Request, simulate_all
from tests.integration.faults.katalogs import APPS, CALLERS, KINDS, crd
from tests.integration.faults.people import User
from tests.kinds import CONFIG_MAPS, DEPLOYMENTS

WATCHED = (APPS, CALLERS, DEPLOYMENTS, CONFIG_MAPS)
CYCLES = 4
"""So many that nothing changes any more in the last one."""

Whole = Mapping[str, Any]
"""Objects by kind, namespace and name, without what no two clusters have in common."""


async def found(client: Client, *namespaces: str) -> Whole:
    """Return what is there."""
    return plain([obj for space in namespaces for obj in await everything(client, space)])


async def everything(client: Client, namespace: str) -> list[Object]:
    """Return every object of the kinds that matter."""
    out: list[Object] = []
    for kind in WATCHED:
        answer = await client.request("GET", path_of(kind, namespace))
        out += [{**obj, "apiVersion": kind.api_version, "kind": kind.kind} for obj in answer["items"]]
    return out


def simulated(katalog: str, crs: Iterable[Object], answers: str = "") -> Whole:
    """Return what simulate makes of the same CRs, as their users wrote them."""
    given = list(crs)
    spaces = {obj["metadata"]["namespace"] for obj in given}
    far = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": f"{space}-far"}} for space in sorted(spaces)]
    files = {
        "katalog.yaml": katalog,
        **{f"{kind.kind.lower()}.yaml": json.dumps(crd(kind)) for kind in KINDS},
        "cr.yaml": "\n---\n".join(map(json.dumps, [*far, *given])),
        "simulate.yaml": f"cr: cr.yaml\ncycles: {CYCLES}\nexpect: {{steady: true}}\n{answers}",
    }
    done = simulate_all(Request(("simulate.yaml",)), Sources(in_memory(files)), Options())
    assert not done.findings, [str(finding) for finding in done.findings]
    (run,) = done.runs
    assert run.passed, run.results
    kinds = {(kind.api_version, kind.kind) for kind in WATCHED}
    return plain(obj for obj in run.objects if (obj["apiVersion"], obj["kind"]) in kinds)


INVENTED = ("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields")


def plain(objects: Iterable[Object]) -> Whole:
    """Return objects without times and versions; uids of CRs become their names, so that one of a CR that is gone
    stays visible for what it is."""
    objects = [obj for obj in objects if obj["metadata"]["name"] != "kube-root-ca.crt"]
    crs = {uid(obj): _name(obj) for obj in objects if _is_cr(obj)}
    return {_name(obj): _named(_bare(obj), crs) for obj in objects}


def _name(obj: Object) -> str:
    return f"{obj['kind']}/{obj['metadata']['namespace']}/{obj['metadata']['name']}"


def _is_cr(obj: Object) -> bool:
    return any(kind.api_version == obj["apiVersion"] for kind in KINDS)


def _bare(obj: Object) -> Object:
    metadata = {key: value for key, value in obj["metadata"].items() if key not in INVENTED}
    rest = {key: value for key, value in obj.items() if key not in ("metadata", "status")}
    if not _is_cr(obj):
        annotations = metadata.get("annotations", {})
        kept = {key: value for key, value in annotations.items() if not key.startswith("deployment.kubernetes.io/")}
        return {**rest, "metadata": {**metadata, "annotations": kept}}
    return {**rest, "metadata": metadata, "status": _status(obj)}


def _status(obj: Object) -> Object:
    status = dict(obj.get("status") or {})
    conditions = [
        {key: value for key, value in each.items() if key not in ("lastTransitionTime", "observedGeneration")}
        for each in status.get("conditions", ())
    ]
    current = status.pop("observedGeneration", None) == obj["metadata"].get("generation")
    return {**status, "conditions": conditions, "current": current}


def _named(obj: Object, names: Mapping[str, str]) -> Any:
    text = json.dumps(obj)
    return json.loads(re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", lambda m: names.get(m[0], m[0]), text))


async def comes_out_right(someone: User, katalog: str) -> None:
    """Wait until all that a user asked for is as simulate says."""
    wanted = simulated(katalog, someone.wants.values())
    await converges(someone.client, wanted, someone.namespace, f"{someone.namespace}-far")


async def converges(client: Client, wanted: Whole, *namespaces: str, within: float = 60.0) -> None:
    """Wait until what is there is what is wanted, and show the difference if it does not come to that."""
    deadline = time.monotonic() + within
    now: Whole = {}
    while time.monotonic() < deadline:
        try:
            now = await found(client, *namespaces)
        except ApiError:
            now = {}
        if now == wanted:
            return
        await asyncio.sleep(0.25)
    missing, extra = sorted(wanted.keys() - now.keys()), sorted(now.keys() - wanted.keys())
    other = {key: (now[key], wanted[key]) for key in sorted(now.keys() & wanted.keys()) if now[key] != wanted[key]}
    raise AssertionError(f"lost: {missing}; too many: {extra}; other than they should be (is, should be): {other}")

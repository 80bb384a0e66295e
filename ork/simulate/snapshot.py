"""The objects at the end of a run, as a file that a further run can begin with."""

from __future__ import annotations

from ork.base import yaml_writer
from ork.base.objects import Object
from ork.simulate.report import Run

_OF_THE_CLUSTER = frozenset(("default", "kube-node-lease", "kube-public", "kube-system"))


def snapshot(run: Run) -> str:
    """Return the objects as YAML: what they are under `metadata.managedFields` too, so that a run goes on from there.

    CRDs and the namespaces that every cluster has are left out.
    """
    return yaml_writer.dump_all(obj for obj in _in_order(run) if not _always_there(obj))


def _in_order(run: Run) -> list[Object]:
    """The CRs first, in the order of the run: the first of a kind is the CR under test again."""
    names = {final.object: index for index, final in enumerate(run.finals)}
    return sorted(run.objects, key=lambda obj: names.get(_name(obj), len(names)))


def _name(obj: Object) -> str:
    meta = obj["metadata"]
    return f"{meta['namespace']}/{meta['name']}" if meta.get("namespace") else str(meta["name"])


def _always_there(obj: Object) -> bool:
    if obj["kind"] == "CustomResourceDefinition":
        return True
    return obj["kind"] == "Namespace" and obj["metadata"]["name"] in _OF_THE_CLUSTER

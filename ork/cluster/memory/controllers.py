"""The controllers of a cluster, simulated: workloads get a status, namespaces are emptied, garbage is collected."""

from __future__ import annotations

from ork.base.objects import Object, deleting
from ork.cluster.memory import workloads
from ork.cluster.memory.deletion import Delete, delete
from ork.cluster.memory.garbage import Collector
from ork.cluster.memory.history import Change
from ork.cluster.memory.namespaces import conditions
from ork.cluster.memory.state import Options
from ork.cluster.memory.store import Store
from ork.cluster.memory.workloads import Policy
from ork.cluster.memory.writing import NAMESPACES

_MANAGER = "kube-controller-manager"
_KUBERNETES = "kubernetes"


class Controllers:
    """One step works off what was written since the last one, its own writes included, until nothing is left to do.

    What was in the store before the first step is left as it is: given objects keep their status, and an owner that
    they name and that is not there does not count as gone.
    """

    def __init__(self, store: Store, policy: Policy = workloads.READY) -> None:
        self._store = store
        self._policy = policy
        self._collector = Collector(store.state, store.catalogue, store.writer)
        self._index = store.state.history.end

    def step(self) -> None:
        """Bring the cluster to rest: see the class."""
        history = self._store.state.history
        while self._index < history.end:
            changes = [*history.from_index(self._index)]
            self._index = history.end
            written: dict[tuple[str, str], None] = {}
            for change in changes:
                self._collector.follow(change)
                self._follow_namespace(change)
                written[change.table, change.key] = None
            for table, key in written:
                self._report(table, key)

    # ── workloads ───────────────────────────────────────────────────────────────────────────────
    def _report(self, table: str, key: str) -> None:
        obj = self._store.state.named_table(table).rows.get(key)
        if obj is None or deleting(obj):
            return
        status = workloads.reported(table, obj, self._policy, self._store.state.now())
        if status is None or status == obj.get("status"):
            return
        meta = obj["metadata"]
        new = {**obj, "status": status}
        resource = self._store.catalogue.of_table(table)
        self._store.writer.update(
            resource, meta.get("namespace", ""), meta["name"], new, Options(_MANAGER), subresource="status"
        )

    # ── namespaces ──────────────────────────────────────────────────────────────────────────────
    def _follow_namespace(self, change: Change) -> None:
        """Empty a namespace that is going, and let it go when it is empty."""
        if change.table == NAMESPACES and change.new is not None and deleting(change.new):
            self._empty(change.key)
        elif change.new is None and (name := _namespace_of(change)):
            namespace = self._store.state.named_table(NAMESPACES).rows.get(name)
            if namespace is not None and deleting(namespace):
                self._release(name)

    def _empty(self, name: str) -> None:
        state, prefix = self._store.state, f"{name}/"
        for table in state.table_names():
            for key in [*state.named_table(table).ordered(name)]:
                obj = state.named_table(table).rows.get(key)
                if obj is not None and not deleting(obj) and key.startswith(prefix):
                    resource = self._store.catalogue.of_table(table)
                    delete(state, resource, name, obj["metadata"]["name"], Delete("Background"))
        self._release(name)

    def _release(self, name: str) -> None:
        """Take the namespace's own finalizer away once nothing is left in it; else say what is."""
        state = self._store.state
        namespace = state.named_table(NAMESPACES).rows.get(name)
        if namespace is None or _KUBERNETES not in (namespace["spec"].get("finalizers") or ()):
            return
        left = [(table, state.named_table(table).objects(name)) for table in state.table_names()]
        remaining = {table: found for table, found in left if found}
        resource, options = self._store.catalogue.namespaces, Options(_MANAGER)
        before = namespace["status"].get("conditions") or []
        status = {**namespace["status"], "conditions": conditions(before, remaining, state.now())}
        if remaining or before:
            new: Object = {**namespace, "status": status}
            namespace = self._store.writer.update(resource, "", name, new, options, "status").obj
        if not remaining:
            finalizers = [row for row in namespace["spec"]["finalizers"] if row != _KUBERNETES]
            new = {**namespace, "spec": {**namespace["spec"], "finalizers": finalizers}}
            self._store.writer.update(resource, "", name, new, options, "finalize")


def _namespace_of(change: Change) -> str:
    assert change.old is not None
    namespace: str = change.old["metadata"].get("namespace", "")
    return namespace

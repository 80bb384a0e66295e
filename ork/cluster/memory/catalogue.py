"""Which resources the store serves at the moment: Kubernetes' own, and those that CRDs define."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

from ork.base.objects import Kind, Object, deleting, finalizers_of
from ork.cluster.memory import definitions
from ork.cluster.memory.builtin import BuiltIn
from ork.cluster.memory.custom import Custom, versions_of
from ork.cluster.memory.definitions import DEFINITIONS, Definitions
from ork.cluster.memory.deletion import Delete, delete
from ork.cluster.memory.history import Change
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.state import State
from ork.openapi import kubernetes

_SHARED_TABLES = {("autoscaling", "v1"), ("events.k8s.io", "v1")}
"""Second versions of what another group version stores; not served."""


@cache
def _plurals() -> Mapping[tuple[str, str, str], str]:
    return {(kind.group, kind.version, kind.plural): kind.kind for kind in kubernetes.kinds().values()}


class Catalogue:
    """The served resources by group, version and kind. It follows the CRDs in the store."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._counters: Counter[str] = Counter()
        self._builtin: dict[tuple[str, str, str], Resource] = {}
        self._custom: dict[str, dict[str, Custom]] = {}
        """By CRD name, then by apiVersion."""
        self.revision = 0
        """Changes whenever another set of resources is served."""
        state.observers.append(self._follow)

    @property
    def namespaces(self) -> Resource:
        """The resource of namespaces."""
        found = self.find("", "v1", "Namespace")
        assert found is not None
        return found

    def find(self, group: str, version: str, kind: str) -> Resource | None:
        """Return what is served under that name."""
        key = (group, version, kind)
        found = self._builtin.get(key)
        if found is not None:
            return found
        known = kubernetes.kinds().get(key)
        if known is not None and (group, version) not in _SHARED_TABLES:
            return self._builtin.setdefault(key, self._made(known))
        return next((custom for custom in self._customs(group) if custom.kind[1:3] == (version, kind)), None)

    def _made(self, kind: Kind) -> Resource:
        return (Definitions if kind.resource == DEFINITIONS else BuiltIn)(kind, self._allocate)

    def _allocate(self, sort: str) -> int:
        self._counters[sort] += 1
        return self._counters[sort]

    def _customs(self, group: str = "") -> Iterator[Custom]:
        for versions in self._custom.values():
            for custom in versions.values():
                if custom.is_served and group in ("", custom.kind.group):
                    yield custom

    def by_plural(self, group: str, version: str, plural: str) -> Resource | None:
        """Return what is served under that path."""
        kind = _plurals().get((group, version, plural))
        if kind is not None:
            return self.find(group, version, kind)
        return next((custom for custom in self._customs(group) if custom.kind[1:4:2] == (version, plural)), None)

    def served(self) -> Iterator[Resource]:
        """Yield every resource that is served."""
        for key, kind in kubernetes.kinds().items():
            found = self.find(*key)
            if found is not None and found.kind == kind:
                yield found
        yield from self._customs()

    def of_table(self, table: str) -> Resource:
        """Return the resource in whose version the objects of a table are stored."""
        if table in self._custom:
            return next(custom for custom in self._custom[table].values() if custom.is_storage)
        kind = next(kind for kind in kubernetes.kinds().values() if kind.resource == table)
        found = self.find(kind.group, kind.version, kind.kind)
        assert found is not None
        return found

    def _follow(self, change: Change) -> None:
        """Do at once what the controllers of CRDs do: establish them, serve their kinds, clear up after them."""
        if change.table == DEFINITIONS:
            self._follow_definition(change)
        elif change.new is None and change.table in self._custom:
            self._finish_definition(change.table)

    def _follow_definition(self, change: Change) -> None:
        crd = change.new
        if crd is None:
            self._retire(change)
            self.revision += 1
            self._settle_names(change.old)
            return
        if definitions.waits_for_objects(crd):
            self._clear(change.key, crd)
            return
        if self._settle(change.key, crd):
            return
        known, old = change.key in self._custom, change.old
        renamed = old is not None and old["status"].get("acceptedNames") != crd["status"]["acceptedNames"]
        if not known or renamed or old is None or old["spec"] != crd["spec"]:
            self._retire(change)
            self._serve(change.key, crd, change.version if known else 0)
        if renamed:
            self._settle_names(crd)

    def _settle(self, name: str, crd: Object) -> bool:
        """Accept the names of a definition that are free; tells whether that changed it."""
        now, group = self._state.now(), self._group(crd)
        accepted = definitions.with_names_accepted(crd, group, now)
        if accepted is not crd:
            self._note(name, crd, accepted, now)
        return accepted is not crd

    def _note(self, name: str, crd: Object, new: Object, now: str) -> None:
        """Write what the controllers of definitions say of one."""
        ledger = self.of_table(DEFINITIONS).ledger("status")
        self._state.commit(DEFINITIONS, name, ledger.updated(crd, new, "kube-apiserver", now))

    def _group(self, crd: Object) -> list[Object]:
        found = self._state.named_table(DEFINITIONS).objects()
        return [one for one in found if one["spec"]["group"] == crd["spec"]["group"]]

    def _settle_names(self, freed: Object | None) -> None:
        """Look again at the definitions of a group in which a name has become free."""
        for crd in self._group(freed) if freed else ():
            if not definitions.waits_for_objects(crd):
                self._settle(crd["metadata"]["name"], crd)

    def _retire(self, change: Change) -> None:
        for custom in self._custom.pop(change.key, {}).values():
            custom.retired = change.version

    def _serve(self, name: str, crd: Object, since: int) -> None:
        if definitions.established(crd):
            self._custom[name] = versions_of(crd, since)
            self.revision += 1

    def _clear(self, table: str, crd: Object) -> None:
        """Delete the objects of a CRD that is going; those that finalizers hold keep it waiting."""
        now = self._state.now()
        clearing = definitions.being_cleared(crd, now)
        if clearing is not crd:
            self._note(table, crd, clearing, now)
            return
        if table in self._custom:
            resource = self.of_table(table)
            for custom in self._custom[table].values():
                custom.terminating = True
            for obj in self._state.named_table(table).objects():
                if not deleting(obj):
                    meta = obj["metadata"]
                    delete(self._state, resource, meta.get("namespace", ""), meta["name"], Delete())
        self._finish_definition(table)

    def _finish_definition(self, table: str) -> None:
        crd = self._state.named_table(DEFINITIONS).rows.get(table)
        if crd is None or not definitions.waits_for_objects(crd) or self._state.named_table(table).rows:
            return
        now = self._state.now()
        left = definitions.without_cleanup(crd, now)
        if finalizers_of(left):
            self._note(table, crd, left, now)
        else:
            self._state.commit(DEFINITIONS, table, None)

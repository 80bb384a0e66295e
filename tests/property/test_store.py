"""The store under random writes: what it holds, what it logs and what it remembers agree, and nothing is mutated."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ork.base.objects import Object, labels_of
from ork.cluster.memory import fieldset, ownership
from ork.cluster.memory.controllers import Controllers
from ork.cluster.memory.reading import Query
from ork.cluster.memory.status import ApiError
from tests.property.test_field_sets import specs, texts
from tests.unit.cluster.world import WIDGET, SetClock, frozen, new_store, widget, with_widgets

names = st.sampled_from("ab")
managers = st.sampled_from(["one", "two"])
colored = st.sampled_from(["red", "blue"])


def valid(spec: Object, color: str) -> Object:
    """Return a spec that the schema of Widgets takes.

    Empty lists are left out: applied ones own nothing, so that a list may come and go (as it does on a real server).
    """
    kept: Object = frozen({**{key: value for key, value in spec.items() if value != []}, "color": color})
    return kept


class Writes(RuleBasedStateMachine):
    """Applies, updates, patches and deletes, with a list and a watch beside them."""

    @initialize()
    def start(self) -> None:
        self.clock = SetClock()
        self.store = with_widgets(new_store(self.clock))
        self.controllers = Controllers(self.store)
        self.watch = self.store.watch(WIDGET)
        self.narrow = self.store.watch(WIDGET, Query(labels="tier=x"))
        self.seen: dict[str, Object] = {}
        self.seen_narrow: dict[str, Object] = {}
        self.past: dict[str, list[Object]] = {}

    # ── what happens ────────────────────────────────────────────────────────────────────────────
    @rule(name=names, manager=managers, spec=specs, color=colored, tier=texts)
    def apply(self, name: str, manager: str, spec: Object, color: str, tier: str) -> None:
        config = widget(name, spec=valid(spec, color), labels={"tier": tier})
        try:
            written = self.store.apply(WIDGET, "default", name, config, manager, force=True)
        except ApiError as error:
            self._refuses_null(error)
            return
        assert written.obj["metadata"]["labels"]["tier"] == tier
        assert not self.store.apply(WIDGET, "default", name, config, manager).changed
        owned = self._owned(written.obj)
        assert (manager, ".spec.color") in owned

    @rule(name=names, manager=managers, spec=specs, color=colored)
    def apply_without_force(self, name: str, manager: str, spec: Object, color: str) -> None:
        before, version = self.store.find(WIDGET, "default", name), self.store.version
        with suppress(ApiError):
            self.store.apply(WIDGET, "default", name, widget(name, spec=valid(spec, color)), manager)
        if self.store.version == version:
            assert self.store.find(WIDGET, "default", name) == before

    @rule(name=names, spec=specs, color=colored)
    def update(self, name: str, spec: Object, color: str) -> None:
        live = self.store.find(WIDGET, "default", name)
        if live is not None:
            written = self.store.update(WIDGET, "default", name, frozen({**live, "spec": valid(spec, color)}), "hand")
            assert written.obj["spec"] == {"size": 1, **valid(spec, color)}

    @rule(name=names, number=st.integers(0, 2))
    def patch_status(self, name: str, number: int) -> None:
        with suppress(ApiError):
            self.store.patch(WIDGET, "default", name, {"status": {"n": number}}, "ctl", subresource="status")

    @rule(name=names, on=st.booleans())
    def hold(self, name: str, on: bool) -> None:
        with suppress(ApiError):
            self.store.patch(WIDGET, "default", name, {"metadata": {"finalizers": ["a.b/c"] if on else None}})

    @rule(name=names, propagation=st.sampled_from(["", "Foreground", "Orphan"]))
    def delete(self, name: str, propagation: str) -> None:
        with suppress(ApiError):
            self.store.delete(WIDGET, "default", name, propagation=propagation)

    @rule()
    def settle(self) -> None:
        self.controllers.step()

    @rule()
    def pass_time(self) -> None:
        self.clock.advance(1)

    @rule()
    def remember(self) -> None:
        self.past[self.store.version] = self.store.list(WIDGET)

    def _refuses_null(self, error: ApiError) -> None:
        """What was taken away may leave a null behind, which the schema does not take; a real server does the same."""
        message = str(error)
        assert 'must be of type array: "null"' in message or 'must be of type object: "null"' in message

    # ── what holds ──────────────────────────────────────────────────────────────────────────────
    @invariant()
    def events_lead_to_what_is_there(self) -> None:
        for watch, seen, labels in ((self.watch, self.seen, ""), (self.narrow, self.seen_narrow, "tier=x")):
            for event in watch.poll():
                name = event.obj["metadata"]["name"]
                assert (name in seen) == (event.type != "ADDED")
                if event.type == "DELETED":
                    del seen[name]
                else:
                    seen[name] = event.obj
            assert [seen[name] for name in sorted(seen)] == self.store.list(WIDGET, labels=labels)

    @invariant()
    def the_past_is_remembered_as_it_was(self) -> None:
        for version, listed in self.past.items():
            assert self.store.page(WIDGET, Query(version=version, match="Exact")).items == listed

    @invariant()
    def indexes_find_what_a_scan_finds(self) -> None:
        for tier in "xyz":
            scanned = [obj for obj in self.store.list(WIDGET) if labels_of(obj).get("tier") == tier]
            assert self.store.by_label("tier", tier) == scanned

    @invariant()
    def every_owned_field_is_there(self) -> None:
        ledger = self.store.resource(WIDGET).ledger()
        for obj in self.store.list(WIDGET):
            whole = {*fieldset.paths(ledger.type_of(ledger.version).whole(obj))}
            assert {path for _, path in self._owned(obj)} <= whole

    @rule()
    def feed_back_a_snapshot(self) -> None:
        again = new_store()
        again.restore(frozen(self.store.objects()))
        assert [self._plain(obj) for obj in again.objects()] == [self._plain(obj) for obj in self.store.objects()]

    def _plain(self, obj: Object) -> Object:
        return {**obj, "metadata": {key: row for key, row in obj["metadata"].items() if key != "resourceVersion"}}

    def _owned(self, obj: Object) -> set[tuple[str, str]]:
        rows: Any = ownership.decode(obj["metadata"].get("managedFields"))
        return {(manager.name, path) for manager, row in rows.items() for path in fieldset.paths(row.fields)}


Writes.TestCase.settings = settings(
    max_examples=20, stateful_step_count=20, phases=[Phase.explicit, Phase.generate, Phase.shrink]
)
TestWrites = Writes.TestCase

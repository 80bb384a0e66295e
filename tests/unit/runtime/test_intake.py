"""The intake of events: the enqueueGate, sentinels that stay with a key, a full queue, calls at event time, the end.

What the gates themselves decide stands in tests/unit/reconcile; a real watch in tests/integration.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from ork.base.objects import Object, Ref
from ork.base.requests import CallRequest, CallResult
from ork.program import Crd
from ork.reconcile.ports import Caller
from ork.runtime.cache import Cache
from ork.runtime.intake import Desk, Intake
from ork.runtime.metrics import Figures
from ork.runtime.queue import WorkQueue
from tests.unit.runtime.conftest import Entry
from tests.unit.runtime.office import desk_ports

FULL = "reconciler: {queue: {maxDepth: 2}}"
GATE = """
preReconcile:
  sentinels: [specChanged, labelsChanged]
  enqueueGate: {when: [{field: "{{ specChanged }}", equals: "true"}]}
"""


class Reception:
    """An intake, and what lies on its desk."""

    def __init__(self, crd: Crd, call: Caller | None = None) -> None:
        self.crd, self.cache, self.figures = crd, Cache(), Figures()
        self.queue: WorkQueue[Ref] = WorkQueue(lambda: 0.0)
        ports = desk_ports(self.cache, call=call)._replace(operator=self._operator)
        log = logging.getLogger("test.intake")
        self.intake = Intake(Desk(crd, self.cache, ports, self.queue, self.figures, lambda: 0.0, log))
        self.intake.open = True

    def _operator(self) -> Mapping[str, Any]:
        return {"health": {}, "metrics": {"queueDepth": len(self.queue)}}

    def ref(self, name: str) -> Ref:
        return Ref(self.crd.kind, "d", name)

    def see(self, name: str, version: int = 1, **fields: Any) -> None:
        """Let the watch tell of a state of a CR."""
        metadata = {"name": name, "namespace": "d", "uid": name, **fields.pop("metadata", {})}
        obj: Object = {"metadata": {**metadata, "resourceVersion": str(version)}, "spec": {}, **fields}
        replaced = self.cache.put(self.crd.kind, obj)
        assert replaced is not None
        self.intake.changed(self.ref(name), replaced.new, replaced.old)

    @property
    def waiting(self) -> list[str]:
        """Take everything that waits, and return the names."""
        found = []
        while (ref := self.queue.take()) is not None:
            self.intake.taken(ref)
            self.queue.done(ref)
            found.append(ref.name)
        return found


@pytest.fixture
def reception(entry: Entry) -> Callable[[str], Reception]:
    return lambda box: Reception(entry(box))


def test_every_event_asks_for_a_turn_where_nothing_is_declared(reception: Callable[[str], Reception]) -> None:
    here = reception("reconciler: {workers: 1}")
    here.see("a")
    here.see("b")
    here.see("a", 2)
    assert here.waiting == ["a", "b"]


def test_what_the_enqueue_gate_holds_never_reaches_the_queue(reception: Callable[[str], Reception]) -> None:
    here = reception(GATE)
    here.see("a")
    assert here.waiting == ["a"]
    here.see("a", 2, metadata={"labels": {"x": "y"}})
    assert here.waiting == []
    here.see("a", 3, spec={"x": 1})
    assert here.waiting == ["a"]


def test_sentinels_of_events_that_meet_in_the_queue_are_joined(reception: Callable[[str], Reception]) -> None:
    here = reception(GATE)
    here.see("a")
    here.waiting  # noqa: B018  (a turn)
    here.see("a", 2, spec={"x": 1}, metadata={"labels": {"x": "y"}})
    here.see("a", 3, spec={"x": 2}, metadata={"labels": {"x": "y"}})
    assert here.intake.item(here.ref("a")).sentinels == {"specChanged": True, "labelsChanged": True}


def test_a_child_and_a_resync_carry_the_sentinels_of_the_last_admitted_event(
    reception: Callable[[str], Reception],
) -> None:
    here = reception(GATE)
    here.see("a")
    here.waiting  # noqa: B018
    here.see("a", 2, spec={"x": 1})
    here.waiting  # noqa: B018
    assert here.intake.child_changed("a")
    assert here.waiting == ["a"]
    here.intake.due([here.ref("a")])
    assert here.intake.item(here.ref("a")).sentinels == {"specChanged": True, "labelsChanged": False}


def test_a_deleted_cr_passes_the_gate_and_a_full_queue(reception: Callable[[str], Reception]) -> None:
    here = reception(GATE + FULL)
    for name in ("a", "b"):
        here.see(name)
    gone = {"deletionTimestamp": "2026-01-05T10:00:00Z"}
    here.see("c", metadata=gone)
    assert here.waiting == ["a", "b", "c"]


# ── a full queue ────────────────────────────────────────────────────────────────────────────────
def test_an_event_that_finds_the_queue_full_is_counted_and_made_up_for_by_the_next_resync(
    reception: Callable[[str], Reception], caplog: pytest.LogCaptureFixture
) -> None:
    here = reception(FULL)
    for name in ("a", "b", "c", "d"):
        here.see(name)
    assert here.figures.dropped == 2
    assert [record.message for record in caplog.records if record.levelno == logging.WARNING] == [
        "apps/d/c: an event is dropped by the queue: the queue is filled to 100 % of its maxDepth"
    ]
    assert here.waiting == ["a", "b"]
    here.intake.due([])
    assert here.waiting == ["c", "d"]
    here.intake.due([])
    assert here.waiting == []


def test_what_waits_already_is_no_further_load(reception: Callable[[str], Reception]) -> None:
    here = reception(FULL)
    for version, name in enumerate(("a", "b", "a", "b", "a"), 1):
        here.see(name, version)
    assert (here.waiting, here.figures.dropped) == (["a", "b"], 0)


@pytest.mark.parametrize(
    ("behaviour", "waiting"),
    [
        ("onLimit: {drop: true}", ["gold", "iron", "more", "next"]),
        ("onLimit: {drop: false}", ["gold", "iron", "more", "next", "last"]),
        ("onThreshold: {value: 50}", ["gold", "iron"]),
        ("onThreshold: {value: 50, drop: false}", ["gold", "iron", "more", "next"]),
        ("onThreshold: {value: 50, when: [{field: metadata.name, equals: next}]}", ["gold", "iron", "more", "last"]),
        (
            "{onLimit: {when: [{field: metadata.name, notEquals: last}]}, onThreshold: {value: 75, drop: false}}",
            ["gold", "iron", "more", "next", "last"],
        ),
        ("onLimit: {when: [{field: .metrics.queueDepth, gt: 9}]}", ["gold", "iron", "more", "next", "last"]),
        ("onLimit: {when: [{field: metadata.name, gt: 9}]}", ["gold", "iron", "more", "next", "last"]),
    ],
)
def test_behaviour_decides_from_the_fullest_down(
    reception: Callable[[str], Reception], behaviour: str, waiting: list[str]
) -> None:
    text = behaviour if behaviour.startswith("{") else f"{{{behaviour}}}"
    here = reception(f"reconciler: {{queue: {{maxDepth: 4, behaviour: {text}}}}}")
    for name in ("gold", "iron", "more", "next", "last"):
        here.see(name)
    assert here.waiting == waiting


def test_behaviour_that_cannot_be_evaluated_lets_the_event_in_and_says_so(
    reception: Callable[[str], Reception],
) -> None:
    here = reception(
        "reconciler: {queue: {maxDepth: 1, behaviour: {onLimit: {when: [{field: metadata.name, gt: 9}]}}}}"
    )
    here.see("a")
    here.see("b")
    first, second = (here.intake.item(here.ref(name)).notice for name in "ab")
    assert first == ""
    assert second.startswith("a condition of queue.behaviour could not be evaluated (metadata.name: ")
    assert second.endswith("): it decides nothing")


# ── calls at event time ─────────────────────────────────────────────────────────────────────────
ASKS = """
preReconcile:
  enqueueGate:
    external: [{name: ready, url: "http://example.com/{{ .spec.n }}"}]
    when: [{field: external.ready.status, equals: "200"}]
"""


def test_a_gate_with_calls_holds_up_no_other_event_and_keeps_the_order_of_a_key(entry: Entry) -> None:
    async def story() -> None:
        answers: dict[str, asyncio.Future[CallResult]] = {}

        async def call(request: CallRequest) -> CallResult:
            asked.append(request.url)
            return await answers.setdefault(request.url, asyncio.get_running_loop().create_future())

        asked: list[str] = []
        here = Reception(entry(ASKS), call)
        here.see("a", 1, spec={"n": 1})
        here.see("a", 2, spec={"n": 2})
        here.see("b", 1, spec={"n": 3})
        await _soon()
        assert asked == ["http://example.com/1", "http://example.com/3"]
        answers[asked[1]].set_result(CallResult(200, {}, b"", ""))
        await _soon()
        assert here.waiting == ["b"]
        answers[asked[0]].set_result(CallResult(200, {}, b"", ""))
        await _soon()
        assert asked[2:] == ["http://example.com/2"]
        answers[asked[2]].set_result(CallResult(503, {}, b"", ""))
        await _soon()
        assert here.waiting == ["a"]
        assert here.intake.idle

    asyncio.run(story())


def test_a_cr_that_goes_while_its_gate_is_asked_is_not_queued(entry: Entry) -> None:
    async def story() -> None:
        answer: asyncio.Future[CallResult] = asyncio.get_running_loop().create_future()

        async def call(_: CallRequest) -> CallResult:
            return await answer

        here = Reception(entry(ASKS), call)
        here.see("a", spec={"n": 1})
        await _soon()
        here.intake.forget(here.ref("a"), "a")
        answer.set_result(CallResult(200, {}, b"", ""))
        await _soon()
        assert here.waiting == []
        assert not here.intake.knows(here.ref("a"))
        assert here.intake.idle

    asyncio.run(story())


async def _soon() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


# ── begin and end ───────────────────────────────────────────────────────────────────────────────
def test_nothing_is_queued_before_it_is_open_and_everything_when_it_opens(
    reception: Callable[[str], Reception],
) -> None:
    here = reception(GATE)
    here.intake.open = False
    here.see("b")
    here.see("a")
    here.see("a", 2, metadata={"labels": {"x": "y"}})
    assert here.waiting == []
    asyncio.run(here.intake.begin())
    assert here.waiting == ["a", "b"]


def test_a_cr_that_is_gone_leaves_nothing(reception: Callable[[str], Reception]) -> None:
    here = reception(FULL)
    here.see("a")
    here.intake.forget(here.ref("a"), "a")
    assert here.waiting == []
    assert not here.intake.child_changed("a")


def test_a_retry_passes_the_gates_again_and_carries_what_was_admitted(reception: Callable[[str], Reception]) -> None:
    here = reception(GATE)
    here.see("a")
    here.waiting  # noqa: B018
    assert asyncio.run(here.intake.readmitted(here.ref("a")))
    here.cache.remove(here.ref("a"), 5)
    assert not asyncio.run(here.intake.readmitted(here.ref("a")))

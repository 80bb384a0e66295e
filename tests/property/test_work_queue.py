"""The work queue's invariants, over random sequences of what informers and workers do, on a clock of its own.

Waiting (`get`, `turn`) is in tests/unit/runtime/test_queue.py.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ork.runtime.queue import Priority, WorkQueue

KEYS = st.sampled_from("abcde")


class Turns(RuleBasedStateMachine):
    """Adds, delays, takes and releases, beside a plain account of what is owed."""

    @initialize()
    def start(self) -> None:
        self.time = 0.0
        self.queue: WorkQueue[str] = WorkQueue(lambda: self.time)
        self.owed: set[str] = set()
        self.active: dict[str, bool] = {}

    @rule(key=KEYS, priority=st.sampled_from(Priority))
    def add(self, key: str, priority: Priority) -> None:
        self.queue.add(key, priority)
        if key in self.active:
            self.active[key] = True
        else:
            self.owed.add(key)

    @rule(key=KEYS, delay=st.floats(0.1, 10))
    def add_after(self, key: str, delay: float) -> None:
        self.queue.add_after(key, delay)
        if key not in self.active:
            self.owed.add(key)

    @rule(seconds=st.floats(0, 20))
    def pass_time(self, seconds: float) -> None:
        self.time += seconds

    @rule()
    def take(self) -> None:
        key = self.queue.take()
        if key is not None:
            assert key not in self.active
            assert key in self.owed
            self.owed.discard(key)
            self.active[key] = False

    @precondition(lambda self: self.active)
    @rule(data=st.data(), again=st.none() | st.floats(0.1, 5))
    def done(self, data: st.DataObject, again: float | None) -> None:
        key = data.draw(st.sampled_from(sorted(self.active)))
        self.queue.done(key, again)
        if self.active.pop(key) or again is not None:
            self.owed.add(key)

    @rule(key=KEYS)
    def drop(self, key: str) -> None:
        self.queue.drop(key)
        self.owed.discard(key)
        if key in self.active:
            self.active[key] = False

    @invariant()
    def nothing_is_lost_or_doubled(self) -> None:
        assert len(self.queue) + self.queue.delayed == len(self.owed)
        assert self.queue.active == len(self.active)

    def teardown(self) -> None:
        if not hasattr(self, "queue"):
            return
        for key in list(self.active):
            self.done_all(key)
        self.time += 1000
        while (ready := self.queue.take()) is not None:
            self.owed.discard(ready)
            self.queue.done(ready)
        assert not self.owed

    def done_all(self, key: str) -> None:
        self.queue.done(key)
        if self.active.pop(key):
            self.owed.add(key)


TestTurns = Turns.TestCase

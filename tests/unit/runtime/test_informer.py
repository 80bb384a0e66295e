"""Informers and the cache they keep: first list, watch, reconnect, 410, removed kinds, echoes of our own writes.

The server is a script of lists and streams; a real one stands in tests/integration.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import Any

import pytest

from ork.base.objects import Kind, Object, Ref
from ork.cluster.source import EventType, Page, Refusal, Scope, SourceError, WatchEvent
from ork.labels import OWNER_UID_LABEL
from ork.runtime.cache import Cache
from ork.runtime.informer import Change, Informer, State, Told

APPS = Kind("apps.demo.io", "v1", "App", "apps", True)


def app(name: str, version: int, uid: str = "", **metadata: Any) -> Object:
    identity = {"name": name, "namespace": "d", "uid": uid or name}
    return {"metadata": {**identity, "resourceVersion": str(version), **metadata}}


def ref(name: str) -> Ref:
    return Ref(APPS, "d", name)


Line = Page | SourceError | Sequence[WatchEvent | SourceError]


class Script:
    """A server that answers each list and watch with the next line of a script, and then never again."""

    def __init__(self, *lines: Line) -> None:
        self.lines, self.asked, self.finished = list(lines), list[str](), asyncio.Event()

    async def _next(self) -> Any:
        if not self.lines:
            self.finished.set()
            await asyncio.Event().wait()
        return self.lines.pop(0)

    async def list(self, scope: Scope) -> AsyncIterator[Page]:
        self.asked.append("list")
        answer = await self._next()
        if isinstance(answer, SourceError):
            raise answer
        yield answer

    async def watch(self, scope: Scope, since: str) -> AsyncIterator[WatchEvent]:
        self.asked.append(f"watch {since}")
        answer = await self._next()
        for event in [answer] if isinstance(answer, SourceError) else answer:
            if isinstance(event, SourceError):
                raise event
            yield event


def added(obj: Object) -> WatchEvent:
    return WatchEvent(EventType.ADDED, obj)


def modified(obj: Object) -> WatchEvent:
    return WatchEvent(EventType.MODIFIED, obj)


def deleted(obj: Object) -> WatchEvent:
    return WatchEvent(EventType.DELETED, obj)


def bookmark(version: int) -> WatchEvent:
    return WatchEvent(EventType.BOOKMARK, {"metadata": {"resourceVersion": str(version)}})


class Played:
    """What came of a script."""

    def __init__(self, *lines: Line, cache: Cache | None = None) -> None:
        self.cache, self.changes, self.pauses = cache or Cache(), list[Change](), list[float]()
        self.judged: list[tuple[State, str]] = []
        asyncio.run(self._play(lines))

    async def _play(self, lines: Sequence[Any]) -> None:
        self.script = Script(*lines)

        async def sleep(seconds: float) -> None:
            self.pauses.append(seconds)

        def judge() -> None:
            self.judged.append((self.informer.state, self.informer.problem))

        told = Told(self.changes.append, judge)
        self.informer = Informer(self.script, Scope(APPS), self.cache, told, Random(1), sleep)
        task = asyncio.create_task(self.informer.run())
        await self.script.finished.wait()
        task.cancel()
        await asyncio.wait([task])

    @property
    def told(self) -> list[str]:
        return [f"{'-' if c.new is None else '+' if c.old is None else '~'}{c.ref.name}" for c in self.changes]


def test_the_first_list_tells_of_every_object() -> None:
    played = Played(Page([app("a", 1), app("b", 2)], "5"))
    assert played.told == ["+a", "+b"]
    assert played.informer.state is State.SYNCED


def test_pages_of_one_list_are_taken_in_together() -> None:
    class Paged(Script):
        async def list(self, scope: Scope) -> AsyncIterator[Page]:
            async for page in super().list(scope):
                yield page
                yield Page([app("z", 3)], page.version)

    async def story() -> list[Change]:
        changes: list[Change] = []
        script = Paged(Page([app("a", 1)], "5"))
        informer = Informer(script, Scope(APPS), Cache(), Told(changes.append), Random(1))
        task = asyncio.create_task(informer.run())
        await script.finished.wait()
        task.cancel()
        await asyncio.wait([task])
        return changes

    assert [change.ref.name for change in asyncio.run(story())] == ["a", "z"]


def test_a_watch_goes_on_from_the_list_and_after_its_end_from_the_last_event_or_bookmark() -> None:
    played = Played(Page([app("a", 1)], "5"), [modified(app("a", 6)), bookmark(9)], [deleted(app("a", 12))])
    assert played.script.asked == ["list", "watch 5", "watch 9", "watch 12"]
    assert played.told == ["+a", "~a", "-a"]


def test_a_version_that_expired_means_a_new_list_never_a_watch_from_it() -> None:
    played = Played(
        Page([app("a", 1), app("b", 2)], "5"),
        [SourceError(Refusal.EXPIRED, "too old")],
        Page([app("b", 7), app("c", 8)], "20"),
    )
    assert played.script.asked == ["list", "watch 5", "list", "watch 20"]
    assert played.told == ["+a", "+b", "~b", "+c", "-a"]


def test_a_new_list_that_shows_nothing_new_tells_nothing() -> None:
    page = Page([app("a", 1)], "5")
    assert Played(page, [SourceError(Refusal.EXPIRED, "too old")], page).told == ["+a"]


def test_a_stream_that_breaks_is_taken_up_where_it_broke() -> None:
    played = Played(Page([], "5"), [added(app("a", 6)), SourceError(Refusal.UNAVAILABLE, "cut")], [])
    assert played.script.asked[:3] == ["list", "watch 5", "watch 6"]


def test_failures_are_asked_again_after_ever_longer_pauses_with_jitter() -> None:
    down = SourceError(Refusal.UNAVAILABLE, "connection refused")
    played = Played(*[down] * 12)
    limits = [min(30.0, 0.2 * 2.0 ** min(n, 10)) for n in range(1, 13)]
    assert all(limit / 2 <= pause <= limit for pause, limit in zip(played.pauses, limits, strict=True))
    assert played.informer.problem == "connection refused"


def test_the_server_s_retry_after_is_honoured() -> None:
    assert Played(SourceError(Refusal.UNAVAILABLE, "busy", retry_after=17)).pauses == [17]


def test_a_version_that_expired_is_nothing_to_speak_of() -> None:
    page = Page([app("a", 1)], "5")
    assert Played(page, [SourceError(Refusal.EXPIRED, "too old")], page).judged == [(State.SYNCED, "")]


def test_what_blocks_is_told_at_once_with_the_state_that_it_brings() -> None:
    page = Page([], "5")
    problem = "the API server has no apps.apps.demo.io (apps.demo.io/v1): apply the CRD"
    assert Played(page, SourceError(Refusal.UNKNOWN, "gone"), page).judged == [
        (State.SYNCED, ""),
        (State.BLOCKED, problem),
        (State.SYNCED, ""),
    ]


@pytest.mark.parametrize("refusal", [Refusal.FORBIDDEN, Refusal.STRANGER, Refusal.UNKNOWN])
def test_a_kind_that_is_refused_or_not_served_blocks_and_is_asked_again(refusal: Refusal) -> None:
    blocked = Played(SourceError(refusal, "no"))
    assert blocked.informer.state is State.BLOCKED
    assert Played(SourceError(refusal, "no"), Page([app("a", 1)], "5")).informer.state is State.SYNCED


def test_a_kind_that_is_removed_takes_its_objects_along() -> None:
    assert Played(Page([app("a", 1)], "5"), SourceError(Refusal.UNKNOWN, "gone")).told == ["+a", "-a"]


def test_the_echo_of_our_own_write_is_no_change() -> None:
    cache = Cache()
    cache.put(APPS, app("a", 6))
    played = Played(Page([], "5"), [added(app("a", 6)), modified(app("a", 7))], cache=cache)
    assert played.told == ["~a"]


def test_a_list_older_than_our_own_write_does_not_undo_it() -> None:
    cache = Cache()
    cache.put(APPS, app("a", 6))
    assert Played(Page([], "5"), cache=cache).told == []
    assert cache.get(ref("a")) is not None


def test_a_late_answer_does_not_raise_the_dead() -> None:
    played = Played(Page([app("a", 1)], "5"), [deleted(app("a", 8))])
    assert played.cache.put(APPS, app("a", 7)) is None
    assert played.cache.get(ref("a")) is None
    assert played.cache.put(APPS, app("a", 9, uid="another")) is not None


def test_an_older_state_never_replaces_a_newer_one() -> None:
    cache = Cache()
    cache.put(APPS, app("a", 6))
    assert cache.put(APPS, app("a", 4)) is None


def test_children_are_found_by_their_owner_s_uid_in_order() -> None:
    cache = Cache()
    for name in ("b", "a"):
        cache.put(APPS, app(name, 1, labels={OWNER_UID_LABEL: "u1"}))
    cache.put(APPS, app("c", 1, labels={OWNER_UID_LABEL: "u2"}))
    assert [child.ref.name for child in cache.owned("u1")] == ["a", "b"]
    cache.put(APPS, app("a", 2, labels={OWNER_UID_LABEL: "u2"}))
    assert [child.ref.name for child in cache.owned("u1")] == ["b"]
    cache.remove(ref("b"), 5)
    assert list(cache.owned("u1")) == []


@pytest.mark.parametrize("whole", [(), (APPS,)])
def test_managed_fields_are_left_at_the_door_unless_a_sentinel_compares_them(whole: tuple[Kind, ...]) -> None:
    cache = Cache(whole)
    cache.put(APPS, app("a", 1, managedFields=[{"manager": "x"}]))
    found = cache.get(ref("a"))
    assert found is not None
    assert ("managedFields" in found["metadata"]) == bool(whole)

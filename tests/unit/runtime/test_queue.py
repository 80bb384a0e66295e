"""The work queue: order, the lock on a key, delays and back-off, and what a waiting or cancelled worker sees."""

from __future__ import annotations

import asyncio

import pytest

from ork.runtime.queue import Limits, Priority, WorkQueue


class Time:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def queue(time: Time) -> WorkQueue[str]:
    return WorkQueue(time)


def test_a_live_event_goes_before_the_initial_list_and_that_before_a_resync(queue: WorkQueue[str]) -> None:
    queue.add("resync", Priority.RESYNC)
    queue.add("initial", Priority.INITIAL)
    queue.add("event", Priority.EVENT)
    assert [queue.take(), queue.take(), queue.take(), queue.take()] == ["event", "initial", "resync", None]


def test_a_key_moves_up_but_never_down(queue: WorkQueue[str]) -> None:
    queue.add("a", Priority.RESYNC)
    queue.add("b", Priority.INITIAL)
    queue.add("a", Priority.EVENT)
    queue.add("a", Priority.RESYNC)
    assert [queue.take(), queue.take(), queue.take()] == ["a", "b", None]


def test_a_key_in_work_is_handed_out_once_more_however_often_it_was_added(queue: WorkQueue[str]) -> None:
    queue.add("a")
    assert queue.take() == "a"
    queue.add("a")
    queue.add("a")
    assert queue.take() is None
    queue.done("a")
    assert queue.take() == "a"
    queue.done("a")
    assert queue.take() is None


def test_a_delayed_key_comes_when_it_is_due(queue: WorkQueue[str], time: Time) -> None:
    queue.add_after("a", 5)
    time.seconds = 4.9
    assert queue.take() is None
    assert queue.due_in() == pytest.approx(0.1)
    time.seconds = 5
    assert queue.take() == "a"


def test_an_event_overtakes_the_delay_of_its_key(queue: WorkQueue[str], time: Time) -> None:
    queue.add_after("a", 5)
    queue.add("a")
    assert queue.take() == "a"
    queue.done("a")
    time.seconds = 10
    assert queue.take() is None


def test_of_two_delays_the_shorter_counts(queue: WorkQueue[str], time: Time) -> None:
    queue.add_after("a", 5)
    queue.add_after("a", 2)
    queue.add_after("a", 9)
    time.seconds = 2
    assert queue.take() == "a"
    queue.done("a")
    time.seconds = 20
    assert queue.take() is None


def test_a_key_dropped_in_work_is_not_handed_out_again(queue: WorkQueue[str]) -> None:
    queue.add("a")
    queue.take()
    queue.add("a")
    queue.drop("a")
    queue.done("a")
    assert queue.take() is None


def test_back_off_doubles_from_5_ms_to_1000_s_and_starts_anew_on_success(queue: WorkQueue[str]) -> None:
    delays = [queue.failed("a") for _ in range(30)]
    assert delays[:4] == [0.005, 0.01, 0.02, 0.04]
    assert delays[-1] == 1000
    queue.succeeded("a")
    assert queue.failed("a") == 0.005


def test_back_off_of_a_very_patient_cluster_does_not_overflow() -> None:
    assert Limits(first=1, last=60, multiplier=10).delay(10_000) == 60


def test_a_waiting_worker_gets_what_is_added_later() -> None:
    async def story() -> str:
        queue: WorkQueue[str] = WorkQueue(asyncio.get_running_loop().time)
        waiting = asyncio.create_task(queue.get())
        await asyncio.sleep(0)
        queue.add("a")
        return await waiting

    assert asyncio.run(story()) == "a"


def test_a_waiting_worker_gets_a_delayed_key_when_it_is_due() -> None:
    async def story() -> str:
        queue: WorkQueue[str] = WorkQueue(asyncio.get_running_loop().time)
        waiting = asyncio.create_task(queue.get())
        await asyncio.sleep(0)
        queue.add_after("a", 0.001)
        return await waiting

    assert asyncio.run(story()) == "a"


def test_a_key_meant_for_a_cancelled_worker_reaches_another() -> None:
    async def story() -> str:
        queue: WorkQueue[str] = WorkQueue(asyncio.get_running_loop().time)
        first, second = asyncio.create_task(queue.get()), asyncio.create_task(queue.get())
        await asyncio.sleep(0)
        queue.add("a")
        first.cancel()
        return await asyncio.wait_for(second, 5)

    assert asyncio.run(story()) == "a"


def test_a_cancelled_turn_gives_its_key_back() -> None:
    async def story() -> str | None:
        queue: WorkQueue[str] = WorkQueue(asyncio.get_running_loop().time)
        queue.add("a")

        async def work() -> None:
            async with queue.turn():
                await asyncio.Event().wait()

        task = asyncio.create_task(work())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return queue.take()

    assert asyncio.run(story()) == "a"

"""The API server goes away, comes back, and has forgotten the past."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.controlplane.controlplane import ControlPlane
from tests.integration.faults.katalogs import APP, katalog
from tests.integration.faults.people import User, user
from tests.integration.faults.processes import process, quiet
from tests.integration.faults.whole import comes_out_right
from tests.integration.proxy import proxy

STREAMS = 3


@pytest.mark.timeout(150)
def test_a_server_that_restarts_under_load_finds_the_operator_at_work_again(
    shaken: ControlPlane, tmp_path: Path
) -> None:
    async def story() -> None:
        async with user(shaken, 5) as someone, proxy(shaken) as between:
            text = katalog(someone.namespace, APP)
            with process(tmp_path, text, between, "-n", someone.namespace) as operator:
                await operator.watching(STREAMS)
                restart = asyncio.to_thread(_restart, shaken)
                await asyncio.gather(restart, someone.work(60, pause=0.1))
                await comes_out_right(someone, text)
                await quiet(between)
                assert await operator.stop() == 0

    asyncio.run(story())


def _restart(plane: ControlPlane) -> None:
    plane.stop_apiserver()
    plane.start_apiserver()


@pytest.mark.timeout(150)
def test_what_happened_in_a_past_that_is_compacted_away_is_found_out_by_a_new_list(
    shaken: ControlPlane, tmp_path: Path
) -> None:
    async def story() -> None:
        async with user(shaken, 6) as someone, proxy(shaken) as between:
            text = katalog(someone.namespace, APP)
            with process(tmp_path, text, between, "-n", someone.namespace) as operator:
                await operator.watching(STREAMS)
                await someone.work(30)
                between.hold()
                await _unseen(someone)
                await asyncio.to_thread(_forget, shaken)
                mark = len(between.log)
                between.sever()
                between.release()
                await comes_out_right(someone, text)
                await quiet(between)
                # Of single objects there may be reads, too: a turn that was held up finds children that it made.
                lists = {passed.request.path for passed in between.log[mark:] if "limit=" in passed.request.target}
                assert len(lists) == STREAMS
                assert await operator.stop() == 0

    asyncio.run(story())


async def _unseen(someone: User) -> None:
    """Change half of the CRs, delete the others, and create some."""
    for number, name in enumerate(sorted(someone.wants)):
        await (someone.change(name, image="nginx:new") if number % 2 else someone.delete(name))
    for name in ("new-1", "new-2", "new-3"):
        await someone.create(name, image="nginx:1", parts=["a"])


def _forget(plane: ControlPlane) -> None:
    """An API server serves the recent past from its memory, so that must go, too."""
    plane.compact()
    _restart(plane)

"""What an operator sends to a real API server, request by request: no more than it must, and nothing when all is well.

Faults on the way, and processes of their own, stand in other files.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ork.runtime.operator import Options
from tests.controlplane.controlplane import ControlPlane
from tests.integration.operators import (
    APPS,
    TWO_CHILDREN,
    Place,
    Running,
    Tell,
    katalog,
    program,
    running,
    teller,
    until,
    until_found,
)
from tests.kinds import CONFIG_MAPS, DEPLOYMENTS

RARELY, OFTEN = (f"\n        reconciler: {{resync: {every}}}" for every in ("1h", "300ms"))


@pytest.fixture
def tell(plane: ControlPlane) -> Tell:
    return teller(plane, "App")


def operator(here: Place, resync: str = RARELY) -> Any:
    """Run an operator of a katalog of its own in a place."""
    options = Options((here.namespace,), apply_crds=False)
    return running(here.kubeconfig, program(katalog(here.namespace, app=resync + TWO_CHILDREN)), options)


def after(run: Running, mark: int) -> list[str]:
    """Return what was sent since then, in the order of names."""
    return sorted(run.sent[mark:])


def test_a_new_cr_with_two_children_costs_three_writes_and_no_read_and_no_event(tell: Tell) -> None:
    async def story(here: Place) -> None:
        async with operator(here) as run:
            await run.watching()
            mark = len(run.sent)
            await here.create(here.app(image="nginx:1"))
            await run.settled(1)
            assert after(run, mark) == ["PATCH apps/a/status", "PATCH configmaps/a", "PATCH deployments/a"]
            found = await here.get(APPS, "a")
            assert found is not None
            assert found["status"]["phase"] == "Ready"
            assert "finalizers" not in found["metadata"]

    tell(story)


def test_own_echoes_cause_no_turn_and_a_turn_without_work_no_request(tell: Tell) -> None:
    async def story(here: Place) -> None:
        async with operator(here) as run:
            await here.create(here.app(image="nginx:1"))
            await run.settled(1)
            await asyncio.sleep(0.5)
            assert run.turns() == 1
        async with operator(here, OFTEN) as run:
            await run.watching()
            await run.settled(1)
            mark = len(run.sent)
            await until(lambda: run.turns() >= 4)
            assert run.sent[mark:] == []

    tell(story)


def test_a_restart_over_settled_crs_costs_lists_and_watches_only(tell: Tell) -> None:
    async def story(here: Place) -> None:
        async with operator(here) as run:
            await run.watching()
            for name in ("a", "b", "c"):
                await here.create(here.app(name, image="nginx:1"))
            await run.settled(3)
        async with operator(here) as run:
            await run.watching()
            await run.settled(3)
            kinds = ("apps", "configmaps", "deployments")
            assert sorted(run.sent) == [*(f"GET {kind}" for kind in kinds), *(f"watch {kind}" for kind in kinds)]

    tell(story)


def test_a_change_of_one_field_costs_one_write_for_the_child_that_it_changes(tell: Tell) -> None:
    async def story(here: Place) -> None:
        async with operator(here) as run:
            await run.watching()
            await here.create(here.app(image="nginx:1"))
            await run.settled(1)
            mark = len(run.sent)
            await here.patch(APPS, "a", {"spec": {"image": "nginx:2"}})
            await until(lambda: run.turns() == 2)
            assert after(run, mark) == ["PATCH apps/a/status", "PATCH deployments/a"]

    tell(story)


def test_drift_is_corrected_by_one_write_and_a_deleted_child_made_again_each_time(tell: Tell) -> None:
    async def story(here: Place) -> None:
        async with operator(here) as run:
            await here.create(here.app(image="nginx:1", note="ours"))
            await run.settled(1)
            mark = len(run.sent)
            await here.patch(CONFIG_MAPS, "a", {"data": {"note": "theirs", "more": "kept"}})
            await until(lambda: len(run.sent) > mark)
            await run.settled(1)
            found = await here.get(CONFIG_MAPS, "a")
            assert found is not None
            assert found["data"] == {"note": "ours", "more": "kept"}
            assert run.sent[mark:] == ["PATCH configmaps/a"]
            for times in (1, 2, 3):
                await here.delete(DEPLOYMENTS, "a")
                await until_found(lambda: here.get(DEPLOYMENTS, "a"))
                await run.settled(1)
                assert run.sent[mark:] == ["PATCH configmaps/a", *["PATCH deployments/a"] * times]

    tell(story)


def test_a_label_that_no_box_reads_costs_a_turn_and_no_request(tell: Tell) -> None:
    async def story(here: Place) -> None:
        async with operator(here) as run:
            await run.watching()
            await here.create(here.app(image="nginx:1"))
            await run.settled(1)
            mark = len(run.sent)
            await here.patch(APPS, "a", {"metadata": {"labels": {"team": "x"}}})
            await until(lambda: run.turns() == 2)
            assert run.sent[mark:] == []

    tell(story)

"""The operator is killed again and again while users work: nothing is lost, doubled or left behind."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random

import pytest

from tests.controlplane.controlplane import ControlPlane
from tests.integration.faults.katalogs import APP, katalog
from tests.integration.faults.people import user
from tests.integration.faults.processes import process, quiet
from tests.integration.faults.whole import comes_out_right
from tests.integration.proxy import proxy

KILLS = int(os.environ.get("ORK_KILLS", "8"))
"""A hundred with `make faults`."""
STREAMS = 3


@pytest.mark.timeout(60 + 10 * KILLS)
def test_an_operator_that_is_killed_at_any_moment_leaves_no_trace_of_it(shaken: ControlPlane, tmp_path: Path) -> None:
    async def story() -> None:
        random = Random(KILLS)
        async with user(shaken, KILLS) as someone, proxy(shaken) as between:
            text = katalog(someone.namespace, APP)
            with process(tmp_path, text, between, "-n", someone.namespace) as operator:
                for _ in range(KILLS):
                    begun = operator.watching(STREAMS)
                    await asyncio.gather(begun, someone.work(10))
                    # Most of the work is done in the first half second, so most kills fall into it.
                    await asyncio.gather(someone.work(5, pause=0.01), asyncio.sleep(random.random() ** 2))
                    operator.kill()
                    operator.start()
                await comes_out_right(someone, text)
                await quiet(between)

    asyncio.run(story())

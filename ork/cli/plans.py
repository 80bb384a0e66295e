"""What an operator would write now, and how that is shown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ork.cli import terminal, wiring

if TYPE_CHECKING:
    from ork.program import Program
    from ork.runtime.rehearsal import Options
    from ork.runtime.rehearsed import Plan


async def plan(program: Program, cluster: wiring.Cluster, allow_hosts: tuple[str, ...], options: Options) -> Plan:
    """Return what would be written, asking a cluster in which nothing changes. Raises OutsideError."""
    from ork.runtime.rehearsal import rehearse

    async with wiring.world(cluster, program, os.environ, allow_hosts, dry=True) as world:
        return await rehearse(program, world, options)


def shown(plan: Plan, output: str = "text") -> str:
    """Return a plan as `text` for people or as `json`."""
    if output == "json":
        from ork.cli.render import diff_json

        return diff_json.render(plan)
    from ork.cli.render import diff_text

    return diff_text.render(plan, terminal.palette())

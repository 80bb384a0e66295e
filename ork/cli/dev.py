"""`ork run --dev`: when files change, what would follow is shown before it is done, and deletions are asked for."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from ork.base.errors import OrkError
from ork.cli import plans, terminal
from ork.cli.findings import refuse
from ork.cli.katalogs import check_startable, read_katalog
from ork.katalog.sources import Sources
from ork.program import Program

if TYPE_CHECKING:
    from ork.runtime.process import Katalog
    from ork.runtime.rehearsed import Plan

LOOK_EVERY = 0.3
"""Seconds between two looks at the files."""

Seen = Mapping[str, tuple[int, int]]
"""Time and size of each file that is there."""


class Following:
    """Waits until the files of a Katalog have changed to another one that works and that the user agrees with."""

    def __init__(
        self, file: str, sources: Sources, plan: Callable[[Program], Awaitable[Plan]], log: logging.Logger
    ) -> None:
        """`sources` has read the files of the Katalog that runs; `plan` says what another one would write."""
        self._file, self._plan, self._log = file, plan, log
        self._seen = _look(sources.files)

    async def __call__(self) -> Katalog:
        """Return what to go on with."""
        while True:
            await self._changed()
            sources = Sources()
            try:
                katalog = await self._agreed(sources)
            except OrkError as error:
                self._log.error("%s; the Katalog of before goes on", error)
                katalog = None
            # Files of a Katalog that does not compile may be fewer: those of before still count.
            self._seen = _look({*self._seen, *sources.files})
            if katalog is not None:
                return katalog

    async def _changed(self) -> None:
        while _look(self._seen) == self._seen:
            await asyncio.sleep(LOOK_EVERY)

    async def _agreed(self, sources: Sources) -> Katalog | None:
        """Return the Katalog that the files are now; None where the user does not want it. Raises OrkError."""
        from ork.katalog.declared import declared
        from ork.runtime.process import Katalog

        program, findings = read_katalog(self._file, sources)
        if program is None:
            refuse(findings, sources)
            raise OrkError(f"{self._file} has errors")
        check_startable(program)
        plan = await self._plan(program)
        if not plan.empty or plan.gated:
            terminal.say(plans.shown(plan))
        deletions = sum(change.verb == "delete" for change in plan.changes)
        if deletions and not await _confirmed(deletions):
            self._log.info("the Katalog of before goes on")
            return None
        return Katalog(program, declared(self._file, sources))


def _look(files: Iterable[str]) -> Seen:
    found = {}
    for file in sorted(files):
        try:
            stat = os.stat(file)
        except OSError:
            found[file] = (0, 0)
        else:
            found[file] = (stat.st_mtime_ns, stat.st_size)
    return found


async def _confirmed(deletions: int) -> bool:
    """Ask at the terminal; where there is none, nothing is deleted."""
    what = f"{deletions} objects are" if deletions > 1 else "1 object is"
    if not sys.stdin.isatty():
        terminal.notice(f"{what} to be deleted, and there is no terminal to ask at: start ork anew to do it")
        return False
    terminal.notice(f"{what} to be deleted. Go on? [y/N]")
    return (await _line()).strip().lower() in ("y", "yes")


async def _line() -> str:
    """Wait for a line at the terminal, without a thread that would outlive a signal."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(sys.stdin, ready.set_result, None)
    try:
        await ready
    finally:
        loop.remove_reader(sys.stdin)
    return sys.stdin.readline()

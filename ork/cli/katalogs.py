"""Reading the Katalog that a call names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ork.base.errors import OrkError, UsageError
from ork.base.records import NamedTuple

if TYPE_CHECKING:
    from ork.base.findings import Finding
    from ork.katalog.sources import Sources
    from ork.program import Program


class Read(NamedTuple):
    """A Katalog's meaning, None where it does not compile, and what is to be said of it."""

    program: Program | None
    findings: list[Finding]


def read_katalog(file: str, sources: Sources) -> Read:
    """Compile a Katalog. Raises UsageError where it cannot be read."""
    from ork.katalog.compiler import compile_katalog
    from ork.katalog.sources import ReadError

    try:
        compiled = compile_katalog(file, sources)
    except ReadError as error:
        raise UsageError(str(error)) from error
    return Read(compiled.program, [finding for finding in compiled.findings if not sources.silences(finding)])


def check_startable(program: Program) -> None:
    """Refuse what could be found out only in the middle of the work. Raises OrkError."""
    unset = sorted(name for name in program.variables if name not in os.environ)
    if unset:
        raise OrkError(f"tokens or headers read environment variables that are not set: {', '.join(unset)}; set them")
    for crd in program.crds.values():
        for box in crd.boxes.values():
            if box.hook is not None:
                what = f"`{crd.name}` has the hook `{box.hook.location}`"
                raise OrkError(f"{box.hook.span}: {what}, and this version cannot run hooks; remove it")

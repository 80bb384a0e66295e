"""What a simulation says: writes, gates, calls and errors of every cycle, and how the expectations came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ork.base.findings import Span
from ork.base.objects import Object
from ork.base.records import NamedTuple


class Op(NamedTuple):
    """One write of the operator that changed something."""

    verb: str
    """The outcome: `create` where the object was absent before, else `update` or `delete`."""
    via: str
    """The form of the request: `apply patch delete`."""
    resource: str
    """The plural; `status` and `finalizers` for those of the CR itself."""
    api_version: str
    kind: str
    namespace: str
    name: str
    crd: str
    """The entry whose object was worked on."""
    owner: str
    """That object: `default/my-app`."""
    written: Object
    """The object as it was after the write; before it, where it was deleted."""

    def __str__(self) -> str:
        """`create deployments/my-app`."""
        return f"{self.verb} {self.resource}/{self.name}"


class Gating(NamedTuple):
    """One object that a gate holds at the end of a cycle."""

    crd: str
    object: str
    gate: str
    reason: str


class Called(NamedTuple):
    """One external call, made or skipped."""

    crd: str
    object: str
    name: str
    method: str
    url: str
    status: str
    called: bool
    error: str


class Problem(NamedTuple):
    """One error of a turn, and the place in the katalog that it comes from, where there is one."""

    crd: str
    object: str
    message: str
    span: Span | None


class Cycle(NamedTuple):
    """Everything that happened in one cycle, in order."""

    number: int
    at: datetime
    ops: Sequence[Op]
    gated: Sequence[Gating]
    calls: Sequence[Called]
    errors: Sequence[Problem]
    explained: Sequence[str] = ()
    """With `explain`: how each condition came out."""

    @property
    def quiet(self) -> bool:
        """Tell whether nothing was written and nothing failed."""
        return not self.ops and not self.errors


class Final(NamedTuple):
    """The status of one CR after the last cycle."""

    crd: str
    object: str
    status: Mapping[str, Any]


class Result(NamedTuple):
    """How one expectation came out."""

    path: str
    """`expect.ops[0]`."""
    span: Span | None
    passed: bool
    message: str
    """What was expected; for a failure also what happened instead."""


class Run(NamedTuple):
    """One scenario, carried out."""

    name: str
    file: str
    target: str | None
    cycles: Sequence[Cycle]
    finals: Sequence[Final]
    results: Sequence[Result]
    objects: Sequence[Object]
    """Everything that is in the cluster at the end, for a snapshot."""
    notices: Sequence[str] = ()
    tested: bool = True
    """False for an ad-hoc run, which has no expectations."""
    applied: Sequence[Object] = ()
    """Of an ad-hoc run: what was sent to be applied to children, in order."""

    @property
    def steady_at(self) -> int | None:
        """Return the first of the final quiet cycles; None where the last one was not quiet."""
        first = None
        for cycle in reversed(self.cycles):
            if not cycle.quiet:
                break
            first = cycle.number
        return first

    @property
    def passed(self) -> bool:
        """Tell whether every expectation held; in an ad-hoc run, whether there was no error."""
        return all(result.passed for result in self.results) and (
            self.tested or not any(cycle.errors for cycle in self.cycles)
        )

"""What a Simulate document says, once decoded: all that a simulation needs, with the place of each expectation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from ork.base.findings import Span
from ork.base.objects import Object
from ork.base.records import NamedTuple


class Given(NamedTuple):
    """An object out of a file of the scenario, and where it begins."""

    obj: Object
    span: Span


class Claim(NamedTuple):
    """One expectation that is a value: `steady`, `steadyAt`, `noErrors`, `gated`, `status`."""

    value: Any
    path: str
    """`expect.crds.app.steady`."""
    span: Span


class OpClaim(NamedTuple):
    """An entry of `ops`. What it does not say (None, or an empty text) matches anything."""

    path: str
    span: Span
    cycle: int | None = None
    verb: str = ""
    """`create apply update patch delete`: matches the outcome or the form of the request."""
    resource: str = ""
    """The plural in lower case; `status` and `finalizers` for the CR's own."""
    name: str = ""
    namespace: str | None = None
    exactly: int | None = None
    """`count`."""
    at_least: int | None = None
    fields: Mapping[str, Any] = {}
    """By dotted path: what the written object must hold."""
    absent: bool = False

    @property
    def never(self) -> bool:
        """Tell whether such a write must not happen."""
        return self.absent or self.exactly == 0


class Absence(NamedTuple):
    """An entry of `absent`: a write that must not happen."""

    path: str
    span: Span
    resource: str
    cycle: int | None = None
    verb: str = ""
    name: str = ""


class ErrorClaim(NamedTuple):
    """An entry of `errors`: an error that is meant."""

    path: str
    span: Span
    contains: str
    cycle: int | None = None


class Expect(NamedTuple):
    """`expect`, or the part of it under `crds.<name>`."""

    steady: Claim | None = None
    steady_at: Claim | None = None
    no_errors: Claim | None = None
    gated: Claim | None = None
    status: Claim | None = None
    errors: tuple[ErrorClaim, ...] = ()
    ops: tuple[OpClaim, ...] = ()
    absent: tuple[Absence, ...] = ()
    crds: Mapping[str, Expect] = {}
    crd_spans: Mapping[str, Span] = {}
    """Where the names of `crds` stand."""

    @property
    def demands(self) -> bool:
        """Tell whether anything here can fail: `noErrors: false` allows something, and an empty `status` is in any."""
        values = (self.steady, self.steady_at, self.gated)
        return (
            any(claim is not None for claim in values)
            or any(claim is not None and bool(claim.value) for claim in (self.no_errors, self.status))
            or bool(self.errors or self.ops or self.absent)
            or any(block.demands for block in self.crds.values())
        )


class Response(NamedTuple):
    """An entry of `externalResponses`: what answers a call. Empty texts and None match anything."""

    path: str
    span: Span
    name: str = ""
    url: str = ""
    method: str = ""
    cycle: int | None = None
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}
    delay: timedelta = timedelta()
    refused: bool = False
    """The connection is refused: there is no answer."""


class Patched(NamedTuple):
    """`patch`: a merge patch onto one object."""

    resource: str
    name: str
    namespace: str
    """Empty: that of the CR under test."""
    subresource: str
    patch: Object


class Applied(NamedTuple):
    """`apply`: objects that somebody else creates or replaces."""

    objects: tuple[Given, ...]


class Deleted(NamedTuple):
    """`delete`: somebody deletes one object."""

    resource: str
    name: str
    namespace: str


class Advanced(NamedTuple):
    """`advance`: time passes."""

    by: timedelta


class Restarted(NamedTuple):
    """`restart`: the operator starts anew and remembers nothing."""


class Failing(NamedTuple):
    """`fail`: the API server refuses the next requests of that form."""

    verb: str
    resource: str
    status: int
    times: int


Action = Patched | Applied | Deleted | Advanced | Restarted | Failing


class Change(NamedTuple):
    """An entry of `changes`: what happens before a cycle."""

    path: str
    span: Span
    cycle: int
    action: Action


class Scenario(NamedTuple):
    """One Simulate document."""

    name: str
    file: str
    span: Span
    katalog: str
    """The path of the Katalog, as `Sources` reads it."""
    given: tuple[Given, ...]
    """`cr` and `crFiles`, in order."""
    crds: tuple[Given, ...] = ()
    """`crd` and `crdFiles`."""
    cycles: int = 10
    at: datetime | None = None
    target: str = ""
    skip_external: bool = False
    responses: tuple[Response, ...] = ()
    workloads: Mapping[str, str] = {}
    """By plural in lower case: `ready never fail`; `*` is all others."""
    changes: tuple[Change, ...] = ()
    hooks: Mapping[str, str] = {}
    expect: Expect | None = None
    """None: the document has no `expect`."""
    imports: tuple[str, ...] = ()
    """Further files to run, as `Sources` reads them."""

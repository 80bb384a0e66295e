"""What a check has to say, and where: spans, findings, and the faults of a running evaluation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from enum import Enum

from ork.base.records import NamedTuple


class Span(NamedTuple):
    """A stretch of a file. Lines and columns count from 1, columns in characters; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        """`katalog.yaml:12:9`."""
        return f"{self.file}:{self.line}:{self.column}"


Locate = Callable[[int, int], Span]
"""Where a piece of a text, given by its start and end offset, stands in a file."""


class Severity(Enum):
    """How bad a finding is: only errors fail `ork validate` (and warnings under `--strict`)."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Related(NamedTuple):
    """A second place that a finding speaks of, such as the first of two equal keys."""

    span: Span
    message: str


class Finding(NamedTuple):
    """One thing to say about a document: a stable code, what is wrong, where, and how to fix it."""

    code: str
    """`ORK0101`."""
    severity: Severity
    span: Span
    message: str
    hint: str = ""
    path: str = ""
    """`spec.crds.app.operatorBox.onCreate.deployments[0].image`."""
    related: tuple[Related, ...] = ()


class FaultKind(Enum):
    """What sort of thing went wrong in a turn; `ork.reconcile.errors` maps each to what happens next."""

    EVALUATION = "evaluation"
    """An expression, condition or rendered object is wrong for this CR."""
    CALL = "call"
    """An external call failed and had no `continueOnError`."""
    DENIED = "denied"
    """A validation rule does not hold."""
    REFUSED = "refused"
    """An object of that name belongs to somebody else, or may not be touched."""
    CONFLICT = "conflict"
    """The object changed meanwhile (409)."""
    INVALID = "invalid"
    """The API server refused the object (400, 422)."""
    FORBIDDEN = "forbidden"
    """The API server does not allow it (401, 403)."""
    UNAVAILABLE = "unavailable"
    """The API server did not answer, or asked to wait (429, 5xx, a broken connection)."""
    BUG = "bug"
    """`ork` itself failed."""


class Fault(NamedTuple):
    """One thing that went wrong while a CR was worked on: text for people, and where the katalog caused it."""

    kind: FaultKind
    message: str
    """Names the field, entry and value concerned; never a secret."""
    span: Span | None = None
    after: timedelta | None = None
    """How long whoever refused asks to be left in peace (`Retry-After`)."""

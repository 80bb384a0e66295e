"""What a rehearsal came to: the writes that an operator would make, and the CRs for which it would make none."""

from __future__ import annotations

from collections.abc import Sequence

from ork.base.findings import Span
from ork.base.objects import Object, Ref
from ork.base.records import NamedTuple


class Change(NamedTuple):
    """One object that would be made, changed or deleted, without what only the server sets; Secrets' values hidden."""

    verb: str
    """`create`, `update` or `delete`."""
    ref: Ref
    part: str
    """`status` or `metadata` of a CR; empty for a whole object."""
    before: Object | None
    after: Object | None
    crd: str = ""
    object: str = ""
    """On whose behalf: `default/my-app`; empty for a CRD."""


class Gated(NamedTuple):
    """A CR that a gate holds."""

    crd: str
    object: str
    gate: str
    reason: str


class Failed(NamedTuple):
    """A CR whose turn would fail, or be denied."""

    crd: str
    object: str
    message: str
    span: Span | None


class Plan(NamedTuple):
    """All that would happen."""

    changes: Sequence[Change]
    gated: Sequence[Gated]
    failed: Sequence[Failed]

    @property
    def empty(self) -> bool:
        """Tell whether nothing would be written and nothing fail."""
        return not self.changes and not self.failed

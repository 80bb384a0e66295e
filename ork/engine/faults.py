"""Faults of an evaluation, in one form of words."""

from __future__ import annotations

from ork.base.findings import Fault, FaultKind, Span
from ork.base.objects import Object
from ork.expr.env import Scope
from ork.expr.errors import EvaluationError


class Stop(Exception):
    """The cycle ends here; status still says why, reading what was known by then."""

    def __init__(self, scope: Scope, *faults: Fault) -> None:
        super().__init__(*(fault.message for fault in faults))
        self.scope, self.faults = scope, faults


def of_evaluation(error: EvaluationError, subject: str, cr: Object, span: Span | None = None) -> Fault:
    """Return the fault of an expression in `subject` (an entry's path) for this CR."""
    return Fault(FaultKind.EVALUATION, f"{subject}: {error.message} (for {title(cr)})", error.span or span)


def title(cr: Object) -> str:
    """Return `App default/my-app`, as messages name a CR."""
    meta = cr["metadata"]
    name = "/".join(filter(None, (meta.get("namespace"), meta["name"])))
    return f"{cr.get('kind', 'object')} {name}"

"""Faults of an evaluation, in one form of words."""

from __future__ import annotations

from ork.base.findings import Fault, FaultKind, Span
from ork.base.objects import Object
from ork.expr.errors import EvaluationError


class Stop(Exception):
    """The turn ends here; status still says why."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(*(fault.message for fault in faults))
        self.faults = faults


def of_evaluation(error: EvaluationError, subject: str, cr: Object, span: Span | None = None) -> Fault:
    """Return the fault of an expression in `subject` (an entry's path) for this CR."""
    return Fault(FaultKind.EVALUATION, f"{subject}: {error.message} (for {title(cr)})", error.span or span)


def title(cr: Object) -> str:
    """Return `App default/my-app`, as messages name a CR."""
    meta = cr["metadata"]
    name = "/".join(filter(None, (meta.get("namespace"), meta["name"])))
    return f"{cr.get('kind', 'object')} {name}"

"""Where the compiler writes down what it finds; it never stops at the first fault."""

from __future__ import annotations

from ork.base.findings import Finding, Related, Severity, Span


class Findings:
    """A growing list of findings. `path` is the place in the document, as `spec.crds.app.operatorBox`."""

    def __init__(self, items: list[Finding] | None = None) -> None:
        self.items: list[Finding] = [] if items is None else items

    def error(
        self, code: str, span: Span, message: str, hint: str = "", *, path: str = "", related: tuple[Related, ...] = ()
    ) -> None:
        """Add what makes the document useless."""
        self.items.append(Finding(code, Severity.ERROR, span, message, hint, path, related))

    def warning(
        self, code: str, span: Span, message: str, hint: str = "", *, path: str = "", related: tuple[Related, ...] = ()
    ) -> None:
        """Add what is probably not meant."""
        self.items.append(Finding(code, Severity.WARNING, span, message, hint, path, related))

    def info(self, code: str, span: Span, message: str, hint: str = "", *, path: str = "") -> None:
        """Add what is worth knowing."""
        self.items.append(Finding(code, Severity.INFO, span, message, hint, path))

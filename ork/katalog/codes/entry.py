"""What is written down about one code."""

from __future__ import annotations

from ork.base.findings import Severity
from ork.base.records import NamedTuple


class Code(NamedTuple):
    """One finding code."""

    code: str
    """`ORK0101`; it never changes its meaning."""
    title: str
    severity: Severity
    """How it is usually reported."""
    meaning: str
    """Two or three sentences: what is wrong, why it matters, what to do."""
    bad: str
    """YAML that gets this code."""
    good: str
    """The same, right."""


def error(code: str, title: str, meaning: str, bad: str, good: str) -> Code:
    """Return a code that is reported as an error."""
    return Code(code, title, Severity.ERROR, meaning, bad, good)


def warning(code: str, title: str, meaning: str, bad: str, good: str) -> Code:
    """Return a code that is reported as a warning."""
    return Code(code, title, Severity.WARNING, meaning, bad, good)


def info(code: str, title: str, meaning: str, bad: str, good: str) -> Code:
    """Return a code that is reported as a notice."""
    return Code(code, title, Severity.INFO, meaning, bad, good)

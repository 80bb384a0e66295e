"""What is said of functions that people know from elsewhere (language, section 4)."""

from __future__ import annotations

from ork.expr.elsewhere import ELSEWHERE
from ork.expr.notes import functions

ACTIONS = {"range", "template"}


def test_what_is_meant_is_there_and_what_is_known_elsewhere_is_not() -> None:
    assert set(ELSEWHERE.values()) <= functions().keys() | ACTIONS
    assert not ELSEWHERE.keys() & functions().keys()

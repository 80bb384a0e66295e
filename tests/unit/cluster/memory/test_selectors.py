"""Selectors of labels and fields, as texts."""

from __future__ import annotations

import pytest

from ork.cluster.memory import selectors
from ork.cluster.memory.selectors import SelectorError

LABELS = {"app": "web", "tier": "front", "n": "5", "empty": "", "a.b/c": "x"}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("", True),
        ("  ", True),
        ("app=web", True),
        ("app==web", True),
        ("app = web , tier = front", True),
        ("app=db", False),
        ("app!=db", True),
        ("none!=db", True),
        ("app", True),
        ("none", False),
        ("!none", True),
        ("! app", False),
        ("app in (db, web)", True),
        ("app in (db)", False),
        ("app notin (db)", True),
        ("none notin (db)", True),
        ("none in (db)", False),
        ("empty=", True),
        ("empty in ()", True),
        ("empty in (,x)", True),
        ("n>4", True),
        ("n > 5", False),
        ("n<6", True),
        ("app>1", False),
        ("none>1", False),
        ("a.b/c=x", True),
        ("app=web,none", False),
    ],
)
def test_a_text_selects(text: str, holds: bool) -> None:
    assert selectors.parse_labels(text)(LABELS) is holds


@pytest.mark.parametrize(
    "text",
    [
        ",",
        "=a",
        "a=b=c",
        "a in b",
        "a in (b",
        "a in",
        "a b",
        "!",
        "a=!",
        "a>x",
        "a=b,",
        "-a=b",
        "a=-",
        "a in (-)",
        "a=b)",
    ],
)
def test_a_text_that_is_no_selector_is_refused(text: str) -> None:
    with pytest.raises(SelectorError, match="unable to parse requirement"):
        selectors.parse_labels(text)


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("", []),
        ("metadata.name=web", [("metadata.name", "web", True)]),
        ("a==b,c!=d", [("a", "b", True), ("c", "d", False)]),
        (r"a=x\,y\=z\\", [("a", r"x,y=z" + "\\", True)]),
        ("a=", [("a", "", True)]),
    ],
)
def test_a_field_selector_is_a_list_of_comparisons(text: str, tests: list[selectors.FieldTest]) -> None:
    assert selectors.parse_fields(text) == tests


@pytest.mark.parametrize("text", ["a", "a=b=c", "a=\\x"])
def test_a_field_selector_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(SelectorError, match="invalid"):
        selectors.parse_fields(text)

"""Kubernetes objects out of YAML: keys as `kubectl` reads them. Files of objects are in test_simulate_documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ork.katalog.collect import Findings
from ork.katalog.objects import to_object


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on: 1", {"true": 1}),
        ("no: 1", {"false": 1}),
        ("'on': 1", {"on": 1}),
        ("1: x", {"1": "x"}),
        ("0x10: x", {"16": "x"}),
        ("1.5: x", {"1.5": "x"}),
        ("9:05: x", {"9:05": "x"}),
        ("a: {yes: [{off: 1}]}", {"a": {"true": [{"false": 1}]}}),
    ],
)
def test_keys_are_texts_as_json_has_them(read: Callable[..., Any], text: str, expected: Any) -> None:
    findings = Findings()
    assert to_object(read(text).roots[0], findings) == expected
    assert findings.items == []


@pytest.mark.parametrize(
    ("text", "code"),
    [("~: 1", "ORK0006"), ("null: 1", "ORK0006"), ("on: 1\ntrue: 2", "ORK0003"), ("1: x\n0x1: y", "ORK0003")],
)
def test_keys_that_no_object_can_have_are_refused(read: Callable[..., Any], text: str, code: str) -> None:
    findings = Findings()
    to_object(read(text).roots[0], findings)
    assert [finding.code for finding in findings.items] == [code]

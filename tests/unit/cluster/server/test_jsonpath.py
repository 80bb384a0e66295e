"""The JSONPath of printer columns."""

from __future__ import annotations

from typing import Any

import pytest

from ork.cluster.server import jsonpath

DATA = {
    "spec": {"size": 3, "a.b": "dotted", "list": [1, 2, 3]},
    "conditions": [{"type": "Ready", "status": "True", "n": 1}, {"type": "Odd", "status": "False"}],
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (".spec.size", [3]),
        (".spec.none", []),
        (".spec.size.deeper", []),
        (".spec['a.b']", ["dotted"]),
        (r".spec.a\.b", ["dotted"]),
        (".spec.list[0]", [1]),
        (".spec.list[-1]", [3]),
        (".spec.list[9]", []),
        (".spec.list[*]", [1, 2, 3]),
        (".conditions[*].type", ["Ready", "Odd"]),
        ('.conditions[?(@.type=="Ready")].status', ["True"]),
        (".conditions[?(@.type=='Ready')].status", ["True"]),
        ('.conditions[?(@.type!="Ready")].status', ["False"]),
        (".conditions[?(@.n==1)].type", ["Ready"]),
        (".conditions[?(@.n)].type", ["Ready"]),
        ('.conditions[?(@.type=="None")].status', []),
        ("", [DATA]),
    ],
)
def test_a_path_leads_to_values(path: str, found: list[Any]) -> None:
    find = jsonpath.compile_path(path)
    assert find is not None
    assert find(DATA) == found


@pytest.mark.parametrize("path", ["spec", ".spec[", ".a[?(x)]", ".a..b[", ".spec.list[x]"])
def test_a_path_that_cannot_be_read_is_none(path: str) -> None:
    assert jsonpath.compile_path(path) is None

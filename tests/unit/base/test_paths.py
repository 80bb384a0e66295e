"""Paths into data: reading, and writing without changing what was there."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base import paths

DATA: dict[str, Any] = {"spec": {"image": "a", "none": None, "list": [1]}, "other": {"x": 1}}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *(((), DATA), (("spec", "image"), "a"), (("spec", "none"), None), (("spec", "none", "x"), None)),
        *((("spec", "image", "x"), None), (("spec", "list", "0"), None), (("nowhere", "x"), None)),
    ],
)
def test_a_path_leads_to_a_value_or_to_none(path: paths.Path, value: Any) -> None:
    assert paths.get(DATA, path) == value


def test_a_write_shares_what_it_does_not_touch() -> None:
    found = paths.put(DATA, ("spec", "image"), "b")
    assert found == {"spec": {"image": "b", "none": None, "list": [1]}, "other": {"x": 1}}
    assert found["other"] is DATA["other"]
    assert found["spec"]["list"] is DATA["spec"]["list"]
    assert DATA["spec"]["image"] == "a"


def test_a_write_makes_the_maps_on_its_way() -> None:
    assert paths.put({}, ("a", "b"), 1) == {"a": {"b": 1}}
    assert paths.put({"a": "text"}, ("a", "b"), 1) == {"a": {"b": 1}}
    assert paths.put(None, ("a",), 1) == {"a": 1}
    assert paths.put(DATA, (), 1) == 1


def test_what_is_taken_away_leaves_the_rest() -> None:
    found = paths.without(DATA, ("spec", "image"))
    assert found == {"spec": {"none": None, "list": [1]}, "other": {"x": 1}}
    assert found["other"] is DATA["other"]
    assert paths.without(DATA, ("other",)) == {"spec": DATA["spec"]}
    assert "image" in DATA["spec"]


@pytest.mark.parametrize("path", [(), ("nowhere",), ("spec", "nowhere"), ("spec", "image", "x"), ("spec", "list", "0")])
def test_taking_away_nothing_gives_the_very_same_data(path: paths.Path) -> None:
    assert paths.without(DATA, path) is DATA


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("spec", "regions"), "spec.regions"),
        (("metadata", "labels", "app.kubernetes.io/name"), 'metadata.labels["app.kubernetes.io/name"]'),
        (("0", "a"), '["0"].a'),
        (("a-b", "_c"), "a-b._c"),
        (("a\n",), '["a\n"]'),
    ],
)
def test_a_path_is_written_with_dots_and_quotes(path: paths.Path, text: str) -> None:
    assert paths.text(path) == text

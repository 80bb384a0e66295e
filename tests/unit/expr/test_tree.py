"""Trees whose leaves are expressions: what is rendered, left out, shared."""

from __future__ import annotations

from typing import Any

import pytest

from ork.expr.env import Env, Place, Scope
from ork.expr.errors import EvaluationError
from ork.expr.template import MISSING
from ork.expr.tree import compile_tree, reads
from tests.unit.expr.evaluate import ENV, template

SCOPE: dict[str, Any] = {"metadata": {"name": "web"}, "spec": {"image": "nginx", "replicas": 3, "args": ["a"]}}


def value(text: str) -> Any:
    return template(text, Place.VALUE)


def test_leaves_are_rendered_in_place_and_keep_their_types() -> None:
    build = compile_tree(
        {
            "name": value("{{ .metadata.name }}-x"),
            "replicas": value("{{ .spec.replicas }}"),
            "containers": [{"image": value("{{ .spec.image }}"), "ports": [{"containerPort": 80}]}],
            "args": value("{{ .spec.args }}"),
            "literal": value("plain"),
            "number": 5,
        }
    )
    assert build(SCOPE, ENV) == {
        "name": "web-x",
        "replicas": 3,
        "containers": [{"image": "nginx", "ports": [{"containerPort": 80}]}],
        "args": ["a"],
        "literal": "plain",
        "number": 5,
    }


def test_keys_stay_in_their_order() -> None:
    build = compile_tree({"c": value("{{ .metadata.name }}"), "a": 1, "b": value("{{ .spec.none }}"), "d": 2})
    assert list(build(SCOPE, ENV)) == ["c", "a", "d"]


def test_a_missing_value_leaves_its_key_or_item_out() -> None:
    build = compile_tree(
        {"a": value("{{ .spec.none }}"), "b": [value("{{ .spec.none }}"), 1, value("{{ .spec.image }}")]}
    )
    assert build(SCOPE, ENV) == {"b": [1, "nginx"]}
    assert compile_tree({"a": {"b": value("{{ .none }}")}})(SCOPE, ENV) == {"a": {}}
    assert compile_tree(value("{{ .none }}"))(SCOPE, ENV) is MISSING


def test_what_is_constant_is_shared_and_what_is_not_is_new() -> None:
    build = compile_tree({"a": {"x": [1]}, "b": {"y": value("{{ .spec.image }}"), "z": {"w": 1}}})
    one, two = build(SCOPE, ENV), build(SCOPE, ENV)
    assert one == two
    assert one["a"] is two["a"]
    assert one["b"]["z"] is two["b"]["z"]
    assert one["b"] is not two["b"]
    assert compile_tree({"a": 1})(SCOPE, ENV) is not None


@pytest.mark.parametrize("tree", [{}, [], 5, "text", None, {"a": [{"b": None}]}, True])
def test_a_tree_without_expressions_is_itself(tree: Any) -> None:
    build = compile_tree(tree)
    assert build(SCOPE, ENV) == tree
    assert build(SCOPE, ENV) is build({}, ENV)


def test_other_callables_are_leaves_too() -> None:
    class Leaf:
        reads = frozenset({("spec", "x")})

        def __call__(self, scope: Scope, env: Env) -> Any:
            return scope["spec"]["replicas"] * 2

    tree = {"a": Leaf(), "b": compile_tree({"c": value("{{ .spec.image }}")}), "d": value("{{ .metadata.name }}")}
    assert compile_tree(tree)(SCOPE, ENV) == {"a": 6, "b": {"c": "nginx"}, "d": "web"}
    assert reads(tree) == {("spec", "x"), ("metadata", "name")}
    assert reads([1, {"a": "b"}]) == frozenset()


def test_an_error_in_a_leaf_is_the_trees_error() -> None:
    with pytest.raises(EvaluationError, match=r"\.spec\.image is a string"):
        compile_tree({"a": [value("{{ .spec.image.tag }}")]})(SCOPE, ENV)


def test_the_tree_that_was_compiled_is_not_changed() -> None:
    tree = {"a": value("{{ .none }}"), "b": [1]}
    compile_tree(tree)(SCOPE, ENV)["b"] = None
    assert list(tree) == ["a", "b"]
    assert compile_tree(tree)(SCOPE, ENV) == {"b": [1]}

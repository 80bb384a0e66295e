"""Python's syntax as `ast` nodes that stand somewhere in a template."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypedDict

LOAD, STORE, DELETE = ast.Load(), ast.Store(), ast.Del()


class Place(TypedDict):
    """Where a node stands: its columns are offsets in the template."""

    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int


NOWHERE = Place(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)


class At:
    """Makes `ast` nodes that stand at one stretch of the template."""

    def __init__(self, start: int = 0, end: int = 0) -> None:
        self.place = Place(lineno=1, col_offset=start, end_lineno=1, end_col_offset=max(start, end))

    @classmethod
    def of(cls, node: Any) -> At:
        """Stand where a node of the template stands."""
        return cls(node.start, node.end)

    def name(self, name: str) -> ast.Name:
        return ast.Name(name, LOAD, **self.place)

    def constant(self, value: Any) -> ast.Constant:
        return ast.Constant(value, **self.place)

    def call(self, function: str, *args: ast.expr) -> ast.Call:
        return ast.Call(local(function), list(args), [], **self.place)

    def subscript(self, value: ast.expr, key: Any) -> ast.Subscript:
        return ast.Subscript(value, safe(key), LOAD, **self.place)

    def kept(self, name: str, value: ast.expr) -> ast.NamedExpr:
        """`(name := value)`"""
        return ast.NamedExpr(ast.Name(name, STORE, **NOWHERE), value, **self.place)

    def is_a(self, kind: ast.expr, value: ast.expr) -> ast.Compare:
        """`value.__class__ is kind`"""
        return self.compare(ast.Attribute(value, "__class__", LOAD, **self.place), IS, kind)

    def compare(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.Compare:
        return ast.Compare(left, [operator], [right], **self.place)

    def either(self, test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.IfExp:
        return ast.IfExp(test, yes, no, **self.place)

    def store(self, name: str, value: ast.expr) -> ast.Assign:
        return ast.Assign([ast.Name(name, STORE, **self.place)], value, **self.place)

    def evaluate(self, value: ast.expr) -> ast.Expr:
        return ast.Expr(value, **self.place)

    def give(self, value: ast.expr) -> ast.Return:
        return ast.Return(value, **self.place)

    def when(self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt] = ()) -> ast.If:
        return ast.If(test, list(body) or [ast.Pass(**self.place)], list(orelse), **self.place)

    def function(self, name: str, parameters: Iterable[str], body: Sequence[ast.stmt]) -> ast.FunctionDef:
        arguments = ast.arguments(
            posonlyargs=[],
            args=[ast.arg(parameter, **self.place) for parameter in parameters],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        )
        return ast.FunctionDef(name, arguments, list(body), [], **self.place)


@lru_cache(1024, typed=True)
def safe(value: Any) -> ast.Constant:
    """Return a node for a constant. What cannot fail needs no place, so that one node serves everywhere."""
    return ast.Constant(value, **NOWHERE)


@lru_cache(1024, typed=True)
def local(name: str) -> ast.Name:
    """Return a node for a name that surely has a value."""
    return ast.Name(name, LOAD, **NOWHERE)


HERE = At()
"""For what stands nowhere in the template."""
IS, STR, LIST, X = ast.Is(), local("str"), local("list"), local("x")

"""Leaves of a resource's tree that do a little more than one template: labels of pods, coercion, encoding, merging."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from ork.base.objects import Object
from ork.expr.compare import plain
from ork.expr.env import Env, Place, Scope
from ork.expr.errors import EvaluationError, MissingError
from ork.expr.template import MISSING, Reads, Template
from ork.katalog.resources.shapes import merge
from ork.labels import pod_labels
from ork.openapi.coercion import coerce
from ork.openapi.schema import type_of

Render = Callable[[Scope, Env], Any]


class PodLabels:
    """The labels by which a workload selects its pods (`ork.program.pod_labels`), and by which a Service finds them."""

    def __init__(self, name: Template) -> None:
        self._name = name
        self.reads: Reads = name.reads | {("metadata", "name")}

    def __call__(self, scope: Scope, env: Env) -> Any:
        """Render them for one CR."""
        return pod_labels(self._name(scope, env), scope["metadata"]["name"])


class Leaf:
    """A template whose value takes the type of its destination.

    A `demanded` one may not be left out where its path is missing: no schema says that the path is an optional field
    (language, section 4.3). In a status an empty text is no value yet, whatever the field's type.
    """

    def __init__(self, template: Template, schema: Object, field: str, demanded: bool = False) -> None:
        self._template, self._schema, self._field, self._demanded = template, schema, field, demanded
        self._fits = _FITS.get(type_of(schema)) if "format" not in schema else None
        self.reads = template.reads

    def __call__(self, scope: Scope, env: Env) -> Any:
        """Render and coerce. Raises EvaluationError that names field, value and type."""
        template = self._template
        value = template(scope, env)
        if value.__class__ is self._fits:
            return value
        if value is MISSING:
            if self._demanded:
                raise self._missing()
            return value
        if value == "" and template.place is Place.STATUS:
            return value
        try:
            return coerce(self._schema, value)
        except ValueError as error:
            message = f"`{self._field}`: {error}"
            raise EvaluationError(message, 0, len(template.text), template.where) from error

    def _missing(self) -> MissingError:
        """An apply without the field would reset it, so nothing is left out on a guess."""
        text = self._template.text
        message = f"{text} gives nothing for `{self._field}`; write `default` to say what holds then"
        return MissingError(text, 0, len(text), self._template.where, message)


_FITS = {"string": str, "boolean": bool}
"""Values of these classes need no coercion, whatever they are."""


class Encoded:
    """A Secret's value: base64 of what a template renders."""

    def __init__(self, inner: Any) -> None:
        self._inner: Render = inner
        self.reads: Reads = inner.reads

    def __call__(self, scope: Scope, env: Env) -> Any:
        """Render and encode."""
        value = self._inner(scope, env)
        return value if value is MISSING else encode(plain(value))


class Switched:
    """A constant where a template says true, nothing where it does not."""

    def __init__(self, condition: Template, value: Any) -> None:
        self._condition, self._value, self.reads = condition, value, condition.reads

    def __call__(self, scope: Scope, env: Env) -> Any:
        """Return the constant or `MISSING`."""
        return self._value if plain(self._condition(scope, env)) == "true" else MISSING


class Layer:
    """Maps laid over each other."""

    def __init__(self, maps: tuple[Render, ...]) -> None:
        self._maps = maps
        self.reads: Reads = frozenset()

    def __call__(self, scope: Scope, env: Env) -> Any:
        """Render them all; the later win."""
        made: dict[str, Any] = {}
        for render in self._maps:
            made |= render(scope, env)
        return made


class Join:
    """Two lists, merged by the keys of their elements once these are known."""

    def __init__(self, under: Render, over: Render, schema: Object) -> None:
        self._under, self._over, self._schema = under, over, schema
        self.reads: Reads = frozenset()

    def __call__(self, scope: Scope, env: Env) -> Any:
        """Render both and merge."""
        return merge(self._under(scope, env), self._over(scope, env), self._schema)


def encode(text: str) -> str:
    """Return the base64 form in which a Secret's `data` carries a text."""
    return base64.b64encode(text.encode()).decode()

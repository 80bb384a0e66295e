"""A CRD's schema, compiled once: defaults, pruning and validation as an API server does them.

Every method returns the object that it was handed where nothing changes, and otherwise a new one that shares all
unchanged parts. CEL rules (`x-kubernetes-validations`) are accepted in a schema and are not run.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ork.base.objects import Object
from ork.openapi.causes import NOWHERE, Cause, Judge, invalid
from ork.openapi.defaulting import Fill, compile_default
from ork.openapi.embedded import compile_embedded, compile_malformed
from ork.openapi.lists import compile_unique
from ork.openapi.memo import Memo
from ork.openapi.pruning import Prune, compile_prune, dropped_fields
from ork.openapi.scale import spec_causes, status_causes
from ork.openapi.schema import EMBEDDED, RULES, parts
from ork.openapi.validation import ABSENT, Check, compile_check


class Structural:
    """One compiled schema; each of its closures is built at its first use. Make it with `compile`."""

    def __init__(self, schema: Object) -> None:
        self.schema = schema
        self._memo = Memo()

    @cached_property
    def _default(self) -> Fill:
        return self._memo.compiled(self.schema, compile_default)

    @cached_property
    def _prune(self) -> Prune:
        return self._memo.compiled(self.schema, compile_prune)

    @cached_property
    def _check(self) -> Check:
        return self._memo.compiled(self.schema, compile_check)

    @cached_property
    def _unique(self) -> Judge | None:
        return self._memo.compiled(self.schema, compile_unique)

    @cached_property
    def _embedded(self) -> Judge | None:
        inside = {**self.schema, EMBEDDED: False}
        return self._memo.compiled(inside, compile_embedded)

    @cached_property
    def _malformed(self) -> Judge | None:
        inside = {**self.schema, EMBEDDED: False}
        return self._memo.compiled(inside, compile_malformed)

    def malformed(self, value: Any) -> list[Cause]:
        """Return why the objects embedded in the value cannot even be read: their metadata is none."""
        causes: list[Cause] = []
        if self._malformed:
            self._malformed(value, "", causes)
        return causes

    def default(self, value: Any) -> Any:
        """Return the value with its defaults; nulls where none may be are replaced, or dropped."""
        return self._default(value)

    def prune(self, value: Any) -> Any:
        """Return the value without the fields that the schema does not declare."""
        return self._prune(value)

    def unknown(self, value: Any) -> list[str]:
        """Return the paths of the fields that `prune` drops, sorted: `spec.bogus`, `spec.list[0].x`."""
        return dropped_fields(value, self._prune(value))

    def validate(self, value: Any, old: Any = ABSENT, field: str = "", scale: Object | None = None) -> list[Cause]:
        """Return why an API server refuses the value; nothing where it is valid.

        `old` is the stored value on an update: what did not change is not refused. `field` is put before the causes'
        fields (`status`, where the schema is that of the status alone). `scale` is the definition's subresource of
        that name, whose paths are looked at in a whole object.
        """
        causes: list[Cause] = []
        self._check(value, old, "", causes)
        if scale:
            causes += spec_causes(value, scale) + status_causes(value, scale)
        if self._embedded:
            self._embedded(value, "", causes)
        if self._unique and (old is ABSENT or not self._duplicates(old)):
            causes += self._duplicates(value)
        if not causes:
            return causes
        if self._has_rules and any(cause.reason in _BLOCKING for cause in causes):
            causes.append(_RULES_NOT_CHECKED)
        return [_below(field, cause) for cause in dict.fromkeys(causes)]

    @cached_property
    def _has_rules(self) -> bool:
        return _has_rules(self.schema)

    def _duplicates(self, value: Any) -> list[Cause]:
        causes: list[Cause] = []
        if self._unique:
            self._unique(value, "", causes)
        return causes


def _below(field: str, cause: Cause) -> Cause:
    if not field or cause is _RULES_NOT_CHECKED:
        return cause
    return cause._replace(field=f"{field}.{cause.field}" if cause.field not in ("", NOWHERE) else field)


_BLOCKING = {f"FieldValue{what}" for what in ("NotSupported", "Required", "TooLong", "TooMany", "TypeInvalid")}
_RULES_NOT_CHECKED = invalid(
    NOWHERE,
    None,
    "some validation rules were not checked because the object was invalid; "
    "correct the existing errors to complete validation",
)
"""What an API server adds where a schema has CEL rules, and the object is too wrong to run them."""


def _has_rules(schema: Object) -> bool:
    return bool(schema.get(RULES)) or any(map(_has_rules, parts(schema)))


def compile(schema: Object) -> Structural:
    """Return the compiled schema of a whole object: `apiVersion`, `kind` and `metadata` are always kept as they are."""
    return Structural({**schema, EMBEDDED: True})


def compile_part(schema: Object) -> Structural:
    """Return the compiled schema of a part of an object, such as its `status`."""
    return Structural(schema)

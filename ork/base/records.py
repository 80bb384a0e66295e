"""`NamedTuple`, made quickly: the class of `typing` takes longer to make than all that a small command does with it.

A hundred and fifty records cost `typing` a sixth of the time of `ork validate`, for annotations that are compiled and
never evaluated, and for a constructor compiled for each class. Here that of each number of fields is compiled once.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from functools import cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    _LONGEST = 40
    _PLACES = [f"f{index}" for index in range(_LONGEST)]
    _GETTERS = [*map(vars(namedtuple("Places", _PLACES)).get, _PLACES)]
    """What reads an element by its place; they serve every class alike."""

    @cache
    def _template(length: int) -> CodeType:
        names = "".join(f"{place}, " for place in _PLACES[:length])
        return eval(f"lambda _cls, {names}: _new(_cls, ({names}))").__code__

    def _constructor(name: str, fields: tuple[str, ...], defaults: Iterable[Any]) -> FunctionType:
        code = _template(len(fields)).replace(co_varnames=("_cls", *fields), co_qualname=f"{name}.__new__")
        return FunctionType(code, {"_new": tuple.__new__}, "__new__", tuple(defaults))

    def _make(cls, values):
        return tuple.__new__(cls, values)

    def _replace(self, /, **changes):
        changed = tuple.__new__(type(self), map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)!r}")
        return changed

    def _asdict(self):
        return dict(zip(self._fields, self, strict=True))

    def _values(self):
        return tuple(self)

    def _repr(self):
        parts = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({parts})"

    _SHARED: dict[str, Any] = {
        "__slots__": (),
        "_make": classmethod(_make),
        "_replace": _replace,
        "_asdict": _asdict,
        "__repr__": _repr,
        "__getnewargs__": _values,
    }

    class _Meta(type):
        def __new__(meta, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(meta, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            made = {"_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            getters = dict(zip(fields, _GETTERS[: len(fields)], strict=True))
            constructor = _constructor(name, fields, defaults.values())
            return type(name, (tuple,), {**_SHARED, **getters, **body, **made, "__new__": constructor})

    class NamedTuple(metaclass=_Meta):
        """A tuple with names for its elements, as `typing.NamedTuple` makes them."""


__all__ = ["NamedTuple"]

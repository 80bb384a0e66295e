"""What a schema says of the paths that expressions read (language, section 4.6)."""

from __future__ import annotations

from ork.base import paths
from ork.base.objects import Object
from ork.base.paths import Path
from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.katalog.scope import ALWAYS_SET
from ork.openapi import schema as openapi

UNTYPED: Object = {"properties": {"spec": openapi.ANY, "status": openapi.ANY}}
"""The schema of a CR of which only the kind is known."""

_SCALARS = frozenset(("string", "integer", "number", "boolean", "int-or-string"))


class Found(NamedTuple):
    """What is known of a path."""

    schema: Object
    """`openapi.ANY` where nothing is known."""
    declared: bool
    """A schema says that the path exists."""
    certain: bool
    """It is always set: every step is required."""
    failed: int = -1
    """The step that leads nowhere; -1 where all lead on."""

    @property
    def type(self) -> str:
        """`string integer number boolean object array`, `int-or-string` or `any`."""
        return openapi.type_of(self.schema)


UNKNOWN = Found(openapi.ANY, False, False)


class Types:
    """The schema of one kind's objects, asked by path; answers are remembered."""

    def __init__(self, root: Object, kind: str) -> None:
        self.root, self.kind = openapi.complete(root), kind
        self._found: dict[Path, Found] = {}

    def look(self, path: Path) -> Found:
        """Return what the schema says of a path from the object's root."""
        found = self._found.get(path)
        if found is None:
            found = self._found[path] = self._walk(path)
        return found

    def _walk(self, path: Path) -> Found:
        schema, declared, certain = self.root, True, True
        for index, step in enumerate(path):
            further = openapi.child(schema, step)
            if further is None:
                return Found(schema, False, False, index)
            certain = certain and (step in openapi.required(schema) or path[: index + 1] in ALWAYS_SET)
            declared = declared and further is not openapi.ANY
            schema = further
        return Found(schema, declared, certain)

    def fault(self, path: Path, found: Found) -> tuple[str, str, str]:
        """Return code, message and hint for a path that leads nowhere."""
        before, step = path[: found.failed], path[found.failed]
        where = f".{_written(before)}" if before else f"a {self.kind}"
        kind = openapi.type_of(found.schema)
        if kind in _SCALARS:
            return "ORK0305", f"`{where}` is {_NOUNS[kind]}: there is no `.{step}` in it", ""
        if kind == "array":
            return "ORK0305", f"`{where}` is a list: there is no `.{step}` in it", f"`index {where} 0`, or `range`"
        known = openapi.names(found.schema)
        hint = did_you_mean(step, known) or (f"it has {', '.join(known)}" if 0 < len(known) <= 12 else "")
        return "ORK0304", f"`.{_written(path[: found.failed + 1])}` is not in the schema of {self.kind}", hint

    def inside(self, root: str, name: str) -> bool:
        """Tell whether a root of the object has a field of that name."""
        found = self.root["properties"].get(root) or {}
        return name in (found.get("properties") or {})


def _written(path: Path) -> str:
    """Return a path, with any element of a list as `[*]`."""
    return paths.text(path).replace('["*"]', "[*]")


_NOUNS = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean",
    "int-or-string": "an integer or string",
}

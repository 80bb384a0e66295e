"""Notes on how a CR came in: the gateway stamps an annotation for the target, the alias and the source."""

from __future__ import annotations

from typing import Any

from ork.expr.notes import objects
from ork.expr.notes.note import Example, note, text
from ork.labels import PREFIX

_PREFIX = PREFIX + "serve-"
_SERVED = {"metadata": {"annotations": {f"{_PREFIX}target": "regional", f"{_PREFIX}source": "github"}}}


def _stamp(value: Any, mark: str) -> str:
    return text(objects.map_at(value, "metadata.annotations").get(_PREFIX + mark))


def _get(name: str, mark: str, result: str) -> Any:
    return note(
        f"{name} CR",
        lambda value: _stamp(value, mark),
        f"The {mark} through which the CR was served; empty where there is none.",
        Example(f"{{{{ {name} . }}}}", _SERVED, result),
    )


def _has(name: str, mark: str, result: bool) -> Any:
    return note(
        f"{name} CR",
        lambda value: _stamp(value, mark) != "",
        f"Whether the CR was served with a named {mark}.",
        Example(f"{{{{ {name} . }}}}", _SERVED, result),
    )


NOTES = (
    _get("getServeTarget", "target", "regional"),
    _get("getServeAlias", "alias", ""),
    _get("getServeSource", "source", "github"),
    _has("hasServeTarget", "target", True),
    _has("hasServeAlias", "alias", False),
    _has("hasServeSource", "source", True),
    note(
        "isDirectApply CR",
        lambda value: not _stamp(value, "target"),
        "Whether the CR did not come through the gateway.",
        Example("{{ isDirectApply . }}", {"metadata": {"name": "my-app"}}, True),
    ),
)

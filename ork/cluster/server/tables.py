"""Lists and objects as tables of printed columns, as `kubectl get` shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.cluster.memory import status
from ork.cluster.memory.custom import Custom
from ork.cluster.memory.resource import Resource
from ork.cluster.server import cells, jsonpath, printing

_INCLUDES = ("", "Metadata", "Object", "None")


class View(NamedTuple):
    """How a table shows its objects."""

    now: datetime
    """The moment that ages are counted to."""
    include: str = ""
    """`includeObject`: what a row has besides its cells."""
    version: str = "v1"
    """The version of `meta.k8s.io`."""


def table(resource: Resource, objects: Iterable[Object], meta: Object, view: View) -> Object:
    """Return objects as a Table. Raises ApiError (400) for a bad `includeObject`."""
    return _made(columns(resource), readers(resource), objects, meta, view)


def of_scale(shown: Object, custom: bool, view: View) -> Object:
    """Return a Scale as a Table. Raises ApiError (400) for a bad `includeObject`."""
    name, age, (wanted, there) = _name_column(), _age_column(), _SCALE_TEXTS[custom]
    definitions = [
        {**name, "format": name["format"] if custom else ""},
        {"name": "Desired", "type": "integer", "format": "", "description": wanted, "priority": 0},
        {"name": "Available", "type": "integer", "format": "", "description": there, "priority": 0},
        {**age, "type": age["type"] if custom else "string"},
    ]
    row = (_name, cells.count("spec.replicas"), cells.count("status.replicas"), cells.created)
    meta = {"resourceVersion": shown["metadata"]["resourceVersion"]}
    return _made(definitions, row, [shown], meta, view)


_SCALE_TEXTS = {
    False: (
        "replicas is the desired number of instances for the scaled object.",
        "replicas is the actual number of observed instances of the scaled object.",
    ),
    True: ("Number of desired replicas", "Number of actual replicas"),
}
"""What the columns of a Scale mean, in the words of Kubernetes' own resources and of custom ones."""


def _made(
    definitions: list[Object], row: Sequence[cells.Cell], objects: Iterable[Object], meta: Object, view: View
) -> Object:
    check_include(view.include)
    return {
        "kind": "Table",
        "apiVersion": f"meta.k8s.io/{view.version}",
        "metadata": meta,
        "columnDefinitions": definitions,
        "rows": [
            {"cells": [read(obj, view.now) for read in row], "object": _included(obj, view.include, view.version)}
            for obj in objects
        ],
    }


def check_include(include: str) -> None:
    """Refuse an `includeObject` that is none. Raises ApiError."""
    if include not in _INCLUDES:
        text = f"includeObject: Invalid value: \"{include}\": must be 'Metadata', 'Object', 'None', or empty"
        raise status.bad_request(f"Unable to convert to Table as requested: {text}")


def _included(obj: Object, include: str, version: str) -> Object | None:
    if include == "None":
        return None
    return obj if include == "Object" else partial(obj, version)


def partial(obj: Object, version: str = "v1") -> Object:
    """Return an object's metadata alone."""
    return {"kind": "PartialObjectMetadata", "apiVersion": f"meta.k8s.io/{version}", "metadata": obj["metadata"]}


# ── columns ─────────────────────────────────────────────────────────────────────────────────────
def columns(resource: Resource) -> list[Object]:
    """Return the column definitions of a resource."""
    return _custom_columns(resource) if isinstance(resource, Custom) else _builtin_columns(resource)


@cache
def _shipped() -> Mapping[str, list[Object]]:
    import json

    from ork.base import shipped

    data = json.loads((shipped.folder("schemas") / "kubernetes" / "columns.json").read_bytes())
    keys = ("name", "type", "format", "priority", "description")
    return {
        kind: [dict(zip(keys, (*row[:4], data["texts"][row[4]]), strict=True)) for row in rows]
        for kind, rows in data["columns"].items()
    }


def _builtin_columns(resource: Resource) -> list[Object]:
    if resource.table not in printing.CELLS:
        return [_name_column(), _age_column()]
    return _shipped()[f"{resource.kind.api_version}/{resource.kind.kind}"]


def _name_column() -> Object:
    return _shipped()["v1/ConfigMap"][0]


def _age_column() -> Object:
    return {**_shipped()["v1/ConfigMap"][-1], "type": "date"}


def _custom_columns(resource: Custom) -> list[Object]:
    return [_name_column(), *(_custom_column(row) for row in _printed(resource))]


def _printed(resource: Custom) -> list[Object]:
    found: list[Object] | None = resource.definition.get("additionalPrinterColumns")
    age = {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}
    return found or [{**age, "description": _age_column()["description"]}]


def _custom_column(row: Object) -> Object:
    text = row.get("description")
    if text is None:
        text = f"Custom resource definition column (in JSONPath format): {row['jsonPath']}"
    return {
        "name": row["name"],
        "type": row["type"],
        "format": row.get("format", ""),
        "description": text,
        "priority": row.get("priority", 0),
    }


# ── cells ───────────────────────────────────────────────────────────────────────────────────────
def readers(resource: Resource) -> Sequence[cells.Cell]:
    """Return what reads the cells of an object, column by column."""
    if isinstance(resource, Custom):
        return [_name, *(_custom_cell(row) for row in _printed(resource))]
    found = printing.CELLS.get(resource.table, (cells.created,))
    return found if resource.table in printing.NAMELESS else (_name, *found)


def _name(obj: Object, _now: datetime) -> str:
    name: str = obj["metadata"].get("name", "")
    return name


def _custom_cell(row: Object) -> Callable[[Object, datetime], Any]:
    find, kind = jsonpath.compile_path(row["jsonPath"]), row["type"]

    def read(obj: Object, now: datetime) -> Any:
        found = find(obj) if find else []
        return _custom_value(kind, found[0], now) if found else None

    return read


def _custom_value(kind: str, value: Any, now: datetime) -> Any:
    if value is None:
        return "<no value>" if kind == "string" else None
    if kind == "string":
        return cells.go_text(value)
    if kind == "date":
        return cells.age(value, now) if isinstance(value, str) else None
    accepted = {"integer": (int, float), "number": (int, float), "boolean": (bool,)}[kind]
    if not isinstance(value, accepted) or (kind != "boolean" and isinstance(value, bool)):
        return None
    return int(value) if kind == "integer" else value

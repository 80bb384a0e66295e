"""Tables: the columns of a kind, the cells of an object, ages as kubectl shows them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ork.base.objects import Kind, Object
from ork.cluster.memory.store import Store
from ork.cluster.server import cells, tables
from tests.unit.cluster.world import (
    CONFIG_MAP,
    CRD,
    DEPLOYMENT,
    POD,
    SERVICE,
    WIDGET,
    config_map,
    deployment,
    made,
    new_store,
    widget,
    with_widgets,
)

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
BORN = "2026-01-05T10:00:00Z"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "<invalid>"),
        (-0.5, "0s"),
        (0, "0s"),
        (119, "119s"),
        (120, "2m"),
        (125, "2m5s"),
        (599, "9m59s"),
        (600, "10m"),
        (3 * 3600 - 1, "179m"),
        (3 * 3600, "3h"),
        (3 * 3600 + 60, "3h1m"),
        (8 * 3600, "8h"),
        (47 * 3600, "47h"),
        (48 * 3600, "2d"),
        (50 * 3600, "2d2h"),
        (8 * 86400, "8d"),
        (729 * 86400, "729d"),
        (731 * 86400, "2y1d"),
        (9 * 365 * 86400, "9y"),
    ],
)
def test_a_length_of_time_has_one_or_two_units(seconds: float, text: str) -> None:
    assert cells.human(seconds) == text


@pytest.mark.parametrize(
    ("moment", "text"), [(None, "<unknown>"), ("", "<unknown>"), ("soon", "<invalid>"), (BORN, "120m")]
)
def test_an_age_counts_from_a_moment(moment: str | None, text: str) -> None:
    assert cells.age(moment, NOW) == text


def shown(store: Store, kind: Kind, obj: Object) -> tuple[list[str], list[Any]]:
    """Return the names of the columns and the cells of one object, two hours after it was made."""
    stored = store.create(kind, "default" if kind.namespaced else "", obj).obj
    table = tables.table(store.resource(kind), [stored], {}, tables.View(NOW))
    return [row["name"] for row in table["columnDefinitions"]], table["rows"][0]["cells"]


def container(**more: Any) -> Object:
    return {"name": "main", "image": "web:1", **more}


@pytest.mark.parametrize(
    ("kind", "obj", "row"),
    [
        (CONFIG_MAP, config_map("a", data={"x": "1", "y": "2"}), ["a", 2, "120m"]),
        (DEPLOYMENT, deployment(replicas=3), ["web", "0/3", 0, 0, "120m", "main", "web:1", "app=web"]),
        (
            POD,
            made(POD, "a", {"spec": {"containers": [container()]}}),
            ["a", "0/1", "Pending", "0", "120m", "<none>", "<none>", "<none>", "<none>"],
        ),
        (
            SERVICE,
            made(SERVICE, "a", {"spec": {"clusterIP": "None", "ports": [{"port": 80}], "selector": {"a": "b"}}}),
            ["a", "ClusterIP", "None", "<none>", "80/TCP", "120m", "a=b"],
        ),
    ],
    ids=lambda value: value.kind if isinstance(value, Kind) else None,
)
def test_a_kind_has_its_columns(kind: Kind, obj: Object, row: list[Any]) -> None:
    names, found = shown(new_store(), kind, obj)
    assert found == row
    assert len(names) == len(found)


def test_a_definition_shows_when_it_was_made() -> None:
    store = with_widgets(new_store())
    stored = store.get(CRD, "", "widgets.demo.io")
    row = tables.table(store.resource(CRD), [stored], {}, tables.View(NOW))["rows"][0]["cells"]
    assert row == ["widgets.demo.io", "Namespaced", "v1(storage)", BORN, "demo.io", "Widget", "wd", True]


COLUMNS = [
    {"name": "Size", "type": "integer", "jsonPath": ".spec.size"},
    {"name": "Color", "type": "string", "jsonPath": ".spec.color", "priority": 1},
    {"name": "Part", "type": "string", "jsonPath": ".spec.parts[?(@.count==2)].name"},
    {"name": "Parts", "type": "string", "jsonPath": ".spec.parts"},
    {"name": "Since", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    {"name": "Odd", "type": "boolean", "jsonPath": ".spec.size"},
]


def test_a_definition_says_which_columns_its_objects_have() -> None:
    store = with_widgets(new_store(), additionalPrinterColumns=COLUMNS)
    parts = [{"name": "p", "count": 2}]
    names, row = shown(store, WIDGET, widget(spec={"color": "red", "parts": parts}))
    assert names == ["Name", "Size", "Color", "Part", "Parts", "Since", "Odd"]
    assert row == ["a", 1, "red", "p", '[{"count":2,"name":"p"}]', "120m", None]


def test_without_columns_an_object_shows_its_age() -> None:
    assert shown(with_widgets(new_store()), WIDGET, widget()) == (["Name", "Age"], ["a", "120m"])


@pytest.mark.parametrize(
    ("include", "kind"), [("", "PartialObjectMetadata"), ("Metadata", "PartialObjectMetadata"), ("Object", "ConfigMap")]
)
def test_a_row_holds_as_much_of_its_object_as_is_wanted(include: str, kind: str) -> None:
    store = new_store()
    stored = store.create(CONFIG_MAP, "default", config_map()).obj
    table = tables.table(store.resource(CONFIG_MAP), [stored], {}, tables.View(NOW, include))
    assert table["rows"][0]["object"]["kind"] == kind
    without = tables.table(store.resource(CONFIG_MAP), [stored], {}, tables.View(NOW, "None"))
    assert without["rows"][0]["object"] is None


def test_every_kind_has_as_many_cells_as_columns() -> None:
    store = new_store()
    for resource in store.catalogue.served():
        row = tables.columns(resource)
        readers = tables.readers(resource)
        assert len(row) == len(readers), resource.kind

"""Watches over HTTP: what a client sees first, what follows, and how it ends."""

from __future__ import annotations

import pytest

from ork.base.objects import Object
from tests.unit.cluster.server.client import Client
from tests.unit.cluster.world import CONFIG_MAP, config_map

MAPS = "/api/v1/namespaces/default/configmaps"
INITIAL = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
END = {"k8s.io/initial-events-end": "true"}


def told(events: list[Object]) -> list[tuple[str, str]]:
    return [(event["type"], event["object"]["metadata"].get("name", "")) for event in events]


def test_without_a_version_what_is_there_comes_first(client: Client) -> None:
    client.store.create(CONFIG_MAP, "default", config_map("a"))
    stream = client.watch(f"{MAPS}?watch=true")
    assert told(stream.poll()) == [("ADDED", "a")]
    client.store.delete(CONFIG_MAP, "default", "a")
    assert told(stream.poll()) == [("DELETED", "a")]
    assert stream.bookmark is None


def test_from_a_version_on_only_what_follows_comes(client: Client) -> None:
    client.store.create(CONFIG_MAP, "default", config_map("a"))
    stream = client.watch(f"{MAPS}?watch&resourceVersion={client.store.version}")
    client.store.create(CONFIG_MAP, "default", config_map("b"))
    assert told(stream.poll()) == [("ADDED", "b")]


def test_a_bookmark_ends_the_initial_events(client: Client) -> None:
    client.store.create(CONFIG_MAP, "default", config_map("a"))
    *events, last = client.watch(f"{MAPS}?watch=true&{INITIAL}").poll()
    assert told(events) == [("ADDED", "a")]
    assert last["type"] == "BOOKMARK"
    assert last["object"]["metadata"] == {"resourceVersion": client.store.version, "annotations": END}


def test_bookmarks_carry_the_version_that_was_reached(client: Client) -> None:
    stream = client.watch(f"{MAPS}?watch=true&allowWatchBookmarks=true&timeoutSeconds=7")
    client.store.create_namespace("elsewhere")
    assert stream.bookmark is not None
    assert stream.bookmark()["object"]["metadata"] == {"resourceVersion": client.store.version}
    assert stream.seconds == 7


def test_a_version_that_is_forgotten_is_an_error_event(client: Client) -> None:
    then = client.store.version
    client.store.create(CONFIG_MAP, "default", config_map("a"))
    client.store.state.history.compact()
    (event,) = client.watch(f"{MAPS}?watch=true&resourceVersion={then}").poll()
    assert (event["type"], event["object"]["code"], event["object"]["reason"]) == ("ERROR", 410, "Expired")


def test_a_table_names_its_columns_once(client: Client) -> None:
    accept = "application/json;as=Table;g=meta.k8s.io;v=v1"
    client.store.create(CONFIG_MAP, "default", config_map("a", data={"x": "1"}))
    stream = client.watch(f"{MAPS}?watch=true", accept=accept)
    client.store.create(CONFIG_MAP, "default", config_map("b"))
    first, second = (event["object"] for event in stream.poll())
    assert [row["name"] for row in first["columnDefinitions"]] == ["Name", "Data", "Age"]
    assert first["rows"][0]["cells"] == ["a", 1, "0s"]
    assert second["columnDefinitions"] is None
    assert second["rows"][0]["object"]["kind"] == "PartialObjectMetadata"


def test_metadata_alone_can_be_watched(client: Client) -> None:
    accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
    client.store.create(CONFIG_MAP, "default", config_map("a", data={"x": "1"}))
    (event,) = client.watch(f"{MAPS}?watch=true", accept=accept).poll()
    assert event["object"]["kind"] == "PartialObjectMetadata"
    assert "data" not in event["object"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("watch=true&resourceVersion=x", 500),
        ("watch=true&labelSelector==", 400),
        ("watch=true&sendInitialEvents=true", 422),
        ("watch=true&resourceVersionMatch=NotOlderThan", 422),
        ("watch=true&includeObject=odd", 400),
    ],
)
def test_a_watch_that_cannot_be_is_refused(client: Client, query: str, code: int) -> None:
    assert client.get(f"{MAPS}?{query}", accept="application/json;as=Table;g=meta.k8s.io;v=v1").code == code

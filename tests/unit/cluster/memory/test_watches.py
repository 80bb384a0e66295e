"""Watches: every change once and in order, seen through a selector; 410 for what is forgotten."""

from __future__ import annotations

import pytest

from ork.base.objects import Object
from ork.cluster.memory import reading
from ork.cluster.memory.reading import Event, Query
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from tests.unit.cluster.world import CONFIG_MAP, SERVICE, WIDGET, config_map, made, new_store, widget, with_widgets


def told(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.type, event.obj["metadata"]["name"]) for event in events]


def test_a_watch_tells_what_happens_once_and_in_order(store: Store) -> None:
    watch = store.watch(CONFIG_MAP)
    store.create(CONFIG_MAP, "default", config_map("a"))
    store.patch(CONFIG_MAP, "default", "a", {"data": {"x": "1"}})
    store.create(SERVICE, "default", made(SERVICE, "s", {"spec": {"ports": [{"port": 80}]}}))
    store.delete(CONFIG_MAP, "default", "a")
    events = watch.poll()
    assert told(events) == [("ADDED", "a"), ("MODIFIED", "a"), ("DELETED", "a")]
    assert events[1].obj["data"] == {"x": "1"}
    assert watch.poll() == []


def test_versions_rise_and_a_deletion_has_its_own(store: Store) -> None:
    watch = store.watch(CONFIG_MAP)
    store.create(CONFIG_MAP, "default", config_map("a"))
    store.delete(CONFIG_MAP, "default", "a")
    versions = [int(event.obj["metadata"]["resourceVersion"]) for event in watch.poll()]
    assert versions == [int(store.version) - 1, int(store.version)]


def test_a_watch_begins_behind_the_version_of_a_list(store: Store) -> None:
    store.create(CONFIG_MAP, "default", config_map("a"))
    listed = store.page(CONFIG_MAP, Query())
    store.create(CONFIG_MAP, "default", config_map("b"))
    assert told(store.watch(CONFIG_MAP, since=listed.version).poll()) == [("ADDED", "b")]
    assert store.watch(CONFIG_MAP).poll() == []


def test_a_write_that_changes_nothing_tells_nothing(store: Store) -> None:
    obj = store.create(CONFIG_MAP, "default", config_map("a", data={"x": "1"})).obj
    watch = store.watch(CONFIG_MAP)
    store.update(CONFIG_MAP, "default", "a", obj)
    store.patch(CONFIG_MAP, "default", "a", {"data": {"x": "1"}})
    assert watch.poll() == []


def test_a_namespace_narrows_a_watch(store: Store) -> None:
    store.create_namespace("default-2")
    watch = store.watch(CONFIG_MAP, Query("default"))
    store.create(CONFIG_MAP, "default-2", config_map("a", namespace="default-2"))
    store.create(CONFIG_MAP, "default", config_map("b"))
    assert told(watch.poll()) == [("ADDED", "b")]


@pytest.mark.parametrize(
    ("query", "steps"),
    [
        (Query(labels="tier=x"), [{"tier": "x"}, {"tier": "x", "more": "1"}, {"tier": "y"}, {"tier": "x"}]),
        (Query(fields="metadata.name=a,metadata.namespace=default", labels="tier in (x)"), [{"tier": "x"}]),
    ],
)
def test_what_comes_into_a_selector_is_added_and_what_leaves_it_deleted(
    store: Store, query: Query, steps: list[dict[str, str]]
) -> None:
    watch = store.watch(CONFIG_MAP, query)
    store.create(CONFIG_MAP, "default", config_map("a"))
    for labels in steps:
        store.patch(CONFIG_MAP, "default", "a", [{"op": "add", "path": "/metadata/labels", "value": labels}])
    wanted = ["ADDED", "MODIFIED", "DELETED", "ADDED"][: len(steps)]
    assert [event.type for event in watch.poll()] == wanted


def test_an_object_that_left_a_selector_is_shown_as_it_was_when_it_matched(store: Store) -> None:
    store.create(CONFIG_MAP, "default", config_map("a", labels={"tier": "x"}))
    watch = store.watch(CONFIG_MAP, Query(labels="tier=x"))
    store.patch(CONFIG_MAP, "default", "a", {"metadata": {"labels": {"tier": "y"}}})
    (event,) = watch.poll()
    assert event.obj["metadata"]["labels"] == {"tier": "x"}
    assert event.obj["metadata"]["resourceVersion"] == store.version


def test_watches_from_before_the_log_are_gone() -> None:
    store = new_store(remembered=5)
    old, watch = store.version, store.watch(CONFIG_MAP)
    for number in range(20):
        store.create(CONFIG_MAP, "default", config_map(f"a{number}"))
    for call in (lambda: store.watch(CONFIG_MAP, since=old), watch.poll):
        with pytest.raises(ApiError, match="too old resource version") as refused:
            call()
        assert (refused.value.code, refused.value.reason) == (410, "Expired")
    assert told(store.watch(CONFIG_MAP, since=str(int(store.version) - 1)).poll()) == [("ADDED", "a19")]


def test_a_compacted_log_keeps_what_is_and_forgets_how_it_came(store: Store) -> None:
    then = store.version
    store.create(CONFIG_MAP, "default", config_map("a"))
    store.state.history.compact()
    assert store.watch(CONFIG_MAP, since=store.version).poll() == []
    with pytest.raises(ApiError):
        store.watch(CONFIG_MAP, since=then)
    assert len(store.list(CONFIG_MAP, "default")) == 1


def test_initial_events_are_the_objects_that_are_there(store: Store) -> None:
    for name in ("b", "a"):
        store.create(CONFIG_MAP, "default", config_map(name))
    query = Query("default", labels="", fields="metadata.name!=none")
    events = [*reading.initial(store.state, store.resource(CONFIG_MAP), query)]
    assert told(events) == [("ADDED", "a"), ("ADDED", "b")]


def test_a_bookmark_has_only_a_version(store: Store) -> None:
    event = reading.bookmark(store.resource(CONFIG_MAP), "7", {"mark": "x"})
    wanted: Object = {
        "kind": "ConfigMap",
        "apiVersion": "v1",
        "metadata": {"resourceVersion": "7", "annotations": {"mark": "x"}},
    }
    assert event == Event("BOOKMARK", wanted)


def test_a_watch_shows_objects_in_its_own_version(store: Store) -> None:
    with_widgets(store)
    watch = store.watch(WIDGET)
    store.create(WIDGET, "default", widget())
    assert [event.obj["apiVersion"] for event in watch.poll()] == ["demo.io/v1"]

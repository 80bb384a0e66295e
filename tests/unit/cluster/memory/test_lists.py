"""Lists: order, selectors, pages over one snapshot, versions that have passed or not come yet."""

from __future__ import annotations

import pytest

from ork.base.objects import Kind, Object
from ork.cluster.memory.reading import Query
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from tests.unit.cluster.world import (
    CONFIG_MAP,
    NAMESPACE,
    POD,
    SERVICE,
    WIDGET,
    config_map,
    made,
    new_store,
    widget,
    with_widgets,
)


def names(objects: list[Object]) -> list[str]:
    return [obj["metadata"]["name"] for obj in objects]


@pytest.fixture
def filled(store: Store) -> Store:
    """Five ConfigMaps, `a` to `e`; `a`, `c` and `e` are of the tier `odd`."""
    for number, name in enumerate("abcde"):
        labels = {"tier": "even" if number % 2 else "odd", "n": str(number)}
        store.create(CONFIG_MAP, "default", config_map(name, labels=labels))
    return store


def test_objects_come_in_the_order_of_their_keys(store: Store) -> None:
    for namespace in ("a", "a-b"):
        store.create_namespace(namespace)
        for name in ("y", "x"):
            store.create(CONFIG_MAP, namespace, config_map(name, namespace=namespace))
    places = [(obj["metadata"]["namespace"], obj["metadata"]["name"]) for obj in store.list(CONFIG_MAP)]
    assert places == [("a-b", "x"), ("a-b", "y"), ("a", "x"), ("a", "y")]
    assert names(store.list(CONFIG_MAP, "a")) == ["x", "y"]


def test_a_list_carries_the_version_of_the_store(filled: Store) -> None:
    assert filled.page(CONFIG_MAP, Query("default")).version == filled.version


# ── selectors ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("tier=odd", "ace"),
        ("tier!=odd", "bd"),
        ("n in (1,3),tier", "bd"),
        ({"tier": "odd", "n": "2"}, "c"),
        ("n>2", "de"),
        ("!tier", ""),
        ("tier =", ""),
    ],
)
def test_labels_select(filled: Store, labels: str | dict[str, str], found: str) -> None:
    assert names(filled.list(CONFIG_MAP, "default", labels)) == [*found]


@pytest.mark.parametrize(
    ("kind", "fields", "found"),
    [
        (CONFIG_MAP, "metadata.name=b", ["b"]),
        (CONFIG_MAP, "metadata.name!=b,metadata.namespace=default", ["a", "c", "d", "e"]),
        (NAMESPACE, "status.phase=Active,metadata.name=default", ["default"]),
    ],
)
def test_fields_select(filled: Store, kind: Kind, fields: str, found: list[str]) -> None:
    assert names(filled.list(kind, "", fields=fields)) == found


def test_kinds_have_fields_of_their_own_to_select_by(store: Store) -> None:
    for name, node in (("a", "n1"), ("b", "n2")):
        spec = {"nodeName": node, "containers": [{"name": "c", "image": "i"}]}
        store.create(POD, "default", made(POD, name, {"spec": spec}))
    assert names(store.list(POD, "default", fields="spec.nodeName=n2")) == ["b"]
    store.create(SERVICE, "default", made(SERVICE, "s", {"spec": {"type": "ExternalName", "externalName": "x.y"}}))
    assert names(store.list(SERVICE, fields="spec.type=ExternalName")) == ["s"]


def test_a_definition_says_which_fields_select_its_objects(store: Store) -> None:
    with_widgets(store, selectableFields=[{"jsonPath": ".spec.color"}])
    for name, color in (("a", "red"), ("b", "blue")):
        store.create(WIDGET, "default", widget(name, spec={"color": color}))
    assert names(store.list(WIDGET, fields="spec.color=blue")) == ["b"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (Query(fields="data.a=1"), r"field label not supported: data\.a"),
        (Query(labels="=b"), "unable to parse requirement"),
        (Query(token="!"), "continue key is not valid"),
        (Query(version="x"), "invalid syntax"),
    ],
)
def test_a_query_that_cannot_be_read_is_a_bad_request(store: Store, query: Query, message: str) -> None:
    with pytest.raises(ApiError, match=message) as refused:
        store.page(CONFIG_MAP, query)
    assert refused.value.code == 400


# ── pages and snapshots ─────────────────────────────────────────────────────────────────────────
def test_pages_show_one_moment_whatever_happens_between(filled: Store) -> None:
    first = filled.page(CONFIG_MAP, Query("default", limit=2))
    assert (names(first.items), first.remaining) == (["a", "b"], 3)
    filled.delete(CONFIG_MAP, "default", "c")
    filled.create(CONFIG_MAP, "default", config_map("ba"))
    filled.patch(CONFIG_MAP, "default", "d", {"data": {"late": "1"}})
    second = filled.page(CONFIG_MAP, Query("default", limit=2, token=first.token))
    assert (names(second.items), second.version, second.remaining) == (["c", "d"], first.version, 1)
    assert "data" not in second.items[1]
    last = filled.page(CONFIG_MAP, Query("default", limit=2, token=second.token))
    assert (names(last.items), last.token, last.remaining) == (["e"], "", None)


def test_with_selectors_nobody_counts_what_remains(filled: Store) -> None:
    page = filled.page(CONFIG_MAP, Query("default", labels="tier=odd", limit=1))
    assert page.token
    assert page.remaining is None


def test_the_past_is_listed_as_it_was(filled: Store) -> None:
    then = filled.version
    filled.delete(CONFIG_MAP, "default", "a")
    exact = Query("default", version=then, match="Exact")
    assert names(filled.page(CONFIG_MAP, exact).items) == [*"abcde"]
    assert names(filled.page(CONFIG_MAP, Query("default", version=then)).items) == [*"bcde"]


def test_a_version_that_has_not_come_yet_is_waited_for_in_vain(filled: Store) -> None:
    ahead = str(int(filled.version) + 10)
    with pytest.raises(ApiError, match="Too large resource version") as refused:
        filled.page(CONFIG_MAP, Query(version=ahead))
    assert (refused.value.code, refused.value.retry_after) == (504, 1)


def test_what_is_forgotten_is_gone() -> None:
    store = new_store(remembered=5)
    store.create(CONFIG_MAP, "default", config_map("a"))
    store.create(CONFIG_MAP, "default", config_map("b"))
    page = store.page(CONFIG_MAP, Query(limit=1))
    for number in range(20):
        store.patch(CONFIG_MAP, "default", "a", {"data": {"n": str(number)}})
    for query in (Query(token=page.token), Query(version=page.version, match="Exact")):
        with pytest.raises(ApiError, match="too old") as refused:
            store.page(CONFIG_MAP, query)
        assert (refused.value.code, refused.value.reason) == (410, "Expired")


# ── indexes ─────────────────────────────────────────────────────────────────────────────────────
def test_objects_of_all_kinds_are_found_by_a_label(filled: Store) -> None:
    assert names(filled.by_label("tier", "even")) == ["b", "d"]
    filled.patch(CONFIG_MAP, "default", "b", {"metadata": {"labels": {"tier": "odd"}}})
    filled.delete(CONFIG_MAP, "default", "d")
    filled.create(SERVICE, "default", made(SERVICE, "s", {"spec": {"ports": [{"port": 80}]}}, labels={"tier": "even"}))
    assert names(filled.by_label("tier", "even")) == ["s"]
    assert names(filled.by_label("tier", "odd")) == [*"abce"]

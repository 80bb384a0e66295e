"""Lists and watches: selectors, pages over a snapshot, and a log read as events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ork.base.objects import Object, labels_of
from ork.base.records import NamedTuple
from ork.cluster.memory import selectors, status
from ork.cluster.memory.history import Change, ExpiredError
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.state import State


class Query(NamedTuple):
    """What a list or watch asks for."""

    namespace: str = ""
    """Empty is all."""
    labels: str = ""
    """A label selector: `app=web,tier in (a, b)`."""
    fields: str = ""
    """A field selector: `metadata.name=web`."""
    limit: int = 0
    """Objects on a page; 0 is all."""
    token: str = ""
    """`continue`: where the next page begins."""
    version: str = ""
    """resourceVersion: a snapshot's, with `match`."""
    match: str = ""
    """`Exact`, `NotOlderThan` or empty."""


class Listing(NamedTuple):
    """One page of a list."""

    items: list[Object]
    version: str
    token: str = ""
    """For the next page; empty on the last."""
    remaining: int | None = None
    """How many come after this page, where that is known."""


class Event(NamedTuple):
    """One event of a watch."""

    type: str
    """`ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR`."""
    obj: Object


Matches = Callable[[Object], bool]


def listing(state: State, resource: Resource, query: Query) -> Listing:
    """Return the objects that match, in key order. Raises ApiError."""
    matches = matcher(resource, query)
    start, version = _start(state, query)
    rows = state.table(resource).rows
    if version != state.history.version:
        try:
            rows = state.history.rewound(resource.table, rows, version)
        except ExpiredError:
            raise _too_old(query) from None
        keys: Iterable[str] = sorted(rows)
        if query.namespace:
            keys = [key for key in keys if key.startswith(f"{query.namespace}/")]
    else:
        keys = state.table(resource).ordered(query.namespace)
    found = [(key, rows[key]) for key in keys if key > start] if start else [(key, rows[key]) for key in keys]
    shown = ((key, resource.shown(obj)) for key, obj in found)
    kept = [(key, obj) for key, obj in shown if matches(obj)]
    return _page(kept, found[-1][0] if found else "", version, query)


def _page(rows: list[tuple[str, Object]], end: str, version: int, query: Query) -> Listing:
    """Return the first of the rows; there is another page where any key up to `end` follows, selected or not."""
    page = rows[: query.limit] if query.limit > 0 else rows
    items = [obj for _, obj in page]
    if query.limit <= 0 or len(page) < query.limit or page[-1][0] == end or _names_one(query):
        return Listing(items, str(version))
    remaining = None if query.labels or query.fields else len(rows) - query.limit
    return Listing(items, str(version), _token(version, page[-1][0]), remaining)


def _names_one(query: Query) -> bool:
    """Tell whether a query asks for one object by its name, which is then read without looking further."""
    tests = selectors.parse_fields(query.fields) if query.fields else ()
    return any(path == "metadata.name" and equal for path, _, equal in tests)


_TOKEN_VERSION = "meta.k8s.io/v1"


def _token(version: int, key: str) -> str:
    import base64
    import json

    text = json.dumps({"v": _TOKEN_VERSION, "rv": version, "start": key + "\0"}, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _start(state: State, query: Query) -> tuple[str, int]:
    """Return the key after which a page begins, and the version of the snapshot it is taken from."""
    if query.token:
        return _continued(query.token)
    wanted = parsed_version(query.version)
    if query.match == "Exact":
        check_reached(state, wanted)
        return "", wanted
    check_reached(state, wanted)
    return "", state.history.version


def _continued(token: str) -> tuple[str, int]:
    import base64
    import json

    try:
        found = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        if found["v"] != _TOKEN_VERSION:
            raise ValueError(found["v"])
        return found["start"].rstrip("\0"), int(found["rv"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise status.bad_request(f"continue key is not valid: {token}") from None


def parsed_version(text: str) -> int:
    """Return a resourceVersion as a number; 0 where none was given. Raises ApiError."""
    if text in ("", "0"):
        return 0
    if not text.isdigit():
        raise status.bad_request(f"resourceVersion: {_not_a_number(text)}")
    return int(text)


def _not_a_number(text: str) -> str:
    return f'Invalid value: "{text}": strconv.ParseUint: parsing "{text}": invalid syntax'


def check_version(state: State, text: str) -> None:
    """Refuse to read one object at a version that is none, or has not come yet. Raises ApiError."""
    if text and not text.isdigit():
        raise status.internal(f"resourceVersion: {_not_a_number(text)}")
    check_reached(state, int(text or 0))


def check_reached(state: State, wanted: int) -> None:
    """Raise ApiError where a version has not come yet."""
    if wanted > state.history.version:
        raise status.too_large_version(wanted, state.history.version)


def _too_old(query: Query) -> status.ApiError:
    if query.token:
        return status.expired(
            "The provided continue parameter is too old to display a consistent list result. You can start a new list "
            "without the continue parameter, or use the continue token in this response to retrieve the remainder of "
            "the results. Continuing with the provided token results in an inconsistent list - objects that were "
            "created, modified, or deleted between the time the first chunk was returned and now may show up in the "
            "list."
        )
    return status.expired(f"The resourceVersion for the provided list is too old: {query.version}")


# ── selection ───────────────────────────────────────────────────────────────────────────────────
def matcher(resource: Resource, query: Query) -> Matches:
    """Return the test of an object against the query's selectors. Raises ApiError."""
    try:
        by_label = selectors.parse_labels(query.labels)
        fields = selectors.parse_fields(query.fields)
    except selectors.SelectorError as error:
        raise status.bad_request(str(error)) from None
    selectable = resource.selectable()
    for path, _, _ in fields:
        if path not in selectable:
            raise status.bad_request(f"field label not supported: {path}")
    if by_label is selectors.everything and not fields:
        return lambda obj: True  # noqa: ARG005
    tests = [(selectable[path], value, equal) for path, value, equal in fields]

    def matches(obj: Object) -> bool:
        return by_label(labels_of(obj)) and all((read(obj) == value) == equal for read, value, equal in tests)

    return matches


# ── watching ────────────────────────────────────────────────────────────────────────────────────
class Watch:
    """An index into the log, and a filter: what happened to the objects of a query since a version."""

    def __init__(self, state: State, resource: Resource, query: Query, since: int) -> None:
        """Raises ApiError (410) where the log does not reach back to `since`."""
        self._state = state
        self._resource = resource
        self._matches = matcher(resource, query)
        self._prefix = f"{query.namespace}/" if query.namespace else ""
        try:
            self._index = state.history.index_after(since)
        except ExpiredError as error:
            raise _watch_too_old(since, error) from None

    @property
    def version(self) -> str:
        """The version up to which everything was delivered."""
        return str(self._state.history.version)

    def poll(self) -> list[Event]:
        """Return what happened since the last call, in order. Raises ApiError (410) where that is forgotten."""
        history = self._state.history
        try:
            changes = [*history.from_index(self._index)]
        except ExpiredError as error:
            raise _watch_too_old(self._index, error) from None
        self._index = max(self._index, history.end)
        return [event for change in changes if (event := self._event(change)) is not None]

    def _event(self, change: Change) -> Event | None:
        if change.table != self._resource.table or not change.key.startswith(self._prefix):
            return None
        old = self._selected(change.old)
        new = self._selected(change.new)
        if new is not None:
            return Event("MODIFIED" if old is not None else "ADDED", new)
        return Event("DELETED", _at_version(old, change.version)) if old is not None else None

    def _selected(self, stored: Object | None) -> Object | None:
        if stored is None:
            return None
        shown = self._resource.shown(stored)
        return shown if self._matches(shown) else None


def _at_version(obj: Object, version: int) -> Object:
    return {**obj, "metadata": {**obj["metadata"], "resourceVersion": str(version)}}


def _watch_too_old(since: int, error: ExpiredError) -> status.ApiError:
    return status.expired(f"too old resource version: {since} ({error.args[1]})")


def initial(state: State, resource: Resource, query: Query) -> Iterator[Event]:
    """Yield the objects that are there as ADDED events, in key order."""
    for obj in listing(state, resource, Query(query.namespace, query.labels, query.fields)).items:
        yield Event("ADDED", obj)


def bookmark(resource: Resource, version: str, annotations: Mapping[str, str] | None = None) -> Event:
    """Return a bookmark: an object of the kind that has only a version."""
    meta: Object = {"resourceVersion": version}
    if annotations:
        meta["annotations"] = dict(annotations)
    return Event("BOOKMARK", {**resource.empty, "metadata": meta})

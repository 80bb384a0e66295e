"""Open watches: what is there, what happens then, bookmarks between, an ERROR where the past is forgotten."""

from __future__ import annotations

from collections.abc import Callable

from ork.base.objects import Object
from ork.cluster.memory import reading, status
from ork.cluster.memory.reading import Event, Query, Watch
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from ork.cluster.server import tables
from ork.cluster.server.messages import Request, Stream
from ork.cluster.server.negotiation import Form
from ork.cluster.server.target import Target

_DEFAULT_SECONDS = 1800.0
_INITIAL_END = {"k8s.io/initial-events-end": "true"}


def wanted(request: Request, target: Target) -> bool:
    """Tell whether a request is one for a watch."""
    return request.method == "GET" and (target.watched or (request.flag("watch") and not target.name))


class Wish:
    """What a client asks of a watch besides its query."""

    def __init__(self, initial: bool | None, bookmarks: bool, seconds: float | None, include: str) -> None:
        self.initial = initial
        """`sendInitialEvents`; None where it is not said."""
        self.bookmarks = bookmarks
        self.seconds = _DEFAULT_SECONDS if seconds is None else seconds
        self.include = include


def opened(store: Store, resource: Resource, query: Query, wish: Wish, form: Form) -> Stream:
    """Return an open watch. Raises ApiError for a bad selector or version; one that is too old is an ERROR event."""
    reading.matcher(resource, query)
    shape = _shape(store, resource, wish.include, form)
    version = _version(query.version)
    state = store.state
    first: list[Event] = []
    initial = not version if wish.initial is None else wish.initial
    try:
        if initial:
            reading.check_reached(state, version)
            first = [*reading.initial(state, resource, query)]
            if wish.bookmarks:
                first.append(reading.bookmark(resource, str(state.history.version), _INITIAL_END))
            version = state.history.version
        watch: Watch | None = Watch(state, resource, query, version or state.history.version)
    except ApiError as error:
        watch, first = None, [Event("ERROR", error.status)]
    pending = [first]

    def poll() -> list[Object]:
        events = pending.pop() if pending else []
        events = events + (watch.poll() if watch else [])
        return [shape(event) for event in events if not _too_late(resource, event)]

    def bookmark() -> Object:
        return shape(reading.bookmark(resource, str(state.history.version)))

    seconds = wish.seconds if watch else 0.0
    marks = bookmark if wish.bookmarks and watch else None
    return Stream(poll, marks, seconds, ended=lambda: resource.retired > 0)


def _too_late(resource: Resource, event: Event) -> bool:
    """Tell whether something happened after its resource took another form, which ends the watches of the old one."""
    if not resource.retired or event.type == "ERROR":
        return False
    return int(event.obj["metadata"]["resourceVersion"]) > resource.retired


def _version(text: str) -> int:
    """Return the version to watch from. Raises ApiError, which for a watch has no reason."""
    try:
        return reading.parsed_version(text)
    except ApiError as error:
        raise status.internal(str(error)) from None


def _shape(store: Store, resource: Resource, include: str, form: Form) -> Callable[[Event], Object]:
    """Return what turns an event into the form that the client accepts."""
    sent: list[bool] = []

    def shaped(event: Event) -> Object:
        obj = event.obj
        if event.type == "ERROR" or not form.kind:
            return {"type": event.type, "object": obj}
        if form.kind == "Table":
            view = tables.View(store.state.time(), include, form.version)
            made = tables.table(resource, [obj], _table_meta(obj), view)
            made["columnDefinitions"] = None if sent else made["columnDefinitions"]
            sent.append(True)
            return {"type": event.type, "object": made}
        return {"type": event.type, "object": tables.partial(obj, form.version)}

    tables.check_include(include)
    return shaped


def _table_meta(obj: Object) -> Object:
    return {"resourceVersion": obj["metadata"]["resourceVersion"]}

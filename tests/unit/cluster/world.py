"""A store for tests: its clock stands still until it is set, its uids count, and whatever it holds is frozen."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from ork.base.objects import Kind, Object
from ork.cluster.memory.history import Change
from ork.cluster.memory.store import Store


class SetClock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 5, 10, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


def _refuse(*_given: Any, **_named: Any) -> Any:
    raise AssertionError("an object that was handed in or stored is changed")


class FrozenDict(dict[str, Any]):
    """A map that passes for a plain one and cannot be changed."""

    __class__ = property(lambda _self: dict)
    __setitem__ = __delitem__ = __ior__ = _refuse
    pop = popitem = clear = update = setdefault = _refuse


class FrozenList(list[Any]):
    """A list that passes for a plain one and cannot be changed."""

    __class__ = property(lambda _self: list)
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = pop = remove = clear = sort = reverse = _refuse


def frozen(data: Any) -> Any:
    """Return equal data that cannot be changed."""
    if isinstance(data, dict):
        return FrozenDict({key: frozen(value) for key, value in data.items()})
    return FrozenList(map(frozen, data)) if isinstance(data, list) else data


def new_store(clock: SetClock | None = None, remembered: int = 1000) -> Store:
    """Return a store whose uids are `uid-1`, `uid-2` … and whose rows are frozen once they are written."""
    numbers = itertools.count(1)
    store = Store(clock or SetClock(), lambda: f"uid-{next(numbers)}", remembered=remembered)

    def freeze(change: Change) -> None:
        row = store.state.named_table(change.table).rows.get(change.key)
        if row is not None:
            store.state.load(change.table, change.key, frozen(row))

    store.state.observers.append(freeze)
    return store


CONFIG_MAP = Kind("", "v1", "ConfigMap", "configmaps", True)
DEPLOYMENT = Kind("apps", "v1", "Deployment", "deployments", True)
NAMESPACE = Kind("", "v1", "Namespace", "namespaces", False)
SERVICE = Kind("", "v1", "Service", "services", True)
POD = Kind("", "v1", "Pod", "pods", True)
CRD = Kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", False)
WIDGET = Kind("demo.io", "v1", "Widget", "widgets", True)


def made(kind: Kind, name: str, body: Mapping[str, Any] | None = None, **meta: Any) -> Object:
    """Return a frozen object in the namespace `default`, if its kind has namespaces."""
    place = {"name": name, **({"namespace": "default"} if kind.namespaced else {})}
    obj: Object = frozen(
        {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {**place, **meta}, **(body or {})}
    )
    return obj


def config_map(name: str = "settings", data: Mapping[str, str] | None = None, **meta: Any) -> Object:
    """Return a ConfigMap."""
    return made(CONFIG_MAP, name, {"data": data} if data is not None else {}, **meta)


def deployment(name: str = "web", replicas: int | None = None, image: str = "web:1", **meta: Any) -> Object:
    """Return a Deployment of one container."""
    template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "main", "image": image}]}}
    spec: Object = {"selector": {"matchLabels": {"app": name}}, "template": template}
    if replicas is not None:
        spec["replicas"] = replicas
    return made(DEPLOYMENT, name, {"spec": spec}, **meta)


SPEC_SCHEMA: Object = {
    "type": "object",
    "properties": {
        "size": {"type": "integer", "minimum": 0, "default": 1},
        "color": {"type": "string", "enum": ["red", "blue"]},
        "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
        "plain": {"type": "array", "items": {"type": "string"}},
        "parts": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "count": {"type": "integer"}, "note": {"type": "string"}},
            },
        },
        "atom": {
            "type": "object",
            "x-kubernetes-map-type": "atomic",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        },
    },
}


def widget_crd(spec: Object = SPEC_SCHEMA, subresources: Object | None = None, **version: Any) -> Object:
    """Return the definition of Widgets, with a status subresource unless others are given."""
    free: Object = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    schema = {"type": "object", "properties": {"spec": spec, "status": free}}
    entry = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": schema},
        "subresources": {"status": {}} if subresources is None else subresources,
        **version,
    }
    names = {"kind": "Widget", "plural": "widgets", "singular": "widget", "shortNames": ["wd"]}
    body = {"group": "demo.io", "scope": "Namespaced", "names": names, "versions": [entry]}
    return made(CRD, "widgets.demo.io", {"spec": body})


def widget(name: str = "a", spec: Mapping[str, Any] | None = None, **meta: Any) -> Object:
    """Return a Widget."""
    return made(WIDGET, name, {"spec": spec} if spec is not None else {}, **meta)


def with_widgets(store: Store, **version: Any) -> Store:
    """Define Widgets in a store."""
    store.create(CRD, "", widget_crd(**version))
    return store

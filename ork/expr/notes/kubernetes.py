"""Notes on any Kubernetes object; a child that is not there yet may be handed in."""

from __future__ import annotations

from typing import Any

from ork.expr.notes import objects
from ork.expr.notes.note import Example, alias, note, text

_DEPLOYMENT = {
    "metadata": {
        "name": "web",
        "namespace": "shop",
        "uid": "4b3f",
        "resourceVersion": "148",
        "generation": 2,
        "creationTimestamp": "2026-01-05T09:00:00Z",
        "labels": {"app": "web"},
        "annotations": {"example.com/team": "payments"},
        "ownerReferences": [{"kind": "App", "name": "my-app", "controller": True}],
    },
    "spec": {"replicas": 3},
    "status": {
        "phase": "Running",
        "observedGeneration": 2,
        "conditions": [{"type": "Available", "status": "True", "reason": "MinimumReplicas", "message": "all there"}],
    },
}
_SCOPE = {"children": {"deployment": _DEPLOYMENT}}


def _has_condition(value: Any, kind: Any, status: Any = "True") -> bool:
    return text(objects.condition(value, text(kind)).get("status")) == text(status)


def _owner(value: Any, field: str) -> str:
    owners = [each for each in objects.list_at(value, "metadata.ownerReferences") if isinstance(each, dict)]
    controller = next((each for each in owners if each.get("controller") is True), owners[0] if owners else {})
    return text(controller.get(field))


def _is_synced(value: Any) -> bool:
    return exists(value) and synced(value)


def exists(value: Any) -> bool:
    """Tell whether a value is an object, and not the absence of one."""
    return isinstance(value, dict) and bool(value)


def synced(value: Any) -> bool:
    """Tell whether the controller has seen the newest spec: `observedGeneration` is not behind `generation`."""
    return objects.int_at(value, "status.observedGeneration") >= objects.int_at(value, "metadata.generation")


def _text(name: str, path: str, meaning: str, result: str) -> Any:
    return note(
        f"{name} OBJECT",
        lambda value: objects.text_at(value, path),
        f"{meaning}; empty where there is none.",
        Example(f"{{{{ {name} .children.deployment }}}}", _SCOPE, result),
    )


def _map(name: str, path: str, meaning: str, key: str, result: Any) -> Any:
    return note(
        f"{name} OBJECT",
        lambda value: objects.map_at(value, path),
        f"{meaning}; an empty map where there are none.",
        Example(f"{{{{ ({name} .children.deployment).{key} }}}}", _SCOPE, result),
    )


def _entry(name: str, path: str, what: str, key: str, result: Any) -> Any:
    reads = name.startswith("get")
    return note(
        f"{name} OBJECT KEY",
        (lambda value, wanted: text(objects.map_at(value, path).get(text(wanted))))
        if reads
        else (lambda value, wanted: text(wanted) in objects.map_at(value, path)),
        f"The value of the {what} of that key; empty where there is none." if reads else f"Whether it has that {what}.",
        Example(f'{{{{ {name} .children.deployment "{key}" }}}}', _SCOPE, result),
    )


def _condition_field(name: str, field: str, result: str) -> Any:
    return note(
        f"{name} OBJECT TYPE",
        lambda value, kind: text(objects.condition(value, text(kind)).get(field)),
        f"The {field} of the status condition of that type; empty where there is none.",
        Example(f'{{{{ {name} .children.deployment "Available" }}}}', _SCOPE, result),
    )


_name = _text("name", "metadata.name", "The object's name", "web")
_namespace = _text("namespace", "metadata.namespace", "The object's namespace", "shop")

NOTES = (
    _map("meta", "metadata", "The object's metadata", "name", "web"),
    _name,
    alias("resourceName", _name),
    _namespace,
    alias("resourceNamespace", _namespace),
    _text("resourceUID", "metadata.uid", "The object's uid", "4b3f"),
    _text("resourceVersion", "metadata.resourceVersion", "The object's resource version", "148"),
    _text("creationTimestamp", "metadata.creationTimestamp", "When the object was created", "2026-01-05T09:00:00Z"),
    _map("labels", "metadata.labels", "The object's labels", "app", "web"),
    note(
        "annotations OBJECT",
        lambda value: objects.map_at(value, "metadata.annotations"),
        "The object's annotations; an empty map where there are none.",
        Example("{{ len (annotations .children.deployment) }}", _SCOPE, 1),
    ),
    _entry("getLabel", "metadata.labels", "label", "app", "web"),
    _entry("getAnnotation", "metadata.annotations", "annotation", "example.com/team", "payments"),
    _entry("hasLabel", "metadata.labels", "label", "tier", False),
    _entry("hasAnnotation", "metadata.annotations", "annotation", "example.com/team", True),
    _map("spec", "spec", "The object's spec", "replicas", 3),
    _map("status", "status", "The object's status", "phase", "Running"),
    _text("phase", "status.phase", "The object's `status.phase`", "Running"),
    note(
        "hasCondition OBJECT TYPE [STATUS]",
        _has_condition,
        "Whether the status condition of that type is `True`, or has that status.",
        Example('{{ hasCondition .children.deployment "Available" }}', _SCOPE, True),
    ),
    _condition_field("conditionStatus", "status", "True"),
    _condition_field("conditionReason", "reason", "MinimumReplicas"),
    _condition_field("conditionMessage", "message", "all there"),
    note(
        "ownerName OBJECT",
        lambda value: _owner(value, "name"),
        "The name of the object's controller, else of its first owner; empty where it has none.",
        Example("{{ ownerName .children.deployment }}", _SCOPE, "my-app"),
    ),
    note(
        "ownerKind OBJECT",
        lambda value: _owner(value, "kind"),
        "The kind of the object's controller, else of its first owner; empty where it has none.",
        Example("{{ ownerKind .children.deployment }}", _SCOPE, "App"),
    ),
    note(
        "resourceExists OBJECT",
        exists,
        "Whether the object is there.",
        Example("{{ resourceExists .children.job }}", _SCOPE, False),
    ),
    note(
        "isTerminating OBJECT",
        lambda value: objects.at(value, "metadata.deletionTimestamp") is not None,
        "Whether the object's deletion was asked for.",
        Example("{{ isTerminating .children.deployment }}", _SCOPE, False),
    ),
    note(
        "generation OBJECT",
        lambda value: objects.int_at(value, "metadata.generation"),
        "The generation of the object's spec; 0 where there is none.",
        Example("{{ generation .children.deployment }}", _SCOPE, 2),
    ),
    note(
        "observedGeneration OBJECT",
        lambda value: objects.int_at(value, "status.observedGeneration"),
        "The generation that the object's controller has seen; 0 where there is none.",
        Example("{{ observedGeneration .children.deployment }}", _SCOPE, 2),
    ),
    note(
        "isSynced OBJECT",
        _is_synced,
        "Whether the object's controller has seen its newest spec.",
        Example("{{ isSynced .children.deployment }}", _SCOPE, True),
    ),
)

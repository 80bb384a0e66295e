"""Names and labels that Kubernetes takes, checked before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ork.base.objects import Object, Ref
from ork.base.patterns import pattern
from ork.base.text import cut

_LABEL = pattern(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?\Z")
_SERVICE = pattern(r"[a-z](?:[-a-z0-9]*[a-z0-9])?\Z")
_SUBDOMAIN = pattern(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\Z")
_VALUE = pattern(r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?\Z")
_KEY = pattern(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?\Z")


def _subdomain(name: str) -> str:
    if len(name) <= 253 and _SUBDOMAIN.match(name):
        return ""
    return "it must be lower-case letters, digits, '-' and '.', at most 253, and begin and end with a letter or digit"


def _label(name: str) -> str:
    if len(name) <= 63 and _LABEL.match(name):
        return ""
    return "it must be lower-case letters, digits and '-', at most 63, and begin and end with a letter or digit"


def _service(name: str) -> str:
    if len(name) <= 63 and _SERVICE.match(name):
        return ""
    return "it must be lower-case letters, digits and '-', at most 63, and begin with a letter"


def _segment(name: str) -> str:
    if name not in ("", ".", "..") and "/" not in name and "%" not in name:
        return ""
    return "it must not be empty, '.' or '..', nor hold '/' or '%'"


_RBAC = "rbac.authorization.k8s.io"
_RULES: Mapping[tuple[str, str], Callable[[str], str]] = {
    ("", "Namespace"): _label,
    ("", "Service"): _service,
    (_RBAC, "Role"): _segment,
    (_RBAC, "RoleBinding"): _segment,
    (_RBAC, "ClusterRole"): _segment,
    (_RBAC, "ClusterRoleBinding"): _segment,
}


def name_problem(ref: Ref) -> str:
    """Return what is wrong with an object's name or namespace; empty where nothing is."""
    problem = _RULES.get((ref.kind.group, ref.kind.kind), _subdomain)(ref.name)
    if problem:
        return f'"{cut(ref.name, 80)}" is no name for a {ref.kind.kind}: {problem}'
    if ref.namespace and (problem := _label(ref.namespace)):
        return f'"{cut(ref.namespace, 80)}" is no namespace: {problem}'
    return ""


def metadata_problem(metadata: Object) -> str:
    """Return what is wrong with an object's labels or annotations; empty where nothing is."""
    for key, value in (metadata.get("labels") or {}).items():
        if problem := _key_problem("label", key) or _value_problem(key, value):
            return problem
    for key, value in (metadata.get("annotations") or {}).items():
        if problem := _key_problem("annotation", key) or _text_problem("annotation", key, value):
            return problem
    return ""


def _key_problem(what: str, key: str) -> str:
    prefix, slash, name = key.rpartition("/")
    if len(name) <= 63 and _KEY.match(name) and not (slash and _subdomain(prefix)):
        return ""
    return f'"{cut(key, 80)}" is no {what} key: it is a name of at most 63 letters, digits, "-", "_" and "."'


def _value_problem(key: str, value: Any) -> str:
    if problem := _text_problem("label", key, value):
        return problem
    if len(value) <= 63 and _VALUE.match(value):
        return ""
    return (
        f'"{cut(value, 80)}" is no value for the label {key}: at most 63 letters, digits, "-", "_" and ".", '
        "beginning and ending with a letter or digit"
    )


def _text_problem(what: str, key: str, value: Any) -> str:
    return "" if isinstance(value, str) else f"the {what} {key} is no text but {type(value).__name__}; quote it"

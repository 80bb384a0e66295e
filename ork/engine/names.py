"""Names and labels that Kubernetes takes, checked before anything is written."""

from __future__ import annotations

from typing import Any

from ork.base.objects import Object, Ref
from ork.base.text import cut
from ork.openapi import names, naming


def name_problem(ref: Ref) -> str:
    """Return what is wrong with an object's name or namespace; empty where nothing is."""
    rule = naming.rule_of(ref.kind.group, ref.kind.kind)
    if not ref.name or rule.fits(ref.name):
        return f'"{cut(ref.name, 80)}" is no name for a {ref.kind.kind}: a name has {rule.words}'
    if ref.namespace and naming.LABEL.fits(ref.namespace):
        return f'"{cut(ref.namespace, 80)}" is no namespace: a namespace has {naming.LABEL.words}'
    return ""


def metadata_problem(metadata: Object) -> str:
    """Return what is wrong with an object's labels or annotations; empty where nothing is."""
    for key, value in (metadata.get("labels") or {}).items():
        if problem := _key_problem("label", key, names.qualified) or _value_problem(key, value):
            return problem
    for key, value in (metadata.get("annotations") or {}).items():
        if problem := _key_problem("annotation", key, names.annotation_key) or _text_problem("annotation", key, value):
            return problem
    return ""


def _key_problem(what: str, key: str, rule: names.NameRule) -> str:
    if not rule(key):
        return ""
    return f'"{cut(key, 80)}" is no {what} key: it is a name of at most 63 letters, digits, "-", "_" and "."'


def _value_problem(key: str, value: Any) -> str:
    if problem := _text_problem("label", key, value):
        return problem
    if not names.label_value(value):
        return ""
    return (
        f'"{cut(value, 80)}" is no value for the label {key}: at most 63 letters, digits, "-", "_" and ".", '
        "beginning and ending with a letter or digit"
    )


def _text_problem(what: str, key: str, value: Any) -> str:
    return "" if isinstance(value, str) else f"the {what} {key} is no text but {type(value).__name__}; quote it"

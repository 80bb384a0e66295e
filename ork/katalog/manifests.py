"""Objects held to their schema, with a finding at the field that is wrong: CRs, CRDs and Kubernetes' own kinds."""

from __future__ import annotations

import re
from functools import lru_cache

from ork.base.findings import Span
from ork.base.objects import Kind, Object
from ork.base.text import did_you_mean
from ork.katalog.collect import Findings
from ork.katalog.kinds import native
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, Sequence
from ork.openapi import kubernetes, structural
from ork.openapi import schema as openapi
from ork.openapi.causes import Cause
from ork.openapi.problems import causes_of
from ork.openapi.structural import Structural

_CRD = ("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
_NEEDED = ("spec.group", "spec.names.kind", "spec.names.plural", "spec.scope", "spec.versions")
_STEP = re.compile(r"\.?([^.\[\]]+)|\[([^\]]*)\]")


def check_crd(obj: Object, node: Mapping, findings: Findings) -> bool:
    """Report what is wrong with a CustomResourceDefinition; tell whether it can be used all the same."""
    if obj.get("apiVersion") != "apiextensions.k8s.io/v1":
        message = f"{obj.get('apiVersion')} is not read: a CustomResourceDefinition is apiextensions.k8s.io/v1"
        findings.error("ORK0208", node.head, message)
        return False
    missing = [path for path in _NEEDED if not find(node, path)]
    for path in missing:
        message = f"a CustomResourceDefinition needs `{path}`"
        findings.error("ORK0208", locate(node, path), message, path=path)
    if missing:
        return False
    before = len(findings.items)
    check_builtin(obj, node, kubernetes.kinds()[_CRD], findings)
    return len(findings.items) == before and _check_schemas(obj, node, findings)


def _check_schemas(obj: Object, node: Mapping, findings: Findings) -> bool:
    """Report the schemas that the API server would refuse."""
    refused = False
    for index, version in enumerate(obj["spec"]["versions"]):
        schema = (version.get("schema") or {}).get("openAPIV3Schema")
        status = "status" in (version.get("subresources") or {})
        where = f"spec.versions[{index}].schema.openAPIV3Schema"
        for cause in causes_of(schema, where, status=status) if schema else ():
            refused = True
            message = f"the API server refuses this schema: {cause.message}"
            findings.error("ORK0210", locate(node, cause.field), message, path=cause.field)
    return not refused


def check_builtin(obj: Object, node: Mapping, kind: Kind, findings: Findings) -> None:
    """Report where an object of one of Kubernetes' own kinds is not what the API server takes."""
    for cause in kubernetes.validate_builtin(kind, obj):
        _refused(cause, node, findings)
    schema = native(kind).schema
    for path in _compiled(_Hashed(schema)).unknown(obj):
        _unknown(path, node, schema, findings)


def check_custom(obj: Object, node: Mapping, schema: Object, findings: Findings) -> None:
    """Report where a CR does not fit its CRD: wrong and missing values, and fields that would be dropped."""
    compiled = _compiled(_Hashed(schema))
    for cause in compiled.validate(compiled.default(compiled.prune(obj))):
        _refused(cause, node, findings)
    for path in compiled.unknown(obj):
        _unknown(path, node, schema, findings)


class _Hashed:
    """A schema as a key: schemas are shared and never change."""

    def __init__(self, schema: Object) -> None:
        self.schema = schema

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and other.schema is self.schema


@lru_cache(maxsize=64)
def _compiled(key: _Hashed) -> Structural:
    return structural.compile(key.schema)


def _refused(cause: Cause, node: Mapping, findings: Findings) -> None:
    found = find(node, cause.field)
    hint = ""
    if isinstance(found, Scalar) and not found.is_text and cause.reason == "FieldValueTypeInvalid":
        hint = f'quote it if a text is meant: "{found.text}"'
    span = found.span if isinstance(found, Scalar) else locate(node, cause.field)
    findings.error("ORK0630", span, str(cause), hint, path=cause.field)


def _unknown(path: str, node: Mapping, schema: Object, findings: Findings) -> None:
    steps = tuple(_steps(path))
    parent = openapi.at(schema, steps[:-1])
    hint = did_you_mean(steps[-1], openapi.names(parent)) if parent else ""
    message = f"`{path}` is not in the schema: the API server drops it"
    findings.warning("ORK0631", locate(node, path), message, hint, path=path)


def locate(node: Mapping, path: str) -> Span:
    """Return where a field stands: its key, or the nearest that there is."""
    here: AnyNode = node
    span = node.head
    for step in _steps(path):
        if isinstance(here, Mapping) and step in here.entries:
            span, here = here.key_span(step), here.entries[step]
        elif isinstance(here, Sequence) and step.isdigit() and int(step) < len(here):
            here = here.elements[int(step)]
            span = here.head
        else:
            break
    return span


def find(node: AnyNode, path: str) -> AnyNode | None:
    """Return the node at a path such as `spec.ports[0].name`, None where there is none."""
    for step in _steps(path):
        if isinstance(node, Mapping) and step in node.entries:
            node = node.entries[step]
        elif isinstance(node, Sequence) and step.isdigit() and int(step) < len(node):
            node = node.elements[int(step)]
        else:
            return None
    return node


def _steps(path: str) -> list[str]:
    return [first or second for first, second in _STEP.findall(path)]

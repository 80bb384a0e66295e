"""Objects held to their schema, with a finding at the field that is wrong: CRs, CRDs and Kubernetes' own kinds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ork.base.findings import Span
from ork.base.objects import Kind, Object, split_api_version
from ork.base.patterns import pattern
from ork.base.text import did_you_mean
from ork.katalog.collect import Findings
from ork.katalog.kinds import Kinds, native
from ork.katalog.refusals import quoting
from ork.katalog.resources.syntax import metadata_complaints
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, Sequence
from ork.katalog.yaml.scalars import WORDS
from ork.openapi import kubernetes, structural
from ork.openapi import schema as openapi
from ork.openapi.causes import Cause, below
from ork.openapi.structural import Structural

_CRD = ("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
_NEEDED = ("spec.group", "spec.names.kind", "spec.names.plural", "spec.scope", "spec.versions")
_SCHEMA = pattern(r"spec\.(?:versions\[\d+\]\.schema|validation)\b")
_OF_VERSION = "spec.versions[{}].schema.openAPIV3Schema"
_STEP = pattern(r"\.?([^.\[\]]+)|\[([^\]]*)\]")


def check_crd(obj: Object, node: Mapping, findings: Findings) -> Object | None:
    """Report what is wrong with a CustomResourceDefinition; return it as far as it can be used all the same: without
    schemas that the API server would refuse, None where it does not even say its kind."""
    if obj.get("apiVersion") != "apiextensions.k8s.io/v1":
        message = f"{obj.get('apiVersion')} is not read: a CustomResourceDefinition is apiextensions.k8s.io/v1"
        findings.error("ORK0208", node.head, message)
        return None
    missing = [path for path in _NEEDED if not find(node, path)]
    for path in missing:
        message = f"a CustomResourceDefinition needs `{path}`"
        findings.error("ORK0208", locate(node, path), message, path=path)
    if missing:
        return None
    causes = _builtin_causes(obj, node, kubernetes.kinds()[_CRD], findings)
    if causes is None:
        return None
    _misspelt(obj, node, findings)
    of_schemas = [_of_version(cause) for cause in causes if _SCHEMA.match(cause.field)]
    for cause in of_schemas:
        complaint = f"{_steps(cause.field)[-1]}: {cause.message.replace(':  ', ': ')}"
        message = f"the API server refuses this schema: {complaint}"
        findings.error("ORK0210", locate(node, cause.field), message, path=cause.field)
    others = [cause for cause in causes if not _SCHEMA.match(cause.field) and not cause.field.startswith("status.")]
    for cause in others:
        _refused(cause, node, findings)
    if others:
        return None
    _tell_rules(obj, node, findings)
    return _without_schemas(obj) if of_schemas else obj


def _misspelt(obj: Object, node: Mapping, findings: Findings) -> None:
    """Report fields that no definition has: server-side apply refuses all of it then."""
    schema = native(kubernetes.kinds()[_CRD]).schema
    _no_such_fields(obj, "", schema, node, findings)
    of_schemas = openapi.at(schema, tuple(_steps(_OF_VERSION.format("*"))))
    assert of_schemas is not None, "a definition has a schema"
    for index, version in enumerate(obj["spec"]["versions"] or ()):
        root = ((version or {}).get("schema") or {}).get("openAPIV3Schema")
        for place, part in _opaque(root, _OF_VERSION.format(index)):
            _no_such_fields(part, place, of_schemas, node, findings)


def _no_such_fields(part: Object, place: str, schema: Object, node: Mapping, findings: Findings) -> None:
    for path in _compiled(_Hashed(schema)).unknown(part):
        *above, key = _steps(path)
        whole = below(place, path)
        parent = whole.removesuffix(key).rstrip(".")
        hint = did_you_mean(key, openapi.names(openapi.at(schema, tuple(above)) or {}))
        where = f"`{parent}`" if parent else "the object"
        findings.error("ORK0604", locate(node, whole), f"there is no field `{key}` in {where}", hint, path=whole)


def _opaque(schema: Any, path: str) -> Iterator[tuple[str, Object]]:
    """Go over the schemas of elements, of which the definition's own schema says nothing."""
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties")
    for name, inside in properties.items() if isinstance(properties, dict) else ():
        yield from _opaque(inside, f"{path}.properties.{name}")
    for key in ("items", "additionalProperties"):
        if isinstance(inside := schema.get(key), dict):
            yield f"{path}.{key}", inside
            yield from _opaque(inside, f"{path}.{key}")


def _tell_rules(obj: Object, node: Mapping, findings: Findings) -> None:
    """Say which versions have rules that only the API server runs."""
    for index, version in enumerate(obj["spec"]["versions"]):
        path = f"spec.versions[{index}].schema"
        if _has_rules(version.get("schema")):
            message = f"the rules in CEL (`{openapi.RULES}`) of {version['name']} are not run here"
            hint = "the API server may refuse what is taken here; `ork simulate --envtest` runs them"
            findings.info("ORK0633", locate(node, path), message, hint, path=path)


def _has_rules(schema: Any) -> bool:
    if isinstance(schema, list):
        return any(map(_has_rules, schema))
    return isinstance(schema, dict) and (openapi.RULES in schema or any(map(_has_rules, schema.values())))


def _of_version(cause: Cause) -> Cause:
    """Return the cause where the author wrote the schema: the API server names one that all versions share by its
    older place."""
    return cause._replace(field=cause.field.replace("spec.validation.", "spec.versions[0].schema.", 1))


def _without_schemas(obj: Object) -> Object:
    """Return a definition of which only the kind can be relied on."""
    versions = [{key: value for key, value in one.items() if key != "schema"} for one in obj["spec"]["versions"]]
    return {**obj, "spec": {**obj["spec"], "versions": versions}}


def check_builtin(obj: Object, node: Mapping, kind: Kind, findings: Findings) -> None:
    """Report where an object of one of Kubernetes' own kinds is not what the API server takes."""
    for cause in _builtin_causes(obj, node, kind, findings) or ():
        _refused(cause, node, findings)
    _metadata(node, kind.group, kind.kind, findings)
    schema = native(kind).schema
    for path in _compiled(_Hashed(schema)).unknown(obj):
        _unknown(path, node, schema, findings)


def check_object(obj: Object, node: Mapping, kinds: Kinds, findings: Findings) -> bool:
    """Check an object of any kind that is known; tell whether it is."""
    api_version, name = str(obj.get("apiVersion")), str(obj.get("kind"))
    found = kinds.find(api_version, name)
    if found is None:
        return False
    if kubernetes.kinds().get((found.kind.group, found.kind.version, found.kind.kind)) == found.kind:
        check_builtin(obj, node, found.kind, findings)
    else:
        check_custom(obj, node, found.schema, findings)
    return True


def _builtin_causes(obj: Object, node: Mapping, kind: Kind, findings: Findings) -> list[Cause] | None:
    """Return why the API server refuses an object of its own kinds; None, and findings, where types are wrong."""
    mistyped = list(_mistyped(node, native(kind).schema, ""))
    for path, wrong, wanted in mistyped:
        hint = quoting(wrong) if wanted == "string" and isinstance(wrong, Scalar) else ""
        findings.error("ORK0630", wrong.head, f"`{path}` is {_NOUNS[wanted]}, not {wrong.noun}", hint, path=path)
    return None if mistyped else kubernetes.validate_builtin(kind, kubernetes.defaults(kind, obj))


def check_custom(obj: Object, node: Mapping, schema: Object, findings: Findings) -> None:
    """Report where a CR does not fit its CRD: wrong and missing values, and fields that would be dropped."""
    compiled = _compiled(_Hashed(schema))
    for cause in compiled.validate(compiled.default(compiled.prune(obj))):
        _refused(cause, node, findings)
    group, _ = split_api_version(str(obj.get("apiVersion")))
    _metadata(node, group, str(obj.get("kind")), findings)
    for path in compiled.unknown(obj):
        _unknown(path, node, schema, findings)


def _metadata(node: Mapping, group: str, kind: str, findings: Findings) -> None:
    """Report an object without a name, and names, labels and annotations that Kubernetes refuses."""
    meta = node.mapping("metadata")
    if not (meta and (meta.get("name") or meta.get("generateName"))):
        message = "metadata.name: Required value: name or generateName is required"
        findings.error("ORK0630", locate(node, "metadata"), message, path="metadata.name")
    if meta is not None:
        for complaint in metadata_complaints(meta, group, kind):
            findings.error("ORK0613", complaint.span, complaint.message, complaint.hint, path="metadata")


_CLASSES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "int-or-string": (int, str),
    "object": (),
    "array": (),
}
_NOUNS = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean",
    "int-or-string": "an integer or a string",
    "object": "a map",
    "array": "a list",
}


def _mistyped(node: AnyNode, schema: Object, path: str) -> Iterator[tuple[str, AnyNode, str]]:
    """Go over the values of a wrong type: path, node, and the type that is wanted."""
    wanted = openapi.type_of(schema)
    if isinstance(node, Scalar):
        quantity = schema.get("format") == "quantity" and node.value.__class__ in (int, float)
        if wanted != "any" and node.value is not None and node.value.__class__ not in _CLASSES[wanted] and not quantity:
            yield path, node, wanted
    elif wanted not in ("any", "object" if isinstance(node, Mapping) else "array"):
        yield path, node, wanted
    else:
        for step, part in _parts(node):
            inside = openapi.child(schema, step)
            if inside is not None:
                yield from _mistyped(part, inside, f"{path}[{step}]" if step.isdigit() else below(path, step))


def _parts(node: AnyNode) -> Iterator[tuple[str, AnyNode]]:
    if isinstance(node, Mapping):
        yield from node.entries.items()
    elif isinstance(node, Sequence):
        yield from ((str(index), element) for index, element in enumerate(node.elements))


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
    here: AnyNode | None = node
    span = node.head
    for step in _steps(path):
        if isinstance(here, Mapping) and (key := _key(here, step)) is not None:
            span, here = here.key_span(key), here.entries[key]
        elif (here := _element(here, step)) is not None:
            span = here.head
        else:
            break
    return span


def find(node: AnyNode, path: str) -> AnyNode | None:
    """Return the node at a path such as `spec.ports[0].name`, None where there is none."""
    here: AnyNode | None = node
    for step in _steps(path):
        key = _key(here, step) if isinstance(here, Mapping) else None
        here = here.entries[key] if isinstance(here, Mapping) and key is not None else _element(here, step)
    return here


def _key(node: Mapping, name: str) -> str | None:
    """Return the key as it is written: an unquoted `on` is the key `true` of an object."""
    if name in node.entries:
        return name
    if name not in ("true", "false"):
        return None
    return next((key for key in node.entries if WORDS.get(key) is (name == "true")), None)


def _element(node: AnyNode | None, step: str) -> AnyNode | None:
    if isinstance(node, Sequence) and step.isdigit() and int(step) < len(node):
        return node.elements[int(step)]
    return None


def _steps(path: str) -> list[str]:
    return [first or second for first, second in _STEP.findall(path)]

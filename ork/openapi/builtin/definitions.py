"""What the API server refuses in CustomResourceDefinitions; their schemas are `ork.openapi.problems`' business.

Where a schema, subresources or columns are the same in all versions, the server names them as if they stood in `spec`
itself: `spec.validation.openAPIV3Schema`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ork.base.objects import Object
from ork.base.patterns import pattern
from ork.openapi import names
from ork.openapi.builtin.checks import IMMUTABLE, Rules, inside
from ork.openapi.causes import Cause, duplicate, forbidden, invalid, not_supported, required
from ork.openapi.problems import causes_of

_URL = pattern(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s]+")


def _definition(crd: Object, _path: str) -> Iterator[Cause]:
    spec = crd.get("spec") or {}
    yield from _group(spec)
    yield from _scope(spec)
    yield from _versions(spec)
    yield from _names(spec.get("names") or {})
    yield from _conversion(spec.get("conversion") or {})
    yield from _stored(crd)
    yield from _approval(crd)
    if spec.get("preserveUnknownFields"):
        text = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
        yield invalid("spec.preserveUnknownFields", True, text)


def _name(crd: Object, _path: str) -> Iterator[Cause]:
    spec, name = crd.get("spec") or {}, inside(crd, "metadata", "name") or ""
    if name != f"{inside(spec, 'names', 'plural') or ''}.{spec.get('group') or ''}":
        yield invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')


def _group(spec: Object) -> Iterator[Cause]:
    group = spec.get("group") or ""
    if not group:
        yield required("spec.group")
    elif complaints := names.subdomain(group):
        yield invalid("spec.group", group, ",".join(complaints))
    elif "." not in group:
        yield invalid("spec.group", group, "should be a domain with at least one dot")


def _scope(spec: Object) -> Iterator[Cause]:
    scope = spec.get("scope") or ""
    if not scope:
        yield required("spec.scope")
    elif scope not in ("Cluster", "Namespaced"):
        yield not_supported("spec.scope", scope, ("Cluster", "Namespaced"))


# ── versions ────────────────────────────────────────────────────────────────────────────────────
def _versions(spec: Object) -> Iterator[Cause]:
    versions: list[Object] = spec.get("versions") or []
    for index, version in enumerate(versions):
        if inside(version, "schema", "openAPIV3Schema") is None:
            yield required(f"spec.versions[{index}].schema.openAPIV3Schema")
    for index, version in enumerate(versions):
        yield from _version(version, f"spec.versions[{index}]")
    for field, where, check in _PER_VERSION:
        values = [version.get(field) for version in versions]
        shared = all(value == values[0] for value in values)
        for index, version in enumerate(versions[:1] if shared else versions):
            yield from check(version, where if shared else f"spec.versions[{index}].{field}")
    found = [version.get("name") for version in versions]
    if len(set(found)) < len(found):
        yield invalid("spec.versions", _as_go(versions), "must contain unique version names")
    if sum(bool(version.get("storage")) for version in versions) != 1:
        yield invalid("spec.versions", _as_go(versions), "must have exactly one version marked as storage version")
    if versions and versions[0].get("name"):
        yield from _label(versions[0]["name"], "spec.version")


def _version(version: Object, field: str) -> Iterator[Cause]:
    yield from _label(version.get("name"), f"{field}.name")
    warning = version.get("deprecationWarning")
    if warning is not None:
        here = f"{field}.deprecationWarning"
        if not version.get("deprecated"):
            yield invalid(here, warning, "can only be set for deprecated versions")
        elif not warning:
            yield invalid(here, warning, "must not be an empty string")
        elif len(warning) > 256:
            yield invalid(here, warning, "must be <= 256 characters long")
        elif not warning.isprintable():
            at = next(index for index, letter in enumerate(warning) if not letter.isprintable())
            text = "must only contain printable UTF-8 characters; non-printable character found at index"
            yield invalid(here, warning, f"{text} {at}")


def _as_go(versions: list[Object]) -> list[Object]:
    """Return versions as the server shows them, whose schema and the like it has moved to `spec`."""
    rest = dict.fromkeys(
        ("DeprecationWarning", "Schema", "Subresources", "AdditionalPrinterColumns", "SelectableFields")
    )
    flags = (("Served", "served"), ("Storage", "storage"), ("Deprecated", "deprecated"))
    return [
        {"Name": version.get("name"), **{key: bool(version.get(flag)) for key, flag in flags}, **rest}
        for version in versions
    ]


def _schema(version: Object, field: str) -> Iterator[Cause]:
    schema = inside(version, "schema", "openAPIV3Schema")
    if schema is not None:
        status = inside(version, "subresources", "status") is not None
        yield from causes_of(schema, f"{field}.openAPIV3Schema", status=status)


def _subresources(version: Object, field: str) -> Iterator[Cause]:
    scale = inside(version, "subresources", "scale")
    if scale is None:
        return
    for key, part in (("specReplicasPath", ".spec"), ("statusReplicasPath", ".status")):
        path, here = scale.get(key) or "", f"{field}.scale.{key}"
        if not path:
            yield required(here)
        else:
            yield from _json_path(path, here) or _below(path, (part,), here)
    if path := scale.get("labelSelectorPath"):
        here = f"{field}.scale.labelSelectorPath"
        yield from _json_path(path, here) or _below(path, (".spec", ".status"), here)


def _json_path(path: str, field: str) -> list[Cause]:
    return [] if path.startswith(".") else [invalid(field, path, "must be a simple json path starting with .")]


def _below(path: str, parts: tuple[str, ...], field: str) -> list[Cause]:
    if path.startswith(tuple(f"{part}." for part in parts)):
        return []
    either = "either " if len(parts) > 1 else ""
    return [invalid(field, path, f"should be a json path under {either}{' or '.join(parts)}")]


_COLUMN_TYPES = ("boolean", "date", "integer", "number", "string")
_COLUMN_FORMATS = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")


def _columns(version: Object, field: str) -> Iterator[Cause]:
    for index, column in enumerate(version.get("additionalPrinterColumns") or ()):
        here = f"{field}[{index}]"
        if not column.get("name"):
            yield required(f"{here}.name")
        kind, style, path = column.get("type"), column.get("format"), column.get("jsonPath")
        options = f"must be one of {','.join(_COLUMN_TYPES)}"
        if not kind:
            yield required(f"{here}.type", options)
        elif kind not in _COLUMN_TYPES:
            yield invalid(f"{here}.type", kind, options)
        if style and style not in _COLUMN_FORMATS:
            yield invalid(f"{here}.format", style, f"must be one of {','.join(_COLUMN_FORMATS)}")
        if not path:
            yield required(f"{here}.JSONPath")
        else:
            yield from _json_path(path, f"{here}.JSONPath")


_SELECTABLE = (
    "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."
)


def _selectable(version: Object, field: str) -> Iterator[Cause]:
    schema = inside(version, "schema", "openAPIV3Schema")
    seen: set[str] = set()
    for index, row in enumerate(version.get("selectableFields") or ()):
        path, here = row.get("jsonPath"), f"{field}[{index}].jsonPath"
        if not path:
            yield required(here)
            continue
        found = _declared(schema, path)
        if not path.startswith("."):
            yield invalid(here, path, f"is an invalid path: expected [ or . but got: {path.partition('.')[0]}")
        elif found is None:
            yield invalid(here, path, "is an invalid path: does not refer to a valid field")
        elif found.get("type") not in ("string", "boolean", "integer"):
            yield invalid(here, path, _SELECTABLE)
        elif path in seen:
            yield duplicate(here, path)
        seen.add(path)


def _declared(schema: Any, path: str) -> Object | None:
    for step in path.removeprefix(".").split("."):
        schema = inside(schema, "properties", step)
    return schema if isinstance(schema, dict) else None


_PER_VERSION = (
    ("schema", "spec.validation", _schema),
    ("subresources", "spec.subresources", _subresources),
    ("additionalPrinterColumns", "spec.additionalPrinterColumns", _columns),
    ("selectableFields", "spec.selectableFields", _selectable),
)


# ── names ───────────────────────────────────────────────────────────────────────────────────────
def _label(value: Any, field: str, prefix: str = "") -> Iterator[Cause]:
    complaints = names.dns_label_1035((value or "").lower() if prefix else value or "")
    if complaints:
        yield invalid(field, value or "", prefix + ",".join(complaints))


def _names(found: Object) -> Iterator[Cause]:
    for key in ("plural", "singular", "kind", "listKind"):
        if not found.get(key):
            yield required(f"spec.names.{key}")
        else:
            prefix = "may have mixed case, but should otherwise match: " if key.lower().endswith("kind") else ""
            yield from _label(found[key], f"spec.names.{key}", prefix)
    for key in ("shortNames", "categories"):
        for index, name in enumerate(found.get(key) or ()):
            yield from _label(name, f"spec.names.{key}[{index}]")
    if found.get("kind") and found.get("kind") == found.get("listKind"):
        yield invalid("spec.names.listKind", found["kind"], "kind and listKind may not be the same")


def _conversion(conversion: Object) -> Iterator[Cause]:
    strategy = conversion.get("strategy", "None")
    if not strategy:
        yield required("spec.conversion.strategy")
    elif strategy not in ("None", "Webhook"):
        yield not_supported("spec.conversion.strategy", strategy, ("None", "Webhook"))
    client, reviews = (inside(conversion, "webhook", key) for key in ("clientConfig", "conversionReviewVersions"))
    if strategy == "Webhook":
        yield from _client(client)
        yield from _reviews(reviews or [])
        return
    for field, value in ((_CLIENT, client), (_REVIEWS, reviews)):
        if value:
            yield forbidden(field, "should not be set when strategy is not set to Webhook")


_CLIENT, _REVIEWS = "spec.conversion.webhookClientConfig", "spec.conversion.conversionReviewVersions"


def _client(client: Object | None) -> Iterator[Cause]:
    if client is None:
        yield required(_CLIENT, "required when strategy is set to Webhook")
        return
    url, service = client.get("url"), client.get("service")
    if (url is None) == (service is None):
        yield required(_CLIENT, "exactly one of url or service is required")
    elif url is not None:
        yield from _webhook_url(url)
    else:
        yield from _service(service or {})


def _webhook_url(url: str) -> Iterator[Cause]:
    scheme, found, rest = url.partition("://")
    form = "desired format: https://host[/path]"
    if not found or scheme != "https":
        text = f"'https' is the only allowed URL scheme; {form}"
        yield invalid(f"{_CLIENT}.url", scheme if found else "", text)
    if not rest.partition("/")[0]:
        yield invalid(f"{_CLIENT}.url", rest.partition("/")[0], f"host must be specified; {form}")


def _service(service: Object) -> Iterator[Cause]:
    field, port, path = f"{_CLIENT}.service", service.get("port", 443), service.get("path")
    for key in ("name", "namespace"):
        if not service.get(key):
            # The API server names the missing namespace so, too.
            yield required(f"{field}.name")
    if not 0 < port < 65536:
        yield invalid(f"{field}.port", port, "port is not valid: must be between 1 and 65535, inclusive")
    if path and not path.startswith("/"):
        yield invalid(f"{field}.path", path, "must start with a '/'")


def _reviews(versions: list[str]) -> Iterator[Cause]:
    if not versions:
        yield required(_REVIEWS)
        return
    for index, version in enumerate(versions):
        if version in versions[:index]:
            yield invalid(f"{_REVIEWS}[{index}]", version, "duplicate version")
        yield from _label(version, f"{_REVIEWS}[{index}]")
    if not {"v1", "v1beta1"} & {*versions}:
        yield invalid(_REVIEWS, versions, "must include at least one of v1, v1beta1")


# ── status and approval ─────────────────────────────────────────────────────────────────────────
def _stored(crd: Object) -> Iterator[Cause]:
    stored = inside(crd, "status", "storedVersions")
    field, versions = "status.storedVersions", inside(crd, "spec", "versions") or []
    if not stored:
        if not any(version.get("storage") for version in versions):
            yield invalid(field, None, "must have at least one stored version")
        return
    known = [version.get("name") for version in versions]
    for version in versions:
        if version.get("storage") and version.get("name") not in stored:
            yield invalid(field, stored, f"must have the storage version {version.get('name')}")
    for index, name in enumerate(stored):
        if name not in known:
            text = (
                f"missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions"
            )
            rest = f"until a storage migration ensures no data remains persisted in {name} and removes {name}"
            yield invalid(f"{field}[{index}]", name, f"{text} {rest} from status.storedVersions")


def _approval(crd: Object) -> Iterator[Cause]:
    group = inside(crd, "spec", "group") or ""
    annotation = "api-approved.kubernetes.io"
    protected = group == "k8s.io" or group.endswith((".k8s.io", ".kubernetes.io")) or group == "kubernetes.io"
    if not protected:
        return
    given, field = inside(crd, "metadata", "annotations", annotation), f"metadata.annotations[{annotation}]"
    link = "see https://github.com/kubernetes/enhancements/pull/1111"
    text = f'protected groups must have approval annotation "{annotation}"'
    if not given:
        yield required(field, f"{text}, {link}")
    elif not given.startswith("unapproved") and not _URL.match(given):
        yield invalid(field, given, f'{text} with either a URL or a reason starting with "unapproved", {link}')


def _kept(new: Object, old: Object) -> Iterator[Cause]:
    conditions = inside(old, "status", "conditions") or ()
    established = any(row.get("type") == "Established" and row.get("status") == "True" for row in conditions)
    for path in ("group", "names.plural", *(("scope", "names.kind") if established else ())):
        value = inside(new, "spec", *path.split("."))
        if value != inside(old, "spec", *path.split(".")):
            yield invalid(f"spec.{path}", value, IMMUTABLE)


RULES: Mapping[str, Rules] = {
    "apiextensions.v1.CustomResourceDefinition": Rules(whole=(_definition,), creation=(_name,), changes=(_kept,)),
}

"""What Kubernetes takes as a name: of objects, labels, annotations and finalizers. Each rule returns its complaints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from ork.base.patterns import pattern

NameRule = Callable[[str], list[str]]

_SUBDOMAIN = pattern(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\Z")
_LABEL = pattern(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?\Z")
_QUALIFIED = pattern(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\Z")

_SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
_LABEL_TEXT = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
_QUALIFIED_TEXT = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
_VALUE_TEXT = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)


def subdomain(name: str) -> list[str]:
    """Complain about a name that is no DNS subdomain (most objects' names)."""
    out = ["must be no more than 253 characters"] if len(name) > 253 else []
    return out if _SUBDOMAIN.match(name) else [*out, _SUBDOMAIN_TEXT]


def label(name: str) -> list[str]:
    """Complain about a name that is no DNS label (namespaces, services)."""
    out = ["must be no more than 63 characters"] if len(name) > 63 else []
    if _LABEL.match(name):
        return out
    return [*out, "must not contain dots"] if _SUBDOMAIN.match(name) else [*out, _LABEL_TEXT]


def path_segment(name: str) -> list[str]:
    """Complain about a name that cannot stand in a URL's path (roles and their bindings)."""
    if name in (".", ".."):
        return [f"may not be '{name}'"]
    return [f"may not contain '{part}'" for part in ("/", "%") if part in name]


def prefix(rule: NameRule) -> NameRule:
    """Return the rule for a `generateName`: what follows a trailing dash is not known yet."""

    def checked(name: str) -> list[str]:
        ends_open = rule is not path_segment and len(name) > 1 and name.endswith("-")
        return rule(name[:-2] + "a" if ends_open else name)

    return checked


@lru_cache(4096)
def qualified(name: str) -> tuple[str, ...]:
    """Complain about a label key, annotation key or finalizer: `[prefix/]name`."""
    head, slash, tail = name.rpartition("/")
    if "/" in head:
        text = "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
        return (
            f"{text} an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation "
            "is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' "
            "(e.g. 'example.com/MyName')",
        )
    out = []
    if slash:
        out += ["prefix part must be non-empty"] if not head else [f"prefix part {text}" for text in subdomain(head)]
    if not tail:
        out.append("name part must be non-empty")
    elif len(tail) > 63:
        out.append("name part must be no more than 63 characters")
    return (*out, *([] if _QUALIFIED.match(tail) else [f"name part {_QUALIFIED_TEXT}"]))


@lru_cache(4096)
def label_value(value: str) -> tuple[str, ...]:
    """Complain about the value of a label."""
    if not value:
        return ()
    out = ("must be no more than 63 characters",) if len(value) > 63 else ()
    return out if _QUALIFIED.match(value) else (*out, _VALUE_TEXT)


RULES: Mapping[str, NameRule] = {
    "namespaces": label,
    "services": label,
    "roles.rbac.authorization.k8s.io": path_segment,
    "rolebindings.rbac.authorization.k8s.io": path_segment,
    "clusterroles.rbac.authorization.k8s.io": path_segment,
    "clusterrolebindings.rbac.authorization.k8s.io": path_segment,
}
"""The resources whose names are not subdomains."""

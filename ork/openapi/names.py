"""What Kubernetes takes as a name, a label, a key, a port. Each rule returns its complaints, in Kubernetes' words."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from ork.base.patterns import pattern

Complaints = tuple[str, ...]
NameRule = Callable[[str], Complaints]

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_AS_SUBDOMAIN = "must consist of lower case alphanumeric characters, '-' or '.'"
_AT_BOTH_ENDS = "and must start and end with an alphanumeric character"
_AS_QUALIFIED = f"consist of alphanumeric characters, '-', '_' or '.', {_AT_BOTH_ENDS}"


def _explained(text: str, pattern: str, *examples: str) -> str:
    """Return what a text must look like, with examples and the regular expression, as Kubernetes puts it together."""
    listed = " or ".join(f"'{example}', " for example in examples).removesuffix(", ")
    return f"{text} (e.g. {listed}, regex used for validation is '{pattern}')"


_SUBDOMAIN_TEXT = _explained(
    f"a lowercase RFC 1123 subdomain {_AS_SUBDOMAIN}, {_AT_BOTH_ENDS}",
    _SUBDOMAIN,
    "example.com",
)
_LABEL_TEXT = _explained(
    f"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', {_AT_BOTH_ENDS}",
    _LABEL,
    "my-name",
    "123-abc",
)
_LABEL_1035_TEXT = _explained(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character",
    _LABEL_1035,
    "my-name",
    "abc-123",
)
_WILDCARD_TEXT = _explained(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which "
    f"{_AS_SUBDOMAIN} and end with an alphanumeric character",
    rf"\*\.{_SUBDOMAIN}",
    "*.example.com",
)
_QUALIFIED_TEXT = _explained(f"must {_AS_QUALIFIED}", _QUALIFIED, "MyName", "my.name", "123-abc")
_VALUE_TEXT = _explained(
    f"a valid label must be an empty string or {_AS_QUALIFIED}", f"({_QUALIFIED})?", "MyValue", "my_value", "12345"
)
_KEY_TEXT = _explained(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    "[-._a-zA-Z0-9]+",
    "key.name",
    "KEY_NAME",
    "key-name",
)
_SEARCH_PATH = r"_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*"
_SEARCH_PATH_TEXT = _explained(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', "
    f"{_AT_BOTH_ENDS}",
    _SEARCH_PATH,
    "example.com",
)
_PERCENT_TEXT = _explained(
    "a valid percent string must be a numeric string followed by an ending '%'", "[0-9]+%", "1%", "93%"
)


def _matching(shape: str, text: str, limit: int) -> NameRule:
    compiled = pattern(shape)

    @lru_cache(1024)
    def rule(name: str) -> Complaints:
        long = (f"must be no more than {limit} characters",) if len(name) > limit else ()
        return long if compiled.fullmatch(name) else (*long, text)

    return rule


subdomain = _matching(_SUBDOMAIN, _SUBDOMAIN_TEXT, 253)
"""Complain about what is no DNS subdomain: most objects' names."""
dns_label_1035 = _matching(_LABEL_1035, _LABEL_1035_TEXT, 63)
"""Complain about what is no DNS label that starts with a letter: the names in a CustomResourceDefinition."""
wildcard = _matching(rf"\*\.{_SUBDOMAIN}", _WILDCARD_TEXT, 253)
"""Complain about what is no subdomain with a leading `*.`."""
search_path = _matching(_SEARCH_PATH, _SEARCH_PATH_TEXT, 253)
"""Complain about what is no domain in which a resolver may look; underscores are fine."""
percent = _matching("[0-9]+%", _PERCENT_TEXT, 1000)
"""Complain about what is no percentage: `25%`."""
_label = _matching(_LABEL, _LABEL_TEXT, 63)
_key = _matching("[-._a-zA-Z0-9]+", _KEY_TEXT, 253)


def dns_label(name: str) -> Complaints:
    """Complain about what is no DNS label: namespaces, services, containers, volumes."""
    found = _label(name)
    if _LABEL_TEXT in found and _SUBDOMAIN_TEXT not in subdomain(name):
        return (*found[:-1], "must not contain dots")
    return found


def any_case(rule: NameRule) -> NameRule:
    """Return a rule that takes capitals for small letters."""
    return lambda name: rule(name.lower())


def path_segment(name: str) -> Complaints:
    """Complain about what cannot stand in a URL's path."""
    if name in (".", ".."):
        return (f"may not be '{name}'",)
    return tuple(f"may not contain '{part}'" for part in ("/", "%") if part in name)


@lru_cache(4096)
def qualified(name: str) -> Complaints:
    """Complain about what is no `[prefix/]name`: label and annotation keys, finalizers."""
    head, slash, tail = name.rpartition("/")
    if "/" in head:
        suffix = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return (f"a valid label key {_QUALIFIED_TEXT} {suffix}",)
    prefix = ("must be non-empty",) if slash and not head else subdomain(head) if slash else ()
    rest = ("must be non-empty",) if not tail else ("must be no more than 63 bytes",) if len(tail) > 63 else ()
    matches = re.fullmatch(_QUALIFIED, tail) is not None
    of_name = rest if matches else (*rest, _QUALIFIED_TEXT)
    return (*(f"prefix part {text}" for text in prefix), *(f"name part {text}" for text in of_name))


annotation_key = any_case(qualified)
"""Complain about what is no key of an annotation."""


@lru_cache(4096)
def label_value(value: str) -> Complaints:
    """Complain about what is no label's value."""
    long = ("must be no more than 63 bytes",) if len(value) > 63 else ()
    return long if not value or re.fullmatch(_QUALIFIED, value) else (*long, _VALUE_TEXT)


def config_key(key: str) -> Complaints:
    """Complain about what is no key of a ConfigMap or Secret."""
    if key in (".", ".."):
        return (*_key(key), f"must not be '{key}'")
    return (*_key(key), *(("must not start with '..'",) if key.startswith("..") else ()))


def env_name(name: str) -> Complaints:
    """Complain about what is no name of an environment variable."""
    if name and all(" " <= char <= "~" and char != "=" for char in name):
        return ()
    return ("a valid environment variable name must consist only of printable ASCII characters other than '='",)


def port_name(name: str) -> Complaints:
    """Complain about what is no name of a port (an IANA service name)."""
    faults = {
        "must be no more than 15 characters": len(name) > 15,
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)": not re.fullmatch("[-a-z0-9]+", name),
        "must contain at least one letter (a-z)": not re.search("[a-z]", name),
        "must not contain consecutive hyphens": "--" in name,
        "must not begin or end with a hyphen": name.startswith("-") or name.endswith("-"),
    }
    return tuple(text for text, wrong in faults.items() if wrong)


def finalizer(name: str) -> Complaints:
    """Complain about what is no finalizer that Kubernetes itself takes."""
    found = qualified(name)
    if found or "/" in name or name in ("kubernetes", "orphan", "foregroundDeletion"):
        return found
    return ("name is neither a standard finalizer name nor is it fully qualified",)

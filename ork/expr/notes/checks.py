"""Notes that check what people type into fields. Each answers true or false, of any value."""

from __future__ import annotations

import re
from typing import Any

from ork.base.patterns import pattern
from ork.expr.compare import number
from ork.expr.notes.note import Example, note, text

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_DNS_LABEL = pattern(_LABEL)
_SUBDOMAIN = pattern(rf"{_LABEL}(\.{_LABEL})*")
_QUALIFIED = pattern(r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?")
_HOST_LABEL = "[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?"
_EMAIL = pattern(rf"[A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]{{1,64}}@{_HOST_LABEL}(\.{_HOST_LABEL})+")
_GIT = pattern(r"((https?|git|ssh)://[^\s/]+/\S+|[\w.-]+@[\w.-]+:\S+)", re.ASCII)
_IMAGE = pattern(
    rf"({_HOST_LABEL}(\.{_HOST_LABEL})*(:[0-9]+)?/)?"
    r"[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*"
    r"(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(@[A-Za-z][A-Za-z0-9]*:[0-9a-fA-F]{32,})?"
)
_LONGEST = 253
"""Characters of a DNS name; also a bound on what the expressions above have to look at."""


def _matches(pattern: re.Pattern[str], longest: int = _LONGEST) -> Any:
    return lambda value: len(text(value)) <= longest and pattern.fullmatch(text(value)) is not None


def _is_url(value: Any) -> bool:
    from urllib.parse import urlsplit

    if re.search(r"[\s\x00-\x1f\x7f]", text(value)):
        return False
    try:
        parts = urlsplit(text(value))
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def _is_json(value: Any) -> bool:
    import json

    try:
        json.loads(text(value))
    except (ValueError, RecursionError):
        return False
    return True


def _is_port(value: Any) -> bool:
    found = number(value)
    return isinstance(found, int) and 1 <= found <= 65535


def _is_label_key(value: Any) -> bool:
    prefix, slash, name = text(value).rpartition("/")
    return (not slash or _is_subdomain(prefix)) and 0 < len(name) <= 63 and _QUALIFIED.fullmatch(name) is not None


def _is_label_value(value: Any) -> bool:
    return text(value) == "" or (len(text(value)) <= 63 and _QUALIFIED.fullmatch(text(value)) is not None)


_is_subdomain = _matches(_SUBDOMAIN)

NOTES = (
    note(
        "isValidEmail TEXT",
        _matches(_EMAIL),
        "Whether the text is one bare e-mail address.",
        Example("{{ isValidEmail .spec.owner }}", {"spec": {"owner": "team@example.com"}}, True),
    ),
    note(
        "isValidURL TEXT",
        _is_url,
        "Whether the text is an absolute http or https URL.",
        Example("{{ isValidURL .spec.webhook }}", {"spec": {"webhook": "ftp://example.com"}}, False),
    ),
    note(
        "isValidGitRepository TEXT",
        _matches(_GIT, 2048),
        "Whether the text looks like the URL of a git repository.",
        Example("{{ isValidGitRepository .spec.repo }}", {"spec": {"repo": "git@example.com:org/app.git"}}, True),
    ),
    note(
        "isValidImageRef TEXT",
        _matches(_IMAGE, 512),
        "Whether the text is a reference to a container image.",
        Example("{{ isValidImageRef .spec.image }}", {"spec": {"image": "registry.example.com:5000/org/app:v1"}}, True),
    ),
    note(
        "isValidJSON TEXT",
        _is_json,
        "Whether the text is JSON.",
        Example("{{ isValidJSON .spec.selector }}", {"spec": {"selector": "{not json"}}, False),
    ),
    note(
        "isValidPort VALUE",
        _is_port,
        "Whether the value is a port number, 1 to 65535.",
        Example("{{ isValidPort .spec.port }}", {"spec": {"port": "8080"}}, True),
    ),
    note(
        "isDNS1123Subdomain TEXT",
        _is_subdomain,
        "Whether the text can name most Kubernetes objects: lower-case letters, digits, dashes, and dots between.",
        Example("{{ isDNS1123Subdomain .spec.host }}", {"spec": {"host": "my-app.example.com"}}, True),
    ),
    note(
        "isDNS1123Label TEXT",
        _matches(_DNS_LABEL, 63),
        "Whether the text is one lower-case label of letters, digits and dashes, as a namespace's name is.",
        Example("{{ isDNS1123Label .spec.namespace }}", {"spec": {"namespace": "My_App"}}, False),
    ),
    note(
        "isValidLabelKey TEXT",
        _is_label_key,
        "Whether the text can be the key of a label or annotation.",
        Example("{{ isValidLabelKey .spec.key }}", {"spec": {"key": "example.com/tier"}}, True),
    ),
    note(
        "isValidAnnotationKey TEXT",
        _is_label_key,
        "Whether the text can be the key of an annotation.",
        Example("{{ isValidAnnotationKey .spec.key }}", {"spec": {"key": "bad key"}}, False),
    ),
    note(
        "isValidLabelValue TEXT",
        _is_label_value,
        "Whether the text can be the value of a label; the empty text can.",
        Example("{{ isValidLabelValue .spec.team }}", {"spec": {"team": "payments team"}}, False),
    ),
)

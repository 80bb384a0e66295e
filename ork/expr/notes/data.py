"""Notes that encode, decode, digest and name."""

from __future__ import annotations

import re
from typing import Any

from ork.expr import values
from ork.expr.compare import shown
from ork.expr.notes.note import Example, alias, missing, note, text, whole

_NAME_LENGTH = 63
"""What a label value and most names of Kubernetes objects may have."""


def _from_json(value: Any) -> Any:
    import json

    if missing(value):
        return None
    try:
        return json.loads(text(value), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ValueError(f"{shown(value)} is not JSON") from None


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _to_yaml(value: Any) -> str:
    import json

    from ork.base import yaml_writer

    return yaml_writer.dump(json.loads(values.json(value))).rstrip("\n")


def _to_base64(value: Any) -> str:
    from base64 import b64encode

    return b64encode(text(value).encode(errors="surrogateescape")).decode()


def _from_base64(value: Any) -> str:
    from base64 import b64decode

    try:
        return b64decode("".join(text(value).split()), validate=True).decode()
    except ValueError:
        raise ValueError("the text is not base64 of a text in UTF-8") from None


def _sha256sum(value: Any, length: Any = None) -> str:
    from hashlib import sha256

    digest = sha256(text(value).encode(errors="surrogateescape")).hexdigest()
    return digest if length is None else digest[: max(whole(length), 0)]


def slugify(value: Any) -> str:
    """Return a part of a Kubernetes name: lower-case letters, digits, and single dashes between them."""
    return re.sub(r"[^a-z0-9]+", "-", text(value).lower()).strip("-")


def _truncate_name(value: Any, length: Any = _NAME_LENGTH) -> str:
    full, limit = text(value), max(whole(length), 0)
    return full if len(full) <= limit else full[:limit].rstrip("-._")


def _repo_slug(value: Any) -> str:
    last = re.split(r"[/:]", text(value).rstrip("/"))[-1]
    return slugify(last.removesuffix(".git"))


def _lookup(key: Any, *pairs: Any) -> Any:
    if len(pairs) % 2:
        raise ValueError("lookup takes a key and then pairs; the last key has no value")
    wanted = text(key)
    return next((pairs[at + 1] for at in range(0, len(pairs), 2) if text(pairs[at]) == wanted), None)


_to_json = note(
    "toJSON VALUE",
    values.json,
    "The value as compact JSON, keys in order.",
    Example("{{ toJSON .spec.labels }}", {"spec": {"labels": {"b": 1, "a": ["x"]}}}, '{"a":["x"],"b":1}'),
)
_of_json = note(
    "fromJSON TEXT",
    _from_json,
    "The value that a JSON text writes; nothing gives nothing.",
    Example("{{ (fromJSON .spec.raw).port }}", {"spec": {"raw": '{"port": 80}'}}, 80),
)
_yaml = note(
    "toYAML VALUE",
    _to_yaml,
    "The value as YAML that every reader reads alike, keys in order.",
    Example("{{ toYAML .spec.labels }}", {"spec": {"labels": {"app": "web", "on": "yes"}}}, 'app: web\n"on": "yes"'),
)

NOTES = (
    _to_json,
    alias("toJson", _to_json),
    _of_json,
    alias("fromJson", _of_json),
    _yaml,
    alias("toYaml", _yaml),
    note(
        "toBase64 TEXT",
        _to_base64,
        "The text in base64. A secret's short-form `data` needs it not: it is encoded anyway.",
        Example("{{ toBase64 .spec.user }}", {"spec": {"user": "admin"}}, "YWRtaW4="),
    ),
    note(
        "fromBase64 TEXT",
        _from_base64,
        "The text that base64 encodes, as in the `data` of a live Secret.",
        Example('{{ fromBase64 "YWRtaW4=" }}', {}, "admin"),
    ),
    note(
        "sha256sum TEXT [LENGTH]",
        _sha256sum,
        "The SHA-256 digest of the text in hexadecimal digits, or their first LENGTH.",
        Example("{{ sha256sum .spec.config 8 }}", {"spec": {"config": "a: 1"}}, "16c3c6d7"),
    ),
    note(
        "slugify TEXT",
        slugify,
        "The text as a part of a Kubernetes name: lower-case letters, digits, single dashes between them.",
        Example("{{ slugify .spec.team }}", {"spec": {"team": "My Team / Platform"}}, "my-team-platform"),
    ),
    note(
        "truncateName TEXT [LENGTH]",
        _truncate_name,
        "At most LENGTH characters (63), cut so that no dash or dot stands at the end.",
        Example("{{ truncateName .metadata.name 9 }}", {"metadata": {"name": "payments-api"}}, "payments"),
    ),
    note(
        "repoSlug REPOSITORY",
        _repo_slug,
        "The name of a repository, from its path or URL, as a part of a Kubernetes name.",
        Example('{{ repoSlug "git@example.com:org/payments-api.git" }}', {}, "payments-api"),
    ),
    note(
        "lookup KEY [PAIRS...]",
        _lookup,
        "The value that follows the key in a row of keys and values; nothing where the key is not there.",
        Example('{{ lookup .spec.tier "gold" 5 "silver" 3 }}', {"spec": {"tier": "silver"}}, 3),
    ),
)

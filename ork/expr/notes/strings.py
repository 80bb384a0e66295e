"""Notes on text."""

from __future__ import annotations

import re
from typing import Any

from ork.expr.notes.note import Example, alias, items, note, text, whole

_LONGEST = 1 << 20
"""Characters that `repeat` and `indent` may make: a note must not be a way to fill the memory."""


def _trim(value: Any, cutset: Any = None) -> str:
    return text(value).strip(None if cutset is None else text(cutset))


def _split(value: Any, separator: Any) -> list[str]:
    whole_text, mark = text(value), text(separator)
    if not whole_text:
        return []
    return whole_text.split(mark) if mark else list(whole_text)


def _join(value: Any, separator: Any) -> str:
    if isinstance(separator, list) or (separator is None and isinstance(value, str)):
        value, separator = separator, value
    return text(separator).join(map(text, items(value)))


def _contains(value: Any, part: Any) -> bool:
    return text(part) in (map(text, value) if isinstance(value, list) else text(value))


def _repeat(value: Any, count: Any) -> str:
    times, unit = max(whole(count), 0), text(value)
    if times * len(unit) > _LONGEST:
        raise ValueError(f"repeat would make more than {_LONGEST} characters")
    return unit * times


def _truncate(value: Any, length: Any) -> str:
    limit, full = max(whole(length), 0), text(value)
    if len(full) <= limit:
        return full
    return full[: limit - 3] + "..." if limit > 3 else full[:limit]


def _camel_to_kebab(value: Any) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", text(value)).lower()


def _quote(value: Any) -> str:
    escaped = text(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped.replace(chr(13), chr(92) + "r")}"'


def _squote(value: Any) -> str:
    return f"'{text(value)}'"


def _indent(value: Any, spaces: Any) -> str:
    lines, margin = text(value).split("\n"), max(whole(spaces), 0)
    if margin * len(lines) > _LONGEST:
        raise ValueError(f"indent would make more than {_LONGEST} characters")
    return "\n".join(" " * margin + line for line in lines)


_lower = note(
    "lower TEXT",
    lambda value: text(value).lower(),
    "The text in lower-case letters.",
    Example("{{ lower .spec.tier }}", {"spec": {"tier": "GOLD"}}, "gold"),
)
_upper = note(
    "upper TEXT",
    lambda value: text(value).upper(),
    "The text in upper-case letters.",
    Example("{{ upper .spec.tier }}", {"spec": {"tier": "gold"}}, "GOLD"),
)

NOTES = (
    _lower,
    alias("toLower", _lower),
    _upper,
    alias("toUpper", _upper),
    note(
        "trim TEXT [CHARACTERS]",
        _trim,
        "The text without white space, or without those characters, at both ends.",
        Example('{{ trim .spec.path "/" }}', {"spec": {"path": "/images/web/"}}, "images/web"),
    ),
    note(
        "trimSpace TEXT",
        _trim,
        "The text without white space at both ends.",
        Example("{{ trimSpace .spec.domain }}", {"spec": {"domain": "  example.com "}}, "example.com"),
    ),
    note(
        "trimPrefix TEXT PREFIX",
        lambda value, prefix: text(value).removeprefix(text(prefix)),
        "The text without that beginning, if it has it.",
        Example('{{ trimPrefix .metadata.name "app-" }}', {"metadata": {"name": "app-web"}}, "web"),
    ),
    note(
        "trimSuffix TEXT SUFFIX",
        lambda value, suffix: text(value).removesuffix(text(suffix)),
        "The text without that end, if it has it.",
        Example('{{ .spec.image | trimSuffix ":latest" }}', {"spec": {"image": "nginx:latest"}}, "nginx"),
    ),
    note(
        "replace TEXT OLD NEW",
        lambda value, old, new: text(value).replace(text(old), text(new)),
        "The text with every occurrence of OLD replaced.",
        Example('{{ replace .spec.domain "." "-" }}', {"spec": {"domain": "my.app.io"}}, "my-app-io"),
    ),
    note(
        "split TEXT SEPARATOR",
        _split,
        "The list of the pieces between the separators; nothing gives an empty list.",
        Example('{{ index (split .spec.tags ",") 0 }}', {"spec": {"tags": "latest,stable"}}, "latest"),
    ),
    note(
        "join LIST SEPARATOR",
        _join,
        "The elements as one text, with the separator between them; the list may also stand last.",
        Example('{{ join .spec.hosts ", " }}', {"spec": {"hosts": ["a.io", "b.io"]}}, "a.io, b.io"),
    ),
    note(
        "contains TEXT PART",
        _contains,
        "Whether the text has that part, or the list that element.",
        Example('{{ contains .spec.environment "prod" }}', {"spec": {"environment": "production"}}, True),
    ),
    note(
        "hasPrefix TEXT PREFIX",
        lambda value, prefix: text(value).startswith(text(prefix)),
        "Whether the text begins so.",
        Example('{{ hasPrefix .spec.image "ghcr.io/" }}', {"spec": {"image": "ghcr.io/org/app:v1"}}, True),
    ),
    note(
        "hasSuffix TEXT SUFFIX",
        lambda value, suffix: text(value).endswith(text(suffix)),
        "Whether the text ends so.",
        Example('{{ hasSuffix .spec.host ".local" }}', {"spec": {"host": "example.com"}}, False),
    ),
    note(
        "repeat TEXT COUNT",
        _repeat,
        "The text, that many times.",
        Example('{{ repeat "ha" 3 }}', {}, "hahaha"),
    ),
    note(
        "truncate TEXT LENGTH",
        _truncate,
        "At most LENGTH characters of the text; a text that was cut ends in `...`.",
        Example("{{ truncate .spec.summary 10 }}", {"spec": {"summary": "a long summary"}}, "a long ..."),
    ),
    note(
        "camelToKebab TEXT",
        _camel_to_kebab,
        "The text with words parted by dashes instead of capitals.",
        Example("{{ camelToKebab .kind }}", {"kind": "WebsiteOperator"}, "website-operator"),
    ),
    note(
        "quote TEXT",
        _quote,
        "The text in double quotes, with what needs it escaped.",
        Example("{{ quote .spec.motto }}", {"spec": {"motto": 'say "hi"'}}, '"say \\"hi\\""'),
    ),
    note(
        "squote TEXT",
        _squote,
        "The text in single quotes.",
        Example("{{ squote .metadata.name }}", {"metadata": {"name": "web"}}, "'web'"),
    ),
    note(
        "indent TEXT SPACES",
        _indent,
        "The text with every line moved in by that many spaces.",
        Example('{{ indent "a\\nb" 2 }}', {}, "  a\n  b"),
    ),
    note(
        "nindent TEXT SPACES",
        lambda value, spaces: "\n" + _indent(value, spaces),
        "As `indent`, on a new line.",
        Example('{{ "a" | nindent 2 }}', {}, "\n  a"),
    ),
)

"""What is said where a document and its grammar disagree: one function for each way (`ORK01nn`)."""

from __future__ import annotations

import re

from ork.base.findings import Related
from ork.base.text import cut, did_you_mean
from ork.katalog.collect import Findings
from ork.katalog.grammar.shapes import (
    Choice,
    Either,
    Flag,
    Free,
    Length,
    List,
    Map,
    Number,
    Operand,
    Record,
    Shape,
    Text,
    Value,
)
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, Sequence

_FEW = 12
"""So many known keys are listed where none is near."""


def fits(shape: Text, text: str) -> bool:
    """Tell whether a text is what its shape's pattern wants."""
    return re.fullmatch(shape.pattern, text) is not None


def wanted(shape: Shape) -> str:
    """Return what a shape wants, for `… wants a list`."""
    if isinstance(shape, Either):
        forms = [wanted(form) for form in (shape.scalar, shape.map, shape.list) if form is not None]
        return " or ".join(dict.fromkeys(forms))
    if isinstance(shape, Choice):
        return "one of " + _listed(shape.values)
    if isinstance(shape, Number) and shape.whole:
        return "a whole number"
    return getattr(shape, "what", "") or _NOUNS[shape.__class__]


_NOUNS: dict[type, str] = {
    Text: "a text",
    Number: "a number",
    Flag: "`true` or `false`",
    Length: 'a duration such as "30s"',
    Value: "a text, number or boolean",
    Operand: "a text, number, boolean or null",
    Free: "any value",
    List: "a list",
    Map: "a map",
    Record: "a map",
}


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def _name(trail: Trail | None) -> str:
    """Return how a value is called in a message: its key, or its list's and the index."""
    if trail is None:
        return "the document"
    above, step = trail
    if isinstance(step, int):
        return f"{_name(above)[:-1]}[{step}]`" if above else f"item {step}"
    return f"`{step}`"


def wrong(out: Findings, node: AnyNode, shape: Shape, trail: Trail | None) -> None:
    """The value is of another form."""
    message = f"{_name(trail)} wants {wanted(shape)}, and this is {node.noun}"
    out.error("ORK0102", node.head, message, _remedy(node, shape), path=path_text(trail))


def _remedy(node: AnyNode, shape: Shape) -> str:
    if isinstance(node, Scalar) and node.is_text:
        if isinstance(shape, Flag) and node.value.lower() in ("true", "false"):
            return f"write {node.value.lower()} without quotes"
        if isinstance(shape, Number) and re.fullmatch(r"-?[0-9]+", node.value):
            return f"write {node.value} without quotes"
    if isinstance(node, Scalar) and isinstance(shape, Length) and node.value.__class__ is int:
        return f'write "{node.value}s" if seconds are meant'
    if isinstance(shape, List) and isinstance(node, Mapping):
        return "begin each item with `- `"
    if isinstance(shape, List) and isinstance(node, Scalar) and isinstance(shape.item, Record):
        return f"write a list, such as `- {_sample(shape.item)}`"
    return f"write a map, such as `{_sample(shape, node)}`" if isinstance(shape, Record) and shape.fields else ""


def _sample(shape: Record, node: AnyNode | None = None) -> str:
    """Return a record with what it needs, else its name or first two keys; with the text where one key is enough."""
    text = node.text if isinstance(node, Scalar) and len(shape.required) == 1 else ""
    keys = shape.required or (("name",) if "name" in shape.fields else tuple(shape.fields)[:2])
    return "{" + ", ".join(f"{key}: {cut(text, 40) or '…'}" for key in keys) + "}"


def no_text(out: Findings, node: AnyNode, shape: Shape, trail: Trail | None) -> None:
    """A list or map, or what YAML reads as something else without quotes, where a text is meant."""
    if isinstance(node, Scalar):
        message = f"{_name(trail)} wants {wanted(shape)}, and YAML reads {node.noun} here"
        out.error("ORK0103", node.span, message, quoting(node), path=path_text(trail))
    else:
        wrong(out, node, shape, trail)


def quoting(node: Scalar) -> str:
    """Return how a scalar that YAML retyped is written as the text that was meant."""
    return f'quote it: "{cut(node.text, 40)}"' if node.text else 'write "" if the empty text is meant'


def malformed(out: Findings, node: Scalar, what: str, trail: Trail | None, hint: str = "") -> None:
    """A text is not what it should look like."""
    message = f'{_name(trail)}: "{cut(node.value, 80)}" is not {what}'
    out.error("ORK0106", node.span, message, hint, path=path_text(trail))


def out_of_range(out: Findings, node: Scalar, shape: Number, trail: Trail | None) -> None:
    """A number is too small or too large."""
    bounds = f"from {shape.least} to {shape.most}" if shape.most is not None else f"{shape.least} or more"
    out.error("ORK0106", node.span, f"{_name(trail)} wants a number, {bounds}", path=path_text(trail))


def too_short(out: Findings, node: Sequence, shape: List, trail: Trail | None) -> None:
    """A list has too few items."""
    out.error("ORK0106", node.head, f"{_name(trail)} wants at least {shape.least} items", path=path_text(trail))


def no_choice(out: Findings, node: Scalar, shape: Choice, trail: Trail | None) -> None:
    """A text is none of a closed list."""
    code, hint = "ORK0105", did_you_mean(node.value, shape.values) or f"write {wanted(shape)}"
    message = f'{_name(trail)}: "{cut(node.value, 80)}" is none of its values'
    if shape.later:
        code, hint = "ORK0111", f"today: {_listed(shape.values)}"
        message = f'{_name(trail)}: "{node.value}" is known, but not supported yet'
    out.error(code, node.span, message, hint, path=path_text(trail))


def older_value(out: Findings, node: Scalar, today: str, trail: Trail | None) -> None:
    """A text is an older word for one of a closed list."""
    message = f'"{node.value}" is an older spelling of "{today}"'
    out.info("ORK0110", node.span, message, f'write "{today}"', path=path_text(trail))


def missing(out: Findings, node: Mapping, key: str, shape: Record, trail: Trail | None) -> None:
    """A required key is not there."""
    field = shape.fields[key]
    only = field.shape.values[0] if isinstance(field.shape, Choice) and len(field.shape.values) == 1 else ""
    hint = (
        f"add `{key}: {only}`" if only else f"add `{key}:` ({field.doc[:1].lower()}{field.doc[1:].removesuffix('.')})"
    )
    out.error("ORK0104", node.head, f"{_name(trail)} needs the key `{key}`", hint, path=path_text(trail))


def unknown(out: Findings, node: Mapping, key: str, shape: Record, trail: Trail | None) -> None:
    """A key that no field has."""
    names = [*shape.fields, *shape.aliases, *shape.older]
    hint = did_you_mean(key, names) or shape.otherwise or _known(shape, trail)
    message = f'unknown key "{cut(key, 80)}" in {_name(trail)}'
    out.error("ORK0101", node.key_span(key), message, hint, path=path_text((trail, key)))


def _known(shape: Record, trail: Trail | None) -> str:
    """Name the keys, or the call that does: it knows the paths of a Katalog that is in one file."""
    place = path_text(trail)
    if len(shape.fields) <= _FEW or not place.startswith("spec.crds."):
        return "known keys: " + ", ".join(shape.fields)
    return f"`ork explain {place}` lists the keys"


def later(out: Findings, node: Mapping, key: str, shape: Record, trail: Trail | None) -> None:
    """A key of the original system that is not carried out yet."""
    message = f'"{key}" is known, but not supported yet'
    hint = shape.otherwise or "remove it; nothing else would carry it out"
    out.error("ORK0111", node.key_span(key), message, hint, path=path_text((trail, key)))


def idle(out: Findings, node: Mapping, key: str, trail: Trail | None) -> None:
    """A key that only a Go program reads."""
    message = f'"{key}" speaks to a Go program and has no effect here'
    out.info("ORK0112", node.key_span(key), message, "it may be removed", path=path_text((trail, key)))


def twice(out: Findings, node: Mapping, key: str, name: str, trail: Trail | None) -> None:
    """Two spellings of one key."""
    message = f'"{key}" says `{name}` a second time'
    out.error("ORK0108", node.key_span(key), message, "keep one of the two", path=path_text((trail, key)))


def beside_include(out: Findings, node: Mapping, key: str, trail: Trail | None) -> None:
    """Another key beside `include` in a list."""
    message = f'"{key}" cannot stand beside `include`, which takes the place of the whole item'
    related = (Related(node.key_span("include"), "the include"),)
    out.error(
        "ORK0108", node.key_span(key), message, "make it an item of its own", path=path_text(trail), related=related
    )


def bad_key(out: Findings, node: Mapping, key: str, shape: Text, trail: Trail | None) -> None:
    """A key of the author's choice that is not allowed."""
    out.error("ORK0107", node.key_span(key), f'"{cut(key, 80)}" is not {shape.what}', path=path_text((trail, key)))

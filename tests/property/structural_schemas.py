"""Random structural schemas, and values that fit them more or less; what a seed gives never changes."""

from __future__ import annotations

from random import Random
from typing import Any

Schema = dict[str, Any]

TEXTS = (
    *("", "a", "abc", "abcdefgh", "ABC", "10", "true", "2024-01-02", "2024-01-02T03:04:05Z", "1.2.3.4"),
    *("é", "1h", "aGVsbG8="),
)
INTEGERS = (0, 1, -1, 2, 3, 7, 10, 100, 2**31, 2**31 - 1, -(2**31) - 1, 2**63 - 1)
NUMBERS = (*INTEGERS, 1.5, 0.5, 2.5, -0.5, 1e10, 3.0, 1e40)
NAMES = "abcxyz"
FORMATS = ("date", "date-time", "byte", "ipv4", "uuid", "hostname", "duration", "odd", "email", "uri", "cidr")
_SCALARS = ("string", "integer", "number", "boolean")


def schema(random: Random, depth: int = 0) -> Schema:
    """Return a schema that an API server takes, two levels deep at most."""
    if random.random() < 0.06:
        return _int_or_string(random)
    kind = random.choice((*_SCALARS, "object", "array", "object", "array") if depth < 2 else _SCALARS)
    found: Schema = {"type": kind, **_limits(random, kind)}
    if kind == "object":
        found |= _fields(random, depth)
    if kind == "array":
        found |= _items(random, depth)
    if random.random() < 0.15:
        found["nullable"] = True
    if depth and random.random() < 0.3:
        found["default"] = _default(random, kind)
    return found | _junctors(random, found)


def value(random: Random, wanted: Schema, depth: int = 0) -> Any:
    """Return a value that mostly fits a schema."""
    if random.random() < 0.15 or "type" not in wanted:
        return anything(random, depth)
    if "enum" in wanted and random.random() < 0.5:
        return random.choice(wanted["enum"])
    kind = wanted["type"]
    if kind == "array":
        return [value(random, wanted["items"], depth + 1) for _ in range(random.randrange(4))]
    if kind == "object":
        return _object(random, wanted, depth)
    return random.choice({"string": TEXTS, "integer": INTEGERS, "number": NUMBERS, "boolean": (True, False)}[kind])


def anything(random: Random, depth: int = 0) -> Any:
    """Return any JSON value."""
    chance = random.random()
    if depth < 2 and chance < 0.25:
        return {random.choice(NAMES): anything(random, depth + 1) for _ in range(random.randrange(4))}
    if depth < 2 and chance < 0.45:
        return [anything(random, depth + 1) for _ in range(random.randrange(4))]
    return random.choice((random.choice(TEXTS), random.choice(NUMBERS), True, False, None))


def _int_or_string(random: Random) -> Schema:
    found: Schema = {"x-kubernetes-int-or-string": True}
    if random.random() < 0.5:
        found["anyOf"] = [{"type": "integer"}, {"type": "string"}]
    if random.random() < 0.3:
        found["pattern"] = "^[0-9]+$"
    return found


def _some(random: Random, **options: tuple[float, Any]) -> Schema:
    """Return some of the keywords, each with its chance; a tuple of values gives one of them."""
    drawn = {key: random.choice(values) for key, (chance, values) in options.items() if random.random() < chance}
    return {key: list(found) if isinstance(found, tuple) else found for key, found in drawn.items()}


def _limits(random: Random, kind: str) -> Schema:
    if kind == "string":
        return _some(
            random,
            minLength=(0.3, range(4)),
            maxLength=(0.3, range(6)),
            pattern=(0.3, ("^a", "[0-9]+$", "^$", "b.*c")),
            enum=(0.2, (TEXTS[:3], TEXTS[2:6], TEXTS[5:9])),
            format=(0.3, FORMATS),
        )
    if kind in ("integer", "number"):
        return _numeric_limits(random, whole=kind == "integer")
    if kind == "array":
        return _some(random, minItems=(0.3, range(3)), maxItems=(0.3, range(4)))
    if kind == "object":
        required = (("a",), ("b", "c"), ("c", "a"))
        return _some(random, minProperties=(0.2, range(3)), maxProperties=(0.2, range(4)), required=(0.3, required))
    return {}


def _numeric_limits(random: Random, *, whole: bool) -> Schema:
    found = _some(
        random,
        minimum=(0.4, (0, 1, -1, 2) if whole else (0, 1, -1, 0.5)),
        maximum=(0.4, (0, 3, 10, 100) if whole else (3, 10.5, 100)),
        multipleOf=(0.2, (1, 2, 5) if whole else (0.5, 2, 0.1, 1.5)),
        enum=(0.2, ((0, 1, 2), (1, 3, 10))),
        format=(0.3, ("int32", "int64") if whole else ("float", "double")),
    )
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if bound in found and random.random() < 0.3:
            found[exclusive] = True
    return found


def _fields(random: Random, depth: int) -> Schema:
    chance = random.random()
    found: Schema = {"x-kubernetes-preserve-unknown-fields": True} if random.random() < 0.15 else {}
    if chance < 0.6:
        names = random.sample(NAMES, random.randrange(1, 4))
        return found | {"properties": {name: schema(random, depth + 1) for name in names}}
    if chance < 0.8:
        return found | {"additionalProperties": random.choice((True, schema(random, depth + 1)))}
    return found


def _items(random: Random, depth: int) -> Schema:
    items = schema(random, depth + 1)
    found: Schema = {"items": items}
    if items.get("type") in ("string", "integer") and not items.get("nullable") and random.random() < 0.4:
        found["x-kubernetes-list-type"] = "set"
    keys = [key for key, sub in (items.get("properties") or {}).items() if _is_key(sub)]
    if keys and random.random() < 0.6:
        items.pop("nullable", None)
        items["required"] = sorted({*items.get("required", ()), *keys})
        found |= {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys}
    return found


def _is_key(sub: Schema) -> bool:
    return sub.get("type") in ("string", "integer", "boolean") and not sub.get("nullable")


def _default(random: Random, kind: str) -> Any:
    defaults: dict[str, tuple[Any, ...]] = {
        "string": TEXTS,
        "integer": (0, 1, 2, 5),
        "number": (1, 0.5),
        "boolean": (True,),
        "object": ({},),
        "array": ([],),
    }
    return random.choice(defaults[kind])


def _junctors(random: Random, found: Schema) -> Schema:
    out: Schema = {}
    if random.random() < 0.25:
        branches = [_branch(random, found) for _ in range(random.randrange(1, 4))]
        out[random.choice(("anyOf", "oneOf", "allOf"))] = branches
    if random.random() < 0.07:
        out["not"] = _limits(random, found["type"])
    return out


def _branch(random: Random, found: Schema) -> Schema:
    branch = _limits(random, found["type"])
    if found["type"] != "string":
        branch.pop("format", None)  # in the checks of defaults, and only there, a number's format counts without a type
    if found.get("properties") and random.random() < 0.6:
        name = random.choice(list(found["properties"]))
        branch["properties"] = {name: _limits(random, found["properties"][name].get("type", "string"))}
    return branch


def _object(random: Random, wanted: Schema, depth: int) -> Schema:
    found = {
        name: value(random, sub, depth + 1)
        for name, sub in wanted.get("properties", {}).items()
        if random.random() < 0.6
    }
    extra = wanted.get("additionalProperties")
    for name in random.sample(NAMES, random.randrange(3)) if isinstance(extra, dict) else ():
        found[name] = value(random, extra, depth + 1)  # type: ignore[arg-type]
    if random.random() < 0.2:
        found[random.choice(NAMES)] = anything(random, depth + 1)
    return found

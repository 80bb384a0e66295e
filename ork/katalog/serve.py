"""`serve`: the targets that count, and the admission rules that served fields bring (language, section 12)."""

from __future__ import annotations

from collections.abc import Iterator

from ork.base.findings import Related, Span
from ork.base.paths import Path
from ork.base.patterns import pattern
from ork.base.records import NamedTuple
from ork.expr.conditions import Condition, Guard, condition, guard_reads
from ork.expr.env import Place
from ork.expr.template import parse_field
from ork.katalog import conditions, dotted
from ork.katalog.collect import Findings
from ork.katalog.expressions import Expressions
from ork.katalog.rules import MUTATION_SITE, NO_MESSAGE, VALIDATION_SITE, mutation
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, to_data
from ork.program import Assertion, Mutation, Rules, Surface


class Target(NamedTuple):
    """One declared target."""

    name: Surface
    node: Mapping | None
    trail: Trail
    key: Scalar | None
    counts: bool
    """The serve block and the target itself are enabled."""


def targets(entry: Mapping, trail: Trail, findings: Findings) -> list[Target]:
    """Return the targets of a CRD entry, also those that do not count."""
    serve = entry.mapping("serve")
    declared = serve.get("target") if serve else None
    if serve is None or declared is None:
        return []
    here = ((trail, "serve"), "target")
    enabled = serve.value("enabled") is True
    if isinstance(declared, Scalar):
        return [Target(Surface(declared.text), None, here, declared, enabled)] if declared.text else []
    if not isinstance(declared, Mapping):
        return []
    found = []
    for name, node in declared.entries.items():
        inside = node if isinstance(node, Mapping) else None
        on = enabled and (inside is None or inside.value("enabled", True) is not False)
        found.append(Target(Surface(name), inside, (here, name), declared.keys.get(name), on))
    _check_primary(declared, found, findings, here)
    if found and "enabled" not in serve.entries:
        message = "targets count only where `serve` is enabled, and it does not say so"
        hint = "add `enabled: true`, or `enabled: false` if they are for later"
        findings.warning("ORK0807", serve.key_span("target"), message, hint, path=path_text(here))
    return found


def _check_primary(declared: Mapping, found: list[Target], findings: Findings, trail: Trail) -> None:
    primary = [(target.name, target.node) for target in found if target.node and target.node.value("primary") is True]
    if found and len(primary) != 1:
        names = ", ".join(f"`{name}`" for name, _ in primary)
        message = f"{names} are all primary" if primary else "none of the targets is primary"
        hint = "exactly one target says `primary: true`"
        span = primary[1][1].key_span("primary") if primary else declared.head
        findings.error("ORK0803", span, message, hint, path=path_text(trail))


def unique_names(all_targets: list[Target], findings: Findings) -> None:
    """Report targets of one name: a target is found by its name over the whole Katalog."""
    first: dict[str, Target] = {}
    for target in all_targets:
        before = first.setdefault(target.name, target)
        if before is not target and target.key is not None and before.key is not None:
            related = (Related(before.key.span, "the first one"),)
            message = f"two targets of this Katalog are named `{target.name}`"
            findings.error("ORK0804", target.key.span, message, path=path_text(target.trail), related=related)


def keeps_previous(node: Mapping | None) -> bool | None:
    """Return `apply.overrides.keepPreviousSurface` of a serve block or target; None where it is not said."""
    apply = node.mapping("apply") if node else None
    overrides = apply.mapping("overrides") if apply else None
    value = overrides.value("keepPreviousSurface") if overrides else None
    return None if value is None else value is True


# ── rules of fields ─────────────────────────────────────────────────────────────────────────────
class Served(NamedTuple):
    """One served field, label or annotation, and the place in the CR that it fills."""

    node: Mapping
    path: Path
    trail: Trail


def served(entry: Mapping, trail: Trail, expressions: Expressions) -> list[Served]:
    """Return what a form of an enabled serve block fills in."""
    serve = entry.mapping("serve")
    if serve is None or serve.value("enabled") is not True:
        return []
    found = []
    for block, above in _BLOCKS.items():
        nodes = serve.mapping(block)
        for name, node in nodes.entries.items() if nodes else ():
            if isinstance(node, Mapping) and nodes is not None:
                here = (((trail, "serve"), block), name)
                _check_value(node.get("value"), expressions, (here, "value"))
                path = _path(node, (*above, name), nodes.key_span(name), expressions, here)
                found += [Served(node, path, here)] if path else []
    return found


def _path(node: Mapping, usual: Path, name: Span, expressions: Expressions, trail: Trail) -> Path | None:
    """Return where a field goes: `path`, or the usual place. A field that has none is of the request only."""
    written = node.scalar("path")
    path = dotted.parse(written.text) if written else usual
    found = expressions.types.look(path) if path else None
    if path and found and found.failed < 0:
        return path
    findings, where = expressions.findings, path_text(trail)
    if written is None:
        _, message, hint = expressions.types.fault(usual, expressions.types.look(usual))
        message += ", so this field writes nothing into the CR"
        findings.warning("ORK0805", name, message, hint or "say where it goes with `path:`", path=where)
    elif path is None or found is None:
        message, hint = f"`{written.text}` is no path", "write a path such as `spec.image`"
        findings.error("ORK0805", written.span, message, hint, path=where)
    else:
        _, message, hint = expressions.types.fault(path, found)
        findings.error("ORK0805", written.span, message, hint, path=where)
    return None


def _check_value(value: AnyNode | None, expressions: Expressions, trail: Trail) -> None:
    """Check the template of what a form writes; the gateway renders it."""
    if isinstance(value, Scalar) and value.is_text and "{{" in value.text:
        expressions.template(value, Place.VALUE, MUTATION_SITE, trail)


_IDENTIFIER = pattern(r"[A-Za-z_]\w*")
_BLOCKS = {
    "fields": ("spec",),
    "labels": ("metadata", "labels"),
    "annotations": ("metadata", "annotations"),
}
"""Each block of served fields, and below which path they usually go."""


def with_served(rules: Rules, fields: list[Served], expressions: Expressions) -> Rules:
    """Return the rules with those of the served fields, which every client then meets."""
    return rules._replace(
        mutations=(*rules.mutations, *_mutations(fields, expressions)),
        assertions=(*rules.assertions, *_assertions(fields, expressions)),
    )


def _mutations(fields: list[Served], expressions: Expressions) -> Iterator[Mutation]:
    for field in fields:
        for key in ("default", "override"):
            if key in field.node.entries:
                yield mutation(expressions, field.node, field.path, key, field.trail)


def _assertions(fields: list[Served], expressions: Expressions) -> Iterator[Assertion]:
    for field in fields:
        reader = parse_field(_written(field.path), expressions.functions)
        guard = conditions.guard(expressions, field.node, VALIDATION_SITE, field.trail)
        if field.node.value("required") is True:
            yield _assertion(field, condition(reader, "exists", True), guard)
        options = field.node.sequence("enum")
        if options is not None:
            is_set = condition(reader, "exists", True)
            allowed = condition(reader, "in", [to_data(one) for one in options.elements])
            yield _assertion(field, allowed, guard._replace(every=(is_set, *guard.every)))


def _assertion(field: Served, held: Condition, guard: Guard) -> Assertion:
    reads = held.reads | guard_reads(guard)
    return Assertion(held, NO_MESSAGE, True, guard, True, "", field.node.head, reads)


def _written(path: Path) -> str:
    """Return the path as an expression: a dot path, or `index` where a step is no identifier."""
    first = next((i for i, step in enumerate(path) if not _IDENTIFIER.fullmatch(step)), None)
    if first is None:
        return ".".join(path)
    keys = " ".join(f'"{step}"' for step in path[first:])
    return f"{{{{ index .{'.'.join(path[:first])} {keys} }}}}"

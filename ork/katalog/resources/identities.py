"""What tells the entries of a box apart (language, section 6): an `id`, else group and name, and beside these what sets
apart those that share them."""

from __future__ import annotations

from ork.base.findings import Related
from ork.expr.conditions import Condition
from ork.expr.template import Template
from ork.katalog.collect import Findings
from ork.katalog.resources.entries import Draft
from ork.katalog.trail import path_text
from ork.katalog.yaml.nodes import Scalar
from ork.program import EntryId


def distinct(drafts: list[Draft], findings: Findings) -> list[Draft]:
    """Return the entries with an identity of its own each.

    Those of one name are told apart by namespace, list and conditions. Where these cannot do it either, two entries are
    one object, which is an error.
    """
    alike: dict[EntryId, list[Draft]] = {}
    for draft in drafts:
        alike.setdefault(draft.entry.id, []).append(draft)
    for group in alike.values():
        _check(group, findings)
    return [draft if len(alike[draft.entry.id]) == 1 else _marked(draft) for draft in drafts]


def _check(group: list[Draft], findings: Findings) -> None:
    for index, draft in enumerate(group):
        before = next((other for other in group[:index] if _same(other, draft)), None)
        if before is not None:
            message = f"two entries of this box are `{draft.entry.id}`"
            hint = "give each its own `name`, an `id` of its own, or conditions that tell them apart"
            related = (Related(before.entry.span, "the first one"),)
            findings.error("ORK0609", draft.entry.span, message, hint, path=path_text(draft.trail), related=related)


def _same(first: Draft, second: Draft) -> bool:
    """Tell whether two entries of one identity can be the same object at the same time, as far as that can be seen."""
    if "id" in first.node.entries or "id" in second.node.entries:
        return True
    conditions = _conditions(first), _conditions(second)
    return _place(first) == _place(second) and ("" in conditions or conditions[0] == conditions[1])


def _marked(draft: Draft) -> Draft:
    """Return an entry whose identity also says its namespace, list and conditions; a declared `id` stays as it is."""
    if "id" in draft.node.entries:
        return draft
    import hashlib

    mark = hashlib.sha256(repr((_place(draft), _conditions(draft))).encode()).hexdigest()[:8]
    return draft._replace(entry=draft.entry._replace(id=EntryId(f"{draft.entry.id}#{mark}")))


def _place(draft: Draft) -> tuple[str, str]:
    entry = draft.entry
    where = entry.namespace.text if entry.namespace else _spread(draft)
    return where, entry.each.field.text if entry.each else ""


def _spread(draft: Draft) -> str:
    listed = draft.node.sequence("toNamespaces") if draft.entry.spread is not None else None
    return " ".join(one.text for one in listed or () if isinstance(one, Scalar))


def _conditions(draft: Draft) -> str:
    guard = draft.entry.guard
    blocks = ("when", guard.every), ("or", guard.some)
    return "\n".join(f"{block}: {_text(condition)}" for block, conditions in blocks for condition in conditions)


def _text(condition: Condition) -> str:
    parts = condition.operand if isinstance(condition.operand, list) else [condition.operand]
    operand = [part.text if isinstance(part, Template) else part for part in parts]
    return repr((condition.field.text, condition.negate, condition.operator, operand, condition.value_type))

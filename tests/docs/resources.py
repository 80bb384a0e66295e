"""docs/resources.md, from the table of resource groups and the grammar."""

from __future__ import annotations

from ork.katalog.describe import describe
from ork.katalog.resources.shapes import Step
from ork.katalog.resources.table import GROUPS, Group

_INTRODUCTION = """\
# Resource groups

What stands under `onCreate` and `onReconcile`, and what each short field becomes
([language, 6](language.md#6-resources)). Every other native field may stand under `spec:` and `metadata:` of an
entry, and is merged over the short form. Numbers and booleans may be written as text (`replicas: "3"`); all values are
templates. `custom` has no short form: its entries are whole objects.

Every entry also takes `id name namespace labels annotations when or forEach reconcile forceConflict ignore prune`
and `adopt`."""


def page() -> str:
    """Return the page as Markdown."""
    return "\n\n".join([_INTRODUCTION, *map(_section, GROUPS.values())])


def _section(group: Group) -> str:
    kind = group.kind
    about = [f"Default name: `<cr>{group.suffix}`."]
    if not kind.namespaced:
        about.append("Cluster-scoped: found by label, and swept when the CR goes.")
    if group.once:
        about.append("Created once, wherever it stands.")
    about += [f"`{_path(path)}` is `{value}` unless you say otherwise." for path, value in group.fixed]
    docs = {key.name: key.doc for key in describe(f"spec.crds.operatorBox.onReconcile.{group.name}").keys}
    rows = [
        f"| `{short.name}` | `{_path(short.path)}` | {docs[short.name]}{' Required.' if short.required else ''} |"
        for short in group.fields
    ]
    table = ["", "| field | native | |", "|---|---|---|", *rows] if rows else []
    return "\n".join([f"## `{group.name}` → {kind.api_version} {kind.kind}", "", " ".join(about), *table])


def _path(path: tuple[Step, ...]) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")

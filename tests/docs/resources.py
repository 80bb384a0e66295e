"""docs/resources.md, from the table of resource groups and the grammar."""

from __future__ import annotations

from ork.katalog.describe import describe
from ork.katalog.resources.shapes import Step
from ork.katalog.resources.table import GROUPS, Copied, Group

_INTRODUCTION = """\
# Resource groups

What stands under `onCreate` and `onReconcile`, and what each short field becomes
([language, 6](language.md#6-resources)). Every other native field may stand under `spec:` and `metadata:` of an
entry, and is merged over the short form. Numbers and booleans may be written as text (`replicas: "3"`); all values are
templates. Every other kind is written whole, under [`custom`](#custom--any-kind).

Every entry also takes `id name namespace labels annotations when or forEach reconcile forceConflict ignore prune`
and `adopt`. `ork explain spec.crds.operatorBox.onReconcile.deployments.probes.readiness` says what a field takes."""

_CUSTOM = """\
## `custom` → any kind

The object as Kubernetes has it, with templates in it. Beside its own fields stands what every entry takes, only that
name, namespace, labels and annotations are those of its `metadata`. `apiVersion` and `kind` are literal, and
`metadata.name` is required. A built-in kind is checked to the last field; of one that nothing is known of,
`metadata.namespaced: false` says that it is cluster-scoped.

```yaml
onReconcile:
  custom:
    - apiVersion: networking.k8s.io/v1
      kind: Ingress
      when: [{field: spec.domain, exists: true}]
      metadata:
        name: "{{ .metadata.name }}"
      spec:
        defaultBackend:
          service: {name: "{{ .metadata.name }}", port: {number: 80}}
```"""


def page() -> str:
    """Return the page as Markdown."""
    return "\n\n".join([_INTRODUCTION, *map(_section, GROUPS.values()), _CUSTOM])


def _section(group: Group) -> str:
    kind = group.kind
    about = [f"Default name: `<cr>{group.suffix}`."]
    if not kind.namespaced:
        about.append("Cluster-scoped: found by label, and swept when the CR goes.")
    if group.once:
        about.append("Created once, wherever it stands.")
    about += [f"`{_path(path)}` is `{value}` unless you say otherwise." for path, value in group.fixed]
    rows = [_row(group, short.name, f"`{_path(short.path)}`", short.required) for short in group.fields]
    if group.copied:
        about.append("With `toNamespaces` an object stands in each namespace of a list, as with `forEach`.")
        rows += [_row(group, key, fields) for key, fields in _copies(group.copied)]
    table = ["", "| field | native | |", "|---|---|---|", *rows] if rows else []
    return "\n".join([f"## `{group.name}` → {kind.api_version} {kind.kind}", "", " ".join(about), *table])


def _copies(copied: Copied) -> list[tuple[str, str]]:
    """Return the fields of copies, and what each stands for in the native object."""
    return [
        (copied.key, ", ".join(f"`{field}`" for field in copied.fields)),
        ("fromNamespace", ""),
        ("toNamespaces", "`metadata.namespace`"),
    ]


def _row(group: Group, name: str, native: str, required: bool = False) -> str:
    return f"| `{name}` | {native} | {_meaning(group, name, required)} |"


def _meaning(group: Group, name: str, required: bool) -> str:
    """Return what a field is for, what it is unless it is written, and the keys that it takes."""
    found = describe(f"spec.crds.operatorBox.onReconcile.{group.name}.{name}")
    words = [found.doc, "Required." if required else ""]
    words.append(f"Default: {found.default}." if found.default else "")
    words.append(f"Keys: `{' '.join(key.name for key in found.keys)}`." if found.keys else "")
    return " ".join(filter(None, words))


def _path(path: tuple[Step, ...]) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")

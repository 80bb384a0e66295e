"""One resource entry: from its node to an `Entry` of the program (language, section 6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import Any

from ork.base.objects import Kind, Object
from ork.base.paths import Path
from ork.base.records import NamedTuple
from ork.expr.builtins import BUILTINS
from ork.expr.conditions import guard_reads
from ork.expr.env import Place
from ork.expr.template import Reads, Template, parse
from ork.expr.tree import compile_tree
from ork.katalog import conditions, dotted
from ork.katalog.expressions import Expressions, Site
from ork.katalog.resources.copies import copied_from, to_namespaces
from ork.katalog.resources.each import for_each
from ork.katalog.resources.leaves import PodLabels
from ork.katalog.resources.native import Lift
from ork.katalog.resources.shapes import Shape
from ork.katalog.resources.syntax import label_complaints, name_complaints, reserved_labels
from ork.katalog.resources.table import Copied
from ork.katalog.scope import CR_ROOTS
from ork.katalog.terms import Terms
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import Mapping, Scalar
from ork.openapi import schema as openapi
from ork.program import Entry, EntryId, ForEach, Keep


class Spot(NamedTuple):
    """Where an entry is declared, and what holds for all entries there."""

    group: str
    site: Site
    trail: Trail
    on_create: bool
    terms: Terms


class Draft(NamedTuple):
    """An entry that may still want something of the box that it becomes part of."""

    entry: Entry
    node: Mapping
    trail: Trail
    workload: bool = False
    """Services find its pods by label."""
    finish: Callable[[Entry, PodLabels], Entry] | None = None
    """A Service without a selector: takes the pod labels that it selects."""


class Body(NamedTuple):
    """What an entry declares beside its name: its kind, and the shape of the object."""

    kind: Kind
    schema: Object
    shape: Shape
    once: bool = False
    copied: Copied | None = None


class Identity(NamedTuple):
    """The name of an entry's objects. `text` is the name as written, for the entry's own identity."""

    node: Scalar | None
    text: str
    name: Template
    namespace: Template | None


@lru_cache(maxsize=64)
def default_name(suffix: str) -> Template:
    """Return the name of an entry that declares none: the CR's, and what the group adds."""
    return parse("{{ .metadata.name }}" + suffix, Place.IDENTITY, BUILTINS)


class Declared:
    """One entry's common fields, compiled in the scope of its `forEach`."""

    def __init__(self, expressions: Expressions, node: Mapping, spot: Spot) -> None:
        self.expressions, self.node, self.spot = expressions, node, spot
        self.findings, self.trail = expressions.findings, spot.trail
        self.each, self.site = for_each(expressions, node, spot.site, spot.trail)
        self.guard = conditions.guard(expressions, node, self.site, spot.trail)

    def identity(self, name: Scalar | None, namespace: Scalar | None, suffix: str | None) -> Identity | None:
        """Return the name templates; None, and a finding, where there is no name."""
        where = self._template(namespace, "namespace") if namespace is not None and namespace.text else None
        if name is not None and name.text:
            template = self._template(name, "name")
            return Identity(name, name.text, template, where) if template else None
        if suffix is None:
            hint = 'write `metadata: {name: "{{ .metadata.name }}-…"}`'
            message = f"an entry of `{self.spot.group}` needs `metadata.name`"
            self.findings.error("ORK0601", self.node.head, message, hint, path=self.path)
            return None
        template = default_name(suffix)
        return Identity(None, template.text, template, where)

    @property
    def path(self) -> str:
        """Where the entry stands in the document."""
        return path_text(self.trail)

    def entry(self, identity: Identity, body: Body) -> tuple[Entry, Any]:
        """Return the entry, and the tree that its object is built from."""
        lift = Lift(self.expressions, self.site, self.node, self.trail)
        tree = lift.tree(body.shape, _optional(body.schema), "")
        spread = to_namespaces(lift) if body.copied else None
        source = copied_from(lift, body.copied, lendable=self.spot.terms.namespaced) if body.copied else None
        entry = Entry(
            id=self._id(identity, body.kind),
            group=self.spot.group,
            span=self.node.head,
            path=self.path,
            kind=body.kind,
            name=identity.name,
            namespace=identity.namespace,
            build=compile_tree(tree),
            guard=self.guard,
            each=self.each,
            keep=self._keep(body.once),
            on_create=self.spot.on_create,
            rerun=self.node.value("rerun") == "onChange",
            adopt=self.node.value("adopt") is True,
            prune=self.node.value("prune"),
            force=self.node.value("forceConflict", self.spot.terms.force) is not False,
            ignore=self._ignored(body.schema),
            reads=lift.reads | guard_reads(self.guard) | _reads(identity.name, identity.namespace, self.each),
            spread=spread,
            source=source,
        )
        self._check_random(entry)
        self._check_namespace(entry)
        self._check_each(entry, identity)
        for complaint in chain(name_complaints(identity.node, body.kind), label_complaints(self.node)):
            self.findings.error("ORK0613", *complaint, path=self.path)
        for complaint in reserved_labels(self.node):
            self.findings.warning("ORK0614", *complaint, path=self.path)
        return entry, tree

    def _template(self, node: Scalar, key: str) -> Template | None:
        return self.expressions.template(node, Place.IDENTITY, self.site, (self.trail, key))

    def _id(self, identity: Identity, kind: Kind) -> EntryId:
        group = self.spot.group if self.spot.group != "custom" else f"custom/{kind.resource}"
        return EntryId(str(self.node.value("id") or f"{group}/{identity.text}"))

    def _keep(self, once: bool) -> Keep:
        drifts = not self.spot.on_create or self.node.value("reconcile") is True
        return Keep.SYNC if drifts and not once else Keep.ONCE

    def _ignored(self, schema: Object) -> tuple[Path, ...]:
        nodes = self.node.sequence("ignore")
        found = []
        for index, node in enumerate(nodes.elements if nodes else ()):
            if not isinstance(node, Scalar):
                continue
            path = dotted.parse(node.text)
            if path is None or openapi.at(schema, path) is None:
                message = f"`{node.text}` is no field of the object"
                hint = "write a path such as `spec.replicas`"
                self.findings.error(
                    "ORK0607", node.span, message, hint, path=path_text(((self.trail, "ignore"), index))
                )
                continue
            found.append(path)
        return tuple(found)

    def _check_random(self, entry: Entry) -> None:
        if entry.keep is Keep.SYNC and ("@random",) in entry.reads:
            message = f"a random value would change this {entry.kind.kind} on every cycle"
            hint = "declare it under `onCreate` without `reconcile: true`"
            self.findings.error("ORK0311", self.node.head, message, hint, path=self.path)
        elif entry.spread is not None and ("@random",) in entry.reads:
            message = f"each copy of this {entry.kind.kind} would get a random value of its own"
            hint = "make one without `toNamespaces`, and a second entry that copies it"
            self.findings.error("ORK0311", self.node.head, message, hint, path=self.path)

    def _check_namespace(self, entry: Entry) -> None:
        kind = entry.kind
        if not entry.elsewhere and not self.spot.terms.namespaced:
            message = f"a {kind.kind} stands in a namespace, and a cluster-scoped CR has none to lend"
            self.findings.error("ORK0608", self.node.head, message, "add `namespace:`", path=self.path)
        if entry.spread is not None and entry.namespace is not None:
            message = "`toNamespaces` says where each copy stands, so `namespace` would say nothing"
            span = self.node.entries.get("namespace", self.node).span
            self.findings.error("ORK0608", span, message, "leave one of the two out", path=self.path)
        if not kind.namespaced and entry.namespace is not None:
            message = f"a {kind.kind} is cluster-scoped and stands in no namespace"
            span = self.node.entries.get("namespace", self.node).span
            self.findings.error("ORK0608", span, message, "leave `namespace` out", path=self.path)

    def _check_each(self, entry: Entry, identity: Identity) -> None:
        """Tell where all elements make the same object: neither name nor namespace reads the element."""
        if entry.each is None or entry.spread is not None:
            return
        named = {path[:1] for path in _reads(identity.name, identity.namespace, None)}
        if named <= {(root,) for root in CR_ROOTS.difference(self.site.items)}:
            node = identity.node or self.node.entries["forEach"]
            message = f"all elements of this `forEach` make one {entry.kind.kind}: its name does not tell them apart"
            hint = f'use the element in the name, such as "{{{{ .metadata.name }}}}-{{{{ .{entry.each.name} }}}}"'
            self.findings.warning("ORK0615", node.head, message, hint, path=self.path)


def _reads(name: Template, namespace: Template | None, each: ForEach | None) -> Reads:
    return name.reads | (namespace.reads if namespace else frozenset()) | (each.field.reads if each else frozenset())


def _optional(schema: Object) -> Object:
    """Return an object's schema without what the entry's identity says: apiVersion, kind and name are always there."""
    return {**schema, "required": [key for key in openapi.required(schema) if key not in _ALWAYS_THERE]}


_ALWAYS_THERE = ("apiVersion", "kind", "metadata")

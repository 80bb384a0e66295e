"""The effective operatorBox of one surface: whose blocks it has, and what they compile to (language, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterator

from ork.base.records import NamedTuple
from ork.expr.template import Reads
from ork.katalog import scope
from ork.katalog.calls import Calls
from ork.katalog.collect import Findings
from ork.katalog.expressions import AFTER, Expressions, Site
from ork.katalog.gates import PreReconcile, pre_reconcile
from ork.katalog.hooks import Hooks, effective
from ork.katalog.names import Lists
from ork.katalog.resources.custom import compile_custom
from ork.katalog.resources.entries import Draft, Spot
from ork.katalog.resources.groups import compile_entry
from ork.katalog.resources.identities import distinct
from ork.katalog.resources.selectors import finished
from ork.katalog.scope import Stage
from ork.katalog.status import Status, status
from ork.katalog.terms import Terms
from ork.katalog.trail import Trail
from ork.katalog.yaml.nodes import Mapping, Sequence
from ork.program import Box, Call, Rules, Surface


class Part(NamedTuple):
    """One block, and where it stands: in the target's box, or in the CRD level's."""

    node: Mapping | None
    trail: Trail


class Parts(NamedTuple):
    """The blocks that an effective box is made of."""

    pre: Part
    create: Part
    main: Part
    status: Part
    hooks: Part


BLOCKS = ("preReconcile", "onCreate", "onReconcile", "status")


def parts(crd: Part, target: Part | None = None) -> Parts:
    """Return the blocks of the CRD level, or those of a target with the CRD level's for what it omits."""
    pre, create, main, done = (_part(key, crd, target) for key in BLOCKS)
    return Parts(pre, create, main, done, _hooks(crd, target))


def _part(key: str, crd: Part, target: Part | None) -> Part:
    holder = target if target and target.node and key in target.node.entries else crd
    return Part(holder.node.mapping(key) if holder.node else None, (holder.trail, key))


def _hooks(crd: Part, target: Part | None) -> Part:
    above, below = _hook_node(crd), _hook_node(target) if target else None
    holder = crd if target is None or below is None else target
    return Part(effective(above, below), ((holder.trail, "reconciler"), "hooks"))


def _hook_node(part: Part) -> Mapping | None:
    reconciler = part.node.mapping("reconciler") if part.node else None
    return reconciler.mapping("hooks") if reconciler else None


def call_lists(found: Parts, entry: Mapping) -> Lists:
    """Return the lists of calls of a box and of its CRD's rules, in the order in which they run."""
    pre = found.pre.node
    return {
        Stage.SHARED: _external(pre),
        Stage.ENQUEUE: _external(pre.mapping("enqueueGate") if pre else None),
        Stage.RECONCILE: _external(pre.mapping("reconcileGate") if pre else None),
        Stage.MUTATION: _external(entry.mapping("mutation")),
        Stage.VALIDATION: _external(entry.mapping("validation")),
        Stage.CREATE: _external(found.create.node),
        Stage.MAIN: _external(found.main.node),
        Stage.HOOK: _external(found.hooks.node),
    }


def _external(node: Mapping | None) -> Sequence | None:
    return node.sequence("external") if node else None


class Boxes:
    """Compiles one effective box."""

    def __init__(self, expressions: Expressions, terms: Terms) -> None:
        self.expressions, self.terms = expressions, terms
        self.findings: Findings = expressions.findings

    def box(self, surface: Surface, found: Parts, rules: Rules) -> Box:
        """Return the box of a surface; wrong parts are reported and left out."""
        pre = PreReconcile()
        if found.pre.node is not None:
            pre = pre_reconcile(self.expressions, found.pre.node, found.pre.trail, self.terms.allowed)
        drafts = distinct([*self._entries(found.create, True), *self._entries(found.main, False)], self.findings)
        entries = finished(drafts, self.findings, self.expressions.names.surface)
        hooks = Hooks(self.expressions, self.terms.bound, self.terms.allowed)
        done = Status()
        if found.status.node is not None:
            done = status(self.expressions, found.status.node, found.status.trail)
        box = Box(
            surface=surface,
            sentinels=pre.sentinels,
            shared=pre.shared,
            enqueue=pre.enqueue,
            reconcile=pre.reconcile,
            calls=self._calls(found.main, Stage.MAIN),
            create_calls=self._calls(found.create, Stage.CREATE),
            entries=entries,
            hook=hooks.hook(found.hooks.node, found.hooks.trail),
            status=done.fields,
            conditions=done.conditions,
        )
        return box._replace(reads=_reads(box, rules))

    def _calls(self, part: Part, stage: Stage) -> tuple[Call, ...]:
        calls = Calls(self.expressions, scope.RESOURCE, stage, self.terms.allowed)
        return calls.compile(_external(part.node), (part.trail, "external"))

    def _entries(self, part: Part, on_create: bool) -> Iterator[Draft]:
        for group, nodes in part.node.entries.items() if part.node else ():
            compile_one = compile_custom if group == "custom" else compile_entry
            elements = nodes.elements if group != "external" and isinstance(nodes, Sequence) else []
            for index, node in enumerate(elements):
                spot = Spot(group, Site(scope.RESOURCE, AFTER), ((part.trail, group), index), on_create, self.terms)
                draft = compile_one(self.expressions, node, spot) if isinstance(node, Mapping) else None
                if draft is not None:
                    yield draft


def _reads(box: Box, rules: Rules) -> Reads:
    """Return everything that any expression of a box reads."""
    calls = (*box.shared, *box.calls, *box.create_calls, *rules.mutation_calls, *rules.validation_calls)
    found = [box.enqueue.reads, box.reconcile.reads]
    found += [call.reads for call in calls]
    found += [entry.reads for entry in box.entries]
    found += [field.reads for field in box.status]
    found += [change.reads for change in rules.mutations] + [rule.reads for rule in rules.assertions]
    if box.hook:
        found += [box.hook.reads, *(call.reads for call in box.hook.calls)]
    return frozenset().union(*found)

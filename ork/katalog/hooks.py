"""`reconciler.hooks`: read and checked, whether or not the hook can be found here (language, section 3.2)."""

from __future__ import annotations

from typing import Any

from ork.expr.env import Place
from ork.expr.template import Template
from ork.expr.tree import compile_tree, reads
from ork.katalog import scope
from ork.katalog.calls import Calls, texts
from ork.katalog.expressions import AFTER, Expressions, Site
from ork.katalog.scope import Stage
from ork.katalog.sources import ReadError, Sources, beside
from ork.katalog.terms import Bound
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, Sequence
from ork.program import Hook


def effective(crd: Mapping | None, target: Mapping | None) -> Mapping | None:
    """Return a target's hook: keys that it omits are the CRD level's; `{}` is none."""
    if crd is None or target is None or not target.entries:
        return crd if target is None else (target if target.entries else None)
    return target.replaced({**crd.entries, **target.entries}, {**crd.keys, **target.keys})


class Hooks:
    """Compiles the hook of one box."""

    def __init__(self, expressions: Expressions, bound: Bound, allowed: tuple[str, ...]) -> None:
        self.expressions, self.bound, self.allowed = expressions, bound, allowed
        self.site = Site(scope.HOOK, AFTER)

    def hook(self, node: Mapping | None, trail: Trail) -> Hook | None:
        """Return the hook; a warning says where it is not found here, and then its arguments are parsed only."""
        if node is None or not node.entries:
            return None
        location, function = (self._needed(node, key, trail) for key in ("location", "function"))
        if location is None or function is None:
            return None
        known = self.bound(location.text)
        if not known:
            self._not_found(location, (trail, "location"))
        args = self._args(node.mapping("args"), (trail, "args"), known)
        calls = Calls(self.expressions, scope.HOOK, Stage.HOOK, self.allowed)
        return Hook(
            location=location.text,
            function=function.text,
            args=compile_tree(args),
            managed=texts(node.sequence("managedResources")),
            calls=calls.compile(node.sequence("external"), (trail, "external")),
            span=location.span,
            reads=reads(args) if known else frozenset(),
        )

    def _needed(self, node: Mapping, key: str, trail: Trail) -> Scalar | None:
        """Return what every hook says; of a target's it may also be the CRD level's."""
        found = node.scalar(key)
        if found is None and key not in node.keys:
            message = f"`hooks` needs the key `{key}`"
            self.expressions.findings.error("ORK0104", node.head, message, f"add `{key}:`", path=path_text(trail))
        return found

    def _not_found(self, location: Scalar, trail: Trail) -> None:
        message = f"the hook `{location.text}` is not found here: simulate skips it, and its arguments are only parsed"
        hint = "this version runs no hooks: what this one would add is not made"
        self.expressions.findings.warning("ORK0204", location.span, message, hint, path=path_text(trail))

    def _args(self, node: Mapping | None, trail: Trail, known: bool) -> dict[str, Any]:
        expressions = self.expressions if known else self._unheld()
        entries = node.entries if node else {}
        return {key: self._tree(expressions, value, (trail, key)) for key, value in entries.items()}

    def _unheld(self) -> Expressions:
        """Return what parses arguments without holding them to the box: nothing will ever render them."""
        return _Parsed(self.expressions.functions, self.expressions.types, self.expressions.findings)

    def _tree(self, expressions: Expressions, node: AnyNode, trail: Trail) -> Any:
        if isinstance(node, Mapping):
            return {key: self._tree(expressions, value, (trail, key)) for key, value in node.entries.items()}
        if isinstance(node, Sequence):
            return [self._tree(expressions, one, (trail, index)) for index, one in enumerate(node.elements)]
        if not node.is_text or "{{" not in node.text:
            return node.value
        return expressions.template(node, Place.VALUE, self.site, trail)


class _Parsed(Expressions):
    """Finds faults of syntax only."""

    def _checked(self, template: Template, *_: Any) -> Template:
        return template


def found_beside(katalog: str, sources: Sources, bound: Bound | None) -> Bound:
    """Return what knows hooks: files beside a katalog, and those that the caller has bound by name."""

    def known(location: str) -> bool:
        if bound is not None and bound(location):
            return True
        return location.endswith(".py") and _readable(beside(katalog, location), sources)

    return known


def _readable(path: str, sources: Sources) -> bool:
    try:
        sources.source(path)
    except ReadError:
        return False
    return True

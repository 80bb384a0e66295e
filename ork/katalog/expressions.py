"""Parses the expressions of one box, holds them to the scope of their place, and types what they read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from ork.base import paths
from ork.base.findings import Span
from ork.base.paths import Path
from ork.base.patterns import pattern
from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.expr.env import Place
from ork.expr.errors import ExpressionError
from ork.expr.functions import Functions
from ork.expr.template import Template, Use, parse, parse_field
from ork.katalog import scope
from ork.katalog.collect import Findings
from ork.katalog.doubts import compared, equality
from ork.katalog.names import NO_NAMES, BoxNames
from ork.katalog.scope import CR_ROOTS, Moment, Stage
from ork.katalog.trail import Trail, path_text
from ork.katalog.types import UNKNOWN, Found, Types
from ork.openapi.schema import EVERY
from ork.program import SENTINELS

_PURE = pattern(r"\s*(?:\{\{-?\s*\$?\.([\w.]+)\s*-?\}\}|\.?[\w.]+)\s*")
"""A text that is one path and nothing else."""

AFTER = Moment(Stage.AFTER, 0)


class Text(Protocol):
    """A text in a file: a scalar, or a piece of one."""

    @property
    def text(self) -> str:
        """The decoded text."""

    def locate(self, start: int, end: int) -> Span:
        """Return where a piece of it stands."""


class Piece:
    """A part of a text, at its own place."""

    def __init__(self, whole: Text, start: int, end: int) -> None:
        self._whole, self._start, self.text = whole, start, whole.text[start:end]

    def locate(self, start: int, end: int) -> Span:
        """Return where a piece of it stands."""
        return self._whole.locate(self._start + start, self._start + end)


class Site(NamedTuple):
    """Where an expression stands."""

    place: scope.Place
    moment: Moment = AFTER
    items: Mapping[str, Path | None] = {}
    """The names that `forEach` adds, with the path of what they walk; None where that is no path of the CR."""
    sentinels: frozenset[str] = frozenset()
    """Declared ones, in a gate."""


class Spotted(NamedTuple):
    """One read of an expression, for the checks."""

    use: Use
    node: Text
    site: Site
    trail: Trail

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.node.locate(self.use.start, self.use.end)

    @property
    def name(self) -> str:
        """The path as it is written: `.spec.image`."""
        return f".{paths.text(self.use.path)}"

    @property
    def reader(self) -> str:
        """Who reads it, where that is a note that the expression calls."""
        return "" if self.use.path[0] in self.node.text else " (a note that is called here reads it)"


class Expressions:
    """The expressions of one box of one CRD."""

    def __init__(self, functions: Functions, types: Types, findings: Findings, names: BoxNames = NO_NAMES) -> None:
        self.functions, self.types, self.findings, self.names = functions, types, findings, names

    def template(self, node: Text, place: Place, site: Site, trail: Trail) -> Template | None:
        """Parse a text with actions and check what it reads; None, and findings, where it is wrong."""
        try:
            found = parse(node.text, place, self.functions, node.locate)
        except ExpressionError as error:
            self._refuse(error, node, site, trail)
            return None
        return self._checked(found, node, site, trail)

    def field(self, node: Text, site: Site, trail: Trail) -> Template | None:
        """Parse a dot path or a template, as a condition's `field` is written."""
        try:
            found = parse_field(node.text, self.functions, node.locate)
        except ExpressionError as error:
            self._refuse(error, node, site, trail)
            return None
        return self._checked(found, node, site, trail)

    def look(self, path: Path, site: Site) -> Found:
        """Return what is known of a path; the element of a `forEach` is what its list holds."""
        if path[0] in site.items:
            origin = site.items[path[0]]
            return self.types.look(origin + path[1:]) if origin else UNKNOWN
        return self.types.look(path) if path[0] in CR_ROOTS else UNKNOWN

    def single(self, template: Template, site: Site) -> Found:
        """Return what is known of a template's value: something only where it is exactly one path."""
        if len(template.uses) != 1 or not _PURE.fullmatch(template.text):
            return UNKNOWN
        return self.look(template.uses[0].path, site)

    def omissible(self, template: Template, site: Site) -> bool:
        """Tell whether a lone action may be left out where it is missing: the schema says that every path it reads
        exists (language, section 4.3)."""
        found = [self.look(path, site) for path in template.reads if not path[0].startswith("@")]
        return bool(found) and all(one.declared for one in found)

    def error(self, code: str, at: Spotted, message: str, hint: str = "") -> None:
        """Report what is wrong with one read."""
        self.findings.error(code, at.span, message, hint, path=path_text(at.trail))

    # ── checks ──────────────────────────────────────────────────────────────────────────────────
    def _refuse(self, error: ExpressionError, node: Text, site: Site, trail: Trail) -> None:
        """Report an expression that does not parse; a sentinel that may not be read here has codes of its own."""
        name = node.text[error.start : error.end]
        at = Spotted(Use(("@sentinel", name), error.start, error.end), node, site, trail)
        if name in SENTINELS:
            self._sentinel(at)
        else:
            self.error("ORK0301", at, error.message, error.hint)

    def _checked(self, template: Template, node: Text, site: Site, trail: Trail) -> Template:
        if ("@random",) in template.reads and not self._may_be_random(template, site):
            message = f"a random value would be another one each time {site.place.name} is evaluated"
            hint = "random notes work in the fields of what is created once"
            whole = Spotted(Use(("@random",), 0, len(node.text)), node, site, trail)
            self.error("ORK0311", whole, message, hint)
        told: set[Path] = set()
        for use in _uses(template, node):
            root = use.path[0]
            if root in CR_ROOTS or root in site.items:
                self._typed(Spotted(use, node, site, trail), told)
            elif root[0] == "@":
                if root == "@sentinel":
                    self._sentinel(Spotted(use, node, site, trail))
            elif root not in site.place.roots:
                self._unreachable(Spotted(use, node, site, trail))
            elif root in _CHECKS and len(use.path) > 1 and use.path[1] != EVERY and use.path[:2] not in told:
                sound = _CHECKS[root](self, Spotted(use, node, site, trail))
                told.update(() if sound else (use.path[:2],))
        return template

    def _may_be_random(self, template: Template, site: Site) -> bool:
        """Only the body of a resource may; whether it is created once is the entry's to know."""
        return site.place is scope.RESOURCE and site.moment is AFTER and template.place is Place.VALUE

    def _typed(self, at: Spotted, told: set[Path]) -> None:
        """A path of the CR: the schema has it, and it can be what it is compared with."""
        found = self.look(at.use.path, at.site)
        lost = at.use.path[: found.failed + 1]
        if found.failed >= 0 and lost not in told:
            told.add(lost)
            self._untyped(at)
        elif found.type in _COMPARABLE:
            text = compared(at.node.text, at.use.start, at.use.end)
            doubt = None if text is None else equality(at.name, found, text)
            if doubt is not None:
                self.findings.warning("ORK0404", at.span, *doubt, path=path_text(at.trail))

    def _untyped(self, at: Spotted) -> None:
        """A path that the schema does not have."""
        path = at.use.path
        origin = at.site.items.get(path[0])
        full = origin + path[1:] if origin else path
        self.error(*self._fault(at, full))

    def _fault(self, at: Spotted, full: Path) -> tuple[str, Spotted, str, str]:
        code, message, hint = self.types.fault(full, self.types.look(full))
        return code, at, message, hint

    def _sentinel(self, at: Spotted) -> None:
        """A sentinel, read here or by a user note: declared, and in a gate."""
        name = at.use.path[1]
        if not at.site.place.sentinels:
            hint = "move the condition into `preReconcile.enqueueGate` or `reconcileGate`"
            message = f"the sentinel `{name}` is known to gates only, not to {at.site.place.name}"
            self.error("ORK0303", at, message, hint)
        elif name not in at.site.sentinels:
            reader = "" if name in at.node.text else ", and a note that is called here reads it"
            message = f"the sentinel `{name}` is not declared{reader}"
            self.error("ORK0501", at, message, f"add it to `sentinels: [{name}]`")

    def _unreachable(self, at: Spotted) -> None:
        """A name that does not exist where it is read."""
        root = at.use.path[0]
        why = scope.reason(root, at.site.place)
        if why is not None:
            self.error("ORK0303", at, f"`{at.name}` cannot be read here: {why}{at.reader}")
            return
        begins = self.types.inside("spec", root)
        whole = begins and self.types.look(("spec", *at.use.path)).failed < 0
        there = sorted({*CR_ROOTS, *at.site.items, *at.site.place.roots})
        hint = f"did you mean `.spec{at.name}`?" if whole else did_you_mean(root, there)
        if not hint:
            known = ", ".join(f".{name}" for name in there)
            hint = f"did you mean `.spec.{root}`?" if begins else f"an expression begins with {known}"
        self.error("ORK0302", at, f"there is no `.{root}`", hint)

    def _call(self, at: Spotted) -> bool:
        """A result of an external call: declared in this box, and there by then."""
        name, calls = at.use.path[1], self.names.calls
        declared = calls.get(name)
        if declared is None:
            hint = did_you_mean(name, calls) or "declare it in an `external:` list that runs before"
            self.error("ORK0702", at, f"no external call is named `{name}`{self._where}", hint)
        elif not scope.visible(declared, at.site.moment):
            self.error("ORK0702", at, f"`{name}` is called later than it is read here{self._where}")
        else:
            return True
        return False

    def _child(self, at: Spotted) -> bool:
        """A child: of a declared kind, and with such a field."""
        name, known = at.use.path[1], self.names.children
        child = known.get(name.lower())
        if child is None:
            hint = did_you_mean(name, known) or (f"it declares {', '.join(sorted(known))}" if known else "")
            self.error("ORK0306", at, f"the box declares no `{name}`{self._where}", hint)
            return False
        kind = child.kind
        if child.single and child.several:
            message = f"`.children.{name}` means the first of several declared {kind.plural}{self._where}"
            hint = f'write `index .children.{kind.plural} "name"` for one, `.children.{kind.plural}` for all of them'
            self.findings.warning("ORK0307", at.span, message, hint, path=path_text(at.trail))
        inside = at.use.path[2:] if child.single else at.use.path[3:]
        found = child.types.look(inside)
        if found.failed >= 0:
            self.error("ORK0308", at, *child.types.fault(inside, found)[1:])
        return True

    @property
    def _where(self) -> str:
        return f" in the box of the target `{self.names.surface}`" if self.names.surface else ""


_CHECKS = {"external": Expressions._call, "children": Expressions._child}
_COMPARABLE = frozenset(("string", "integer", "number", "boolean"))


_WHOLE = frozenset((root,) for root in (*CR_ROOTS, "external", "children", "cross"))
"""What an expression reads that hands on the whole scope: `getLabel . "team"`."""


def _uses(template: Template, node: Text) -> Iterator[Use]:
    """Go over what a template reads: its own paths where they stand, those of the notes it calls as a whole."""
    yield from template.uses
    for path in sorted(template.reads.difference(_WHOLE, (use.path for use in template.uses))):
        if path[0] != "@sentinel" or path[1] not in node.text:
            yield Use(path, 0, len(node.text))

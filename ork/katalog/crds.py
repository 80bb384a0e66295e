"""One entry of `spec.crds`: what it is for, its schema, its boxes, rules and settings."""

from __future__ import annotations

from ork.base.findings import Span
from ork.base.objects import Kind, Object
from ork.base.records import NamedTuple
from ork.expr.functions import Functions
from ork.katalog import dependencies, rules, serve, settings
from ork.katalog.boxes import Boxes, Part, Parts, call_lists, parts
from ork.katalog.calls import texts
from ork.katalog.collect import Findings
from ork.katalog.crd_files import CrdFile, CrdFiles
from ork.katalog.expressions import Expressions
from ork.katalog.kinds import Kinds, not_kubernetes, plural
from ork.katalog.manifests import check_object
from ork.katalog.names import BoxNames, call_names, children
from ork.katalog.objects import named_objects
from ork.katalog.serve import Target
from ork.katalog.sources import Sources
from ork.katalog.terms import Bound, Terms
from ork.katalog.trail import Trail, path_text
from ork.katalog.types import UNTYPED, Types
from ork.katalog.yaml.nodes import Mapping, Scalar, Sequence
from ork.labels import DEFAULT_FINALIZER
from ork.openapi import kubernetes
from ork.program import CRD_LEVEL, Box, Crd, Rules, Surface


class Header(NamedTuple):
    """What an entry says of its kind; known of all entries before the first is compiled."""

    name: str
    node: Mapping
    trail: Trail
    kind: Kind
    definition: CrdFile | None
    schema: Object | None

    @property
    def enabled(self) -> bool:
        """Whether it runs."""
        return self.node.value("enabled", True) is not False

    @property
    def has_status(self) -> bool:
        """Whether the kind has the status subresource; assumed where nothing is known of it."""
        if self.definition is not None:
            return self.definition.has_status
        builtin = kubernetes.resource(self.kind) if _may_be_builtin(self.kind) else None
        return builtin is None or "status" in builtin.subresources


class Katalog(NamedTuple):
    """What all entries share."""

    name: str
    file: str
    sources: Sources
    functions: Functions
    kinds: Kinds
    allowed: tuple[str, ...]
    finalizer: str
    bound: Bound


def finalizer(declared: Sequence | None, above: Trail, findings: Findings) -> str:
    """Return the finalizer that a list names; empty where it names none."""
    names = texts(declared)
    if declared is not None and len(declared) > 1:
        span, where = declared.elements[1].span, path_text((above, "finalizers"))
        findings.error("ORK0111", span, "more than one finalizer is known, but not supported yet", path=where)
    return names[0] if names else ""


def header(name: str, node: Mapping, trail: Trail, files: CrdFiles, findings: Findings) -> Header | None:
    """Return an entry's kind, from `apiTypes` or the CRD file; None, and a finding, where neither says it."""
    definition = files.find(node, trail)
    types = node.mapping("apiTypes")
    if definition is None and types is None:
        if "crdFile" not in node.keys and "apiTypes" not in node.keys:
            message = f"`{name}` does not say which CRs it is for"
            hint = "add `crdFile:`, or `apiTypes:` with group, version and kind"
            findings.error("ORK0214", node.head, message, hint, path=path_text(trail))
        return None
    if definition is not None:
        _agree(types, node, definition.kind, trail, findings)
        return Header(name, node, trail, definition.kind, definition, definition.schema)
    kind = _declared(types, node) if types else None
    if kind is None:
        return None
    builtin = _builtin(kind, node, trail, findings) if _may_be_builtin(kind) else None
    return Header(name, node, trail, builtin or kind, None, kubernetes.schema_of(builtin) if builtin else None)


def _builtin(kind: Kind, node: Mapping, trail: Trail, findings: Findings) -> Kind | None:
    """Return the kind where it is one of Kubernetes' own, of which a selector must choose some."""
    found = kubernetes.kinds().get((kind.group, kind.version, kind.kind))
    if found is None and (meant := not_kubernetes(kind.api_version, kind.kind)) is not None:
        message, where = f"Kubernetes has no {kind.kind} in {kind.api_version}", (trail, "apiTypes")
        findings.error("ORK0612", node.key_span("apiTypes"), message, meant, path=path_text(where))
    elif found is not None and not (node.value("labelSelector") or node.value("fieldSelector")):
        message = (
            f"`{trail[1]}` is for {kind.kind}, one of Kubernetes' own kinds: without a selector all of them are meant"
        )
        hint = "add `labelSelector:` or `fieldSelector:`"
        findings.error("ORK0215", node.head, message, hint, path=path_text(trail))
    return found


def _may_be_builtin(kind: Kind) -> bool:
    """Tell whether Kubernetes itself may have the kind; spares the others the look into its tables."""
    return "." not in kind.group or kind.group.endswith(".k8s.io")


def _declared(types: Mapping, node: Mapping) -> Kind | None:
    group, version, kind = (types.value(key, "") for key in ("group", "version", "kind"))
    if not version or not kind:
        return None
    return Kind(group, version, kind, types.value("plural") or plural(kind), node.value("namespaced", True))


def _agree(types: Mapping | None, node: Mapping, kind: Kind, trail: Trail, findings: Findings) -> None:
    """Report where the entry says something else than its CRD file."""
    for key, value in (("group", kind.group), ("kind", kind.kind), ("plural", kind.plural)):
        said = types.scalar(key) if types else None
        if said is not None and said.value != value:
            message = f"`{key}` is {said.text} here and {value} in {node.value('crdFile')}"
            hint = f"leave `{key}` out, or write {value}"
            findings.error("ORK0209", said.span, message, hint, path=path_text(((trail, "apiTypes"), key)))
    scope = node.scalar("namespaced")
    if scope is not None and scope.value is not kind.namespaced:
        message = f"`namespaced` is {scope.text} here, and {node.value('crdFile')} says the opposite"
        findings.error("ORK0209", scope.span, message, "leave it out", path=path_text((trail, "namespaced")))


class Compiling:
    """Compiles one entry."""

    def __init__(self, katalog: Katalog, head: Header, findings: Findings) -> None:
        self.katalog, self.head, self.findings = katalog, head, findings
        self.node, self.trail = head.node, head.trail
        self.types = Types(head.schema or UNTYPED, head.kind.kind)
        force = self.node.value("forceConflict", True) is not False
        self.terms = Terms(katalog.kinds, katalog.allowed, katalog.bound, force, head.kind.namespaced)
        self.crd_part = Part(self.node.mapping("operatorBox"), (self.trail, "operatorBox"))

    def crd(self, targets: list[Target]) -> Crd:
        """Return the compiled entry."""
        found, box = self._surface(CRD_LEVEL, parts(self.crd_part), self.findings)
        boxes: dict[Surface, Box] = {CRD_LEVEL: box}
        seen = {(finding.code, finding.span) for finding in self.findings.items} if targets else set()
        for target in targets:
            of_target = self._target(target, seen)
            if target.counts:
                boxes[target.name] = of_target
        return self._finished(found, boxes, targets)

    def _target(self, target: Target, seen: set[tuple[str, Span]]) -> Box:
        """Return a target's box. What was said of the CRD level's blocks already is not said again."""
        findings = Findings()
        box_node = target.node.mapping("operatorBox") if target.node else None
        here = (target.trail, "operatorBox")
        if box_node is not None:
            settings.misplaced(box_node, here, findings)
        chosen = parts(self.crd_part, Part(box_node, here) if box_node is not None else None)
        _, box = self._surface(target.name, chosen, findings)
        self.findings.items += [one for one in findings.items if (one.code, one.span) not in seen]
        seen.update((one.code, one.span) for one in findings.items)
        return box

    def _surface(self, surface: Surface, found: Parts, findings: Findings) -> tuple[Rules, Box]:
        names = BoxNames(
            call_names(call_lists(found, self.node), findings),
            children(
                (found.create.node, found.main.node),
                found.hooks.node.sequence("managedResources") if found.hooks.node else None,
                self.katalog.kinds,
            ),
            surface,
        )
        expressions = Expressions(self.katalog.functions, self.types, findings, names)
        made = rules.rules(expressions, self.node, self.trail, self.katalog.allowed)
        made = serve.with_served(made, serve.served(self.node, self.trail, expressions), expressions)
        return made, Boxes(expressions, self.terms).box(surface, found, made)

    def _files(self, key: str) -> tuple[Object, ...]:
        """Return the objects of `crFiles` or `setup`, held to their schemas as far as these are known here."""
        nodes = self.node.sequence(key)
        found = []
        for index, target in enumerate(nodes.elements if nodes else ()):
            if not isinstance(target, Scalar) or target.text.startswith(("https://", "http://")):
                continue
            path = path_text(((self.trail, key), index))
            for obj, node in named_objects(target, self.katalog.file, self.katalog.sources, self.findings, path):
                check_object(obj, node, self.katalog.kinds, self.findings)
                found.append(obj)
        return tuple(found)

    def _finished(self, made: Rules, boxes: dict[Surface, Box], targets: list[Target]) -> Crd:
        head, node = self.head, self.node
        self._check_status(boxes[CRD_LEVEL])
        expressions = Expressions(self.katalog.functions, self.types, self.findings)
        watched = [*filter(None, [node.value("namespace")]), *texts(node.sequence("allowedNamespaces"))]
        self._check_namespaces(watched)
        return Crd(
            name=head.name,
            kind=head.kind,
            span=node.head,
            manifest=head.definition.manifest if head.definition else None,
            schema=head.schema,
            has_status=head.has_status,
            boxes=boxes,
            keep_previous=self._kept(targets, boxes),
            rules=made,
            settings=settings.settings(
                expressions, self.crd_part.node, self.crd_part.trail, boxes[CRD_LEVEL].sentinels
            ),
            finalizer=self._finalizer(),
            namespaces=tuple(dict.fromkeys(watched)),
            excluded_namespaces=texts(node.sequence("restrictedNamespaces")),
            label_selector=self._selector("labelSelector"),
            field_selector=self._selector("fieldSelector"),
            description=node.value("description", ""),
            depends_on=dependencies.depends_on(node),
            katalog=self.katalog.name,
            endpoints=settings.endpoints(node),
            examples=self._files("crFiles"),
            setup=self._files("setup"),
        )

    def _check_namespaces(self, watched: list[str]) -> None:
        restricted = self.node.sequence("restrictedNamespaces")
        for index, one in enumerate(restricted.elements if restricted else ()):
            if isinstance(one, Scalar) and one.text in watched:
                message = f"the namespace {one.text} is to be watched, and not to be: its CRs are not looked after"
                path = path_text(((self.trail, "restrictedNamespaces"), index))
                self.findings.warning("ORK0216", one.span, message, "name it in one place only", path=path)

    def _selector(self, key: str) -> str:
        """Return a selector, held to what the API server can read."""
        node = self.node.scalar(key)
        if node is None or not node.text:
            return ""
        from ork.cluster.memory import selectors

        parse = selectors.parse_labels if key == "labelSelector" else selectors.parse_fields
        try:
            parse(node.text)
        except selectors.SelectorError as error:
            hint = "write it as `kubectl get` takes it, such as `tier=gold,team in (a, b)`"
            path = path_text((self.head.trail, key))
            self.findings.error("ORK0106", node.span, f"`{key}`: {error}", hint, path=path)
        return node.text

    def _kept(self, targets: list[Target], boxes: dict[Surface, Box]) -> dict[Surface, bool]:
        """`keepPreviousSurface`: the CRD level wins if it says anything, else the new target's counts."""
        level = serve.keeps_previous(self.node.mapping("serve"))
        own = {target.name: serve.keeps_previous(target.node) for target in targets}
        return {surface: bool(own.get(surface) if level is None else level) for surface in boxes}

    def _finalizer(self) -> str:
        box = self.crd_part.node
        own = finalizer(box.sequence("finalizers") if box else None, self.crd_part.trail, self.findings)
        return own or self.katalog.finalizer or DEFAULT_FINALIZER

    def _check_status(self, box: Box) -> None:
        if box.status and not self.head.has_status:
            message = f"{self.head.kind.kind} has no status subresource, so no status is written"
            hint = "add `subresources: {status: {}}` to the version in the CRD file" if self.head.definition else ""
            self.findings.warning("ORK0621", box.status[0].span, message, hint, path=path_text(self.crd_part.trail))

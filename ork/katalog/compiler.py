"""A Katalog document → `Program` and findings. References first, then expressions; nothing stops at the first fault."""

from __future__ import annotations

from collections.abc import Iterator

from ork.base.findings import Finding, Related, Severity
from ork.base.objects import Kind, Object
from ork.base.pause import paused_collector
from ork.base.records import NamedTuple
from ork.base.text import cut
from ork.katalog import dependencies, notes, serve
from ork.katalog.calls import allowed_hosts
from ork.katalog.collect import Findings
from ork.katalog.crd_files import CrdFiles
from ork.katalog.crds import Compiling, Header, Katalog, finalizer, header
from ork.katalog.documents import decoded, kind_of
from ork.katalog.hooks import found_beside
from ork.katalog.kinds import Kinds
from ork.katalog.sources import Sources
from ork.katalog.terms import Bound
from ork.katalog.trail import Trail
from ork.katalog.yaml.nodes import AnyNode, Mapping
from ork.openapi import names
from ork.program import Crd, Program, Variable, calls_of


class Compiled(NamedTuple):
    """What came of a Katalog. With an error among the findings there is no program."""

    program: Program | None
    findings: list[Finding]
    definitions: tuple[Object, ...] = ()
    """The CustomResourceDefinitions of its CRD files."""


def compile_katalog(path: str, sources: Sources, bound: Bound | None = None) -> Compiled:
    """Compile the Katalog in a file; `bound` knows the hooks that are not files beside it.

    Raises ReadError where the file itself cannot be read.
    """
    findings: list[Finding] = []
    roots = [root for root in sources.documents(path, findings) if kind_of(root) == "Katalog"]
    if len(roots) != 1 and not findings:
        source = sources.source(path)
        message = f"{path} holds several Katalogs" if roots else f"{path} holds no Katalog"
        hint = "keep one in a file" if roots else "a Katalog says `kind: Katalog`"
        Findings(findings).error("ORK0109", source.span(0, 0), message, hint)
    if not roots:
        return Compiled(None, findings)
    return compile_document(roots[0], sources, findings, bound)


def compile_document(root: AnyNode, sources: Sources, findings: list[Finding], bound: Bound | None = None) -> Compiled:
    """Compile one document that is a Katalog; what is wrong is added to `findings`."""
    document = decoded(root, sources, findings)
    if document is None:
        return Compiled(None, findings)
    with paused_collector():
        program, definitions = _Compiler(document, sources, Findings(findings), bound).compile()
    faulty = any(finding.severity is Severity.ERROR for finding in findings)
    return Compiled(None if faulty else program, findings, definitions)


_HOSTS: Trail = (((None, "spec"), "external"), "allowedHosts")


class _Compiler:
    """One Katalog's compilation."""

    def __init__(self, document: Mapping, sources: Sources, findings: Findings, bound: Bound | None) -> None:
        self.document, self.sources, self.findings = document, sources, findings
        self.file = document.source.name
        self.spec = document.mapping("spec") or document.replaced({})
        self.bound = found_beside(self.file, sources, bound)

    def compile(self) -> tuple[Program, tuple[Object, ...]]:
        """Return what the Katalog means, as far as it could be understood, and the CRDs that it names."""
        trail: Trail = ((None, "spec"), "crds")
        crds = self.spec.mapping("crds")
        entries = {name: node for name, node in (crds.entries if crds else {}).items() if isinstance(node, Mapping)}
        files = CrdFiles(self.file, self.sources, self.findings)
        found = (header(name, node, (trail, name), files, self.findings) for name, node in entries.items())
        headers = [head for head in found if head is not None]
        dependencies.check(entries, trail, self.findings)
        self._check_unique(headers)
        katalog = self._katalog(headers)
        compiled = dict(self._crds(headers, katalog))
        program = Program(katalog.name, compiled, _children(compiled), frozenset(_variables(compiled)))
        return program, tuple(head.definition.manifest for head in headers if head.definition)

    def _katalog(self, headers: list[Header]) -> Katalog:
        external = self.spec.mapping("external")
        own = {head.kind: head.schema for head in headers}
        return Katalog(
            name=self._name(),
            file=self.file,
            sources=self.sources,
            functions=notes.functions(self.document, self.findings),
            kinds=Kinds(own),
            allowed=allowed_hosts(external.sequence("allowedHosts") if external else None, _HOSTS, self.findings),
            finalizer=finalizer(self.spec.sequence("finalizers"), (None, "spec"), self.findings),
            bound=self.bound,
        )

    def _name(self) -> str:
        """Return the Katalog's name, which every child carries as a label."""
        metadata = self.document.mapping("metadata")
        name = metadata.scalar("name") if metadata else None
        if name is None:
            return ""
        if names.label_value(name.text):
            message = f'"{cut(name.text, 80)}" cannot be the value of a label, which every child gets'
            hint = "write at most 63 letters, digits, `-_.`, a letter or digit first and last"
            self.findings.error("ORK0613", name.span, message, hint, path="metadata.name")
        return name.text

    def _crds(self, headers: list[Header], katalog: Katalog) -> Iterator[tuple[str, Crd]]:
        declared: list[serve.Target] = []
        for head in headers:
            if head.enabled:
                targets = serve.targets(head.node, head.trail, self.findings)
                declared += targets
                yield head.name, Compiling(katalog, head, self.findings).crd(targets)
        serve.unique_names(declared, self.findings)

    def _check_unique(self, headers: list[Header]) -> None:
        """Two entries for one kind would work on the same CRs."""
        first: dict[tuple[str, str], Header] = {}
        for head in headers:
            before = first.setdefault((head.kind.group, head.kind.kind), head)
            if before is not head and head.enabled and before.enabled:
                related = (Related(before.node.head, f"`{before.name}` is for it too"),)
                message = f"`{head.name}` is a second entry for {head.kind.kind}.{head.kind.group}"
                hint = "keep one, or disable one with `enabled: false`"
                path = f"spec.crds.{head.name}"
                self.findings.error("ORK0213", head.node.head, message, hint, path=path, related=related)


def _children(crds: dict[str, Crd]) -> tuple[Kind, ...]:
    """Return every kind that an entry can create, ordered."""
    boxes = (box for crd in crds.values() for box in crd.boxes.values())
    return tuple(sorted({entry.kind for box in boxes for entry in box.entries}))


def _variables(crds: dict[str, Crd]) -> Iterator[str]:
    """Go over the environment variables that tokens and headers name."""
    for crd in crds.values():
        for call in calls_of(crd):
            tokens = call.token if isinstance(call.token, tuple) else ()
            for part in (*tokens, *(part for parts in call.headers.values() for part in parts)):
                if isinstance(part, Variable):
                    yield part.name

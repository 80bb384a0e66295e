"""Everything that `ork validate` says about files: every kind of document, each by its own rules."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from os.path import abspath, commonpath, dirname

from ork.base.findings import Finding, Span
from ork.base.objects import Object, split_api_version
from ork.base.pause import paused_collector
from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.katalog.collect import Findings
from ork.katalog.compiler import Compiled, compile_document
from ork.katalog.crd_files import CRD_KIND
from ork.katalog.documents import decoded, kind_of
from ork.katalog.kinds import ANY_OBJECT, not_kubernetes
from ork.katalog.manifests import check_builtin, check_crd, check_custom
from ork.katalog.objects import listed, to_object
from ork.katalog.scenario import Expect, Scenario
from ork.katalog.simulate import load_simulate, problems
from ork.katalog.sources import ReadError, Reason, Sources
from ork.katalog.terms import Bound
from ork.katalog.yaml.nodes import AnyNode, Mapping
from ork.openapi import kubernetes
from ork.openapi import schema as openapi


class Report(NamedTuple):
    """What a check has to say."""

    findings: list[Finding]
    """Ordered by file, line, column and code, without those that a comment silences."""
    files: tuple[str, ...]
    """Every file that was read."""
    documents: int
    """How many documents were checked. With none there was nothing to say."""


def check(
    files: Sequence[str], sources: Sources, *, searched: bool | Container[str] = False, bound: Bound | None = None
) -> Report:
    """Check files by what their documents are: Katalogs, Simulate and E2E files, CRDs, CRs and other objects.

    The `searched` files, or with `True` all of them, were found in a directory, so those that hold nothing of ours are
    passed over. Raises ReadError where a file that was named cannot be opened.
    """
    with paused_collector(for_good=True):
        checking = _Check(sources, bound)
        for file in files:
            checking.file(file, searched if isinstance(searched, bool) else file in searched)
        checking.objects()
    return Report(ordered(checking.findings.items, sources), sources.files, checking.documents)


def ordered(findings: list[Finding], sources: Sources) -> list[Finding]:
    """Return findings once each, in the order in which they are shown, without the silenced."""
    unique = dict.fromkeys(finding for finding in findings if not sources.silences(finding))
    return sorted(unique, key=lambda found: (found.span.file, found.span.line, found.span.column, found.code))


_UNFIT = (Reason.SIZE, Reason.ENCODING)
"""Reasons that lie in a file's content: findings. For any other the call itself is wrong."""


class _Given(NamedTuple):
    """An object that is no document of `ork`."""

    obj: Object
    node: Mapping


class _Check:
    """One call's work. Objects are checked last, when every CRD is known."""

    def __init__(self, sources: Sources, bound: Bound | None) -> None:
        self.sources, self.bound = sources, bound
        self.findings = Findings()
        self.documents = 0
        self._given: list[_Given] = []
        self._katalogs: dict[str, Compiled] = {}
        self._schemas: dict[tuple[str, str, str], dict[str, Object]] = {}
        """By group, version and kind, and by the file that brought it: another folder may have such a CRD too."""

    def file(self, path: str, searched: bool) -> None:
        """Check the documents of one file. Raises ReadError."""
        try:
            roots = self.sources.documents(path, self.findings.items)
        except ReadError as error:
            if not searched and error.reason not in _UNFIT:
                raise
            self.findings.items.append(error.finding)
            return
        kinds = {kind_of(root) for root in roots}
        if "Simulate" in kinds:
            self._simulate(path)
        for root in roots:
            self._document(path, root, searched)
        if not roots and not searched and not any(found.span.file == path for found in self.findings.items):
            span = self.sources.source(path).span(0, 0)
            self.findings.error("ORK0109", span, "this file is empty", "a Katalog says `kind: Katalog`")

    def objects(self) -> None:
        """Check what is left: CRs and other objects, against the CRDs that were met."""
        for given in self._given:
            if given.obj.get("kind") == CRD_KIND:
                self.documents += 1
                manifest = check_crd(given.obj, given.node, self.findings)
                if manifest is not None:
                    self._learn(manifest, given.node.source.name)
        for given in self._given:
            if given.obj.get("kind") != CRD_KIND:
                self._object(given)

    def _document(self, path: str, root: AnyNode, searched: bool) -> None:
        kind = kind_of(root)
        if kind == "Katalog":
            self._katalog(path, root)
        elif kind == "Simulate":
            self.documents += 1
        elif kind or not _is_object(root):
            if kind or not searched:
                decoded(root, self.sources, self.findings.items)
                self.documents += 1
        else:
            self._given += _objects(root, self.findings)

    def _katalog(self, path: str, root: AnyNode) -> None:
        self.documents += 1
        compiled = compile_document(root, self.sources, self.findings.items, self.bound)
        self._katalogs[path] = compiled
        for manifest in compiled.definitions:
            self._learn(manifest, path)

    def _learn(self, manifest: Object, file: str) -> None:
        """Remember the schemas of a CRD that a file has or names."""
        spec = manifest["spec"]
        for version in spec["versions"]:
            schema = (version.get("schema") or {}).get("openAPIV3Schema")
            key = (spec["group"], version["name"], spec["names"]["kind"])
            self._schemas.setdefault(key, {})[file] = openapi.complete(schema) if schema else ANY_OBJECT

    # ── simulations ─────────────────────────────────────────────────────────────────────────────
    def _simulate(self, path: str) -> None:
        scenarios, findings = load_simulate(path, self.sources)
        self.findings.items += findings
        for scenario in scenarios:
            self.findings.items += problems(scenario)
            for given in scenario.crds:
                if given.obj.get("kind") == CRD_KIND and _has_versions(given.obj):
                    self._learn(given.obj, path)
            self._expected(scenario)

    def _expected(self, scenario: Scenario) -> None:
        """Hold the names under `expect.crds` to the entries of the Katalog."""
        if scenario.expect is None:
            return
        entries = self._entries(scenario)
        if entries is not None:
            for name, span in _unknown(scenario.expect, entries):
                hint = did_you_mean(name, entries) or f"the entries are {', '.join(entries)}"
                message = f"{scenario.katalog} has no CRD entry `{name}`"
                self.findings.error("ORK0904", span, message, hint, path=f"expect.crds.{name}")

    def _entries(self, scenario: Scenario) -> list[str] | None:
        """Return the names of a Katalog's entries; None, and a finding, where it cannot be read."""
        try:
            roots = self.sources.documents(scenario.katalog, [])
        except ReadError as error:
            hint = "`katalog:` names it; the path is relative to the simulation"
            message = f"{error.path} cannot be read: {error.detail}"
            self.findings.error("ORK0205", scenario.span, message, hint, path="katalog")
            return None
        for root in roots:
            spec = root.mapping("spec") if isinstance(root, Mapping) and kind_of(root) == "Katalog" else None
            crds = spec.mapping("crds") if spec else None
            if crds is not None:
                return list(crds.entries)
        return None

    # ── objects ─────────────────────────────────────────────────────────────────────────────────
    def _object(self, given: _Given) -> None:
        self.documents += 1
        key = (*split_api_version(str(given.obj.get("apiVersion"))), str(given.obj.get("kind")))
        if key in self._schemas:
            schema = _nearest(self._schemas[key], given.node.source.name)
            check_custom(given.obj, given.node, schema, self.findings)
        elif (builtin := kubernetes.kinds().get(key)) is not None:
            check_builtin(given.obj, given.node, builtin, self.findings)
        else:
            self._unknown_kind(given, key[2])

    def _unknown_kind(self, given: _Given, kind: str) -> None:
        api_version, where = str(given.obj.get("apiVersion")), given.node.head
        meant = not_kubernetes(api_version, kind)
        if meant is not None:
            self.findings.error("ORK0612", where, f"Kubernetes has no {kind} in {api_version}", meant)
            return
        group, _ = split_api_version(api_version)
        near = sorted(f"{key[2]} ({key[0]}/{key[1]})" for key in self._schemas if key[0] == group)
        message = f"no CRD of {kind} ({api_version}) is known here, so this object is not checked"
        hint = f"known here: {', '.join(near)}" if near else "name the CRD's file too, or the katalog that has it"
        self.findings.info("ORK0632", where, message, hint)


def _unknown(expect: Expect, entries: list[str]) -> Iterator[tuple[str, Span]]:
    for name, span in expect.crd_spans.items():
        if name not in entries:
            yield name, span


def _nearest(schemas: dict[str, Object], file: str) -> Object:
    """Return the schema whose file shares most of its folders with another file; of several, the first."""
    folder = dirname(abspath(file))

    def shared(other: str) -> int:
        return len(commonpath([folder, dirname(abspath(other))]))

    return schemas[max(schemas, key=shared)]


def _is_object(root: AnyNode) -> bool:
    return isinstance(root, Mapping) and bool(root.value("apiVersion") and root.value("kind"))


def _objects(root: AnyNode, findings: Findings) -> list[_Given]:
    """Return the object that a document is, or the items of a `List`."""
    nodes = [node for node in listed(root) if isinstance(node, Mapping) and _is_object(node)]
    return [_Given(to_object(node, findings), node) for node in nodes]


def _has_versions(manifest: Object) -> bool:
    """Tell whether a definition says enough to take its schemas from it."""
    spec = manifest.get("spec")
    return isinstance(spec, dict) and isinstance(spec.get("versions"), list) and isinstance(spec.get("names"), dict)

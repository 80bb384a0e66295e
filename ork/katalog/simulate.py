"""Simulate documents → `Scenario`s. Files that they name are read here; nothing is run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta

from ork.base import durations
from ork.base.findings import Finding, Related, Span
from ork.katalog.collect import Findings
from ork.katalog.documents import decoded, kind_of, spec_of
from ork.katalog.expectations import data, expectation, items, texts
from ork.katalog.grammar.simulate import ACTIONS
from ork.katalog.objects import named_objects, unreadable
from ork.katalog.scenario import (
    Absence,
    Action,
    Advanced,
    Applied,
    Change,
    Deleted,
    ErrorClaim,
    Expect,
    Failing,
    Given,
    OpClaim,
    Patched,
    Response,
    Restarted,
    Scenario,
)
from ork.katalog.sources import ReadError, Sources, beside
from ork.katalog.yaml.nodes import Mapping, Scalar

_ONE_ACTION = "one of " + ", ".join(f"`{action}`" for action in ACTIONS)


def load_simulate(path: str, sources: Sources) -> tuple[tuple[Scenario, ...], list[Finding]]:
    """Return the simulations of a file, and what is wrong with it and the files of objects that it names.

    With an error among the findings the scenarios are not to be run. Raises ReadError for the file itself.
    """
    findings: list[Finding] = []
    roots = [root for root in sources.documents(path, findings) if kind_of(root) == "Simulate"]
    documents = [document for root in roots if (document := decoded(root, sources, findings)) is not None]
    if not roots and not findings:
        message = f"{path} holds no Simulate document"
        hint = f"`ork explain Simulate` says what one has; `ork simulate --cr {path}` looks at a CR without one"
        Findings(findings).error("ORK0109", sources.source(path).span(0, 0), message, hint)
    return tuple(_Reader(path, sources, findings).scenario(document) for document in documents), findings


def problems(scenario: Scenario) -> Iterator[Finding]:
    """Say what makes a simulation a test of nothing, as far as its text alone shows."""
    out = Findings()
    if not (scenario.expect and scenario.expect.demands) and not scenario.imports:
        hint = "add `expect:`, such as `steady: true`, or `imports:`"
        out.error("ORK0901", scenario.span, "this simulation expects nothing, so it can never fail", hint)
    for op in _ops(scenario):
        if not (op.verb or op.resource):
            out.error("ORK0901", op.span, NEITHER, "add `resource:`, such as deployments", path=op.path)
    for path, span, cycle in _cycles(scenario):
        if cycle is not None and cycle > scenario.cycles:
            message = f"cycle {cycle} does not run; there are {scenario.cycles}"
            out.error("ORK0902", span, message, f"set `cycles: {cycle}` or more", path=path)
    yield from out.items


NEITHER = "this expectation names neither verb nor resource, so that any write would meet it"


def _ops(scenario: Scenario) -> Iterator[OpClaim]:
    for block in _blocks(scenario):
        yield from block.ops


def _blocks(scenario: Scenario) -> Iterator[Expect]:
    if scenario.expect:
        yield scenario.expect
        yield from scenario.expect.crds.values()


def _cycles(scenario: Scenario) -> Iterator[tuple[str, Span, int | None]]:
    """Go over every place that names a cycle."""
    parts: list[Response | Change] = [*scenario.responses, *scenario.changes]
    for part in parts:
        yield part.path, part.span, part.cycle
    for block in _blocks(scenario):
        claims: list[OpClaim | Absence | ErrorClaim] = [*block.ops, *block.absent, *block.errors]
        for claim in claims:
            yield claim.path, claim.span, claim.cycle
        if block.steady_at is not None:
            yield block.steady_at.path, block.steady_at.span, block.steady_at.value


def tell_twice(given: Iterable[Given], out: Findings) -> None:
    """Report objects that are given more than once: only one of them could be there."""
    first: dict[tuple[str, ...], Given] = {}
    for one in given:
        meta = one.obj["metadata"]
        name, namespace = meta.get("name"), meta.get("namespace") or "default"
        key = tuple(map(str, (one.obj["apiVersion"], one.obj["kind"], namespace, name)))
        before = first.setdefault(key, one) if name else one
        if before is not one:
            message = f"{one.obj['kind']} {name} is given twice"
            related = (Related(before.span, "the first one"),)
            hint = "leave one out, or change the object on the way (`changes`)"
            out.error("ORK0905", one.span, message, hint, related=related)


class _Reader:
    """One document's reading."""

    def __init__(self, file: str, sources: Sources, findings: list[Finding]) -> None:
        self.file, self.sources, self.out = file, sources, Findings(findings)

    def scenario(self, document: Mapping) -> Scenario:
        spec = spec_of(document)
        metadata = document.mapping("metadata")
        expect = spec.mapping("expect")
        given, crds = tuple(self.objects(spec, "cr", "crFiles")), tuple(self.objects(spec, "crd", "crdFiles"))
        tell_twice(given + crds, self.out)
        return Scenario(
            name=(metadata and metadata.value("name")) or _stem(self.file),
            file=self.file,
            span=document.head,
            katalog=beside(self.file, spec.value("katalog", "katalog.yaml")),
            given=given,
            crds=crds,
            cycles=spec.value("cycles", 10),
            at=self.moment(spec.scalar("at")),
            target=spec.value("target", ""),
            skip_external=spec.value("skipExternal", False),
            responses=tuple(_response(path, node) for path, node in items(spec, "externalResponses")),
            workloads=_workloads(spec),
            changes=tuple(self.changes(spec)),
            hooks=texts(spec.mapping("hooks")),
            expect=expectation(expect, "expect") if expect is not None else None,
            imports=tuple(self.paths(document, spec)),
        )

    def objects(self, spec: Mapping, one: str, many: str) -> Iterator[Given]:
        """Go over the objects of the files that two keys name."""
        single, several = spec.scalar(one), spec.sequence(many)
        targets = [(single, one)] if single else []
        targets += [(node, f"{many}[{index}]") for index, node in enumerate(several or ()) if isinstance(node, Scalar)]
        for target, path in targets:
            for obj, node in named_objects(target, self.file, self.sources, self.out, path):
                yield Given(obj, node.head)

    def paths(self, document: Mapping, spec: Mapping) -> Iterator[str]:
        """Go over `imports`, at the top or under `spec`; one that cannot be read is reported."""
        for holder in [document] if document is spec else [document, spec]:
            for index, node in enumerate(holder.sequence("imports") or ()):
                if isinstance(node, Scalar) and self.readable(path := beside(self.file, node.text), node, index):
                    yield path

    def readable(self, path: str, node: Scalar, index: int) -> bool:
        """Tell whether an import can be read."""
        try:
            self.sources.source(path)
        except ReadError as error:
            unreadable(error, node.span, self.out, f"imports[{index}]")
            return False
        return True

    def moment(self, node: Scalar | None) -> datetime | None:
        """Return what `at` says, in UTC."""
        if node is None:
            return None
        try:
            return datetime.fromisoformat(node.text).astimezone(UTC)
        except ValueError:
            hint = "write it as 2026-01-05T10:00:00Z"
            self.out.error("ORK0106", node.span, f'`at`: there is no time "{node.text}"', hint, path="at")
            return None

    def changes(self, spec: Mapping) -> Iterator[Change]:
        """Go over `changes`; one without exactly one action is reported."""
        for path, node in items(spec, "changes"):
            named = [key for key in ACTIONS if key in node.entries and node.value(key) is not False]
            if len(named) != 1:
                message = "this change says what happens more than once" if named else "this change does nothing"
                self.out.error("ORK0903", node.head, message, f"say {_ONE_ACTION}", path=path)
            elif "cycle" in node.entries:
                action = self.action(named[0], node, path)
                yield Change(path, node.head, node.value("cycle"), action)

    def action(self, key: str, node: Mapping, path: str) -> Action:
        """Return what a change does."""
        if key == "apply":
            return self.applied(node, f"{path}.apply")
        return _ACTIONS[key](node)

    def applied(self, node: Mapping, path: str) -> Applied:
        """Return `apply`: a file's objects, or the one that stands here."""
        inline = node.mapping("apply")
        if inline is not None:
            return Applied((Given(data(inline), inline.head),))
        target = node.scalar("apply")
        found = named_objects(target, self.file, self.sources, self.out, path) if target else []
        return Applied(tuple(Given(obj, at.head) for obj, at in found))


# ── changes ─────────────────────────────────────────────────────────────────────────────────────
def _patched(node: Mapping) -> Patched:
    patch = _under(node, "patch")
    resource, name, namespace, subresource = _said(patch, "resource", "name", "namespace", "subresource")
    return Patched(resource.lower(), name, namespace, subresource, data(patch.mapping("patch")))


def _deleted(node: Mapping) -> Deleted:
    resource, name, namespace = _said(_under(node, "delete"), "resource", "name", "namespace")
    return Deleted(resource.lower(), name, namespace)


def _failing(node: Mapping) -> Failing:
    fail = _under(node, "fail")
    verb, resource = _said(fail, "verb", "resource")
    return Failing(verb, resource.lower(), fail.value("status", 409), fail.value("times", 1))


def _said(node: Mapping, *keys: str) -> list[str]:
    return [str(node.value(key, "")) for key in keys]


_ACTIONS: dict[str, Callable[[Mapping], Action]] = {
    "patch": _patched,
    "delete": _deleted,
    "fail": _failing,
    "advance": lambda node: Advanced(_length(node, "advance")),
    "restart": lambda _: Restarted(),
}


# ── what answers, and what becomes of workloads ──────────────────────────────────────────────────
def _response(path: str, node: Mapping) -> Response:
    return Response(
        path=path,
        span=node.head,
        name=node.value("name", ""),
        url=node.value("url", ""),
        method=node.value("method", "").upper(),
        cycle=node.value("cycle"),
        status=node.value("status", 200),
        body=_body(node),
        headers=texts(node.mapping("headers")),
        delay=_length(node, "delay"),
        refused=node.value("refused", False),
    )


def _body(node: Mapping) -> bytes:
    """A text as it stands; anything else as the JSON that an endpoint would send."""
    found = node.get("body")
    if found is None or (isinstance(found, Scalar) and found.is_text):
        return found.text.encode() if isinstance(found, Scalar) else b""
    return json.dumps(data(found), ensure_ascii=False, separators=(",", ":")).encode()


def _workloads(spec: Mapping) -> dict[str, str]:
    """What becomes of workloads by plural; `*` is all others."""
    chosen = spec.get("workloads")
    if isinstance(chosen, Scalar):
        return {"*": str(chosen.value)}
    kinds = {key.lower(): text for key, text in texts(spec.mapping("workloads")).items()}
    return {"*": "ready"} | kinds


def _under(node: Mapping, key: str) -> Mapping:
    return node.mapping(key) or node.replaced({})


def _length(node: Mapping, key: str) -> timedelta:
    found = node.scalar(key)
    return durations.parse(found.text) if found else timedelta()


def _stem(file: str) -> str:
    return file.rpartition("/")[2].rpartition(".")[0] or file

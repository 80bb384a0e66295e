"""Which pods a Service without a selector means (resources.md, "services")."""

from __future__ import annotations

from ork.katalog.collect import Findings
from ork.katalog.resources.entries import Draft
from ork.katalog.resources.leaves import PodLabels
from ork.katalog.trail import path_text
from ork.program import Entry, ForEach

_SUFFIX = "-svc"


def finished(drafts: list[Draft], findings: Findings, surface: str) -> tuple[Entry, ...]:
    """Return the entries of a box; a Service without a selector gets that of the workload that it stands before."""
    workloads = [draft for draft in drafts if draft.workload]
    made = []
    for draft in drafts:
        if draft.finish is None:
            made.append(draft.entry)
            continue
        workload = _meant(draft, workloads, findings, surface)
        made.append(draft.finish(draft.entry, PodLabels(workload.entry.name)) if workload else draft.entry)
    return tuple(made)


def _meant(service: Draft, workloads: list[Draft], findings: Findings, surface: str) -> Draft | None:
    name = service.entry.name.text.removesuffix(_SUFFIX)
    named = [workload for workload in workloads if workload.entry.name.text == name]
    candidates = workloads if len(workloads) == 1 else named
    hint = "write `selector:` with the labels of the pods that it leads to"
    where = f" in the box of the target `{surface}`" if surface else ""
    span, path = service.entry.span, path_text(service.trail)
    if len(candidates) != 1:
        why = "the box declares no workload" if not workloads else "several workloads are declared"
        message = f"which pods this Service leads to is not clear{where}: {why}"
        findings.error("ORK0610", span, message, hint, path=path)
        return None
    if not _alike(service.entry.each, candidates[0].entry.each):
        message = f"this Service cannot name the pods of its workload{where}: only that one goes over a list"
        findings.error("ORK0610", span, message, "give the Service the same `forEach`, or a `selector:`", path=path)
        return None
    return candidates[0]


def _alike(service: ForEach | None, workload: ForEach | None) -> bool:
    """Tell whether the workload's name can be rendered in the Service's scope."""
    if workload is None:
        return True
    return service is not None and (service.field.text, service.name) == (workload.field.text, workload.name)

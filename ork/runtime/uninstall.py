"""Taking a Katalog away: CRs lose what only `ork` would take off, their finalizer above all; children stay.

A CR that is being deleted first gets its turn, so that what only `ork` can delete goes with it.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence

from ork.base.objects import Object, annotations_of, deleting, finalizers_of, ref_of
from ork.base.requests import WriteError
from ork.cluster.source import Refusal, Scope, SourceError
from ork.program import INVENTORY, LAST_SURFACE, Crd, Program
from ork.reconcile.ports import Cluster
from ork.runtime.operator import World
from ork.runtime.watches import namespaces_of

_OURS = (INVENTORY, LAST_SURFACE)
"""Annotations that the operator keeps on CRs."""
ATTEMPTS = 5
"""So often a CR is read and released anew where others change it meanwhile."""


async def uninstall(program: Program, world: World, namespaces: Sequence[str], log: logging.Logger) -> bool:
    """Release every CR of a program, those included that its selectors leave out; tell whether none is left."""
    cluster, well = world.cluster(lambda: float("inf")), True
    for crd in program.crds.values():
        try:
            async for cr in _crs(crd, world, namespaces):
                well &= await _release(crd, cr, cluster, log)
        except SourceError as error:
            if error.refusal is not Refusal.UNKNOWN:  # a CRD that is gone has no CRs
                log.error("%s cannot be released: %s", crd.name, error)
                well = False
    return well


async def _crs(crd: Crd, world: World, namespaces: Sequence[str]) -> AsyncIterator[Object]:
    for namespace in namespaces_of(crd, namespaces):
        async for page in world.source.list(Scope(crd.kind, namespace)):
            for cr in page.items:
                yield cr


async def _release(crd: Crd, cr: Object, cluster: Cluster, log: logging.Logger) -> bool:
    """Take finalizer and annotations off one CR; tell whether it is free of them."""
    ref = ref_of(crd.kind, cr)
    for _ in range(ATTEMPTS):
        left = [each for each in finalizers_of(cr) if each != crd.finalizer]
        marks = {name: None for name in _OURS if name in annotations_of(cr)}
        if not marks and left == finalizers_of(cr):
            return True
        if deleting(cr):
            log.error("%s is being deleted, and children of it are left: see why its last turn failed", ref)
            return False
        try:
            await cluster.mark(cr, ref, left, marks)
            log.info("%s: released", ref)
            return True
        except WriteError as error:
            problem = error
            found = await cluster.read(ref)
            if found is None:
                return True
            cr = found
    log.error("%s cannot be released: %s", ref, problem)
    return False

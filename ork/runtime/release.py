"""Letting CRs go: they lose what only `ork` would take off, their finalizer above all; children stay.

That happens to a CR that left its CRD's selector, and to all of them when a Katalog is taken away.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress

from ork.base.findings import FaultKind
from ork.base.objects import Object, annotations_of, deleting, finalizers_of, ref_of
from ork.base.requests import WriteError
from ork.cluster.source import Refusal, Scope, SourceError
from ork.labels import INVENTORY, LAST_SURFACE
from ork.program import Crd, Program
from ork.reconcile.ports import Cluster
from ork.runtime.informer import Source
from ork.runtime.watches import namespaces_of

_OURS = (INVENTORY, LAST_SURFACE)
"""Annotations that the operator keeps on CRs."""
PAUSES = (0.0, 0.2, 1.0, 5.0, 15.0)
"""Seconds before each attempt to release a CR: others may change it meanwhile, or the API server may be away."""


_PASSING = (FaultKind.CONFLICT, FaultKind.UNAVAILABLE)
"""What may be otherwise at the next attempt."""

Sleep = Callable[[float], Awaitable[None]]


class Releasing:
    """Lets CRs go, as far as `namespaces` are looked after."""

    def __init__(
        self,
        source: Source,
        cluster: Cluster,
        namespaces: Sequence[str],
        log: logging.Logger,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._source, self._cluster, self._namespaces, self._log = source, cluster, namespaces, log
        self._sleep = sleep

    async def program(self, program: Program) -> bool:
        """Release every CR, those included that selectors leave out; tell whether none is left.

        What is being deleted must have had its turn before.
        """
        return all([await self.crd(crd, lambda _: True) for crd in program.crds.values()])

    async def crd(self, crd: Crd, meant: Callable[[Object], bool]) -> bool:
        """Release the CRs of a CRD that are meant; tell whether none of them is left."""
        well = True
        try:
            async for cr in self._crs(crd):
                well = (not meant(cr) or await self.one(crd, cr)) and well
        except SourceError as error:
            if error.refusal is not Refusal.UNKNOWN:  # a CRD that is gone has no CRs
                self._log.error("%s cannot be released: %s", crd.name, error)
                return False
        return well

    async def _crs(self, crd: Crd) -> AsyncIterator[Object]:
        for namespace in namespaces_of(crd, self._namespaces):
            async for page in self._source.list(Scope(crd.kind, namespace)):
                for cr in page.items:
                    yield cr

    async def one(self, crd: Crd, cr: Object) -> bool:
        """Take finalizer and annotations off one CR; tell whether it is free of them. Never raises."""
        ref, problem = ref_of(crd.kind, cr), ""
        for pause in PAUSES:
            await self._sleep(pause)
            left = [each for each in finalizers_of(cr) if each != crd.finalizer]
            marks = {name: None for name in _OURS if name in annotations_of(cr)}
            if not marks and left == finalizers_of(cr):
                return True
            if deleting(cr):
                self._log.error("%s is being deleted, and children of it are left: see why its last turn failed", ref)
                return False
            try:
                await self._cluster.mark(cr, ref, left, marks)
                self._log.info("%s: released", ref)
                return True
            except WriteError as error:
                problem = str(error)
                if error.fault.kind not in _PASSING:
                    break
            with suppress(WriteError):  # what cannot be read now may still be as it was
                found = await self._cluster.read(ref)
                if found is None:
                    return True
                cr = found
        self._log.error("%s cannot be released: %s", ref, problem)
        return False

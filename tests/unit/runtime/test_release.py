"""Letting CRs go while others change them and the API server is not well. The cluster is a list of its answers."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from ork.base.findings import Fault, FaultKind
from ork.base.objects import Object
from ork.base.requests import WriteError
from ork.labels import DEFAULT_FINALIZER
from ork.runtime.release import PAUSES, Releasing
from tests.unit.runtime.conftest import Entry


def fails(kind: FaultKind) -> WriteError:
    return WriteError(Fault(kind, "no"))


def cr(version: int, *finalizers: str) -> Object:
    meta = {"name": "a", "namespace": "d", "uid": "a", "resourceVersion": str(version)}
    return {"metadata": {**meta, "finalizers": [DEFAULT_FINALIZER, *finalizers]}}


class Cluster:
    """Answers marks and reads from two lists."""

    def __init__(self, marks: list[Any], reads: list[Any]) -> None:
        self._marks, self._reads = marks, reads
        self.marked: list[tuple[str, list[str]]] = []

    async def mark(self, cr: Object, ref: object, finalizers: list[str], annotations: object) -> Any:
        self.marked.append((cr["metadata"]["resourceVersion"], finalizers))
        return _answer(self._marks)

    async def read(self, ref: object) -> Any:
        return _answer(self._reads)


def _answer(answers: list[Any]) -> Any:
    answer = answers.pop(0) if len(answers) > 1 else answers[0]
    if isinstance(answer, WriteError):
        raise answer
    return answer


def released(entry: Entry, cluster: Any) -> tuple[bool, list[float]]:
    """Release a CR; return whether that went well, and the pauses that it took."""
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    unused: Any = None
    releasing = Releasing(unused, cluster, (), logging.getLogger("test.release"), sleep)
    return asyncio.run(releasing.one(entry("status: {}"), cr(1))), pauses


def test_a_cr_that_others_change_is_read_and_released_anew(entry: Entry) -> None:
    cluster = Cluster([fails(FaultKind.CONFLICT), cr(3)], [cr(2, "theirs")])
    assert released(entry, cluster) == (True, list(PAUSES[:2]))
    assert cluster.marked == [("1", []), ("2", ["theirs"])]


def test_a_cr_that_is_gone_meanwhile_is_free(entry: Entry) -> None:
    assert released(entry, Cluster([fails(FaultKind.CONFLICT)], [None]))[0]


def test_a_server_that_is_away_for_a_moment_costs_time_only(entry: Entry) -> None:
    away = fails(FaultKind.UNAVAILABLE)
    assert released(entry, Cluster([away, away, cr(2)], [away])) == (True, list(PAUSES[:3]))


def test_a_server_that_stays_away_breaks_nothing(entry: Entry) -> None:
    away = fails(FaultKind.UNAVAILABLE)
    assert released(entry, Cluster([away], [away])) == (False, list(PAUSES))


def test_a_conflict_over_a_cr_that_may_not_be_read_breaks_nothing(entry: Entry) -> None:
    cluster = Cluster([fails(FaultKind.CONFLICT)], [fails(FaultKind.FORBIDDEN)])
    assert released(entry, cluster) == (False, list(PAUSES))


def test_what_may_not_be_done_is_not_tried_again(entry: Entry) -> None:
    cluster = Cluster([fails(FaultKind.FORBIDDEN)], [cr(1)])
    assert released(entry, cluster) == (False, [PAUSES[0]])

"""How a CRD's queue and workers run: `reconciler`, `queue`, `autoscale` (language, sections 3 and 9)."""

from __future__ import annotations

from datetime import timedelta

from ork.katalog import conditions, scope
from ork.katalog.calls import backoff, length
from ork.katalog.collect import Findings
from ork.katalog.expressions import Expressions, Site
from ork.katalog.scope import LAST, Moment, Stage
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import Mapping
from ork.program import Settings

CRD_LEVEL_ONLY = ("workers", "resync", "queue")
"""What a target's reconciler cannot change."""

_DEFAULTS = Settings()


def settings(expressions: Expressions, box: Mapping | None, trail: Trail, sentinels: tuple[str, ...]) -> Settings:
    """Return the settings of a CRD-level box."""
    if box is None:
        return _DEFAULTS
    scaling = box.mapping("autoscale")
    if scaling is not None:
        inside = scaling.mapping("conditions")
        if inside is not None:
            conditions.guard(expressions, inside, Site(scope.SCALING), ((trail, "autoscale"), "conditions"))
    reconciler = box.mapping("reconciler")
    if reconciler is None:
        return _DEFAULTS
    queue = reconciler.mapping("queue")
    made = _DEFAULTS._replace(
        workers=reconciler.value("workers", _DEFAULTS.workers),
        resync=length(reconciler, "resync", _DEFAULTS.resync),
    )
    _check_positive(made.resync, reconciler, expressions.findings, (trail, "reconciler"))
    if queue is None:
        return made
    _behaviour(expressions, queue, ((trail, "reconciler"), "queue"), sentinels)
    return made._replace(
        max_depth=queue.value("maxDepth", _DEFAULTS.max_depth),
        failure_threshold=queue.value("failureThreshold", _DEFAULTS.failure_threshold),
        retry_backoff=backoff(queue),
    )


def _check_positive(resync: timedelta, node: Mapping, findings: Findings, trail: Trail) -> None:
    if resync <= timedelta():
        span = node.entries["resync"].span
        message = "`resync` says how often every CR is looked at again, so it must be longer than nothing"
        findings.error("ORK0505", span, message, 'write a duration such as "30s"', path=path_text((trail, "resync")))


def _behaviour(expressions: Expressions, queue: Mapping, trail: Trail, sentinels: tuple[str, ...]) -> None:
    """Check what happens to events while many wait."""
    behaviour = queue.mapping("behaviour")
    if behaviour is None:
        return
    if not queue.value("maxDepth"):
        message = "`behaviour` says what happens at `maxDepth`, and that is not set"
        hint = "add `maxDepth:` with the number of objects that may wait"
        expressions.findings.error("ORK0504", queue.key_span("behaviour"), message, hint, path=path_text(trail))
    site = Site(scope.GATE, Moment(Stage.ENQUEUE, LAST), sentinels=frozenset(sentinels))
    for key in ("onLimit", "onThreshold"):
        node = behaviour.mapping(key)
        if node is not None:
            conditions.guard(expressions, node, site, ((trail, "behaviour"), key))


def misplaced(target: Mapping, trail: Trail, findings: Findings) -> None:
    """Warn of settings that a target declares: they are always the CRD level's."""
    reconciler = target.mapping("reconciler")
    found = [(reconciler, key, (trail, "reconciler")) for key in CRD_LEVEL_ONLY]
    for node, key, above in (*found, (target, "autoscale", trail)):
        if node is not None and key in node.entries:
            message = f"`{key}` on a target has no effect: it is always the CRD level's"
            hint = "move it to the operatorBox of the CRD entry"
            findings.warning("ORK0806", node.key_span(key), message, hint, path=path_text((above, key)))

"""How a CRD's queue and workers run: `reconciler`, `queue`, `autoscale` (language, sections 3 and 9)."""

from __future__ import annotations

from datetime import timedelta

from ork.expr.conditions import ALWAYS
from ork.katalog import conditions, scope
from ork.katalog.calls import backoff, length
from ork.katalog.collect import Findings
from ork.katalog.expressions import Expressions, Site
from ork.katalog.scope import LAST, Moment, Stage
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import Mapping
from ork.program import Autoscale, Backoff, Endpoints, Overflow, Settings

CRD_LEVEL_ONLY = ("workers", "resync", "queue")
"""What a target's reconciler cannot change."""

_DEFAULTS = Settings()


def settings(expressions: Expressions, box: Mapping | None, trail: Trail, sentinels: tuple[str, ...]) -> Settings:
    """Return the settings of a CRD-level box."""
    if box is None:
        return _DEFAULTS
    made = _DEFAULTS._replace(autoscale=_autoscale(expressions, box.mapping("autoscale"), (trail, "autoscale")))
    reconciler = box.mapping("reconciler")
    if reconciler is None:
        return made
    queue = reconciler.mapping("queue")
    made = made._replace(
        workers=reconciler.value("workers", _DEFAULTS.workers),
        resync=_often(reconciler, "resync", _DEFAULTS.resync, expressions.findings, (trail, "reconciler")),
    )
    if queue is None:
        return made
    return made._replace(
        max_depth=queue.value("maxDepth", _DEFAULTS.max_depth),
        failure_threshold=queue.value("failureThreshold", _DEFAULTS.failure_threshold),
        retry_backoff=_retries(queue),
        behaviour=_behaviour(expressions, queue, ((trail, "reconciler"), "queue"), sentinels),
    )


def endpoints(entry: Mapping) -> Endpoints:
    """Return what the live API shows of a CRD."""
    node = entry.mapping("endpoints")
    if node is None:
        return Endpoints()
    return Endpoints(*(node.value(key, True) is not False for key in Endpoints._fields))


def _often(node: Mapping, key: str, default: timedelta, findings: Findings, trail: Trail) -> timedelta:
    """Return how often something happens, which cannot be all the time."""
    found = length(node, key, default)
    if found > timedelta():
        return found
    message = f"`{key}` says how often something happens, so it must be longer than nothing"
    hint = 'write a duration such as "30s"'
    findings.error("ORK0505", node.entries[key].span, message, hint, path=path_text((trail, key)))
    return default


def _retries(queue: Mapping) -> Backoff | None:
    """Return the waits between attempts; their number is bounded only where the author bounds it."""
    found, full = backoff(queue), queue.mapping("retryBackoff")
    bounded = full is not None and "maxAttempts" in full.entries
    return found if found is None or bounded else found._replace(attempts=0)


def _autoscale(expressions: Expressions, node: Mapping | None, trail: Trail) -> Autoscale | None:
    """Return what is set while conditions hold; None where nothing would ever be."""
    if node is None:
        return None
    inside, done = node.mapping("conditions"), node.mapping("do")
    guard = conditions.guard(expressions, inside, Site(scope.SCALING), (trail, "conditions")) if inside else ALWAYS
    made = Autoscale(guard)
    made = made._replace(
        interval=_often(node, "interval", made.interval, expressions.findings, trail),
        cooldown=length(node, "cooldown", made.cooldown),
    )
    if done is None:
        return None
    resync = "resync" in done.entries
    return made._replace(
        workers=done.value("workers"),
        max_depth=done.value("queueDepth"),
        resync=_often(done, "resync", _DEFAULTS.resync, expressions.findings, (trail, "do")) if resync else None,
    )


def _behaviour(
    expressions: Expressions, queue: Mapping, trail: Trail, sentinels: tuple[str, ...]
) -> tuple[Overflow, ...]:
    """Return what happens to events while many wait, the fullest first."""
    behaviour = queue.mapping("behaviour")
    if behaviour is None:
        return _DEFAULTS.behaviour
    if not queue.value("maxDepth"):
        message = "`behaviour` says what happens at `maxDepth`, and that is not set"
        hint = "add `maxDepth:` with the number of objects that may wait"
        expressions.findings.error("ORK0504", queue.key_span("behaviour"), message, hint, path=path_text(trail))
    site = Site(scope.GATE, Moment(Stage.ENQUEUE, LAST), sentinels=frozenset(sentinels))
    found = []
    for key in ("onLimit", "onThreshold"):
        node = behaviour.mapping(key)
        if node is not None:
            guard = conditions.guard(expressions, node, site, ((trail, "behaviour"), key))
            found.append(Overflow(node.value("value", 100), node.value("drop", True) is not False, guard))
    return tuple(found) if "onLimit" in behaviour.entries else (*_DEFAULTS.behaviour, *found)


def misplaced(target: Mapping, trail: Trail, findings: Findings) -> None:
    """Warn of settings that a target declares: they are always the CRD level's."""
    reconciler = target.mapping("reconciler")
    found = [(reconciler, key, (trail, "reconciler")) for key in CRD_LEVEL_ONLY]
    for node, key, above in (*found, (target, "autoscale", trail)):
        if node is not None and key in node.entries:
            message = f"`{key}` on a target has no effect: it is always the CRD level's"
            hint = "move it to the operatorBox of the CRD entry"
            findings.warning("ORK0806", node.key_span(key), message, hint, path=path_text((above, key)))

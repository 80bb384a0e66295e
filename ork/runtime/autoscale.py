"""`operatorBox.autoscale`: other settings of a CRD's queue and workers, for as long as conditions hold."""

from __future__ import annotations

import asyncio
import logging

from ork.base.clock import Clock
from ork.expr.conditions import holds
from ork.expr.env import Env
from ork.expr.errors import EvaluationError
from ork.program import Autoscale, Settings
from ork.runtime.kordinator import Kordinator


class Autoscaler:
    """Decides which settings hold. Times are monotonic seconds."""

    def __init__(self, rule: Autoscale, usual: Settings) -> None:
        self._rule = rule
        self._settings = {
            False: usual,
            True: usual._replace(
                workers=usual.workers if rule.workers is None else rule.workers,
                max_depth=usual.max_depth if rule.max_depth is None else rule.max_depth,
                resync=usual.resync if rule.resync is None else rule.resync,
            ),
        }
        self._scaled = False
        self._changed_at = float("-inf")

    def decide(self, holds: bool, now: float) -> Settings | None:
        """Return the settings that hold from now on; None where they stay, or the last change is too fresh."""
        if holds == self._scaled or now < self._changed_at + self._rule.cooldown.total_seconds():
            return None
        self._scaled, self._changed_at = holds, now
        return self._settings[holds]


async def autoscale(kordinator: Kordinator, usual: Settings, clock: Clock, log: logging.Logger) -> None:
    """Look from time to time whether other settings than the usual ones are called for, until cancelled."""
    rule = kordinator.crd.settings.autoscale
    if rule is None:
        return
    scaler, name = Autoscaler(rule, usual), kordinator.crd.name
    while True:
        await asyncio.sleep(rule.interval.total_seconds())
        try:
            wanted = holds(rule.guard, kordinator.summary(), Env(clock.now()))
        except EvaluationError as error:
            log.warning("%s: autoscale cannot be decided: %s", name, error)
            wanted = False
        settings = scaler.decide(wanted, asyncio.get_running_loop().time())
        if settings is not None:
            words = f"{settings.workers} workers, maxDepth {settings.max_depth}, resync {settings.resync}"
            log.info("%s goes on with %s", name, words)
            kordinator.adopt(settings)

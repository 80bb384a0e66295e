"""`operatorBox.autoscale`: other settings of a CRD's queue and workers, for as long as conditions hold."""

from __future__ import annotations

from ork.program import Autoscale, Settings


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

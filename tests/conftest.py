"""What holds for every test: properties have no deadline of their own, since a busy machine is no fault of theirs; the
time limit of pytest holds for them as for any test."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("ork", deadline=None)
settings.load_profile("ork")

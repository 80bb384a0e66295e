"""What the exit code of a call says."""

from __future__ import annotations

WELL = 0
NOT_WELL = 1
"""There are findings, failures or differences."""
WRONG_CALL = 2
OUTSIDE_FAILED = 3
"""Cluster, network or port."""
BUG = 70
INTERRUPTED = 130

"""Admission, serve and gateway: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code

CODES: tuple[Code, ...] = ()

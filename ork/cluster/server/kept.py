"""A store that outlives its process: its objects in one JSON file."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from ork.base.errors import UsageError, in_words
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store

SAVE_AFTER = 1.0
"""Seconds after which a change is in the file."""


@asynccontextmanager
async def kept(store: Store, path: str) -> AsyncIterator[None]:
    """Keep a store's objects in a file while the context lasts; without a path nowhere. Raises UsageError."""
    if not path:
        yield
        return
    file = StateFile(Path(path), store)
    file.load()
    keeping = asyncio.ensure_future(file.keep())
    try:
        yield
    finally:
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping


class StateFile:
    """Where a store's objects are kept."""

    def __init__(self, path: Path, store: Store) -> None:
        self._path, self._store = path, store
        self._saved = ""

    def load(self) -> None:
        """Put the objects of the file into the store; a file that is not there is empty. Raises UsageError."""
        if not self._path.exists():
            return
        try:
            self._store.restore(json.loads(self._path.read_bytes())["objects"])
        except OSError as error:
            raise UsageError(f"{self._path} cannot be read: {in_words(error)}") from error
        except (ValueError, KeyError, TypeError, ApiError) as error:
            raise UsageError(f"{self._path} is no state that ork has written ({error}); name another file") from error
        self._saved = self._store.version

    async def keep(self) -> None:
        """Save changes as they come, until cancelled; then once more. Raises UsageError."""
        try:
            while True:
                await asyncio.sleep(SAVE_AFTER)
                self.save()
        finally:
            self.save()

    def save(self) -> None:
        """Write the file, if anything changed since. Raises UsageError."""
        if self._saved == self._store.version:
            return
        self._saved = self._store.version
        text = json.dumps({"objects": self._store.objects()}, separators=(",", ":"))
        beside = self._path.with_name(f".{self._path.name}.new")
        try:
            beside.write_text(text, encoding="utf-8")
            os.replace(beside, self._path)
        except OSError as error:
            raise UsageError(f"{self._path} cannot be written: {in_words(error)}") from error

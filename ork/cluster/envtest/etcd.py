"""What lies below an API server: the keys and values of its etcd, over etcd's own JSON gateway."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from typing import Any
from urllib.request import ProxyHandler, build_opener

REGISTRY = b"/registry/"
"""Everything that an API server stores has a key that begins so."""
_BEHIND = b"/registry0"

_open = build_opener(ProxyHandler({})).open


class Etcd:
    """One etcd, by its client URL."""

    def __init__(self, url: str) -> None:
        self.url = url

    def revision(self) -> int:
        """Return the revision of the last write; an object's resourceVersion is the revision that wrote it."""
        answer = self._ask("range", key=REGISTRY)
        return int(answer["header"]["revision"])

    def written_at(self, revision: int) -> bytes | None:
        """Return the key that a revision wrote, if that is still its last write."""
        found = self._keys(min_mod_revision=revision, max_mod_revision=revision)
        return found[0] if found else None

    def made_since(self, revision: int) -> list[bytes]:
        """Return the keys that came into being after a revision."""
        return self._keys(min_create_revision=revision + 1)

    def put(self, key: bytes, value: bytes) -> None:
        """Write a key past the API server, whose watches see it."""
        self._ask("put", key=key, value=value)

    def delete(self, key: bytes) -> None:
        """Delete a key past the API server, finalizers or not."""
        self._ask("deleterange", key=key)

    def compact(self) -> None:
        """Forget every old revision, so that a watch from before now is answered with 410."""
        self._ask("compaction", revision=self.revision())

    def _keys(self, **limits: int) -> list[bytes]:
        answer = self._ask("range", key=REGISTRY, range_end=_BEHIND, keys_only=True, **limits)
        return [b64decode(pair["key"]) for pair in answer.get("kvs", ())]

    def _ask(self, what: str, **fields: bytes | int | bool) -> Any:
        body = {name: _encoded(value) for name, value in fields.items()}
        with _open(f"{self.url}/v3/kv/{what}", json.dumps(body).encode(), timeout=30) as answer:
            return json.load(answer)


def _encoded(value: bytes | int | bool) -> Any:
    return b64encode(value).decode() if isinstance(value, bytes) else value

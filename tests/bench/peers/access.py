"""The one way in which benchmark programs reach the API server: its address, its CA, its token."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import NamedTuple, Self

import aiohttp
import yaml


class Access(NamedTuple):
    """What a kubeconfig of `tests.controlplane` says."""

    server: str
    ca: str
    token: str

    @classmethod
    def read(cls, kubeconfig: str | Path) -> Self:
        """Read a kubeconfig with one cluster and one user."""
        config = yaml.safe_load(Path(kubeconfig).read_text())
        cluster = config["clusters"][0]["cluster"]
        return cls(cluster["server"], cluster["certificate-authority"], config["users"][0]["user"]["token"])

    def session(self, limit: int) -> aiohttp.ClientSession:
        """Open a session of at most `limit` connections."""
        tls = ssl.create_default_context(cafile=self.ca)
        return aiohttp.ClientSession(
            headers={"Authorization": f"Bearer {self.token}"},
            connector=aiohttp.TCPConnector(ssl=tls, limit=limit),
            timeout=aiohttp.ClientTimeout(total=None),
        )

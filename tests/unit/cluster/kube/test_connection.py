"""Which proxy leads to an API server."""

from __future__ import annotations

import asyncio

import pytest

from ork.cluster.kube.connection import Connection, Credentials, Endpoint

ENVIRONMENT, OWN = "http://proxy.example.org:3128", "http://other.example.org:3128"


@pytest.mark.parametrize(
    ("server", "own", "expected"),
    [
        ("https://cluster.example.org:6443", None, ENVIRONMENT),
        ("https://cluster.example.org:6443", OWN, OWN),
        ("https://internal.example.org:6443", None, None),
        ("https://127.0.0.1:6443", None, None),
        ("https://[::1]:6443", None, None),
        ("https://localhost:6443", None, None),
        ("https://localhost:6443", OWN, OWN),
        ("http://cluster.example.org", None, None),
    ],
)
def test_the_proxy_is_the_kubeconfigs_or_else_the_environments_but_for_this_machine(
    monkeypatch: pytest.MonkeyPatch, server: str, own: str | None, expected: str | None
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "HTTPS_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", ENVIRONMENT)
    monkeypatch.setenv("no_proxy", "internal.example.org")

    async def found() -> str | None:
        return Connection(Endpoint(server, proxy=own), "default", Credentials()).proxy

    assert asyncio.run(found()) == expected

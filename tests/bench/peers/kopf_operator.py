"""The benchmark's operator on kopf.

KUBECONFIG=… kopf run --standalone -n NAMESPACE kopf_operator.py
"""

from __future__ import annotations

import os
from typing import Any

import kopf

from tests.bench.peers.access import Access
from tests.bench.peers.raw import children


@kopf.on.startup()
async def open_session(settings: Any, memo: Any, **_: Any) -> None:
    """Open the session that the handlers share; Kubernetes Events are off, as in the other peers."""
    settings.posting.enabled = False
    settings.persistence.finalizer = "demo.io/finalizer"
    memo.access = Access.read(os.environ["KUBECONFIG"])
    memo.session = memo.access.session(limit=50)


@kopf.on.cleanup()
async def close_session(memo: Any, **_: Any) -> None:
    """Close it."""
    await memo.session.close()


@kopf.on.login()
def login(**_: Any) -> kopf.ConnectionInfo:
    """Log in with the kubeconfig's token."""
    access = Access.read(os.environ["KUBECONFIG"])
    return kopf.ConnectionInfo(server=access.server, ca_path=access.ca, token=access.token, scheme="Bearer")


@kopf.on.create("demo.io", "v1", "apps")
@kopf.on.update("demo.io", "v1", "apps")
async def reconcile(name: str, namespace: str, spec: Any, uid: str, memo: Any, patch: Any, **_: Any) -> None:
    """Write the two children and say Ready."""
    for path, body in children(name, namespace, spec["image"], uid):
        url = f"{memo.access.server}{path}?fieldManager=demo&force=true"
        headers = {"Content-Type": "application/apply-patch+yaml"}
        async with memo.session.patch(url, json=body, headers=headers) as answer:
            answer.raise_for_status()
            await answer.read()
    patch.status["phase"] = "Ready"

"""The floor of the operator benchmark: a bare loop that lists Apps and sends each one's three writes, 20 at once.

python raw.py KUBECONFIG NAMESPACE [watch]

With `watch` it also holds the three watches that an operator cannot do without, and throws away what they tell.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

from tests.bench.peers.access import Access


def children(name: str, namespace: str, image: str, uid: str) -> list[tuple[str, dict[str, Any]]]:
    """Return path and body of an App's two children."""
    owner = {"apiVersion": "demo.io/v1", "kind": "App", "name": name, "uid": uid, "controller": True}
    labels = {"app": name}
    metadata = {"name": name, "namespace": namespace, "ownerReferences": [owner], "labels": labels}
    container = {"name": name, "image": image, "ports": [{"containerPort": 80}]}
    spec = {
        "replicas": 1,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
    }
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
    data = {"name": name, "image": image, "port": "80"}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
    return [
        (f"/apis/apps/v1/namespaces/{namespace}/deployments/{name}", deployment),
        (f"/api/v1/namespaces/{namespace}/configmaps/{name}", config),
    ]


async def main(kubeconfig: str, namespace: str, watch: str = "") -> None:
    """Work through every App once and print the seconds and this process's CPU seconds."""
    access = Access.read(kubeconfig)
    apps = f"/apis/demo.io/v1/namespaces/{namespace}/apps"
    watched = [apps, *(path.rpartition("/")[0] for path, _ in children("", namespace, "", ""))] if watch else []
    async with access.session(limit=20 + len(watched)) as session:

        async def look(path: str) -> None:
            async with session.get(f"{access.server}{path}?watch=true") as answer:
                async for _ in answer.content.iter_any():
                    pass

        async def send(method: str, path: str, body: Any, content_type: str) -> Any:
            headers = {"Content-Type": content_type}
            data = json.dumps(body) if body is not None else None
            async with session.request(method, access.server + path, data=data, headers=headers) as answer:
                answer.raise_for_status()
                return json.loads(await answer.read())

        gate = asyncio.Semaphore(20)

        async def one(app: dict[str, Any]) -> None:
            name, uid = app["metadata"]["name"], app["metadata"]["uid"]
            async with gate:
                for path, body in children(name, namespace, app["spec"]["image"], uid):
                    query = "?fieldManager=demo&force=true"
                    await send("PATCH", path + query, body, "application/apply-patch+yaml")
                ready = {"status": {"phase": "Ready"}}
                await send("PATCH", f"{apps}/{name}/status", ready, "application/merge-patch+json")

        found = (await send("GET", apps, None, "application/json"))["items"]
        watches = [asyncio.create_task(look(path)) for path in watched]
        started, cpu = time.monotonic(), time.process_time()
        await asyncio.gather(*map(one, found))
        for task in watches:
            task.cancel()
        print(json.dumps({"seconds": time.monotonic() - started, "cpu": time.process_time() - cpu}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

"""`ork run --embedded`: how soon it is ready, and how soon after a CR is taken its children can be read.

The anchor of the first is `ork version`, of the second a write and a read of the same server by the same client.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from ork.base.objects import Object
from ork.cluster.kube.client import ApiError, Client
from ork.cluster.kube.config import Target, connect
from tests.bench.ground import APPS

KATALOG = Path(__file__).parent / "peers" / "katalog.yaml"
LISTEN = "127.0.0.1:18471"
SINGLE = 40
READY, VISIBLE = 1.5, 0.05
"""What the two may take, in seconds."""


def main() -> None:
    """Measure one embedded operator."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-m", "ork", "version"], check=True, capture_output=True)
    bare = time.perf_counter() - begin
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "ork", "run", "--embedded", "--listen", LISTEN, "-f", str(KATALOG)]
        begin = time.perf_counter()
        running = subprocess.Popen(command, env=os.environ | {"XDG_CACHE_HOME": home}, stderr=subprocess.DEVNULL)
        try:
            _wait_ready()
            ready = time.perf_counter() - begin
            print(f"  ready                 {ready:7.2f} s   {ready / bare:5.1f} × ork version   (at most {READY} s)")
            (kubeconfig,) = Path(home).rglob("kubeconfig")
            asyncio.run(_children(kubeconfig))
        finally:
            running.terminate()
            running.wait()


def _wait_ready() -> None:
    while True:
        try:
            if httpx.get(f"http://{LISTEN}/readyz", trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.01)


async def _children(kubeconfig: Path) -> None:
    client = Client(await connect(Target(kubeconfig)))
    try:
        anchors = [await _timed(client, f"anchor-{number}", _config(number)) for number in range(SINGLE)]
        found = [await _timed(client, f"app-{number}", _app(number)) for number in range(SINGLE)]
    finally:
        await client.close()
    anchor, visible = statistics.median(anchors), statistics.median(found)
    ratio = f"{visible / anchor:5.1f} × a write and a read"
    print(f"  children after a CR  {visible * 1e3:7.1f} ms  {ratio}   (at most {VISIBLE * 1e3:.0f} ms)")


async def _timed(client: Client, name: str, body: Object) -> float:
    """Return the seconds from sending an object to reading the ConfigMap of its name."""
    path = APPS.format("default") if body["kind"] == "App" else "/api/v1/namespaces/default/configmaps"
    begin = time.perf_counter()
    await client.request("POST", path, None, body)
    while True:
        try:
            await client.request("GET", f"/api/v1/namespaces/default/configmaps/{name}")
        except ApiError:
            await asyncio.sleep(0.001)
        else:
            return time.perf_counter() - begin


def _config(number: int) -> Object:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"anchor-{number}"}, "data": {"x": "1"}}


def _app(number: int) -> Object:
    spec = {"image": "nginx:1", "replicas": 1}
    return {"apiVersion": "demo.io/v1", "kind": "App", "metadata": {"name": f"app-{number}"}, "spec": spec}


if __name__ == "__main__":
    main()

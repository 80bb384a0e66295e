"""`ork diff` where the cluster is of no use; what it says of one that works needs a real API server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.unit.cli.conftest import Ork
from tests.unit.simulate.conftest import BOX, CRD, katalog

Files = Callable[[Mapping[str, str]], None]
KUBECONFIG = """
apiVersion: v1
kind: Config
current-context: test
clusters: [{name: test, cluster: {server: "http://127.0.0.1:%d"}}]
users: [{name: test, user: {}}]
contexts: [{name: test, context: {cluster: test, user: test}}]
"""


class Storeless(BaseHTTPRequestHandler):
    """An API server that has lost its etcd: it says its version, and nothing else."""

    def do_GET(self) -> None:
        failed = {"kind": "Status", "code": 500, "message": "etcdserver: request timed out"}
        code, body = (200, {}) if self.path.startswith("/version") else (500, failed)
        self.send_response(code)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Storeless) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_a_cluster_that_fails_is_exit_code_3(ork: Ork, files: Files, port: int) -> None:
    files({"katalog.yaml": katalog(BOX), "crd.yaml": CRD})
    Path("kubeconfig").write_text(KUBECONFIG % port)
    answer = ork("diff", "--kubeconfig", "kubeconfig")
    assert answer.code == 3
    assert "etcdserver: request timed out" in answer.err

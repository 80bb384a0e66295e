"""The real API server that other tests stand on: it starts, answers, restarts over its data, and goes."""

from __future__ import annotations

import json
import ssl
import urllib.request
from pathlib import Path

import pytest

from tests.controlplane.controlplane import SKIP_REASON, TOKEN, ControlPlane, binaries

pytestmark = pytest.mark.skipif(binaries() is None, reason=SKIP_REASON)


def _get(plane: ControlPlane, path: str) -> dict[str, object]:
    context = ssl.create_default_context(cafile=str(plane.folder / "certs" / "apiserver.crt"))
    request = urllib.request.Request(plane.url + path, headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, context=context) as answer:
        found: dict[str, object] = json.load(answer)
        return found


@pytest.mark.timeout(120)
def test_it_answers_and_keeps_its_data_over_a_restart(tmp_path: Path) -> None:
    with ControlPlane(tmp_path) as plane:
        before = _get(plane, "/api/v1/namespaces/default")
        plane.stop_apiserver()
        plane.start_apiserver()
        assert _get(plane, "/api/v1/namespaces/default") == before

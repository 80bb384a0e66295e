"""Bodies in protobuf: what Kubernetes' own code encodes is read as the JSON that it stands for."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from ork.base.objects import Object
from ork.cluster.memory.status import ApiError
from ork.cluster.server import protobuf
from tests.unit.cluster.server.client import Client

EXAMPLES: list[Object] = json.loads(Path(__file__).with_name("protobuf.json").read_text(encoding="utf-8"))
PROTOBUF = "application/vnd.kubernetes.protobuf"


def content(number: int) -> bytes:
    return base64.b64decode(EXAMPLES[number]["protobuf"])


def meant(data: Any) -> Any:
    """Return data without what protobuf has for a field that was not set: texts, numbers and structs that are zero."""
    if isinstance(data, dict):
        kept = {key: meant(value) for key, value in data.items()}
        return {key: value for key, value in kept.items() if value not in ("", 0, None, {}, False)}
    return [meant(item) for item in data] if isinstance(data, list) else data


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one["object"]["kind"])
def test_an_object_is_read_as_its_json(example: Object) -> None:
    found = protobuf.decode(base64.b64decode(example["protobuf"]))
    assert meant(found) == meant(example["object"])


def test_kubectl_creates_and_deletes_in_protobuf(client: Client) -> None:
    path = "/apis/apps/v1/namespaces/n/deployments"
    client.store.create_namespace("n")
    made = client.send("POST", path, content(2), content_type=PROTOBUF)
    assert (made.code, made.body["spec"]["replicas"], made.warnings) == (201, 0, ())
    scaled = client.send("PUT", f"{path}/d/scale", content(10), content_type=PROTOBUF)
    assert scaled.body["spec"] == {"replicas": 4}
    refused = client.send("DELETE", f"{path}/d", content(9), content_type=PROTOBUF)
    assert (refused.code, "the UID in the precondition" in refused.body["message"]) == (409, True)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"k8s\0",
        b"k8s\0\x0a",
        b"k8s\0\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        b"k8s\0\x0f",
        *(content(1)[:length] for length in (30, 60, 90)),
    ],
)
def test_what_is_no_protobuf_is_a_bad_request(body: bytes) -> None:
    with pytest.raises(ApiError, match="cannot be read as Kubernetes' protobuf") as refused:
        protobuf.decode(body)
    assert refused.value.code == 400


def test_a_kind_that_is_not_known_is_an_unknown_format(client: Client) -> None:
    body = content(0).replace(b"ConfigMap", b"ConfigOdd")
    assert client.send("POST", "/api/v1/namespaces/default/configmaps", body, content_type=PROTOBUF).code == 415

"""Quantities in objects of Kubernetes' own kinds, as the store takes them."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.objects import Object
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store


def created(cpu: Any) -> Object:
    store = Store()
    kind = store.kind_for("v1", "Pod")
    assert kind is not None
    container = {"name": "a", "image": "a", "resources": {"limits": {"cpu": cpu}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [container]}}
    found: Object = store.create(kind, "default", pod).obj["spec"]["containers"][0]["resources"]["limits"]
    return found


@pytest.mark.parametrize(
    ("written", "kept"),
    [(2, "2"), (0.5, "500m"), (1.0, "1"), (10**20, "100E"), (1e30, "1e+30"), ("1000m", "1"), (None, "0")],
)
def test_an_amount_may_be_a_text_or_a_number(written: Any, kept: str) -> None:
    assert created(written) == {"cpu": kept}


@pytest.mark.parametrize("written", ["", "a b", True, {}, []])
def test_what_is_no_amount_is_refused(written: Any) -> None:
    with pytest.raises(ApiError, match=r"cannot be handled as a Pod: quantities must match") as caught:
        created(written)
    assert caught.value.code == 400

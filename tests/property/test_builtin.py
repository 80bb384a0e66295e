"""Whatever stands in an object of Kubernetes' own kinds: reading settles, judging ends, and nothing is changed."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from ork.base.objects import Object, split_api_version
from ork.openapi import kubernetes
from ork.openapi.causes import Cause
from tests.controlplane.mutations import mutated

ANSWERS = json.loads((Path(__file__).parent.parent / "unit" / "openapi" / "answers.json").read_text())


@settings(max_examples=400)
@given(st.randoms(use_true_random=False))
def test_odd_objects_are_read_once_and_judged(random: Random) -> None:
    obj: Object = mutated(random, random.choice(ANSWERS)["sent"])
    before = copy.deepcopy(obj)
    kind = kubernetes.kinds()[(*split_api_version(obj["apiVersion"]), obj["kind"])]
    try:
        read = kubernetes.defaults(kind, obj)
    except ValueError:
        return
    finally:
        assert obj == before
    assert kubernetes.defaults(kind, read) is read
    for causes in (kubernetes.validate_builtin(kind, read), kubernetes.validate_builtin(kind, read, read)):
        assert all(isinstance(cause, Cause) for cause in causes)

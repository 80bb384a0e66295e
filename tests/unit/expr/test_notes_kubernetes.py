"""Notes on Kubernetes objects, workloads and provenance, quantities, networks, versions, checks and randomness, at
their edges; `test_notes.py` runs their examples."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from ork import labels
from ork.expr.env import Env
from ork.expr.notes import CATALOGUE, DOMAINS


def call(name: str, *args: Any) -> Any:
    return CATALOGUE[name].function.call(*args)


def workload(desired: Any, ready: Any, generation: int = 1, observed: Any = 1, **status: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": "web", "generation": generation},
        "spec": {"replicas": desired},
        "status": {"readyReplicas": ready, "observedGeneration": observed, **status},
    }


@pytest.mark.parametrize(
    ("child", "ready"),
    [
        (workload(3, 3), True),
        (workload(3, 2), False),
        (workload(3, 4), False),
        (workload(None, 1), True),
        (workload(0, None), True),
        (workload(0, 2), False),
        (workload(3, 3, generation=2, observed=1), False),
        (workload(3, 3, observed=None), False),
        ({"metadata": {"name": "web", "generation": 1}, "spec": {"replicas": 0}}, False),
        ({"spec": {"replicas": 1}, "status": {"readyReplicas": 1}}, True),
        ({"kind": "DaemonSet", "metadata": {}, "status": {"desiredNumberScheduled": 2, "numberReady": 2}}, True),
        ({"kind": "DaemonSet", "metadata": {}, "status": {"desiredNumberScheduled": 2, "numberReady": 1}}, False),
        ({"a": workload(1, 1), "b": workload(2, 2)}, True),
        ({"a": workload(1, 1), "b": workload(2, 1)}, False),
        (None, False),
        ({}, False),
        ("text", False),
        ([workload(1, 1)], False),
    ],
)
def test_a_workload_is_ready_when_its_controller_saw_the_spec_and_all_replicas_are(child: Any, ready: bool) -> None:
    assert call("allReplicasReady", child) is ready
    assert call("replicasReady", child) is ready


@pytest.mark.parametrize(
    ("job", "succeeded", "failed"),
    [
        (None, False, False),
        ({"status": {}}, False, False),
        ({"status": {"succeeded": 1}}, True, False),
        ({"spec": {"completions": 3}, "status": {"succeeded": 1}}, False, False),
        ({"spec": {"completions": 3}, "status": {"succeeded": 3}}, True, False),
        ({"status": {"conditions": [{"type": "Complete", "status": "True"}]}}, True, False),
        ({"status": {"failed": 1, "conditions": [{"type": "Failed", "status": "True"}]}}, False, True),
        ({"spec": {"backoffLimit": 6}, "status": {"failed": 1}}, False, False),
        ({"spec": {"backoffLimit": 3}, "status": {"failed": 4}}, False, True),
        ({"status": {"failed": 1}}, False, True),
        ({"status": {"failed": 1, "succeeded": 1}}, True, False),
    ],
)
def test_a_job_has_succeeded_or_failed_only_when_it_is_finished(job: Any, succeeded: bool, failed: bool) -> None:
    assert call("jobSucceeded", job) is succeeded
    assert call("jobFailed", job) is failed


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("resourceExists", (None,), False),
        ("resourceExists", ({},), False),
        ("resourceExists", ({"metadata": {}},), True),
        ("name", (None,), ""),
        ("labels", ({"metadata": {"labels": None}},), {}),
        ("getLabel", ({"metadata": {"labels": {"n": 1}}}, "n"), "1"),
        ("hasLabel", ({"metadata": {"labels": {"n": ""}}}, "n"), True),
        ("hasCondition", ({"status": {"conditions": [{"type": "Ready", "status": "False"}]}}, "Ready"), False),
        ("hasCondition", ({"status": {"conditions": [{"type": "Ready", "status": "False"}]}}, "Ready", "False"), True),
        ("hasCondition", ({"status": {"conditions": "none"}}, "Ready"), False),
        ("conditionReason", (None, "Ready"), ""),
        ("ownerName", ({"metadata": {"ownerReferences": [{"name": "a"}, {"name": "b", "controller": True}]}},), "b"),
        ("ownerName", ({"metadata": {"ownerReferences": [{"name": "a"}]}},), "a"),
        ("isTerminating", ({"metadata": {"deletionTimestamp": "2026-01-05T10:00:00Z"}},), True),
        ("isSynced", (None,), False),
        ("isSynced", ({"metadata": {"generation": 2}, "status": {"observedGeneration": 1}},), False),
        ("desiredReplicas", (None,), 0),
        ("desiredReplicas", ({"spec": {}},), 1),
        ("desiredReplicas", ({"spec": {"replicas": 0}},), 0),
        ("readyReplicas", ({"status": {"readyReplicas": "2"}},), 2),
        ("rolloutComplete", (workload(2, 0, updatedReplicas=2),), True),
        ("jobActive", ({"status": {"active": 1}},), True),
        ("containerImage", ({"spec": {"containers": [{"image": "a"}, {"image": "b"}]}}, 1), "b"),
        ("containerImage", ({"spec": {"containers": [{"name": "x", "image": "a"}]}}, "x"), "a"),
        ("containerImage", ({"spec": {"containers": [{"image": "a"}]}}, 5), ""),
        ("containerImage", (None,), ""),
        ("containerEnv", ({"spec": {"containers": [{"env": [{"name": "A"}]}]}}, 0, "A"), ""),
        ("containerPort", ({"spec": {"containers": [{}]}}, 0, 80), False),
        ("serviceClusterIP", (None,), ""),
        ("serviceNodePort", ({"spec": {"ports": []}},), None),
        ("isDirectApply", (None,), True),
        ("isDirectApply", ({"metadata": {"annotations": {"orkestra.orkspace.io/serve-target": "x"}}},), False),
        ("getServeAlias", ({"metadata": {"annotations": {"orkestra.orkspace.io/serve-alias": "b"}}},), "b"),
        # quantities
        ("parseQuantity", ("1Gi",), 1073741824.0),
        ("parseQuantity", (None,), 0.0),
        ("formatQuantity", (0.1,), "100m"),
        ("formatQuantity", (1.0,), "1"),
        ("formatQuantity", (1073741824,), "1Gi"),
        ("formatQuantity", (2000,), "2k"),
        ("formatQuantity", (-0.1,), "-100m"),
        ("formatQuantity", (None,), "0"),
        ("sumQuantity", ("100m", "200m"), "300m"),
        ("sumQuantity", ("500m", "500m"), "1"),
        ("sumQuantity", (None, "1Gi", "1Gi"), "2Gi"),
        ("subtractQuantity", ("500m", "500m"), "0"),
        ("subtractQuantity", ("100m", "200m"), "-100m"),
        ("subtractQuantity", ("1Gi", "512Mi"), "512Mi"),
        # networks
        ("cidrContains", ("bad", "10.0.0.1"), False),
        ("cidrContains", ("10.1.2.3/8", "10.0.0.1"), True),
        ("cidrContains", ("fc00::/7", "fd00::1"), True),
        ("ipValid", ("2001:db8::1",), True),
        ("ipValid", (None,), False),
        ("ipIsPrivate", ("8.8.8.8",), False),
        ("ipIsPrivate", ("127.0.0.1",), False),
        ("ipIsPrivate", ("fd12::1",), True),
        # versions
        ("semverMajor", (None,), None),
        ("semverCompare", ("1.0.0-rc.1", "1.0.0"), -1),
        ("semverCompare", ("v1.2", "1.2.0"), 0),
        ("semverBump", ("1.2.3", "major"), "2.0.0"),
        ("semverConstraint", (None, "*"), False),
        ("semverValid", ("1.2.3.4",), False),
        # checks
        ("isValidEmail", ("Team <team@example.com>",), False),
        ("isValidEmail", ("a@b",), False),
        ("isValidURL", ("https://example.com:8443/x?y#z",), True),
        ("isValidURL", ("https://",), False),
        ("isValidURL", ("https://a b",), False),
        ("isValidURL", ("https://example.com:99999",), False),
        ("isValidURL", ("http://[::1",), False),
        ("isValidGitRepository", ("https://github.com/org/app",), True),
        ("isValidGitRepository", ("not a repo",), False),
        ("isValidImageRef", ("nginx",), True),
        ("isValidImageRef", ("MyOrg/App",), False),
        ("isValidImageRef", ("ghcr.io/org/app@sha256:" + "a" * 64,), True),
        ("isValidImageRef", ("",), False),
        ("isValidJSON", ("",), False),
        ("isValidJSON", ("[" * 100_000,), False),
        ("isValidPort", (0,), False),
        ("isValidPort", (65536,), False),
        ("isValidPort", (80.0,), False),
        ("isValidPort", ("http",), False),
        ("isDNS1123Subdomain", ("a" * 254,), False),
        ("isDNS1123Subdomain", ("",), False),
        ("isDNS1123Subdomain", ("a.-b",), False),
        ("isDNS1123Label", ("a.b",), False),
        ("isValidLabelKey", ("/x",), False),
        ("isValidLabelKey", ("a/b/c",), False),
        ("isValidLabelValue", ("",), True),
        ("isValidLabelValue", ("-a",), False),
    ],
)  # fmt: skip
def test_a_note_gives(name: str, args: tuple[Any, ...], result: Any) -> None:
    found = call(name, *args)
    assert found == result
    assert type(found) is type(result)


@pytest.mark.parametrize("name", DOMAINS["input checks"])
@pytest.mark.parametrize("value", [None, "", 5, True, [], {}, "\n", "a\n", "x" * 100_000])
def test_a_check_answers_of_any_value(name: str, value: Any) -> None:
    assert call(name, value) in (True, False)


@pytest.mark.parametrize("name", ["isDNS1123Label", "isValidImageRef", "isValidLabelKey", "isValidEmail", "isValidURL"])
def test_a_line_break_at_the_end_is_no_part_of_a_name(name: str) -> None:
    good = {"isValidEmail": "a@example.com", "isValidURL": "http://example.com"}.get(name, "web")
    assert call(name, good) is True
    assert call(name, good + "\n") is False


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("parseQuantity", ("many",), '"many" is not a quantity'),
        ("sumQuantity", ("1Gi", "x"), '"x" is not a quantity'),
        ("formatQuantity", (float("inf"),), "too large"),
        ("semverMajor", ("latest",), '"latest" is not a version'),
        ("semverConstraint", ("1.2.3", "new"), '"new" is not a range of versions'),
        ("semverBump", ("1.2.3", "middle"), "write major, minor or patch"),
    ],
)
def test_nonsense_is_an_error_that_says_what_it_is(name: str, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        call(name, *args)


NOW = datetime(2026, 1, 5, 10, tzinfo=UTC)


def test_random_notes_use_the_source_that_is_handed_in() -> None:
    for name in ("randomAlphanumeric", "randomHex", "randomBase64"):
        one, same, other = (call(name, Env(NOW, random=Random(seed)), 24) for seed in (1, 1, 2))
        assert one == same != other


def test_without_a_source_a_random_note_says_where_it_may_stand() -> None:
    with pytest.raises(ValueError, match="only where an object is created once"):
        call("randomHex", Env(NOW), 8)


@pytest.mark.parametrize("length", [0, -1, 5000, "many"])
def test_a_random_note_takes_a_sensible_length(length: Any) -> None:
    with pytest.raises(ValueError, match=r"length must be|is not a number"):
        call("randomAlphanumeric", Env(NOW, random=Random(1)), length)


def test_the_stamps_of_the_gateway_are_those_of_the_program() -> None:
    cr = {"metadata": {"annotations": {labels.SERVE_TARGET: "blue", labels.SERVE_ALIAS: "b"}}}
    assert (call("getServeTarget", cr), call("getServeAlias", cr)) == ("blue", "b")

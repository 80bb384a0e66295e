"""Jobs run once: created once wherever they stand, not again when they removed themselves (language, section 6)."""

from __future__ import annotations

import json
from typing import Any

import pytest

JOB = """
operatorBox:
  onReconcile:
    jobs:
      - {name: "{{ .metadata.name }}", image: "x:{{ .spec.tag }}", EXTRA}
"""


def job(extra: str = "backoffLimit: 1") -> str:
    return JOB.replace("EXTRA", extra)


def created(w: Any) -> bool:
    return any(op.startswith("create jobs/") for op in w.ops)


def ran(w: Any) -> Any:
    text = w.store.get(w.crd.kind, "default", "web")["metadata"].get("annotations", {})
    return json.loads(text.get("orkestra.orkspace.io/inventory", "{}")).get("ran")


def finish(w: Any) -> None:
    w.rest()
    assert w.get("jobs", "web")["status"]["conditions"]


def test_a_job_is_not_changed_once_it_is_there(world: Any) -> None:
    w = world(job())
    w.cr(spec={"tag": "1"})
    w.turn()
    w.cr(spec={"tag": "2"})
    w.turn()
    assert w.requests == ["status"]


def test_a_running_job_that_is_removed_runs_again(world: Any) -> None:
    w = world(job())
    w.cr(spec={"tag": "1"})
    w.turn()
    w.delete("jobs", "web")
    w.turn()
    assert created(w)


def test_a_finished_job_that_is_removed_does_not(world: Any) -> None:
    w = world(job())
    w.cr(spec={"tag": "1"})
    w.turn()
    assert ran(w) is None
    finish(w)
    w.settle()
    assert ran(w) == {"default/web": 1}
    w.delete("jobs", "web")
    w.settle()
    w.cr(spec={"tag": "2"})
    w.settle()
    w.restart()
    w.settle()
    assert w.get("jobs", "web") is None


def test_a_job_that_removes_itself_is_remembered_as_soon_as_it_is_made(world: Any) -> None:
    w = world(job("spec: {ttlSecondsAfterFinished: 0}"))
    w.cr(spec={"tag": "1"})
    w.turn()
    assert ran(w) == {"default/web": 1}
    w.delete("jobs", "web")
    w.settle()
    assert w.get("jobs", "web") is None


@pytest.mark.parametrize("extra", ["rerun: onChange", "rerun: onChange, spec: {ttlSecondsAfterFinished: 0}"])
def test_rerun_on_change_runs_it_again_for_a_new_generation(world: Any, extra: str) -> None:
    w = world(job(extra))
    w.cr(spec={"tag": "1"})
    w.turn()
    finish(w)
    w.settle()
    w.delete("jobs", "web")
    w.settle()
    assert w.get("jobs", "web") is None
    w.cr(spec={"tag": "2"})
    w.turn()
    assert created(w)
    finish(w)
    w.settle()
    assert ran(w) == {"default/web": 2}


def test_a_change_while_the_job_ran_is_not_forgotten(world: Any) -> None:
    w = world(job("rerun: onChange"))
    w.cr(spec={"tag": "1"})
    w.turn()
    w.cr(spec={"tag": "2"})
    finish(w)
    w.settle()
    assert ran(w) == {"default/web": 1}
    w.delete("jobs", "web")
    w.turn()
    assert created(w)


def test_jobs_that_nobody_wants_any_more_are_forgotten(world: Any) -> None:
    w = world(
        'operatorBox: {onReconcile: {jobs: [{name: "{{ .item }}", image: x, forEach: {field: spec.items, as: each}}]}}'
    )
    w.cr(spec={"items": ["a", "b"]})
    w.turn()
    w.rest()
    w.settle()
    assert ran(w) == {"default/a": 1, "default/b": 1}
    w.cr(spec={"items": ["b"]})
    w.settle()
    assert ran(w) == {"default/b": 1}

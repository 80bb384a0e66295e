"""The scenarios, one file for each topic, and the steps that `ork` answers otherwise, each with a reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.contract.player import Answer, Player
from tests.contract.transports import Transport

HERE = Path(__file__).parent
_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


class Scenario(NamedTuple):
    """Some steps in one namespace."""

    id: str
    steps: list[dict[str, Any]]


@cache
def scenarios() -> list[Scenario]:
    """Return every scenario, in the order of the files."""
    paths = sorted((HERE / "scenarios").glob("*.jsonl"))
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return [Scenario(row["id"], row["steps"]) for row in map(json.loads, lines)]


@cache
def exceptions() -> dict[str, str]:
    """Return the steps that are known to differ, by id (`topic/scenario/07`), with the reason."""
    found: dict[str, str] = json.loads((HERE / "exceptions.json").read_text(encoding="utf-8"))
    return found


@cache
def fixtures() -> list[dict[str, Any]]:
    """Return the CRDs that scenarios use."""
    found: list[dict[str, Any]] = json.loads((HERE / "fixtures.json").read_text(encoding="utf-8"))
    return found


def install_fixtures(transport: Transport) -> None:
    """Create the CRDs, and wait until they are served."""
    player = Player(transport)
    for crd in fixtures():
        player.step({"do": "POST", "path": _DEFINITIONS, "body": crd})
    for crd in fixtures():
        spec = crd["spec"]
        for version in spec["versions"]:
            path = f"/apis/{spec['group']}/{version['name']}/{spec['names']['plural']}"
            if version["served"]:
                player.step({"do": "GET", "path": path, "until": {"code": 200}, "max": 30})


def played(scenario: Scenario, transport: Transport, patience: float = 120.0) -> Iterator[tuple[str, Answer, Answer]]:
    """Yield the id of each step, the recorded answer, and the one that came now."""
    for number, got in enumerate(Player(transport, patience).play(scenario.steps), 1):
        yield f"{scenario.id}/{number:02d}", scenario.steps[number - 1]["answer"], got

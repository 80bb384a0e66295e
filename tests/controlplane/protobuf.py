"""Writes `schemas/kubernetes/protobuf.json` anew: under which numbers fields travel in protobuf.

    python -m tests.controlplane.protobuf

It needs Go, whose reflection tells the numbers of Kubernetes' own types. Those that no client sends are left out. The
examples of `tests/unit/cluster/server/protobuf.json` are encoded anew by Kubernetes' own code.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any

from tests.controlplane.controlplane import HERE
from tests.controlplane.kubernetes import ROOT, SCHEMAS, Object

FILE = SCHEMAS / "protobuf.json"
EXAMPLES = ROOT / "tests" / "unit" / "cluster" / "server" / "protobuf.json"
OTHERS = ("kinds", "columns", "protobuf")
"""Files that hold no structs."""
BODIES = (
    *("meta.v1.DeleteOptions", "meta.v1.Preconditions"),
    *("autoscaling.v1.Scale", "autoscaling.v1.ScaleSpec", "autoscaling.v1.ScaleStatus"),
    *("authentication.v1.TokenRequest", "authentication.v1.TokenRequestSpec", "authentication.v1.BoundObjectReference"),
    "authentication.v1.TokenRequestStatus",
)
"""What clients send besides objects."""


def main() -> None:
    """Ask Go and write the files, a line for each struct or example."""
    lines = (f"{json.dumps(name)}: {json.dumps(fields)}" for name, fields in sorted(numbers().items()))
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    objects = [row["object"] for row in json.loads(EXAMPLES.read_text(encoding="utf-8"))]
    pairs = zip(objects, encoded(objects), strict=True)
    examples = (json.dumps({"object": obj, "protobuf": content}) for obj, content in pairs)
    EXAMPLES.write_text("[\n" + ",\n".join(examples) + "\n]\n", encoding="utf-8")


def encoded(objects: list[Object]) -> list[str]:
    """Return objects in protobuf, in base64."""
    found: list[str] = json.loads(_go("encode", json.dumps(objects)))
    return found


def _go(command: str, given: str = "") -> str:
    run = ["go", "run", f"./{command}"]
    return subprocess.run(run, cwd=HERE, input=given, capture_output=True, check=True, encoding="utf-8").stdout


def numbers() -> dict[str, Mapping[str, Any]]:
    """Return the fields of each struct by their numbers; a list names a struct whose fields stand beside the others."""
    found: dict[str, dict[str, Any]] = json.loads(_go("numbers"))
    wanted = {*_shipped(), *BODIES}
    inlined = {value[0] for name in wanted & found.keys() for value in found[name].values() if isinstance(value, list)}
    return {name: _ordered(found[name]) for name in (wanted | inlined) & found.keys() if found[name]}


def _ordered(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return dict(sorted(fields.items(), key=lambda row: int(row[0])))


def _shipped() -> Iterator[str]:
    for file in SCHEMAS.glob("*.json"):
        if file.stem not in OTHERS:
            yield from (f"{file.stem}.{name}" for name in json.loads(file.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()

"""Writes `schemas/kubernetes/columns.json` anew: the printed columns of Kubernetes' own kinds.

    python -m tests.controlplane.columns

It asks a real API server for an empty table of every kind. Descriptions that several columns share stand in the file
once, and columns name them by number.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.controlplane.controlplane import ControlPlane
from tests.controlplane.kubernetes import ALL_VERBS, SCHEMAS, Object, Server, served

FILE = SCHEMAS / "columns.json"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"


def main() -> None:
    """Start the server, ask it, and write the file."""
    with tempfile.TemporaryDirectory() as folder, ControlPlane(Path(folder)) as plane:
        server = Server(plane)
        FILE.write_text(written(columns(server, served(server))), encoding="utf-8")


def columns(server: Server, kinds: Mapping[str, Object]) -> Object:
    """Return the content of the file: each kind's columns, and the texts that describe them."""
    texts: dict[str, int] = {}
    found = {}
    for name, kind in kinds.items():
        if "list" in kind.get("verbs", ALL_VERBS):
            rows = _table(server, name, kind)["columnDefinitions"]
            found[name] = [
                [*(row[key] for key in ("name", "type", "format", "priority")), _number(texts, row)] for row in rows
            ]
    return {"columns": found, "texts": [*texts]}


def _table(server: Server, name: str, kind: Object) -> Object:
    version = name.rpartition("/")[0]
    prefix = "/apis/" if "/" in version else "/api/"
    table: Object = server.get(f"{prefix}{version}/{kind['plural']}?fieldSelector=metadata.name=-", TABLE)
    return table


def _number(texts: dict[str, int], row: Object) -> int:
    return texts.setdefault(row["description"], len(texts))


def written(content: Object) -> str:
    """Return the file's text, a line for each kind and each description."""
    kinds = ",\n".join(f"{json.dumps(name)}: {json.dumps(rows)}" for name, rows in content["columns"].items())
    texts = ",\n".join(map(json.dumps, content["texts"]))
    return f'{{"columns": {{\n{kinds}\n}},\n"texts": [\n{texts}\n]}}\n'


if __name__ == "__main__":
    main()

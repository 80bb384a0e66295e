"""What the live API shows of a Katalog's entries: all but what may be a secret."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.requests import REDACTED
from ork.katalog.declared import declared
from ork.katalog.sources import Sources, in_memory

HEAD = "apiVersion: orkestra.orkspace.io/v1\nkind: Katalog\nmetadata: {name: k}\nspec: {crds: {app: {operatorBox: "


def shown(box: str) -> Any:
    return declared("k.yaml", Sources(in_memory({"k.yaml": f"{HEAD}{box}}}}}}}\n"})))["app"]["operatorBox"]


@pytest.mark.parametrize(
    ("box", "path", "expected"),
    [
        ("{onCreate: {external: [{token: hush}]}}", "onCreate.external.0.token", REDACTED),
        ('{onCreate: {external: [{token: "${TOKEN}"}]}}', "onCreate.external.0.token", "${TOKEN}"),
        ("{onCreate: {external: [{headers: {Key: hush}}]}}", "onCreate.external.0.headers.Key", REDACTED),
        ("{onCreate: {secrets: [{data: {password: hush}}]}}", "onCreate.secrets.0.data.password", REDACTED),
        ("{onReconcile: {Secrets: [{stringData: {p: hush}}]}}", "onReconcile.Secrets.0.stringData.p", REDACTED),
        ("{onCreate: {custom: [{kind: Secret, stringData: {p: hush}}]}}", "onCreate.custom.0.stringData.p", REDACTED),
        ("{onCreate: {secrets: [{name: n, labels: {a: b}}]}}", "onCreate.secrets.0.labels.a", "b"),
        ("{onCreate: {configMaps: [{data: {mode: loud}}]}}", "onCreate.configMaps.0.data.mode", "loud"),
    ],
)
def test_what_may_be_a_secret_is_blotted_out_and_nothing_else(box: str, path: str, expected: str) -> None:
    found = shown(box)
    for step in path.split("."):
        found = found[int(step) if step.isdecimal() else step]
    assert found == expected
    assert "hush" not in str(shown(box))

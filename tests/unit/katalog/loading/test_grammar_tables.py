"""The grammar as data: it agrees with the tables of other rooms, everything in it is documented, and the shipped JSON
Schemas are what it says now."""

from __future__ import annotations

import jsonschema
import pytest

from ork.base import shipped
from ork.base.errors import UsageError
from ork.expr.operators import SHORT
from ork.katalog.describe import describe
from ork.katalog.documents import FORMS
from ork.katalog.grammar.common import CONDITION
from ork.katalog.grammar.resources import GROUPS
from ork.katalog.grammar.shapes import Either, List, Map, Record, Shape
from ork.katalog.json_schema import files, schema_of
from ork.katalog.resources import table


def records(shape: Shape | None, found: dict[int, Record]) -> dict[int, Record]:
    if isinstance(shape, Record) and id(shape) not in found:
        found[id(shape)] = shape
        for field in shape.fields.values():
            records(field.shape, found)
    elif isinstance(shape, List):
        records(shape.item, found)
    elif isinstance(shape, Map):
        records(shape.value, found)
    elif isinstance(shape, Either):
        for form in shape:
            records(form, found)
    return found


ALL = [record for form in FORMS.values() for root in form for record in records(root, {}).values()]


@pytest.mark.parametrize("name", table.GROUPS)
def test_every_short_field_of_a_group_can_be_written_and_is_carried_out(name: str) -> None:
    common = {*GROUPS["serviceAccounts"].fields, "rerun", "once"}
    group = table.GROUPS[name]
    copies = {group.copied.key, "fromNamespace", "toNamespaces"} if group.copied else set()
    assert {field.name for field in group.fields} | copies == GROUPS[name].fields.keys() - common


def test_the_groups_are_those_that_are_carried_out() -> None:
    assert GROUPS.keys() == {*table.GROUPS, "custom"}


def test_every_operator_has_its_key_in_a_condition() -> None:
    assert set(SHORT) - {"unique"} <= CONDITION.fields.keys()


def test_every_key_is_documented() -> None:
    for record in ALL:
        for name, field in record.fields.items():
            assert field.doc, f"{record.name}.{name}"


def test_no_key_is_both_supported_and_not_supported_yet() -> None:
    for record in ALL:
        assert not record.fields.keys() & (record.later | record.idle | record.older.keys()), record.name


def test_an_older_spelling_leads_to_a_key_of_today() -> None:
    for record in ALL:
        for path in record.older.values():
            here: Shape = record
            for step in path:
                assert isinstance(here, Record)
                here = here.fields[step].shape


@pytest.mark.parametrize("name", files())
def test_the_shipped_schemas_are_current(name: str) -> None:
    shipped_text = (shipped.folder("schemas") / name).read_text(encoding="utf-8")
    assert shipped_text == files()[name], "the grammar changed: `make docs` writes the schemas anew"


@pytest.mark.parametrize("kind", FORMS)
def test_the_schemas_are_json_schemas(kind: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(kind))


# ── ork explain ─────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("spec.crds.operatorBox.preReconcile", "spec.crds.<name>.operatorBox.preReconcile"),
        ("spec.crds.app.operatorBox.preReconcile", "spec.crds.<name>.operatorBox.preReconcile"),
        (
            "spec.crds.app.serve.target.v2.operatorBox.onCreate.Deployments[0].image",
            "spec.crds.<name>.serve.target.<target>.operatorBox.onCreate.deployments[].image",
        ),
        ("Simulate.spec.expect.ops[0].verb", "spec.expect.ops[].verb"),
        ("simulate.spec.expect.crds.app.gated", "spec.expect.crds.<name>.gated"),
        ("Katalog", ""),
        ("", ""),
    ],
)
def test_a_path_leads_to_a_key(path: str, found: str) -> None:
    assert describe(path).path == found


def test_a_description_says_all_that_is_known() -> None:
    found = describe("spec.crds.operatorBox.onReconcile.external")
    assert (found.wants, found.required) == ("a list of maps", False)
    name = next(key for key in found.keys if key.name == "name")
    assert (name.required, name.doc) == (True, "The name of the result, unique in its operatorBox.")
    assert next(key for key in found.keys if key.name == "timeout").default == "10s"
    assert "onDelete" in describe("spec.crds.operatorBox").later


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("spec.crds.operatrBox", 'did you mean "operatorBox"?'),
        ("sepc", 'did you mean "spec"?'),
        ("spec.crds.app.enabled.x", "it has no keys"),
        ("spec.crds.app.endpoints.qqq", "it has enabled, health, info"),
    ],
)
def test_a_path_that_leads_nowhere_says_what_is_there(path: str, hint: str) -> None:
    with pytest.raises(UsageError, match="has no key") as raised:
        describe(path)
    assert hint in str(raised.value)

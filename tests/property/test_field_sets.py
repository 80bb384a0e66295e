"""Sets of field paths beside plain Python sets, and what server-side apply's walkers promise of any two values."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from ork.base.objects import Object
from ork.cluster.memory import fieldset
from ork.cluster.memory.fieldset import EMPTY, SELF, Fields
from ork.cluster.memory.schemas import compile_type
from tests.unit.cluster.world import SPEC_SCHEMA, frozen

Paths = frozenset[tuple[str, ...]]

# ── the algebra ─────────────────────────────────────────────────────────────────────────────────
steps = st.sampled_from(["f:a", "f:b", 'k:{"name":"x"}', 'v:"y"'])
path_sets = st.frozensets(st.lists(steps, min_size=1, max_size=4).map(tuple), max_size=8)


def tree(paths: Iterable[tuple[str, ...]]) -> Fields:
    """Return the set as `fieldsV1` writes it."""
    out: Fields = {}
    for path in sorted(paths):
        out = fieldset.union(out, _single(path))
    return out


def _single(path: tuple[str, ...]) -> Fields:
    first, *rest = path
    return {first: _single(tuple(rest)) if rest else {}}


def members(fields: Fields, at: tuple[str, ...] = ()) -> Paths:
    """Return the paths of a tree."""
    out = set()
    for key, below in fields.items():
        if key == SELF:
            out.add(at)
        elif not below:
            out.add((*at, key))
        else:
            out |= members(below, (*at, key))
    return frozenset(out)


@given(path_sets)
def test_a_tree_holds_its_paths_and_has_one_form(paths: Paths) -> None:
    assert members(tree(paths)) == paths
    assert len([*fieldset.paths(tree(paths))]) == len(paths)


@given(path_sets, path_sets)
def test_trees_join_meet_and_differ_like_sets(left: Paths, right: Paths) -> None:
    one, two = frozen(tree(left)), frozen(tree(right))
    assert fieldset.union(one, two) == tree(left | right)
    assert fieldset.intersection(one, two) == tree(left & right)
    assert fieldset.difference(one, two) == tree(left - right)


@given(path_sets, path_sets)
def test_a_path_can_be_taken_away_with_all_below_it(left: Paths, right: Paths) -> None:
    rest = {path for path in left if not any(path[:length] in right for length in range(1, len(path) + 1))}
    assert fieldset.without(frozen(tree(left)), frozen(tree(right))) == tree(rest)


# ── the walkers ─────────────────────────────────────────────────────────────────────────────────
TYPE = compile_type(SPEC_SCHEMA)
few = st.integers(0, 3)
texts = st.sampled_from("xyz")
parts = st.lists(
    st.fixed_dictionaries({"name": texts}, optional={"count": few, "note": texts}),
    unique_by=lambda row: row["name"],
    max_size=3,
)
specs = st.fixed_dictionaries(
    {},
    optional={
        "size": few,
        "color": texts,
        "tags": st.lists(texts, unique=True, max_size=3),
        "plain": st.lists(texts, max_size=2),
        "parts": parts,
        "atom": st.fixed_dictionaries({}, optional={"a": texts, "b": texts}),
    },
).map(frozen)


@given(specs)
def test_nothing_differs_from_itself(spec: Object) -> None:
    assert TYPE.compare(spec, frozen({**spec})) is None
    assert TYPE.merge(spec, spec) is spec


@given(specs, specs)
def test_a_difference_leads_from_one_value_to_the_other(old: Object, new: Object) -> None:
    found = TYPE.compare(old, new)
    added, modified, removed = found or (None, None, None)
    left = fieldset.difference(TYPE.whole(old), removed or EMPTY)
    assert members(fieldset.union(left, added or EMPTY)) | {()} == members(TYPE.whole(new)) | {()}
    assert members(modified or EMPTY) <= members(TYPE.whole(old)) & members(TYPE.whole(new))


@settings(max_examples=200)
@given(specs, specs)
def test_a_merge_has_all_that_is_configured_and_nothing_is_lost(live: Object, config: Object) -> None:
    merged = TYPE.merge(live, config)
    assert TYPE.merge(merged, config) == merged
    found = members(TYPE.whole(merged))
    assert members(TYPE.whole(config)) <= found | {()}
    assert members(TYPE.whole(live)) <= found | {()}
    change = TYPE.compare(config, merged)
    assert change is None or change.modified is None
    assert change is None or change.removed is None


@given(specs, specs)
def test_lists_keep_the_configurations_order(live: Object, config: Object) -> None:
    merged = TYPE.merge(live, config)
    for order in (_tags, _parts):
        wanted = order(config)
        assert [name for name in order(merged) if name in wanted] == wanted


def _tags(spec: Object) -> list[str]:
    return [*spec.get("tags", ())]


def _parts(spec: Object) -> list[str]:
    return [row["name"] for row in spec.get("parts", ())]


@given(specs, specs)
def test_what_is_removed_is_gone_and_the_rest_stays(value: Object, other: Object) -> None:
    gone = TYPE.fields(other) or EMPTY
    left = members(TYPE.whole(TYPE.remove(value, gone) or {}))
    assert not members(gone) & left
    assert members(fieldset.without(TYPE.whole(value), gone)) <= left | {()}

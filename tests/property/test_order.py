"""Waves: whatever is written, what others need comes first, and deletion goes the other way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ork.base.objects import Kind, Ref
from ork.base.requests import Expect, Verb, Write
from ork.engine import order

KINDS = [
    Kind("", "v1", "Namespace", "namespaces", False),
    Kind("", "v1", "ServiceAccount", "serviceaccounts", True),
    Kind("", "v1", "ConfigMap", "configmaps", True),
    Kind("", "v1", "Secret", "secrets", True),
    Kind("", "v1", "Service", "services", True),
    Kind("apps", "v1", "Deployment", "deployments", True),
    Kind("batch", "v1", "Job", "jobs", True),
    Kind("example.org", "v1", "Widget", "widgets", True),
]

writes = st.lists(
    st.builds(
        lambda kind, name: Write(Verb.APPLY, Ref(kind, "", f"n{name}"), {}, Expect.ANY),
        st.sampled_from(KINDS),
        st.integers(0, 9),
    )
)


@given(writes)
def test_every_write_is_in_one_wave_and_waves_rise(given_writes: list[Write]) -> None:
    waves = order.waves(given_writes)
    assert sorted(map(str, given_writes)) == sorted(str(write) for wave in waves for write in wave)
    places = [{order.place(write.ref.kind) for write in wave} for wave in waves]
    assert all(len(place) == 1 for place in places)
    assert [min(place) for place in places] == sorted(min(place) for place in places)


@given(writes)
def test_a_wave_keeps_the_order_of_declaration(given_writes: list[Write]) -> None:
    for wave in order.waves(given_writes):
        kept = [write for write in given_writes if order.place(write.ref.kind) == order.place(wave[0].ref.kind)]
        assert list(wave) == kept


@given(writes)
def test_deletion_goes_the_other_way(given_writes: list[Write]) -> None:
    assert order.backwards(given_writes) == order.waves(given_writes)[::-1]

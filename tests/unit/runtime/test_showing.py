"""What `ork diff` shows of an object, and what never: the server's own fields, and values of Secrets."""

from __future__ import annotations

from ork.base.objects import Object
from ork.runtime.showing import hidden, shown


def secret(**data: str) -> Object:
    """Return a Secret."""
    return {"kind": "Secret", "metadata": {"name": "s"}, "data": data}


def test_what_only_the_server_sets_is_left_out() -> None:
    meta = {"name": "a", "uid": "1", "resourceVersion": "2", "generation": 3, "managedFields": [], "labels": {"x": "y"}}
    assert shown({"kind": "X", "metadata": meta}) == {"kind": "X", "metadata": {"name": "a", "labels": {"x": "y"}}}


def test_the_copy_of_itself_that_kubectl_puts_into_an_object_is_left_out() -> None:
    marks = {"kubectl.kubernetes.io/last-applied-configuration": '{"data": "hush"}', "a": "b"}
    found = shown({"metadata": {"name": "a", "annotations": marks}})
    assert found == {"metadata": {"name": "a", "annotations": {"a": "b"}}}


def test_a_secret_shows_which_values_change_and_none_of_them() -> None:
    before, after = secret(same="x", other="hush"), secret(same="x", other="hush2", new="hush3")
    assert hidden(before, after, "before") == secret(same="•••", other="••• (before)")
    assert hidden(after, before, "after") == secret(same="•••", other="••• (after)", new="••• (after)")


def test_a_secret_that_comes_or_goes_shows_its_keys() -> None:
    assert hidden(secret(a="hush"), None, "after") == secret(a="•••")
    assert hidden(None, secret(a="hush"), "before") is None

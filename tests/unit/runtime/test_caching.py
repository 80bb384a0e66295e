"""Our own writes and their echoes: whichever arrives first, answer or watch event, only others' changes are told."""

from __future__ import annotations

from ork.base.objects import Kind, Object, Ref
from ork.runtime.caching import Echoes
from ork.runtime.informer import Change

APPS = Kind("apps.demo.io", "v1", "App", "apps", True)
A, B = Ref(APPS, "d", "a"), Ref(APPS, "d", "b")


def state(version: int) -> Object:
    return {"metadata": {"name": "a", "namespace": "d", "resourceVersion": str(version)}}


def change(ref: Ref, version: int) -> Change:
    return Change(ref, None, state(version))


class Heard:
    """A listener, and a write of `a` that is answered with a version."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.echoes = Echoes(self.changes.append)

    def write(self, *meanwhile: Change, answer: int | None) -> None:
        answers: dict[Ref, Object] = {}
        with self.echoes.writing([A], lambda: answers):
            for each in meanwhile:
                self.echoes.changed(each)
            assert all(told.ref != A for told in self.changes)
            if answer is not None:
                answers[A] = state(answer)


def test_an_echo_that_arrives_before_its_answer_is_not_told() -> None:
    heard = Heard()
    heard.write(change(A, 7), answer=7)
    assert heard.changes == []


def test_a_change_by_somebody_else_during_the_write_is_told_after_it() -> None:
    heard = Heard()
    heard.write(change(A, 6), change(A, 7), change(A, 8), answer=7)
    assert heard.changes == [change(A, 6), change(A, 8)]


def test_the_end_of_the_object_during_the_write_is_told() -> None:
    heard = Heard()
    ended = Change(A, state(6), None)
    heard.write(ended, answer=7)
    assert heard.changes == [ended]


def test_after_a_write_that_failed_everything_is_told() -> None:
    heard = Heard()
    heard.write(change(A, 7), answer=None)
    assert heard.changes == [change(A, 7)]


def test_other_objects_are_told_of_at_once() -> None:
    heard = Heard()
    heard.write(change(B, 7), answer=7)
    heard.echoes.changed(change(A, 9))
    assert heard.changes == [change(B, 7), change(A, 9)]

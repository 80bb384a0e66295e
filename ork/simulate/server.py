"""What a simulation needs of an API server. The store in memory and a real server satisfy it."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ork.base.objects import Kind, Object, Ref
from ork.cluster.memory.state import Written
from ork.katalog.scenario import Scenario
from ork.program import Program
from ork.simulate.clock import VirtualClock


class Server(Protocol):
    """The verbs of Kubernetes. What the server refuses is an ApiError; an empty namespace of a list is all."""

    def kinds(self) -> builtins.list[Kind]:
        """Return every kind that is served, ordered by group, version and name."""

    def kind_for(self, api_version: str, kind: str) -> Kind | None:
        """Return the served kind of that name, or None."""

    def ref(self, obj: Object) -> Ref:
        """Return the name of an object of a served kind."""

    def find(self, kind: Kind, namespace: str, name: str) -> Object | None:
        """Return an object, or None where it is not there."""

    def list(
        self, kind: Kind, namespace: str = "", labels: str | Mapping[str, str] = "", fields: str = ""
    ) -> builtins.list[Object]:
        """Return the objects of a kind in key order."""

    def by_label(self, label: str, value: str) -> builtins.list[Object]:
        """Return the objects of all kinds with that label, ordered by resource, namespace and name."""

    def objects(self) -> builtins.list[Object]:
        """Return every object, ordered by resource, namespace and name."""

    def create(self, kind: Kind, namespace: str, obj: Object, manager: str = ...) -> Written:
        """Store a new object."""

    def update(
        self, kind: Kind, namespace: str, name: str, obj: Object, manager: str = ..., subresource: str = ""
    ) -> Written:
        """Replace an object, or the part of it that a subresource writes."""

    def apply(
        self,
        kind: Kind,
        namespace: str,
        name: str,
        obj: Object,
        manager: str,
        force: bool = False,
        subresource: str = "",
    ) -> Written:
        """Server-side apply."""

    def patch(
        self, kind: Kind, namespace: str, name: str, patch: Any, manager: str = ..., subresource: str = ""
    ) -> Written:
        """Change an object by a patch: a map is a merge patch, a list a JSON patch."""

    def delete(
        self,
        kind: Kind,
        namespace: str,
        name: str,
        uid: str = "",
        resource_version: str = "",
        propagation: str = "",
    ) -> Written:
        """Delete an object, or mark it for deletion where finalizers hold it."""


class Stage(Protocol):
    """The cluster of one scenario: its API server, how it is furnished, and the controllers around it."""

    @property
    def server(self) -> Server:
        """The API server."""

    def define(self, manifest: Object) -> None:
        """Put a CRD in place. Raises ApiError."""

    def place(self, obj: Object) -> None:
        """Put an object in as it is, with all that only a server sets, once the server would take it at all.

        Raises ApiError, GivenError.
        """

    def begin(self) -> None:
        """Say that all is in place: what controllers do, they do to what is written from here on."""

    def settle(self) -> None:
        """Let the controllers work until nothing is left to do."""


Stages = Callable[[Scenario, Program, VirtualClock], Stage]
"""Makes the empty cluster of a scenario."""

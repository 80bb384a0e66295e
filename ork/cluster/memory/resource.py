"""What the store serves: one version of one resource, with everything that its kind decides about reads and writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property

from ork.base.objects import Kind, Object
from ork.base.records import NamedTuple
from ork.cluster.memory import metadata
from ork.cluster.memory.names import RULES
from ork.cluster.memory.ownership import Ledger
from ork.cluster.memory.status import Subject
from ork.openapi.causes import Cause
from ork.openapi.names import NameRule, subdomain


class Traits(NamedTuple):
    """Rules in which resources differ."""

    unconditional_update: bool = True
    """A PUT without resourceVersion overwrites."""
    create_on_update: bool = False
    """A PUT of a missing object creates it."""
    returns_deleted: bool = False
    """A DELETE is answered with the object instead of a Status."""
    keeps_generation: bool = False
    """Its deletion is marked by a time alone."""
    orphans: bool = False
    """Dependents stay when a delete does not say what is to become of them."""


class Decoded(NamedTuple):
    """A request's object as the server understands it."""

    obj: Object
    unknown: list[str]
    """Paths of the fields that were dropped because the schema does not know them."""


class Resource(ABC):
    """One version of one resource."""

    kind: Kind
    singular: str
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    subresources: tuple[str, ...] = ()
    traits = Traits()
    custom = False
    """It is defined by a CustomResourceDefinition."""
    terminating = False
    """It is going with its definition: nothing new may be created."""
    retired = 0
    """The store's version from which on it is served in another form, or no more; 0 while it is served."""
    cleanup_finalizer = ""
    """Put on every object that is deleted, for the controller that clears up after it."""
    deprecation = ""
    """The warning that every answer about a deprecated version carries."""

    @property
    def list_kind(self) -> str:
        """`WidgetList`."""
        return f"{self.kind.kind}List"

    @cached_property
    def table(self) -> str:
        """The name of the table that holds the objects, whatever their version: `deployments.apps`."""
        return self.kind.resource

    @cached_property
    def by_name(self) -> Subject:
        """The resource as messages name it: `widgets.example.com`."""
        return Subject(self.kind.group, self.kind.plural)

    @cached_property
    def by_kind(self) -> Subject:
        """The kind as messages name it: `Widget.example.com`."""
        return Subject(self.kind.group, self.kind.kind)

    @property
    def empty(self) -> Object:
        """An object of which nothing is set, as it is written nevertheless."""
        return {"apiVersion": self.kind.api_version, "kind": self.kind.kind}

    @cached_property
    def name_rule(self) -> NameRule:
        """What its objects may be called."""
        return RULES.get(self.kind.resource, subdomain)

    @property
    def has_status(self) -> bool:
        """Tell whether status is written by a path of its own only."""
        return "status" in self.subresources

    @abstractmethod
    def ledger(self, subresource: str = "") -> Ledger:
        """Return the bookkeeping of field owners for writes to it or to one of its subresources."""

    @abstractmethod
    def decode(self, body: Object) -> Decoded:
        """Return a request's object with defaults and without unknown fields. Raises DecodeError."""

    @abstractmethod
    def settled(self, merged: Object) -> Object:
        """Return what an apply or patch produced, with defaults and without what does not belong."""

    @abstractmethod
    def prepared(self, new: Object, old: Object | None, subresource: str) -> Object:
        """Return the object that a create (no `old`) or update of it or its subresource may store."""

    @abstractmethod
    def faults(self, new: Object, old: Object | None, subresource: str) -> list[Cause]:
        """Return why the object may not be stored."""

    def warnings(self, new: Object, old: Object | None) -> list[str]:  # noqa: ARG002
        """Return what the client should know about an object that is stored nevertheless."""
        return []

    def marked(self, obj: Object, now: str) -> Object:  # noqa: ARG002
        """Return an object that has just been marked for deletion, with what its kind says of that."""
        return obj

    def held(self, obj: Object) -> bool:  # noqa: ARG002
        """Tell whether something besides finalizers keeps a deleted object."""
        return False

    def stored(self, obj: Object) -> Object:
        """Return the object in the version in which it is stored."""
        return obj

    def shown(self, stored: Object) -> Object:
        """Return a stored object in this version."""
        return stored

    def metadata_faults(self, new: Object, old: Object | None) -> list[Cause]:
        """Return what is wrong with the metadata, as every kind has it."""
        found = metadata.check(new, self.kind.namespaced, self.name_rule)
        return found if old is None else found + metadata.check_update(new, old)

    def selectable(self) -> Mapping[str, Callable[[Object], str]]:
        """Return the fields that a field selector may name, each with the way to read it."""
        if not self.kind.namespaced:
            return {"metadata.name": _name}
        return {"metadata.name": _name, "metadata.namespace": _namespace}


def _name(obj: Object) -> str:
    name: str = obj["metadata"]["name"]
    return name


def _namespace(obj: Object) -> str:
    namespace: str = obj["metadata"].get("namespace", "")
    return namespace

"""What a request's path names: a group and version, a resource in it, an object, a subresource."""

from __future__ import annotations

from urllib.parse import unquote

from ork.base.records import NamedTuple


class Target(NamedTuple):
    """A path below `/api` or `/apis`; what the path does not say is empty."""

    core: bool
    """Below `/api`."""
    group: str = ""
    version: str = ""
    namespace: str = ""
    plural: str = ""
    name: str = ""
    subresource: str = ""
    extra: bool = False
    """More follows than an object's subresource."""
    in_namespace: bool = False
    """The path goes through `/namespaces/NAME`."""
    watched: bool = False
    """The path goes through `/watch`: the old way to ask for a watch."""


def parse(path: str) -> Target | None:
    """Return what a path names; None where it is not below `/api` or `/apis`."""
    parts = unquote(path).removesuffix("/").split("/")[1:]
    if not parts or parts[0] not in ("api", "apis"):
        return None
    core = parts[0] == "api"
    head, rest = ([""], parts[1:]) if core else (parts[1:2], parts[2:])
    target = Target(core, head[0] if head else "", rest[0] if rest else "")
    return _resource(target, rest[1:])


def _resource(target: Target, rest: list[str]) -> Target:
    if rest[:1] == ["watch"]:
        target, rest = target._replace(watched=True), rest[1:]
    if len(rest) > 2 and rest[0] == "namespaces" and not (target.core and rest[2] in ("status", "finalize")):
        target, rest = target._replace(namespace=rest[1], in_namespace=True), rest[2:]
    plural, name, subresource = (*rest, "", "", "")[:3]
    return target._replace(plural=plural, name=name, subresource=subresource, extra=len(rest) > 3)

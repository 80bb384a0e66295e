"""Where a call may lead: schemes, hosts that the author allows, addresses that a CR may not choose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ork.base.patterns import pattern
from ork.base.records import NamedTuple
from ork.base.requests import CallRequest

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

_URL = pattern(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?:(?P<user>[^\s/?#@\\]*)@)?"
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s/?#@\\:\[\]]+)(?::(?P<port>\d{0,5}))?(?P<rest>[/?#].*)?\Z"
)


class Target(NamedTuple):
    """The parts of a URL that decide whether a call may be made."""

    scheme: str
    host: str
    """In lower case, without brackets."""
    shown: str
    """The URL without user, password and query, for messages."""


def target(url: str) -> Target | None:
    """Return where a URL leads; None for a text that is no absolute URL, or one that could be read in two ways."""
    found = None if re.search(r"[\s\x00-\x1f\\]", url) else _URL.match(url)
    if found is None:
        return None
    scheme, port = found["scheme"].lower(), f":{found['port']}" if found["port"] else ""
    path = re.split(r"[?#]", found["rest"] or "", maxsplit=1)[0]
    return Target(scheme, found["host"].strip("[]").lower(), f"{scheme}://{found['host']}{port}{path}")


def refusal(request: CallRequest, allow_hosts: Sequence[str] = ()) -> str:
    """Return why a call may not be made; empty where it may. `allow_hosts` limits every call of the process."""
    found = target(request.url)
    if found is None:
        return "the url is no absolute http or https URL"
    if found.scheme not in ("http", "https"):
        return f"the scheme {found.scheme} is not allowed; only http and https are"
    for allowed in (request.allowed_hosts, allow_hosts):
        if allowed and not matches(found.host, allowed):
            return f"the host {found.host} is not among the allowed hosts ({', '.join(allowed)})"
    if limited(request, allow_hosts) and (address := _literal(found.host)) and forbidden(address):
        return forbidden_text(found.host, address)
    return ""


def matches(host: str, patterns: Iterable[str]) -> bool:
    """Tell whether a host is one of the names, or below one of the `*.suffix`es."""
    host = host.rstrip(".")
    return any(
        host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern
        for pattern in (each.lower().rstrip(".") for each in patterns)
    )


def limited(request: CallRequest, allow_hosts: Sequence[str] = ()) -> bool:
    """Tell whether the address may not be an inner one: the CR chose the host, and no list names it literally."""
    if not request.host_from_cr:
        return False
    found = target(request.url)
    named = [each for each in (*request.allowed_hosts, *allow_hosts) if not each.startswith("*.")]
    return found is None or not matches(found.host, named)


def forbidden(address: str) -> bool:
    """Tell whether an address is loopback, link-local or unspecified, however it is written in IPv6."""
    import ipaddress

    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address) and (inner := _inner(parsed)):
        parsed = inner
    this_network = isinstance(parsed, ipaddress.IPv4Address) and int(parsed) < 2**24
    return parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified or this_network


def forbidden_text(host: str, address: str) -> str:
    """Say why an address is not dialled."""
    named = address if host == address else f"{host} ({address})"
    return f"{named} is an address of this machine or link, where a host that the CR chose may not lead"


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 one stands for: mapped, 6to4, or NAT64's well-known prefix."""
    import ipaddress

    if found := address.ipv4_mapped or address.sixtofour:
        return found
    nat64 = ipaddress.IPv6Network("64:ff9b::/96")
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in nat64 else None


def _literal(host: str) -> str:
    """Return the host if it is an address and no name, else the empty string."""
    import ipaddress

    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return ""
    return host

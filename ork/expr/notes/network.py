"""Notes on IP addresses. What is no address is in no network."""

from __future__ import annotations

from typing import Any

from ork.expr.notes.note import Example, note, text

_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")


def _within(network: Any, address: Any) -> bool:
    from ipaddress import ip_address, ip_network

    try:
        return ip_address(text(address)) in ip_network(text(network), strict=False)
    except ValueError:
        return False


def _valid(address: Any) -> bool:
    from ipaddress import ip_address

    try:
        ip_address(text(address))
    except ValueError:
        return False
    return True


NOTES = (
    note(
        "cidrContains CIDR ADDRESS",
        _within,
        "Whether the address lies in the network.",
        Example('{{ cidrContains "10.0.0.0/8" .spec.clientIP }}', {"spec": {"clientIP": "10.1.2.3"}}, True),
        in_order=True,
    ),
    note(
        "ipValid TEXT",
        _valid,
        "Whether the text is an IPv4 or IPv6 address.",
        Example("{{ ipValid .spec.clientIP }}", {"spec": {"clientIP": "10.0.0.256"}}, False),
    ),
    note(
        "ipIsPrivate ADDRESS",
        lambda address: any(_within(network, address) for network in _PRIVATE),
        "Whether the address is a private one (RFC 1918 and RFC 4193).",
        Example("{{ ipIsPrivate .spec.clientIP }}", {"spec": {"clientIP": "172.20.0.5"}}, True),
    ),
)

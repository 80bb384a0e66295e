"""IP addresses and blocks, as Kubernetes takes them: it reads careless ones, and says what is wrong with them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ork.base.patterns import pattern
from ork.base.records import NamedTuple
from ork.openapi.names import Complaints

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    Address = IPv4Address | IPv6Address

_ZEROS = pattern(r"(?<![0-9])0+(?=[0-9])")
_NO_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
_NO_BLOCK = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"


class Block(NamedTuple):
    """A block of addresses: any of them, and how many leading bits they share."""

    address: Address
    length: int

    @property
    def bits(self) -> int:
        """How many trailing bits tell its addresses apart."""
        return self.address.max_prefixlen - self.length

    def contains(self, other: Block) -> bool:
        """Tell whether another block lies in this one and is smaller."""
        mine, theirs = _plain(self.address), _plain(other.address)
        if mine.version != theirs.version or other.length <= self.length:
            return False
        return int(mine) >> self.bits == int(theirs) >> self.bits


def _plain(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 address stands for, or the address itself."""
    return getattr(address, "ipv4_mapped", None) or address


def read(text: str) -> Address | None:
    """Return the address that a text names, be it with leading zeros, or None."""
    from ipaddress import ip_address

    try:
        return None if "%" in text else ip_address(_tidy(text))
    except ValueError:
        return None


def _tidy(text: str) -> str:
    head, colon, tail = text.rpartition(":")
    return f"{head}{colon}{_ZEROS.sub('', tail)}" if "." in tail else text


def read_block(text: str) -> Block | None:
    """Return the block that a text such as `10.0.0.0/8` names, be it with leading zeros, or None."""
    head, _, tail = text.partition("/")
    address = read(head)
    if address is None or not re.fullmatch("[0-9]+", tail) or int(tail) > address.max_prefixlen:
        return None
    return Block(address, int(tail))


def ip(text: str) -> Complaints:
    """Complain about what is no IP address, or a careless one."""
    address = read(text)
    if address is None:
        return (_NO_ADDRESS,)
    if _tidy(text) != text:
        return ("must not have leading 0s",)
    return ("must not be an IPv4-mapped IPv6 address",) if _plain(address) is not address else ()


def canonical_ip(text: str) -> Complaints:
    """Complain about what is no IP address in the one form that each has."""
    found = ip(text)
    return found or ((f'must be in canonical form ("{read(text)}")',) if str(read(text)) != text else ())


def cidr(text: str) -> Complaints:
    """Complain about what is no block of addresses, or a careless one."""
    block = read_block(text)
    if block is None:
        return (_NO_BLOCK,)
    head, _, tail = text.partition("/")
    if _tidy(head) != head or str(block.length) != tail:
        return ("must not have leading 0s in IP or prefix length",)
    if _plain(block.address) is not block.address:
        return ("must not have an IPv4-mapped IPv6 address",)
    beyond = int(block.address) & ((1 << block.bits) - 1)
    return ("must not have bits set beyond the prefix length",) if beyond else ()


def endpoint(text: str) -> Complaints:
    """Complain about an address that no traffic from elsewhere can reach."""
    found = read(text)
    if found is None:
        return ("must be a valid IP address",)
    address = _plain(found)
    faults = {
        f"may not be unspecified ({text})": address.is_unspecified,
        "may not be in the loopback range (127.0.0.0/8, ::1/128)": address.is_loopback,
        "may not be in the link-local range (169.254.0.0/16, fe80::/10)": address.is_link_local,
        "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)": _is_local_multicast(address),
    }
    return tuple(complaint for complaint, wrong in faults.items() if wrong)


def _is_local_multicast(address: Address) -> bool:
    first, second, third = address.packed[:3]
    return (first, second, third) == (224, 0, 0) if address.version == 4 else first == 0xFF and second & 15 == 2

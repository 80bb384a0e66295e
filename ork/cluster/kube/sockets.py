"""Sockets on which a request that was given up is given up for good.

A kernel goes on sending what a closed connection has left, for minutes, until the network is back. A replica that was
cut off and has lost its lease would then still write, by the hand of its kernel.
"""

from __future__ import annotations

import socket
import struct
from typing import Any

UNHEARD = 4
"""Seconds after which what nobody has acknowledged is dropped: fewer than from a lease's deadline to its end."""
_RESET_AT_CLOSE = struct.pack("ii", 1, 0)


def impatient(address: tuple[Any, ...]) -> socket.socket:
    """Return a socket for an address as `getaddrinfo` gives them."""
    family, kind, protocol, _, _ = address
    found = socket.socket(family, kind, protocol)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_AT_CLOSE)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNHEARD * 1000)
    return found

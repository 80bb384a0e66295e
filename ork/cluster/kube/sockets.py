"""Sockets on which a request that was given up is given up for good.

A kernel goes on sending what a closed connection has left, for minutes, until the network is back. A replica that was
cut off and has lost its lease would then still write, by the hand of its kernel.
"""

from __future__ import annotations

import socket
import struct
from contextlib import suppress
from typing import Any
from weakref import WeakSet

UNHEARD = 4
"""Seconds after which what nobody has acknowledged is dropped: fewer than from a lease's deadline to its end."""
_RESET_AT_CLOSE = struct.pack("ii", 1, 0)


class Sockets:
    """Makes impatient sockets, and knows those that are open."""

    def __init__(self) -> None:
        self._made: WeakSet[socket.socket] = WeakSet()

    def __call__(self, address: tuple[Any, ...]) -> socket.socket:
        """Return a socket for an address as `getaddrinfo` gives them."""
        family, kind, protocol, _, _ = address
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_AT_CLOSE)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNHEARD * 1000)
        self._made.add(made)
        return made

    def end(self) -> None:
        """Let every connection that is still open find itself at its end: one whose maker was cancelled meanwhile would
        wait for the server's farewell, and nobody else knows of it."""
        for made in list(self._made):
            with suppress(OSError):
                made.shutdown(socket.SHUT_RDWR)

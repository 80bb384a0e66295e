"""Sockets that send nothing any more once they are closed."""

from __future__ import annotations

import socket

import pytest

from ork.cluster.kube.sockets import UNHEARD, Sockets
from ork.runtime.lease import Terms


def test_closing_resets_the_connection_so_that_the_kernel_sends_nothing_later() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        (address,) = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with Sockets()(address) as ours:
            ours.connect((host, port))
            theirs, _ = server.accept()
        with theirs, pytest.raises(ConnectionResetError):
            theirs.recv(1)


def test_what_nobody_has_acknowledged_is_dropped_before_another_replica_can_lead() -> None:
    terms = Terms("", "", "")
    assert terms.deadline + UNHEARD < terms.duration


def test_both_sides_learn_that_every_open_connection_ends() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        (address,) = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        sockets = Sockets()
        with sockets(address) as ours, sockets(address):
            ours.connect((host, port))
            theirs, _ = server.accept()
            with theirs:
                sockets.end()
                assert (ours.recv(1), theirs.recv(1)) == (b"", b"")

"""Listening: what a socket of ours promises to those who connect, and what is said of one that cannot be had."""

from __future__ import annotations

import asyncio
import socket

import pytest

from ork.base.errors import OutsideError
from ork.base.listening import listener


def test_small_answers_leave_at_once() -> None:
    async def story() -> int:
        told = asyncio.get_running_loop().create_future()

        async def met(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            told.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        at = listener("127.0.0.1", 0)
        async with await asyncio.start_server(met, sock=at):
            _, caller = await asyncio.open_connection(*at.getsockname())
            try:
                no_delay: int = await told
                return no_delay
            finally:
                caller.close()
                await caller.wait_closed()

    assert asyncio.run(story())


def test_a_port_in_use_is_one_clear_line() -> None:
    with listener("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OutsideError, match=rf"cannot listen on .*:{port}: address already in use; choose"):
            listener("127.0.0.1", port)

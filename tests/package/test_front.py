"""The front of a class: visitors are spread over the servers, and each comes back to his own."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from scripts import front
from scripts.front import COOKIE, Outside, Server, choose
from tests.help.aside import run_aside

PLAIN = b"GET / HTTP/1.1\r\nHost: lab\r\n"
SOCKET = PLAIN + b"Upgrade: websocket\r\n"
LONG = b"x" * 3_000_000  # more than any buffer on the way


def head(start: bytes, cookie: str = "") -> bytes:
    return start + (f"Cookie: a=1; {cookie}; b=2\r\n".encode() if cookie else b"") + b"\r\n"


def test_the_cookie_names_the_server_and_nonsense_in_it_names_none() -> None:
    servers = [Server(0, 1), Server(1, 2, given=1)]
    assert choose(servers, head(PLAIN, f"{COOKIE}=1")) == (servers[1], True)
    for nonsense in (f"{COOKIE}=2", f"{COOKIE}=-1", f"{COOKIE}=one", f"my{COOKIE}=1", ""):
        assert choose(servers, head(PLAIN, nonsense)) == (servers[0], False)


def test_a_new_visitor_goes_where_the_fewest_sessions_are_open_and_then_the_fewest_were_sent() -> None:
    servers = [Server(0, 1, open=2), Server(1, 2, open=1, given=9), Server(2, 3, open=1, given=8)]
    assert choose(servers, head(PLAIN))[0].number == 2


async def answer(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A server that says its number, and then whatever it is told."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(f"HTTP/1.1 200 OK\r\nNumber: {number}\r\n\r\n".encode())
    while said := await reader.read(2**16):
        writer.write(said)
        await writer.drain()
    writer.close()


async def ask(port: int, request: bytes) -> tuple[str, asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    return (await reader.readuntil(b"\r\n\r\n")).decode(), reader, writer


def behind_a_front(visit: Callable[[int, list[Server]], Awaitable[None]], gone: int | None = None) -> None:
    """Two small servers, of which one may be gone, and a visit to the front before them."""

    async def whole() -> None:
        loop = asyncio.get_running_loop()
        servers, sockets = [], []
        for number in (0, 1):

            async def one(
                reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int = number
            ) -> None:
                await answer(number, reader, writer)

            sockets.append(await asyncio.start_server(one, "127.0.0.1", 0))
            servers.append(Server(number, sockets[-1].sockets[0].getsockname()[1]))
        if gone is not None:
            sockets[gone].close()
        listening = await loop.create_server(lambda: Outside(servers), "127.0.0.1", 0)
        await asyncio.wait_for(visit(listening.sockets[0].getsockname()[1], servers), 30)
        for each in (listening, *sockets):
            each.close()

    run_aside(whole())


async def sessions(port: int, servers: list[Server]) -> None:
    first, _, kept = await ask(port, head(SOCKET))
    second, _, writer = await ask(port, head(SOCKET))
    for number, told in enumerate((first, second)):
        assert told.startswith("HTTP/1.1 200 OK\r\nSet-Cookie: ")
        assert f"{COOKIE}={number};" in told
        assert f"Number: {number}" in told
    again, *_ = await ask(port, head(PLAIN, f"{COOKIE}=1"))
    assert "Number: 1" in again
    assert "Set-Cookie" not in again
    assert [server.open for server in servers] == [1, 1]
    writer.close()
    while servers[1].open:
        await asyncio.sleep(0.01)
    kept.close()


def test_two_sessions_have_a_server_each_and_come_back_to_it() -> None:
    behind_a_front(sessions)


async def long_ones(port: int, servers: list[Server]) -> None:
    """Nothing is read before everything is written, so that both ends must wait for each other."""
    _, reader, writer = await ask(port, head(PLAIN))
    writer.write(LONG)
    assert await reader.readexactly(len(LONG)) == LONG
    writer.close()


def test_all_bytes_pass_in_both_directions() -> None:
    behind_a_front(long_ones)


async def refused(port: int, servers: list[Server]) -> None:
    told, reader, _ = await ask(port, head(PLAIN, f"{COOKIE}=1"))
    assert "503" in told
    assert b"reload the page" in await reader.read()
    assert "Number: 0" in (await ask(port, head(PLAIN, f"{COOKIE}=0")))[0]


def test_where_a_server_does_not_come_back_its_visitors_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "TRIES", 1)
    behind_a_front(refused, gone=1)


async def endless(port: int, servers: list[Server]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"x" * (front.LONGEST + 1))
    assert not await reader.read()


def test_a_request_without_an_end_is_cut_off() -> None:
    behind_a_front(endless)

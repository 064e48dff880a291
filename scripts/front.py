"""One address in front of several servers: every visitor comes back to his own.

Connections are passed on, byte by byte. A session lives in its server, with what it was sent and what it
offers to download: the answer to a visitor's first request names the server in a cookie, and all that he
asks for later goes there. New visitors go where the fewest sessions are open.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

COOKIE = "rtp_server"
NAMED = re.compile(rb"^cookie:.*\b" + COOKIE.encode() + rb"=(\d+)", re.IGNORECASE | re.MULTILINE)
UPGRADE = re.compile(rb"^upgrade: *websocket", re.IGNORECASE | re.MULTILINE)
END = b"\r\n\r\n"  # of the head of a request
LONGEST = 2**16  # bytes of a head
PATIENCE = 30.0  # seconds for a head to arrive
TICK, TRIES = 0.2, 150  # seconds between two tries to reach a server, and how many
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nRetry-After: 2\r\n"
    b"Connection: close\r\n\r\nThis part of the lab is being started: reload the page in a few seconds.\n"
)


@dataclass
class Server:
    """One of the servers behind the front. Mutable."""

    number: int
    port: int
    given: int = 0  # visitors who were sent here
    open: int = 0  # sessions
    answered: bool = False  # since it was last started

    @property
    def cookie(self) -> bytes:
        return f"Set-Cookie: {COOKIE}={self.number}; Path=/; HttpOnly; SameSite=Lax\r\n".encode()


def choose(servers: Sequence[Server], head: bytes) -> tuple[Server, bool]:
    """Where a request goes, and whether its cookie said so."""
    named = NAMED.search(head)
    if named and int(named[1]) < len(servers):
        return servers[int(named[1])], True
    return min(servers, key=lambda server: (server.open, server.given)), False


class End(asyncio.Protocol):
    """One end of a connection that is passed through: what arrives leaves at the other end."""

    other: "End | None" = None
    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self.other:
            self.other.transport.write(data)

    def pause_writing(self) -> None:
        if self.other:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other:
            self.other.transport.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        if self.other:
            self.other.transport.close()


class Inside(End):
    """The end at the server; the first answer may be given a cookie to take along."""

    def __init__(self, visitor: End, cookie: bytes) -> None:
        self.other, self.cookie, self.first = visitor, cookie, b""

    def data_received(self, data: bytes) -> None:
        if self.cookie:
            status, newline, rest = (self.first + data).partition(b"\r\n")
            if not newline:
                self.first = status
                return
            data, self.cookie = status + newline + self.cookie + rest, b""
        super().data_received(data)


class Outside(End):
    """The end at the visitor: the head of his request says which server is his."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self.servers, self.head = servers, b""
        self.session: Server | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        asyncio.get_running_loop().call_later(PATIENCE, self._expire)

    def _expire(self) -> None:
        if END not in self.head:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self.other:
            super().data_received(data)
            return
        self.head += data
        if END in self.head:
            self.transport.pause_reading()
            self.joining = asyncio.create_task(self._join())
        elif len(self.head) > LONGEST:
            self.transport.close()

    async def _join(self) -> None:
        server, known = choose(self.servers, self.head)
        server.given += not known
        if UPGRADE.search(self.head):
            self.session, server.open = server, server.open + 1
        inside = Inside(self, b"" if known else server.cookie)
        if not await reached(inside, server.port):
            self.transport.write(BUSY)
            self.transport.close()
            return
        inside.transport.write(self.head)
        self.other, server.answered = inside, True
        self.transport.resume_reading()
        if self.transport.is_closing():
            inside.transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        if self.session:
            self.session.open -= 1


async def reached(inside: Inside, port: int) -> bool:
    """Whether a server answers, which may be about to be there."""
    loop = asyncio.get_running_loop()
    for _ in range(TRIES):
        try:
            await loop.create_connection(lambda: inside, "127.0.0.1", port)
        except OSError:
            await asyncio.sleep(TICK)
        else:
            return True
    return False

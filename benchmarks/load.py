"""A class on one server process: real WebSocket sessions, everybody changes ε every five seconds.

Every screen has a fresh server, started as `make class` does and warmed up. What counts is the time from
sending a change to the end of the script, in the slowest twentieth of all answers (p95). All are on the same
street and move the slider of ε, each to a stop of his own; on Explore also each on a street of his own, with
an ε that nobody else asks for. A part of the class then runs long work while the others go on. Then all open
Explore at about the same time, on a server that was just started and that nobody has warmed up. At last: what
sessions leave behind that are opened and closed.

The users are played by one process on the same cores, where a real class brings its own.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.measure import Result, family_memory, own_processor
from scripts import classroom
from scripts.serve import Server, screen_names, serve
from scripts.visitor import Visitor, open_screens, visit, warm_up

EVERY = 5.0  # seconds between two changes of one user
FAIR = 2.0  # seconds that anybody may wait for the long work of others
MEMORY = 400.0  # MB of server and workers
LEFT = 20.0  # MB that the second lot of sessions may add
EXPLORE, OTHERS, OWN_STREET = 0.5, 1.0, 1.5  # seconds
PROCESSOR = 0.07  # seconds of the server for one change: ten a second leave it a third of its one core
OPENING = 5.0  # seconds in which all open a server that was just started, and in which each must see it
CLASS = "Class"  # has no ε; what a round of Play asks of the server is measured by `benchmarks.play`


class ClassSize(NamedTuple):
    """How much is asked of the server."""

    users: int = 50
    changes: int = 6  # of every user, after a first that does not count
    sessions: int = 1000  # of each of two lots
    screens: tuple[str, ...] = ()  # all, unless some are named; Explore is ""


@dataclass
class Crowd:
    """What a class experienced on one screen. Mutable: every user adds to it."""

    size: ClassSize
    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    processor: float = 0.0  # seconds of the server per change
    memory: float = 0.0  # MB of server and workers at the end

    def slowest(self, share: float) -> float:
        return float(np.quantile(self.times, share))


async def attend(url: str, screen: str, user: int, crowd: Crowd, begun: asyncio.Barrier) -> None:
    """One user: opens the screen, waits for the others, then changes ε on time, or as soon as answered."""
    page, _, query = screen.partition("?")
    try:
        async with visit(url, page, query) as visitor:
            await visitor.run()
            await begun.wait()
            start = perf_counter() + EVERY * user / crowd.size.users
            for turn in range(crowd.size.changes + 1):
                await asyncio.sleep(max(0.0, start + EVERY * turn - perf_counter()))
                number = user + crowd.size.users * turn
                change = typed_epsilon if "seed" in query else moved_epsilon
                seconds = await visitor.run(change(visitor, number))
                if turn:
                    crowd.times.append(seconds)
            crowd.errors += visitor.errors
    except Exception as error:  # one user's trouble is counted, the others go on
        crowd.errors.append(repr(error))
        await begun.abort()


def moved_epsilon(visitor: Visitor, number: int) -> WidgetState:
    """Return a stop of the slider; all stops come up, in no order."""
    stops = visitor.stops("slider:epsilon")
    return visitor.moved("slider:epsilon", stops[7 * number % len(stops)])


def typed_epsilon(visitor: Visitor, number: int) -> WidgetState:
    """Return a budget that nobody else asks for."""
    return visitor.find("number:epsilon").typed(f"{0.05 + 0.00301 * number:.5f}")


def shifted_clock(visitor: Visitor, number: int) -> WidgetState:
    """Return another time zone of the readings, as there is no ε beside them."""
    field = visitor.find("meters:shift")
    hours = field.element.selectbox.options
    return field.typed(hours[number % len(hours)])


LONG_WORK = {  # by address: the key of the button that begins it, and what is changed to begin it anew
    "Decide?tab=What-if+map": ("start:map", typed_epsilon),
    "Street?tab=From+readings&sample=true&readings=What+is+learned": ("start:learn", shifted_clock),
}


async def work_long(url: str, screen: str, crowd: Crowd, ended: asyncio.Event) -> None:
    """One user who begins long work, and begins it anew after a change, until the class is over."""
    button, change = LONG_WORK[screen]
    page, _, query = screen.partition("?")
    async with visit(url, page, query) as visitor:
        await visitor.run()
        number = 0
        while not ended.is_set():
            number += 1
            await visitor.run(change(visitor, 7000 + number))
            await visitor.run(visitor.clicked(button))
            for _ in range(10):  # to look at it keeps it going
                await visitor.run()
                await asyncio.sleep(1)
                if ended.is_set():
                    break
        crowd.errors += visitor.errors


async def hold_class(server: Server, size: ClassSize, screens: list[str], long_work: bool = False) -> Crowd:
    """Return what the class experienced. User k opens the k-th of the screens, and so on around."""
    crowd, begun, ended = Crowd(size), asyncio.Barrier(size.users + 1), asyncio.Event()
    async with asyncio.TaskGroup() as everybody:
        for screen in LONG_WORK if long_work else ():
            everybody.create_task(work_long(server.url, screen, crowd, ended))
        users = [
            everybody.create_task(attend(server.url, screens[k % len(screens)], k, crowd, begun))
            for k in range(size.users)
        ]
        with suppress(asyncio.BrokenBarrierError):  # who could not begin is counted as an error
            await begun.wait()
        used = own_processor(server.process.pid)
        await asyncio.gather(*users)
        ended.set()
    changes = size.users * (size.changes + 1)
    crowd.processor = (own_processor(server.process.pid) - used) / changes
    crowd.memory = family_memory(server.process.pid)
    return crowd


ONE_ADDRESS = {"RTP_HOUSES_PER_ADDRESS": "100"}  # all visitors come from this machine


@contextmanager
def lab_of_a_class() -> Iterator[Server]:
    """Serve the lab as `make class` does, warmed up."""
    with serve(
        command=partial(classroom.command, "127.0.0.1"), environment=classroom.ENVIRONMENT | ONE_ADDRESS
    ) as server:
        if errors := asyncio.run(warm_up(server.url, screen_names())):
            raise RuntimeError("; ".join(errors))
        yield server


def measure(size: ClassSize, screens: list[str], long_work: bool = False) -> Crowd:
    with lab_of_a_class() as server:
        return asyncio.run(hold_class(server, size, screens, long_work))


def of_crowd(crowd: Crowd, words: str, slowest: float) -> Iterator[Result]:
    name = f"{words}, {crowd.size.users} users"
    yield Result(subject=f"{name}: p95", value=crowd.slowest(0.95), unit=" s", target=slowest)
    yield Result(
        subject=f"{name}: processor time per change", value=crowd.processor, unit=" s", target=PROCESSOR
    )
    yield Result(
        subject=f"{name}: memory of server and workers", value=crowd.memory, unit=" MB", target=MEMORY
    )
    yield from of_errors(crowd, name)


def of_errors(crowd: Crowd, name: str) -> Iterator[Result]:
    yield Result(subject=f"{name}: errors", value=len(crowd.errors), unit="", target=0.0)
    for error in sorted(set(crowd.errors)):
        print(error)


async def open_together(url: str, users: int) -> list[float]:
    """Return what each waits for Explore when all come within some seconds."""

    async def come(user: int) -> float:
        await asyncio.sleep(OPENING * user / users)
        start = perf_counter()
        async with visit(url) as visitor:
            await visitor.run()
            return perf_counter() - start

    return await asyncio.gather(*(come(user) for user in range(users)))


def of_opening(users: int) -> Iterator[Result]:
    with serve() as server:
        waits = asyncio.run(open_together(server.url, users))
    subject = f"{users} open Explore within {OPENING:g} s on a server that was just started: p95"
    yield Result(subject=subject, value=float(np.quantile(waits, 0.95)), unit=" s", target=OPENING)


def of_sessions(sessions: int) -> Iterator[Result]:
    """What the second lot of sessions adds, once the caches are full and as many are kept as ever will be."""
    with lab_of_a_class() as server:
        asyncio.run(open_screens(server.url, [""] * sessions))
        before = family_memory(server.process.pid)
        asyncio.run(open_screens(server.url, [""] * sessions))
        added = family_memory(server.process.pid) - before
    yield Result(
        subject=f"memory added by the second {sessions:,} sessions", value=added, unit=" MB", target=LEFT
    )


def results(size: ClassSize) -> Iterator[Result]:
    for page in size.screens or [name for name in screen_names() if name != CLASS]:
        crowd = measure(size, [page])
        yield from of_crowd(crowd, f"{page or 'Explore'}, one street", OTHERS if page else EXPLORE)
    if size.screens:
        return
    streets = [f"?seed={1000 + user}" for user in range(size.users)]
    yield from of_crowd(measure(size, streets), "Explore, each on a street of his own", OWN_STREET)
    crowd = measure(size, [""], long_work=True)
    name = f"Explore, {size.users} users, beside {len(LONG_WORK)} with long work"
    yield Result(subject=f"{name}: the longest wait", value=max(crowd.times), unit=" s", target=FAIR)
    yield Result(
        subject=f"{name}: memory of server and workers", value=crowd.memory, unit=" MB", target=MEMORY
    )
    yield from of_errors(crowd, name)
    yield from of_opening(size.users)
    yield from of_sessions(size.sessions)

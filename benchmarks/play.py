"""A class that plays, on one server process: everybody looks once a second and answers at every step.

The server is started as `make class` does. All join at once; then the host starts a round that goes on every
five seconds, with a beamer that shows what the observer believes. A person reads the question first: she
answers one to four seconds after her phone has shown it. A second class, held to the same, answers at once,
as nobody can: all of its looks and answers then fall into the first second of a step. What counts is the time
from asking to the end of the answer, in the slowest twentieth of all looks and of all answers (p95), and the
processor time of the server in cores. The phones are played by one process on the same cores, where a class
brings its own.
"""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from time import perf_counter
from urllib.parse import parse_qs

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load import MEMORY, lab_of_a_class
from benchmarks.measure import Result, family_memory, family_processor
from scripts.serve import Server
from scripts.visitor import Visitor, texts, visit

SLOWEST = {50: 0.5, 100: 1.0}  # seconds that a look or an answer takes, by players
LASTS = 30.0  # seconds of the round that are measured
LOOK = 1.0  # seconds between two looks
PACE = "5 s"
THOUGHT = (1.0, 4.0)  # seconds from seeing a question to answering it
AT_ONCE = (0.0, 0.0)
CORES, JOINED = 0.5, 10.0  # cores, and seconds to join, for the first class


@dataclass
class Played:
    """What a class experienced. Mutable: every player adds to it."""

    joined: float = 0.0  # seconds until all had
    looks: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    cores: float = 0.0
    memory: float = 0.0  # MB


async def join(visitor: Visitor) -> None:
    await visitor.run()
    await visitor.run(visitor.clicked("play:join"))


def answer(visitor: Visitor, option: str) -> WidgetState | None:
    """The answer to the question that waits, if one does."""
    for element in visitor.elements:
        group = element.button_group
        if element.WhichOneof("type") == "button_group" and "-play:guess " in group.id:
            return None if group.default else texts(group.id, option)
    return None


async def play(visitor: Visitor, turn: float, thought: float, result: Played, ends: float) -> None:
    """Look every second from that moment on, and answer what is asked so many seconds after it is seen."""
    due = np.inf  # when she will have thought
    while turn < ends:
        await asyncio.sleep(max(0.0, min(turn, due) - perf_counter()))
        if due <= turn:
            if said := answer(visitor, "At home"):
                result.answers.append(await visitor.look(said))
            due = np.inf
        else:
            result.looks.append(await visitor.look())
            turn = max(turn + LOOK, perf_counter())
        if due == np.inf and answer(visitor, "At home"):
            due = perf_counter() + thought
    result.errors += visitor.errors


async def hold(server: Server, players: int, thought: tuple[float, float] = THOUGHT) -> Played:
    """Return what a class of so many experienced; it thinks between so many seconds."""
    result = Played()
    async with AsyncExitStack() as open_pages:
        host = await open_pages.enter_async_context(visit(server.url, "Play"))
        await host.run()
        await host.run(host.clicked("play:open"))
        (code,) = parse_qs(host.query)["room"]
        await host.look(texts(host.find("play:pace").state.id, PACE))
        start = perf_counter()
        phones = [visit(server.url, "Play", f"room={code}") for _ in range(players)]
        visitors = [await open_pages.enter_async_context(phone) for phone in phones]
        await asyncio.gather(*map(join, visitors))
        result.joined = perf_counter() - start
        beamer = await open_pages.enter_async_context(visit(server.url, "Play", f"room={code}&view=beamer"))
        await beamer.run()
        await host.look()
        await host.look(host.clicked("play:start"))
        await host.look(WidgetState(id=host.find("play:beliefs").state.id, bool_value=True))
        begun, used = perf_counter(), family_processor(server.process.pid)
        ends = begun + LASTS
        steering = [play(each, begun, 0.0, Played(), ends) for each in (host, beamer)]
        turns = begun + LOOK * np.arange(players) / players  # each at a time of her own
        thinking = np.random.default_rng(players).uniform(*thought, players)
        playing = [play(*each, result, ends) for each in zip(visitors, turns, thinking, strict=True)]
        await asyncio.gather(*steering, *playing)
        result.cores = (family_processor(server.process.pid) - used) / (perf_counter() - begun)
        result.memory = family_memory(server.process.pid)
        result.errors += [*host.errors, *beamer.errors]
    return result


def of_times(result: Played, name: str, slowest: float) -> Iterator[Result]:
    for words, times in (("looks", result.looks), ("answers", result.answers)):
        p95 = float(np.quantile(times, 0.95)) if times else np.inf
        yield Result(subject=f"{name}: {len(times):,} {words}, p95", value=p95, unit=" s", target=slowest)


def of_class(result: Played, players: int, bounded: bool) -> Iterator[Result]:
    name = f"Play, {players} players"
    limits = (JOINED, CORES) if bounded else (None, None)
    yield Result(subject=f"{name}: all have joined", value=result.joined, unit=" s", target=limits[0])
    yield from of_times(result, name, SLOWEST[players])
    yield Result(subject=f"{name}: processor", value=result.cores, unit=" cores", target=limits[1])
    yield Result(subject=f"{name}: memory", value=result.memory, unit=" MB", target=MEMORY)
    yield Result(subject=f"{name}: errors", value=len(result.errors), unit="", target=0.0)
    for error in sorted(set(result.errors)):
        print(error)


def results() -> Iterator[Result]:
    for players, slowest in SLOWEST.items():
        with lab_of_a_class() as server:
            yield from of_class(asyncio.run(hold(server, players)), players, bounded=players == min(SLOWEST))
        with lab_of_a_class() as server:
            at_once = asyncio.run(hold(server, players, AT_ONCE))
        yield from of_times(at_once, f"Play, {players} players who answer at once", slowest)

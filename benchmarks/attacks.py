"""Attacks on one server, and what somebody else feels of them.

One client attacks as fast as it is answered, for some seconds; a visitor moves ε on Explore twice a second
all the while. What counts is her p95, beside that of a quiet server, and of one on which a plain street is
opened again and again. Files and links go the way of a browser's; a worker that stops gets a signal. Every
attack has a fresh server, started as `make class` does, with the limits of one address: all come from it.
Where the machine itself loses time to others, her p95 says nothing of the server: then the attack is made
again, up to some times.
"""

import asyncio
import base64
import io
import json
import os
import random
import signal
import zlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from time import perf_counter
from urllib.parse import quote_plus

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.load import moved_epsilon
from benchmarks.measure import Result, lost_since, own_memory, own_processor, ticks, workers_of
from pages.ui.explore.screen import FILES
from pages.ui.screens import READINGS
from rtp.meters.real_home import sample_frame
from scripts import classroom
from scripts.serve import Server, screen_names, serve
from scripts.visitor import visit, warm_up

LASTS = 12.0  # seconds of an attack
QUIET, AGAIN = 0.01, 4  # of the machine's time may be lost where a limit is missed, and how often it is tried
EVERY = 0.5  # seconds between two changes of the visitor
FELT, GROWN = 0.5, 100.0  # seconds of her slowest twentieth, and MB of the server's own process
Attack = Callable[[Server], Awaitable[None]]  # one try


@dataclass
class Suffered:
    """What came of an attack. Mutable: attacker and visitor add to it."""

    turns: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    grown: float = 0.0

    @property
    def p95(self) -> float:
        return float(np.quantile(self.turns, 0.95))


def packed(text: str) -> str:
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode()


@cache
def parquet_of(letters: int, rows: int) -> bytes:
    houses = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["a" * letters]))
    times = [f"2024-05-01 {i // 60 % 24:02d}:{i % 60:02d}" for i in range(rows)]
    table = pa.table({"house": houses, "time": times, "kWh": [0.1] * rows})
    pq.write_table(table, target := io.BytesIO(), compression="zstd")
    return target.getvalue()


@cache
def good_parquet() -> bytes:
    sample_frame().to_parquet(target := io.BytesIO())
    return target.getvalue()


def damaged_parquet(seed: int) -> bytes:
    draw, data = random.Random(seed), bytearray(good_parquet())
    for _ in range(30):
        data[draw.randrange(4, len(data))] = draw.randrange(256)
    return bytes(data)


async def open_link(query: str, server: Server) -> None:
    async with visit(server.url, "", query) as visitor:
        await visitor.run()
        must_stand(visitor.errors)


async def upload_readings(content: Callable[[], bytes], server: Server) -> None:
    async with visit(server.url, "Street", f"tab={quote_plus(READINGS)}") as visitor:
        await visitor.run()
        await visitor.run(await visitor.uploaded("upload:readings", "readings.parquet", content()))
        must_stand(visitor.errors)


async def upload_scenario(content: bytes, server: Server) -> None:
    async with visit(server.url) as visitor:
        await visitor.run()
        opened = visitor.opened(f"section:{FILES}")
        await visitor.run(opened)
        await visitor.run(opened, await visitor.uploaded("upload:scenario", "scenario.json", content))
        must_stand(visitor.errors)


async def stop_a_worker(server: Server) -> None:
    """Open a screen that begins long work, and stop the process that does it; the work is given up."""
    async with visit(server.url, "Attack") as visitor:
        await visitor.run()
        await asyncio.sleep(1)
        os.kill(max(workers_of(server.process.pid), key=own_processor), signal.SIGSTOP)
        for _ in range(60):
            await visitor.run()
            if not any(element.WhichOneof("type") == "progress" for element in visitor.elements):
                break
            await asyncio.sleep(0.5)


async def open_and_join(server: Server) -> None:
    async with visit(server.url, "Play") as host:
        await host.run()
        await host.run(host.clicked("play:open"))
        room = host.query.partition("room=")[2][:4]
    async with visit(server.url, "Play", f"room={room}") as player:
        await player.run()
        if any(element.button.id.endswith("play:join") for element in player.elements):
            await player.run(player.clicked("play:join"))
        must_stand(player.errors)


async def try_a_code(draw: random.Random, server: Server) -> None:
    async with visit(server.url, "Play", f"room={''.join(draw.choices('BCDFGHJK', k=4))}") as visitor:
        await visitor.run()


def must_stand(errors: list[str]) -> None:
    if errors:
        raise RuntimeError("; ".join(errors))


def attacks() -> dict[str, Attack | None]:
    """By name; None is a quiet server."""
    seeds = iter(range(10**6))
    return {
        "nothing": None,
        "a link to a plain street": partial(open_link, "seed=1"),
        "Parquet, 20 rows, a name of 50,000,000 letters": partial(
            upload_readings, partial(parquet_of, 50_000_000, 20)
        ),
        "Parquet of 2 kB, a name of 1,000,000 letters": partial(
            upload_readings, partial(parquet_of, 1_000_000, 1000)
        ),
        "link, 490,000 zeros": partial(open_link, f"listed={packed(many_houses('0', 490_000))}"),
        "link, 330,000 empty houses": partial(open_link, f"listed={packed(many_houses('{}', 330_000))}"),
        "JSON, a key 25,000 times": partial(upload_scenario, b'{%s"seed":1}' % (b'"epsilon":0.5,' * 25_000)),
        "JSON, 330,000 empty houses": partial(upload_scenario, many_houses("{}", 330_000).encode()),
        "JSON, 80,000 unknown keys": partial(
            upload_scenario, json.dumps({f"k{i}": 0 for i in range(80_000)}).encode()
        ),
        "damaged Parquet": partial(upload_readings, lambda: damaged_parquet(next(seeds))),
        "a stopped worker": stop_a_worker,
        "opening rooms and joining": open_and_join,
        "wrong codes": partial(try_a_code, random.Random(0)),
    }


def many_houses(entry: str, number: int) -> str:
    return f'{{"houses":[{",".join([entry] * number)}]}}'


async def turn(server: Server, suffered: Suffered, ended: asyncio.Event) -> None:
    """The visitor: moves ε on time, or as soon as she is answered."""
    async with visit(server.url) as visitor:
        await visitor.run()
        due, number = perf_counter(), 0
        while not ended.is_set():
            suffered.turns.append(await visitor.run(moved_epsilon(visitor, number)))
            due, number = max(due + EVERY, perf_counter()), number + 1
            await asyncio.sleep(due - perf_counter())
        suffered.errors += visitor.errors


async def hold(server: Server, attack: Attack | None) -> Suffered:
    suffered, ended = Suffered(), asyncio.Event()
    visitor = asyncio.create_task(turn(server, suffered, ended))
    ends = perf_counter() + LASTS
    while perf_counter() < ends:
        try:
            await (asyncio.sleep(LASTS) if attack is None else attack(server))
        except Exception as error:  # it counts, and the attack goes on
            suffered.errors.append(repr(error))
    ended.set()
    await visitor
    return suffered


def suffer(attack: Attack | None) -> Suffered:
    """What comes of an attack on a fresh server."""
    command = partial(classroom.command, "127.0.0.1")
    with serve(command=command, environment=classroom.ENVIRONMENT) as server:
        asyncio.run(warm_up(server.url, screen_names()))
        before = own_memory(server.process.pid)
        for _ in range(AGAIN):
            start = ticks()
            suffered = asyncio.run(hold(server, attack))
            if suffered.p95 <= FELT or lost_since(start) <= QUIET:
                break
        suffered.grown = own_memory(server.process.pid) - before
    return suffered


def results() -> Iterator[Result]:
    for name, attack in attacks().items():
        suffered = suffer(attack)
        yield Result(subject=f"{name}: the server has grown", value=suffered.grown, unit=" MB", target=GROWN)
        yield Result(subject=f"{name}: a visitor's p95", value=suffered.p95, unit=" s", target=FELT)
        yield Result(subject=f"{name}: errors", value=len(suffered.errors), unit="", target=0.0)
        for error in sorted(set(suffered.errors)):
            print(error)

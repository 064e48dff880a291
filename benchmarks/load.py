"""A class of fifty: real WebSocket sessions, everybody changes ε every two seconds.

For every page, on a lab freshly started as a teacher would on two cores: seconds from sending a change to the
end of the script, errors, the memory and processor time of all its processes together. Once with everybody on
an ε of his own, which nobody has asked for before, and once with a class that looks at the same scenario. A
page that computes nothing, with as many widgets and a chart of ten lines, on one server, is the yardstick. At
last: what sessions that come and go leave behind.

The users are played by one process on the same cores, where a real class brings its own: what they take of
the processors is told beside what the servers take.
"""

import asyncio
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.measure import Result
from benchmarks.processes import memory, processor
from rtp.scenario import BOUNDS
from scripts import classroom
from scripts.serve import Server, serve
from scripts.visitor import Visitor, numbers, texts, visit

USERS = 50
CORES = 2
EVERY = 2.0  # seconds between two changes of one user
CHANGES = 8  # of every user, after the first
MEMORY = 350.0  # MB that the server may take
COMING, COME = 1_000, 20.0  # sessions that come and go, and the MB they may leave behind
SLOWEST = {
    "": 1.0,
    "Households": 1.5,
    "Algorithm": 1.5,
    "Paper": 1.5,
    "Trade-off": 1.5,
    "Attacker": 2.0,
    "Over_time": 2.0,
    "Lesson": 1.0,
}

BARE = """
import streamlit as st
st.set_page_config(layout="wide")
with st.sidebar:
    options = [f"{{10 ** (k / 10 - 2):.2g}}" for k in range(31)]
    value = float(st.select_slider({label!r}, options, "0.5"))
    value += st.number_input("ε, typed", 0.0, 10000.0, 0.5, format="%g")
    for number in range({widgets} - 2):
        st.number_input(f"Number {{number}}", 0.0, 1.0, 0.5)
curves = [[(i * value + t) % 7 for t in range(96)] for i in range(10)]
st.plotly_chart({{"data": [{{"type": "scatter", "mode": "lines", "y": y}} for y in curves]}}, key="day")
"""

Choose = Callable[[Visitor, int, int], WidgetState]


@dataclass
class Crowd:
    """What a class experienced at one page."""

    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    widgets: int = 0
    processor: float = 0.0  # seconds of the server per change
    users: float = 0.0  # seconds of those who play the users per change
    memory: float = 0.0  # MB of the server at the end
    grown: float = 0.0  # MB since the server started

    def quantile(self, share: float) -> float:
        return float(np.quantile(self.times, share))


def own(visitor: Visitor, user: int, turn: int) -> WidgetState:
    """A budget that nobody else asks for, typed."""
    value = round(0.05 + 0.003 * (user + USERS * turn) + 0.00001 * user, 5)
    typed = next(w for w in visitor.widgets.values() if w.label.startswith("ε") and w.kind != "slider")
    return typed.typed(f"{value:g}")


def same(visitor: Visitor, user: int, turn: int) -> WidgetState:
    """The budget that the whole class looks at in this turn, on the slider."""
    slider = visitor.find("slider", BOUNDS["epsilon"].words)
    options = slider.element.slider.options
    if options:
        return texts(slider.state.id, options[5 + turn % 20])
    return numbers(slider.state.id, slider.element.slider.min + 0.1 * turn)


async def attend(
    url: str, page: str, user: int, choose: Choose, begun: asyncio.Barrier, crowd: Crowd
) -> None:
    """One user: opens the page, waits for the others, then changes ε on time, or as soon as answered."""
    try:
        async with visit(url, page) as visitor:
            await visitor.run()
            crowd.widgets = len(visitor.widgets)
            await begun.wait()
            start = perf_counter() + EVERY * user / USERS
            for turn in range(CHANGES + 1):
                await asyncio.sleep(max(0.0, start + EVERY * turn - perf_counter()))
                seconds = await visitor.run(choose(visitor, user, turn))
                if turn:
                    crowd.times.append(seconds)
            crowd.errors += visitor.errors
    except Exception as error:  # one user's trouble is counted, the others go on
        crowd.errors.append(repr(error))
        await begun.abort()


async def lesson(server: Server, page: str, choose: Choose) -> Crowd:
    crowd, begun = Crowd(), asyncio.Barrier(USERS + 1)
    before = memory(server.process.pid)
    async with asyncio.TaskGroup() as users:
        for user in range(USERS):
            users.create_task(attend(server.url, page, user, choose, begun, crowd))
        await begun.wait()
        used, own_use = processor(server.process.pid), process_time()
    changes = USERS * (CHANGES + 1)
    crowd.users = (process_time() - own_use) / changes
    crowd.processor = (processor(server.process.pid) - used) / changes
    crowd.memory = memory(server.process.pid)
    crowd.grown = crowd.memory - before
    return crowd


def measure(page: str, choose: Choose) -> Crowd:
    """As a teacher would start it, on two cores."""
    with serve(command=as_a_class, environment=classroom.ENVIRONMENT) as server:
        return asyncio.run(lesson(server, page, choose))


def as_a_class(port: int) -> Sequence[str]:
    return classroom.command("127.0.0.1", port)


def bare(widgets: int) -> Crowd:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "bare.py")
        script.write_text(BARE.format(label=BOUNDS["epsilon"].words, widgets=widgets))
        with serve(script=script) as server:
            return asyncio.run(lesson(server, "", own))


async def come_and_go(url: str, sessions: int) -> None:
    for _ in range(sessions):
        async with visit(url) as visitor:
            await visitor.run()


def left_behind() -> float:
    """MB that sessions leave behind once as many have come and gone as the servers keep for a return."""
    with serve(command=as_a_class, environment=classroom.ENVIRONMENT) as server:
        asyncio.run(come_and_go(server.url, 200 * CORES))
        before = memory(server.process.pid)
        asyncio.run(come_and_go(server.url, COMING))
        return memory(server.process.pid) - before


def told(crowd: Crowd, name: str, slowest: float | None) -> Iterator[Result]:
    yield Result(
        subject=f"{name}: slowest 5 % of answers (p95)", value=crowd.quantile(0.95), unit=" s", target=slowest
    )
    yield Result(subject=f"{name}: half of the answers (p50)", value=crowd.quantile(0.5), unit=" s")
    yield Result(subject=f"{name}: processor time of the server per change", value=crowd.processor, unit=" s")
    yield Result(subject=f"{name}: processor time of the users per change", value=crowd.users, unit=" s")
    yield Result(subject=f"{name}: memory of the server", value=crowd.memory, unit=" MB", target=MEMORY)
    yield Result(subject=f"{name}: errors", value=len(crowd.errors), unit="", target=0.0)


def results(pages: Sequence[str] = tuple(SLOWEST)) -> Iterator[Result]:
    widgets = 0
    for page in pages:
        for choose, words in ((own, "each on his own ε"), (same, "all on the same")):
            crowd = measure(page, choose)
            widgets = widgets or crowd.widgets
            yield from told(crowd, f"{page or 'Explore'}, {USERS} users, {words}", SLOWEST[page])
    yield from told(bare(widgets), f"a bare page, {USERS} users", None)
    yield Result(
        subject=f"memory left behind by {COMING:,} sessions", value=left_behind(), unit=" MB", target=COME
    )

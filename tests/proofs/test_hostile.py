"""Whatever stands in an address or a file, the lab answers: no exception, little time, little memory.

The addresses are opened on every screen of a server, the files are read as the screens read them. Both are
drawn from a seed; another in RTP_HOSTILE draws others.
"""

import asyncio
import os
import resource
from collections.abc import Sequence
from time import perf_counter, process_time
from urllib.parse import parse_qsl

import pytest

from benchmarks.measure import own_memory
from pages.ui.lab import Lab
from pages.ui.screens import SCREENS
from rtp.scenario import ScenarioError
from rtp.scenario.spreadsheet import read_apart
from scripts import classroom
from scripts.serve import page_names, screen_names, serve
from scripts.visitor import open_screens, visit
from tests.help.aside import run_aside
from tests.help.hostile import READERS, addresses, files, good_files

SEED = int(os.environ.get("RTP_HOSTILE", "1"))
READ, READ_MEMORY = 0.3, 50.0  # seconds of the processor to read an address, and MB for all of them
RUN = 30.0  # seconds of a screen, on a busy machine
GROWTH = 400.0  # MB of the server after all addresses: its caches fill, and no further
LEFT = {"RTP_PATIENCE": "0.1"}  # seconds: nobody stays to see what a screen begins by itself
FILE = 30.0  # seconds, those of starting a process included


def peak() -> float:
    """MB that this process has had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def test_an_address_is_read_on_every_screen_in_no_time() -> None:
    for query in addresses(10, SEED):
        address, before = dict(parse_qsl(query, keep_blank_values=True)), peak()
        for screen in SCREENS:
            lab, start = Lab(), process_time()
            lab.arrive(screen.title, address, by_history=False)
            assert process_time() - start < READ
            assert all(len(words) < 4000 and words.isprintable() for words in lab.notes())
        assert peak() - before < READ_MEMORY


def read_all(bad: Sequence[tuple[str, bytes]]) -> None:
    """Each is read, or refused in one sentence."""
    before = peak()
    for kind, content in bad:
        reader, apart = READERS[kind]
        start, said = perf_counter(), "Nothing."
        try:
            read_apart(reader, content) if apart else reader(content)
        except ScenarioError as refused:
            said = str(refused)
        assert said.endswith((".", "?")), said
        assert said.isprintable()
        assert len(said) < 600
        assert perf_counter() - start < FILE
    assert peak() - before < READ_MEMORY


def test_good_files_are_read_before_they_are_damaged() -> None:
    for kind, content in good_files():
        READERS[kind][0](content)


@pytest.mark.long
def test_a_hundred_damaged_files_are_read_or_refused() -> None:
    read_all(files(100, SEED))


async def open_one(url: str, page: str, query: str) -> None:
    async with visit(url, page, query) as visitor:
        await asyncio.wait_for(visitor.run(), RUN)
        assert not visitor.errors, (page, query[:2000])


async def open_all(url: str, queries: Sequence[str]) -> None:
    """Every address on all screens at once."""
    for query in queries:
        await asyncio.gather(*(open_one(url, page, query) for page in page_names()))


@pytest.mark.long
def test_two_hundred_addresses_leave_every_screen_standing() -> None:
    with serve(environment=classroom.ENVIRONMENT | LEFT) as server:
        run_aside(open_screens(server.url, screen_names()))
        before = own_memory(server.process.pid)
        run_aside(open_all(server.url, addresses(200, SEED)))
        assert own_memory(server.process.pid) - before < GROWTH
        assert "Traceback" not in server.log()
        assert "ScriptRunContext" not in server.log(), "what is made beside a page draws nothing"

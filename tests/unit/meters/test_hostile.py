"""Each of a hundred hostile files is understood, or refused in one sentence; nothing is written to disk and
memory stays bounded. What is said of each: `tests/proofs/test_answers.py`."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from rtp.meters import read, source
from rtp.scenario import ScenarioError
from tests.help.root import ROOT
from tests.unit.meters.files import expected
from tests.unit.meters.hostile import BASE, REFUSED, UNDERSTOOD, announced


def test_there_are_a_hundred() -> None:
    assert len(UNDERSTOOD) + len(REFUSED) >= 100


def test_more_rows_than_fit_are_refused_by_their_announcement(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the real limit the file alone takes a second to write: here one row beyond a lower one."""
    monkeypatch.setattr(source, "MAX_READ_ROWS", 1000)
    refused_in_one_sentence(announced(1001), "announces 1,001 rows; at most 1,000 are read at once")
    refused_in_one_sentence(announced(1000), "an interval needs two|times that repeat")


@pytest.fixture(autouse=True)
def _nothing_is_written() -> Iterator[None]:
    WRITTEN.clear()
    WATCHED.append(True)
    yield
    WATCHED.clear()
    assert WRITTEN == []


WATCHED: list[bool] = []
WRITTEN: list[str] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    """Files that are opened to be written, as the interpreter reports them."""
    if WATCHED and event == "open":
        path, _, flags = arguments
        if isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and path != os.devnull:
            WRITTEN.append(str(path))


sys.addaudithook(_watch)


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_it_is_understood(name: str) -> None:
    readings = read(UNDERSTOOD[name], unit="kWh")
    np.testing.assert_allclose(readings.power, expected(BASE), rtol=1e-6)


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_in_one_sentence(name: str) -> None:
    refused_in_one_sentence(*REFUSED[name])


def refused_in_one_sentence(data: bytes, words: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        read(data)
    sentence = str(refused.value)
    assert re.search(words, sentence), sentence
    assert len(sentence) < 250
    assert "\n" not in sentence
    assert sentence.endswith((".", "?"))


def test_the_watch_would_see_a_file(tmp_path: object) -> None:
    with open(f"{tmp_path}/written", "w"):
        pass
    assert WRITTEN[-1].endswith("written")
    WRITTEN.clear()


BOMBS = """
import gzip, resource
from rtp.meters import read, source
from rtp.scenario import ScenarioError
from tests.unit.meters.files import HEADER, bomb

source.MAX_UNPACKED, source.MAX_ROWS = 2**25, 100_000
row = b"a,2024-05-06 00:00,1\\n"
for data in (bomb(b"0" * 2**24), bomb(row * 2**16), bomb(b"\\n" * 2**23), bomb(b"'" * 2**24)):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        read(data)
    except ScenarioError as refused:
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(len(data) // 2**10, "KB", grown // 2**10, "MB", refused)
"""


@pytest.mark.long
def test_what_unpacks_to_gigabytes_is_stopped_early() -> None:
    """Two gigabytes in a few kilobytes: each is refused, and takes no more than a few blocks of memory."""
    told = subprocess.run([sys.executable, "-c", BOMBS], cwd=ROOT, capture_output=True, text=True, check=True)
    lines = told.stdout.splitlines()
    assert len(lines) == 4, told.stdout + told.stderr
    for line in lines:
        packed, _, grown, *_ = line.split()
        assert int(packed) < 10_000
        assert int(grown) < 400, line

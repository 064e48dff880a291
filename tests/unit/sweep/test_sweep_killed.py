"""A sweep that is interrupted or killed goes on where it was, to the same numbers."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rtp.cli.main import main
from rtp.sweep.plan import from_json
from rtp.sweep.store import read_sweep
from tests.help.root import ROOT
from tests.unit.sweep.files import CHUNK, complete, equal

pytestmark = pytest.mark.usefixtures("short_units")


# The command, halting at a chosen moment until a signal ends it. SIGINT is restored: who starts it, a shell's
# background job for one, may have it ignored.
HALTING = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from rtp.cli.main import main
from rtp.sweep import run, store

def halting(function, last):
    calls = 0
    def counted(*arguments):
        nonlocal calls
        calls += 1
        if calls == last:
            print("halted", flush=True)
            time.sleep(60)
        return function(*arguments)
    return counted

moment, call, run.CHUNK, store.CHUNK = sys.argv[1], *map(int, (sys.argv[2], sys.argv[3], sys.argv[3]))
if moment == "living a day":
    run.draw_day = halting(run.draw_day, call)
else:
    store._blob = halting(store._blob, call)
sys.exit(main(sys.argv[4:]))
"""

SECOND_UNIT = {
    "living a day": CHUNK + 2,
    "amid a transaction": 2 * 2 + 3,  # two arrays for each of two points: the second point of the second save
}


@pytest.mark.long
@pytest.mark.parametrize(
    ("how", "workers", "moment"),
    [
        (signal.SIGKILL, "1", "living a day"),
        (signal.SIGKILL, "2", "amid a transaction"),
        (signal.SIGINT, "1", "amid a transaction"),
    ],
)
def test_killed_at_any_moment_and_started_again_it_gives_the_same_numbers(
    tmp_path: Path, spec: Path, how: signal.Signals, workers: str, moment: str
) -> None:
    """Also with worker processes: had they outlived it, its output would still be open."""
    days = 2 * CHUNK
    out, whole = tmp_path / "killed.sqlite", tmp_path / "whole.sqlite"
    command = ["sweep", str(spec), "--days", str(days), "--out", str(out)]
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", HALTING, moment, str(SECOND_UNIT[moment]), str(CHUNK)),
            *(*command, "--workers", workers),
        ],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "halted\n"
    process.send_signal(how)
    _, said = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert str(out) in said.splitlines()[-1]
    else:
        assert process.returncode == -signal.SIGKILL
    kept = [part.days for part in read_sweep(out)[1].values()]
    assert kept in ([CHUNK] * 2, [days] * 2)  # what was committed, for both budgets of one street
    if workers == "1":
        assert kept == [CHUNK] * 2
    assert main(command) == 0
    assert equal(read_sweep(out)[1], complete(whole, from_json(spec.read_bytes(), days)))

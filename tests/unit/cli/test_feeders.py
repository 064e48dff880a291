"""Many feeders on any executor: the same files, and no more work than is left."""

from argparse import Namespace
from concurrent.futures import Executor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from rtp import Scenario
from rtp.cli.learn import learn_feeders
from rtp.cli.main import parser
from rtp.simulation import draw_day
from tests.unit.meters.files import csv, table
from tests.unit.meters.streets import known_street

pytestmark = pytest.mark.slow

DAYS = 7  # a week, the least that is learned from


def feeders(folder: Path) -> list[Path]:
    """Two small ones, to be learned."""
    result = []
    for seed in (1, 2):
        path = folder / f"feeder{seed}.csv"
        power = known_street(3, DAYS, 60, seed, empty_share=(0.05, 0.1)).readings.power
        path.write_bytes(csv(table(60, houses=3, days=DAYS).assign(kWh=power.ravel())))
        result.append(path)
    return result


def asked(some: list[Path], folder: Path) -> Namespace:
    """The command that learns them."""
    bounds = ["--groups", "1", "--bound", "1", "--empty-bound", "0.1"]
    return parser().parse_args(["learn", *map(str, some), "-o", str(folder), *bounds])


def made(some: list[Path], folder: Path, executor: Executor | None = None) -> dict[str, bytes]:
    """Every file's content after the work."""
    folder.mkdir(exist_ok=True)
    for _ in learn_feeders(asked(some, folder), Scenario(), executor):
        pass
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def assert_the_same_there(executor: Executor, folder: Path) -> None:
    """Feeders read and learned on an executor, and a street that lives there, give the bytes of
    one process. Where a pool or a cluster is up, `tests/unit/sweep` asks it."""
    street = Scenario(households=5000, step_minutes=60)
    assert made(feeders(folder), folder / "there", executor) == made_here()
    assert np.array_equal(draw_day(street, executor=executor).demand, draw_day(street).demand)


@cache
def made_here() -> dict[str, bytes]:
    """By this process: the same for every executor that is asked."""
    with TemporaryDirectory() as folder:
        return made(feeders(Path(folder)), Path(folder) / "here")


def test_only_what_is_missing_is_done(tmp_path: Path) -> None:
    """A folder from which one scenario was taken away; what is whole is not looked at again."""
    some = feeders(tmp_path)
    before = made(some, tmp_path / "out")
    assert list(before) == ["feeder1.csv.json", "feeder2.csv.json"]
    (tmp_path / "out" / "feeder2.csv.json").unlink()
    (tmp_path / "out" / "feeder2.csv.json.part").write_bytes(b"half a scenario")
    some[0].unlink()
    left = learn_feeders(asked(some, tmp_path / "out"), Scenario())
    assert [path.name for path, _ in left] == ["feeder2.csv"]
    assert made(some, tmp_path / "out") == before

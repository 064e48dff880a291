"""Ten times the street in about ten times the time."""

from collections.abc import Iterator

from benchmarks.measure import Result, ratio
from rtp import Scenario, simulate


def results() -> Iterator[Result]:
    small, large = Scenario(households=100_000), Scenario(households=1_000_000)
    yield Result(
        subject="1,000,000 households ÷ 100,000",
        value=ratio(lambda: simulate(large), lambda: simulate(small), repeats=3),
        target=12.0,
    )

"""Ten times the street in about ten times the processor time."""

from collections.abc import Iterator
from functools import partial

from benchmarks.measure import Result, processor_ratio
from rtp import Scenario, simulate


def results() -> Iterator[Result]:
    small, large = Scenario(households=100_000), Scenario(households=1_000_000)
    yield Result(
        subject="1,000,000 households ÷ 100,000",
        value=processor_ratio(partial(simulate, large), partial(simulate, small), repeats=3),
        target=12.0,
    )

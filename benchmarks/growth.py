"""Ten times the street in about ten times the processor time."""

from collections.abc import Iterator
from functools import partial

from benchmarks.measure import Result, processor_ratio
from rtp import Scenario, simulate
from rtp.street.compiled import LARGE


def results() -> Iterator[Result]:
    small, large = Scenario(households=LARGE), Scenario(households=10 * LARGE)
    yield Result(
        subject=f"{10 * LARGE:,} households ÷ {LARGE:,}",
        value=processor_ratio(partial(simulate, large), partial(simulate, small), repeats=3),
        target=12.0,
    )

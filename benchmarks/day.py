"""A whole day, all mechanisms, against just drawing the uniforms of the textbook simulation."""

from collections.abc import Iterator
from functools import partial

from benchmarks.measure import Result, ratio, uniforms
from rtp import Scenario, simulate


def results() -> Iterator[Result]:
    for households, repeats, target, aim in ((1000, 200, 5.0, 3.0), (1_000_000, 5, 1.5, 1.0)):
        day = partial(simulate, Scenario(households=households))
        yield Result(
            subject=f"a day of {households:,} households ÷ drawing its uniforms",
            value=ratio(day, uniforms(households), repeats),
            target=target,
            aim=aim,
        )

"""The worst moment of every house of a street, against simulating its day."""

from collections.abc import Iterator
from functools import partial

from benchmarks.measure import Result, best
from rtp import PRESETS, simulate
from rtp.mechanisms import FEATURED
from rtp.overtime.moment import moment

HOUSEHOLDS = 1000
REPEATS = 40


def results() -> Iterator[Result]:
    for name in ("paper", "quiet night", "unsure curator"):
        scenario = PRESETS[name].replace(households=HOUSEHOLDS)
        work = partial(moment, simulate(scenario), FEATURED)
        ours, whole_day = best(REPEATS, work, partial(simulate, scenario))
        models = len(scenario.models)
        yield Result(
            subject=f"worst moment of {HOUSEHOLDS:,} houses, a model ÷ simulating the day, {name}",
            value=ours / models / whole_day,
            target=3.0,
        )

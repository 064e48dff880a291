"""Algorithm 1 on the stage's houses: what a step costs where some use next to nothing, where floats cancel
almost everything, against the same step on the paper's street, in processor time; and the slowest of them."""

from collections.abc import Iterator
from functools import partial

from benchmarks.measure import Result, Work, processor_best
from rtp import Scenario
from rtp.algorithm1 import log_likelihood
from rtp.scenario import Group
from rtp.teaching.stage import MAX_STAGE_HOUSES, Stage, open_stage, small_street

STEPS = (0, 30, 70)
REPEATS = 5
# The most an occupied and an empty house use, of two groups of the street.
TINY = {
    "empty houses use next to nothing": ((1.0, 1e-4), (1.0, 1e-4)),
    "one kind uses a millionth": ((1.0, 0.5), (1e-6, 1e-6)),
    "one kind uses a million times as much": ((1.0, 1e-6), (1e6, 1.0)),
    "empty houses use nothing": ((1.0, 0.0), (1e-5, 0.0)),
}


def street(maxima: tuple[tuple[float, float], ...], epsilon: float = 0.5) -> Stage:
    groups = tuple(
        Group(name=f"Kind {i}", share=1 / len(maxima), occupied_max=occupied, empty_max=empty)
        for i, (occupied, empty) in enumerate(maxima)
    )
    model = Scenario().models[0]
    habits = model.replace(habits=model.habits * len(groups))
    whole = Scenario(groups=groups, models=(habits,), epsilon=epsilon)
    return open_stage(small_street(whole, MAX_STAGE_HOUSES), {})


def step(taught: Stage, t: int) -> Work:
    """What a step costs beyond the joint matrix: the likelihood of its rate under each."""
    s = taught.scenario
    return partial(
        log_likelihood,
        float(taught.release.rate[t]),
        alpha=s.alpha,
        beta=s.beta,
        scale=float(taught.release.scale[t]),
        occupied_bound=taught.street.occupied_bound,
        empty_bound=taught.street.empty_bound,
    )


def results() -> Iterator[Result]:
    ordinary = street(((1.0, 0.5), (1.0, 0.5)))
    slowest = 0.0
    for name, maxima in TINY.items():
        tiny = street(maxima)
        times = [processor_best(REPEATS, step(tiny, t), step(ordinary, t)) for t in STEPS]
        ratio = max(ours / theirs for ours, theirs in times)
        slowest = max(slowest, *(ours for ours, _ in times))
        subject = f"a step of {MAX_STAGE_HOUSES} houses, of the paper's street's: {name}"
        yield Result(subject=subject, value=ratio, target=100)
    yield Result(subject="the slowest of these steps, processor time", value=slowest, unit=" s", target=0.2)

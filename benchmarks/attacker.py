"""The observer's beliefs about a whole street: against the day itself, a loop over houses, and in memory."""

from collections.abc import Iterator

import numpy as np

from benchmarks.measure import Result, best, peak_memory
from rtp import Scenario, simulate
from rtp.arrays import Floats
from rtp.attacker.observed import observe
from rtp.attacker.observer import posterior
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day

HOUSEHOLDS = 1000
MANY = 100_000
LOOP_STEPS = (10, 40, 70)  # of the day, for which the loop is timed
REPEATS = 5

PREPARE = f"""
import rtp
from rtp.attacker.observer import posterior
day = rtp.simulate(rtp.Scenario(households={MANY}))
"""
FOLLOW = 'posterior(day, "blowfish", house=0)'


def results() -> Iterator[Result]:
    day = simulate(Scenario(households=HOUSEHOLDS))
    prior = posterior(day, "blowfish").prior

    def loop() -> None:
        for step in LOOP_STEPS:
            house_by_house(day, step, prior[step])

    ours, whole_day, theirs = best(
        REPEATS, lambda: posterior(day, "blowfish"), lambda: simulate(day.scenario), loop
    )
    theirs *= day.scenario.steps / len(LOOP_STEPS)
    agree = max(
        float(np.abs(house_by_house(day, step, prior[step]) - _ours(day, step)).max()) for step in LOOP_STEPS
    )
    yield Result(subject=f"beliefs about {HOUSEHOLDS:,} houses over a day", value=ours, unit=" s", target=1.0)
    yield Result(subject="the same ÷ simulating the day", value=ours / whole_day)
    yield Result(subject="the same ÷ a loop over the houses", value=ours / theirs, target=1 / 20)
    yield Result(subject="largest difference of their evidence", value=agree, unit="", target=1e-8)
    yield Result(
        subject=f"peak memory of following {MANY:,} houses to learn about one",
        value=peak_memory(PREPARE, FOLLOW) / 1e6,
        unit=" MB",
        target=256.0,
    )


def _ours(day: Day, step: int) -> Floats:
    return np.asarray(posterior(day, "blowfish").log_evidence[step])


def house_by_house(day: Day, step: int, chance: Floats) -> Floats:
    """The evidence of one rate, written down plainly: Fourier inversion, each house divided out in turn."""
    street, release = day.street, day.release["blowfish"]
    seen = observe(REGISTRY["blowfish"], day.market.public, release.rate, release.scale)
    x, b = float(seen.total[step]), float(seen.b[step])
    swing = street.occupied_bound - street.empty_bound
    within = (chance * street.occupied_bound**2 + (1 - chance) * street.empty_bound**2) / 12
    spread = np.sqrt(np.sum(within + chance * (1 - chance) * swing**2 / 4))
    period = street.bound.sum() + 60 * b
    t = 2 * np.pi / period * np.arange(1, int(8 * period / spread / (2 * np.pi)))
    weight = np.exp(-1j * t * x) / (1 + (b * t) ** 2)
    whole = np.ones_like(weight)
    for p, u, v in zip(chance, street.occupied_bound, street.empty_bound, strict=True):
        whole = whole * (p * _uniform(u, t) + (1 - p) * _uniform(v, t))
    result = np.empty(len(chance))
    for i, (p, u, v) in enumerate(zip(chance, street.occupied_bound, street.empty_bound, strict=True)):
        one, other = _uniform(u, t), _uniform(v, t)
        rest = weight * whole / (p * one + (1 - p) * other)
        result[i] = np.log((1 + 2 * (rest * one).real.sum()) / (1 + 2 * (rest * other).real.sum()))
    return result


def _uniform(width: float, t: Floats) -> Floats:
    return np.asarray((np.exp(1j * width * t) - 1) / (1j * width * t))

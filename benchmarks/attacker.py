"""The observer's beliefs about a whole street: how fast, how far off, and in how much memory."""

from collections.abc import Iterator

import numpy as np

from benchmarks.measure import Result, best, peak_memory
from rtp import Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.attack.gaussian import score_and_curvature
from rtp.attack.joint_filter import MAX_HOUSES
from rtp.attack.observation import observe
from rtp.attack.scores import REFERENCE_HOUSES, approximation_error
from rtp.attack.success import attack
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day

HOUSEHOLDS = 1000
MANY = 100_000
DENSE_STEPS = 8  # of the day, for which the dense filter is timed
REPEATS = 3
SOME_DAYS, MANY_DAYS = 2, 20  # that are attacked, and that are asked for on screen
RATE = "blowfish"

PREPARE = f"""
import rtp
from rtp.attack.adversary import posterior
day = rtp.simulate(rtp.Scenario(households={MANY}))
"""
FOLLOW = f'posterior(day, "{RATE}", house=0)'


def results() -> Iterator[Result]:
    day, few = simulate(Scenario(households=HOUSEHOLDS)), simulate(Scenario(households=MAX_HOUSES))
    ours, whole, joint, attacked, theirs = best(
        REPEATS,
        lambda: posterior(day, RATE),
        lambda: posterior(day, RATE, inference="smoothing"),
        lambda: posterior(few, RATE),
        lambda: attack(day.scenario, SOME_DAYS),
        lambda: dense(day, DENSE_STEPS),
    )
    theirs *= day.scenario.steps / DENSE_STEPS
    ratio = posterior(day, RATE).log_likelihood_ratio[:DENSE_STEPS]
    agree = float(np.abs(dense(day, DENSE_STEPS) - ratio).max())
    found = approximation_error(day.scenario, RATE)
    yield Result(subject=f"beliefs about {HOUSEHOLDS:,} houses over a day", value=ours, unit=" s", target=1.0)
    yield Result(subject="the same at the end of the day", value=whole, unit=" s", target=2.0)
    exact = f"exact beliefs about {MAX_HOUSES} houses over a day"
    yield Result(subject=exact, value=joint, unit=" s", target=1.0)
    yield Result(
        subject=f"attacking {MANY_DAYS} days of {HOUSEHOLDS:,} houses, every rate",
        value=attacked * MANY_DAYS / SOME_DAYS,
        unit=" s",
        target=5.0,
    )
    yield Result(subject="the first ÷ a dense N × N filter", value=ours / theirs, target=1 / 10)
    yield Result(subject="largest difference of their evidence", value=agree, unit="", target=1e-8)
    yield Result(
        subject=f"share of the exact gain lost on {REFERENCE_HOUSES} houses",
        value=1 - (found.kept or 0),
        target=0.5,
    )
    yield Result(
        subject=f"peak memory of following {MANY:,} houses to learn about one",
        value=peak_memory(PREPARE, FOLLOW) / 1e6,
        unit=" MB",
        target=256.0,
    )


def dense(day: Day, steps: int) -> Floats:
    """The evidence of the first rates, by a filter that carries the whole covariance matrix."""
    street, release = day.street, day.release[RATE]
    seen = observe(REGISTRY[RATE], day.market.public, release.rate, release.scale)
    chains = day.street_day.spec.chains(street, 0)
    moves = chains.transitions()
    h = (street.occupied_bound - street.empty_bound) / 2
    p = mean = chains.initial
    P = np.diag(p * (1 - p))
    result = []
    for step in range(steps):
        chance = np.clip(mean, 0, 1)
        rest = float((chance * street.occupied_bound**2 + (1 - chance) * street.empty_bound**2).sum() / 12)
        before = _log_odds(p, mean, np.diag(P))
        gain = P @ h
        d = float(seen.total[step] - (street.empty_bound / 2 + h * mean).sum())
        psi, w = score_and_curvature(d, float(h @ gain) + rest, float(seen.b[step]))
        mean, P = mean + gain * psi, P - w * np.outer(gain, gain)
        result.append(_log_odds(p, mean, np.diag(P)) - before)
        leave, arrive = next(moves)
        kept = 1 - leave - arrive
        P = kept[:, None] * P * kept + np.diag(p * leave * (1 - leave) + (1 - p) * arrive * (1 - arrive))
        mean, p = kept * mean + arrive, kept * p + arrive
    return np.array(result)


def _log_odds(p: Floats, mean: Floats, error: Floats) -> Floats:
    return np.asarray((mean - p + (1 - error / (p * (1 - p))) * (p - 0.5)) / error)

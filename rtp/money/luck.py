"""How much of a day's money is luck: the same day with other noise.

Demand stays what it was; only the noise is drawn again, so the cost is O(days·T) for the generator and
O(houses·days·T) for bills, which are followed for an even sample of the street.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import SeedSequence

from rtp.life import households
from rtp.mechanisms import REGISTRY
from rtp.money.bills import ledger
from rtp.occupancy import Floats
from rtp.simulation import Day, responses, run
from rtp.street import streams
from rtp.tradeoff.expected import setting

DAYS = 200
HOUSES = 500
STREAM = 7  # of the scenario's seed, beside those of rtp.life, rtp.tradeoff.curves and rtp.sweep.runs


@dataclass(frozen=True, kw_only=True)
class Luck:
    """Over the scenario's days, drawn again and again with other noise."""

    days: int
    loss: Floats  # (days,) of the generator's profit, against the optimal rates
    mismatch: Floats  # (days,)
    change: Floats  # (houses, days): how the bill of a sampled house differs from the optimal one


def other_noise(day: Day, mechanism: str, days: int = DAYS, houses: int = HOUSES) -> Luck:
    """What one mechanism's rates might have cost, had the noise fallen otherwise."""
    scenario, release, best = day.scenario, day.release[mechanism], day.release["optimal"]
    place = setting(scenario, day.life)
    rules = place.rules
    rng = streams(SeedSequence(scenario.seed, spawn_key=(STREAM,)), 1)[0]
    scale = np.repeat(release.scale[:, None], days, axis=1)
    added = scale * rng.laplace(size=scale.shape)
    demand, rate, _ = run(REGISTRY[mechanism], place.public, rules, day.life.demand, added, scale)
    account = ledger(demand, rate, rules.alpha, rules.beta)
    optimal = ledger(best.demand, best.rate, rules.alpha, rules.beta)
    sample = np.unique(np.linspace(0, scenario.households - 1, houses).astype(int))
    _, used = households(scenario, day.street, sample.tolist())
    price = rate * responses(rules, rate) - (best.rate * responses(rules, best.rate))[:, None]
    return Luck(
        days=days,
        loss=optimal.profit - account.profit,
        mismatch=account.mismatch,
        change=used.T @ price,
    )


def middle(values: Floats, share: float = 0.95) -> tuple[float, float]:
    """The range that holds the middle `share` of the values."""
    low, high = np.quantile(values, ((1 - share) / 2, (1 + share) / 2))
    return float(low), float(high)

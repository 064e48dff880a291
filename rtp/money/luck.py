"""How much of a day's money is luck: the same day with other noise.

Demand stays what it was; only the noise is drawn again, so the cost is O(days·T) for the generator and
O(houses·days·T) for bills, which are followed for an even sample of the street.
"""

from dataclasses import dataclass

import numpy as np

from rtp.arrays import Floats
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.money.bills import ledger
from rtp.simulation import Day, price
from rtp.streams import Stream, generator
from rtp.street.days import households

NOISE_DAYS = 200
HOUSES = 500


@dataclass(frozen=True, kw_only=True)
class Luck:
    """Over the scenario's days, drawn again and again with other noise."""

    days: int
    loss: Floats  # (days,) of the generator's profit, against the optimal rates
    mismatch: Floats  # (days,)
    change: Floats  # (houses, days): how the bill of a sampled house differs from the optimal one


def other_noise(day: Day, mechanism: str, days: int = NOISE_DAYS, houses: int = HOUSES) -> Luck:
    """What one mechanism's rates might have cost, had the noise fallen otherwise."""
    scenario, release, best = day.scenario, day.release[mechanism], day.release[UNPROTECTED]
    tariff, life = day.market.tariff, day.life
    scale = np.repeat(release.scale[:, None], days, axis=1)
    added = scale * generator(scenario.seed, Stream.MONEY_NOISE).laplace(size=scale.shape)
    demand, rate, _ = price(REGISTRY[mechanism], day.market.public, life.demand, added, scale)
    account, optimal = ledger(demand, rate, tariff), ledger(best.demand, best.rate, tariff)
    sample = np.unique(np.linspace(0, scenario.households - 1, houses).astype(int))
    _, used = households(life.spec, life.street, sample.tolist())
    dearer = rate * tariff.responses(rate) - (best.rate * tariff.responses(best.rate))[:, None]
    return Luck(
        days=days,
        loss=optimal.profit - account.profit,
        mismatch=account.mismatch,
        change=tariff.hours * (used.T @ dearer),
    )

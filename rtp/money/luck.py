"""How much of a day's money is luck: independent days of the same street.

Houses, bounds and habits stay; what people do and the noise are drawn again, so a forecast, which has no
noise, has its luck too. A day here is a run of the scenario's days. Of a large street an even sample of M
houses is lived through, R runs each; what the other N − M use is the expected demand and a deviation of the
size theirs has: that of the sample on another run, times √((N − M)/M). The cost is O(M·R·T), whatever N is;
it does not depend on prices, so `live_again` is done once for all budgets and mechanisms.

A longer span, such as a month, is the sum of so many runs, drawn from the R at random with replacement: each
of its days has its own luck, where a multiple of one day would repeat the same.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rtp.core.random import Stream, generator, generators, seed_of
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.money.bills import ledger
from rtp.simulation import Day, price
from rtp.street.simulate import StreetDay, independent_runs

RUNS = 200
LONG_RUNS = 60  # where one is of several days
HOUSE_DAYS = 60_000  # that are lived through
FEWEST = 30  # households that are followed
LIVES, TOGETHER = 1, 2  # parts of the stream, beside its noise
SPANS = 200  # longer spans that are put together from the runs


@dataclass(frozen=True, kw_only=True)
class LivedAgain:
    """Independent runs of a street, before any price."""

    demand: Floats  # (T, R) of the whole street
    used: NDArray[np.float32]  # (T, M, R) by the houses that are followed


@dataclass(frozen=True, kw_only=True)
class Luck:
    """Independent runs, or longer spans of them."""

    profit: Floats  # (R,) the generator's, at the published rates
    loss: Floats  # (R,) of profit, against the optimal rates of the same run
    mismatch: Floats  # (R,)
    change: Floats  # (M, R): how the bill of a followed house differs from the optimal one

    @property
    def count(self) -> int:
        return len(self.profit)

    def times(self, factor: float) -> "Luck":
        """In another unit."""
        return Luck(
            profit=factor * self.profit,
            loss=factor * self.loss,
            mismatch=factor * self.mismatch,
            change=factor * self.change,
        )


def live_again(life: StreetDay, runs: int | None = None, houses: int | None = None) -> LivedAgain:
    """Independent runs of the street's days."""
    spec = life.spec
    runs = (RUNS if spec.days == 1 else LONG_RUNS) if runs is None else runs
    most = max(HOUSE_DAYS // (runs * spec.days), FEWEST) if houses is None else houses
    followed = np.unique(np.linspace(0, spec.households - 1, most).astype(np.intp))
    root = seed_of(spec.seed, Stream.MONEY_NOISE, LIVES)
    used = independent_runs(spec, life.street, followed, runs, root)
    demand = used.sum(axis=1, dtype=float)
    others = spec.households - len(followed)
    if others:
        deviation = demand - demand.mean(axis=1, keepdims=True)
        more = np.sqrt(others / len(followed)) * np.roll(deviation, 1, axis=1)
        demand = life.true_moments.expected_demand[:, None] + deviation + more
    return LivedAgain(demand=demand, used=used)


def other_days(day: Day, mechanism: str, lived: LivedAgain | None = None) -> Luck:
    """What one mechanism's rates might have cost on other days like this one."""
    lived = lived or live_again(day.life)
    scale, base = day.release[mechanism].scale[:, None], lived.demand
    unit = generator(day.scenario.seed, Stream.MONEY_NOISE).laplace(size=base.shape)
    nothing = np.zeros_like(base)
    tariff, public = day.market.tariff, day.market.public
    demand, _, rate, _ = price(REGISTRY[mechanism], public, base, unit, scale)
    best_demand, _, best_rate, _ = price(REGISTRY[UNPROTECTED], public, base, nothing, nothing[:, :1])
    account, optimal = ledger(demand, rate, tariff), ledger(best_demand, best_rate, tariff)
    dearer = rate * tariff.responses(rate) - best_rate * tariff.responses(best_rate)
    return Luck(
        profit=account.profit,
        loss=optimal.profit - account.profit,
        mismatch=account.mismatch,
        change=tariff.hours * np.einsum("tmr,tr->mr", lived.used, dearer),
    )


def spans(luck: Luck, runs: float, seed: int, count: int = SPANS) -> Luck:
    """So many independent runs together; a part of a run is its share of one."""
    if runs <= 1:
        return luck.times(runs)
    whole = round(runs)
    (rng,) = generators(seed_of(seed, Stream.MONEY_NOISE, TOGETHER), 1)
    drawn = rng.multinomial(whole, np.full(luck.count, 1 / luck.count), size=count).T
    return Luck(
        profit=luck.profit @ drawn,
        loss=luck.loss @ drawn,
        mismatch=luck.mismatch @ drawn,
        change=luck.change @ drawn,
    ).times(runs / whole)

"""The crowd of a day's own street, and of streets like it from five houses to a hundred thousand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rtp.attack.choice import largest_gap
from rtp.audit.exact import widths
from rtp.core.types import Floats, Ints
from rtp.leakage.crowd import Crowd, Hidden
from rtp.scenario import BOUNDS, Bounds, must_be_house, must_be_one_of, must_be_within
from rtp.simulation import Day
from rtp.street.beforehand import Beforehand
from rtp.street.draw import group_sizes
from rtp.street.kinds import kinds
from rtp.street.life import Progress
from rtp.street.spec import StreetSpec
from rtp.street.use import Use

if TYPE_CHECKING:
    import pandas as pd

SIZES = (5, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
BUDGETS = np.geomspace(0.01, 10.0, 61)
DELTA = Bounds(1e-12, 0.5, "δ — how often the promise may fail")
USUAL_DELTA = 1e-6


@dataclass(frozen=True, kw_only=True)
class Profile:
    """Against the outsider, one rate is (ε, δ)-private for every pair of these."""

    mechanism: str
    house: int
    step: int
    epsilons: Floats  # (E,)
    delta: Floats  # (E,)


@dataclass(frozen=True, kw_only=True)
class NoiseBySize:
    """The Laplace scale that a street of so many houses still needs for (ε, δ); in the unit of the rate."""

    epsilon: float
    delta: float
    house: int
    step: int
    sizes: Ints  # (S,)
    scale: Floats  # (S,) against the outsider
    insider: float  # what the crowd does not save: the scale for ε against one who knows the others

    @property
    def enough(self) -> int | None:
        """The smallest of the sizes whose crowd hides the house without any noise."""
        free = np.flatnonzero(self.scale == 0)
        return int(self.sizes[free[0]]) if len(free) else None


def crowd(
    day: Day,
    mechanism: str,
    *,
    house: int | None = None,
    step: int | None = None,
    epsilons: Sequence[float] | Floats = BUDGETS,
) -> Profile:
    """The profile of one rate of the day; by default of the most visible house, at noon."""
    must_be_one_of("mechanism", mechanism, day.release)
    number, at = _chosen(day, house, step)
    others = np.delete(np.arange(day.scenario.households), number)
    budgets = np.asarray(epsilons, dtype=float)
    hidden = Hidden(_at(day.life.beforehand, at).only(others), _use(day, number))
    delta = hidden.delta(budgets, float(widths(day, mechanism)[at]))
    return Profile(mechanism=mechanism, house=number, step=at, epsilons=budgets, delta=delta)


def noise_still_needed(
    day: Day,
    epsilon: float,
    delta: float = USUAL_DELTA,
    *,
    house: int | None = None,
    step: int | None = None,
    sizes: Sequence[int] = SIZES,
    progress: Progress | None = None,
) -> NoiseBySize:
    """The same house among ever more neighbours drawn like this street's; those of a small street are the
    first of a large one's."""
    must_be_within("epsilon", epsilon, BOUNDS["epsilon"])
    must_be_within("delta", delta, DELTA)
    number, at = _chosen(day, house, step)
    spec = replace(day.life.spec, households=SIZES[-1], listed=None)
    pool = _at(_drawn(spec), at)
    use, alpha, scale = _use(day, number), day.market.tariff.alpha, []
    for i, size in enumerate(sizes):
        hidden = Hidden(pool.only(_neighbours(spec, size - 1)), use)
        scale.append(alpha * hidden.noise_needed(epsilon, delta))
        if progress is not None:
            progress((i + 1) / len(sizes))
    alone = Hidden(pool.only([]), use)
    return NoiseBySize(
        epsilon=epsilon,
        delta=delta,
        house=number,
        step=at,
        sizes=np.array(sizes),
        scale=np.array(scale),
        insider=alpha * alone.noise_needed(epsilon, delta),
    )


def noise_frame(found: NoiseBySize) -> "pd.DataFrame":
    """One row per size of the street."""
    import pandas as pd

    return pd.DataFrame(
        {
            "households": found.sizes,
            "epsilon": found.epsilon,
            "delta": found.delta,
            "scale_against_outsider": found.scale,
            "scale_against_insider": found.insider,
        }
    )


def _chosen(day: Day, house: int | None, step: int | None) -> tuple[int, int]:
    scenario, street = day.scenario, day.street
    must_be_house("house", house, scenario.households)
    if step is not None:
        must_be_within("step", step, Bounds(0, scenario.steps - 1, "Step"))
    if house is None:
        house = largest_gap(street)
    return house, min(scenario.steps // 2, scenario.steps - 1) if step is None else step


def _use(day: Day, house: int) -> Use:
    return day.street.use(slice(house, house + 1))


def _drawn(spec: StreetSpec) -> Beforehand:
    street = spec.draw()
    return Beforehand(
        spec, street, kinds(street, spec.schedules, spec.habit_spread, spec.habit_clip, spec.steps)
    )


def _at(beforehand: Beforehand, step: int) -> Crowd:
    """Everyone at one step, under the model that generates the day."""
    chance = next(row[0] for i, row in enumerate(beforehand.chances()) if i == step)
    street = beforehand.street
    return Crowd(occupied=chance, use=street.use(slice(None)))


def _neighbours(spec: StreetSpec, count: int) -> Ints:
    """So many houses of the large street, the first of every group in its share."""
    shares = [group.share for group in spec.groups]
    starts = np.cumsum([0, *group_sizes(shares, spec.households)])
    sizes = group_sizes(shares, count)
    return np.concatenate([start + np.arange(size) for start, size in zip(starts, sizes, strict=False)])

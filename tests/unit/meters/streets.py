"""Readings drawn from chances that are known, to be found again."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from rtp.core.types import Bools, Floats
from rtp.meters import Readings
from rtp.meters.readings import Powers, period_of_steps
from rtp.scenario import PAPER_PERIODS

PAPER_STARTS = [period.start for period in PAPER_PERIODS]


@dataclass(frozen=True, kw_only=True)
class Known:
    """Chances per step, (P,), and the bounds of uniform use, (n,)."""

    leave: Floats
    arrive: Floats
    occupied_bound: Floats
    empty_bound: Floats
    occupied: Bools  # (n, T)
    readings: Readings


def paper_chances(minutes: int) -> tuple[Floats, Floats]:
    """The paper's chances over a period, per step of so many minutes."""
    hours = np.array([1, 8, 7, 8])
    leave, arrive = (np.array([getattr(p, name) for p in PAPER_PERIODS]) for name in ("leave", "arrive"))
    steps = hours * 60 / minutes
    return 1 - (1 - leave) ** (1 / steps), 1 - (1 - arrive) ** (1 / steps)


def known_street(
    houses: int,
    days: int,
    minutes: int,
    seed: int,
    *,
    chances: tuple[Floats, Floats] | None = None,
    empty_share: tuple[float, float] = (0.1, 0.5),
    gaps: float = 0.0,
    correlation: float = 0.0,
) -> Known:
    """Houses that use U(0, u₁) and U(0, u₀), u₁ from 0.5 to 1 and u₀ a share of it. Chances of more periods
    than the paper's are of the weekend. With a correlation the ranks of use are those of a normal AR(1)
    process, whatever the house does."""
    rng = np.random.default_rng(seed)
    weekend = np.arange(days) % 7 >= 5 if chances is not None and len(chances[0]) > 4 else None
    period = period_of_steps(PAPER_STARTS, minutes, days, weekend)
    leave, arrive = chances or paper_chances(minutes)
    occupied_bound = rng.uniform(0.5, 1.0, houses)
    empty_bound = occupied_bound * rng.uniform(*empty_share, houses)
    state = rng.random(houses) < 0.5
    states = np.empty((len(period), houses), dtype=bool)
    for step, k in enumerate(period):
        states[step] = state
        move = rng.random(houses)
        state = np.where(state, move >= leave[k], move < arrive[k])
    rank = (
        rng.random(states.shape) if not correlation else autocorrelated_ranks(states.shape, correlation, rng)
    )
    power = rank * np.where(states, occupied_bound, empty_bound)
    power[rng.random(states.shape) < gaps] = np.nan
    return Known(
        leave=leave,
        arrive=arrive,
        occupied_bound=occupied_bound,
        empty_bound=empty_bound,
        occupied=states.T,
        readings=as_readings(power.T, minutes),
    )


def autocorrelated_ranks(shape: tuple[int, int], correlation: float, rng: np.random.Generator) -> Floats:
    """(T, n): uniform, and correlated from a step to the next as normal scores."""
    score = rng.standard_normal(shape)
    for step in range(1, len(score)):
        score[step] = correlation * score[step - 1] + np.sqrt(1 - correlation**2) * score[step]
    return np.asarray(ndtr(score))


def as_readings(power: Floats | Powers, minutes: int, occupied: NDArray[np.int8] | None = None) -> Readings:
    return Readings(
        houses=tuple(f"h{i}" for i in range(len(power))),
        first_day=np.datetime64("2024-05-06"),  # a Monday
        minutes=minutes,
        power=power.astype(np.float32),
        occupied=occupied,
        unit="kW",
        usable=np.ones(len(power), dtype=bool),
        findings=(),
    )

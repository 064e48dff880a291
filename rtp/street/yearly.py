"""Use that adds up to what a house uses in a year, below a peak that is stated.

A house is occupied for the share π of a typical week and then uses m₁ on average, else m₀; so a year's energy
E asks for

    m₁ = (E/8760 − (1 − π)·m₀)/π.

Of all distributions on [0, u] with a given mean the truncated exponential, with density in proportion to
e^{−λx}, has the largest entropy (Cover and Thomas, *Elements of Information Theory*, section 12.2): it says
nothing beyond peak and mean. It leans to the right where the mean is below u/2, and with λ = 0 it is the
uniform distribution of the paper. While a house is empty its use stays uniform up to its standby.

It is written as a histogram for the whole group and cut at the peak of each house, as every histogram of use;
λ is the one with which the mean over the group's houses, cut and in bins, is exactly m₁. Where no λ gives it
(standby alone uses more, or the peak all the time less) the nearest is taken: `YearlyUse.reached` says so.
"""

from dataclasses import dataclass

import numpy as np

from rtp.core.types import Floats
from rtp.probability.histogram import share_below
from rtp.scenario import Law
from rtp.scenario.consumption import HOURS_A_YEAR
from rtp.street.schedule import Schedule, personal_habits

BINS = 14  # up to the peak, finer where use is small
STANDBY_EDGES = 4
STEEPEST = 400.0  # λ times the peak: a mean of a 400th of it
PAIRS = 128  # of houses with mirrored habits, of which a typical one is the mean
REACHED = 1e-3  # of a year's energy
DRAWN_FROM = 2019  # typical houses are the same for every seed


@dataclass(frozen=True, kw_only=True)
class YearlyUse:
    """How the houses of a group use what they do in a year."""

    law: Law
    kwh: float  # what a house then uses in a year on average
    reached: bool  # whether that is what was stated


def typical_week(schedule: Schedule, spread: float) -> Floats:
    """Return Pr[occupied] of a group's typical house at every step of its week, or day where all are alike,
    once it no longer matters how it began."""
    shape = (PAIRS, 2, len(schedule.leave))
    draws = np.random.default_rng(DRAWN_FROM).standard_normal(shape, dtype=np.float32)
    mirrored = np.concatenate([draws, -draws]) if spread else np.zeros_like(draws[:1])
    leave, arrive = personal_habits(schedule, mirrored, spread)
    kept = 1 - leave - arrive
    slope, start = np.ones(len(mirrored)), np.zeros(len(mirrored))
    for period in schedule.period.tolist():
        slope, start = slope * kept[period], start * kept[period] + arrive[period]
    forgets = slope < 1
    occupied = np.where(forgets, start / np.where(forgets, 1 - slope, 1.0), schedule.initial)
    week = np.empty(len(schedule.period))
    for step, period in enumerate(schedule.period.tolist()):
        week[step] = occupied.mean()
        occupied = occupied * kept[period] + arrive[period]
    return week


def yearly_use(kwh: float, occupied_share: float, occupied_bound: Floats, empty_bound: Floats) -> YearlyUse:
    """Return the use of houses with these bounds, (n,), who are occupied for such a share of a year."""
    from scipy.optimize import brentq

    top = float(occupied_bound.max())
    edges = _edges(top, empty_bound)
    centre = _middle_of_bins(edges, np.maximum(occupied_bound, empty_bound))
    empty = _in_bins(share_below(edges, np.zeros(1), empty_bound[:, None]).mean(axis=0), edges)
    nobody = float(empty @ centre)

    def of(steepness: float) -> Floats:
        return _in_bins(_truncated_exponential(np.minimum(edges / top, 1.0), steepness), edges)

    wanted = (kwh / HOURS_A_YEAR - (1 - occupied_share) * nobody) / max(occupied_share, 1e-12)
    low, high = (float(of(end) @ centre) for end in (STEEPEST, -STEEPEST))
    steepness = STEEPEST if wanted <= low else -STEEPEST
    if low < wanted < high:
        steepness = brentq(lambda s: float(of(s) @ centre) - wanted, -STEEPEST, STEEPEST, xtol=1e-12)
    occupied = of(steepness)
    power = occupied_share * float(occupied @ centre) + (1 - occupied_share) * nobody
    law = Law(edges=tuple(edges.tolist()), empty=tuple(empty.tolist()), occupied=tuple(occupied.tolist()))
    found = HOURS_A_YEAR * power
    return YearlyUse(law=law, kwh=found, reached=abs(found - kwh) <= REACHED * kwh)


def _edges(top: float, empty_bound: Floats) -> Floats:
    """From nothing to the peak, and wherever the uniform use of an empty house ends; a bin of no width where
    some use nothing at all."""
    standby = np.quantile(empty_bound, np.linspace(0, 1, STANDBY_EDGES))
    edges = np.unique(np.concatenate([top * (np.arange(BINS + 1) / BINS) ** 2, standby]))
    return np.concatenate([[0.0], edges]) if empty_bound.min() == 0 else edges


def _in_bins(reached: Floats, edges: Floats) -> Floats:
    """Masses that add up to one, from the share that lies at or below every edge."""
    if edges[1] == 0:  # what lies at 0 is the bin of no width
        reached = np.concatenate([[0.0], reached[1:]])
    return np.asarray(np.maximum(np.diff(reached), 0.0) / (reached[-1] - reached[0]))


def _truncated_exponential(x: Floats, steepness: float) -> Floats:
    """The share at or below x, from 0 to 1, of the density in proportion to e^{−steepness·x} on [0, 1]."""
    if abs(steepness) < 1e-9:
        return x
    return np.asarray(np.expm1(-steepness * x) / np.expm1(-steepness))


def _middle_of_bins(edges: Floats, bound: Floats) -> Floats:
    """(K,): the mean of what lies in each bin, cut at each house's bound, over all houses."""
    low, high, at = edges[:-1], edges[1:], bound[:, None]
    below = share_below(at, low, high - low)
    return np.asarray((below * (low + np.minimum(high, at)) / 2 + (1 - below) * at).mean(axis=0))

"""From moves to transition probabilities, and how sure they are.

Moves are counted per period, day and house; where occupancy is hidden they are the *expected* counts of the
E-step. The probability to leave is departures over the steps from which one could depart. In log-odds its
score on one day of one house is g = departures − leave·steps, also of expected counts: by Fisher's identity
that is the score of what was seen, so what the readings leave open is in it. Given the habits, days are
independent enough: the information is Σ g gᵀ, and its inverse the covariance from which the intervals come
(Berndt, Hall, Hall and Hausman 1974). Days, and not weeks, because the inverse of a sum over few is too
large: with m of them and p probabilities m/(m − p − 1) times.

Houses of a group that do not live alike have no common probability but a mean one. With H the information by
days and G = Σ h hᵀ over the houses' own sums h of their scores, H⁻¹GH⁻¹ is its covariance (Huber 1967), and
H⁻¹ where they are alike: then their ratio is χ²/(n − 1) of n houses. Where it is larger than that is but once
in a thousand times, the houses differ (*heterogeneity*), and the wider interval is given.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.stats import Estimate, normal_width
from rtp.core.types import Bools, Floats, Ints
from rtp.probability.hmm import CLOSEST, event_rate

FALSE_ALARM = 1e-3  # probability that houses which live alike are said to differ


class TransitionCounts(NamedTuple):
    """Moves, and the steps at which they could happen, by period, day and house: (P, days, n) each."""

    departures: Floats
    from_occupied: Floats
    arrivals: Floats
    from_empty: Floats

    def select(self, houses: Ints | Bools) -> "TransitionCounts":
        """Those of some houses."""
        return TransitionCounts(*(value[:, :, houses] for value in self))

    def on_days(self, days: Bools) -> "TransitionCounts":
        """Those of some days."""
        return TransitionCounts(*(value[:, days] for value in self))

    def probabilities(self, weight: Floats | None = None) -> tuple[Floats, Floats]:
        """(leave, arrive) of all houses together, (P,); some days may count more than others."""
        days = np.ones(self.departures.shape[1]) if weight is None else weight
        totals = [np.einsum("pdn,d->p", value, days) for value in self]
        departures, from_occupied, arrivals, from_empty = totals
        return event_rate(departures, from_occupied, 0.5), event_rate(arrivals, from_empty, 0.5)


def join_transitions(parts: Sequence[TransitionCounts]) -> TransitionCounts:
    """Blocks of houses one after the other."""
    return TransitionCounts(*(np.concatenate(of_all, axis=2) for of_all in zip(*parts, strict=True)))


def expected_transitions(
    occupied: Floats, departures: Floats, arrivals: Floats, period: Ints, periods: int, day: Ints
) -> TransitionCounts:
    """Return the moves as far as readings tell, from Pr[occupied], (T, n), and the probabilities of both
    moves after each step, (T − 1, n); `period` and `day` (T,) are those of the steps."""
    return _by_day(
        period,
        periods,
        day,
        departures=departures,
        from_occupied=occupied[:-1],
        arrivals=arrivals,
        from_empty=1 - occupied[:-1],
    )


def counted_transitions(
    occupied: NDArray[np.int8], period: Ints, periods: int, day: Ints
) -> TransitionCounts:
    """Return the moves where occupancy is given: from states (T, n), −1 where unknown."""
    now, after = occupied[:-1], occupied[1:]
    return _by_day(
        period,
        periods,
        day,
        departures=(now == 1) & (after == 0),
        from_occupied=(now == 1) & (after >= 0),
        arrivals=(now == 0) & (after == 1),
        from_empty=(now == 0) & (after >= 0),
    )


def _by_day(period: Ints, periods: int, day: Ints, **by_step: Floats | Bools) -> TransitionCounts:
    """Sums over the steps of each period and day, of (T − 1, n)."""
    days = int(day[-2]) + 1
    cell = (period * days + day)[:-1]
    starts = np.flatnonzero(np.diff(cell, prepend=-1))

    def add(values: Floats | Bools) -> Floats:
        total = np.zeros((periods * days, values.shape[1]))
        np.add.at(total, cell[starts], np.add.reduceat(values, starts, axis=0, dtype=float))
        return total.reshape(periods, days, -1)

    return TransitionCounts(**{name: add(values) for name, values in by_step.items()})


class Precision(NamedTuple):
    """How sure a group's probabilities are: to leave and to arrive, by period."""

    leave: Estimate
    arrive: Estimate
    heterogeneity: tuple[Bools, Bools]  # where the houses differ more than by luck


def precision(moves: TransitionCounts, leave: Floats, arrive: Floats) -> Precision:
    """Of pooled probabilities (P,); an interval goes from 0 to 1 where nothing was seen."""
    from scipy.special import expit

    both = np.concatenate([leave, arrive])
    events = np.concatenate([moves.departures, moves.arrivals])
    steps = np.concatenate([moves.from_occupied, moves.from_empty])
    score = events - both[:, None, None] * steps  # (2P, days, n)
    covariance = _covariance(score)
    ratio, differ = _variance_ratio(score, covariance)
    variance = np.maximum(np.diag(covariance), 0.0)
    error = np.where(variance > 0, np.sqrt(variance), np.inf)  # of the log-odds
    odds = np.log(both) - np.log1p(-both)
    reach = normal_width() * error * np.sqrt(np.where(differ, ratio, 1.0))
    low, high = (np.split(expit(odds + sign * reach), 2) for sign in (-1, 1))
    unlike = np.split(differ, 2)
    return Precision(
        leave=Estimate(value=leave, low=low[0], high=high[0]),
        arrive=Estimate(value=arrive, low=low[1], high=high[1]),
        heterogeneity=(unlike[0], unlike[1]),
    )


def _variance_ratio(score: Floats, covariance: Floats) -> tuple[Floats, Bools]:
    """(2P,) each: how many times the variance is what it is among houses that are alike, and whether that is
    more than luck."""
    from scipy.special import chdtri

    degrees = score.shape[2] - 1
    if degrees < 1:
        return np.ones(len(score)), np.zeros(len(score), dtype=bool)
    own = covariance @ score.sum(axis=1)
    alike = np.maximum(np.diag(covariance), CLOSEST)
    ratio = np.asarray((own**2).sum(axis=1) / alike * (degrees + 1) / degrees)
    return ratio, ratio > chdtri(degrees, FALSE_ALARM) / degrees


def _covariance(score: Floats) -> Floats:
    """(2P, 2P): the inverse of the information; 0 where nothing was seen. What a house does every day alike
    is no luck of its days, so scores are taken from the house's own mean."""
    flat = (score - score.mean(axis=1, keepdims=True)).reshape(len(score), -1)
    days = score.shape[1]
    information = flat @ flat.T * days / (days - 1)
    seen = np.diag(information) > 1e-9
    result = np.zeros_like(information)
    result[np.ix_(seen, seen)] = np.linalg.pinv(information[np.ix_(seen, seen)])
    return np.asarray(result)

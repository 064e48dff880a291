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
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from rtp.core.stats import Estimate, normal_width
from rtp.core.types import Bools, Floats, Ints
from rtp.meters.hmm import Expected, event_rate
from rtp.street.schedule import INTERIOR

FALSE_ALARM = 1e-3  # probability that houses which live alike are said to differ


@dataclass(frozen=True, kw_only=True)
class Moves:
    """(P, days, n) each."""

    departures: Floats
    from_occupied: Floats
    arrivals: Floats
    from_empty: Floats

    def only(self, houses: Ints | Bools) -> "Moves":
        """Those of some houses."""
        return Moves(**{name: value[:, :, houses] for name, value in vars(self).items()})

    def on_days(self, days: Bools) -> "Moves":
        """Those of some days."""
        return Moves(**{name: value[:, days] for name, value in vars(self).items()})

    def probabilities(self, weight: Floats | None = None) -> tuple[Floats, Floats]:
        """(leave, arrive) of all houses together, (P,); some days may count more than others."""
        days = np.ones(self.departures.shape[1]) if weight is None else weight
        totals = [np.einsum("pdn,d->p", value, days) for value in vars(self).values()]
        departures, from_occupied, arrivals, from_empty = totals
        half = np.full(len(departures), 0.5)
        return event_rate(departures, from_occupied, half), event_rate(arrivals, from_empty, half)


def join_moves(parts: Sequence[Moves]) -> Moves:
    """Blocks of houses one after the other."""
    return Moves(
        **{
            field.name: np.concatenate([getattr(part, field.name) for part in parts], axis=2)
            for field in fields(Moves)
        }
    )


def expected_moves(expected: Expected, period: Ints, periods: int, day: Ints) -> Moves:
    """Moves as far as readings tell; `period` and `day` (T,) are those of the steps."""
    every = np.ones_like(expected.departures)
    occupied = expected.occupied[:-1]
    return _by_day(expected.departures, expected.arrivals, occupied, every, period, periods, day)


def counted_moves(occupied: NDArray[np.int8], period: Ints, periods: int, day: Ints) -> Moves:
    """Moves where occupancy is given: from states (T, n), −1 where unknown."""
    now, after = occupied[:-1], occupied[1:]
    both = ((now >= 0) & (after >= 0)).astype(float)
    return _by_day(
        both * ((now == 1) & (after == 0)),
        both * ((now == 0) & (after == 1)),
        both * (now == 1),
        both,
        period,
        periods,
        day,
    )


def _by_day(
    departing: Floats,
    arriving: Floats,
    occupied: Floats,
    observed: Floats,
    period: Ints,
    periods: int,
    day: Ints,
) -> Moves:
    """Sums over the steps of each period and day, of (T − 1, n); `observed` is 1 where a move can be seen."""
    days = int(day[-2]) + 1
    cell = (period * days + day)[:-1]
    starts = np.flatnonzero(np.diff(cell, prepend=-1))

    def add(values: Floats) -> Floats:
        total = np.zeros((periods * days, values.shape[1]))
        np.add.at(total, cell[starts], np.add.reduceat(values, starts, axis=0))
        return total.reshape(periods, days, -1)

    from_occupied = add(occupied)
    return Moves(
        departures=add(departing),
        from_occupied=from_occupied,
        arrivals=add(arriving),
        from_empty=np.maximum(add(observed) - from_occupied, 0.0),
    )


def intervals(moves: Moves, leave: Floats, arrive: Floats) -> tuple[Estimate, Estimate]:
    """Around pooled probabilities (P,); from 0 to 1 where nothing was seen."""
    from scipy.special import expit

    both = np.concatenate([leave, arrive])
    odds = np.log(both) - np.log1p(-both)
    ratio, differ = _variance_ratio(moves, leave, arrive)
    reach = normal_width() * _errors(moves, leave, arrive) * np.sqrt(np.where(differ, ratio, 1.0))
    low, high = (expit(odds + sign * reach) for sign in (-1, 1))
    half = len(leave)
    return (
        Estimate(value=leave, low=low[:half], high=high[:half]),
        Estimate(value=arrive, low=low[half:], high=high[half:]),
    )


def heterogeneity(moves: Moves, leave: Floats, arrive: Floats) -> tuple[Bools, Bools]:
    """(P,) each: where the houses differ more than by luck."""
    _, differ = _variance_ratio(moves, leave, arrive)
    return differ[: len(leave)], differ[len(leave) :]


def _variance_ratio(moves: Moves, leave: Floats, arrive: Floats) -> tuple[Floats, Bools]:
    """(2P,) each: how many times the variance is what it is among houses that are alike, and whether that is
    more than luck."""
    from scipy.special import chdtri

    score = _scores(moves, leave, arrive)
    degrees = score.shape[2] - 1
    if degrees < 1:
        return np.ones(len(score)), np.zeros(len(score), dtype=bool)
    covariance = _covariance(score)
    own = covariance @ score.sum(axis=1)
    alike = np.maximum(np.diag(covariance), INTERIOR)
    ratio = np.asarray((own**2).sum(axis=1) / alike * (degrees + 1) / degrees)
    return ratio, ratio > chdtri(degrees, FALSE_ALARM) / degrees


def information_fraction(moves: Moves, leave: Floats, arrive: Floats) -> tuple[Floats, Floats]:
    """(P,) each: the information in the readings as a share of what counting would give, which is
    steps·p(1 − p): 1 where every move shows, little where moves look like use."""
    both = np.concatenate([leave, arrive])
    steps = np.concatenate([moves.from_occupied, moves.from_empty]).sum(axis=(1, 2))
    whole = np.maximum(steps * both * (1 - both), INTERIOR)
    share = np.minimum(1 / (_errors(moves, leave, arrive) ** 2 * whole), 1.0)
    return share[: len(leave)], share[len(leave) :]


def _errors(moves: Moves, leave: Floats, arrive: Floats) -> Floats:
    """(2P,): the standard errors of the log-odds; infinite where nothing was seen."""
    variance = np.diag(_covariance(_scores(moves, leave, arrive)))
    return np.asarray(np.where(variance > 0, np.sqrt(np.maximum(variance, 0.0)), np.inf))


def _scores(moves: Moves, leave: Floats, arrive: Floats) -> Floats:
    """(2P, days, n)."""
    return np.concatenate(
        [
            moves.departures - leave[:, None, None] * moves.from_occupied,
            moves.arrivals - arrive[:, None, None] * moves.from_empty,
        ]
    )


def _covariance(score: Floats) -> Floats:
    """(2P, 2P): the inverse of the information; 0 where nothing was seen. What a house does every day alike
    is no luck of its days, so scores are taken from the house's own mean."""
    flat = (score - score.mean(axis=1, keepdims=True)).reshape(len(score), -1)
    days = score.shape[1]
    information = flat @ flat.T * days / max(days - 1, 1)
    seen = np.diag(information) > 1e-9
    result = np.zeros_like(information)
    result[np.ix_(seen, seen)] = np.linalg.pinv(information[np.ix_(seen, seen)])
    return np.asarray(result)

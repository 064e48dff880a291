"""From counted moves to chances, and how sure they are.

Moves are counted per period, week and house. The chance to leave is departures over the steps from which one
could depart. In log-odds its score in one week of one house is g = departures − leave·steps, also where
moves are *expected* counts: by Fisher's identity that is the score of what was seen, so what the
readings leave open is in it. Weeks of houses are independent enough: the information is Σ g gᵀ, and its
inverse the covariance from which the intervals come (Berndt, Hall, Hall and Hausman 1974).
"""

from dataclasses import dataclass

import numpy as np

from rtp.arrays import Bools, Floats, Ints
from rtp.statistics import Estimate, normal_width

INSIDE = 1e-6  # chances stay so far from 0 and 1


@dataclass(frozen=True, kw_only=True)
class Moves:
    """(P, weeks, n) each."""

    departures: Floats
    from_occupied: Floats
    arrivals: Floats
    from_empty: Floats

    def only(self, houses: Ints | Bools) -> "Moves":
        return Moves(**{name: value[:, :, houses] for name, value in vars(self).items()})

    def chances(self, weight: Floats | None = None) -> tuple[Floats, Floats]:
        """(leave, arrive) of all houses together, (P,); some weeks may count more than others."""
        weeks = np.ones(self.departures.shape[1]) if weight is None else weight
        totals = [np.einsum("pwn,w->p", value, weeks) for value in vars(self).values()]
        departures, from_occupied, arrivals, from_empty = totals
        half = np.full(len(departures), 0.5)
        return share(departures, from_occupied, half), share(arrivals, from_empty, half)


def moves(
    departing: Floats,
    arriving: Floats,
    occupied: Floats,
    known: Floats,
    period: Ints,
    periods: int,
    week: Ints,
) -> Moves:
    """From single steps, (T − 1, n); `known` is 1 where a move can be told and 0 where not."""
    weeks = int(week[-1]) + 1
    cell = period * weeks + week
    starts = np.flatnonzero(np.diff(cell, prepend=-1))

    def add(values: Floats) -> Floats:
        total = np.zeros((periods * weeks, values.shape[1]))
        np.add.at(total, cell[starts], np.add.reduceat(values, starts, axis=0))
        return total.reshape(periods, weeks, -1)

    from_occupied, told = add(occupied * known), add(np.broadcast_to(known, occupied.shape))
    return Moves(
        departures=add(departing),
        from_occupied=from_occupied,
        arrivals=add(arriving),
        from_empty=np.maximum(told - from_occupied, 0.0),
    )


def intervals(found: Moves, leave: Floats, arrive: Floats) -> tuple[Estimate, Estimate]:
    """Around pooled chances (P,); from 0 to 1 where nothing was seen."""
    score = np.concatenate(
        [
            found.departures - leave[:, None, None] * found.from_occupied,
            found.arrivals - arrive[:, None, None] * found.from_empty,
        ]
    )
    flat = score.reshape(len(score), -1)
    information = flat @ flat.T
    seen = np.diag(information) > 1e-9
    error = np.full(len(score), np.inf)
    error[seen] = np.sqrt(np.maximum(np.diag(np.linalg.pinv(information[np.ix_(seen, seen)])), 0.0))
    both = np.concatenate([leave, arrive])
    odds = np.log(both) - np.log1p(-both)
    reach = normal_width() * error
    low, high = (_chance(odds + sign * reach) for sign in (-1, 1))
    half = len(leave)
    return (
        Estimate(value=leave, low=low[:half], high=high[:half]),
        Estimate(value=arrive, low=low[half:], high=high[half:]),
    )


def _chance(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -50, 50))))


def share(events: Floats, steps: Floats, before: Floats) -> Floats:
    """Events over the steps at which they could happen, inside (0, 1); as before where there was none."""
    seen = steps > INSIDE
    return np.clip(np.where(seen, events / np.where(seen, steps, 1.0), before), INSIDE, 1 - INSIDE)

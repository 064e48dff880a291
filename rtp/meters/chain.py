"""The hidden chain of a house: filtering, smoothing, and the expected counts that learning needs.

A house is empty or occupied; the period of the day that contains a step says with which chances it leaves or
arrives before the next one; in each state its readings fall into bins with chances of their own, its *law*.
Many chains are worked on at once: time is the first axis, chains the last, so that every step is a few
operations on whole rows.

Two states need one number a step. With q the chance to be occupied given the past and ρ = f₁(x)/f₀(x) the
evidence of the reading, the filter is p = qρ/(1 − q + qρ), and the next q = p·(1 − leave − arrive) + arrive;
the log-likelihood is Σ ln f₀(x) + ln(1 − q + qρ). The smoother runs backwards (Rabiner 1989, written for two
states): with s the chance to be occupied given everything,

    u = p(1 − leave)/q′,   v = p·leave/(1 − q′),   s = v + s′(u − v),

where ′ is the next step. The expected number of departures is Σ v(1 − s′), that of arrivals Σ s′(1 − u).
A missing reading is no evidence: ρ = 1.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Floats, Ints
from rtp.street.room import Room

CHUNK = 16  # factors multiplied before a logarithm is taken: far from overflow, and much faster
ROOM = Room()
FACTOR = (1e-12, 1e12)  # between which evidence is kept


@dataclass(frozen=True, kw_only=True)
class Chains:
    """What is believed of n chains. Chances are per step."""

    initial: Floats  # (n,) to be occupied at first
    leave: Floats  # (P, n)
    arrive: Floats  # (P, n)
    law: Floats  # (2, n, K): the chance of each bin, empty and occupied


@dataclass(frozen=True, kw_only=True)
class Observed:
    """What is seen of n chains."""

    cell: Ints  # (T, n): chain·(K + 1) + bin; bin K is a missing reading
    bins: int  # K
    period: Ints  # (T,) which period each step is in
    count: Floats  # (n, K + 1): how often each bin is seen

    @property
    def chains(self) -> int:
        return int(self.cell.shape[1])


def observe(code: NDArray[np.integer], bins: int, period: Ints) -> Observed:
    """From bins (T, n)."""
    chains = code.shape[1]
    cell = code.astype(np.intp) + np.arange(chains) * (bins + 1)
    count = np.bincount(cell.ravel(), minlength=chains * (bins + 1)).reshape(chains, -1).astype(float)
    return Observed(cell=cell, bins=bins, period=period, count=count)


class Expected(NamedTuple):
    """What a house did, as far as its readings tell. Counts are per period, (P, n)."""

    occupied: Floats  # (T, n) the chance to be occupied, given everything
    departing: Floats  # (T − 1, n) that to depart before the next step
    arriving: Floats  # (T − 1, n)
    in_bin: Floats  # (n, K + 1) steps occupied, by bin
    departures: Floats
    arrivals: Floats
    from_occupied: Floats  # steps occupied from which one may depart
    from_empty: Floats
    likelihood: Floats  # (n,) in logs


def expect(seen: Observed, chains: Chains, weight: Floats | None = None) -> Expected:
    """Filter, smooth and count. `weight` (T,) counts some steps more than others.

    The chances of single steps are in memory that the next call uses again.
    """
    q, p, norm = _filter(_evidence(seen, chains), seen.period, chains)
    likelihood = _likelihood(seen, chains, norm)
    s, departures, arrivals = _smooth(q, p, seen.period, chains)
    in_bin = np.bincount(
        seen.cell.ravel(),
        weights=s.ravel() if weight is None else (s * weight[:, None]).ravel(),
        minlength=seen.count.size,
    )
    periods = len(chains.leave)
    departed, arrived, from_occupied = (
        _by_period(each, seen.period[:-1], periods, weight) for each in (departures, arrivals, s[:-1])
    )
    steps = np.bincount(seen.period[:-1], weights=None if weight is None else weight[:-1], minlength=periods)
    return Expected(
        occupied=s,
        departing=departures,
        arriving=arrivals,
        in_bin=np.asarray(in_bin, dtype=float).reshape(seen.count.shape),
        departures=departed,
        arrivals=arrived,
        from_occupied=from_occupied,
        from_empty=np.maximum(steps[:, None] - from_occupied, 0.0),
        likelihood=likelihood,
    )


def _by_period(values: Floats, period: Ints, periods: int, weight: Floats | None) -> Floats:
    """Sums over the steps of each period, (P, n), of values (T − 1, n): stretches first, which are few."""
    starts = np.flatnonzero(np.diff(period, prepend=-1))
    if weight is not None:
        starts = np.union1d(starts, np.flatnonzero(np.diff(weight[:-1], prepend=-1)))
    sums = np.add.reduceat(values, starts, axis=0)
    if weight is not None:
        sums *= weight[starts][:, None]
    result = np.zeros((periods, values.shape[1]))
    for k in range(periods):
        result[k] = sums[period[starts] == k].sum(axis=0)
    return result


def likelihoods(seen: Observed, chains: Chains) -> Floats:
    """(T, n): the log-likelihood of every step given those before it."""
    ratio = _evidence(seen, chains)
    _, _, norm = _filter(ratio, seen.period, chains)
    return np.asarray(np.log(norm)) + np.take(_with_missing(np.log(chains.law[0]), 0.0), seen.cell)


def _evidence(seen: Observed, chains: Chains) -> Floats:
    empty, occupied = chains.law
    ratio = np.clip(occupied / empty, *FACTOR)
    table = _with_missing(ratio, 1.0)
    return np.take(table, seen.cell, out=ROOM.floats("ratio", *seen.cell.shape), mode="clip")


def _with_missing(table: Floats, value: float) -> Floats:
    """(n, K) with one more bin, flat."""
    return np.column_stack([table, np.full(len(table), value)]).ravel()


def _filter(ratio: Floats, period: Ints, chains: Chains) -> tuple[Floats, Floats, Floats]:
    q, p, norm = (ROOM.floats(name, *ratio.shape) for name in ("q", "p", "norm"))
    carry, arrive = list(1 - chains.leave - chains.arrive), list(chains.arrive)
    q[0] = chains.initial
    before = p[-1]
    for step, (now, own, after, total) in enumerate(zip(q, ratio, p, norm, strict=True)):
        if step:
            k = period[step - 1]
            np.multiply(before, carry[k], out=now)
            now += arrive[k]
        np.multiply(now, own, out=after)
        np.subtract(after, now, out=total)
        total += 1.0
        after /= total
        before = after
    return q, p, norm


def _smooth(q: Floats, p: Floats, period: Ints, chains: Chains) -> tuple[Floats, Floats, Floats]:
    """The chance to be occupied, and those to depart and to arrive between a step and the next."""
    shape = len(q) - 1, q.shape[1]
    u, v, slope = (ROOM.floats(name, *shape) for name in ("u", "v", "slope"))
    s = ROOM.floats("s", *q.shape)
    np.take(chains.leave, period[:-1], axis=0, out=u, mode="clip")
    np.multiply(p[:-1], u, out=v)
    np.subtract(p[:-1], v, out=u)
    u /= q[1:]
    np.subtract(1.0, q[1:], out=slope)
    v /= slope
    np.subtract(u, v, out=slope)
    s[-1] = after = p[-1]
    for now, steep, start in zip(s[-2::-1], slope[::-1], v[::-1], strict=True):
        np.multiply(after, steep, out=now)
        now += start
        after = now
    np.clip(s, 0.0, 1.0, out=s)
    later = s[1:]
    np.multiply(v, later, out=slope)
    v -= slope
    np.multiply(u, later, out=slope)
    np.subtract(later, slope, out=slope)
    return s, v, slope


def _likelihood(seen: Observed, chains: Chains, norm: Floats) -> Floats:
    """(n,): logarithms of products of a few factors, and the rest by counting bins."""
    whole = len(norm) // CHUNK * CHUNK
    together = norm[:whole].reshape(-1, CHUNK, norm.shape[1]).prod(axis=1)
    total = np.log(together).sum(axis=0) + np.log(norm[whole:]).sum(axis=0)
    return np.asarray(total + (seen.count[:, :-1] * np.log(chains.law[0])).sum(axis=1))

"""What is learned of some houses, each on its own: one piece of work, which can travel to another process."""

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Bools, Floats, Ints
from rtp.meters.bins import codes_of, edges_of
from rtp.meters.chain import Chains, Observed, expect, likelihoods, observe
from rtp.meters.fit import BINS, MOST, PRIOR, fit, joined
from rtp.meters.readings import Powers

TRAINED = 0.75  # of the days; the others judge
SURE = 2.0  # standard errors by which two states must beat one, on days that were not learned from
HOURS = 24


@dataclass(frozen=True, kw_only=True)
class Block:
    """Houses and their clock."""

    power: Powers  # (n, T) kW
    occupied: NDArray[np.int8] | None  # (n, T) where it is given
    period: Ints  # (T,)
    periods: int
    per_day: int


class HeldOut(NamedTuple):
    """How well models predict days that they were not learned from: log-likelihoods, (n,)."""

    separable: Bools  # whether two states beat one, beyond luck
    two_states: Floats
    no_periods: Floats
    one_state: Floats
    readings: Floats  # that they were judged on


@dataclass(frozen=True, kw_only=True)
class Houses:
    """What was learned of n houses."""

    chains: Chains
    edges: Floats  # (n, K + 1) kW
    mean: Floats  # (2, n) kW, empty and occupied
    variance: Floats  # (2, n)
    profile: Floats  # (24, n) the chance to be occupied in every hour of the day
    used: Floats  # (24, n) kW, as read
    fitted: Floats  # (24, n) kW, as the chain says
    certainty: Floats  # (n,) the chance that the likelier state is the right one, in a mean step
    agree: Bools
    settled: Bools
    held_out: HeldOut

    @property
    def separable(self) -> Bools:
        """(n,) whether there are two states to tell."""
        return self.held_out.separable


def learn_block(work: Block) -> Houses:
    """Fit, judge, and describe."""
    edges = edges_of(work.power, BINS)
    code = codes_of(work.power, edges)
    found = fit(code, work.period, work.periods)
    seen = observe(code, BINS, work.period)
    occupied = expect(seen, found.chains).occupied
    mean, variance = moments(work.power.T, occupied)
    profile = by_hour(occupied, work.per_day)
    certainty = np.maximum(occupied, 1 - occupied).mean(axis=0)
    judged = judge(code, work)  # from here on `occupied` is used for something else
    return Houses(
        chains=found.chains,
        edges=edges,
        mean=mean,
        variance=variance,
        profile=profile,
        used=by_hour(work.power.T, work.per_day),
        fitted=profile * mean[1] + (1 - profile) * mean[0],
        certainty=certainty,
        agree=found.agree,
        settled=found.settled,
        held_out=judged,
    )


def moments(power: Powers | Floats, occupied: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of consumption in each state, (2, n), from (T, n)."""
    known = np.isfinite(power)
    use = np.where(known, power, 0.0).astype(float)
    mean, variance = np.zeros((2, power.shape[1])), np.zeros((2, power.shape[1]))
    for state, chance in enumerate((1 - occupied, occupied)):
        weight = np.where(known, chance, 0.0)
        total = np.maximum(weight.sum(axis=0), 1e-9)
        mean[state] = (weight * use).sum(axis=0) / total
        variance[state] = (weight * (use - mean[state]) ** 2).sum(axis=0) / total
    return mean, variance


def by_hour(values: Powers | Floats, per_day: int) -> Floats:
    """(24, n): the mean of known values in each hour of the day, of (T, n)."""
    shaped = values.reshape(-1, HOURS, per_day // HOURS, values.shape[1])
    known = np.isfinite(shaped)
    total = np.where(known, shaped, 0.0).sum(axis=(0, 2), dtype=float)
    return np.asarray(total / np.maximum(known.sum(axis=(0, 2)), 1))


def judge(code: NDArray[np.int8], work: Block) -> HeldOut:
    """Two states, two without periods, and one, judged on the last days, which they were not learned from."""
    days = len(code) // work.per_day
    cut = max(int(TRAINED * days), 1) * work.per_day
    one_period = np.zeros_like(work.period)
    counts = observe(code[:cut], BINS, work.period[:cut]).count[:, :-1]
    single = counts + PRIOR / BINS
    single /= single.sum(axis=1, keepdims=True)
    scored = []
    for period, periods in ((work.period, work.periods), (one_period, 1)):
        chains = fit(code[:cut], period[:cut], periods, MOST // 2, 1).chains
        seen = observe(code[cut:], BINS, period[cut:])
        scored.append(likelihoods(seen, chains))
    seen = observe(code[cut:], BINS, one_period[cut:])
    table = np.column_stack([np.log(single), np.zeros(len(single))]).ravel()
    alone = np.take(table, seen.cell)
    return HeldOut(
        separable=_clearly(scored[0] - alone, work.per_day),
        two_states=scored[0].sum(axis=0),
        no_periods=scored[1].sum(axis=0),
        one_state=alone.sum(axis=0),
        readings=seen.count[:, :-1].sum(axis=1),
    )


def _clearly(gain: Floats, per_day: int) -> Bools:
    """(n,): where the gain (T, n) is above 0 by `SURE` standard errors of its days."""
    if not len(gain):
        return np.zeros(gain.shape[1], dtype=bool)
    days = gain.reshape(-1, per_day, gain.shape[1]).sum(axis=1)
    error = days.std(axis=0, ddof=1) / np.sqrt(len(days)) if len(days) > 1 else np.full(gain.shape[1], np.inf)
    return np.asarray(days.mean(axis=0) > SURE * error)


def observed(power: Powers, edges: Floats, period: Ints) -> Observed:
    """Readings as the chain sees them."""
    return observe(codes_of(power, edges), BINS, period)


def join(parts: list[Houses]) -> Houses:
    """Blocks of houses one after the other."""
    others = {
        field.name: np.concatenate(
            [getattr(part, field.name) for part in parts], axis=_house_axis(field.name)
        )
        for field in fields(Houses)
        if field.name not in ("chains", "held_out")
    }
    judged = HeldOut(*(np.concatenate(each) for each in zip(*(part.held_out for part in parts), strict=True)))
    return Houses(chains=joined([part.chains for part in parts]), held_out=judged, **others)


def _house_axis(name: str) -> int:
    return 1 if name in ("mean", "variance", "profile", "used", "fitted") else 0

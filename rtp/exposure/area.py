"""How often she names the right one of two records, one of either answer: the area under the ROC.

Over pairs of days with scores s and weights p, how much of a day counts as the secret's,

    area = Σ pᵢ(1 − pⱼ)[sᵢ > sⱼ] / (Σ p · Σ (1 − p)),  half for ties.

Where p is 1 on days drawn with the secret and 0 on the others, that is Mann and Whitney's count. But where
the observer is exact her belief *is* the probability of the answer given the record, whichever was drawn: p
is then her belief, and no label is needed (Rao and Blackwell: the expectation is the same, and luck plays a
far smaller part). Both answers are drawn with the same neighbours, noise and uniform numbers, so that where
there is next to nothing to be told the estimate is next to a half without luck.

The interval is DeLong's: each pair of days moves the area by what its scores win or lose against all others.
"""

from typing import NamedTuple

import numpy as np

from rtp.core.stats import student_width
from rtp.core.types import Floats
from rtp.probability.markov import MAX_LOG_ODDS

UNSEEN = 1.0  # pairs of days that might go the other way, where all go one way
EMPTY_SUM = 1e-300


class Areas(NamedTuple):
    """Areas, with the ends of their intervals."""

    value: Floats
    low: Floats
    high: Floats


def weighted_area(scores: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return (area, influence of every day) along the last axis, (…) and (…, R): the area of the true
    distribution is about as far off as the mean of the influences scatters."""
    order = np.argsort(scores, axis=-1, kind="stable")
    s, p = (np.take_along_axis(each, order, axis=-1) for each in (scores, weight))
    q = 1 - p
    below, total_p, total_q = _below(s, q), p.sum(-1, keepdims=True), q.sum(-1, keepdims=True)
    safe_p, safe_q = np.maximum(total_p, EMPTY_SUM), np.maximum(total_q, EMPTY_SUM)
    wins = below / safe_q  # Pr[a day without the secret scores less]
    losses = 1 - _below(s, p) / safe_p
    known = (total_p > 0) & (total_q > 0)
    area = np.where(known[..., 0], (p * wins).sum(-1) / safe_p[..., 0], 0.5)
    moved = p * (wins - area[..., None]) / safe_p + q * (losses - area[..., None]) / safe_q
    influence = np.empty_like(moved)
    np.put_along_axis(influence, order, moved * scores.shape[-1], axis=-1)
    return area, np.where(known, influence, 0.0)


def belief_area(belief: Floats) -> Floats:
    """Return the area of days by what is believed of them, along the last axis, (…): where a belief is its
    own weight, two that are equal win and lose as much in any order."""
    p = np.sort(belief, axis=-1)
    q = 1 - p
    wins = (p * (np.cumsum(q, axis=-1) - q / 2)).sum(axis=-1)
    pairs = p.sum(axis=-1) * q.sum(axis=-1)
    return np.asarray(np.divide(wins, pairs, out=np.full_like(wins, 0.5), where=pairs > 0))


def _below(ordered: Floats, weight: Floats) -> Floats:
    """The weight of all days that score less than each, half of those that score the same; scores rise."""
    so_far = np.cumsum(weight, axis=-1)
    ends = np.concatenate([ordered[..., 1:] != ordered[..., :-1], np.ones_like(ordered[..., :1], bool)], -1)
    starts = np.concatenate([np.ones_like(ends[..., :1]), ends[..., :-1]], axis=-1)
    through = np.where(ends, so_far, np.inf)
    through = np.minimum.accumulate(through[..., ::-1], axis=-1)[..., ::-1]
    before = np.where(starts, so_far - weight, -np.inf)
    before = np.maximum.accumulate(before, axis=-1)
    return np.asarray((before + through) / 2)


def two_way_area(scores: Floats, exact: bool) -> tuple[Floats, Floats]:
    """Return (area, standard error) of log-likelihood ratios (…, 2, R), the days without the secret first;
    `exact` where they are those of how the days were drawn."""
    days = scores.shape[-1]
    flat = np.clip(scores, -MAX_LOG_ODDS, MAX_LOG_ODDS).reshape(*scores.shape[:-2], 2 * days)
    weight = np.broadcast_to(np.repeat([0.0, 1.0], days), flat.shape)
    if exact:
        weight = 1 / (1 + np.exp(-flat))
    area, influence = weighted_area(flat, weight)
    each = influence.reshape(scores.shape).sum(axis=-2) / 2
    return area, each.std(axis=-1, ddof=1) / np.sqrt(days)


def interval(area: Floats, error: Floats, days: int) -> Areas:
    """Return areas with the ends of their intervals."""
    reach = student_width(days) * error
    unseen = 2 * np.maximum(area - 0.5, 0.0) * UNSEEN / days
    return Areas(area, np.clip(area - reach - unseen, 0.0, 1.0), np.clip(area + reach, 0.0, 1.0))

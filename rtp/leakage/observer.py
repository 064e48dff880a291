"""What she makes of a watched house: the likelihood ratio of the secret against an ordinary life.

Either hypothesis is a hidden Markov chain of two states; its likelihood is the forward pass over each step's
two likelihoods. The insider's are exact. The outsider also follows the crowd: she keeps, for each hypothesis,
a Kalman filter's estimate of how far the others are from what the model expects, from what is left of each
reading when the house's likely use is taken off; so a crowd that changes slowly hides less. That the house's
state and the crowd's are estimated side by side, not jointly, is an approximation, good while one house is
small beside the crowd.
"""

from typing import NamedTuple

import numpy as np

from rtp.attack.observer import Knowledge
from rtp.core.types import Floats
from rtp.leakage.likelihood import insider, outsider
from rtp.leakage.watched import House, Readings
from rtp.mechanisms.kalman import chain
from rtp.street.outlook import Outlook


class CrowdStep(NamedTuple):
    """One step of the filter of everyone else."""

    F: Floats  # (G,) what is kept of the estimate before
    K: Floats  # (G,) how far the innovation moves it
    deviation: float  # of the others around the estimate, before the reading


def crowd_filter(others: Outlook, b: Floats) -> list[CrowdStep]:
    """A Kalman filter with one state per group and Laplace noise of scales b, (T,)."""
    F, Q = chain(others)
    P = np.diag(others.presence[:, 0])
    consumption = others.consumption.sum(axis=0)
    steps = []
    for step, scale in enumerate(b.tolist()):
        kept = F[:, step - 1] if step else np.zeros(len(F))
        if step:
            P = np.outer(kept, kept) * P + np.diag(Q[:, step - 1])
        PH = P.sum(axis=1)
        demand = PH.sum() + consumption[step]
        S = demand + 2 * scale**2
        K = PH / S if 0 < S < np.inf else np.zeros_like(PH)
        P = P - np.outer(PH, K)
        steps.append(CrowdStep(kept, K, float(np.sqrt(demand))))
    return steps


class Observer:
    """Carries both hypotheses from day to day. Arrays are (hypothesis, truth, repetition)."""

    def __init__(self, house: House, b: Floats, knows: Knowledge, count: int) -> None:
        self.house, self.b = house, b
        self.leave, self.arrive = (chances[..., None, None] for chances in house.moves())
        start = np.array([chain.initial for chain in house.chains])[:, None, None]
        self.occupied = np.broadcast_to(start, (2, 2, count)).copy()
        self.empty = 1 - self.occupied
        self.log_likelihood = np.zeros((2, 2, count))
        follows = knows == "model" and house.others.variance.min() > 0
        self.crowd = crowd_filter(house.others, b) if follows else []
        self.estimate = np.zeros((len(house.others.presence), 2, 2, count))

    def watch(self, seen: Readings, first: int) -> Floats:
        """Take the day that begins at step `first`; gives the score of every repetition so far, (2, R)."""
        b = self.b[first : first + len(seen.used)]
        told = None if self.crowd else _likelihoods(insider(seen.used, seen.noise, b, self.house.use))
        for i, scale in enumerate(b.tolist()):
            if told is not None:
                self._weigh(told[0][i], told[1][i])
            elif scale < np.inf:
                self._weigh_in_the_crowd(first + i, seen.used[i] + seen.crowd[i] + scale * seen.noise[i])
            leave, arrive = self.leave[:, first + i], self.arrive[:, first + i]
            one, other = self.occupied, self.empty
            self.occupied = one * (1 - leave) + other * arrive
            self.empty = other * (1 - arrive) + one * leave
        return self.score()

    def score(self) -> Floats:
        """ln Pr[readings | secret] − ln Pr[readings | ordinary life]."""
        ordinary, secret = self.log_likelihood
        return np.asarray(np.subtract(secret, ordinary, out=np.zeros_like(secret), where=secret != ordinary))

    def _weigh(self, if_occupied: Floats, if_empty: Floats, log_of_one: Floats | float = 0.0) -> None:
        """Bayes, from two likelihoods, the larger of which is one and stands for e to so much."""
        one, other = self.occupied * if_occupied, self.empty * if_empty
        total = one + other
        if total.min() > 0:
            self.log_likelihood += np.log(total) + log_of_one
            np.divide(one, total, out=self.occupied)
            np.divide(other, total, out=self.empty)
            return
        with np.errstate(divide="ignore"):  # a hypothesis may be proved wrong; it then stays as it was
            self.log_likelihood += np.log(total) + log_of_one
        possible = total > 0
        np.divide(one, total, out=self.occupied, where=possible)
        np.divide(other, total, out=self.empty, where=possible)

    def _weigh_in_the_crowd(self, step: int, reading: Floats) -> None:
        F, K, deviation = self.crowd[step]
        self.estimate *= F[:, None, None, None]
        rest = reading - self.estimate.sum(axis=0)
        if_occupied, if_empty = outsider(rest, deviation, float(self.b[step]), self.house.use)
        top = np.maximum(if_occupied, if_empty)
        self._weigh(np.exp(if_occupied - top), np.exp(if_empty - top), top)
        (m0, m1), _ = self.house.moments
        innovation = rest - (self.occupied * m1 + self.empty * m0)
        self.estimate += K[:, None, None, None] * innovation


def _likelihoods(log_ratio: Floats) -> tuple[Floats, Floats]:
    """Of being occupied and of being empty, the larger of which is one."""
    return np.exp(np.minimum(log_ratio, 0.0)), np.exp(-np.maximum(log_ratio, 0.0))

"""More houses than 2^N allows: the joint Gaussian of all of them, in memory and time linear in N.

She carries what the rates say about houses *together*. Without rates house i is occupied with the chance pᵢ
of its model, variance vᵢ = pᵢ(1 − pᵢ), and houses are independent. Consumption is m₀ + h·S + a rest, h =
m₁ − m₀ the difference of its means in the two states, so demand is linear in the states, and the rest's
variance R is the sum of each state's own: of uniform use the means are u/2, the variances u²/12. The estimate
of all states that is best among the linear ones has a deviation δ from p and the error covariance

    P = diag(v) − V·Vᵀ,

one column of V per rate. A step of the chain multiplies deviations by D = 1 − ℓ − a, and D²v plus the
variance that moving adds is v of the next step exactly (law of total variance): so δ ← Dδ, V ← DV and the
form stays. A rate x with g = P·h, d = x − Σ(m₀ + h·p) − hᵀδ, and the score ψ and curvature w of `channel`
at variance hᵀg + R:

    δ ← δ + g·ψ,    V ← [V, g·√w],

which is Kalman's update where noise is Gaussian and reads Laplace noise for what it is; R takes the states as
estimated, between 0 and 1. No N × N matrix is ever made.

Rates are about η = hᵀ(S − p) only, so what they say of each other is settled among its T values: with aₛ the
covariance of ηₛ with each η given the rates before s, the guess of η moves by aₛ·ψₛ and its covariance by
−wₛ·aₛaₛᵀ, and hᵀg = aₜ at t. It begins as the model's (`course`), which no budget changes. Only the gain is
about all houses: gₜ = h·vₜ − Σ wₛ·aₛ(t)·gₛ over the rates s before t, everything over F.

What the estimate says of one house, before and after the rate, is read off by `channel.log_odds`; the
difference is the rate's evidence, applied to her chance by Bayes. Linear estimates have the true second
moments whatever the laws are, so nothing is counted twice; what they lose is told by `judge`.
"""

from typing import NamedTuple

import numpy as np

from rtp.attack.channel import log_odds, score
from rtp.attack.course import Course, Stretch
from rtp.attack.observation import Observed
from rtp.core.time import STEPS_PER_DAY
from rtp.core.types import Bools, Floats, Ints
from rtp.street.room import steps_in_cache
from rtp.street.simulate import Progress

RANK = STEPS_PER_DAY  # columns carried into the next day: the largest directions of what is known


class Estimate(NamedTuple):
    """The linear estimate as a day begins. Arrays are (N,) but V."""

    occupied: Floats  # by the model alone
    empty: Floats
    deviation: Floats  # δ
    known: Floats  # κ: the diagonal of V·Vᵀ
    V: Floats  # (N, k)


class Reading(NamedTuple):
    """A rate as a Gaussian measurement of η: value and variance."""

    value: float
    variance: float


class Said(NamedTuple):
    """What the estimate says of the houses she watches, as log-odds; (T, n)."""

    before: Floats  # each rate
    after: Floats


class Watched(NamedTuple):
    """The houses she watches, step by step, (L, n): by the model alone, F, and δ before each rate."""

    occupied: Floats
    empty: Floats
    carried: Floats
    deviation: Floats


class Learned(NamedTuple):
    """What a stretch of rates has taught. All over F, and 0 where nothing was learned."""

    gains: Floats  # (L, N): g
    psi: Floats  # (L,)
    w: Floats  # (L,)
    deviation: Floats  # (N,): δ after the last


class GaussianFilter:
    """One day's rates, or several days', on all houses of the street under one model."""

    def __init__(self, seen: Observed, course: Course, keep: Bools) -> None:
        self.seen, self.course, self.keep = seen, course, keep
        self.mine: slice | Ints = slice(None) if keep.all() else np.flatnonzero(keep)
        self.mornings: list[Estimate] = []  # as each day begins
        self.readings: list[Reading | None] = []

    def run(self, progress: Progress | None = None) -> Said:
        """All rates, in order."""
        houses, steps = len(self.keep), len(self.seen.total)
        delta, V, kappa = np.zeros(houses), np.zeros((0, houses)), np.zeros(int(self.keep.sum()))
        before, after = np.empty((2, steps, len(kappa)))
        for stretch in self.course.stretches:
            if stretch.first % self.course.chains.steps_per_day == 0:
                V = self._begin_day(stretch, delta, V)
            watched = Watched(*np.empty((4, stretch.last - stretch.first, len(kappa))))
            learned = self._learn(stretch, watched, delta, V, progress)
            here = slice(stretch.first, stretch.last)
            before[here], after[here], kappa = _said(watched, learned.gains[:, self.mine], learned, kappa)
            if stretch.last < steps:
                delta, V, kappa = self._carry(stretch, learned, V, kappa)
        return Said(before, after)

    def _begin_day(self, stretch: Stretch, delta: Floats, V: Floats) -> Floats:
        """What is known of houses together in at most RANK directions, the largest."""
        if len(V) > RANK:
            _, directions = np.linalg.eigh(V @ V.T)
            V = directions[:, -RANK:].T @ V
        self.mornings.append(Estimate(*stretch.begin, delta.copy(), (V**2).sum(axis=0), V.T))
        return V

    def _learn(
        self, stretch: Stretch, watched: Watched, delta: Floats, V: Floats, progress: Progress | None
    ) -> Learned:
        """The rates of a stretch, one by one; `watched` is filled. V is here (k, N): a row per rate."""
        course, size, k = self.course, stretch.last - stretch.first, len(V)
        together, guess = self._before(stretch, delta, V)
        begin = stretch.covariance - together @ together.T
        known = np.concatenate([V, np.zeros((size, len(delta)))])
        covariance = np.zeros((size, size))  # row s: of η at s with η later on, given the rates before s
        psi, w, delta = np.zeros(size), np.zeros(size), delta.copy()
        for t, row in enumerate(course.rows(stretch)):
            here = row.carried * delta
            for kept, values in zip(watched, (*row[:3], here), strict=True):
                kept[t] = values[self.mine]
            with_now = covariance[:t, t]
            shares = w[:t] * with_now
            now = np.subtract(begin[t, t:], shares @ covariance[:t, t:], out=covariance[t, t:])
            mean = float(guess[t] + psi[:t] @ with_now)
            read = self._read(stretch, t, row.occupied + here, float(now[0]), mean)
            if read is not None:
                psi[t], w[t] = read
                before = np.concatenate([together[t], shares])
                gain = np.subtract(row.own, before @ known[: k + t], out=known[k + t])
                delta += read[0] * gain
            if progress is not None:
                progress((stretch.first + t + 1) / course.steps)
        return Learned(known[k:], psi, w, delta)

    def _before(self, stretch: Stretch, delta: Floats, V: Floats) -> tuple[Floats, Floats]:
        """How η goes with what was known as the stretch began, (L, k), and what was guessed of it, (L,)."""
        size = stretch.last - stretch.first
        together, guess = np.zeros((size, len(V))), np.zeros(size)
        for t, row in enumerate(self.course.rows(stretch) if stretch.first else ()):
            moved = self.course.swing * row.carried
            together[t], guess[t] = V @ moved, moved @ delta
        return together, guess

    def _read(
        self, stretch: Stretch, t: int, estimate: Floats, variance: float, guess: float
    ) -> tuple[float, float] | None:
        """ψ and w of one rate; None if there is nothing to learn from it."""
        course, step = self.course, stretch.first + t
        self.readings.append(None)
        b = float(self.seen.b[step])
        if b == np.inf:
            return None
        variance = max(variance, 0.0)
        np.minimum(np.maximum(estimate, 0.0, out=estimate), 1.0, out=estimate)
        rest = course.base[1] + float(course.by_state @ estimate)
        if variance == 0 and rest <= 0:  # everyone is certain and uses nothing
            return None
        rest = max(rest, course.least)
        d = float(self.seen.total[step]) - course.base[0] - float(stretch.expected[t]) - guess
        psi, w = score(d, variance + rest, b)
        self.readings[-1] = Reading(guess + psi / w, max(1 / w - variance, rest * 1e-6))
        return psi, w

    def _carry(
        self, stretch: Stretch, learned: Learned, V: Floats, kappa: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """δ, V and κ as the next stretch begins."""
        *_, row = self.course.rows(stretch)
        carried = row.carried * self.course.kept_of(stretch.last - 1)
        V = np.concatenate([V, learned.gains * np.sqrt(learned.w)[:, None]])
        V *= carried
        return carried * learned.deviation, V, carried[self.mine] ** 2 * kappa


def _said(watched: Watched, gains: Floats, learned: Learned, kappa: Floats) -> tuple[Floats, Floats, Floats]:
    """What is said of the houses before and after each rate of a stretch, and κ over F² at its end."""
    before, after = np.empty((2, *gains.shape))
    for some in steps_in_cache(*gains.shape):
        occupied, empty, carried, deviation = (values[some] for values in watched)
        gained = np.cumsum(learned.w[some, None] * gains[some] ** 2, axis=0) + kappa
        known = np.concatenate([kappa[None], gained[:-1]])
        squared, kappa = carried**2, gained[-1]
        before[some] = log_odds(occupied, empty, deviation, squared * known)
        moved = deviation + learned.psi[some, None] * (carried * gains[some])
        after[some] = log_odds(occupied, empty, moved, squared * gained)
    return before, after, kappa

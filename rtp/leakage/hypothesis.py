"""A secret as a hypothesis about one house, and the house watched for days under it and without it.

A hypothesis is a chain of its own: at its hours the state is what it says, elsewhere the house comes and goes
as the model says, from wherever the hypothesis left it. "Empty all along" is one, and so is a moment: given
its state at one step a chain is a chain again, with Pr[y | x]·h(y)/h(x) for its transitions before that step,
h the probability to be there in that state.

Every repetition draws days of the house, unit Laplace noise, and what everyone else used around its mean. On
a street of up to `MAX_JOINT_HOUSES` houses each of the others lives as its habits say. On a longer one their
sum is a normal crowd: per group who is at home is a linear chain with the model's variance and its covariance
with the next step (`rtp.probability.kalman`), and consumption given that is white. They are the same for all
mechanisms, observers and budgets, so that differences between those are their own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import Generator

from rtp.attack.joint_filter import MAX_JOINT_HOUSES
from rtp.core.random import Stream, random_generator
from rtp.core.types import Bools, Floats
from rtp.probability.kalman import state_space
from rtp.probability.markov import Chains, propagate
from rtp.simulation import Market
from rtp.street.draw import Use
from rtp.street.schedule import DemandMoments


@dataclass(frozen=True, kw_only=True)
class Hypothesis:
    """What the house is at the same hours of every day."""

    label: str
    words: str  # "the house is …"
    occupied: bool
    start: int  # hour of the day
    end: int  # the same as `start`: all day long

    def hours(self, steps: int, steps_per_day: int) -> Bools:
        """Return the steps at which the state is given, (T,)."""
        hour = np.arange(steps) % steps_per_day * 24 / steps_per_day
        if self.start < self.end:
            return np.asarray((hour >= self.start) & (hour < self.end))
        return np.asarray((hour >= self.start) | (hour < self.end))

    def condition(self, house: Chains, steps_per_day: int) -> Chains:
        """Return the chain of a house of which the hypothesis is true."""
        given = self.hours(house.steps, steps_per_day)[:, None]
        state = float(self.occupied)
        return one_row_per_step(
            initial=np.where(given[0], state, house.initial),
            leave=np.where(given[1:], 1 - state, house.leave[house.row]),
            arrive=np.where(given[1:], state, house.arrive[house.row]),
        )


HYPOTHESES = {
    "holiday": Hypothesis(
        label="A holiday", words="empty all along, day and night", occupied=False, start=0, end=0
    ),
    "working hours": Hypothesis(
        label="Nobody home 9–17", words="empty from 09:00 to 17:00 every day", occupied=False, start=9, end=17
    ),
    "up at night": Hypothesis(
        label="Up at night", words="up from 23:00 to 07:00 every night", occupied=True, start=23, end=7
    ),
}


def one_row_per_step(initial: Floats, leave: Floats, arrive: Floats) -> Chains:
    """Return chains whose transitions, (T − 1, n), are given step by step."""
    return Chains(initial=initial, leave=leave, arrive=arrive, row=np.arange(len(leave)))


def never_changes(house: Chains, occupied: bool) -> Chains:
    """Return a chain that stays in one state all along."""
    none = np.zeros((house.steps - 1, 1))
    return one_row_per_step(np.array([float(occupied)]), none, none)


def given_moment(house: Chains, step: int, occupied: bool) -> Chains:
    """Return the chain of a house given its state at one step, which must be possible there."""
    ahead = np.array([not occupied, occupied], dtype=float)  # h: Pr[that state at `step` | state now]
    leave, arrive = house.leave[house.row].copy(), house.arrive[house.row].copy()
    for t in range(step - 1, -1, -1):
        out, back = leave[t, 0], arrive[t, 0]
        before = np.array([(1 - back) * ahead[0] + back * ahead[1], out * ahead[0] + (1 - out) * ahead[1]])
        arrive[t] = back * ahead[1] / before[0] if before[0] > 0 else 0.0
        leave[t] = out * ahead[0] / before[1] if before[1] > 0 else 0.0
        ahead = before
    one, other = house.initial * ahead[1], (1 - house.initial) * ahead[0]
    return one_row_per_step(one / (one + other), leave, arrive)


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """Everyone else on a street of few houses, one by one."""

    use: Use
    chains: Chains

    @cached_property
    def expected_use(self) -> Floats:
        """What all of them are expected to use together, (T,)."""
        (empty, occupied), _ = self.use.moments()
        p = propagate(self.chains)
        return np.asarray((p * occupied + (1 - p) * empty).sum(axis=1))


@dataclass(frozen=True, kw_only=True)
class WatchedHouse:
    """One house that lives in one of two ways, and what the model expects of everyone else."""

    use: Use
    ordinary: Chains
    alternative: Chains  # under the hypothesis
    others: DemandMoments
    neighbours: Neighbours | None  # the others where they are few
    steps_per_day: int

    @property
    def steps(self) -> int:
        return self.ordinary.steps

    @property
    def chains(self) -> tuple[Chains, Chains]:
        return self.ordinary, self.alternative

    def initial(self) -> Floats:
        """Return Pr[occupied] at step 0 in either way, (2,)."""
        return np.concatenate([chain.initial for chain in self.chains])

    def until(self, steps: int) -> "WatchedHouse":
        """Return the same house, watched for the first steps only."""
        near, cut = self.neighbours, self.others.__dataclass_fields__
        return replace(
            self,
            ordinary=_until(self.ordinary, steps),
            alternative=_until(self.alternative, steps),
            others=replace(self.others, **{name: getattr(self.others, name)[:, :steps] for name in cut}),
            neighbours=near and replace(near, chains=_until(near.chains, steps)),
        )

    def transitions(self) -> tuple[Floats, Floats]:
        """Return (leave, arrive) in either way, (T, 2) each; after the last step nothing moves."""
        leave = np.hstack([chain.leave[chain.row] for chain in self.chains])
        arrive = np.hstack([chain.arrive[chain.row] for chain in self.chains])
        return np.vstack([leave, np.zeros(2)]), np.vstack([arrive, np.zeros(2)])


def _until(chains: Chains, steps: int) -> Chains:
    return chains.between(0, steps, chains.initial)


def watch_house(context: Market, house: int, hypothesis: Hypothesis) -> WatchedHouse:
    """Return a house of the street with and without a secret."""
    day = context.street_day
    ordinary = day.spec.chains(day.street, 0, np.array([house]))
    use = day.street.only(slice(house, house + 1))
    near, houses = None, len(day.street.group)
    if houses <= MAX_JOINT_HOUSES:
        rest = np.delete(np.arange(houses), house)
        near = Neighbours(use=day.street.only(rest), chains=day.spec.chains(day.street, 0, rest))
    return WatchedHouse(
        use=use,
        ordinary=ordinary,
        alternative=hypothesis.condition(ordinary, day.spec.steps_per_day),
        others=without(day.true_moments, int(day.street.group[house]), ordinary, use),
        neighbours=near,
        steps_per_day=day.spec.steps_per_day,
    )


def without(street: DemandMoments, group: int, house: Chains, use: Use) -> DemandMoments:
    """Return what a model expects of the street but for one house."""
    ((m0,), (m1,)), ((v0,), (v1,)) = use.moments()
    p = propagate(house)[:, 0]
    keeps = np.append((1 - house.leave - house.arrive)[house.row, 0], 0.0)
    variance = (m1 - m0) ** 2 * p * (1 - p)
    own = {
        "occupancy_variance": variance,
        "lag1_covariance": variance * keeps,
        "consumption_variance": p * v1 + (1 - p) * v0,
    }
    rest = {name: getattr(street, name).copy() for name in own}
    for name, moments in own.items():
        rest[name][group] -= moments
    for name in ("occupancy_variance", "consumption_variance"):
        rest[name] = np.where(rest[name] > 1e-12 * getattr(street, name), rest[name], 0.0)
    return replace(street, **rest)


@dataclass(frozen=True, kw_only=True)
class WatchedDays:
    """A day of every repetition, (its steps, 2, R): ordinary days, then those of the hypothesis."""

    used: Floats
    crowd: Floats  # everyone else's use less its mean
    noise: Floats  # unit Laplace


def draw_readings(house: WatchedHouse, seed: int, count: int) -> Iterator[WatchedDays]:
    """Return so many repetitions of both ways to live, day by day."""
    rng = random_generator(seed, Stream.STRETCHES)
    leave, arrive = (each[..., None] for each in house.transitions())
    state = rng.random((2, count)) < house.initial()[:, None]
    around = np.zeros((len(house.others.occupancy_variance), 2, count))
    home: Bools | None = None
    for first in range(0, house.steps, house.steps_per_day):
        steps = range(first, min(first + house.steps_per_day, house.steps))
        uniform = rng.random((len(steps), 2, count))
        states = np.empty(uniform.shape, dtype=bool)
        for i, step in enumerate(steps):
            states[i] = state
            state = np.where(state, uniform[i] >= leave[step], uniform[i] < arrive[step])
        used = house.use.at(states[..., None], rng.random(uniform.shape)[..., None])[..., 0]
        noise = rng.laplace(size=uniform.shape)
        if house.neighbours is None:
            white = rng.standard_normal(uniform.shape)
            crowd, around = _crowd(rng, house.others, steps, around, white)
        else:
            crowd, home = _neighbours(rng, house.neighbours, steps, home, count)
        yield WatchedDays(used=used, crowd=crowd, noise=noise)


def _neighbours(
    rng: Generator, near: Neighbours, steps: range, home: Bools | None, count: int
) -> tuple[Floats, Bools]:
    """Return what a few others use around its mean, (k, 2, R), and who is at home at the next step,
    (2, R, n − 1)."""
    chains, crowd = near.chains, np.empty((len(steps), 2, count))
    shape = 2, count, len(chains.initial)
    if home is None:
        home = rng.random(shape) < chains.initial
    for i, step in enumerate(steps):
        crowd[i] = near.use.at(home, rng.random(shape)).sum(axis=2) - near.expected_use[step]
        if step + 1 < chains.steps:
            row, uniform = chains.row[step], rng.random(shape)
            home = np.where(home, uniform >= chains.leave[row], uniform < chains.arrive[row])
    return crowd, home


def _crowd(
    rng: Generator, others: DemandMoments, steps: range, around: Floats, white: Floats
) -> tuple[Floats, Floats]:
    """Return everyone else's use around its mean, (k, 2, R), and the state of the next step, (G, 2, R)."""
    F, Q = (each[..., None, None] for each in state_space(others.occupancy_variance, others.lag1_covariance))
    crowd = np.sqrt(others.consumption_variance.sum(axis=0))[steps.start : steps.stop, None, None] * white
    for i, step in enumerate(steps):
        if step == 0:
            around = np.sqrt(Q[0]) * rng.standard_normal(around.shape)
        crowd[i] += around.sum(axis=0)
        if step + 1 < len(F):
            around = F[step + 1] * around + np.sqrt(Q[step + 1]) * rng.standard_normal(around.shape)
    return crowd, around

"""What a stretch of days may hide: a house that is empty, or up, at the same hours of every day.

A secret is a chain of its own: at its hours the state is what the secret says, elsewhere the house comes and
goes as the model says, from wherever the secret left it.

One house watched for days, many times over: ordinary lives, and lives with a secret.

Every repetition draws a life of the house, unit Laplace noise, and what everyone else used around its mean:
per group who is at home is a linear chain with the model's variance and its covariance with the next step
(`rtp.mechanisms.kalman`), and consumption given that is white. They are the same for all mechanisms and
budgets, so that differences between those are their own.

What all mechanisms, observers and budgets have in common when a house is watched for days.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import Generator

from rtp.attack.beliefs import chains_of
from rtp.core.random import Stream, generators, seed_of
from rtp.core.types import Bools, Floats
from rtp.mechanisms import Mechanism
from rtp.mechanisms.kalman import chain
from rtp.simulation import Market
from rtp.street.draw import Use
from rtp.street.moments import DemandMoments


@dataclass(frozen=True, kw_only=True)
class HouseChain:
    """One house's chain over T steps."""

    initial: float
    leave: Floats  # (T − 1,) from each step to the next
    arrive: Floats

    def occupied(self) -> Floats:
        """(T,): Pr[occupied] before any rate."""
        chance = [self.initial]
        for leave, arrive in zip(self.leave.tolist(), self.arrive.tolist(), strict=True):
            chance.append(chance[-1] * (1 - leave) + (1 - chance[-1]) * arrive)
        return np.array(chance)


@dataclass(frozen=True, kw_only=True)
class Hypothesis:
    label: str
    words: str  # "the house is …"
    occupied: bool  # what the house is at those hours
    start: int  # hour of the day
    end: int  # the same as `start`: all day long

    def hours(self, steps: int, steps_per_day: int) -> Bools:
        """(T,): the steps at which the state is given."""
        hour = np.arange(steps) % steps_per_day * 24 / steps_per_day
        if self.start < self.end:
            return np.asarray((hour >= self.start) & (hour < self.end))
        return np.asarray((hour >= self.start) | (hour < self.end))

    def kept_by(self, chain: HouseChain, steps_per_day: int) -> HouseChain:
        """The chain of a house that keeps this secret."""
        given = self.hours(len(chain.leave) + 1, steps_per_day)
        state = float(self.occupied)
        return HouseChain(
            initial=state if given[0] else chain.initial,
            leave=np.where(given[1:], 1 - state, chain.leave),
            arrive=np.where(given[1:], state, chain.arrive),
        )


HYPOTHESES = {
    "holiday": Hypothesis(
        label="A holiday", words="empty all along, day and night", occupied=False, start=0, end=0
    ),
    "working hours": Hypothesis(
        label="Nobody home 9–17", words="empty from 09:00 to 17:00 every day", occupied=False, start=9, end=17
    ),
    "up at night": Hypothesis(
        label="Up in the night", words="up from 23:00 to 07:00 every night", occupied=True, start=23, end=7
    ),
}


@dataclass(frozen=True, kw_only=True)
class House:
    use: Use  # of this one house
    ordinary: HouseChain
    secret: HouseChain
    others: DemandMoments  # what the model expects of everyone else
    steps_per_day: int

    @cached_property
    def moments(self) -> tuple[Floats, Floats]:
        """Mean and variance of its use, (2,) each, empty and occupied."""
        mean, variance = self.use.moments()
        return mean[:, 0], variance[:, 0]

    @property
    def steps(self) -> int:
        return len(self.ordinary.leave) + 1

    @property
    def chains(self) -> tuple[HouseChain, HouseChain]:
        return self.ordinary, self.secret

    def moves(self) -> tuple[Floats, Floats]:
        """(leave, arrive), each (2, T): of an ordinary life, and of the secret."""
        leave, arrive = (
            np.array([np.append(getattr(chain, name), 0.0) for chain in self.chains])
            for name in ("leave", "arrive")
        )
        return leave, arrive


@dataclass(frozen=True, kw_only=True)
class Readings:
    """A day of every repetition, (its steps, 2, R): ordinary lives, then the secret."""

    used: Floats
    crowd: Floats  # everyone else's use less its mean
    noise: Floats  # unit Laplace


def without(street: DemandMoments, group: int, chain: HouseChain, use: Use) -> DemandMoments:
    """What a model expects of the street but for one house."""
    ((m0,), (m1,)), ((v0,), (v1,)) = use.moments()
    chance, swing = chain.occupied(), m1 - m0
    own = {
        "occupancy_variance": swing**2 * chance * (1 - chance),
        "lag1_covariance": swing**2 * chance * (1 - chance) * np.append(1 - chain.leave - chain.arrive, 0.0),
        "consumption_variance": chance * v1 + (1 - chance) * v0,
    }
    rest = {name: getattr(street, name).copy() for name in own}
    for name, moments in own.items():
        rest[name][group] -= moments
    for name in ("occupancy_variance", "consumption_variance"):
        rest[name] = np.where(rest[name] > 1e-12 * getattr(street, name), rest[name], 0.0)
    return replace(street, **rest)


def readings(rng: Generator, house: House, count: int) -> Iterator[Readings]:
    """Day by day, so many repetitions of both lives."""
    leave, arrive = (chances[..., None] for chances in house.moves())
    state = rng.random((2, count)) < np.array([[chain.initial] for chain in house.chains])
    around = np.zeros((len(house.others.occupancy_variance), 2, count))
    for first in range(0, house.steps, house.steps_per_day):
        steps = range(first, min(first + house.steps_per_day, house.steps))
        moves = rng.random((len(steps), 2, count))
        states = np.empty(moves.shape, dtype=bool)
        for i, step in enumerate(steps):
            states[i] = state
            state = np.where(state, moves[i] >= leave[:, step], moves[i] < arrive[:, step])
        used = house.use.at(states[..., None], rng.random(moves.shape)[..., None])[..., 0]
        noise = rng.laplace(size=moves.shape)
        crowd = rng.standard_normal(moves.shape)
        around = _gather(rng, house.others, steps, around, crowd)
        yield Readings(used=used, crowd=crowd, noise=noise)


def _gather(rng: Generator, others: DemandMoments, steps: range, around: Floats, crowd: Floats) -> Floats:
    """Turns white noise (k, 2, R) into a crowd, in place; gives the state, (G, 2, R), of the next step."""
    F, Q = chain(others)
    consumption = np.sqrt(others.consumption_variance.sum(axis=0))
    for i, step in enumerate(steps):
        if step == 0:
            around = np.sqrt(others.occupancy_variance[:, 0])[:, None, None] * rng.standard_normal(
                around.shape
            )
        crowd[i] = consumption[step] * crowd[i] + around.sum(axis=0)
        if step < Q.shape[1]:
            fresh = np.sqrt(Q[:, step])[:, None, None] * rng.standard_normal(around.shape)
            around = F[:, step, None, None] * around + fresh
    return around


def watched_house(known: Market, house: int, secret: Hypothesis) -> House:
    life = known.life
    chains = chains_of(life.spec, life.street, 0, np.array([house]))
    moves = [chains.chances(step) for step in range(life.spec.steps - 1)]
    chain = HouseChain(
        initial=float(chains.initial[0]),
        leave=np.array([leave[0] for leave, _ in moves]),
        arrive=np.array([arrive[0] for _, arrive in moves]),
    )
    use = life.street.use(slice(house, house + 1))
    group = int(life.street.group[house])
    return House(
        use=use,
        ordinary=chain,
        secret=secret.kept_by(chain, life.spec.steps_per_day),
        others=without(life.true_moments, group, chain, use),
        steps_per_day=life.spec.steps_per_day,
    )


def width(known: Market, mechanism: Mechanism, epsilon: float) -> Floats:
    """(T,): the noise's scale in the unit of consumption; infinite where demand plays no part."""
    scale = mechanism.scale(known.at(epsilon)).scale
    return scale / known.tariff.alpha if mechanism.reads_demand else np.full_like(scale, np.inf)


@dataclass(frozen=True)
class Shared:
    """The lives, crowds and unit noise that all mechanisms, observers and budgets have in common."""

    house: House
    seed: int
    count: int

    def days(self) -> Iterator[Readings]:
        (rng,) = generators(seed_of(self.seed, Stream.STRETCHES), 1)
        return readings(rng, self.house, self.count)

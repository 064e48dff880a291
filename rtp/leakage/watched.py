"""One house watched for days, many times over: ordinary lives, and lives with a secret.

Every repetition draws a life of the house, unit Laplace noise, and what everyone else used around its mean:
per group who is at home is a linear chain with the model's variance and its covariance with the next step
(`rtp.mechanisms.kalman`), and consumption given that is white. They are the same for all mechanisms and
budgets, so that differences between those are their own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import Generator

from rtp.core.types import Floats
from rtp.leakage.secret import HouseChain
from rtp.mechanisms.kalman import chain
from rtp.street.outlook import Outlook
from rtp.street.use import Use


@dataclass(frozen=True, kw_only=True)
class House:
    use: Use  # of this one house
    ordinary: HouseChain
    secret: HouseChain
    others: Outlook  # what the model expects of everyone else
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


def without(street: Outlook, group: int, chain: HouseChain, use: Use) -> Outlook:
    """What a model expects of the street but for one house."""
    ((m0,), (m1,)), ((v0,), (v1,)) = use.moments()
    chance, swing = chain.occupied(), m1 - m0
    own = {
        "presence": swing**2 * chance * (1 - chance),
        "carried": swing**2 * chance * (1 - chance) * np.append(1 - chain.leave - chain.arrive, 0.0),
        "consumption": chance * v1 + (1 - chance) * v0,
    }
    rest = {name: getattr(street, name).copy() for name in own}
    for name, moments in own.items():
        rest[name][group] -= moments
    for name in ("presence", "consumption"):
        rest[name] = np.where(rest[name] > 1e-12 * getattr(street, name), rest[name], 0.0)
    return replace(street, **rest)


def readings(rng: Generator, house: House, count: int) -> Iterator[Readings]:
    """Day by day, so many repetitions of both lives."""
    leave, arrive = (chances[..., None] for chances in house.moves())
    state = rng.random((2, count)) < np.array([[chain.initial] for chain in house.chains])
    around = np.zeros((len(house.others.presence), 2, count))
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


def _gather(rng: Generator, others: Outlook, steps: range, around: Floats, crowd: Floats) -> Floats:
    """Turns white noise (k, 2, R) into a crowd, in place; gives the state, (G, 2, R), of the next step."""
    F, Q = chain(others)
    consumption = np.sqrt(others.consumption.sum(axis=0))
    for i, step in enumerate(steps):
        if step == 0:
            around = np.sqrt(others.presence[:, 0])[:, None, None] * rng.standard_normal(around.shape)
        crowd[i] = consumption[step] * crowd[i] + around.sum(axis=0)
        if step < Q.shape[1]:
            fresh = np.sqrt(Q[:, step])[:, None, None] * rng.standard_normal(around.shape)
            around = F[:, step, None, None] * around + fresh
    return around

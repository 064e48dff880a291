"""What all mechanisms, observers and budgets have in common when a house is watched for days."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rtp.attack.beliefs import chains_of
from rtp.core.random import Stream, generators, seed_of
from rtp.core.types import Floats
from rtp.leakage.secret import HouseChain, Secret
from rtp.leakage.watched import House, Readings, readings, without
from rtp.mechanisms import Mechanism
from rtp.simulation import Market


def watched_house(known: Market, house: int, secret: Secret) -> House:
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
        others=without(life.truth, group, chain, use),
        steps_per_day=life.spec.steps_per_day,
    )


def width(known: Market, mechanism: Mechanism, epsilon: float) -> Floats:
    """(T,): the noise's scale in the unit of consumption; infinite where demand plays no part."""
    scale = mechanism.noise(known.at(epsilon)).scale
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

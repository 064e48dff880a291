"""A street's day as far as the headline numbers need it, under each reading of what bounds the noise.

`as lived` is the lab's own: every house's bounds are drawn once, and Algorithm 1 takes the larger of the two.
`redrawn` draws them anew at every step. `in state` takes the bound of the state that a house is in just now,
which no curator may do: see `rtp.paper.in_state`.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from rtp.core.random import Stream, generator
from rtp.core.types import Floats
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.mechanisms.calibrated import widest
from rtp.paper.in_state import bounds_in_state
from rtp.paper.reproduction import MECHANISMS
from rtp.scenario import Scenario
from rtp.simulation import market
from rtp.street.days import households
from rtp.street.life import Life

Reading = Literal["as lived", "redrawn", "in state"]


class World(NamedTuple):
    """One street's day as far as the headline numbers need it."""

    optimal: Floats  # (T,)
    scale: Floats  # (3, T), in the order of MECHANISMS
    dropping: int  # steps in which Blowfish protects fewer than all houses
    occupancy: Floats  # (T,) expected mean
    consumption: Floats  # (T,) expected mean


def as_lived(scenario: Scenario, life: Life) -> World:
    """The day as the simulation prices it."""
    known = market(scenario, life)
    return World(
        optimal=known.tariff.rate(life.demand),
        scale=np.array([REGISTRY[name].noise(known.public).scale for name in MECHANISMS]),
        dropping=int(np.sum(life.kinds.protected_houses < scenario.households)),
        occupancy=life.truth.occupied.sum(axis=0) / scenario.households,
        consumption=life.truth.expected_demand / scenario.households,
    )


def redrawn(scenario: Scenario, life: Life) -> World:
    """The same comings and goings, with every house's bounds drawn anew at every step.

    A mechanism that sees this step's bounds has this step's maximum, over the houses still protected.
    """
    before = as_lived(scenario, life)
    rng = generator(scenario.seed, Stream.PAPER_BOUNDS)
    group = life.street.group
    occupied_max = np.array([g.occupied_max for g in scenario.groups])[group]
    empty_max = np.array([g.empty_max for g in scenario.groups])[group]
    states, _ = households(life.spec, life.street, range(scenario.households))
    occupied, empty = rng.random(states.shape) * occupied_max, rng.random(states.shape) * empty_max
    demand = (rng.random(states.shape) * np.where(states, occupied, empty)).sum(axis=1)
    protected = life.kinds.protected[:, life.kinds.of_house]
    largest = np.where(protected, np.maximum(occupied, empty), 0.0).max(axis=1)
    epsilons = np.array([scenario.epsilon])
    # A house that needs no protection is one whose two bounds agree: it asks for no noise.
    least = [
        widest(np.where(p, u, 0.0), np.where(p, v, 0.0), epsilons)[0][0]
        for p, u, v in zip(protected, occupied, empty, strict=True)
    ]
    shares = life.truth.occupied / np.bincount(group, minlength=len(scenario.groups))[:, None]
    mean = sum(
        g.share * (share * g.occupied_max + (1 - share) * g.empty_max) / 4
        for g, share in zip(scenario.groups, shares, strict=True)
    )
    return World(
        optimal=market(scenario, life).tariff.rate(demand),
        scale=np.array(
            [before.scale[0], scenario.alpha * largest / scenario.epsilon, scenario.alpha * np.array(least)]
        ),
        dropping=before.dropping,
        occupancy=before.occupancy,
        consumption=np.asarray(mean),
    )


def in_state(scenario: Scenario, life: Life) -> World:
    """Algorithm 1 with the bounds of the states that the protected houses are in."""
    before = as_lived(scenario, life)
    protected = life.kinds.protected[:, life.kinds.of_house]
    largest = np.where(protected, bounds_in_state(life), 0.0).max(axis=1)
    scale = before.scale.copy()
    scale[MECHANISMS.index(FEATURED)] = scenario.alpha * largest / scenario.epsilon
    return before._replace(scale=scale)


WORLDS: dict[Reading, Callable[[Scenario, Life], World]] = {
    "as lived": as_lived,
    "redrawn": redrawn,
    "in state": in_state,
}

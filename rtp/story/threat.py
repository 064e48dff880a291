"""What is at stake: the public price of a day, one house, and what an observer makes of it.

She sees nothing but the published rates, knows how the people of the street usually live and how much each
house may use, and judges every moment at the end of the day. She reads the unprotected rates, or the private
ones. On a long street the many blur each other already, so the story is told on one of `FEW` houses, drawn
from the same scenario, where the unprotected price betrays them; the street at hand can be asked as well.

Only the private half depends on ε: `stake` holds all the rest.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rtp.attack.adversary import largest_gap, posterior
from rtp.attack.beliefs import chains_of, model_only
from rtp.attack.observation import observe
from rtp.core.types import Bools, Floats
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.scenario import Scenario, edit
from rtp.simulation import Day
from rtp.story.chances import Chances, chances, chances_by_law
from rtp.story.reading import beliefs
from rtp.street.simulate import replay_houses

FEW = 2  # houses of the street on which the story is told
MOST = 5_000  # houses up to which she is followed while one waits


def small(scenario: Scenario) -> Scenario:
    """The same scenario on a street of few houses, for a day."""
    one_day = scenario.replace(days=1)
    return one_day if scenario.households <= FEW else edit.of_size(one_day, FEW)


@dataclass(frozen=True, kw_only=True)
class Stake:
    """One house of a street, and all about it that ε does not change. Arrays are (T,)."""

    house: int
    occupied: Bools  # the truth
    guess: Floats  # Pr[occupied] by habits alone, without any rate
    unprotected: Floats  # Pr[occupied | all unprotected rates of the day]


@dataclass(frozen=True, kw_only=True)
class Threat:
    """The stake, and what noise makes of it."""

    stake: Stake
    private: Floats  # Pr[occupied | all private rates of the day], (T,)

    @property
    def belief(self) -> Mapping[str, Floats]:
        """By mechanism."""
        return {UNPROTECTED: self.stake.unprotected, FEATURED: self.private}


def stake(day: Day) -> Stake:
    """Of the house whose mean use differs most between its states: everybody knows how much houses may use,
    so nobody's luck chooses it."""
    house, spec = largest_gap(day.street), day.life.spec
    chains = chains_of(spec, day.street, 0, np.array([house]))
    return Stake(
        house=house,
        occupied=replay_houses(spec, day.street, [house])[0][:, 0],
        guess=model_only(chains, day.scenario.steps)[:, 0],
        unprotected=_read(day, UNPROTECTED, house),
    )


def threat(day: Day, known: Stake) -> Threat:
    return Threat(stake=known, private=_read(day, FEATURED, known.house))


def _read(day: Day, mechanism: str, house: int) -> Floats:
    """Her belief about one house at the end of the day, taking the model that generates it for true."""
    if day.scenario.households > FEW:
        model = day.scenario.model_names[0]
        return posterior(day, mechanism, inference="smoothing", house=house, model=model).belief[:, 0]
    release, street = day.release[mechanism], day.street
    seen = observe(REGISTRY[mechanism], day.market.public, release.rate, release.scale)
    chains = chains_of(day.life.spec, street, 0, np.arange(day.scenario.households))
    return np.asarray(beliefs(seen, street, chains)[:, house])


def right(found: Threat, belief: Floats) -> float:
    """At which share of the moments the likelier state was the true one."""
    return float(np.mean((belief >= 0.5) == found.stake.occupied))


def price_chances(day: Day, known: Stake, step: int) -> Chances | None:
    """That the private price of a step makes an observer believe the house is occupied; None where habits
    alone settle it. A rate that is cut at 0 afterwards tells less."""
    if known.guess[step] in (0, 1):
        return None
    release, street, house = day.release[FEATURED], day.street, known.house
    seen = observe(REGISTRY[FEATURED], day.market.public, release.rate, release.scale)
    b = float(seen.b[step])
    if street.distributions is not None:
        return chances_by_law(b, street.distributions.only(np.array([house])))
    return chances(b, float(street.occupied_bound[house]), float(street.empty_bound[house]))

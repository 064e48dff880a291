"""The observer at one house of the feeder: what she makes of the rates of its real days, and what they spend.

A replayed piece is a day like any other, so `rtp.attack` and `rtp.leakage` are asked as they are, with the
replay's own rates, habits and consumption laws. It is the first piece: the span, or its first four weeks.

She is judged by who was at home, where the readings say it. Where they do not it is a guess: the likelier
state given all readings of the house's day under the same habits and laws, which is what an insider believes
at the end of a day of exact rates. Judged by it she is, with such rates, right by construction; what noise
takes from her is real.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rtp.attack.adversary import BY_KNOWLEDGE, AdversaryKind, Posterior, largest_gap, posterior
from rtp.attack.success import Attack, attack_of_the_day
from rtp.core.types import Bools, Floats
from rtp.leakage.moment import MomentLeakage, leakage_by_mechanism, step_evidence
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.meters.replaying import Replay
from rtp.scenario import must_be_one_of
from rtp.simulation import Day


@dataclass(frozen=True, kw_only=True)
class Watched:
    """One house. By mechanism: her beliefs, the leak of every moment, and the loss spent on it, (T,)."""

    name: str
    house: int  # its number on the day's street
    day: Day
    first_date: str
    occupied: Bools  # (T,)
    given: bool  # whether the readings say all of it
    seen: Mapping[str, Posterior]
    leak: Mapping[str, MomentLeakage]
    spent: Mapping[str, Floats]

    @cached_property
    def attack(self) -> Attack:
        """How well she does, counted."""
        return attack_of_the_day(self.day.scenario, list(self.seen.values()), self.occupied[:, None])


def watch(
    replay: Replay,
    house: str | None = None,
    *,
    knows: str = "others",
    mechanisms: Sequence[str] | None = None,
) -> Watched:
    """A house by its name or, without one, that whose state shows best in the demand; every mechanism, or
    some. She believes the first model."""
    must_be_one_of("house", house, [None, *replay.houses])
    must_be_one_of("knows", knows, BY_KNOWLEDGE)
    day = replay.pieces[0]
    if house is None:
        number = largest_gap(day.street)
    else:
        number = int(np.flatnonzero(replay.order == replay.houses.index(house))[0])
    names = list(REGISTRY) if mechanisms is None else list(mechanisms)
    model = day.scenario.model_names[0]
    occupied, given = _occupancy(replay, number)
    return Watched(
        name=replay.houses[replay.order[number]],
        house=number,
        day=day,
        first_date=replay.first_date,
        occupied=occupied,
        given=given,
        seen={name: _one(day, name, number, BY_KNOWLEDGE[knows], model) for name in names},
        leak=leakage_by_mechanism(day, names, number),
        spent={name: _spent(day, name, number) for name in names},
    )


def _one(day: Day, mechanism: str, house: int, adversary: AdversaryKind, model: str) -> Posterior:
    return posterior(day, mechanism, adversary=adversary, house=house, model=model)


def _occupancy(replay: Replay, house: int) -> tuple[Bools, bool]:
    """(T,), and whether it is all given."""
    day = replay.pieces[0]
    given = None if replay.occupied is None else replay.occupied[replay.order[house]]
    if given is not None and np.isfinite(given).all():
        return given > 0, True
    model = day.scenario.model_names[0]
    guess = posterior(day, UNPROTECTED, adversary="insider", inference="smoothing", house=house, model=model)
    likelier = guess.belief[:, 0] >= 0.5
    return likelier if given is None else np.where(np.isnan(given), likelier, given > 0), False


def _spent(day: Day, mechanism: str, house: int) -> Floats:
    """What each rate leaves to learn about the house; nothing where every model is certain of it."""
    losses = step_evidence(day, mechanism, np.array([house])).loss[:, 0]
    return np.where(
        day.street_day.support_classes.protected[:, day.street_day.support_classes.of_house[house]],
        losses,
        0.0,
    )

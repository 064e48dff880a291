"""The strongest attack: the unprotected rate, and she knows what everyone else used.

Then one subtraction leaves what a single house used. This is whom a promise must hold against: with noise the
same subtraction leaves the house's use and the noise.
"""

from typing import NamedTuple

import numpy as np

from rtp.attack.observer import Horizon, posterior
from rtp.attack.roc import tally
from rtp.mechanisms import UNPROTECTED
from rtp.simulation import Day
from rtp.street.simulate import replay_houses

IF = "If she knew what everyone else used, she would be"


class Strongest(NamedTuple):
    houses: int  # that were attacked
    right: float  # share of their moments at which the likelier state was the true one
    alone: float  # the same by the model alone


def strongest(day: Day, house: int | None = None, horizon: Horizon = "so far") -> Strongest:
    """On the day at hand, of one house or of all; she believes the model that people live by."""
    first = day.scenario.model_names[0]
    seen = posterior(day, UNPROTECTED, knows="others", horizon=horizon, house=house, model=first)
    occupied = replay_houses(day.life.spec, day.street, seen.houses.tolist())[0]
    right, alone = (
        tally(occupied, belief, seen.prior, np.zeros_like(belief)).right / occupied.size
        for belief in (seen.belief, seen.model_only)
    )
    return Strongest(len(seen.houses), right, alone)


def strongest_words(found: Strongest, known: bool) -> str:
    """Announced before it is chosen, and told once it is."""
    whose = f"all {found.houses:,} houses" if found.houses > 1 else "this house"
    begin = "She knows what everyone else used, and is" if known else IF
    return (
        f"**The strongest attack.** {begin} right from the unprotected rate at **{found.right:.1%}** of the "
        f"moments of {whose}, where the model alone is right at {found.alone:.1%}. Of a private rate, only "
        "the noise is then between her and a house."
    )

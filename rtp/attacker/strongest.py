"""The strongest attack: the unprotected rate, and she knows what everyone else used.

Then one subtraction leaves what a single house used. This is whom a promise must hold against: with noise the
same subtraction leaves the house's use and the noise.
"""

from typing import NamedTuple

import numpy as np

from rtp.attacker.observer import posterior
from rtp.attacker.roc import tally
from rtp.mechanisms import UNPROTECTED
from rtp.simulation import Day
from rtp.street.days import households


class Strongest(NamedTuple):
    houses: int  # that were attacked
    right: float  # share of their moments at which the likelier state was the true one
    alone: float  # the same by the model alone


def strongest(day: Day, house: int | None = None) -> Strongest:
    """On the day at hand, of one house or of all; she believes the model that people live by."""
    seen = posterior(day, UNPROTECTED, knows="others", house=house, model=day.scenario.model_names[0])
    occupied = households(day.life.spec, day.street, seen.houses.tolist())[0]
    right, alone = (
        tally(occupied, belief, seen.prior, np.zeros_like(belief)).right / occupied.size
        for belief in (seen.belief, seen.model_only)
    )
    return Strongest(len(seen.houses), right, alone)


def strongest_words(found: Strongest, known: bool) -> str:
    """Announced before it is chosen, and told once it is."""
    whose = f"all {found.houses:,} houses" if found.houses > 1 else "this house"
    does = "is" if known else "would be"
    begin = "She knows" if known else "If she knew"
    return (
        f"**The strongest attack.** {begin} what everyone else used: from the unprotected rate she {does} "
        f"right at **{found.right:.1%}** of the moments of {whose}, where the model alone is right at "
        f"{found.alone:.1%}. Of a private rate, only the noise is then between her and a house."
    )

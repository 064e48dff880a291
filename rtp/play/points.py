"""Points of a round: one for every right guess, and one for every step at which nobody guessed the house
right.

So it pays to read the price, and to be hard to read: under an optimal rate who does what nobody expects,
under a private one everybody.
"""

from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools
from rtp.play.round import Round


class Points(NamedTuple):
    """What a house has won in a round."""

    right: int = 0  # right guesses
    hidden: int = 0  # steps at which nobody guessed it right

    @property
    def total(self) -> int:
        return self.right + self.hidden


NO_POINTS = Points()


def count_points(played: Round, at_home: Bools, steps: int) -> dict[int, Points]:
    """Return the points of every house that played in the first steps, by house; `at_home` is the truth."""
    right = np.zeros(played.houses, dtype=int)
    seen = np.zeros((steps, played.houses), dtype=bool)
    for guess in played.guesses:
        if guess.step < steps and guess.at_home == at_home[guess.step, guess.house]:
            right[guess.player] += 1
            seen[guess.step, guess.house] = True
    plays = np.array([[played.plays(h, t) for h in range(played.houses)] for t in range(steps)], dtype=bool)
    plays = plays.reshape(steps, played.houses)
    hidden = (plays & ~seen).sum(axis=0)
    return {
        house: Points(int(right[house]), int(hidden[house]))
        for house in range(played.players)
        if plays[:, house].any()
    }

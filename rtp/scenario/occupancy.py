"""What *occupied* means: the word has two meanings, and a scenario says which is its own.

*Up and about* is the paper's, and what a meter shows: who goes to sleep leaves, who gets up arrives. *At
home* counts those who sleep. Which of the two it is changes no formula; it changes what the moves of a night
are called, and what an empty house may be.
"""

from typing import Literal, NamedTuple, get_args

OccupiedMeans = Literal["up and about", "at home"]
MEANINGS: tuple[OccupiedMeans, ...] = get_args(OccupiedMeans)
UP, HOME = MEANINGS
NIGHT_HOUR = 3.0  # a period that contains it is the night

SENTENCES: dict[OccupiedMeans, str] = {
    UP: "Occupied = at home and awake. Falling asleep counts as leaving, waking up as arriving.",
    HOME: "Occupied = somebody is there, asleep or awake. A shop is occupied while it is open.",
}
STATES: dict[OccupiedMeans, tuple[str, str]] = {  # what a house is: empty, occupied
    UP: ("away, asleep or quiet", "up and about"),
    HOME: ("away", "at home"),
}


class Moves(NamedTuple):
    """What a house does when its state changes."""

    leave: str
    arrive: str


MOVES = Moves("leaving", "arriving")
TO_BED = Moves("going to bed", "getting up")


def moves(means: OccupiedMeans, start: float, end: float) -> Moves:
    """What the moves of a period are called that lasts from one hour of the day to another."""
    night = (NIGHT_HOUR - start) % 24 < ((end - start) % 24 or 24)
    return TO_BED if night and means == UP else MOVES

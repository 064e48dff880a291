"""Three experiments for a class: moves that show what decides the noise, each with a question to ask."""

from typing import NamedTuple

import numpy as np

from rtp.classroom.lesson import Lesson
from rtp.classroom.moves import Move, Moves, Never
from rtp.scenario import BOUNDS

GIANT = 4.0  # times the largest house
LOOK = 8  # the step to look at, 02:00, unless nobody is protected until later


class Experiment(NamedTuple):
    title: str
    question: str
    moves: Moves
    step: int


def experiments(street: Lesson) -> list[Experiment]:
    """For the street as it is: one known house, no secret house, one giant house."""
    bound = street.street.bound
    look = _first_secret(street)
    setter = int(street.release.setter[look])
    big = setter if setter >= 0 else int(bound.argmax())
    secret = np.flatnonzero(street.protected[look]).tolist() or range(street.houses)
    small = min(secret, key=bound.__getitem__)
    giant = min(GIANT * float(bound.max()), BOUNDS["occupied_max"].high)
    until = street.scenario.when(_period_ends(street, look))
    return [
        Experiment(
            "One house is no secret",
            f"House {big} set the noise. Now everyone knows that it is empty until {until}. Who gets a "
            f"better price signal, and is house {big} worse off?",
            {big: _known_empty(street, big, look)},
            look,
        ),
        Experiment(
            "Nobody is a secret",
            f"The whole street is known to be empty until {until}, and the exact rate is published. What "
            "does the price still tell, and about whom?",
            {h: _known_empty(street, h, look) for h in range(street.houses)},
            look,
        ),
        Experiment(
            "A giant moves in",
            f"House {small} can now use {giant:.3g}, {giant / bound.max():g} times as much as the largest "
            "house. Why does everyone's price get noisier, and who is protected better than before?",
            {small: Move(bound=giant)},
            look,
        ),
    ]


def _first_secret(street: Lesson) -> int:
    """The first step, from LOOK on, at which somebody is protected; LOOK where nobody ever is."""
    later = np.flatnonzero(street.release.protected[LOOK:] > 0)
    return LOOK + int(later[0]) if len(later) else LOOK


def _known_empty(street: Lesson, house: int, look: int) -> Move:
    """Surely empty at the start, and not arriving in any period up to that step, under any model."""
    group = int(street.street.group[house])
    so_far = {int(period) for model in street.spec.schedules for period in model[group].period[: look + 1]}
    return Move(start=0, never=frozenset(Never(period, 0, 1) for period in so_far))


def _period_ends(street: Lesson, look: int) -> int:
    """When the first of the houses' periods that contain that step is over."""
    groups = {int(g) for g in street.street.group}
    runs = [run for model in street.spec.schedules for g in groups for run in model[g].runs]
    return min(end for start, end, _ in runs if start <= look < end)

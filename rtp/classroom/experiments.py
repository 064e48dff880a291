"""Experiments for a class: a question, answers to choose from, the moves that try it, and what came of it.

Each is about the street the stage opened on and is offered only where what it says is true there: no noise
can fall, vanish or grow where nobody is protected. The right answer is never written down; it is read off the
two lessons.
"""

from dataclasses import dataclass

import numpy as np

from rtp.classroom.lesson import Lesson
from rtp.classroom.moves import Move, Moves
from rtp.classroom.opening import known_empty
from rtp.scenario import BOUNDS

GIANT = 4.0  # times the largest house
LOOK = 2  # the hour to look at, unless nobody is protected until later
KNOWN, NOBODY, GIANT_HOUSE, POSTERIOR = KEYS = ("known", "nobody", "giant", "posterior")
NOISE_ANSWERS = ("it falls", "it stays", "it grows")
NONE_ANSWERS = ("as much as before", "less, but some", "none at all")
LEAVES_ANSWERS = ("yes, some house leaves κ", "no, κ does not change")
PAPER_SAYS = (
    "An adversary […] may conclude that some states are impossible to happen observing the rates, i.e. there "
    "may exist states with zero prior probability in (2)."
)


@dataclass(frozen=True)
class Experiment:
    key: str
    title: str
    question: str
    answers: tuple[str, ...]
    moves: Moves
    step: int  # to look at


def experiments(street: Lesson) -> list[Experiment]:
    """Those that say something true on the street as the stage opened it."""
    look = _first_noise(street)
    if look is None:
        return []
    bound, until = street.street.bound, street.scenario.when(_period_ends(street, look))
    known = _known(street, look, until, int(street.release.setter[look]))
    found = [known, _nobody(street, look, until)]
    giant = min(GIANT * float(bound.max()), BOUNDS["occupied_max"].high)
    if giant > bound.max():
        secret = np.flatnonzero(street.protected[look]).tolist()
        found.append(_giant(street, look, min(secret, key=bound.__getitem__), giant))
    return [*found, _posterior(street)]


def _known(street: Lesson, look: int, until: str, house: int) -> Experiment:
    return Experiment(
        KNOWN,
        "One house is no secret",
        f"House {house} sets the noise. Suppose everyone knows that it is empty until {until}. What happens "
        f"to the noise, who gets a better price signal, and is house {house} worse off?",
        NOISE_ANSWERS,
        {**street.moves, house: known_empty(street.spec, street.street, house, look)},
        look,
    )


def _nobody(street: Lesson, look: int, until: str) -> Experiment:
    return Experiment(
        NOBODY,
        "Nobody is a secret",
        f"Suppose the whole street is known to be empty until {until}. How much noise does the rate get, and "
        "what does the price still tell?",
        NONE_ANSWERS,
        {h: known_empty(street.spec, street.street, h, look) for h in range(street.houses)},
        look,
    )


def _giant(street: Lesson, look: int, house: int, giant: float) -> Experiment:
    times = giant / street.street.bound.max()
    move = street.moves.get(house, Move())
    return Experiment(
        GIANT_HOUSE,
        "A giant moves in",
        f"Suppose house {house} could use {giant:.3g}, {times:.3g} times as much as the largest house. What "
        "happens to everyone's noise, and who is protected better than before?",
        NOISE_ANSWERS,
        {**street.moves, house: Move(start=move.start, never=move.never, bound=giant, model=move.model)},
        look,
    )


def _posterior(street: Lesson) -> Experiment:
    return Experiment(
        POSTERIOR,
        "Does learning change κ?",
        f"The paper says: “{PAPER_SAYS}” Let the algorithm see the rates of the whole day and learn from "
        "each. Does any house leave κ because of what the rates told?",
        LEAVES_ANSWERS,
        street.moves,
        street.scenario.steps - 1,
    )


def _first_noise(street: Lesson) -> int | None:
    """The first step, from LOOK on, at which somebody is protected; None where nobody ever is."""
    start = LOOK * street.scenario.steps // 24
    later = np.flatnonzero(street.release.scale[start:] > 0)
    return start + int(later[0]) if len(later) else None


def _period_ends(street: Lesson, look: int) -> int:
    """When the first of the houses' periods that contain that step is over."""
    groups = {int(g) for g in street.street.group}
    runs = [run for model in street.spec.schedules for g in groups for run in model[g].runs]
    return min(end for start, end, _ in runs if start <= look < end)

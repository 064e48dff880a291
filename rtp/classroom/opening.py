"""The street the stage opens on: one where the algorithm has something to leave out.

On the paper's own street every house is uncertain at every step, so lines 5 to 7 keep all states, pairs and
houses, and a class sees nothing of what the algorithm is about. The stage therefore opens with one house that
everybody knows to be empty in the first period of the day: the one with the smallest bound, so that the noise
is still the street's own. Where the models are certain about some house already, or about all, nothing is
done.
"""

from rtp.classroom.lesson import Lesson
from rtp.classroom.moves import Move, Moves, Never, describe
from rtp.scenario import Scenario
from rtp.simulation import street_spec
from rtp.street.draw import Street, StreetSpec


def opening(small: Scenario) -> Moves:
    """The moves with which the stage opens on a small street."""
    spec = street_spec(small)
    street = spec.draw()
    uncertain = [any(0 < model[g].initial < 1 for model in spec.schedules) for g in street.group.tolist()]
    if not all(uncertain):
        return {}
    house = int(street.bound.argmin())
    return {house: known_empty(spec, street, house, 0)}


def known_empty(spec: StreetSpec, street: Street, house: int, step: int) -> Move:
    """Surely empty at the start, and not arriving in any period up to that step, under any model."""
    group = int(street.group[house])
    so_far = {int(period) for model in spec.schedules for period in model[group].period[: step + 1]}
    return Move(start=0, never=frozenset(Never(period, 0, 1) for period in so_far))


def opening_words(opened: Lesson) -> str:
    """What was done to the street before the curtain rose; nothing where nothing was."""
    if not opened.moves:
        return ""
    ((house, move),) = opened.moves.items()
    periods = opened.scenario.models[0].habits[int(opened.street.group[house])].all_periods
    return (
        "The stage opens with one certain house, so that lines 5 to 7 have something to leave out: house "
        f"{house} {describe(move, [period.name for period in periods])}. Take that back under “Make a move”."
    )

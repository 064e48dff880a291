"""What a round taught: how often class, observer and habits were right, and what privacy cost.

A share of right guesses is over all houses and steps of the round; where both states are as likely, half a
guess counts as right. The class is scored on the guesses that it made.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rtp.attack.scores import right_guesses
from rtp.core.formatting import percent
from rtp.core.types import Bools, Floats
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.play.round import Round
from rtp.play.street import PlayedStreet, record_street

CLEARLY = 0.1  # more right guesses than by habits alone, from which a price is said to give people away


@dataclass(frozen=True, kw_only=True)
class PlayerScore:
    """How one player guessed."""

    house: int
    answered: int
    right: int


@dataclass(frozen=True, kw_only=True)
class Scores:
    """A round revealed. Shares are of all houses and steps; the class's of the guesses it made."""

    round: Round
    mechanism: str  # of the price that was published
    private: str  # of the private one that it is compared with
    at_home: Bools  # (steps, houses) the truth
    price: Floats  # (steps, streets) as published
    private_price: Floats  # (steps, streets)
    optimal: Floats  # (steps, streets) the exact price
    belief: Floats  # (steps, houses) Pr[at home] from the published price
    private_belief: Floats  # (steps, houses)
    habits: Floats  # (steps, houses) by habits alone
    guessed: int  # guesses that the class made
    class_right: float | None  # share of them; None where there are none
    observer_right: float  # from this price
    unprotected_right: float  # from the exact price
    private_right: float  # from the private one
    habits_right: float  # from habits alone
    missed_percent: float  # what the private price was off in a typical step
    players: tuple[PlayerScore, ...]


def reveal(played: Round) -> Scores:
    """Return the truth of a round beside what everybody made of it."""
    recorded = [record_street(played, street) for street in range(len(played.streets))]
    rates = {
        name: [street.under(name) for street in recorded]
        for name in dict.fromkeys((played.mechanism, UNPROTECTED, played.private))
    }
    own, exact, private = (rates[name] for name in (played.mechanism, UNPROTECTED, played.private))
    at_home = np.hstack([street.at_home for street in own])
    players = player_scores(played, at_home)
    answered, right = (sum(values) for values in zip(*((p.answered, p.right) for p in players), strict=True))
    return Scores(
        round=played,
        mechanism=played.mechanism,
        private=played.private,
        at_home=at_home,
        price=np.column_stack([street.price for street in own]),
        private_price=np.column_stack([street.price for street in private]),
        optimal=np.column_stack([street.optimal for street in exact]),
        belief=_all(own),
        private_belief=_all(private),
        habits=np.hstack([street.habits for street in own]),
        guessed=answered,
        class_right=right / answered if answered else None,
        observer_right=share_right(at_home, _all(own)),
        unprotected_right=share_right(at_home, _all(exact)),
        private_right=share_right(at_home, _all(private)),
        habits_right=share_right(at_home, np.hstack([street.habits for street in own])),
        missed_percent=float(np.sqrt(np.mean([street.missed_percent**2 for street in private]))),
        players=players,
    )


def replay(played: Round, mechanism: str, epsilon: float) -> Scores:
    """Return the same round, choices and guesses as they were, under another rate and budget."""
    return reveal(played.replace(mechanism=mechanism, scenario=played.scenario.replace(epsilon=epsilon)))


def player_scores(played: Round, at_home: Bools) -> tuple[PlayerScore, ...]:
    """Return how each player guessed, against the truth, (steps, houses)."""
    answered, right = np.zeros((2, played.players), dtype=int)
    for guess in played.guesses:
        answered[guess.player] += 1
        right[guess.player] += guess.at_home == at_home[guess.step, guess.house]
    return tuple(
        PlayerScore(house=house, answered=int(answered[house]), right=int(right[house]))
        for house in range(played.players)
    )


def share_right(at_home: Bools, belief: Floats) -> float:
    """Return the share of moments at which the likelier state was the true one."""
    return right_guesses(at_home, belief) / at_home.size


def _all(streets: Sequence[PlayedStreet]) -> Floats:
    return np.hstack([street.belief for street in streets])


def words(scores: Scores) -> str:
    """Return what was learned, in one sentence."""
    label, epsilon = REGISTRY[scores.private].label, scores.round.epsilon
    observer, unprotected, private, habits, missed = (
        percent(share, 2)
        for share in (
            scores.observer_right,
            scores.unprotected_right,
            scores.private_right,
            scores.habits_right,
            scores.missed_percent / 100,
        )
    )
    if scores.mechanism != UNPROTECTED:
        return (
            f"From the {label} price at ε = {epsilon:g} the observer is right {observer} of the time, not "
            f"{unprotected} as from the exact one; habits alone are right {habits}, and the price missed by "
            f"{missed}."
        )
    if scores.observer_right - scores.habits_right < CLEARLY:
        return (
            f"From the exact price the observer is right {observer} of the time, habits alone {habits}: so "
            "many houses hide each other."
        )
    return (
        f"From the exact price the observer is right {observer} of the time, habits alone {habits}; from a "
        f"{label} price at ε = {epsilon:g} she would have been right {private}, and it would have missed by "
        f"{missed}."
    )

"""How often somebody was right in a round, with an interval, and two rounds side by side.

Guesses about one street at one step read the same price, so they hang together: an interval that took each
for a toss of its own would be too short. Wilson's interval of a share is therefore taken with the number of
guesses divided by the design effect, by how much the prices scatter more than single tosses would (Rao and
Scott 1992), at least 1. Where all guesses were right, or none, nothing scatters, and every price counts once.
Student's width in place of the normal one allows for the few prices of a short round.

The difference of two shares has the interval of Newcombe (1998, method 10), made of theirs.
"""

from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np

from rtp.core.stats import Range, student_width
from rtp.core.types import Bools, Floats, Ints
from rtp.play.round import Round


@dataclass(frozen=True, kw_only=True)
class RoundResult:
    """A round that was played, in numbers."""

    number: int  # in its room, from 1; 0: it was played in another
    mechanism: str  # of its rate
    epsilon: float
    per_street: int
    steps: int
    chance: float  # the share that habits alone have right
    guesses: int  # that the class made
    class_right: Range | None  # of these; None where there are none
    observer_right: Range  # of all houses and steps, from the same rate


def share_interval(right: Floats, price: Ints) -> Range:
    """Return the share of right guesses, (n,) from 0 to 1 each, and its interval; `price` says which price
    each was read from."""
    n, share = len(right), float(right.mean())
    _, which = np.unique(price, return_inverse=True)
    prices = int(which.max()) + 1
    of_price = np.bincount(which, right - share)
    effect = n / prices
    if 0 < share < 1 and prices > 1:
        variance = prices / (prices - 1) * float(of_price @ of_price) / n**2
        effect = max(1.0, variance / (share * (1 - share) / n))
    return _wilson(share, n / effect, student_width(max(prices, 2)))


def _wilson(share: float, n: float, width: float) -> Range:
    """Wilson's interval of a share of n independent tosses."""
    middle = (share + width**2 / (2 * n)) / (1 + width**2 / n)
    reach = width * sqrt(share * (1 - share) / n + width**2 / (4 * n**2)) / (1 + width**2 / n)
    return Range(share, max(middle - reach, 0.0), min(middle + reach, 1.0))


def less(before: Range, after: Range) -> Range:
    """Return by how much a share fell, and the interval of that."""
    fell = before.value - after.value
    return Range(
        fell,
        fell - hypot(before.value - before.low, after.high - after.value),
        fell + hypot(before.high - before.value, after.value - after.low),
    )


def belief_share(at_home: Bools, belief: Floats, per_street: int) -> Range:
    """Return how often the likelier state was the true one, both (steps, houses); where both are as likely,
    half a guess is right."""
    right = np.where(belief == 0.5, 0.5, (belief > 0.5) == at_home)
    steps, houses = right.shape
    price = np.arange(steps)[:, None] * houses + np.arange(houses) // per_street
    return share_interval(right.ravel(), price.ravel())


def class_share(played: Round, at_home: Bools) -> Range | None:
    """Return how often the class guessed right; None where it guessed nothing."""
    if not played.guesses:
        return None
    right = [guess.at_home == at_home[guess.step, guess.house] for guess in played.guesses]
    price = [guess.step * played.houses + played.street_of(guess.house) for guess in played.guesses]
    return share_interval(np.array(right, dtype=float), np.array(price))

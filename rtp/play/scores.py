"""What a round taught: how often class and observer were right, and what privacy cost.

A share of right guesses is over all houses and steps of the round; where both states are as likely, half a
guess counts as right. The class is scored on the guesses that it made.

A player has a point for every right guess, and one for every step at which her house was guessed about, by
nobody right, and she guessed, too. So it pays to read the price, and to be hard to read: under an optimal
rate who does what nobody expects, under a private one everybody. Nobody wins by being alone, or idle.

*Intervals.* Guesses about one street at one step read the same price, so they hang together: an interval that
took each for a toss of its own would be too short. Wilson's interval of a share is therefore taken with the
number of guesses divided by the design effect, by how much the prices scatter more than single tosses would
(Rao and Scott 1992), at least 1. Where all guesses were right, or none, nothing scatters, and every price
counts once. Student's width in place of the normal one allows for the few prices of a short round. The
difference of two shares has the interval of Newcombe (1998, method 10), made of theirs.

*Is a private price still useful?* What its noise costs streets of other lengths, and whom it gives away
there. The noise is as wide as the largest house needs, however many houses there are; so the more a street
uses, the less the same noise matters. Both answers are exact, up to a grid, for houses whose people flip a
coin every hour: the houses of a street are then independent, and what they use together has the product of
their characteristic functions. On a grid on which all edges of their use lie, one Fourier transform gives its
distribution, and with that of the noise what a price says of one house: the likelier state is the true one
with probability ½ ∫ max(f(x | away), f(x | at home)) dx.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle, islice
from math import hypot, sqrt
from typing import NamedTuple

import numpy as np

from rtp.core.language import say
from rtp.core.stats import Range, right_guesses, student_width
from rtp.core.types import Bools, Floats, Ints
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, title
from rtp.play.round import AWAY, HOME, Round
from rtp.play.street import PlayedStreet, play_street, record_street

COIN = 0.5  # the share that a coin has right, as houses live by one, too


class Points(NamedTuple):
    """What a house has won in a round."""

    answered: int = 0  # guesses
    right: int = 0  # of these
    hidden: int = 0  # steps at which it guessed, and was guessed about by nobody right

    @property
    def total(self) -> int:
        return self.right + self.hidden


NO_POINTS = Points()


def count_points(played: Round, at_home: Bools, steps: int) -> dict[int, Points]:
    """Return the points of every house that played in the first steps, by house; `at_home` is the truth."""
    guessed, right, asked, seen = np.zeros((4, steps, played.houses), dtype=bool)
    for guess in (each for each in played.guesses if each.step < steps):
        guessed[guess.step, guess.player] = asked[guess.step, guess.house] = True
        if guess.at_home == at_home[guess.step, guess.house]:
            right[guess.step, guess.player] = seen[guess.step, guess.house] = True
    won = np.sum([guessed, right, guessed & asked & ~seen], axis=1).T.tolist()
    return {
        house: Points(*won[house])
        for house in range(played.players)
        if any(played.plays(house, step) for step in range(steps))
    }


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
    right = right_guesses(belief, at_home)
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


@dataclass(frozen=True, kw_only=True)
class Scores:
    """A round revealed. Shares are of all houses and steps."""

    round: Round
    at_home: Bools  # (steps, houses) the truth
    optimal: Floats  # (steps, streets) the exact price
    belief: Floats  # (steps, houses) Pr[at home] from the published price
    private_belief: Floats  # (steps, houses)
    unprotected_belief: Floats  # (steps, houses) from the exact price
    observer: Range  # right from this price, with an interval
    unprotected_right: float  # from the exact price
    private_right: float  # from the private one
    missed_percent: float  # what the private price was off in a typical step


class RoundResult(NamedTuple):
    """A round as it was played."""

    number: int  # in its room, from 1; 0: it was played in another
    scores: Scores
    class_right: Range | None  # of the guesses that the class made; None where there are none


def reveal(played: Round) -> Scores:
    """Return the truth of a round beside what everybody made of it."""
    recorded = [record_street(played, street) for street in range(len(played.streets))]
    rates = {
        name: [street.under(name) for street in recorded]
        for name in dict.fromkeys((played.mechanism, UNPROTECTED, played.private))
    }
    own, exact, private = (rates[name] for name in (played.mechanism, UNPROTECTED, played.private))
    at_home = np.hstack([street.at_home for street in own])
    return Scores(
        round=played,
        at_home=at_home,
        optimal=np.column_stack([street.optimal for street in exact]),
        belief=_all(own),
        private_belief=_all(private),
        unprotected_belief=_all(exact),
        observer=belief_share(at_home, _all(own), played.per_street),
        unprotected_right=float(right_guesses(_all(exact), at_home).mean()),
        private_right=float(right_guesses(_all(private), at_home).mean()),
        missed_percent=float(np.sqrt(np.mean([street.missed_percent**2 for street in private]))),
    )


def replay(played: Round, mechanism: str, epsilon: float) -> Scores:
    """Return the same round, choices and guesses as they were, under another rate and budget.

    Parameters
    ----------
    played : Round
        The round.
    mechanism : str
        Of the rate that would have been published.
    epsilon : float
        Its budget.

    Returns
    -------
    Scores

    Examples
    --------
    >>> from rtp.play import Round, replay
    >>> scores = replay(Round(players=8), "blowfish", 0.5)
    >>> scores.at_home.shape  # steps, houses
    (12, 8)
    """
    return reveal(played.replace(mechanism=mechanism, scenario=played.scenario.replace(epsilon=epsilon)))


def _all(streets: Sequence[PlayedStreet]) -> Floats:
    return np.hstack([street.belief for street in streets])


def price_name(mechanism: str, epsilon: float | None = None) -> str:
    """Return what a rate is called, with its budget where one is given and the rate depends on it."""
    if mechanism == UNPROTECTED:
        return say("Optimal rate")
    if epsilon is not None and REGISTRY[mechanism].adds_noise:
        return say("{label} rate at ε = {epsilon}", label=title(mechanism), epsilon=float(epsilon))
    return say("{label} rate", label=title(mechanism))


LONG = 1000  # houses of a long street
CLASS = 25  # of a class in one street
_EDGES = 10  # of a house's size: its use lies between multiples of a tenth
NOISE_REACH = 20.0  # noise scales beyond which next to no noise lies


class Cost(NamedTuple):
    """What a private price costs a street, and what it tells."""

    houses: int
    missed: float  # by how much the price is off, root mean square, as a share of the optimal one
    private: float  # how often the observer is right about a house, on average over houses: from this price,
    optimal: float  # and from the optimal one


def costs(played: Round) -> tuple[Cost, ...]:
    """Return the costs for a street of the round, for the class in one street and for a long one; under its
    private rate, or Blowfish's where that is more than a price and its noise."""
    own = REGISTRY[played.private]
    name = played.private if own.adds_noise and own.postprocess is None else FEATURED
    tariff = played.scenario
    noise = float(play_street(played, 0, name).day.release[name].scale.max()) / tariff.alpha
    base = (tariff.beta + tariff.alpha * tariff.inelastic_demand) / tariff.alpha
    together = played.players if played.players > played.per_street else CLASS
    lengths = sorted({played.per_street, together, LONG})
    return tuple(street_cost(played.street_sizes, houses, noise, base) for houses in lengths)


@lru_cache(maxsize=500)
def street_cost(sizes: tuple[float, ...], houses: int, noise: float, base: float) -> Cost:
    """Return the cost for a street of so many houses, of these sizes in turn: `noise`, the Laplace scale, and
    `base`, what is paid when nothing is used, in kW."""
    street = list(islice(cycle(sizes), houses))
    step = min(sizes) / _EDGES
    points = 2 ** int(np.ceil(np.log2(sum(street) / step + NOISE_REACH * noise / step + 2)))
    wave = {size: [_spread(size, *part, step, points) for part in (AWAY, HOME)] for size in set(street)}
    either = {size: (away + home) / 2 for size, (away, home) in wave.items()}
    demand = np.prod([either[size] ** street.count(size) for size in either], axis=0)
    chance = np.fft.irfft(demand, points)  # of what the street uses, on the grid
    used = (np.arange(points) + houses / 2) * step  # a use lies half a step above its point on average
    missed = sqrt(2 * noise**2 * float(chance @ (base + np.minimum(used, sum(street))) ** -2.0))
    blur = _noise(noise, step, points)
    right = {}
    for size, (away, home) in wave.items():
        others = np.prod([w ** (street.count(s) - (s == size)) for s, w in either.items()], axis=0)
        right[size] = [_right(others * away * own, others * home * own, points) for own in (blur, 1.0)]
    private, optimal = np.mean([right[size] for size in street], axis=0)
    return Cost(houses, missed, float(private), float(optimal))


def _spread(size: float, low: float, high: float, step: float, points: int) -> Floats:
    """The transform of a use that is spread evenly between two parts of a size."""
    mass = np.zeros(points)
    first, last = round(low * size / step), round(high * size / step)
    mass[first:last] = 1 / (last - first)
    return np.asarray(np.fft.rfft(mass))


def _noise(scale: float, step: float, points: int) -> Floats:
    """The transform of Laplace noise, at the points of the grid; what lies below 0 stands at its end."""
    away = np.minimum(np.arange(points), points - np.arange(points)) * step
    mass = np.exp(-away / scale)
    return np.asarray(np.fft.rfft(mass / mass.sum()))


def _right(away: Floats, home: Floats, points: int) -> float:
    """How often the likelier of two equally likely states is the true one, from their transforms."""
    return float(np.maximum(np.fft.irfft(away, points), np.fft.irfft(home, points)).sum()) / 2

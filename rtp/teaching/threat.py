"""What is at stake: the optimal rate of a day, one house, and what an observer makes of it.

She sees nothing but the published rates, knows how the people of the street usually live and how much each
house may use, and judges every moment at the end of the day. She reads the optimal rates, or the private
ones. On a long street the many blur each other already, so the story is told on one of `STORY_HOUSES` houses,
drawn from the same scenario, where the optimal rate betrays them; the whole street can be asked as well.
Only the private half depends on ε: `Stake` holds all the rest.

*What ε means*: how many of 100 possible rates would make an observer believe that a house is occupied. Of
all ways to explain ε, chances in words and as dots were understood best (Nanayakkara et al., "What Are the
Chances?", USENIX Security 2023). The observer here is the one that the promise is made against: she knows
what everyone else used, and holds both states of the house for equally likely before she sees the rate. What
is left is one house and the noise, y = X + Lap(b) with X ~ U(0, u), u = u₁ while occupied and u₀ while empty;
she believes "occupied" where the density of y is the larger one under u₁.

The ratio of the two densities is monotone in y (see `rtp.probability.privacy_loss`): it crosses 1 once, at τ
between 0 and the larger bound, so both probabilities are tails of

    Pr[y ≤ τ] = (1/u)·∫₀ᵘ L((τ − x)/b) dx = (b/u)·(K(τ/b) − K((τ − u)/b)),   K(z) = max(z, 0) + e^{−|z|}/2,

with L the distribution function of Laplace noise and K its integral. Where the bounds are equal every price
is a tie, which a coin decides.

Any noise that keeps its ε allows at most e^ε times as many such prices while occupied as while empty, and at
most e^ε times as many others while empty: q ≤ e^ε·p and 1 − p ≤ e^ε·(1 − q). Furthest apart are
p = 1/(1 + e^ε) and q = e^ε/(1 + e^ε): the worst case the promise allows.
"""

from dataclasses import dataclass
from math import exp, inf
from typing import NamedTuple

import numpy as np

from rtp.attack.adversary import largest_gap, smoothed_beliefs
from rtp.attack.observation import observe
from rtp.core.types import Bools, Floats
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.probability.histogram import Histograms
from rtp.probability.laplace_uniform import uniform_log_density
from rtp.probability.markov import propagate
from rtp.scenario import Scenario, edit
from rtp.simulation import Day
from rtp.street.draw import Street
from rtp.street.simulate import StreetDay, replay_houses

STORY_HOUSES = 2  # of the street on which the story is told

FAR, POINTS = 20.0, 20_001  # of a grid: scales of noise beyond the last edges, and how fine it is
LEAST_NOISE = 1e-3  # of the largest use: a scale that would slip through the grid
NARROW_WIDTH = 1e-8  # beside the noise: a consumption that moves no digit that matters

EVEN_BELIEF = 1e-9  # beside one half: no side is likelier


def story_street(scenario: Scenario, group: int | None = None) -> Scenario:
    """The same scenario on a street of few houses, for a day: one of a group, at first the one in which
    people show best, and its neighbour, of the most common group. The house that is watched is in the first
    group; where there are few houses anyway, they stay as they are."""
    one_day = scenario.replace(days=1)
    if scenario.households <= STORY_HOUSES:
        return one_day
    shares = [each.share for each in scenario.groups]
    watched = showing_group(scenario) if group is None else group
    kept = {scenario.groups[g].name: g for g in (watched, shares.index(max(shares)))}
    return edit.of_size(edit.of_groups(one_day, kept), STORY_HOUSES)


def showing_group(scenario: Scenario) -> int:
    """The group in whose bounds a house's two states differ most, the first of several."""
    gaps = [abs(each.occupied_max - each.empty_max) for each in scenario.groups]
    return gaps.index(max(gaps))


@dataclass(frozen=True, kw_only=True)
class Stake:
    """One house of a street, and all about it that ε does not change. Arrays are (T,)."""

    house: int
    occupied: Bools  # the truth
    guess: Floats  # Pr[occupied] by habits alone, without any rate
    unprotected: Floats  # Pr[occupied | all optimal rates of the day]


def right_share(belief: Floats, occupied: Bools) -> float:
    """At which share of the moments the likelier state was the true one; of two that are equally likely a
    coin takes the right one half the time."""
    even = np.abs(belief - 0.5) < EVEN_BELIEF
    return float(np.where(even, 0.5, (belief > 0.5) == occupied).mean())


def stake(day: Day, group: int | None = None) -> Stake:
    """The stake of the watched house."""
    house, spec = watched_house(day.street, group), day.street_day.spec
    return Stake(
        house=house,
        occupied=truth(day.street_day, house),
        guess=propagate(spec.chains(day.street, 0, np.array([house])))[:, 0],
        unprotected=_smoothed_belief(day, UNPROTECTED, house),
    )


def watched_house(street: Street, group: int | None = None) -> int:
    """The house, of a group or of all, whose mean use differs most between its states: everybody knows how
    much houses may use, so no draw chooses it."""
    own = np.flatnonzero(street.group == group)
    return largest_gap(street, own if len(own) else None)


def truth(street_day: StreetDay, house: int) -> Bools:
    """When the house was occupied, (T,)."""
    return replay_houses(street_day.spec, street_day.street, [house])[0][:, 0]


def private_belief(day: Day, own: Stake) -> Floats:
    """Return Pr[occupied | all private rates of the day] of the watched house, (T,)."""
    return _smoothed_belief(day, FEATURED, own.house)


def _smoothed_belief(day: Day, mechanism: str, house: int) -> Floats:
    chains = day.street_day.spec.chains(day.street, 0)
    return smoothed_beliefs([day], mechanism, [house], [chains])[:, 0]


class PriceBeliefs(NamedTuple):
    """The probabilities that a price makes her believe the house is occupied."""

    empty: float  # while it is empty
    occupied: float  # while it is occupied


EVEN = PriceBeliefs(0.5, 0.5)


def worst_case(epsilon: float) -> PriceBeliefs:
    """The furthest apart that the promise allows."""
    away = exp(-epsilon)
    return PriceBeliefs(away / (1 + away), 1 / (1 + away))


def price_beliefs(b: float, occupied_bound: float, empty_bound: float) -> PriceBeliefs:
    """Those of one house of uniform use, at noise of scale b on consumption; exact."""
    if b == inf:
        return EVEN
    low, high = sorted(width if width > NARROW_WIDTH * b else 0.0 for width in (occupied_bound, empty_bound))
    if low == high:
        return EVEN
    tau = _crossing(b, low, high)
    below_low, below_high = _below(tau, b, low), _below(tau, b, high)
    if occupied_bound > empty_bound:
        return PriceBeliefs(1 - below_low, 1 - below_high)
    return PriceBeliefs(below_high, below_low)


def histogram_price_beliefs(b: float, use: Histograms) -> PriceBeliefs:
    """Those of one house with distributions of its own, whose ratio need not be monotone: a sum over a grid.

    Noise of less than a thousandth of its largest use is taken for none.
    """
    if b == inf:
        return EVEN
    if b <= LEAST_NOISE * float(use.edges[0, -1]):
        empty, occupied = use.mass[:, 0]
        likelier = np.sign(occupied - empty) / 2 + 0.5
        return PriceBeliefs(float(empty @ likelier), float(occupied @ likelier))
    y = np.linspace(use.edges[0, 0] - FAR * b, use.edges[0, -1] + FAR * b, POINTS)[:, None]
    empty, occupied = use.log_density(y, np.full_like(y, b))[:, :, 0]
    likelier = np.sign(occupied - empty) / 2 + 0.5
    spacing = float(y[1, 0] - y[0, 0])
    one, other = (float(np.exp(density) @ likelier) * spacing for density in (empty, occupied))
    return PriceBeliefs(min(one, 1.0), min(other, 1.0))


def _crossing(b: float, low: float, high: float) -> float:
    """τ, where the wider density overtakes the narrower one."""
    from scipy.optimize import brentq

    if b == 0:
        return low

    def log_ratio(y: float) -> float:
        wide, narrow = uniform_log_density(np.array(y), np.array(b), np.array([high, low])).tolist()
        return float(wide - narrow)

    return float(brentq(log_ratio, 0.0, high, xtol=1e-15 * high))


def _below(tau: float, b: float, width: float) -> float:
    """Pr[U(0, width) + Lap(b) ≤ τ], τ ≥ 0."""
    if b == 0:
        return 1.0 if width <= tau else tau / width
    if width == 0:
        return 1 - exp(-tau / b) / 2
    return b / width * (_integral(tau / b) - _integral((tau - width) / b))


def _integral(z: float) -> float:
    """K(z)."""
    return max(z, 0.0) + exp(-abs(z)) / 2


def beliefs_at(day: Day, own: Stake, step: int) -> PriceBeliefs | None:
    """What the private price of a step makes an observer believe of the house; None where habits alone settle
    it. A rate that is cut at 0 afterwards tells less."""
    if own.guess[step] in (0, 1):
        return None
    release, street, house = day.release[FEATURED], day.street, own.house
    seen = observe(REGISTRY[FEATURED], day.market.public, release.rate, release.scale)
    b = float(seen.b[step])
    if street.distributions is not None:
        return histogram_price_beliefs(b, street.distributions.only(np.array([house])))
    return price_beliefs(b, float(street.occupied_bound[house]), float(street.empty_bound[house]))

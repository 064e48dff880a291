"""Compositions: ways to promise a whole day at one total, what each hides, from whom, and what it costs; and
the account of what one day's rates have promised, could lose at worst, and have given away.

* Theorem 2: T rates of total/T each; whole histories may differ.
* Exact moment: the largest ε per step at which no moment leaks more than the total (`budget`).
* Markov quilt: noise for one moment and those that hang together with it, for the stated habits.
* w-event (Kellaris, Papadopoulos, Xiao and Papadias, VLDB 2014): any w steps in a row share the total.
* Gaussian (the analytic mechanism of Balle and Wang, ICML 2018): deviations σ with λ√T/σ = μ, the largest μ
  with Φ(μ/2 − total/μ) − e^total·Φ(−μ/2 − total/μ) ≤ δ; whole histories, but the promise may fail with
  probability δ.
* Forecast: nothing is read, nothing is told.

All noise is for the houses that Algorithm 1 protects, at full use.

**Markov quilt** (Song, Wang and Chaudhuri, *Pufferfish Privacy Mechanisms for Correlated Data*, SIGMOD 2017).
A quilt of moment i is a pair of moments {i − a, i + b}, or one of them, or none: given it, what lies beyond
says nothing more about S at i. What the quilt itself says is its influence e, the largest over x ≠ x′ of

    ln Pr[x′]/Pr[x]  +  max over z of ln Pr[x | S at i − a is z] / Pr[x′ | S at i − a is z]
                     +  max over z of ln Pr[S at i + b is z | x] / Pr[S at i + b is z | x′],

over all z, as published, also those that the start makes impossible. The `card` moments inside may all change
with S at i, so noise for so many rates at budget ε − e is enough: the score card/(ε − e). The best quilt of
every moment, and of the moments the worst, multiplies the sensitivity of one rate. Quilts reach a day at most
to either side; leaving some out only makes the score larger.

**The account** has three amounts for the house that can lose most over the day, all in the unit of ε.
*Promised*: ε·t, Theorem 2. *At worst*: the losses of the rates so far added up, each the largest that any
rate could bring. *Really given away*: the log-likelihood ratio of the rates that came, for how the house
really lived against its exact opposite, seen by an observer who knows what everyone else used; no rate's is
larger than its loss, and it can be negative: noise also misleads. Beside them the worst moment, by all rates
of the day together (`moment`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rtp.attack.adversary import observed_day
from rtp.attack.observation import insider_llr
from rtp.audit.exact import ExactLoss, possible_states
from rtp.core.formatting import percent, plain
from rtp.core.types import Floats, Frame, data_frame
from rtp.core.workers import Progress
from rtp.leakage.budget import epsilon_for_moment, worst_moments
from rtp.leakage.moment import MAX_HOUSE_STEPS, MomentLeakage, moment_leakage, step_evidence
from rtp.mechanisms import FEATURED, NO_DATA, REGISTRY
from rtp.probability.markov import Chains, predict, propagate
from rtp.scenario import Bounds, Scenario, must_be_within
from rtp.simulation import Day, Market, draw_day, market
from rtp.street.schedule import Schedule
from rtp.street.simulate import StreetDay, replay_houses
from rtp.tradeoff.expected import expected

TOTAL = Bounds(1e-3, 1e4, "Total budget of the day")
WAYS = 6
WINDOW = 4  # hours that w-event promises
GAUSSIAN_DELTA = 1e-6
MAX_QUILT_REACH = 96  # steps to either side
INSIDER = "an insider, who knows what everyone else used, and everyone who knows less"
ANYONE = "anyone at all: no household's data is read"


@dataclass(frozen=True, kw_only=True)
class Composition:
    """One way to promise the record. Noise is its standard deviation in the unit of the rate."""

    name: str
    hides: str
    against: str
    epsilon: float | None  # per step, where it has one
    noise: float  # root of the mean square over the steps
    rmsre: float  # expected


def compositions(
    scenario: Scenario,
    total: float,
    *,
    street_day: StreetDay | None = None,
    progress: Progress | None = None,
) -> list[Composition]:
    """Return every way at the same total; one that cannot reach it is left out. `progress` is given the
    fraction done and may raise to stop."""
    must_be_within("total", total, TOTAL)
    context = market(scenario, street_day or draw_day(scenario))
    ways = []
    for way in _each_way(scenario, context, total):
        ways.append(way)
        if progress is not None:
            progress(len(ways) / WAYS)
    return [way for way in ways if way is not None]


def _each_way(scenario: Scenario, context: Market, total: float) -> Iterator[Composition | None]:
    yield _by_budget(context, "Theorem 2", "whole histories, however they differ", total / scenario.steps)
    yield _moment(scenario, context, total)
    yield _quilt(context, total)
    window = min(WINDOW * scenario.steps_per_day // 24, scenario.steps)
    yield _by_budget(context, "w-event", _w_event_hides(context, total / window), total / window)
    yield _gaussian(context, total)
    yield _forecast(context)


def composition_frame(ways: Sequence[Composition]) -> Frame:
    """Return one row per way, in words."""
    return data_frame(
        [
            {
                "Way": way.name,
                "Noise": plain(way.noise),
                "Error": percent(way.rmsre),
                "It hides": way.hides,
                "Against": way.against,
            }
            for way in ways
        ]
    )


def sensitivity(context: Market) -> Floats:
    """Return by how much one protected house can move each rate, (T,)."""
    return np.asarray(REGISTRY[FEATURED].scale(context.at(1.0)).scale[:, 0])


def _laplace(context: Market, name: str, hides: str, epsilon: float | None, scale: Floats) -> Composition:
    return Composition(
        name=name,
        hides=hides,
        against=INSIDER,
        epsilon=epsilon,
        noise=float(np.sqrt(2 * np.mean(scale**2))),
        rmsre=float(expected(context, REGISTRY[FEATURED], scale[:, None])[0]),
    )


def _by_budget(context: Market, name: str, hides: str, epsilon: float) -> Composition:
    return _laplace(context, name, hides, epsilon, sensitivity(context) / epsilon)


def _moment(scenario: Scenario, context: Market, total: float) -> Composition | None:
    budget = epsilon_for_moment(scenario, FEATURED, total, street_day=context.street_day)
    if not budget.epsilon:
        return None
    hides = "any one moment of any house that uses as modelled; for any use within its bound one leaks "
    leak = worst_moments(context, REGISTRY[FEATURED], budget.epsilon, any_use=True).max()
    return _by_budget(context, "Exact moment", hides + plain(float(leak)), budget.epsilon)


def _w_event_hides(context: Market, epsilon: float) -> str:
    """Return whom a window protects: from its own rates, and not from those around it."""
    leak = float(worst_moments(context, REGISTRY[FEATURED], epsilon, any_use=True).max())
    return f"any {WINDOW} hours in a row, from their own rates; by all rates one moment leaks {plain(leak)}"


def _quilt(context: Market, total: float) -> Composition:
    spec, moves = context.street_day.spec, sensitivity(context)
    inhabited = np.unique(context.street_day.street.group).tolist()
    score = max(
        quilt_score(stated_chain(model[group], spec.steps), total)
        for model in spec.schedules
        for group in inhabited
    )
    hides = "any one moment of a house with the habits of its group"
    return _laplace(context, "Markov quilt", hides, None, np.full(len(moves), moves.max() * score))


def _gaussian(context: Market, total: float) -> Composition:
    """Where no rate is cut, an error depends on the noise's variance alone: it is that of Laplace noise with
    the same variance, 2b²."""
    moves = sensitivity(context)
    deviation = moves * np.sqrt(len(moves)) / gaussian_mu(total, GAUSSIAN_DELTA)
    hides = f"whole histories, but for a probability of {plain(GAUSSIAN_DELTA)}"
    return _laplace(context, "Gaussian", hides, None, deviation / np.sqrt(2))


def gaussian_mu(epsilon: float, delta: float) -> float:
    """Return the largest sensitivity over deviation at which Gaussian noise is (ε, δ)-private."""
    from scipy.optimize import brentq
    from scipy.special import log_ndtr

    def excess(log_mu: float) -> float:
        mu = np.exp(log_mu)
        first, second = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
        return float(np.exp(first) - np.exp(second) - delta)

    low, high = np.log(1e-6 * min(epsilon, 1.0)), np.log(10 * (1 + np.sqrt(epsilon)))
    return float(np.exp(brentq(excess, low, high, xtol=1e-12)))


def _forecast(context: Market) -> Composition:
    mechanism = REGISTRY[NO_DATA]
    return Composition(
        name=mechanism.label,
        hides="everything",
        against=ANYONE,
        epsilon=0.0,
        noise=0.0,
        rmsre=float(expected(context, mechanism, np.zeros((context.street_day.spec.steps, 1)))[0]),
    )


def stated_chain(schedule: Schedule, steps: int) -> Chains:
    """Return a house with its group's habits as they are stated, without its own."""
    period = np.resize(schedule.period, steps)[:-1]
    initial, row = np.array([schedule.initial]), np.arange(len(period))
    leave, arrive = schedule.leave[period, None], schedule.arrive[period, None]
    return Chains(initial=initial, leave=leave, arrive=arrive, row=row)


def quilt_score(house: Chains, epsilon: float) -> float:
    """Return the worst moment's best score; times the sensitivity it is the Laplace scale of every rate."""
    occupied = propagate(house)[:, 0]
    past, future = _influences(house)
    worst = 0.0
    for i in np.flatnonzero((occupied > 0) & (occupied < 1)).tolist():
        odds = float(np.log(occupied[i]) - np.log1p(-occupied[i]))
        worst = max(
            worst,
            _best_quilt(past[:i, i], future[: len(occupied) - 1 - i, i], odds, i, len(occupied), epsilon),
        )
    return worst


def _influences(house: Chains) -> tuple[Floats, Floats]:
    """Return (past, future), each (reach, T, 2): the last two terms of the influence for a or b = 1, 2, … at
    every moment, for (x, x′) = (0, 1) and (1, 0)."""
    steps, (leave, arrive) = house.steps, (each[house.row] for each in (house.leave, house.arrive))
    past, future = np.full((2, MAX_QUILT_REACH, steps, 2), np.inf)
    reached = np.tile([0.0, 1.0], (steps, 1))  # Pr[S at j + b = 1 | S at j = x], from (j, x), so far b = 0
    with np.errstate(divide="ignore", invalid="ignore"):  # what cannot be has an infinite influence
        for b in range(1, min(MAX_QUILT_REACH, steps - 1) + 1):
            reached = reached[: steps - b]
            reached, _ = predict(reached, 1 - reached, leave[b - 1 :], arrive[b - 1 :])
            ones, zeros = np.log(reached), np.log1p(-reached)  # (j, x)
            ahead = np.stack([zeros[:, 0] - zeros[:, 1], ones[:, 0] - ones[:, 1]])  # (z, j) of (0, 1)
            future[b - 1, : steps - b] = np.stack([np.nanmax(ahead, 0), np.nanmax(-ahead, 0)], axis=1)
            behind = (zeros - ones).T  # (z, j) of (0, 1)
            past[b - 1, b:] = np.stack([behind.max(axis=0), (-behind).max(axis=0)], axis=1)
    return past, future


def _best_quilt(past: Floats, future: Floats, odds: float, i: int, steps: int, epsilon: float) -> float:
    """Return the least card/(ε − e) of all quilts of moment i."""
    a, b = np.arange(1, len(past) + 1), np.arange(1, len(future) + 1)
    back = past + np.array([odds, -odds])  # ln Pr[x′]/Pr[x]
    best = steps / epsilon  # no quilt: all moments change
    candidates = (
        (np.add.outer(a, b) - 1, (back[:, None] + future).max(axis=-1)),
        (a + steps - i - 1, back.max(axis=-1)),
        (i + b, future.max(axis=-1)),
    )
    for card, influence in candidates:
        near = influence < epsilon
        if near.any():
            best = min(best, float((card[near] / (epsilon - influence[near])).min()))
    return best


@dataclass(frozen=True, kw_only=True)
class PrivacyAccount:
    """Of one house and one mechanism; arrays are (T,), from the start up to each step."""

    mechanism: str
    house: int
    at_worst: Floats
    given_away: Floats
    moment: MomentLeakage  # of every house, or of this one where the street is long


def privacy_account(day: Day, account: ExactLoss) -> PrivacyAccount:
    """Return the account of the house that can lose most."""
    house, name = int(account.total.argmax()), account.mechanism
    houses, possible = np.array([house]), possible_states(day.street_day)
    at_stake = possible.both[:, possible.house_class[house]]
    occupied, used = replay_houses(day.street_day.spec, day.street, [house])
    seen = observed_day(day, name)
    llr = insider_llr(seen, day.street, day.street_day.demand, houses, used)[:, 0]
    truly = np.where(occupied[:, 0], llr, -llr)
    short = day.scenario.households * day.scenario.steps <= MAX_HOUSE_STEPS
    return PrivacyAccount(
        mechanism=name,
        house=house,
        at_worst=np.cumsum(np.where(at_stake, step_evidence(day, name, houses).loss[:, 0], 0.0)),
        given_away=np.cumsum(np.where(at_stake, truly, 0.0)),
        moment=moment_leakage(day, name, None if short else house),
    )

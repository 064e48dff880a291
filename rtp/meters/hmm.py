"""Two-state hidden Markov models of houses, learned by expectation and maximisation (Baum et al. 1970).

A house is empty (0) or occupied (1); the period of the day that contains a step says with which probabilities
it leaves or arrives before the next one. In each state its readings fall into bins of its own with
probabilities of their own, the *emission*: a histogram, whatever the shape of its use. The chain is that of
`rtp.probability.markov`; a missing reading says nothing.

Real use is autocorrelated: a kettle or a laundry lasts longer than a step. Taken as independent, a run of
high use looks like a visit, and moves come out several times too often. So a house has a correlation ρ with
the reading before (an autoregressive HMM, Juang and Rabiner 1985): while the state stays, the normal scores
z = Φ⁻¹(rank within the state) of two readings in a row are jointly normal with correlation ρ (a Gaussian
copula: the histograms stay what they are), so a bin of score z after one of score z′ has the probability
∝ f·exp((2ρzz′ − ρ²(z² + z′²)) / 2(1 − ρ²)). After a move use starts afresh.

Houses of one *group* share their transition probabilities; alone, each is its own group. Emissions stay each
house's own. Their prior is worth `SMOOTHING` readings that look like the house's own, so with ρ = 0 the
objective, log-likelihood and prior together, never falls. Otherwise ρ takes one Newton step a round on the
expected log-likelihood of pairs, and histograms are counted as if readings were independent (inference for
margins: Joe 1997); the objective may then fall by a little.

Of houses that learn together a bin of the empty state also has to earn its place (`sparse`). A visit that
shows in one or two readings can always be explained without a visit, by an empty house that seldom uses much;
maximum likelihood then takes rare visits for such use and learns half of them. The prior 1/f for every such
bin costs a reading each (Figueiredo and Jain 2002): with m readings expected in it, Σ (m − 1)·ln f is largest
at f ∝ m − 1, and at the smallest f allowed where m ≤ 1. What an empty house does more often stays in.

A group has converged when a round moves none of its probabilities by more than `TOLERANCE` of its standard
error, which is at least 1/√m in log-odds after m expected moves.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.meters.readings import BINS, Observations, weighted_sums
from rtp.probability.markov import forward_backward
from rtp.street.schedule import INTERIOR

SMOOTHING = 0.5  # readings
BIN_COST = 1.0  # readings that a bin of an empty house's emission costs
MAX_ITERATIONS = 40
TOLERANCE = 0.03  # standard errors
MAX_CORRELATION = 0.95
MAX_STEP = 0.15  # of a correlation in a round
TAIL = 1e-3  # ranks stay so far from 0 and 1
# (the share of readings that count as occupied, the probability to change state)
STARTS = ((0.5, 0.1), (0.25, 0.05), (0.75, 0.2))


@dataclass(frozen=True, kw_only=True)
class Model:
    """Probabilities per step of G groups, and the emissions of n houses."""

    initial: Floats  # (G,) to be occupied at first
    leave: Floats  # (P, G)
    arrive: Floats  # (P, G)
    group: Ints  # (n,)
    emission: Floats  # (2, n, K): the probability of each bin, empty and occupied
    correlation: Floats  # (n,) of a reading with the one before, while the state stays

    def select(self, houses: Ints | Bools) -> "Model":
        """Some houses, each its own group."""
        groups = self.group[houses]
        return self._part(groups, houses, np.arange(len(groups)))

    def only_groups(self, which: Bools) -> "Model":
        """Some groups with all their houses."""
        houses = which[self.group]
        return self._part(which, houses, (np.cumsum(which) - 1)[self.group[houses]])

    def _part(self, groups: Ints | Bools, houses: Ints | Bools, group: Ints) -> "Model":
        """Some groups and some houses, with the group of each."""
        return Model(
            initial=self.initial[groups],
            leave=self.leave[:, groups],
            arrive=self.arrive[:, groups],
            group=group,
            emission=self.emission[:, houses],
            correlation=self.correlation[houses],
        )

    def with_periods(self, periods: int) -> "Model":
        """The same probabilities again in periods that come after its own: so many in all."""
        again = np.arange(periods) % len(self.leave)
        return replace(self, leave=self.leave[again], arrive=self.arrive[again])


def join(models: list[Model]) -> Model:
    """Houses one after the other, each its own group, as in every one of the models."""
    return Model(
        initial=np.concatenate([model.initial for model in models]),
        leave=np.concatenate([model.leave for model in models], axis=1),
        arrive=np.concatenate([model.arrive for model in models], axis=1),
        group=np.arange(sum(len(model.group) for model in models)),
        emission=np.concatenate([model.emission for model in models], axis=1),
        correlation=np.concatenate([model.correlation for model in models]),
    )


class Expected(NamedTuple):
    """What the houses did, as far as their readings tell."""

    occupied: Floats  # (T, n) Pr[occupied | all readings]
    departures: Floats  # (T − 1, n)
    arrivals: Floats  # (T − 1, n)
    log_likelihood: Floats  # (n,)


def e_step(seen: Observations, model: Model) -> Expected:
    """States and transitions given all readings: forward and backward."""
    smoothed, evidence = forward_backward(*_joint_weights(seen, model))
    return Expected(*smoothed, np.asarray(seen.weights @ evidence))


def log_likelihoods(seen: Observations, model: Model) -> Floats:
    """(T, n): ln Pr[reading | those before it]."""
    return forward_backward(*_joint_weights(seen, model))[1]


def _joint_weights(seen: Observations, model: Model) -> tuple[Floats, Floats]:
    """Pr[state, reading]: of the first step, (2, n); of others given the step before, (T − 1, 2, 2, n)."""
    after_move = np.concatenate([model.emission, np.ones((2, seen.houses, 1))], axis=2)
    stays, index = after_move[..., None, :], seen.emission_index[1:]
    if model.correlation.any():
        stays, index = conditional_emission(model.emission, model.correlation), seen.pair_index
    weight = np.empty((len(index), 2, 2, seen.houses))
    for k, moves in enumerate(np.stack([model.arrive, model.leave], axis=1)[:, :, model.group]):
        steps = np.flatnonzero(seen.period[:-1] == k)
        for state, move in enumerate(moves):
            stay, change = (1 - move)[:, None, None] * stays[state], move[:, None] * after_move[1 - state]
            weight[steps, state, state] = np.take(stay, index[steps])
            weight[steps, state, 1 - state] = np.take(change, seen.emission_index[1:][steps])
    initial = model.initial[model.group]
    first = np.array([1 - initial, initial]) * after_move[:, np.arange(seen.houses), seen.bins[0]]
    return first, weight


def conditional_emission(emission: Floats, correlation: Floats) -> Floats:
    """(2, n, K + 1, K + 1): the probability of each bin after each bin, while the state stays; a missing
    reading comes with probability 1 and leaves the next one to itself. `correlation` is (n,) or (2, n)."""
    from scipy.special import ndtri

    score = ndtri(np.clip(np.cumsum(emission, axis=2) - emission / 2, TAIL, 1 - TAIL))
    before, now = score[..., None], score[..., None, :]
    rho = correlation[..., None, None]
    exponent = (2 * rho * before * now - rho**2 * (before**2 + now**2)) / (2 * (1 - rho**2))
    own = emission[..., None, :] * np.exp(exponent)
    result = np.ones((*emission.shape[:2], BINS + 1, BINS + 1))
    result[..., :BINS, :BINS] = own / own.sum(axis=3, keepdims=True)
    result[..., BINS, :BINS] = emission
    return result


def m_step(
    seen: Observations,
    model: Model,
    expected: Expected,
    *,
    sparse: bool = False,
    autocorrelated: bool = False,
) -> Model:
    """The likeliest model for what is expected; `sparse` charges an empty house's bins."""
    departures, arrivals, from_occupied, from_empty = _expected_counts(seen, model, expected)
    emission = _emission(_expected_emissions(seen, expected.occupied), seen, sparse)
    member = model.group[:, None] == np.arange(len(model.initial))
    return Model(
        initial=_inside(expected.occupied[0] @ member / member.sum(axis=0)),
        leave=event_rate(departures, from_occupied, model.leave),
        arrive=event_rate(arrivals, from_empty, model.arrive),
        group=model.group,
        emission=emission,
        correlation=_correlation(seen, emission, model, expected) if autocorrelated else model.correlation,
    )


def _expected_counts(seen: Observations, model: Model, expected: Expected) -> tuple[Floats, ...]:
    """Departures and arrivals, and the steps from which they could happen, (P, G) each."""
    member = (model.group[:, None] == np.arange(len(model.initial))).astype(float)
    in_period = (seen.period[:-1] == np.arange(len(model.leave))[:, None]) * seen.weights[:-1]
    departures, arrivals, from_occupied = (
        in_period @ each @ member for each in (expected.departures, expected.arrivals, expected.occupied[:-1])
    )
    steps = in_period.sum(axis=1)[:, None] * member.sum(axis=0)
    return departures, arrivals, from_occupied, steps - from_occupied


def _correlation(seen: Observations, emission: Floats, model: Model, expected: Expected) -> Floats:
    """(n,): one Newton step from the present correlations, on the pairs of readings in the same state."""
    occupied = expected.occupied[:-1]
    stayed = 1 - occupied - expected.arrivals, occupied - expected.departures
    return climb_correlation(np.array([seen.pairs(each) for each in stayed]), emission, model.correlation)


def climb_correlation(pairs: Floats, emission: Floats, start: Floats) -> Floats:
    """(n,): one Newton step up the log-likelihood of pairs of bins, (states, n, K + 1, K + 1)."""
    apart = 0.02
    low, here, high = (
        (pairs * np.log(conditional_emission(emission, start + offset))).sum(axis=(0, 2, 3))
        for offset in (-apart, 0.0, apart)
    )
    slope, bend = (high - low) / (2 * apart), (low - 2 * here + high) / apart**2
    step = -slope / np.minimum(bend, -1e-9)  # where it bends upwards, as far as a step may go
    limit = MAX_CORRELATION - apart
    return np.asarray(np.clip(start + np.clip(step, -MAX_STEP, MAX_STEP), -limit, limit))


def _expected_emissions(seen: Observations, occupied: Floats) -> Floats:
    """(2, n, K): the readings expected in every bin, empty and occupied."""
    if_occupied = weighted_sums(seen.emission_index, occupied * seen.weights[:, None], seen.houses, 1)[:, 0]
    return np.array([seen.count - if_occupied, if_occupied])[:, :, :-1]


def _emission(expected: Floats, seen: Observations, sparse: bool) -> Floats:
    """(2, n, K): probabilities from expected readings, with their prior."""
    emission = expected + SMOOTHING * seen.own_histogram
    if sparse:
        left = np.maximum(expected[0] - BIN_COST, 0.0)
        kept = left > 0
        mass = 1 - INTERIOR * (~kept).sum(axis=1, keepdims=True)
        share = left / np.maximum(left.sum(axis=1, keepdims=True), INTERIOR)
        emission[0] = np.where(kept, mass * share, INTERIOR)
    return np.asarray(emission / emission.sum(axis=2, keepdims=True))


def log_prior(seen: Observations, model: Model, *, sparse: bool = False) -> Floats:
    """(n,): what the prior of the emissions adds to the log-likelihood."""
    empty, occupied = np.log(model.emission)
    own = SMOOTHING * seen.own_histogram
    of_empty = -BIN_COST * empty if sparse else own * empty
    return np.asarray((own * occupied + of_empty).sum(axis=1))


def event_rate(events: Floats, steps: Floats, otherwise: Floats | float) -> Floats:
    """Events over the steps at which they could happen, inside (0, 1); `otherwise` where there was none."""
    possible = steps > INTERIOR
    return _inside(np.where(possible, events / np.where(possible, steps, 1.0), otherwise))


def _inside(probability: Floats) -> Floats:
    return np.clip(probability, INTERIOR, 1 - INTERIOR)


class Fit(NamedTuple):
    """What Baum–Welch reached for G groups."""

    model: Model
    objective: Floats  # (G,) log-likelihood and prior


def baum_welch(
    seen: Observations,
    start: Model,
    *,
    sparse: bool = False,
    autocorrelated: bool = False,
    tolerance: float = TOLERANCE,
    max_iterations: int = MAX_ITERATIONS,
) -> Fit:
    """The model that expectation and maximisation reach from a first one; groups that converge are done."""
    groups = len(start.initial)
    result = Model(**{name: value.copy() for name, value in vars(start).items()})
    objective = np.empty(groups)
    active, part = np.arange(groups), start  # the groups that still learn, and their model
    for _ in range(max_iterations):
        expected = e_step(seen, part)
        own = expected.log_likelihood + log_prior(seen, part, sparse=sparse)
        objective[active] = np.bincount(part.group, own, minlength=len(active))
        better = m_step(seen, part, expected, sparse=sparse, autocorrelated=autocorrelated)
        arrived = _step_size(part, better, *_expected_counts(seen, part, expected)) < tolerance
        _put(result, active, part)
        if arrived.all():
            break
        part = better
        if arrived.any():
            seen = seen.select(~arrived[part.group])
            part, active = part.only_groups(~arrived), active[~arrived]
    else:
        _put(result, active, part)
    return Fit(result, objective)


def _step_size(
    old: Model, new: Model, departures: Floats, arrivals: Floats, from_occupied: Floats, from_empty: Floats
) -> Floats:
    """(G,): how far the probabilities of each group moved, in standard errors, at most."""
    sizes = [
        np.abs(_log_odds(after) - _log_odds(before))
        * np.sqrt(np.maximum(np.minimum(events, steps - events), 0))
        for before, after, events, steps in (
            (old.leave, new.leave, departures, from_occupied),
            (old.arrive, new.arrive, arrivals, from_empty),
        )
    ]
    return np.asarray(np.max(sizes, axis=(0, 1)))


def _log_odds(probability: Floats) -> Floats:
    return np.log(probability) - np.log1p(-probability)


def _put(result: Model, groups: Ints, part: Model) -> None:
    """Write the parameters of a part of a model, which has some of its groups, into the model."""
    result.initial[groups] = part.initial
    result.leave[:, groups], result.arrive[:, groups] = part.leave, part.arrive
    houses = np.isin(result.group, groups)
    result.emission[:, houses], result.correlation[houses] = part.emission, part.correlation


def fit_alone(
    seen: Observations,
    periods: int,
    *,
    tolerance: float = TOLERANCE,
    max_iterations: int = MAX_ITERATIONS,
) -> Model:
    """Every house on its own, the best end of several starts; occupied is the state that uses more."""
    ends = [
        baum_welch(
            seen, first_guess(seen, *each, periods), tolerance=tolerance, max_iterations=max_iterations
        )
        for each in STARTS
    ]
    heights = np.array([end.objective for end in ends])
    best = heights.argmax(axis=0) * seen.houses + np.arange(seen.houses)
    model = join([end.model for end in ends]).select(best)
    return occupied_uses_more(model)


def first_guess(seen: Observations, share: float, change: float, periods: int) -> Model:
    """A first guess: the higher a bin, the likelier occupied."""
    own = seen.own_histogram
    above = np.cumsum(own, axis=1) - own / 2
    lean = 1 / (1 + np.exp(-(above - (1 - share)) / 0.15))
    emission = np.array([own * (1 - lean), own * lean])
    probability = np.full((periods, seen.houses), change)
    return Model(
        initial=np.full(seen.houses, 0.5),
        leave=probability,
        arrive=probability,
        group=np.arange(seen.houses),
        emission=emission / emission.sum(axis=2, keepdims=True),
        correlation=np.zeros(seen.houses),
    )


def occupied_uses_more(model: Model) -> Model:
    """States swapped where the empty one uses more: bins are in the order of use."""
    ranks = np.arange(model.emission.shape[2])
    swap = model.emission[1] @ ranks < model.emission[0] @ ranks
    return replace(
        model,
        initial=np.where(swap, 1 - model.initial, model.initial),
        leave=np.where(swap, model.arrive, model.leave),
        arrive=np.where(swap, model.leave, model.arrive),
        emission=np.where(swap[:, None], model.emission[::-1], model.emission),
    )

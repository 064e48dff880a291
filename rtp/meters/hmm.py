"""Two-state hidden Markov models of houses, learned by expectation and maximisation (Baum et al. 1970).

A house is empty (0) or occupied (1); the period of the day that contains a step says with which probabilities
it leaves or arrives before the next one. In each state its readings fall into bins of its own with
probabilities of their own, the *emission*: a histogram, whatever the shape of its use. The chain is that of
`rtp.probability.markov`; a missing reading says nothing.

Houses of one *group* share their transition probabilities; alone, each is its own group. Emissions stay each
house's own. Their prior is worth `SMOOTHING` readings that look like the house's own, so the objective,
log-likelihood and prior together, never falls.

Of houses that learn together a bin of the empty state also has to earn its place (`sparse`). A visit that
shows in one or two readings can always be explained without a visit, by an empty house that seldom uses much;
maximum likelihood then takes rare visits for such use and learns half of them. The prior 1/f for every such
bin costs a reading each (Figueiredo and Jain 2002): with m readings expected in it, Σ (m − 1)·ln f is largest
at f ∝ m − 1, and at the smallest f allowed where m ≤ 1. What an empty house does more often stays in.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Bools, Floats, Ints
from rtp.meters.readings import Powers
from rtp.probability.markov import Chains, forward_filter, smooth

BINS = 12
SMOOTHING = 0.5  # readings
BIN_COST = 1.0  # readings that a bin of an empty house's emission costs
INTERIOR = 1e-6  # probabilities stay so far from 0 and 1
MAX_ITERATIONS = 40
TOLERANCE = 0.05  # a group whose objective grows by less, in nats, has converged
MAX_RATIO = 1e12  # of two likelihoods
SAME_END = 2.0  # ends that differ by less, in nats, are the same
# (the share of readings that count as occupied, the probability to change state)
STARTS = ((0.5, 0.1), (0.25, 0.05), (0.75, 0.2))


def quantile_edges(power: Powers, bins: int = BINS) -> Floats:
    """(n, bins + 1): from 0 to the largest reading of each house, by quantiles. Edges may coincide."""
    edges = np.zeros((len(power), bins + 1))
    for own, values in zip(edges, power, strict=True):
        present = np.sort(values[np.isfinite(values)])
        if len(present):
            own[1:] = present[np.ceil(np.arange(1, bins + 1) / bins * len(present)).astype(int) - 1]
    return edges


def to_bins(power: Powers, edges: Floats) -> NDArray[np.int8]:
    """(T, n): the bin of every reading, the last edge included; one more where it is missing."""
    bins = edges.shape[1] - 1
    result = np.full(power.shape[::-1], bins, dtype=np.int8)
    for house, (values, own) in enumerate(zip(power, edges, strict=True)):
        present = np.isfinite(values)
        result[present, house] = np.minimum(np.searchsorted(own[1:], values[present], side="left"), bins - 1)
    return result


@dataclass(frozen=True, kw_only=True)
class Observations:
    """What is seen of n houses over T steps."""

    emission_index: Ints  # (T, n): house·(K + 1) + bin; bin K is a missing reading
    period: Ints  # (T,) which period each step is in
    count: Floats  # (n, K + 1): how often each bin counts
    weight: Floats | None = None  # (T,) how often each step counts

    @property
    def houses(self) -> int:
        return len(self.count)

    @property
    def own_histogram(self) -> Floats:
        """(n, K): how often each bin is seen, whatever the state; never quite 0."""
        count = self.count[:, :-1] + 0.1
        return np.asarray(count / count.sum(axis=1, keepdims=True))

    def select(self, houses: Bools) -> "Observations":
        """Those of some houses."""
        kept = np.flatnonzero(houses)
        shift = (np.arange(len(kept)) - kept) * self.count.shape[1]
        return replace(self, emission_index=self.emission_index[:, kept] + shift, count=self.count[kept])


def observe(bins: NDArray[np.int8], period: Ints, weight: Floats | None = None) -> Observations:
    """Bins, (T, n), as observations; `weight` (T,) counts some steps more than others."""
    houses = bins.shape[1]
    index = bins.astype(np.intp) + np.arange(houses) * (BINS + 1)
    weights = None if weight is None else np.repeat(weight, houses)
    count = np.bincount(index.ravel(), weights, minlength=houses * (BINS + 1))
    return Observations(
        emission_index=index, period=period, count=count.reshape(houses, -1).astype(float), weight=weight
    )


@dataclass(frozen=True, kw_only=True)
class Model:
    """Probabilities per step of G groups, and the emissions of n houses."""

    initial: Floats  # (G,) to be occupied at first
    leave: Floats  # (P, G)
    arrive: Floats  # (P, G)
    group: Ints  # (n,)
    emission: Floats  # (2, n, K): the probability of each bin, empty and occupied

    def chains(self, period: Ints) -> Chains:
        """The houses' Markov chains."""
        return Chains(
            initial=self.initial[self.group],
            leave=self.leave[:, self.group],
            arrive=self.arrive[:, self.group],
            row=period[:-1],
        )

    def select(self, houses: Ints | Bools) -> "Model":
        """Some houses, each its own group."""
        group = self.group[houses]
        return Model(
            initial=self.initial[group],
            leave=self.leave[:, group],
            arrive=self.arrive[:, group],
            group=np.arange(len(group)),
            emission=self.emission[:, houses],
        )

    def only_groups(self, which: Bools) -> "Model":
        """Some groups with all their houses."""
        return Model(
            initial=self.initial[which],
            leave=self.leave[:, which],
            arrive=self.arrive[:, which],
            group=(np.cumsum(which) - 1)[self.group[which[self.group]]],
            emission=self.emission[:, which[self.group]],
        )

    def with_periods(self, periods: int) -> "Model":
        """The same probabilities again in periods that come after its own: so many in all."""
        again = np.arange(periods) % len(self.leave)
        return replace(self, leave=self.leave[again], arrive=self.arrive[again])


def join(models: list[Model]) -> Model:
    """Houses one after the other, each its own group."""
    alone = [model.select(np.arange(len(model.group))) for model in models]
    return Model(
        initial=np.concatenate([model.initial for model in alone]),
        leave=np.concatenate([model.leave for model in alone], axis=1),
        arrive=np.concatenate([model.arrive for model in alone], axis=1),
        group=np.arange(sum(len(model.group) for model in alone)),
        emission=np.concatenate([model.emission for model in alone], axis=1),
    )


class Expected(NamedTuple):
    """What the houses did, as far as their readings tell."""

    occupied: Floats  # (T, n) Pr[occupied | all readings]
    departures: Floats  # (T − 1, n)
    arrivals: Floats  # (T − 1, n)
    log_likelihood: Floats  # (n,)


def e_step(seen: Observations, model: Model) -> Expected:
    """States and transitions given all readings: forward and backward."""
    chains, ratio = model.chains(seen.period), _log_likelihood_ratio(seen, model)
    filtered = forward_filter(chains, ratio)
    smoothed = smooth(chains, filtered)
    gain = np.log1p(filtered.prior * np.expm1(ratio))
    total = gain.sum(axis=0) if seen.weight is None else seen.weight @ gain
    empty = (seen.count[:, :-1] * np.log(model.emission[0])).sum(axis=1)
    return Expected(*smoothed, np.asarray(total + empty))


def log_likelihoods(seen: Observations, model: Model) -> Floats:
    """(T, n): ln Pr[reading | those before it]."""
    ratio = _log_likelihood_ratio(seen, model)
    prior = forward_filter(model.chains(seen.period), ratio).prior
    empty = np.take(_with_missing(np.log(model.emission[0])), seen.emission_index)
    return np.asarray(np.log1p(prior * np.expm1(ratio)) + empty)


def _log_likelihood_ratio(seen: Observations, model: Model) -> Floats:
    empty, occupied = np.log(model.emission)
    limit = np.log(MAX_RATIO)
    return np.take(_with_missing(np.clip(occupied - empty, -limit, limit)), seen.emission_index)


def _with_missing(table: Floats) -> Floats:
    """(n, K) with one more bin of 0, flat."""
    return np.column_stack([table, np.zeros(len(table))]).ravel()


def m_step(seen: Observations, model: Model, expected: Expected, *, sparse: bool = False) -> Model:
    """The likeliest model for what is expected; `sparse` charges an empty house's bins."""
    groups = len(model.initial)
    member = (model.group[:, None] == np.arange(groups)).astype(float)
    weight = np.ones(len(seen.period)) if seen.weight is None else seen.weight
    in_period = (seen.period[:-1] == np.arange(len(model.leave))[:, None]) * weight[:-1]
    departures, arrivals, from_occupied = (
        in_period @ each @ member for each in (expected.departures, expected.arrivals, expected.occupied[:-1])
    )
    steps = in_period.sum(axis=1)[:, None] * member.sum(axis=0)
    return Model(
        initial=_inside(expected.occupied[0] @ member / member.sum(axis=0)),
        leave=event_rate(departures, from_occupied, model.leave),
        arrive=event_rate(arrivals, np.maximum(steps - from_occupied, 0.0), model.arrive),
        group=model.group,
        emission=_emission(_expected_emissions(seen, expected.occupied, weight), seen, sparse),
    )


def _expected_emissions(seen: Observations, occupied: Floats, weight: Floats) -> Floats:
    """(2, n, K): the readings expected in every bin, empty and occupied."""
    in_bin = np.bincount(
        seen.emission_index.ravel(), (occupied * weight[:, None]).ravel(), minlength=seen.count.size
    ).reshape(seen.count.shape)
    return np.asarray(np.maximum(np.array([seen.count - in_bin, in_bin])[:, :, :-1], 0.0))


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


def event_rate(events: Floats, steps: Floats, otherwise: Floats) -> Floats:
    """Events over the steps at which they could happen, inside (0, 1); `otherwise` where there was none."""
    possible = steps > INTERIOR
    return _inside(np.where(possible, events / np.where(possible, steps, 1.0), otherwise))


def _inside(probability: Floats) -> Floats:
    return np.clip(probability, INTERIOR, 1 - INTERIOR)


class Fit(NamedTuple):
    """What Baum–Welch reached for G groups."""

    model: Model
    objective: Floats  # (G,) log-likelihood and prior
    converged: Bools  # (G,)
    starts_agree: Bools  # (G,) whether most starts end at the same height


def baum_welch(
    seen: Observations, start: Model, *, sparse: bool = False, max_iterations: int = MAX_ITERATIONS
) -> Fit:
    """The model that expectation and maximisation reach from a first one; groups that converge are done."""
    groups = len(start.initial)
    model, objective, converged = start, np.full(groups, -np.inf), np.zeros(groups, dtype=bool)
    active, part = np.arange(groups), start  # the groups that still learn, and their model
    for _ in range(max_iterations):
        expected = e_step(seen, part)
        own = expected.log_likelihood + log_prior(seen, part, sparse=sparse)
        height = np.bincount(part.group, own, minlength=len(active))
        arrived = height - objective[active] < TOLERANCE
        objective[active], converged[active[arrived]] = height, True
        model = _put(model, active[arrived], part, arrived)
        if arrived.all():
            return Fit(model, objective, converged, np.ones(groups, dtype=bool))
        part = m_step(seen, part, expected, sparse=sparse)
        if arrived.any():
            seen = seen.select(~arrived[part.group])
            part, active = part.only_groups(~arrived), active[~arrived]
    every = np.ones(len(active), dtype=bool)
    return Fit(_put(model, active, part, every), objective, converged, np.ones(groups, dtype=bool))


def _put(model: Model, groups: Ints, part: Model, which: Bools) -> Model:
    """The model with these groups' parameters replaced by those of some groups of a part of it."""
    result = Model(
        initial=model.initial.copy(),
        leave=model.leave.copy(),
        arrive=model.arrive.copy(),
        group=model.group,
        emission=model.emission.copy(),
    )
    result.initial[groups] = part.initial[which]
    result.leave[:, groups], result.arrive[:, groups] = part.leave[:, which], part.arrive[:, which]
    result.emission[:, np.isin(model.group, groups)] = part.emission[:, which[part.group]]
    return result


def fit_alone(
    seen: Observations,
    periods: int,
    *,
    starts: int = len(STARTS),
    max_iterations: int = MAX_ITERATIONS,
) -> Fit:
    """Every house on its own, the best end of several starts; occupied is the state that uses more."""
    ends = [
        baum_welch(seen, first_guess(seen, *each, periods), max_iterations=max_iterations)
        for each in STARTS[:starts]
    ]
    heights = np.array([end.objective for end in ends])
    best = heights.argmax(axis=0)
    houses = np.arange(seen.houses)
    model = join([end.model for end in ends]).select(best * seen.houses + houses)
    near = (heights.max(axis=0) - heights < SAME_END).sum(axis=0)
    converged = np.array([end.converged for end in ends])[best, houses]
    return Fit(_occupied_uses_more(model), heights.max(axis=0), converged, 2 * near > starts)


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
    )


def _occupied_uses_more(model: Model) -> Model:
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

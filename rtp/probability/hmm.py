"""Hidden Markov models with K states and tied emissions, learned by expectation and maximisation.

**States.** A *table of moves* says how the K states follow each other. Every move, such as leaving or going
to bed, has a probability in each period of the day in which it is possible, and the next state says which
moves happened:

    Pr[j | i] = share_ij · Π p (over the moves that happen from i to j) · Π (1 − p) (over those that fail to)

So a path's log-likelihood is Σ events·ln p + (steps − events)·ln(1 − p) over the moves, and each p is learned
by counting (Baum et al. 1970), by itself or with a Beta prior. Houses of one *group* share these
probabilities; alone, each is its own group.

**Readings** fall into bins of their house. States of one *level* have one emission between them, a histogram
for every house, whatever the shape of its use. Its prior is worth `SMOOTHING` readings that look like the
house's own. A missing reading says nothing.

While the level stays a house's readings may be correlated with the one before (`observations`).

With ρ = 0 the objective, log-likelihood and priors together, never falls. Otherwise ρ takes one Newton step a
round on the expected log-likelihood of pairs, and histograms are counted as if readings were independent
(inference for margins: Joe 1997); the objective may then fall by a little.

Of houses that learn together a bin of the lowest level can also have to earn its place (`sparse`). A visit
that shows in one or two readings can always be explained without a visit, by an empty house that seldom uses
much; maximum likelihood then takes rare visits for such use and learns half of them. The prior 1/f for every
such bin costs a reading each (Figueiredo and Jain 2002): with m readings expected in it, Σ (m − 1)·ln f is
largest at f ∝ m − 1, and at the smallest f allowed where m ≤ 1. What an empty house does more often stays in.

A group has converged when a round moves none of its probabilities by more than `TOLERANCE` of its standard
error, which is at least 1/√m in log-odds after m expected moves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.probability.markov import backward_in_blocks, forward_in_blocks, is_long
from rtp.probability.observations import (
    MAX_CORRELATION,
    Observations,
    climb_correlation,
    conditional_emission,
)

SMOOTHING = 0.5  # readings
BIN_COST = 1.0  # readings that a bin of the lowest level's emission costs
CLOSEST = 1e-6  # what is learned stays so far from 0 and 1
MAX_ITERATIONS = 40
TOLERANCE = 0.03  # standard errors
SURELY, NEVER = -2, -1  # in place of a move's probability


Pairs = tuple[tuple[int, int], ...]  # of a state and the next one


class Move(NamedTuple):
    """One row of a table of moves."""

    name: str
    happens: Pairs
    fails: Pairs
    period: Sequence[int]  # which of its probabilities holds in each period; or SURELY, NEVER
    prior: float = 0.5  # its probability before any reading
    worth: float = 0.0  # moves that the prior is worth
    held: Sequence[int] = ()  # those of its probabilities that are not learned

    @property
    def size(self) -> int:
        """How many probabilities it has."""
        return max(self.period) + 1


@dataclass(frozen=True, kw_only=True)
class MoveTable:
    """How K states follow each other, and what they use."""

    moves: tuple[Move, ...]
    level: tuple[int, ...]  # of use, by state
    halved: Pairs = ()  # where a move that happens leads to two states, to either as likely
    learns_initial: bool = True
    most_correlation: float = MAX_CORRELATION

    @property
    def periods(self) -> int:
        return len(self.moves[0].period)

    @property
    def levels(self) -> int:
        return max(self.level) + 1

    def possible(self) -> Floats:
        """(K, K): which share of what leads from a state to the next ends there; 0 where nothing does."""
        share = np.zeros((len(self.level), len(self.level)))
        for move in self.moves:
            for pair in (*move.happens, *move.fails):
                share[pair] = 0.5 if pair in self.halved else 1.0
        return share


@dataclass(frozen=True, kw_only=True)
class Model:
    """Probabilities of G groups, and the emissions of n houses."""

    table: MoveTable
    initial: Floats  # (K, G) of the first state
    probability: Mapping[str, Floats]  # of each move, (its number, G)
    group: Ints  # (n,)
    emission: Floats  # (L, n, BINS): the probability of each bin, by level
    correlation: (
        Floats  # (L, n) of a reading with the one before while the level stays; (1, n): in all levels
    )

    @property
    def leave(self) -> Floats:
        """That of leaving, by period, (P, G)."""
        return self.probability["leave"]

    @property
    def arrive(self) -> Floats:
        """That of arriving, by period, (P, G)."""
        return self.probability["arrive"]

    def select(self, houses: Ints | Bools) -> "Model":
        """Some houses, each its own group."""
        groups = self.group[houses]
        return self._part(groups, houses, np.arange(len(groups)))

    def only_groups(self, which: Bools) -> "Model":
        """Some groups with all their houses."""
        houses = which[self.group]
        return self._part(which, houses, (np.cumsum(which) - 1)[self.group[houses]])

    def _part(self, groups: Ints | Bools, houses: Ints | Bools, group: Ints) -> "Model":
        return replace(
            self,
            initial=self.initial[:, groups],
            probability={name: values[:, groups] for name, values in self.probability.items()},
            group=group,
            emission=self.emission[:, houses],
            correlation=self.correlation[:, houses],
        )

    def put(self, groups: Ints, part: "Model") -> None:
        """Write a model of some groups into this one."""
        self.initial[:, groups] = part.initial
        for name, values in part.probability.items():
            self.probability[name][:, groups] = values
        houses = np.isin(self.group, groups)
        self.emission[:, houses], self.correlation[:, houses] = part.emission, part.correlation


def join(models: Sequence[Model]) -> Model:
    """Return houses one after the other, each its own group, as in every one of the models."""
    first = models[0]
    return replace(
        first,
        initial=np.concatenate([model.initial for model in models], axis=1),
        probability={
            name: np.concatenate([model.probability[name] for model in models], axis=1)
            for name in first.probability
        },
        group=np.arange(sum(model.initial.shape[1] for model in models)),
        emission=np.concatenate([model.emission for model in models], axis=1),
        correlation=np.concatenate([model.correlation for model in models], axis=1),
    )


class Expected(NamedTuple):
    """What all observations together say of chains of K states."""

    states: Floats  # (T, K, n) Pr[state at t]
    moves: Floats  # (T − 1, K, K, n) Pr[state at t, state at t + 1]
    evidence: Floats  # (T, n) ln Pr[each observation | those before it]


def transition_matrices(model: Model) -> Floats:
    """Return Pr[next state | state] in every period, (P, K, K, G)."""
    share, groups = model.table.possible(), model.initial.shape[1]
    result = np.repeat(np.tile(share, (model.table.periods, 1, 1))[..., None], groups, axis=3)
    for move in model.table.moves:
        own = np.concatenate([model.probability[move.name], np.ones((1, groups)), np.zeros((1, groups))])
        own = own[list(move.period)]
        for pairs, factor in ((move.happens, own), (move.fails, 1 - own)):
            for now, then in pairs:
                result[:, now, then] *= factor
    return result


def weigh(matrices: Floats, level: Sequence[int], changed: Floats, stayed: Floats) -> Floats:
    """Return Pr[next state, what is seen then | state], (T − 1, K, K, n), from the transition matrices of all
    steps and the likelihood of what is seen, by level: of every step, (L, T, n), and of those after the first
    given what was seen before, where the level stays, (L, T − 1, n)."""
    weight = matrices.copy()
    for now, before in enumerate(level):
        for then, after in enumerate(level):
            weight[:, now, then] *= stayed[after] if before == after else changed[after, 1:]
    return weight


def joint_weights(seen: Observations, model: Model) -> tuple[Floats, Floats]:
    """Return Pr[state, reading] of the first step, (K, n), and of others given the step before,
    (T − 1, K, K, n)."""
    alone = np.concatenate([model.emission, np.ones((*model.emission.shape[:2], 1))], axis=2)
    changed = np.array([np.take(each, seen.emission_index) for each in alone])
    stayed = changed[:, 1:]
    if model.correlation.any():
        pairs = conditional_emission(model.emission, model.correlation)
        stayed = np.array([np.take(each, seen.pair_index) for each in pairs])
    matrices = transition_matrices(model)[..., model.group][seen.period[:-1]]
    first = model.initial[:, model.group] * changed[list(model.table.level), 0]
    return first, weigh(matrices, model.table.level, changed, stayed)


def forward(first: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return Pr[state at t | observations up to t], (T, K, n), and Pr[each observation | those before it],
    (T, n), from joint weights, which may hold a 0."""
    if is_long(weight):
        return forward_in_blocks(first, weight)
    states = np.empty((len(weight) + 1, *first.shape))
    evidence = np.empty((len(states), first.shape[1]))
    evidence[0] = first.sum(axis=0)
    states[0] = first / evidence[0]
    for t, between in enumerate(weight):
        ahead = (states[t][:, None] * between).sum(axis=0, out=states[t + 1])
        ahead /= ahead.sum(axis=0, out=evidence[t + 1])
    return states, evidence


def forward_backward(first: Floats, weight: Floats) -> Expected:
    """Return what all observations say (Rabiner 1989), from joint weights."""
    states, evidence = forward(first, weight)
    scaled = weight / evidence[1:, None, None]
    backward = backward_in_blocks(scaled) if is_long(weight) else _backward(scaled)
    moves = states[:-1, :, None] * scaled * backward[1:, None]
    return Expected(states * backward, moves, np.log(evidence))


def _backward(scaled: Floats) -> Floats:
    backward = np.ones((len(scaled) + 1, *scaled.shape[2:]))
    for t in reversed(range(len(scaled))):
        (scaled[t] * backward[t + 1]).sum(axis=1, out=backward[t])
    return backward


def e_step(seen: Observations, model: Model) -> Expected:
    """Return states and moves given all readings."""
    return forward_backward(*joint_weights(seen, model))


def m_step(
    seen: Observations,
    model: Model,
    expected: Expected,
    *,
    sparse: bool = False,
    autocorrelated: bool = False,
) -> Model:
    """Return the likeliest model for what is expected; `sparse` charges the lowest level's bins."""
    counts = _counts(seen, model, expected)
    probability = {}
    for move in model.table.moves:
        before = model.probability[move.name]
        probability[move.name] = event_rate(*counts[move.name], before)
        probability[move.name][list(move.held)] = before[list(move.held)]
    member = _member(model)
    better = replace(model, probability=probability)
    if model.table.learns_initial:
        better = replace(better, initial=_inside(expected.states[0] @ member / member.sum(axis=0)))
    return emit(seen, better, expected, sparse=sparse, autocorrelated=autocorrelated)


def emit(
    seen: Observations,
    model: Model,
    expected: Expected,
    *,
    sparse: bool = False,
    autocorrelated: bool = True,
) -> Model:
    """Return the model with the likeliest emissions for what is expected, and its correlations one Newton
    step further."""
    level = np.array(model.table.level)
    share = [expected.states[:, level == each].sum(axis=1) for each in range(model.table.levels)]
    emission = emissions(seen, share)
    if sparse:
        emission[0] = _sparse(seen.readings_in(share[0]))
    correlation = model.correlation
    if autocorrelated:
        same = [np.outer(level == each, level == each).astype(float) for each in range(model.table.levels)]
        pairs = np.array([seen.pairs(np.einsum("tijn,ij->tn", expected.moves, each)) for each in same])
        correlation = climb_correlation(pairs, emission, correlation, model.table.most_correlation)
    return replace(model, emission=emission, correlation=correlation)


def emissions(seen: Observations, share: Sequence[Floats]) -> Floats:
    """Return the probability of every bin where so much of every reading, (T, n) each, counts, (L, n,
    BINS)."""
    emission = np.array([seen.readings_in(own) for own in share]) + SMOOTHING * seen.own_histogram
    return np.asarray(emission / emission.sum(axis=2, keepdims=True))


def _sparse(readings: Floats) -> Floats:
    """(n, BINS): probabilities of bins that cost a reading each, from expected readings."""
    left = np.maximum(readings - BIN_COST, 0.0)
    kept = left > 0
    mass = 1 - CLOSEST * (~kept).sum(axis=1, keepdims=True)
    emission = np.where(kept, mass * left / np.maximum(left.sum(axis=1, keepdims=True), CLOSEST), CLOSEST)
    return np.asarray(emission / emission.sum(axis=1, keepdims=True))


def _member(model: Model) -> Floats:
    """(n, G): 1 where a house is in a group."""
    return np.asarray(model.group[:, None] == np.arange(model.initial.shape[1]), dtype=float)


def _counts(seen: Observations, model: Model, expected: Expected) -> dict[str, tuple[Floats, Floats]]:
    """By move, (its number, G) each: how often it is expected, and the steps at which it could happen; with
    those that its prior is worth."""
    table, steps = model.table, len(expected.moves)
    in_period = (seen.period[:-1] == np.arange(table.periods)[:, None]) * seen.weights[:-1]
    total = (in_period @ expected.moves.reshape(steps, -1)).reshape(-1, *expected.moves.shape[1:])
    total = total @ _member(model)  # (P, K, K, G)
    counts = {}
    for move in table.moves:
        learned = np.arange(move.size)[:, None] == np.array(move.period)
        happens, fails = (
            learned @ sum(total[:, now, then] for now, then in pairs) for pairs in (move.happens, move.fails)
        )
        counts[move.name] = happens + move.worth, happens + fails + move.worth / move.prior
    return counts


def event_rate(events: Floats, steps: Floats, otherwise: Floats | float) -> Floats:
    """Return events over the steps at which they could happen, inside (0, 1); `otherwise` where there was
    none."""
    possible = steps > CLOSEST
    return _inside(np.where(possible, events / np.where(possible, steps, 1.0), otherwise))


def _inside(probability: Floats) -> Floats:
    return np.asarray(np.clip(probability, CLOSEST, 1 - CLOSEST))


def log_prior(seen: Observations, model: Model, *, sparse: bool = False) -> Floats:
    """Return what the priors of emissions and moves add to the log-likelihood, (G,)."""
    logs = np.log(model.emission)
    weight = np.repeat(SMOOTHING * seen.own_histogram[None], len(logs), axis=0)
    if sparse:
        weight[0] = -BIN_COST
    result = (weight * logs).sum(axis=(0, 2)) @ _member(model)
    for move in model.table.moves:
        own = model.probability[move.name]
        fails = move.worth / move.prior - move.worth
        result += (move.worth * np.log(own) + fails * np.log1p(-own)).sum(axis=0)
    return np.asarray(result)


class Fit(NamedTuple):
    """What Baum–Welch reached for G groups."""

    model: Model
    objective: Floats  # (G,) log-likelihood and priors


def baum_welch(
    seen: Observations,
    start: Model,
    *,
    sparse: bool = False,
    autocorrelated: bool = False,
    tolerance: float = TOLERANCE,
    max_iterations: int = MAX_ITERATIONS,
) -> Fit:
    """Return what expectation and maximisation reach from a first model; groups that converge are done."""
    groups = start.initial.shape[1]
    result = join([start.only_groups(np.ones(groups, dtype=bool))])  # its own arrays
    result = replace(result, group=start.group)
    objective = np.empty(groups)
    active, part = np.arange(groups), start  # the groups that still learn, and their model
    for _ in range(max_iterations):
        expected = e_step(seen, part)
        height = (seen.weights @ expected.evidence) @ _member(part)
        objective[active] = height + log_prior(seen, part, sparse=sparse)
        better = m_step(seen, part, expected, sparse=sparse, autocorrelated=autocorrelated)
        arrived = _step_size(part, better, _counts(seen, part, expected)) < tolerance
        result.put(active, part)
        if arrived.all():
            break
        part = better
        if arrived.any():
            seen = seen.select(~arrived[part.group])
            part, active = part.only_groups(~arrived), active[~arrived]
    else:
        result.put(active, part)
    return Fit(result, objective)


def _step_size(old: Model, new: Model, counts: Mapping[str, tuple[Floats, Floats]]) -> Floats:
    """(G,): how far the probabilities of each group moved, in standard errors, at most."""
    sizes = []
    for name, (events, steps) in counts.items():
        before, after = old.probability[name], new.probability[name]
        moved = np.log(after) - np.log1p(-after) - np.log(before) + np.log1p(-before)
        sizes.append(np.abs(moved) * np.sqrt(np.maximum(np.minimum(events, steps - events), 0)))
    return np.asarray(np.concatenate(sizes).max(axis=0))

"""Two states of every house, each on its own: empty (0) and occupied (1), which uses more.

The period of the day that contains a step says with which probabilities a house leaves or arrives before the
next one; in each state it has an emission of its own and, in both, one correlation with the reading before
(`rtp.probability.hmm`).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.meters.house_fit import (
    GIVEN,
    ROUGH_FIT,
    HouseFits,
    gains,
    judged,
    sorting_days,
    trained_days,
    use_moments,
)
from rtp.meters.readings import Readings, by_hour, period_of_steps
from rtp.meters.transitions import counted_transitions
from rtp.probability.hmm import (
    Model,
    Move,
    MoveTable,
    baum_welch,
    e_step,
    emissions,
    join,
)
from rtp.probability.observations import Observations, quantile_edges, to_bins

EMPTY, OCCUPIED = range(2)
START_DAYS = 14  # on which the starts are tried
MAX_ROUNDS = 15  # from afresh; half of it from what was learned already
# (the share of readings that count as occupied, the probability to change state)
FIRST_GUESSES = ((0.5, 0.1), (0.25, 0.05), (0.75, 0.2))


def table(periods: int) -> MoveTable:
    """Return the table of moves of a day of so many periods."""
    each = tuple(range(periods))
    return MoveTable(
        moves=(
            Move("leave", ((OCCUPIED, EMPTY),), ((OCCUPIED, OCCUPIED),), each),
            Move("arrive", ((EMPTY, OCCUPIED),), ((EMPTY, EMPTY),), each),
        ),
        level=(0, 1),
    )


def fit_houses(readings: Readings, starts: Sequence[float]) -> HouseFits:
    """Return what two states tell of every house, by periods that start at these hours; and whether they can
    be occupancy.

    The starts of the search are tried on the first days, as if readings were independent. From the best of
    them a house learns on the days that do not judge it, with the correlation of its readings, and from there
    on all days."""
    edges, per_day = quantile_edges(readings.power), readings.steps_per_day
    seen = Observations(
        to_bins(readings.power, edges), period_of_steps(starts, readings.minutes, readings.days)
    )
    trained = trained_days(readings.days)
    before = min(trained, START_DAYS) * per_day
    learn = partial(baum_welch, autocorrelated=True, tolerance=ROUGH_FIT)
    guess = fit_alone(_until(seen, before), len(starts))
    early = learn(_until(seen, trained * per_day), guess, max_iterations=MAX_ROUNDS).model
    model = occupied_uses_more(learn(seen, early, max_iterations=MAX_ROUNDS // 2).model)
    occupied = e_step(seen, model).states[:, OCCUPIED]
    mean, variance = use_moments(readings.power.T, occupied)
    gain = gains(seen, early, trained, per_day)
    return HouseFits(
        **judged(readings, edges, occupied, mean[1] - mean[0], gain),
        emission=model.emission,
        correlation=model.correlation[0],
        mean=mean,
        variance=variance,
        certainty=np.maximum(occupied, 1 - occupied).mean(axis=0),
        off=np.zeros(len(edges)),
        model=model,
    )


def _until(seen: Observations, steps: int) -> Observations:
    return Observations(seen.bins[:steps], seen.period[:steps])


def count_houses(readings: Readings, period: Ints, periods: int) -> HouseFits:
    """Return the same where occupancy is given: moves and emissions are counted, and nothing is guessed."""
    assert readings.occupied is not None
    states, power = readings.occupied.T, readings.power.T
    present = states >= 0
    state, known = np.where(present, states, np.nan), np.where(present, power, np.nan)
    edges = quantile_edges(readings.power)
    seen = Observations(to_bins(readings.power, edges), period)
    mean, variance = use_moments(known, state)
    return HouseFits(
        edges=edges,
        emission=emissions(seen, [states == EMPTY, states == OCCUPIED]),
        correlation=np.zeros(len(edges)),
        mean=mean,
        variance=variance,
        profile=by_hour(state, readings.steps_per_day),
        used=by_hour(known, readings.steps_per_day),
        certainty=np.ones(len(edges)),
        off=np.zeros(len(edges)),
        separable=np.asarray(present.any(axis=0)),
        verdict=np.full(len(edges), GIVEN),
        sureness=np.ones(len(edges)),
        moves=counted_transitions(states, period, periods, readings.day),
        sorting=by_hour(state[sorting_days(readings.days)[readings.day]], readings.steps_per_day),
    )


def fit_alone(seen: Observations, periods: int) -> Model:
    """Return every house on its own, the best end of several starts: the higher a bin, the likelier occupied.
    Occupied is the state that uses more."""
    starts = [alone(low_and_high(seen, share), periods, change) for share, change in FIRST_GUESSES]
    ends = [baum_welch(seen, each, tolerance=ROUGH_FIT, max_iterations=MAX_ROUNDS) for each in starts]
    heights = np.array([end.objective for end in ends])
    best = heights.argmax(axis=0) * seen.houses + np.arange(seen.houses)
    return occupied_uses_more(join([end.model for end in ends]).select(best))


def in_periods(model: Model, periods: int) -> Model:
    """Return the same probabilities again in periods that come after its own: so many in all."""
    again = np.arange(periods) % model.table.periods
    probability = {name: own[again] for name, own in model.probability.items()}
    return replace(model, table=table(periods), probability=probability)


def alone(emission: Floats, periods: int, change: float = 0.5) -> Model:
    """Return houses of whom nothing but their emissions, (2, n, BINS), is known: all change state as
    often."""
    houses = emission.shape[1]
    return Model(
        table=table(periods),
        initial=np.full((2, houses), 0.5),
        probability={move.name: np.full((periods, houses), change) for move in table(periods).moves},
        group=np.arange(houses),
        emission=emission,
        correlation=np.zeros((1, houses)),
    )


def low_and_high(seen: Observations, share: float) -> Floats:
    """Return emissions of little and of much use, (2, n, BINS), where so much of the readings is much."""
    own = seen.own_histogram
    above = np.cumsum(own, axis=1) - own / 2
    lean = 1 / (1 + np.exp(-(above - (1 - share)) / 0.15))
    emission = np.array([own * (1 - lean), own * lean])
    return np.asarray(emission / emission.sum(axis=2, keepdims=True))


def occupied_uses_more(model: Model) -> Model:
    """Return states swapped where the empty one uses more: bins are in the order of use."""
    ranks = np.arange(model.emission.shape[2])
    swap = model.emission[1] @ ranks < model.emission[0] @ ranks
    return replace(
        model,
        initial=np.where(swap, model.initial[::-1], model.initial),
        probability={
            "leave": np.where(swap, model.arrive, model.leave),
            "arrive": np.where(swap, model.leave, model.arrive),
        },
        emission=np.where(swap[:, None], model.emission[::-1], model.emission),
    )

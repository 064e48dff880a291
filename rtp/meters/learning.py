"""learn(readings): a chain for every house, groups of houses that live alike, and their habits.

Every house first learns on its own: two states (`two_states`), or four where *at home* is asked for
(`four_states`). Whether it has two levels of use at all is judged on days that were not learned from, and
whether they can be occupancy by how they follow the clock (`house_fit`). Houses are sorted by their days,
into as many groups as predict other weeks best (`grouping`); each group then learns one set of transition
probabilities for all its houses, another one for weekends if there are enough of them, with intervals
(`transitions`). Days that sorted houses into groups teach the groups nothing more. A group learns again from
weeks drawn anew (the bootstrap): those are the other models of Θ. Where occupancy is given, moves are counted
and nothing is guessed; what four states make one expect is counted as if it were given.

Two states are two ways of using power that follow each other as habits do: up and about, if they are people's
at all; a heater on a timer looks the same.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import get_args

import numpy as np

from rtp.core.random import Stream, random_generator
from rtp.core.types import Bools, Floats, Ints
from rtp.core.workers import Progress, each, partial_progress
from rtp.meters import four_states, house_fit, transitions, two_states
from rtp.meters.four_states import AWAY
from rtp.meters.grid import MIN_DAYS
from rtp.meters.house_fit import HouseFits, groups_shown, join_fits, sort_by_habit, sorting_days
from rtp.meters.learned import (
    AT_HOME,
    LETTERS,
    UP_AND_ABOUT,
    Learned,
    LearnedGroup,
    Meaning,
    periods_for,
    weekends,
)
from rtp.meters.readings import (
    DAYS_PER_WEEK,
    HOURS_A_DAY,
    Powers,
    Readings,
    by_hour,
    in_steps_of,
    occupancy_given,
    period_of_steps,
)
from rtp.meters.rhythm import hours_slow
from rtp.meters.transitions import TransitionCounts
from rtp.meters.two_states import EMPTY, OCCUPIED
from rtp.probability.hmm import TOLERANCE, Model, baum_welch, e_step
from rtp.probability.observations import Observations, to_bins
from rtp.scenario import MAX_GROUPS, Bounds, Period, ScenarioError, must_be_one_of, must_be_within
from rtp.street.draw import evenly

MAX_LEARNED_DAYS = 91  # that are learned from, the latest: habits change with the seasons
LEARNING_STEP = 15  # minutes: finer readings are averaged
READINGS_AT_ONCE = 2_000_000  # readings worked on together
POOLED_HOUSES = 200  # of a group that its common probabilities are learned from
RESAMPLES = 3  # more models of Θ
GROUPS = Bounds(1, MAX_GROUPS, "Groups of houses")
ALONE = 0.85  # of the time is spent on single houses where moves are counted
ALONE_OF_TWO = 0.15  # where the groups' two states are learned together, again for every model of Θ


def learn(
    readings: Readings,
    periods: Sequence[Period] | None = None,
    groups: int | None = None,
    *,
    meaning: Meaning = UP_AND_ABOUT,
    every_house: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Learned:
    """Return habits and emissions of the usable houses, in as many groups as the readings show or as asked
    for.

    Occupied means up and about, by two states, or at home, by three; where readings say who is at home it
    is that, and counted. Into the groups go houses whose states can be occupancy, or `every_house` that
    shows two states.

    Parameters
    ----------
    readings : Readings
        What `read` gave.
    periods : sequence of Period, optional
        By which the day is divided.
    groups : int, optional
        How many; as many as the readings show without.
    meaning : {"up and about", "at home"}
        What occupied shall mean.
    every_house : bool
        Whether houses that show two states count even if these cannot be occupancy.
    resamples : int
        Weeks drawn anew, for intervals.
    seed : int
        Of these draws.
    executor : concurrent.futures.Executor, optional
        Learns blocks of houses on other processes.
    progress : callable, optional
        Called with the fraction done; may raise to stop.

    Returns
    -------
    Learned

    Examples
    --------
    >>> import rtp
    >>> from rtp import meters
    >>> from rtp.meters.real_home import real_home
    >>> learned = meters.learn(real_home())
    >>> learned.counted, learned.meaning
    (True, 'at home')
    >>> learned.scenario(rtp.Scenario(), occupied_max=8.0, empty_max=2.0).groups[0].occupied_max
    8.0
    """
    if groups is not None:
        must_be_within("groups", groups, GROUPS)
    must_be_one_of("meaning", meaning, get_args(Meaning))
    counted = readings.occupied is not None
    periods = tuple(periods_for(meaning) if periods is None else periods)
    meaning = AT_HOME if counted else meaning
    first, days, enough = training_houses(readings)
    which = np.flatnonzero(readings.usable & enough)
    own = training_readings(readings, which, first, days)
    weekend = weekends(own)
    starts = [period.start for period in periods]
    period = period_of_steps(starts, own.minutes, days, weekend)
    count = len(periods) * (1 if weekend is None else 2)
    alone = ALONE_OF_TWO if meaning == UP_AND_ABOUT else ALONE
    part = partial_progress(progress, 0.0, alone)
    blocks = [own.only_houses(some) for some in in_parts(np.arange(len(which)), own, meaning)]
    work: Callable[[Readings], HouseFits] = partial(two_states.fit_houses, starts=starts)
    if counted:
        work = partial(two_states.count_houses, period=period, periods=count)
    elif meaning == AT_HOME:
        work = partial(
            four_states.fit_homes, period=period, periods=count, weekend=weekend, every_house=every_house
        )
    houses = join_fits(list(each(work, blocks, executor, part)))
    chosen = np.flatnonzero(houses.separable & (np.isin(houses.verdict, house_fit.OCCUPANCY) | every_house))
    shown = 0
    learned: tuple[LearnedGroup, ...] = ()
    if len(chosen):
        seen = houses.moves or Observations(to_bins(own.power, houses.edges), period)
        shown, members, model, data = _sorted(houses, chosen, groups, seen, own.day, count)
        weights = _bootstrap_weeks(days, resamples, seed)
        part = partial_progress(progress, alone, 1.0)
        learned = _groups(houses, members, model, data, own.day, weights, executor, part)
    fine = meaning == AT_HOME and not counted
    return Learned(
        minutes=own.minutes,
        chain_minutes=own.minutes // four_states.quarters(own.minutes) if fine else own.minutes,
        first=first,
        days=days,
        span=(readings.date(first), readings.date(first + days - 1)),
        all_days=readings.days,
        left_out=tuple(readings.houses[i] for i in np.flatnonzero(readings.usable & ~enough)),
        exporting=readings.exporting,
        weekend_apart=weekend is not None,
        periods=periods,
        all_houses=len(readings.houses),
        which=which,
        houses=houses,
        groups=learned,
        groups_shown=shown,
        counted=counted,
        meaning=meaning,
        otherwise=_if_moved(own, houses, hours_slow(houses.used)) if fine else 0.0,
    )


def _if_moved(own: Readings, houses: HouseFits, hours: int) -> float:
    """At which share of moments four states would say otherwise of who is in, were the clock so many hours
    slow."""
    steps, said = hours * own.steps_per_day // HOURS_A_DAY, []
    for moved in (0, steps) if steps else ():
        power = np.roll(own.power, moved, axis=1)
        states = [
            four_states.decode(power[some], own.minutes, houses, some, own.weekend)[:, AWAY]
            for some in in_parts(np.arange(len(power)), own, AT_HOME)
        ]
        said.append(np.roll(np.concatenate(states, axis=1), -moved, axis=0) >= 0.5)
    return float(np.mean(said[0] != said[1])) if said else 0.0


def training_houses(readings: Readings) -> tuple[int, int, Bools]:
    """Return the first of the days to learn from, their number, and which houses have enough readings on
    them: the latest days, up to the last on which at least half as many usable houses report as on the
    best."""
    if not readings.usable.any():
        but = " and export nothing" if readings.exporting else ""
        raise ScenarioError("The readings", f"have no house with a week of readings that change{but}.")
    reporting = (readings.per_day()[readings.usable] > 0).sum(axis=0)
    end = int(np.flatnonzero(2 * reporting >= reporting.max())[-1]) + 1
    first = max(end - MAX_LEARNED_DAYS, 0)
    days = end - first
    enough = readings.per_day()[:, first : first + days].sum(axis=1) >= MIN_DAYS * readings.steps_per_day
    if not (readings.usable & enough).any():
        raise ScenarioError("The readings", f"have no house with {MIN_DAYS} days of them among the latest.")
    return first, days, enough


def training_readings(readings: Readings, which: Ints, first: int, days: int) -> Readings:
    """Return what is learned from: these days of some houses, in steps that are not too fine."""
    last = readings.only_days(first, days).only_houses(which)
    if last.minutes >= LEARNING_STEP or LEARNING_STEP % last.minutes:
        return last
    given = occupancy_given(last, LEARNING_STEP)
    occupied = None if given is None else np.where(np.isnan(given), -1, given).astype(np.int8)
    power = in_steps_of(last.power, last.minutes, LEARNING_STEP).astype(np.float32)
    return replace(last, minutes=LEARNING_STEP, power=power, occupied=occupied)


def in_parts(houses: Ints, readings: Readings, meaning: Meaning = UP_AND_ABOUT) -> list[Ints]:
    """Return houses that are worked on together."""
    cells = four_states.STATES_AT_ONCE if meaning == AT_HOME else READINGS_AT_ONCE
    steps = readings.power.shape[1] * (four_states.quarters(readings.minutes) if meaning == AT_HOME else 1)
    return np.array_split(houses, -(-len(houses) * steps // cells))


def decode(
    readings: Readings, learned: Learned, house: int, first: int | None = None, days: int | None = None
) -> tuple[Powers, Floats]:
    """Return power and Pr[occupied] of one learned house, (T,) each, in the steps and on the days learned
    from, or on others; NaN where occupancy is given, and not then.

    Days that were learned from are decoded together with those asked for: whoever asks, a moment has one
    answer.
    """
    some, houses = np.array([house]), learned.houses
    begin = learned.begins_in(readings)
    end = min(begin + learned.days, readings.days)
    begin = max(begin, 0)
    first, days = (begin, end - begin) if first is None or days is None else (first, days)
    start, stop = first, first + days
    if begin < end:
        start, stop = min(start, begin), max(stop, end)
    own = training_readings(readings, learned.which[some], start, stop - start)
    if learned.counted:
        assert own.occupied is not None
        occupied = np.where(own.occupied[0] < 0, np.nan, own.occupied[0])
    elif learned.meaning == AT_HOME:
        occupied = 1 - four_states.decode(own.power, own.minutes, houses, some, own.weekend)[:, AWAY, 0]
    else:
        assert houses.model is not None
        period = period_of_steps([part.start for part in learned.periods], own.minutes, own.days)
        seen = Observations(to_bins(own.power, houses.edges[some]), period)
        occupied = e_step(seen, houses.model.select(some)).states[:, OCCUPIED, 0]
    asked = slice((first - start) * own.steps_per_day, (first - start + days) * own.steps_per_day)
    return own.power[0, asked], occupied[asked]


Seen = Observations | TransitionCounts  # what is seen of houses, or what they are known to have done


def decode_moves(data: Seen, model: Model, day: Ints) -> TransitionCounts:
    """Return the moves of every house and day: as known, or as the model makes one expect."""
    return data if isinstance(data, TransitionCounts) else _decoded(data, model, day)[1]


def _decoded(seen: Observations, model: Model, day: Ints) -> tuple[Floats, TransitionCounts]:
    """Pr[occupied], (T, n), and the moves that the model makes one expect."""
    states, moves, _ = e_step(seen, model)
    occupied, periods = states[:, OCCUPIED], model.table.periods
    departures, arrivals = moves[:, OCCUPIED, EMPTY], moves[:, EMPTY, OCCUPIED]
    return occupied, transitions.expected_transitions(
        occupied, departures, arrivals, seen.period, periods, day
    )


def fit_groups(data: Seen, start: Model, weight: Floats, day: Ints, tolerance: float = TOLERANCE) -> Model:
    """Return the probabilities of all groups, from days that count so much, (days,); and every house's
    emissions with them."""
    if isinstance(data, TransitionCounts):
        return pooled(data, start, weight)
    seen = replace(data, weight=weight[day])
    return baum_welch(seen, start, sparse=True, autocorrelated=True, tolerance=tolerance).model


def pooled(moves: TransitionCounts, model: Model, weight: Floats) -> Model:
    """Return the model with its groups' probabilities from all moves of their houses together."""
    own = [moves.select(model.group == g).probabilities(weight) for g in range(model.initial.shape[1])]
    leave, arrive = (np.stack(each, axis=1) for each in zip(*own, strict=True))
    return replace(model, probability={"leave": leave, "arrive": arrive})


def in_groups(data: Seen, alone: Model, group: Ints, at_midnight: Floats, weight: Floats, day: Ints) -> Model:
    """Return what houses learn together in their groups, from where each of them came alone."""
    start = replace(alone, group=group, initial=np.array([1 - at_midnight, at_midnight]))
    return fit_groups(data, pooled(decode_moves(data, alone, day), start, weight), weight, day)


def _sorted(
    houses: HouseFits, chosen: Ints, groups: int | None, data: Seen, day: Ints, periods: int
) -> tuple[int, list[Ints], Model, Seen]:
    """How many groups the readings show; of as many or as asked for the houses of each, what they learned,
    and from what."""
    together = _pool(houses, chosen, np.zeros(len(chosen), dtype=np.intp), data, day, periods)
    if groups == 1:
        return 1, *together
    profile, moves = decode_alike(houses, chosen, together[1], data, day)
    shown = groups_shown(profile, moves, groups or MAX_GROUPS)
    if (groups or shown) == 1:
        return 1, *together
    return shown, *_pool(houses, chosen, sort_by_habit(profile, groups or shown), data, day, periods)


def decode_alike(
    houses: HouseFits, chosen: Ints, common: Model, data: Seen, day: Ints
) -> tuple[Floats, TransitionCounts]:
    """Return Pr[occupied] by hour on the days that sort, (24, m), and the moves of some houses, with the
    habits of all of them: with its own, a house whose states are hard to tell would seem to live
    otherwise."""
    if isinstance(data, TransitionCounts):
        assert houses.sorting is not None
        return houses.sorting[:, chosen], data.select(chosen)
    assert houses.model is not None
    per_day = int((day == 0).sum())
    sorting = sorting_days(int(day[-1]) + 1)[day]
    profiles, moves = [], []
    for some in np.array_split(chosen, -(-len(chosen) * len(day) // READINGS_AT_ONCE)):
        own = houses.model.select(some)
        alike = replace(
            common,
            group=np.zeros(len(some), dtype=np.intp),
            emission=own.emission,
            correlation=own.correlation,
        )
        occupied, own_moves = _decoded(data.select(some), alike, day)
        profiles.append(by_hour(occupied[sorting], per_day))
        moves.append(own_moves)
    return np.concatenate(profiles, axis=1), transitions.join_transitions(moves)


def _pool(
    houses: HouseFits, chosen: Ints, group: Ints, data: Seen, day: Ints, periods: int
) -> tuple[list[Ints], Model, Seen]:
    """The houses of each group; what those that teach it learned, from all days or those that did not sort;
    and what is seen of these."""
    members = [chosen[group == g] for g in range(int(group.max()) + 1)]
    learning = [own[evenly(len(own), POOLED_HOUSES)] for own in members]
    some = np.concatenate(learning)
    alone = two_states.alone(houses.emission[:, some], periods)
    if houses.moves is None:
        assert houses.model is not None
        alone = two_states.in_periods(houses.model.select(some), periods)
    own = data.select(some)
    at_midnight = np.array([houses.profile[0, each].mean() for each in members])
    of_group = np.repeat(np.arange(len(learning)), [len(each) for each in learning])
    return members, in_groups(own, alone, of_group, at_midnight, _teaching(len(members), day), day), own


def _teaching(groups: int, day: Ints) -> Floats:
    """(days,): how much each day counts. Days that sorted houses into groups teach the groups nothing
    more."""
    days = int(day[-1]) + 1
    return np.ones(days) if groups == 1 else (~sorting_days(days)).astype(float)


def _groups(
    houses: HouseFits,
    members: list[Ints],
    model: Model,
    data: Seen,
    day: Ints,
    weights: Floats,
    executor: Executor | None,
    progress: Progress | None,
) -> tuple[LearnedGroup, ...]:
    weight = _teaching(len(members), day)
    moves = decode_moves(data, model, day).on_days(weight > 0)
    again = partial(fit_groups, data, model, day=day, tolerance=house_fit.ROUGH_FIT)
    others = list(each(again, [own * weight for own in weights], executor, progress))
    result = []
    for g, own in enumerate(members):
        sure = transitions.precision(moves.select(model.group == g), model.leave[:, g], model.arrive[:, g])
        result.append(
            LearnedGroup(
                name=f"Group {LETTERS[g]}",
                houses=own,
                at_midnight=float(houses.profile[0, own].mean()),
                **sure._asdict(),
                bootstrap=tuple((other.leave[:, g], other.arrive[:, g]) for other in others),
            )
        )
    return tuple(result)


def _bootstrap_weeks(days: int, resamples: int, seed: int) -> Floats:
    """(R, days): how often each one's week is drawn, as many draws as weeks; none where there is one only."""
    week = np.arange(days) // DAYS_PER_WEEK
    weeks = int(week[-1]) + 1
    rng = random_generator(seed, Stream.METER_WEEKS)
    drawn = rng.multinomial(weeks, np.full(weeks, 1 / weeks), size=resamples if weeks > 1 else 0)
    return drawn[:, week].astype(float)

"""learn(readings): a chain for every house, groups of houses that live alike, and their habits.

Every house first learns on its own (`hmm`). Whether it has two states at all is judged on days that were not
learned from, and whether they can be occupancy by how they follow the clock (`house_fit`). Houses are sorted
by their days, into as many groups as predict other weeks best (`grouping`); each group then learns one set of
transition probabilities for all its houses, another one for weekends if there are enough of them, with
intervals (`transitions`). Days that sorted houses into groups teach the groups nothing more. A group learns
again from weeks drawn anew (the bootstrap): those are the other models of Θ. Where occupancy is given, moves
are counted and nothing is guessed.

Two states are two ways of using power that follow each other as habits do: up and about, if they are people's
at all; a heater on a timer looks the same. Where *at home* is asked for, three states of the houses that show
two say when somebody is at home (`rhythm`), and their expected moves are counted as if they were given.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

from rtp.core.parallel import Progress, each, partial_progress
from rtp.core.random import Stream, random_generator
from rtp.core.time import WEEKEND
from rtp.core.types import Bools, Floats, Ints
from rtp.meters import house_fit, transitions
from rtp.meters import rhythm as rhythms
from rtp.meters.grid import MIN_DAYS
from rtp.meters.grouping import groups_shown, sort_by_habit, sorting_days
from rtp.meters.hmm import TOLERANCE, Model, baum_welch, e_step
from rtp.meters.home_fit import HomeWork, fit_homes, join_homes, spread, with_homes, without_heaters
from rtp.meters.house_fit import HouseBlock, HouseFits
from rtp.meters.learned import (
    AT_HOME,
    LETTERS,
    UP_AND_ABOUT,
    Learned,
    LearnedGroup,
    Meaning,
    enough_weekends,
    period_of_steps,
    periods_for,
    week_of,
)
from rtp.meters.readings import (
    DAYS_PER_WEEK,
    MINUTES_PER_DAY,
    Observations,
    Powers,
    Readings,
    in_steps_of,
    to_bins,
)
from rtp.meters.rhythm import AWAY, Rhythm
from rtp.meters.transitions import TransitionCounts
from rtp.scenario import MAX_GROUPS, Bounds, Period, ScenarioError, must_be_one_of, must_be_within
from rtp.street.draw import evenly

MAX_DAYS = 91  # that are learned from, the latest: habits change with the seasons
STEP = 15  # minutes: finer readings are averaged
CELLS = 2_000_000  # readings worked on together
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
    block = training_block(readings, which, first, days, periods)
    weekend = np.array([readings.weekday(first + day) in WEEKEND for day in range(days)])
    blocks = [block.select(some) for some in in_parts(np.arange(len(which)), block)]
    work = house_fit.count_houses if counted else house_fit.fit_houses
    alone = ALONE_OF_TWO if meaning == UP_AND_ABOUT else ALONE
    first_part = partial_progress(progress, 0.0, alone if counted or meaning == UP_AND_ABOUT else alone / 2)
    houses = house_fit.join_fits(list(each(work, blocks, executor, first_part)))
    if enough_weekends(int(weekend.sum())):
        period = period_of_steps(periods, MINUTES_PER_DAY // block.per_day, days, weekend)
        block = replace(block, period=period, periods=2 * len(periods))
    fit = np.isin(houses.verdict, house_fit.OCCUPANCY) | every_house
    chosen = np.flatnonzero(houses.separable & fit)
    rhythm = None
    if meaning == AT_HOME and not counted and len(chosen):
        part = partial_progress(progress, alone / 2, alone)
        week = week_of(readings, first, days)
        houses, chosen, block, rhythm = _at_home(houses, chosen, every_house, block, week, executor, part)
    shown = 0
    learned: tuple[LearnedGroup, ...] = ()
    if len(chosen):
        weights = _bootstrap_weeks(days, resamples, seed)
        shown, pooled, members = _sorted(houses, chosen, groups, block)
        learned = _groups(pooled, members, weights, executor, partial_progress(progress, alone, 1.0))
    return Learned(
        minutes=MINUTES_PER_DAY // block.per_day,
        first=first,
        days=days,
        span=(readings.date(first), readings.date(first + days - 1)),
        all_days=readings.days,
        left_out=tuple(readings.houses[i] for i in np.flatnonzero(readings.usable & ~enough)),
        weekend_days=int(weekend.sum()),
        periods=periods,
        all_houses=len(readings.houses),
        which=which,
        houses=houses,
        groups=learned,
        groups_shown=shown,
        counted=counted,
        meaning=meaning,
        rhythm=rhythm,
        decoded=chosen[: 0 if rhythm is None else len(chosen)],
    )


def _at_home(
    houses: HouseFits,
    chosen: Ints,
    every_house: bool,
    block: HouseBlock,
    week: int | None,
    executor: Executor | None,
    progress: Progress | None,
) -> tuple[HouseFits, Ints, HouseBlock, Rhythm | None]:
    """The chosen houses by three states; those that show people; and the block with what these did."""
    sorting = sorting_days(block.days)[block.day]
    parts = in_parts(chosen, block, rhythms.CELLS)
    work = [HomeWork(block=block.select(some), sorting=sorting, week=week) for some in parts]
    homes = join_homes(list(each(fit_homes, work, executor, progress)))
    if not every_house:
        houses, shown = without_heaters(houses, chosen, homes)
        chosen, homes = chosen[shown], homes.select(np.flatnonzero(shown))
    if not len(chosen):
        return houses, chosen, block, None
    decoded = spread(homes.decoded, chosen, len(houses.separable))
    return with_homes(houses, chosen, homes), chosen, replace(block, decoded=decoded), homes.rhythm


def training_houses(readings: Readings) -> tuple[int, int, Bools]:
    """The first of the days to learn from, their number, and which houses have enough readings on them."""
    if not readings.usable.any():
        raise ScenarioError("The readings", "have no house with a week of readings that change.")
    first, days = _training_days(readings)
    enough = readings.per_day()[:, first : first + days].sum(axis=1) >= MIN_DAYS * readings.steps_per_day
    if not (readings.usable & enough).any():
        raise ScenarioError("The readings", f"have no house with {MIN_DAYS} days of them among the latest.")
    return first, days, enough


def decode(readings: Readings, learned: Learned, house: int) -> tuple[Powers, Floats]:
    """Power and Pr[occupied] of one learned house, (T,) each, on the days learned from."""
    some, place = np.array([house]), np.flatnonzero(learned.decoded == house)
    block = training_block(readings, learned.which[some], learned.first, learned.days, learned.periods)
    if learned.rhythm is not None and len(place):
        seen = rhythms.observations(block.power, learned.houses.edges[some], learned.minutes)
        return block.power[0], 1 - rhythms.decode(seen, learned.rhythm.select(place)).states[:, AWAY, 0]
    occupied, _ = decode_moves(block, learned.houses.edges[some], learned.houses.model.select(some))
    return block.power[0], occupied[:, 0]


def _training_days(readings: Readings) -> tuple[int, int]:
    """The first day and how many: the latest, up to the last on which at least half as many usable houses
    report as on the best day."""
    reporting = (readings.per_day()[readings.usable] > 0).sum(axis=0)
    end = int(np.flatnonzero(2 * reporting >= reporting.max())[-1]) + 1
    first = max(end - MAX_DAYS, 0)
    return first, end - first


def training_block(
    readings: Readings, which: Ints, first: int, days: int, periods: tuple[Period, ...]
) -> HouseBlock:
    """What is learned from: these days of some houses, in steps that are not too fine."""
    last = readings.only_days(first, days)
    minutes = STEP if last.minutes < STEP and STEP % last.minutes == 0 else last.minutes
    power = last.power[which]
    occupied = None if last.occupied is None else last.occupied[which]
    if minutes > last.minutes:
        power = in_steps_of(power, last.minutes, minutes).astype(np.float32)
        occupied = None if occupied is None else occupied[:, :: minutes // last.minutes]
    return HouseBlock(
        power=power,
        occupied=occupied,
        period=period_of_steps(periods, minutes, days),
        periods=len(periods),
        per_day=MINUTES_PER_DAY // minutes,
    )


def in_parts(houses: Ints, block: HouseBlock, cells: int = CELLS) -> list[Ints]:
    """Houses that are worked on together."""
    return np.array_split(houses, -(-len(houses) * len(block.period) // cells))


def decode_moves(block: HouseBlock, edges: Floats, model: Model) -> tuple[Floats, TransitionCounts]:
    """Pr[occupied] of some houses, (T, n), and their moves: as given, NaN where it is not, and counted, or as
    the model makes one expect."""
    clock = block.period, block.periods, block.day
    if block.occupied is not None:
        states = block.occupied.T
        return np.where(states < 0, np.nan, states), transitions.counted_transitions(states, *clock)
    expected = e_step(Observations(to_bins(block.power, edges), block.period), model)
    return expected.occupied, transitions.expected_transitions(expected, *clock)


@dataclass(frozen=True, kw_only=True)
class PooledFit:
    """The m houses from which the groups' probabilities are learned, and where learning starts."""

    at_midnight: Floats  # (G,) Pr[occupied]
    block: HouseBlock
    edges: Floats  # (m, K + 1)
    model: Model  # of m houses, each its own group, or of G groups once they have learned
    group: Ints  # (m,)
    weight: Floats  # (days,): how often each day counts
    rough: bool = False  # whether a model near the likeliest will do

    def pooled(self, moves: TransitionCounts) -> Model:
        """A model of groups: their houses' moves together, and the houses' own emissions."""
        groups = range(len(self.at_midnight))
        pairs = [moves.only(self.group == g).probabilities(self.weight) for g in groups]
        return Model(
            initial=self.at_midnight,
            leave=np.stack([leave for leave, _ in pairs], axis=1),
            arrive=np.stack([arrive for _, arrive in pairs], axis=1),
            group=self.group,
            emission=self.model.emission,
            correlation=self.model.correlation,
        )

    def moves(self) -> TransitionCounts:
        """Of every house and day, counted or as the model makes one expect."""
        if self.block.decoded is not None:
            return self.block.decoded.moves
        return decode_moves(self.block, self.edges, self.model)[1]


def fit_groups(work: PooledFit) -> Model:
    """The probabilities of all groups, and every house's emissions with them. It can travel to a process."""
    if work.block.occupied is not None or work.block.decoded is not None:
        return work.pooled(work.moves())
    start = work.model if len(work.model.initial) == len(work.at_midnight) else work.pooled(work.moves())
    bins = to_bins(work.block.power, work.edges)
    seen = Observations(bins, work.block.period, work.weight[work.block.day])
    tolerance = house_fit.ROUGH if work.rough else TOLERANCE
    model = replace(start, group=work.group)
    return baum_welch(seen, model, sparse=True, autocorrelated=True, tolerance=tolerance).model


def _sorted(
    houses: HouseFits, chosen: Ints, groups: int | None, data: HouseBlock
) -> tuple[int, PooledFit, list[Ints]]:
    """How many groups the readings show, what as many or as asked for learned, and the houses of each."""
    together, members = _pool(houses, chosen, np.zeros(len(chosen), dtype=np.intp), data)
    if groups == 1:
        return 1, together, members
    profile, moves = decode_alike(houses, chosen, together.model, data)
    shown = groups_shown(profile, moves, groups or MAX_GROUPS)
    if (groups or shown) == 1:
        return 1, together, members
    return shown, *_pool(houses, chosen, sort_by_habit(profile, groups or shown), data)


def decode_alike(
    houses: HouseFits, chosen: Ints, common: Model, data: HouseBlock
) -> tuple[Floats, TransitionCounts]:
    """Pr[occupied] by hour on the days that sort, (24, m), and the moves of some houses, with the habits of
    all of them: with its own, a house whose states are hard to tell would seem to live otherwise."""
    if data.decoded is not None:
        known = data.decoded.select(chosen)
        return known.profile, known.moves
    sorting = sorting_days(data.days)[data.day]
    profiles, moves = [], []
    for some in in_parts(chosen, data):
        own = houses.model.select(some)
        model = replace(
            common,
            group=np.zeros(len(some), dtype=np.intp),
            emission=own.emission,
            correlation=own.correlation,
        )
        occupied, own_moves = decode_moves(data.select(some), houses.edges[some], model)
        profiles.append(house_fit.by_hour(occupied[sorting], data.per_day))
        moves.append(own_moves)
    return np.concatenate(profiles, axis=1), transitions.join_transitions(moves)


def _pool(houses: HouseFits, chosen: Ints, group: Ints, data: HouseBlock) -> tuple[PooledFit, list[Ints]]:
    """What the chosen houses learn together in their groups, from all days or those that did not sort, and
    the houses of each group."""
    members = [chosen[group == g] for g in range(int(group.max()) + 1)]
    learning = [own[evenly(len(own), POOLED_HOUSES)] for own in members]
    some = np.concatenate(learning)
    alone = len(members) == 1
    work = PooledFit(
        at_midnight=np.array([houses.profile[0, own].mean() for own in members]),
        block=data.select(some),
        edges=houses.edges[some],
        model=houses.model.select(some).with_periods(data.periods),
        group=np.repeat(np.arange(len(learning)), [len(own) for own in learning]),
        weight=np.ones(data.days) if alone else (~sorting_days(data.days)).astype(float),
    )
    return replace(work, model=fit_groups(work)), members


def _groups(
    work: PooledFit,
    members: list[Ints],
    weights: Floats,
    executor: Executor | None,
    progress: Progress | None,
) -> tuple[LearnedGroup, ...]:
    model, moves = work.model, work.moves().on_days(work.weight > 0)
    resampled = [replace(work, weight=weight * work.weight, rough=True) for weight in weights]
    others = list(each(fit_groups, resampled, executor, progress))
    result = []
    for g, houses in enumerate(members):
        sure = transitions.precision(moves.only(work.group == g), model.leave[:, g], model.arrive[:, g])
        result.append(
            LearnedGroup(
                name=f"Group {LETTERS[g]}",
                houses=houses,
                at_midnight=float(work.at_midnight[g]),
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

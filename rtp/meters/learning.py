"""learn(readings): a two-state chain for every house, groups of houses that live alike, and their habits.

Every house first learns on its own (`block`, `fit`). Whether it has two states at all is judged on days that
were not learned from. Houses are sorted by their days (`groups`); each group then learns one set of chances
for all its houses (`tied`), another one for weekends if there are enough of them, with intervals (`counts`),
and learns them again from weeks drawn anew: those are
the other models of Θ. Where occupancy is given, it is counted and nothing is guessed (`counted`).

What cannot be told from readings: whether the two states are *presence*. They are two ways of using power
that follow each other as habits do; a heater on a timer looks the same.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rtp.core.parallel import Progress, each
from rtp.core.random import Stream, generator
from rtp.core.time import WEEKEND
from rtp.core.types import Floats, Ints
from rtp.meters.block import Block, Houses, join, learn_block
from rtp.meters.counted import count_block
from rtp.meters.counts import intervals, told, unlike
from rtp.meters.fit import columns, with_periods
from rtp.meters.groups import sort_by_habit
from rtp.meters.learned import LETTERS, Learned, LearnedGroup, enough_weekends, period_of_steps
from rtp.meters.readings import DAYS_PER_WEEK, MINUTES_PER_DAY, Powers, Readings, in_steps_of
from rtp.meters.together import Together, again, common_chances, moves_of
from rtp.scenario import MAX_GROUPS, PAPER_PERIODS, Bounds, Period, ScenarioError, must_be_within
from rtp.street.draw import evenly

MOST_DAYS = 91  # that are learned from, the latest: habits change with the seasons
STEP = 15  # minutes: finer readings are averaged
CELLS = 500_000  # readings worked on together
TIED_HOUSES = 200  # of a group that its common chances are learned from
RESAMPLES = 3  # more models of Θ
GROUPS = Bounds(1, MAX_GROUPS, "Groups of houses")
ALONE = 0.85  # of the time is spent on single houses


def learn(
    readings: Readings,
    periods: Sequence[Period] = PAPER_PERIODS,
    groups: int = 1,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Learned:
    """Habits and laws of the usable houses. `progress` is told the fraction done and may raise to stop."""
    must_be_within("groups", groups, GROUPS)
    which = np.flatnonzero(readings.usable)
    if not len(which):
        raise ScenarioError("The readings", "have no house with a week of readings that change.")
    power, occupied, minutes = taken(readings, which)
    days = power.shape[1] * minutes // MINUTES_PER_DAY
    weekend = np.array([readings.weekday(readings.days - days + day) in WEEKEND for day in range(days)])
    period = period_of_steps(tuple(periods), minutes, days)
    per_day = MINUTES_PER_DAY // minutes
    blocks = _blocks(power, occupied, period, len(periods), per_day)
    work = learn_block if occupied is None else count_block
    houses = join(list(each(work, blocks, executor, _part(progress, 0.0, ALONE))))
    day = np.repeat(np.arange(days), per_day)
    if enough_weekends(int(weekend.sum())):
        period = period_of_steps(tuple(periods), minutes, days, weekend)
    found = together(houses, groups, power, occupied, period, day)
    weights = _weights(days, resamples, seed)
    return Learned(
        minutes=minutes,
        days=days,
        weekend_days=int(weekend.sum()),
        periods=tuple(periods),
        all_houses=len(readings.houses),
        which=which,
        houses=houses,
        groups=() if found is None else _groups(*found, weights, executor, _part(progress, ALONE, 1.0)),
        counted=occupied is not None,
    )


def _blocks(
    power: Powers, occupied: NDArray[np.int8] | None, period: Ints, periods: int, per_day: int
) -> list[Block]:
    """Houses that are learned at once."""
    return [
        Block(
            power=power[some],
            occupied=None if occupied is None else occupied[some],
            period=period,
            periods=periods,
            per_day=per_day,
        )
        for some in np.array_split(np.arange(len(power)), -(-power.size // CELLS))
        if len(some)
    ]


def taken(readings: Readings, which: Ints) -> tuple[Powers, NDArray[np.int8] | None, int]:
    """What is learned from: the latest days of some houses, in steps that are not too fine."""
    last = readings.only_days(max(readings.days - MOST_DAYS, 0), min(readings.days, MOST_DAYS))
    minutes = STEP if last.minutes < STEP and STEP % last.minutes == 0 else last.minutes
    power = last.power[which]
    occupied = None if last.occupied is None else last.occupied[which]
    if minutes > last.minutes:
        power = in_steps_of(power, last.minutes, minutes).astype(np.float32)
        occupied = None if occupied is None else occupied[:, :: minutes // last.minutes]
    return power, occupied, minutes


def together(
    houses: Houses,
    groups: int,
    power: Powers,
    occupied: NDArray[np.int8] | None,
    period: Ints,
    day: Ints,
) -> tuple[Together, list[Ints]] | None:
    """The houses that show two states, sorted into groups, ready to learn together; None where none does."""
    separable = np.flatnonzero(houses.separable)
    if not len(separable):
        return None
    group = sort_by_habit(houses.profile[:, separable], groups)
    members = [separable[group == g] for g in range(int(group.max()) + 1)]
    chosen = [own[evenly(len(own), TIED_HOUSES)] for own in members]
    some = np.concatenate(chosen)
    work = Together(
        group=np.repeat(np.arange(len(chosen)), [len(own) for own in chosen]),
        at_midnight=np.array([houses.profile[0, own].mean() for own in members]),
        power=power[some],
        occupied=None if occupied is None else occupied[some],
        edges=houses.edges[some],
        chains=with_periods(columns(houses.chains, some), int(period.max()) + 1),
        period=period,
        day=day,
    )
    return work, members


def _groups(
    work: Together,
    members: list[Ints],
    weights: Floats,
    executor: Executor | None,
    progress: Progress | None,
) -> tuple[LearnedGroup, ...]:
    tied, chains = common_chances(work)
    found = moves_of(work, tied, chains)
    others = list(again(work, tied, chains, weights, executor, progress))
    result = []
    for g, houses in enumerate(members):
        own = found.only(work.group == g), tied.leave[:, g], tied.arrive[:, g]
        leave, arrive = intervals(*own)
        result.append(
            LearnedGroup(
                name=f"Group {LETTERS[g]}",
                houses=houses,
                at_midnight=float(np.clip(work.at_midnight[g], 0.0, 1.0)),
                leave=leave,
                arrive=arrive,
                told=told(*own),
                unlike=unlike(*own),
                again=tuple((other.leave[:, g], other.arrive[:, g]) for other in others),
            )
        )
    return tuple(result)


def _weights(days: int, resamples: int, seed: int) -> Floats:
    """(R, days): how often each one's week is drawn, as many draws as weeks; none where there is one only."""
    week = np.arange(days) // DAYS_PER_WEEK
    weeks = int(week[-1]) + 1
    rng = generator(seed, Stream.METER_WEEKS)
    drawn = rng.multinomial(weeks, np.full(weeks, 1 / weeks), size=resamples if weeks > 1 else 0)
    return drawn[:, week].astype(float)


def _part(progress: Progress | None, start: float, end: float) -> Progress | None:
    return None if progress is None else partial(_tell, progress, start, end)


def _tell(progress: Progress, start: float, end: float, done: float) -> None:
    progress(start + done * (end - start))

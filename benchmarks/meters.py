"""How often the intervals of learned habits hold, by the correlation of use, in one group and in two.

Streets are drawn from the paper's habits, in the second case with as many houses that stay at noon. All
streets of a case learn at once, each on its own.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.measure import Result
from rtp.core.types import Floats, Ints
from rtp.meters.grouping import sort_by_habit, sorting_days
from rtp.meters.hmm import e_step
from rtp.meters.house_fit import HouseBlock, HouseFits, by_hour, fit_houses
from rtp.meters.learned import period_of_steps
from rtp.meters.learning import PooledFit, fit_groups
from rtp.meters.readings import Observations, to_bins
from rtp.meters.transitions import precision
from rtp.scenario import PAPER_PERIODS
from tests.unit.meters.streets import known_street, paper_chances

CORRELATIONS = (0.0, 0.3, 0.5, 0.7)
STREETS, HOUSES, DAYS, MINUTES = 10, 8, 42, 30
PER_DAY = 24 * 60 // MINUTES
ALLOWED = 0.1  # of the intervals of 95 % may miss


def results() -> Iterator[Result]:
    for kinds in (1, 2):
        for correlation in CORRELATIONS:
            holds = coverage(kinds, correlation)
            case = f"{'one group' if kinds == 1 else 'two groups'}, correlation {correlation:g}"
            yield Result(
                subject=f"intervals that miss, {case}",
                value=100 * (1 - holds),
                unit=" %",
                target=100 * ALLOWED,
            )


def coverage(kinds: int, correlation: float) -> float:
    """The share of intervals that hold the truth."""
    truths = habits()[:kinds]
    streets = [
        known_street(
            HOUSES, DAYS, MINUTES, 10 * seed + k, chances=own, correlation=correlation
        ).readings.power
        for seed in range(STREETS)
        for k, own in enumerate(truths)
    ]
    power, period = np.concatenate(streets), period_of_steps(PAPER_PERIODS, MINUTES, DAYS)
    block = HouseBlock(power=power, occupied=None, period=period, periods=len(PAPER_PERIODS), per_day=PER_DAY)
    fits = fit_houses(block)
    street = np.repeat(np.arange(STREETS), HOUSES * kinds)
    work = pooled(block, fits, street)
    model = fit_groups(work)
    if kinds == 2:
        occupied = e_step(Observations(to_bins(power, fits.edges), period), model).occupied
        profile = by_hour(occupied[sorting_days(DAYS)[block.day]], PER_DAY)
        group = [2 * each + sort_by_habit(profile[:, street == each], 2) for each in range(STREETS)]
        work = pooled(block, fits, np.concatenate(group))
        work = replace(work, weight=(~sorting_days(DAYS)).astype(float))
        model = fit_groups(work)
    moves = replace(work, model=model).moves().on_days(work.weight > 0)
    hits = []
    for g in range(STREETS * kinds):
        sure = precision(moves.only(work.group == g), model.leave[:, g], model.arrive[:, g])
        for own, truth in zip((sure.leave, sure.arrive), nearest(truths, model.leave[:, g]), strict=True):
            hits.append((own.low <= truth) & (truth <= own.high))
    return float(np.mean(hits))


def habits() -> list[tuple[Floats, Floats]]:
    """The paper's, and those of who stays at noon."""
    leave, arrive = paper_chances(MINUTES)
    return [(leave, arrive), (np.where(np.arange(len(leave)) == 1, 0.05 * leave, leave), arrive)]


def nearest(truths: list[tuple[Floats, Floats]], leave: Floats) -> tuple[Floats, Floats]:
    """The habits whose noon is nearer to a group's."""
    return min(truths, key=lambda truth: abs(float(np.log(truth[0][1] / leave[1]))))


def pooled(block: HouseBlock, fits: HouseFits, group: Ints) -> PooledFit:
    """Houses in groups, ready to learn together from all days."""
    return PooledFit(
        at_midnight=np.array(
            [float(fits.profile[0, group == g].mean()) for g in range(int(group.max()) + 1)]
        ),
        block=block,
        edges=fits.edges,
        model=fits.model,
        group=group,
        weight=np.ones(DAYS),
    )

"""How often the intervals of learned habits hold, by the correlation of use, in one group and in two.

Streets are drawn from the paper's habits, in the second case with as many houses that stay at noon. All
streets of a case learn at once, each on its own.
"""

from collections.abc import Iterator

import numpy as np

from benchmarks.measure import Result
from rtp.core.types import Floats, Ints
from rtp.meters.house_fit import sort_by_habit, sorting_days
from rtp.meters.learning import decode_moves, in_groups
from rtp.meters.readings import by_hour, period_of_steps
from rtp.meters.transitions import precision
from rtp.meters.two_states import OCCUPIED, fit_houses
from rtp.probability.hmm import e_step
from rtp.probability.observations import Observations, to_bins
from tests.unit.meters.streets import PAPER_STARTS, as_readings, known_street, paper_chances

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
    readings = as_readings(np.concatenate(streets), MINUTES)
    fits, day = fit_houses(readings, PAPER_STARTS), readings.day
    assert fits.model is not None
    period = period_of_steps(PAPER_STARTS, MINUTES, DAYS)
    seen = Observations(to_bins(readings.power, fits.edges), period)
    weight, group = np.ones(DAYS), np.repeat(np.arange(STREETS), HOUSES * kinds)
    model = in_groups(seen, fits.model, group, at_midnight(fits.profile, group), weight, day)
    if kinds == 2:
        occupied = e_step(seen, model).states[:, OCCUPIED]
        profile, street = by_hour(occupied[sorting_days(DAYS)[day]], PER_DAY), group
        group = np.concatenate(
            [2 * each + sort_by_habit(profile[:, street == each], 2) for each in range(STREETS)]
        )
        weight = (~sorting_days(DAYS)).astype(float)
        model = in_groups(seen, fits.model, group, at_midnight(fits.profile, group), weight, day)
    moves = decode_moves(seen, model, day).on_days(weight > 0)
    hits = []
    for g in range(STREETS * kinds):
        sure = precision(moves.select(group == g), model.leave[:, g], model.arrive[:, g])
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


def at_midnight(profile: Floats, group: Ints) -> Floats:
    """Pr[occupied] at midnight in every group."""
    return np.array([float(profile[0, group == g].mean()) for g in range(int(group.max()) + 1)])

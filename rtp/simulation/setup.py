"""A scenario unpacked, once, into what the street needs.

What another step length does to the same habits: chances over a period keep their meaning. They are taken as
independent tries, so a house may come and go within the period, and how often depends on how often it is
asked: expected occupancy moves a little. How far personal habits spread is stated per step of 15 minutes and
restated in proportion to the step (`Scenario.spread_per_step`).

**Use that adds up to what a house uses in a year**, below a peak that is stated. A house is occupied for the
share π of a typical week and then uses m₁ on average, else m₀; so a year's energy E asks for

    m₁ = (E/8760 − (1 − π)·m₀)/π.

Of all distributions on [0, u] with a given mean the truncated exponential, with density in proportion to
e^{−λx}, has the largest entropy (Cover and Thomas, *Elements of Information Theory*, section 12.2): it says
nothing beyond peak and mean. It leans to the right where the mean is below u/2, and with λ = 0 it is the
uniform distribution of the paper. While a house is empty its use stays uniform up to its standby.

It is written as a histogram for the whole group and cut at the peak of each house, as every histogram of use;
λ is the one with which the mean over the group's houses, cut and in bins, is exactly m₁. Where no λ gives it
(standby alone uses more, or the peak all the time less) the nearest is taken: `YearlyUse.reached` says so.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rtp.core.time import PAPER_STEP, WEEKDAYS, Weekday, steps_per_day, weekday
from rtp.core.types import Floats, Ints
from rtp.probability.histogram import share_below
from rtp.scenario import Group, Law, Scenario
from rtp.scenario.consumption import HOURS_A_YEAR
from rtp.scenario.habits import DayField, Habits, Period, lengths, step_probabilities
from rtp.street.draw import StreetSpec
from rtp.street.schedule import Schedule, personal_habits

YEARLY_BINS = 14  # up to the peak, finer where use is small
STANDBY_EDGES = 4
STEEPEST = 400.0  # λ times the peak: a mean of a 400th of it
PAIRS = 128  # of houses with mirrored habits, of which a typical one is the mean
REACHED = 1e-3  # of a year's energy
DRAWN_FROM = 2019  # typical houses are the same for every seed


@dataclass(frozen=True, kw_only=True)
class YearlyUse:
    """How the houses of a group use what they do in a year."""

    law: Law
    kwh: float  # what a house then uses in a year on average
    reached: bool  # whether that is what was stated


def yearly_use(kwh: float, occupied_share: float, occupied_bound: Floats, empty_bound: Floats) -> YearlyUse:
    """Return the use of houses with these bounds, (n,), who are occupied for such a share of a year."""
    from scipy.optimize import brentq

    top = float(occupied_bound.max())
    edges = _edges(top, empty_bound)
    centre = _middle_of_bins(edges, np.maximum(occupied_bound, empty_bound))
    empty = _in_bins(share_below(edges, np.zeros(1), empty_bound[:, None]).mean(axis=0), edges)
    nobody = float(empty @ centre)

    def of(steepness: float) -> Floats:
        return _in_bins(_truncated_exponential(np.minimum(edges / top, 1.0), steepness), edges)

    wanted = (kwh / HOURS_A_YEAR - (1 - occupied_share) * nobody) / max(occupied_share, 1e-12)
    low, high = (float(of(end) @ centre) for end in (STEEPEST, -STEEPEST))
    steepness = STEEPEST if wanted <= low else -STEEPEST
    if low < wanted < high:
        steepness = brentq(lambda s: float(of(s) @ centre) - wanted, -STEEPEST, STEEPEST, xtol=1e-12)
    occupied = of(steepness)
    power = occupied_share * float(occupied @ centre) + (1 - occupied_share) * nobody
    law = Law(edges=tuple(edges.tolist()), empty=tuple(empty.tolist()), occupied=tuple(occupied.tolist()))
    found = HOURS_A_YEAR * power
    return YearlyUse(law=law, kwh=found, reached=abs(found - kwh) <= REACHED * kwh)


def _edges(top: float, empty_bound: Floats) -> Floats:
    """From nothing to the peak, and wherever the uniform use of an empty house ends; a bin of no width where
    some use nothing at all."""
    standby = np.quantile(empty_bound, np.linspace(0, 1, STANDBY_EDGES))
    edges = np.unique(np.concatenate([top * (np.arange(YEARLY_BINS + 1) / YEARLY_BINS) ** 2, standby]))
    return np.concatenate([[0.0], edges]) if empty_bound.min() == 0 else edges


def _in_bins(reached: Floats, edges: Floats) -> Floats:
    """Masses that add up to one, from the share that lies at or below every edge."""
    if edges[1] == 0:  # what lies at 0 is the bin of no width
        reached = np.concatenate([[0.0], reached[1:]])
    return np.asarray(np.maximum(np.diff(reached), 0.0) / (reached[-1] - reached[0]))


def _truncated_exponential(x: Floats, steepness: float) -> Floats:
    """The share at or below x, from 0 to 1, of the density in proportion to e^{−steepness·x} on [0, 1]."""
    if abs(steepness) < 1e-9:
        return x
    return np.asarray(np.expm1(-steepness * x) / np.expm1(-steepness))


def _middle_of_bins(edges: Floats, bound: Floats) -> Floats:
    """(K,): the mean of what lies in each bin, cut at each house's bound, over all houses."""
    low, high, at = edges[:-1], edges[1:], bound[:, None]
    below = share_below(at, low, high - low)
    return np.asarray((below * (low + np.minimum(high, at)) / 2 + (1 - below) * at).mean(axis=0))


Bounds = tuple[tuple[float, float], ...]
SPREAD = 33  # houses that stand for a group's, where none are listed
NOBODY_MOVES = ((1.0, 0.0), (0.0, 1.0))
# What a street_day depends on: two scenarios that agree on these live the same day.
STREET_FIELDS = frozenset(
    {
        "households",
        "days",
        "groups",
        "models",
        "assumed_model",
        "habit_spread",
        "seed",
        "houses",
        "step_minutes",
        "first_weekday",
    }
)


def street_key(scenario: Scenario) -> str:
    """The same text for scenarios that live the same day."""
    return scenario.model_dump_json(include=set(STREET_FIELDS))


def is_papers_street(scenario: Scenario) -> bool:
    """Whether the street is the paper's, whatever the draw and the prices."""
    return street_key(scenario.replace(seed=0)) == street_key(Scenario(seed=0))


def street_spec(scenario: Scenario) -> StreetSpec:
    return StreetSpec(
        households=scenario.households,
        days=scenario.days,
        step_minutes=scenario.step_minutes,
        groups=groups_with_use(scenario),
        listed=_listed(scenario),
        schedules=_schedules(scenario),
        assumed_index=scenario.assumed_index,
        habit_spread=scenario.spread_per_step,
        seed=scenario.seed,
    )


def groups_with_use(scenario: Scenario) -> tuple[Group, ...]:
    """The groups, with the distribution of use of those that say what they use in a year."""
    return tuple(
        group
        if group.yearly_kwh is None
        else group.replace(law=use_of_year(scenario, g).law, yearly_kwh=None)
        for g, group in enumerate(scenario.groups)
    )


def use_of_year(scenario: Scenario, g: int) -> YearlyUse:
    """What a group that says what it uses in a year uses, under the habits that generate the day."""
    share = float(typical_week_of(scenario, g).mean())
    return _use_of_year(scenario.groups[g], share, listed_bounds(scenario, g))


@lru_cache(maxsize=64)
def _use_of_year(group: Group, occupied_share: float, listed: Bounds | None) -> YearlyUse:
    assert group.yearly_kwh is not None
    return yearly_use(group.yearly_kwh, occupied_share, *bounds_of_group(group, listed))


def listed_bounds(scenario: Scenario, g: int) -> Bounds | None:
    """The bounds when occupied and when empty of a group's listed houses; None where it has none."""
    group = scenario.groups[g].name
    listed = scenario.listed_houses or ()
    return tuple((house.occupied, house.empty) for house in listed if house.group == group) or None


def bounds_of_group(group: Group, listed: Bounds | None = None) -> tuple[Floats, Floats]:
    """The bounds of a group's houses when occupied and when empty, (n,): as listed, or spread evenly."""
    if listed is not None:
        occupied, empty = np.array(listed).T
        return occupied, empty
    return (
        np.linspace(group.occupied_min, group.occupied_max, SPREAD),
        np.linspace(group.empty_min, group.empty_max, SPREAD),
    )


def typical_week_of(scenario: Scenario, g: int) -> Floats:
    """Pr[occupied] of a group's typical house over a week from Monday, or a day where all are alike."""
    habits, days = scenario.models[0].habits[g], "Monday" if scenario.has_weekends else None
    return _typical_week(habits, scenario.step_minutes, days, scenario.spread_per_step)


@lru_cache(maxsize=64)
def _typical_week(habits: Habits, step_minutes: int, days: Weekday | None, spread: float) -> Floats:
    """Pr[occupied] of a typical house at every step, once it no longer matters how it began."""
    schedule = schedule_of(habits, step_minutes, days)
    shape = (PAIRS, 2, len(schedule.leave))
    draws = np.random.default_rng(DRAWN_FROM).standard_normal(shape, dtype=np.float32)
    mirrored = np.concatenate([draws, -draws]) if spread else np.zeros_like(draws[:1])
    leave, arrive = personal_habits(schedule, mirrored, spread)
    kept = 1 - leave - arrive
    slope, start = np.ones(len(mirrored)), np.zeros(len(mirrored))
    for period in schedule.period.tolist():
        slope, start = slope * kept[period], start * kept[period] + arrive[period]
    forgets = slope < 1
    occupied = np.where(forgets, start / np.where(forgets, 1 - slope, 1.0), schedule.initial)
    week = np.empty(len(schedule.period))
    for step, period in enumerate(schedule.period.tolist()):
        week[step] = occupied.mean()
        occupied = occupied * kept[period] + arrive[period]
    week.flags.writeable = False
    return week


def _listed(scenario: Scenario) -> Floats | None:
    """(2, N): the bounds when occupied and when empty of houses that are listed, in the street's order."""
    street = scenario.listed_houses
    if street is None:
        return None
    return np.array([[house.occupied for house in street], [house.empty for house in street]])


def _schedules(scenario: Scenario) -> tuple[tuple[Schedule, ...], ...]:
    """By model and group, all with the same cycle and the same number of periods."""
    most = max(len(habits.all_periods) for model in scenario.models for habits in model.habits)
    weekday = scenario.first_weekday if scenario.has_weekends else None
    return tuple(
        tuple(schedule_of(habits, scenario.step_minutes, weekday, most) for habits in model.habits)
        for model in scenario.models
    )


@lru_cache(maxsize=256)
def schedule_of(
    habits: Habits,
    step_minutes: int = PAPER_STEP,
    week_from: Weekday | None = None,
    periods: int = 0,
) -> Schedule:
    """The habits of one group as arrays: for a day, or for a week from that weekday.

    `periods` is the least number of them; those that are missing never come, and nobody moves in them.
    """
    stated: list[tuple[Period, float, float]] = []
    of_day: dict[DayField, Ints] = {}
    for field, parts in habits.day_kinds().items():
        of_day[field] = len(stated) + _containing(parts, step_minutes)
        of_steps = zip(parts, lengths(parts, step_minutes), strict=True)
        stated += [(part, *step_probabilities(part, n)) for part, n in of_steps]
    week: list[DayField] = ["periods"]
    if week_from:
        week = [habits.day_field(weekday(day, week_from)) for day in range(len(WEEKDAYS))]
    missing = max(periods - len(stated), 0)
    return Schedule(
        initial=habits.initial_occupied,
        steps_per_day=steps_per_day(step_minutes),
        period=np.concatenate([of_day[field] for field in week]),
        leave=np.array([leave for _, leave, _ in stated] + [0.0] * missing),
        arrive=np.array([arrive for _, _, arrive in stated] + [0.0] * missing),
        possible=np.array([part.matrix for part, _, _ in stated] + [NOBODY_MOVES] * missing) != 0,
    )


def _containing(periods: tuple[Period, ...], step_minutes: int) -> Ints:
    """Which period contains each step of a day."""
    starts = [part.first_step(step_minutes) for part in periods]
    index = np.searchsorted(starts, np.arange(steps_per_day(step_minutes)), side="right") - 1
    return np.asarray(index % len(periods))

"""A scenario unpacked, once: into what the street needs, and into what curator and public know.

What another step length does to the same habits. Chances over a period keep their meaning at any step length.
Read as a matrix (conversion "root"), they give the same expected occupancy at all times that two clocks have
in common: the n-th root of a period's matrix, taken k times, is its power k/n. Read as independent tries
(conversion "geometric"), a house may come and go within the period, and how often depends on how often it is
asked: expected occupancy moves a little, by what `occupancy_shift` says. How far personal habits
spread is stated per step of 15 minutes and restated in proportion to the step (`Scenario.spread_per_step`).
"""

from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from rtp.core.formatting import percent
from rtp.core.time import PAPER_STEP, StepMinutes
from rtp.core.types import Floats
from rtp.mechanisms import Public
from rtp.probability.markov import Chains, propagate
from rtp.scenario import Scenario, edit
from rtp.scenario.consumption import street_order
from rtp.street.draw import StreetSpec
from rtp.street.schedule import Schedule, schedule_of
from rtp.street.simulate import StreetDay
from rtp.tariff import Tariff

# What a street_day depends on: two scenarios that agree on these live the same day.
STREET_FIELDS = frozenset(
    {
        "households",
        "days",
        "groups",
        "models",
        "assumed_model",
        "habit_spread",
        "habit_clip",
        "conversion",
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
        groups=scenario.groups,
        listed=_listed(scenario),
        schedules=_schedules(scenario),
        assumed_index=scenario.assumed_index,
        habit_spread=scenario.spread_per_step,
        habit_clip=scenario.habit_clip,
        seed=scenario.seed,
    )


def _listed(scenario: Scenario) -> Floats | None:
    """(2, N): the bounds when occupied and when empty of houses that are listed, in the street's order."""
    if scenario.houses is None:
        return None
    street = street_order(scenario.houses, scenario.groups)
    return np.array([[house.occupied for house in street], [house.empty for house in street]])


def _schedules(scenario: Scenario) -> tuple[tuple[Schedule, ...], ...]:
    """By model and group, all with the same cycle and the same number of periods."""
    day_kinds = [habits.day_kinds() for model in scenario.models for habits in model.habits]
    most = max(sum(map(len, periods.values())) for periods in day_kinds)
    weekday = scenario.first_weekday if scenario.has_weekends else None
    return tuple(
        tuple(
            schedule_of(habits, scenario.conversion, scenario.step_minutes, weekday, most)
            for habits in model.habits
        )
        for model in scenario.models
    )


@dataclass(frozen=True, kw_only=True)
class Market:
    """One simulated day and what is public before it: what all mechanisms and budgets have in common."""

    street_day: StreetDay
    public: Public

    @property
    def tariff(self) -> Tariff:
        return self.public.tariff

    def at(self, epsilon: float | Floats) -> Public:
        """What is public where the budget is another one, or many."""
        return replace(self.public, epsilon=epsilon)


def market(scenario: Scenario, street_day: StreetDay) -> Market:
    """The day, with the scenario's tariff and budget as curator and public know them."""
    bounds = [max(g.occupied_max, g.empty_max) for g in scenario.groups]
    realised = scenario.naive_bound == "realised"
    public = Public(
        epsilon=scenario.epsilon,
        tariff=tariff(scenario, street_day),
        nominal_bound=float(street_day.street.bound.max()) if realised else max(bounds),
        probability_threshold=scenario.negligible,
        street=street_day.street,
        support_classes=street_day.support_classes,
        prior_marginals=street_day.prior_marginals,
        moments=street_day.assumed_moments,
    )
    return Market(street_day=street_day, public=public)


def tariff(scenario: Scenario, street_day: StreetDay) -> Tariff:
    """The scenario's tariff; its reference rate is the mean expected optimal one unless another is set."""
    rules = Tariff(
        alpha=scenario.alpha,
        beta=scenario.beta,
        inelastic_demand=scenario.inelastic_demand,
        elasticity=scenario.elasticity,
        reference=scenario.reference_rate or 0.0,
        clip_at_zero=scenario.clip_at_zero,
        hours=scenario.step_hours,
    )
    if scenario.reference_rate is not None:
        return rules
    return replace(rules, reference=float(np.mean(rules.optimal(street_day.true_moments.expected_demand))))


def stated_occupancy(spec: StreetSpec) -> Floats:
    """(T,): the street's expected occupancy if every house kept exactly its group's stated habits."""
    total = np.zeros(spec.steps)
    for group, schedule in zip(spec.groups, spec.schedules[0], strict=True):
        chain = Chains(
            initial=np.array([schedule.initial]),
            leave=np.array(schedule.leave)[:, None],
            arrive=np.array(schedule.arrive)[:, None],
            row=np.resize(schedule.period, spec.steps - 1),
        )
        total += group.share * propagate(chain)[:, 0]
    return total


def occupancy_shift(scenario: Scenario, minutes: StepMinutes = PAPER_STEP) -> float:
    """By how much the expected occupancy differs at most, at common times, from that with another step."""
    other = edit.set_step_minutes(scenario, minutes)
    common = lcm(scenario.step_minutes, minutes)
    here, there = (stated_occupancy(street_spec(s))[:: common // s.step_minutes] for s in (scenario, other))
    return float(np.abs(here - there).max())


def step_words(scenario: Scenario) -> str:
    """What a price every so many minutes changes about the street; nothing at the paper's step."""
    if scenario.step_minutes == PAPER_STEP:
        return ""
    shift = occupancy_shift(scenario)
    spread = " How far personal habits spread follows the step." if scenario.habit_spread else ""
    if scenario.conversion == "root":
        return (
            f"The habits as stated are the same as with a price every {PAPER_STEP} minutes: at common times "
            f"the expected occupancy agrees.{spread}"
        )
    return (
        f"The same habits, asked every {scenario.step_minutes} minutes: as they are stated, the expected "
        f"occupancy differs by at most {percent(shift)} of the houses from that with a price every "
        f"{PAPER_STEP} minutes, because a house may come and go in between.{spread}"
    )

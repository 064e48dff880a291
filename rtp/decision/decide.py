"""Which ε keeps the price within an accepted error, what that costs, and what an observer can still tell.

Each part is computed in its own room: the budget of an error (`tradeoff`), money over a month (`money`), what
a moment, a week's holiday and a whole day reveal (`leakage`). Here they meet at one rate and one ε: the
smallest budget at which the chosen rate is expected to miss the optimal one by no more than was accepted,
rounded up to three digits.
Where no budget reaches that, everything is answered at the scenario's own ε, and `Decision.reached` is false.

What can be told is asked of every group, of the house whose use differs most between its states, because a
street's average hides its most exposed house. Price intervals are compared at the same accepted error: each
has an ε of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rtp.attack.adversary import largest_gap
from rtp.core.parallel import Progress
from rtp.core.time import StepMinutes
from rtp.leakage.detection import WEEK
from rtp.leakage.moment import moment_leakage
from rtp.leakage.overview import OVERVIEW_REPETITIONS, Overview, overview
from rtp.mechanisms import REGISTRY, private
from rtp.metrics import typical_error
from rtp.money.summary import Summary, monthly
from rtp.scenario import Scenario, ScenarioError, edit, must_be_one_of, must_be_within
from rtp.simulation import draw_day, market, simulate
from rtp.street.simulate import StreetDay
from rtp.tradeoff.answers import TARGETS, Budget, epsilon_for, target_rmsre, usable_epsilon
from rtp.tradeoff.expected import expected, scales
from rtp.tradeoff.misspecification import candidates, with_assumed_model

INTERVALS: tuple[StepMinutes, ...] = (15, 30, 60)


@dataclass(frozen=True, kw_only=True)
class RateOption:
    """One rate at the smallest budget that meets the accepted error, or at the scenario's where none does."""

    budget: Budget
    epsilon: float  # at which the errors are
    error: float  # expected, as a fraction of the rate in a typical step
    wrong_error: float  # the same under the other habits for which it is largest
    wrong_habits: str  # which these are; "" where the rate does not lean on habits


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """What can be told of the most exposed house of a group."""

    group: str
    houses: int
    seen: Overview


@dataclass(frozen=True, kw_only=True)
class IntervalOption:
    """The same street with a price every so many minutes, at the same accepted error."""

    budget: Budget
    epsilon: float  # at which all below is
    error: float  # expected
    money: Summary  # over a month
    holiday: Overview  # of the house that is most exposed


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Everything is at `scenario`, whose ε is the one that was found, and of `mechanism`."""

    scenario: Scenario
    mechanism: str
    accepted: float  # percent of the rate in a typical step
    reached: bool
    options: Mapping[str, RateOption]  # by mechanism
    money: Summary  # over a month
    exposures: tuple[Exposure, ...]  # by group
    intervals: Mapping[StepMinutes, IntervalOption | str]  # or why the street cannot be priced so

    @property
    def chosen(self) -> RateOption:
        return self.options[self.mechanism]


def decide(
    scenario: Scenario,
    mechanism: str,
    accepted: float,
    *,
    repetitions: int = OVERVIEW_REPETITIONS,
    progress: Progress | None = None,
) -> Decision:
    """Return the answer for one rate. `accepted` is in percent; `progress` is given the fraction done and may
    raise to stop."""
    must_be_one_of("mechanism", mechanism, private())
    must_be_within("accepted error", accepted, TARGETS)
    report = progress or (lambda _: None)
    street_day = draw_day(scenario)
    options = rate_options(scenario, accepted, street_day)
    chosen = options[mechanism]
    decided = scenario.replace(epsilon=chosen.epsilon)
    report(0.2)
    money = monthly(decided, mechanism)
    report(0.3)
    seen = exposures(decided, mechanism, repetitions, lambda done: report(0.3 + 0.4 * done))
    intervals: dict[StepMinutes, IntervalOption | str] = {}
    for at, minutes in enumerate(INTERVALS, start=1):
        try:
            other = edit.set_step_minutes(scenario, minutes)
        except ScenarioError as refused:
            intervals[minutes] = str(refused)
        else:
            intervals[minutes] = interval_option(other, mechanism, accepted, repetitions)
        report(0.7 + 0.3 * at / len(INTERVALS))
    return Decision(
        scenario=decided,
        mechanism=mechanism,
        accepted=accepted,
        reached=chosen.budget.epsilon is not None,
        options=options,
        money=money,
        exposures=seen,
        intervals=intervals,
    )


def rate_options(scenario: Scenario, accepted: float, street_day: StreetDay) -> dict[str, RateOption]:
    """Return, for every rate that promises something, its budget and its errors there."""
    target = target_rmsre(accepted, scenario.steps)
    others = {
        words: with_assumed_model(scenario, street_day, model)
        for words, model in candidates(scenario).items()
    }
    options = {}
    for name in private():
        budget = epsilon_for(scenario, name, target, street_day=street_day)
        # One that reads no data has the same error at any budget.
        epsilon = usable_epsilon(budget.epsilon) if budget.epsilon else scenario.epsilon
        leans = REGISTRY[name].postprocess is not None
        error = _expected_error(scenario, name, epsilon, street_day)
        wrong = {
            words: _expected_error(scenario, name, epsilon, other)
            for words, other in (others.items() if leans else ())
        }
        worst = max(wrong, key=lambda words: wrong[words], default="")
        options[name] = RateOption(
            budget=budget,
            epsilon=epsilon,
            error=error,
            wrong_error=wrong.get(worst, error),
            wrong_habits=worst,
        )
    return options


def _expected_error(scenario: Scenario, name: str, epsilon: float, street_day: StreetDay) -> float:
    context, mechanism = market(scenario, street_day), REGISTRY[name]
    scale = scales(context, [mechanism], [epsilon])[name]
    return typical_error(float(expected(context, mechanism, scale)[0]), scenario.steps)


def exposures(
    scenario: Scenario, mechanism: str, repetitions: int, progress: Progress
) -> tuple[Exposure, ...]:
    """Return what can be told of the most exposed house of every group that has houses."""
    week = draw_day(scenario.replace(days=WEEK))
    present = [g for g in range(len(scenario.groups)) if (week.street.group == g).any()]
    result = []
    for at, g in enumerate(present, start=1):
        members = np.flatnonzero(week.street.group == g)
        seen = exposure_of(scenario, mechanism, largest_gap(week.street, members), week, repetitions)
        result.append(Exposure(group=scenario.groups[g].name, houses=len(members), seen=seen))
        progress(at / len(present))
    return tuple(result)


def exposure_of(
    scenario: Scenario, mechanism: str, house: int, week: StreetDay, repetitions: int
) -> Overview:
    """Return what can be told of one house; the moment is the one of the day that leaks most."""
    day = simulate(scenario.replace(days=1))
    step = moment_leakage(day, mechanism, house).step
    return overview(scenario, mechanism, step, house=house, week=week, repetitions=repetitions)


def interval_option(scenario: Scenario, mechanism: str, accepted: float, repetitions: int) -> IntervalOption:
    """Return the same question for a street with a price every so many minutes."""
    street_day = draw_day(scenario)
    budget = epsilon_for(scenario, mechanism, target_rmsre(accepted, scenario.steps), street_day=street_day)
    epsilon = usable_epsilon(budget.epsilon) if budget.epsilon else scenario.epsilon
    decided = scenario.replace(epsilon=epsilon)
    week = draw_day(decided.replace(days=WEEK))
    return IntervalOption(
        budget=budget,
        epsilon=epsilon,
        error=_expected_error(decided, mechanism, epsilon, street_day),
        money=monthly(decided, mechanism),
        holiday=exposure_of(decided, mechanism, largest_gap(week.street), week, repetitions),
    )

"""What the paper leaves open: the question, what we chose, and what every other answer gives.

An answer is a scenario, or another computation: of the bounds, or of the error. A scenario may refuse: then
the refusal is the outcome. Errors and curves are expected ones, on average over the noise; the streets and
the noise are the same for all options, so differences are the option's own. One day's difference between
naive and Blowfish is sampled from many draws of the noise alone.

Bounds are read in one of three ways. By the lab's own, *drawn once*, every house has two bounds all day and
Algorithm 1 takes the larger one. *Redrawn*, they are drawn anew at every step. *State-dependent*, Algorithm 1
takes the bound of the state that a house is in just now, which no curator may do: see `state_dependent`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from rtp import metrics
from rtp.core.random import Stream, generators, random_generator, seed_of
from rtp.core.stats import Range, spread
from rtp.core.time import STEPS_PER_DAY, STEPS_PER_HOUR
from rtp.core.types import Floats
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.mechanisms.calibrated import widest
from rtp.paper import published
from rtp.paper.reproduction import MECHANISMS, PAPER, rmse
from rtp.paper.state_dependent import bounds_by_state
from rtp.scenario import Habits, Period, Scenario, ScenarioError
from rtp.scenario.fields import sentence
from rtp.simulation import draw_day, market
from rtp.street.simulate import StreetDay, replay_houses

STREETS = 5
NOISE_DRAWS = 400  # per street


class PricedDay(NamedTuple):
    """One street's day as far as the headline numbers need it."""

    optimal: Floats  # (T,)
    scale: Floats  # (3, T), in the order of MECHANISMS
    dropping: int  # steps in which Blowfish protects fewer than all houses
    occupancy: Floats  # (T,) expected mean
    consumption: Floats  # (T,) expected mean
    scatter: float  # of simulated mean consumption from step to step, see `step_scatter`


def price_as_simulated(scenario: Scenario, day: StreetDay) -> PricedDay:
    """The day as the simulation prices it."""
    priced = market(scenario, day)
    return PricedDay(
        optimal=priced.tariff.rate(day.demand),
        scale=np.array([REGISTRY[name].scale(priced.public).scale for name in MECHANISMS]),
        dropping=int(np.sum(day.support_classes.protected_houses < scenario.households)),
        occupancy=day.true_moments.occupied.sum(axis=0) / scenario.households,
        consumption=day.true_moments.expected_demand / scenario.households,
        scatter=step_scatter(day.occupied / scenario.households, day.demand / scenario.households),
    )


def price_with_redrawn_bounds(scenario: Scenario, day: StreetDay) -> PricedDay:
    """The same comings and goings, with every house's bounds drawn anew at every step.

    A mechanism that sees this step's bounds has this step's maximum, over the houses still protected.
    """
    before = price_as_simulated(scenario, day)
    rng = random_generator(scenario.seed, Stream.PAPER_BOUNDS)
    group = day.street.group
    occupied_max = np.array([g.occupied_max for g in scenario.groups])[group]
    empty_max = np.array([g.empty_max for g in scenario.groups])[group]
    states, _ = replay_houses(day.spec, day.street, range(scenario.households))
    occupied, empty = rng.random(states.shape) * occupied_max, rng.random(states.shape) * empty_max
    demand = (rng.random(states.shape) * np.where(states, occupied, empty)).sum(axis=1)
    protected = day.support_classes.protected[:, day.support_classes.of_house]
    largest = np.where(protected, np.maximum(occupied, empty), 0.0).max(axis=1)
    epsilons = np.array([scenario.epsilon])
    # A house that needs no protection is one whose two bounds agree: it asks for no noise.
    least = [
        widest(np.where(p, u, 0.0), np.where(p, v, 0.0), epsilons)[0][0]
        for p, u, v in zip(protected, occupied, empty, strict=True)
    ]
    shares = day.true_moments.occupied / np.bincount(group, minlength=len(scenario.groups))[:, None]
    mean = sum(
        g.share * (share * g.occupied_max + (1 - share) * g.empty_max) / 4
        for g, share in zip(scenario.groups, shares, strict=True)
    )
    return PricedDay(
        optimal=market(scenario, day).tariff.rate(demand),
        scale=np.array(
            [before.scale[0], scenario.alpha * largest / scenario.epsilon, scenario.alpha * np.array(least)]
        ),
        dropping=before.dropping,
        occupancy=before.occupancy,
        consumption=np.asarray(mean),
        scatter=step_scatter(states.mean(axis=1), demand / scenario.households),
    )


def step_scatter(occupancy: Floats, consumption: Floats) -> float:
    """The standard deviation of mean consumption around what the occupancy makes one expect, step by step.

    It is taken from differences of neighbouring steps, and tells bounds drawn once (a house's variance is
    u²/12, on average u_max²/36) from bounds drawn anew at every step (u_max²(1/9 − 1/16)).
    """
    group = PAPER.groups[0]
    expected = (group.empty_max + (group.occupied_max - group.empty_max) * occupancy) / 4
    return float(np.diff(consumption - expected).std() / np.sqrt(2))


def price_with_state_bounds(scenario: Scenario, day: StreetDay) -> PricedDay:
    """Algorithm 1 with the bounds of the states that the protected houses are in."""
    before = price_as_simulated(scenario, day)
    protected = day.support_classes.protected[:, day.support_classes.of_house]
    largest = np.where(protected, bounds_by_state(day), 0.0).max(axis=1)
    scale = before.scale.copy()
    scale[MECHANISMS.index(FEATURED)] = scenario.alpha * largest / scenario.epsilon
    return before._replace(scale=scale)


Measure = Literal["To 2a", "Scatter", "On average", "One day", "Naive"]
NOISE_QUESTION = "Bounds in Algorithm 1's noise"


class Option(NamedTuple):
    """One answer to a question the paper leaves open."""

    name: str
    make: Callable[[], Scenario]  # refuses, with a ScenarioError, what cannot be
    price: Callable[[Scenario, StreetDay], PricedDay] = price_as_simulated
    conventional: bool = False  # RMSRE with the mean inside the root

    @property
    def is_scenario(self) -> bool:
        """Whether the answer is a scenario and nothing else."""
        return self.price is price_as_simulated and not self.conventional


class Choice(NamedTuple):
    """A question, our answer and the others."""

    name: str
    silence: str  # what the paper says, and does not
    ours: str
    others: tuple[Option, ...]
    judged_by: Measure  # the column of the table of all answers that tells them apart


def unchanged() -> Scenario:
    """Our own reading of the paper."""
    return PAPER


def paper_with_habits(change: Callable[[Habits], Habits]) -> Scenario:
    """The paper's street with other habits."""
    model = PAPER.models[0]
    return PAPER.replace(models=(model.replace(habits=tuple(map(change, model.habits))),))


def paper_with_periods(change: Callable[[Period], Period]) -> Scenario:
    """The paper's street with other periods of the day."""
    return paper_with_habits(lambda habits: habits.replace(periods=tuple(map(change, habits.periods))))


def per_step() -> Scenario:
    """The printed chances are those of a step."""
    return paper_with_periods(lambda period: period.replace(basis="step"))


def one_step_early() -> Scenario:
    """The matrix that drives step t → t + 1 is that of step t + 1."""
    return paper_with_periods(lambda period: period.replace(start=period.start - 1 / STEPS_PER_HOUR))


def starting(occupied: float) -> Scenario:
    return paper_with_habits(lambda habits: habits.replace(initial_occupied=occupied))


def steady_start() -> float:
    """Pr[occupied] at midnight once every day starts as the one before ended, mean over the houses."""
    truth = draw_day(PAPER.replace(days=3)).true_moments
    return float(truth.occupied.sum(axis=0)[2 * STEPS_PER_DAY] / PAPER.households)


OPEN_CHOICES = (
    Choice(
        "Per-step conversion",
        "The paper gives the chance that something happens at some point during a period, not per step.",
        "geometric",
        (
            Option("matrix root", partial(PAPER.replace, conversion="root")),
            Option("direct, per step", per_step),
        ),
        "To 2a",
    ),
    Choice(
        "Which matrix drives a step",
        "Section II lets A^t drive step t → t + 1; equation (2) and Algorithm 1 use A^t to arrive at step t.",
        "of the period it starts in",
        (Option("of the period it ends in", one_step_early),),
        "To 2a",
    ),
    Choice(
        "Habit spread",
        "Transition chances get “additive Gaussian noise”; how much is not said.",
        f"σ = {PAPER.habit_spread:g}",
        (
            Option("σ = 0", partial(PAPER.replace, habit_spread=0.0)),
            Option("σ = 0.02", partial(PAPER.replace, habit_spread=0.02)),
        ),
        "To 2a",
    ),
    Choice(
        "A habit pushed beyond 0 or 1",
        "Gaussian noise can leave [0, 1]; what happens then is not said.",
        "kept inside (0, 1)",
        (
            Option("cut to [0, 1]", partial(PAPER.replace, habit_clip="closed")),
            Option("cut to [0, 1], direct", lambda: per_step().replace(habit_clip="closed")),
        ),
        "To 2a",
    ),
    Choice(
        "Initial distribution",
        "Π of the simulation is not given.",
        f"{PAPER.models[0].habits[0].initial_occupied:g} occupied",
        (
            Option("all empty", partial(starting, 0.0)),
            Option("all occupied", partial(starting, 1.0)),
            Option("as the day before ended", lambda: starting(steady_start())),
        ),
        "To 2a",
    ),
    Choice(
        "Consumption bounds",
        "u_i ~ U(0, u_max) depends on the state; whether it is drawn once or at every step is not said.",
        "drawn once",
        (Option("drawn at every step", unchanged, price=price_with_redrawn_bounds),),
        "Scatter",
    ),
    Choice(
        NOISE_QUESTION,
        "Line 8 takes the largest u_h, one bound a house; the simulation gives a house one bound for each "
        "state. Which of them is meant is not said.",
        "the larger one",
        (Option("of the state it is in", unchanged, price=price_with_state_bounds),),
        "On average",
    ),
    Choice(
        "Maximum in the naive noise",
        "Lap(α·u_max/ε): u_max is first the nominal maximum, then “the maximum bound … over all houses”.",
        "nominal",
        (Option("largest bound drawn", partial(PAPER.replace, naive_bound="realised")),),
        "On average",
    ),
    Choice(
        "Noise of the two mechanisms",
        "Whether both rates used the same random draws is not said.",
        "independent draws",
        (Option("shared draws", partial(PAPER.replace, independent_noise=False)),),
        "One day",
    ),
    Choice(
        "RMSRE",
        "The formula prints 1/T outside the root, where a root mean square has it inside.",
        "1/T outside the root",
        (Option("mean inside the root", unchanged, conventional=True),),
        "Naive",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Headline:
    """What an option gives."""

    errors: tuple[float, ...]  # expected RMSRE in the order of MECHANISMS
    excess: Range  # one day's naive error above Blowfish's
    dropping: float  # steps of a day in which Blowfish drops houses
    least: float  # the smallest noise scale of Blowfish, as a share of the naive one
    occupancy: Floats  # (T,) expected, mean over the streets
    occupancy_rmse: float  # to figure 2a
    consumption_rmse: float  # to figure 2b
    scatter: float  # of mean consumption from step to step

    @property
    def average_excess(self) -> float:
        """By which fraction the naive error is above Blowfish's, on average."""
        return self.errors[0] / self.errors[1] - 1


class OptionOutcome(NamedTuple):
    """An option of a choice, and its headline, or why there is none."""

    choice: Choice
    option: Option
    ours: bool
    headline: Headline | None
    problem: str = ""


def study(report: Callable[[float], object] | None = None) -> list[OptionOutcome]:
    """Every option of every choice; ours is computed once and stands first in each choice."""
    ours = option_headline(Option("ours", unchanged))
    outcomes = []
    for done, choice in enumerate(OPEN_CHOICES, start=1):
        outcomes.append(OptionOutcome(choice, Option(choice.ours, unchanged), True, ours))
        for option in choice.others:
            try:
                outcomes.append(OptionOutcome(choice, option, False, option_headline(option)))
            except ScenarioError as error:
                outcomes.append(OptionOutcome(choice, option, False, None, sentence(error, PAPER)))
        if report is not None:
            report(done / len(OPEN_CHOICES))
    return outcomes


def option_headline(option: Option) -> Headline:
    """The headline numbers of one option, mean over the streets; raises what its scenario refuses."""
    base = option.make()
    days, excesses = [], []
    for street in range(STREETS):
        scenario = base.replace(seed=base.seed + street)
        day = option.price(scenario, draw_day(scenario))
        days.append(day)
        excesses.append(one_day_excess(day, *laplace_draws(scenario), shared=not scenario.independent_noise))
    errors = np.mean([expected_errors(day) for day in days], axis=0)
    if option.conventional:
        errors = np.array([metrics.typical_error(float(e), base.steps) for e in errors])
    _, occupancy, consumption = published.figure2()
    return Headline(
        errors=tuple(errors.tolist()),
        excess=spread(np.concatenate(excesses)),
        dropping=float(np.mean([day.dropping for day in days])),
        least=min(float((day.scale[1] / day.scale[0]).min()) for day in days),
        occupancy=np.mean([day.occupancy for day in days], axis=0),
        occupancy_rmse=float(np.mean([rmse(day.occupancy, occupancy) for day in days])),
        consumption_rmse=float(np.mean([rmse(day.consumption, consumption) for day in days])),
        scatter=float(np.mean([day.scatter for day in days])),
    )


def expected_errors(day: PricedDay) -> list[float]:
    """The expected RMSRE of each of MECHANISMS."""
    return [metrics.expected_rmsre(2 * scale**2, day.optimal) for scale in day.scale]


def laplace_draws(scenario: Scenario) -> tuple[Floats, Floats]:
    """Unit Laplace draws for naive and Blowfish, (NOISE_DRAWS, T) each: the same for every option."""
    naive, blowfish = generators(seed_of(scenario.seed, Stream.PAPER_NOISE), 2)
    shape = NOISE_DRAWS, scenario.steps
    return naive.laplace(size=shape), blowfish.laplace(size=shape)


def one_day_excess(day: PricedDay, naive: Floats, blowfish: Floats, *, shared: bool) -> Floats:
    """By which fraction one day's naive error is above Blowfish's, for every draw of the noise."""
    squared = [
        ((unit * scale / day.optimal) ** 2).sum(axis=1)
        for unit, scale in ((naive, day.scale[0]), (naive if shared else blowfish, day.scale[1]))
    ]
    return np.asarray(np.sqrt(squared[0] / squared[1]) - 1)

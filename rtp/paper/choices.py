"""What the paper leaves open: the question, what we chose, and every other answer as something to compute.

An answer is a scenario, or another computation: of the bounds here, of the error in `alternatives`. A
scenario may refuse: then the refusal is the outcome.

Bounds are read in one of three ways. By the lab's own, *drawn once*, every house has two bounds all day and
Algorithm 1 takes the larger one. *Redrawn*, they are drawn anew at every step. *State-dependent*, Algorithm 1
takes the bound of the state that a house is in just now, which no curator may do: see `state_dependent`.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from rtp.core.random import Stream, random_generator
from rtp.core.time import STEPS_PER_DAY, STEPS_PER_HOUR
from rtp.core.types import Floats
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.mechanisms.calibrated import widest
from rtp.paper.reproduction import MECHANISMS, PAPER
from rtp.paper.state_dependent import bounds_by_state
from rtp.scenario import Habits, Scenario
from rtp.simulation import draw_day, market
from rtp.street.simulate import StreetDay, replay_houses


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


NOISE_QUESTION = "Bounds in Algorithm 1's noise"
OUR_HABITS = PAPER.models[0].habits


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
    judged_by: Literal["occupancy", "naive", "excess", "published error", "bounds", "noise"]


def unchanged() -> Scenario:
    """Our own reading of the paper."""
    return PAPER


def paper_with_habits(habits: Iterable[Habits]) -> Scenario:
    """The paper's street with other habits, one for each group."""
    return PAPER.replace(models=(PAPER.models[0].replace(habits=tuple(habits)),))


def _per_step() -> Scenario:
    """The printed chances are those of a step."""
    return paper_with_habits(
        h.replace(periods=tuple(p.replace(basis="step") for p in h.periods)) for h in OUR_HABITS
    )


def _per_step_and_cut() -> Scenario:
    return _per_step().replace(habit_clip="closed")


def _one_step_early() -> Scenario:
    """The matrix that drives step t → t + 1 is that of step t + 1."""
    early = 1 / STEPS_PER_HOUR
    return paper_with_habits(
        h.replace(periods=tuple(p.replace(start=p.start - early) for p in h.periods)) for h in OUR_HABITS
    )


def starting(occupied: float) -> Scenario:
    return paper_with_habits(h.replace(initial_occupied=occupied) for h in OUR_HABITS)


def _starting_steadily() -> Scenario:
    return starting(steady_start())


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
            Option("direct, per step", _per_step),
        ),
        "occupancy",
    ),
    Choice(
        "Which matrix drives a step",
        "Section II lets A^t drive step t → t + 1; equation (2) and Algorithm 1 use A^t to arrive at step t.",
        "of the period it starts in",
        (Option("of the period it ends in", _one_step_early),),
        "occupancy",
    ),
    Choice(
        "Habit spread",
        "Transition chances get “additive Gaussian noise”; how much is not said.",
        f"σ = {PAPER.habit_spread:g}",
        (
            Option("σ = 0", partial(PAPER.replace, habit_spread=0.0)),
            Option("σ = 0.02", partial(PAPER.replace, habit_spread=0.02)),
        ),
        "occupancy",
    ),
    Choice(
        "A habit pushed beyond 0 or 1",
        "Gaussian noise can leave [0, 1]; what happens then is not said.",
        "kept inside (0, 1)",
        (
            Option("cut to [0, 1]", partial(PAPER.replace, habit_clip="closed")),
            Option("cut to [0, 1], direct", _per_step_and_cut),
        ),
        "occupancy",
    ),
    Choice(
        "Initial distribution",
        "Π of the simulation is not given.",
        f"{PAPER.models[0].habits[0].initial_occupied:g} occupied",
        (
            Option("all empty", partial(starting, 0.0)),
            Option("all occupied", partial(starting, 1.0)),
            Option("as the day before ended", _starting_steadily),
        ),
        "occupancy",
    ),
    Choice(
        "Consumption bounds",
        "u_i ~ U(0, u_max) depends on the state; whether it is drawn once or at every step is not said.",
        "drawn once",
        (Option("drawn at every step", unchanged, price=price_with_redrawn_bounds),),
        "bounds",
    ),
    Choice(
        NOISE_QUESTION,
        "Line 8 takes the largest u_h, one bound a house; the simulation gives a house one bound for each "
        "state. Which of them is meant is not said.",
        "the larger one",
        (Option("of the state it is in", unchanged, price=price_with_state_bounds),),
        "noise",
    ),
    Choice(
        "Maximum in the naive noise",
        "Lap(α·u_max/ε): u_max is first the nominal maximum, then “the maximum bound … over all houses”.",
        "nominal",
        (Option("largest bound drawn", partial(PAPER.replace, naive_bound="realised")),),
        "naive",
    ),
    Choice(
        "Noise of the two mechanisms",
        "Whether both rates used the same random draws is not said.",
        "independent draws",
        (Option("shared draws", partial(PAPER.replace, independent_noise=False)),),
        "excess",
    ),
    Choice(
        "RMSRE",
        "The formula prints 1/T outside the root, where a root mean square has it inside.",
        "1/T outside the root",
        (Option("mean inside the root", unchanged, conventional=True),),
        "published error",
    ),
)

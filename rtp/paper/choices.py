"""What the paper leaves open: the question, what we chose, and every other answer as something to compute.

An answer is a scenario, or another computation: of the bounds in `worlds`, of the error in `alternatives`. A
scenario may refuse: then the refusal is the outcome.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal, NamedTuple

from rtp.core.time import STEPS_PER_DAY, STEPS_PER_HOUR
from rtp.paper.reproduction import PAPER
from rtp.paper.worlds import Reading
from rtp.scenario import Habits, Scenario
from rtp.simulation import live

NOISE_QUESTION = "Bounds in Algorithm 1's noise"
OUR_HABITS = PAPER.models[0].habits


class Option(NamedTuple):
    """One answer to a question the paper leaves open."""

    name: str
    make: Callable[[], Scenario]  # refuses, with a ScenarioError, what cannot be
    world: Reading = "as lived"  # which bounds set the noise
    conventional: bool = False  # RMSRE with the mean inside the root


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


def with_habits(habits: Iterable[Habits]) -> Scenario:
    """The paper's street with other habits, one for each group."""
    return PAPER.replace(models=(PAPER.models[0].replace(habits=tuple(habits)),))


def _per_step() -> Scenario:
    """The printed chances are those of a step."""
    return with_habits(
        h.replace(periods=tuple(p.replace(basis="step") for p in h.periods)) for h in OUR_HABITS
    )


def _per_step_and_cut() -> Scenario:
    return _per_step().replace(habit_clip="closed")


def _one_step_early() -> Scenario:
    """The matrix that drives step t → t + 1 is that of step t + 1."""
    early = 1 / STEPS_PER_HOUR
    return with_habits(
        h.replace(periods=tuple(p.replace(start=p.start - early) for p in h.periods)) for h in OUR_HABITS
    )


def starting(occupied: float) -> Scenario:
    return with_habits(h.replace(initial_occupied=occupied) for h in OUR_HABITS)


def _starting_steadily() -> Scenario:
    return starting(steady_start())


def steady_start() -> float:
    """Pr[occupied] at midnight once every day starts as the one before ended, mean over the houses."""
    truth = live(PAPER.replace(days=3)).truth
    return float(truth.occupied.sum(axis=0)[2 * STEPS_PER_DAY] / PAPER.households)


CHOICES = (
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
        (Option("drawn at every step", unchanged, world="redrawn"),),
        "bounds",
    ),
    Choice(
        NOISE_QUESTION,
        "Line 8 takes the largest u_h, one bound a house; the simulation gives a house one bound for each "
        "state. Which of them is meant is not said.",
        "the larger one",
        (Option("of the state it is in", unchanged, world="in state"),),
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

"""How the paper's text is read: what it leaves open, what we chose, and what every other answer gives.

Errors and curves are expected ones, on average over the noise; the streets and the noise are the same for all
answers, so differences are the answer's own. One day's difference between naive and Blowfish is sampled from
many draws of the noise alone. All of it is fixed by the paper's own scenario, so it is computed once:
`tests/help/readings.py` does, and says how; `make record` writes `data/readings.json`; a test computes it
again.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import TypeAdapter

from rtp.core.stats import Range
from rtp.core.time import STEPS_PER_HOUR
from rtp.paper.comparison import PAPER
from rtp.scenario import Habits, Scenario

MEAN_STREETS = 5  # over which errors and curves are averaged
WINS = "mansions"  # a preset on which dropping houses pays
DATA = Path(__file__).parent / "data" / "readings.json"


@dataclass(frozen=True, kw_only=True)
class Headline:
    """What an answer gives."""

    errors: tuple[float, ...]  # expected RMSRE in the order of MECHANISMS
    excess: Range  # one day's naive error above Blowfish's
    dropping: float  # steps of a day in which Blowfish drops houses
    least: float  # the smallest noise scale of Blowfish, as a share of the naive one
    occupancy: tuple[float, ...]  # of every step, expected, mean over the streets
    occupancy_rmse: float  # to figure 2a
    consumption_rmse: float  # to figure 2b
    scatter: float  # of mean consumption from step to step

    @property
    def average_excess(self) -> float:
        """By which fraction the naive error is above Blowfish's, on average."""
        return self.errors[0] / self.errors[1] - 1


@dataclass(frozen=True, kw_only=True)
class StateDependentNoise:
    """What noise that follows the states gives away about the house that uses most, everybody else empty."""

    house: int
    occupied: float  # the share of rates that tell more than ε while it is occupied
    empty: float
    common: float  # the same of Algorithm 1's noise
    offset: tuple[float, ...]  # of a rate from what the others' use explains
    log_odds: tuple[float, ...]  # what such a rate reveals
    common_log_odds: tuple[float, ...]  # the same of Algorithm 1's noise


class Win(NamedTuple):
    """A street on which dropping houses pays: errors of a typical step, on average over the noise."""

    naive: float
    blowfish: float
    dropping: int  # steps in which Blowfish protects fewer than all houses
    steps: int


@dataclass(frozen=True, kw_only=True)
class RecordedReadings:
    """All that is recorded."""

    ours: Headline
    others: dict[str, Headline]  # by the answer's name
    published_scatter: float  # of the published mean consumption from step to step
    steady_start: float  # Pr[occupied] at midnight once a day starts as the one before ended
    state_dependent: StateDependentNoise
    each_error: float  # the naive error of a typical step by ε for each rate,
    group_error: float  # and by ε for all of a day's as one group
    moment_loss: float  # how far a day's rates can shift the log-odds of one moment, by the paper's habits
    moment_step: int  # and which moment that is
    win: Win


READINGS = TypeAdapter(RecordedReadings)


@lru_cache(maxsize=1)
def readings() -> RecordedReadings:
    """Return what is recorded."""
    return READINGS.validate_json(DATA.read_bytes())


Measure = Literal["To 2a", "Scatter", "On average", "One day", "Naive"]
NOISE_QUESTION = "Bounds in Algorithm 1's noise"


class Reading(NamedTuple):
    """Another answer to a question that the paper leaves open."""

    name: str
    scenario: Scenario | None = None  # where the answer is one
    refused: str = ""  # why there is no such thing


class OpenQuestion(NamedTuple):
    """A question, our answer and the others."""

    name: str
    silence: str  # what the paper says, and does not
    ours: str
    others: tuple[Reading, ...]
    judged_by: Measure  # the column of the table of all answers that tells them apart


def paper_with(**changes: object) -> Scenario:
    """Return the paper's street with other habits."""
    model = PAPER.models[0]
    habits = tuple(own.replace(**changes) for own in model.habits)
    return PAPER.replace(models=(model.replace(habits=habits),))


def _habits() -> Habits:
    return PAPER.models[0].habits[0]


def open_choices(steady_start: float | None = None) -> tuple[OpenQuestion, ...]:
    """Return all that the paper leaves open; `steady_start` where it is not the recorded one."""
    steady = readings().steady_start if steady_start is None else steady_start
    periods = _habits().periods
    per_step = paper_with(periods=tuple(period.replace(basis="step") for period in periods))
    early = paper_with(periods=tuple(each.replace(start=each.start - 1 / STEPS_PER_HOUR) for each in periods))
    return (
        OpenQuestion(
            "Per-step conversion",
            "The paper gives the chance that something happens at some point during a period, not per step.",
            "geometric",
            (
                Reading(
                    "matrix root",
                    refused="The morning's matrix has leave + arrive = 1.03; over its 4 steps it has no "
                    "stochastic matrix root, which a sum of at most 1 always has.",
                ),
                Reading("direct, per step", per_step),
            ),
            "To 2a",
        ),
        OpenQuestion(
            "Which matrix drives a step",
            "Section II lets A^t drive step t → t + 1; equation (2) and Algorithm 1 use A^t to arrive at "
            "step t.",
            "of the period it starts in",
            (Reading("of the period it ends in", early),),
            "To 2a",
        ),
        OpenQuestion(
            "Habit spread",
            "Transition chances get “additive Gaussian noise”; how much is not said.",
            f"σ = {PAPER.habit_spread:g}",
            (
                Reading("σ = 0", PAPER.replace(habit_spread=0.0)),
                Reading("σ = 0.02", PAPER.replace(habit_spread=0.02)),
            ),
            "To 2a",
        ),
        OpenQuestion(
            "A habit pushed beyond 0 or 1",
            "Gaussian noise can leave [0, 1]; what happens then is not said.",
            "kept inside (0, 1)",
            (Reading("cut to [0, 1]"), Reading("cut to [0, 1], direct")),
            "To 2a",
        ),
        OpenQuestion(
            "Initial distribution",
            "Π of the simulation is not given.",
            f"{_habits().initial_occupied:g} occupied",
            (
                Reading("all empty", paper_with(initial_occupied=0.0)),
                Reading("all occupied", paper_with(initial_occupied=1.0)),
                Reading("as the day before ended", paper_with(initial_occupied=steady)),
            ),
            "To 2a",
        ),
        OpenQuestion(
            "Consumption bounds",
            "u_i ~ U(0, u_max) depends on the state; whether it is drawn once or at every step is not said.",
            "drawn once",
            (Reading("drawn at every step"),),
            "Scatter",
        ),
        OpenQuestion(
            NOISE_QUESTION,
            "Line 8 takes the largest u_h, one bound a house; the simulation gives a house one bound for "
            "each state. Which of them is meant is not said.",
            "the larger one",
            (Reading("of the state it is in"),),
            "On average",
        ),
        OpenQuestion(
            "Maximum in the naive noise",
            "Lap(α·u_max/ε): u_max is first the nominal maximum, then “the maximum bound … over all houses”.",
            "nominal",
            (Reading("largest bound drawn", PAPER.replace(naive_bound="realised")),),
            "On average",
        ),
        OpenQuestion(
            "Noise of the two mechanisms",
            "Whether both rates used the same random draws is not said.",
            "independent draws",
            (Reading("shared draws", PAPER.replace(independent_noise=False)),),
            "One day",
        ),
        OpenQuestion(
            "RMSRE",
            "The formula prints 1/T outside the root, where a root mean square has it inside.",
            "1/T outside the root",
            (Reading("mean inside the root"),),
            "Naive",
        ),
    )

"""Ways to promise a whole day at one total: what each hides, from whom, and what it costs.

* Theorem 2: T rates of total/T each; whole histories may differ.
* Exact moment: the largest ε per step at which no moment leaks more than the total (`target`).
* Markov quilt: noise for one moment and those that hang together with it (`quilt`), for the stated habits.
* w-event (Kellaris, Papadopoulos, Xiao and Papadias, VLDB 2014): any w steps in a row share the total.
* zCDP (Bun and Steinke, TCC 2016): Gaussian noise of ρ/T a step, total = ρ + 2√(ρ·ln 1/δ); whole histories,
  but the promise may fail with probability δ.
* Forecast: nothing is read, nothing is told.

All noise is for the houses that Algorithm 1 protects, at full use.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rtp import metrics
from rtp.core.formatting import plain
from rtp.core.types import Floats
from rtp.leakage.quilt import quilt_score
from rtp.leakage.secret import HouseChain
from rtp.leakage.target import epsilon_for_moment
from rtp.mechanisms import FEATURED, NO_DATA, REGISTRY
from rtp.metrics import error_lines
from rtp.scenario import Bounds, Scenario, must_be_within
from rtp.simulation import Market, live, market
from rtp.street.life import Life
from rtp.street.occupancy import Schedule
from rtp.tradeoff.expected import expected

if TYPE_CHECKING:
    import pandas as pd

TOTAL = Bounds(1e-3, 1e4, "Total budget of the day")
HOURS = 4  # of the window that w-event promises
DELTA = 1e-6
INSIDER = "an insider, who knows what everyone else used, and everyone who knows less"
ANYONE = "anyone at all: no household's data is read"


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to promise the record. Noise is its standard deviation in the unit of the rate."""

    name: str
    hides: str
    against: str
    epsilon: float | None  # per step, where it has one
    noise: float  # root of the mean square over the steps
    rmsre: float  # expected


def ways(scenario: Scenario, total: float, *, life: Life | None = None) -> list[Way]:
    """Every way at the same total; one that cannot reach it is left out."""
    must_be_within("total", total, TOTAL)
    known = market(scenario, life or live(scenario))
    window = min(HOURS * scenario.steps_per_day // 24, scenario.steps)
    found = [
        _by_budget(known, "Theorem 2", "whole histories, however they differ", total / scenario.steps),
        _moment(scenario, known, total),
        _quilt(known, total),
        _by_budget(known, "w-event", f"any {HOURS} hours in a row", total / window),
        _zcdp(known, total),
        _forecast(known),
    ]
    return [way for way in found if way is not None]


def ways_frame(found: Sequence[Way], steps: int) -> "pd.DataFrame":
    """One row per way, in words."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "Way": way.name,
                "Noise": plain(way.noise),
                "Error": error_lines(way.rmsre, steps).percent,
                "It hides": way.hides,
                "Against": way.against,
            }
            for way in found
        ]
    )


def sensitivity(known: Market) -> Floats:
    """(T,): by how much one protected house can move each rate."""
    return np.asarray(REGISTRY[FEATURED].noise(known.at(1.0)).scale)


def _laplace(known: Market, name: str, hides: str, epsilon: float | None, scale: Floats) -> Way:
    error = expected(known, REGISTRY[FEATURED], scale[:, None])[0]
    return Way(
        name=name,
        hides=hides,
        against=INSIDER,
        epsilon=epsilon,
        noise=float(np.sqrt(2 * np.mean(scale**2))),
        rmsre=float(error),
    )


def _by_budget(known: Market, name: str, hides: str, epsilon: float) -> Way:
    return _laplace(known, name, hides, epsilon, sensitivity(known) / epsilon)


def _moment(scenario: Scenario, known: Market, total: float) -> Way | None:
    found = epsilon_for_moment(scenario, FEATURED, total, life=known.life)
    if not found.epsilon:
        return None
    return _by_budget(known, "Exact moment", "any one moment of any house", found.epsilon)


def _quilt(known: Market, total: float) -> Way:
    chains = [
        stated(schedule, known.life.spec.steps) for model in known.life.spec.schedules for schedule in model
    ]
    score = max(quilt_score(chain, total) for chain in chains)
    hides = "any one moment of a house that lives as its group is said to"
    return _laplace(
        known, "Markov quilt", hides, None, sensitivity(known).max() * np.full(len(sensitivity(known)), score)
    )


def stated(schedule: Schedule, steps: int) -> HouseChain:
    """A group's habits as they are stated, without anyone's own."""
    days = -(-steps // len(schedule.period))
    period = np.tile(schedule.period, days)[: steps - 1]
    return HouseChain(initial=schedule.initial, leave=schedule.leave[period], arrive=schedule.arrive[period])


def rho(epsilon: float, delta: float) -> float:
    """The zCDP that is (ε, δ)-private: ε = ρ + 2√(ρ·ln 1/δ)."""
    log = float(np.log(1 / delta))
    return float((epsilon / (np.sqrt(epsilon + log) + np.sqrt(log))) ** 2)


def _zcdp(known: Market, total: float) -> Way:
    moves = sensitivity(known)
    deviation = moves * np.sqrt(len(moves) / (2 * rho(total, DELTA)))
    optimal = known.tariff.optimal(known.life.demand)
    return Way(
        name="zCDP, Gaussian",
        hides=f"whole histories, but for a probability of {plain(DELTA)}",
        against=INSIDER,
        epsilon=None,
        noise=float(np.sqrt(np.mean(deviation**2))),
        rmsre=float(metrics.each_rmsre(deviation**2, optimal)),
    )


def _forecast(known: Market) -> Way:
    mechanism = REGISTRY[NO_DATA]
    scale = np.zeros((known.life.spec.steps, 1))
    return Way(
        name=mechanism.label,
        hides="everything",
        against=ANYONE,
        epsilon=0.0,
        noise=0.0,
        rmsre=float(expected(known, mechanism, scale)[0]),
    )

"""Computed examples for the notes on what the paper says beside its theorems.

*Group differential privacy.* Without a model every state is possible and the naive noise α·u_max/ε protects
one rate. All T rates differ, between a house that is always there and one that never is, by T·α·u_max in sum:
so the steps taken as one group need T times the noise for the same ε, and the naive noise leaves them T·ε.

*Composition.* Independent steps would leave one rate to tell about one moment, ε; copies of one state all of
them, T·ε. A Markov chain lies between, and `rtp.leakage.moment` computes where, exactly.

*Houses that come and go together.* Algorithm 1 looks for possible states that differ in one house. Where two
houses are known to share one state there are none: κ is empty, λ = 0, and the exact rate is published
although both states are secret. With independent houses, which the lab assumes, that cannot be.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from rtp.algorithm1 import protection
from rtp.core.types import Floats
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import FEATURED, YARDSTICK
from rtp.paper.reproduction import PAPER
from rtp.probability import laplace_uniform
from rtp.scenario import PRESETS
from rtp.simulation import draw_day, publish_day, simulate

_CELLS = 20_000
WINS = "mansions"  # a preset on which dropping houses pays


def group_errors() -> tuple[float, float]:
    """Return the naive error of a typical step: by ε for each rate, and by ε for all of them as one group."""
    day = draw_day(PAPER)
    budgets = (PAPER.epsilon, PAPER.epsilon / PAPER.steps)
    each, group = (publish_day(PAPER.replace(epsilon=e), day).release[YARDSTICK] for e in budgets)
    return each.expected_error, group.expected_error


def moment_loss() -> tuple[float, int]:
    """Return how far a day's rates can shift the log-odds of one moment by the paper's habits, and which."""
    alone = PAPER.replace(households=1, habit_spread=0.0)
    leakage = moment_leakage(simulate(alone), YARDSTICK, 0, promised=True)
    return leakage.worst, leakage.step


class CorrelatedPair(NamedTuple):
    """Two houses, and what Algorithm 1 makes of their joint distribution."""

    protected: int  # how many of them
    scale: float
    right: float  # how often whoever sees one exact rate guesses both states
    proof: float  # how often, both being occupied, that rate proves it


def correlated_pair(joint: Floats) -> CorrelatedPair:
    """Return what becomes of two houses with a joint distribution of (00, 01, 10, 11), and one exact rate."""
    group = PAPER.groups[0]
    largest = max(group.occupied_max, group.empty_max)
    own = protection(joint != 0, PAPER.alpha, [largest, largest])
    edges = np.linspace(0.0, 2 * largest, _CELLS + 1)
    x, width = (edges[1:] + edges[:-1]) / 2, float(edges[1])
    bounds = product((group.empty_max, group.occupied_max), repeat=2)
    density = np.array([laplace_uniform.density(x, np.array(both), 0.0) for both in bounds])
    weighted = joint[:, None] * density
    certain = (weighted[-1] > 0) & (weighted[:-1].sum(axis=0) == 0)
    return CorrelatedPair(
        len(own.protected),
        own.sensitivity / PAPER.epsilon,
        float(weighted.max(axis=0).sum()) * width,
        float(density[-1][certain].sum()) * width,
    )


class Win(NamedTuple):
    """A street on which dropping houses pays: errors of a typical step, on average over the noise."""

    naive: float
    blowfish: float
    dropping: int  # steps in which Blowfish protects fewer than all houses
    steps: int


def win() -> Win:
    scenario = PRESETS[WINS]
    release = simulate(scenario).release
    dropping = int(np.sum(release[FEATURED].protected < scenario.households))
    naive, blowfish = (release[name].expected_error for name in (YARDSTICK, FEATURED))
    return Win(naive, blowfish, dropping, scenario.steps)

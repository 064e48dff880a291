"""Three remarks around the paper, each with an example that is computed.

*Group differential privacy.* Without a model every state is possible and the naive noise α·u_max/ε protects
one rate. All T rates differ, between a house that is always there and one that never is, by T·α·u_max in sum:
so the steps taken as one group need T times the noise for the same ε, and the naive noise leaves them T·ε.

*Composition.* Independent steps would leave one rate to tell about one moment, ε; copies of one state all of
them, T·ε. A Markov chain lies between, and `rtp.leakage.leak` computes where, exactly.

*Houses that come and go together.* Algorithm 1 looks for possible states that differ in one house. Where two
houses are known to share one state there are none: κ is empty, λ = 0, and the exact rate is published
although both states are secret. With independent houses, which the lab assumes, that cannot be.
"""

from typing import NamedTuple

import numpy as np

from rtp.algorithm1 import protection
from rtp.core.types import Floats
from rtp.leakage.moment import moment
from rtp.mechanisms import YARDSTICK
from rtp.paper.choices import with_habits
from rtp.paper.reproduction import PAPER
from rtp.probability.uniforms import uniforms_plus_laplace
from rtp.scenario import Scenario
from rtp.simulation import live, publish, simulate

CELLS = 20_000
STILL = ((1.0, 0.0), (0.0, 1.0))
FORGETFUL = ((0.5, 0.5), (0.5, 0.5))


class Group(NamedTuple):
    """A day of the naive mechanism, and of one that takes its steps as one group."""

    bound: float  # what a house uses all day, or nothing
    each: float  # what one naive rate can tell about it
    total: float  # what all of them can
    scale: float
    group_scale: float  # for ε over all steps together
    error: float  # of a typical step
    group_error: float


def as_one_group(scenario: Scenario = PAPER) -> Group:
    """ε for each rate, beside ε for all of them although every step is a copy of the first."""
    life = live(scenario)
    naive = publish(scenario, life).release[YARDSTICK]
    whole = publish(scenario.replace(epsilon=scenario.epsilon / scenario.steps), life).release[YARDSTICK]
    bound = max(max(group.occupied_max, group.empty_max) for group in scenario.groups)
    losses = scenario.alpha * bound / naive.scale
    return Group(
        bound=bound,
        each=float(losses.max()),
        total=float(losses.sum()),
        scale=float(naive.scale.max()),
        group_scale=float(whole.scale.max()),
        error=naive.expected_error,
        group_error=whole.expected_error,
    )


class Moments(NamedTuple):
    """How far all rates of a day, each spending ε, can shift the log-odds of one moment."""

    independent: float  # every step forgets the last one
    lived: float  # as the paper's habits have it
    step: int  # the moment that can lose so much
    still: float  # nobody ever moves


def moments() -> Moments:
    """One house with the paper's habits, and with two that no street has."""
    alone = PAPER.replace(households=1, habit_spread=0.0)
    own = _worst(alone)
    return Moments(_worst(_moving(FORGETFUL))[0], *own, _worst(_moving(STILL))[0])


def _moving(matrix: tuple[tuple[float, float], tuple[float, float]]) -> Scenario:
    habits = PAPER.models[0].habits[0]
    periods = tuple(part.replace(matrix=matrix, basis="step") for part in habits.periods)
    return with_habits([habits.replace(periods=periods)]).replace(households=1, habit_spread=0.0)


def _worst(scenario: Scenario) -> tuple[float, int]:
    found = moment(simulate(scenario), YARDSTICK, 0, promised=True)
    return found.worst, found.step


class Pair(NamedTuple):
    """Two houses, and what Algorithm 1 makes of their joint law."""

    protected: int  # how many of them
    scale: float
    right: float  # how often whoever sees one exact rate guesses both states
    proof: float  # how often, both being occupied, that rate proves it


def together(law: Floats, scenario: Scenario = PAPER) -> Pair:
    """Two houses of the largest bounds under a joint law of (00, 01, 10, 11), seen by one exact rate."""
    group = scenario.groups[0]
    bound = max(group.occupied_max, group.empty_max)
    own = protection(law != 0, scenario.alpha, [bound, bound])
    edges = np.linspace(0.0, 2 * bound, CELLS + 1)
    x, width = (edges[1:] + edges[:-1]) / 2, float(edges[1])
    widths = [
        (a, b) for a in (group.empty_max, group.occupied_max) for b in (group.empty_max, group.occupied_max)
    ]
    density = np.array([uniforms_plus_laplace(x, np.array(both), 0.0) for both in widths])
    joint = law[:, None] * density
    certain = (joint[-1] > 0) & (joint[:-1].sum(axis=0) == 0)
    return Pair(
        len(own.protected),
        own.sensitivity / scenario.epsilon,
        float(joint.max(axis=0).sum()) * width,
        float(density[-1][certain].sum()) * width,
    )

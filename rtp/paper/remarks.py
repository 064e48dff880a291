"""Notes on what the paper says beside its theorems, each from a computed example; and what speaks for it.

*Group differential privacy.* Without a model every state is possible and the naive noise α·u_max/ε protects
one rate. All T rates differ, between a house that is always there and one that never is, by T·α·u_max in sum:
so the steps taken as one group need T times the noise for the same ε, and the naive noise leaves them T·ε.

*Composition.* Independent steps would leave one rate to tell about one moment, ε; copies of one state all of
them, T·ε. A Markov chain lies between, and `rtp.leakage.moment` computes where, exactly.

*Houses that come and go together.* Algorithm 1 looks for possible states that differ in one house. Where two
houses are known to share one state there are none: κ is empty, λ = 0, and the exact rate is published
although both states are secret. With independent houses, which the lab assumes, that cannot be.
"""

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

import numpy as np

from rtp.algorithm1 import protection
from rtp.core.formatting import percent
from rtp.core.time import when
from rtp.core.types import Floats
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import FEATURED, YARDSTICK
from rtp.paper.choices import paper_with_habits
from rtp.paper.published import ADDRESS, AUTHORS, TITLE, WHERE
from rtp.paper.reproduction import PAPER, as_printed
from rtp.probability import laplace_uniform
from rtp.scenario import PRESETS, Scenario
from rtp.simulation import draw_day, publish_day, simulate
from rtp.simulation.setup import NOBODY_MOVES
from rtp.teaching.lines import LineNumber

_CELLS = 20_000
_GROUP = PAPER.groups[0]
_LARGEST = max(_GROUP.occupied_max, _GROUP.empty_max)  # bound of any house
FORGETFUL = ((0.5, 0.5), (0.5, 0.5))


class GroupPrivacy(NamedTuple):
    """A day of the naive mechanism, and of one that takes its steps as one group."""

    bound: float  # what a house uses all day, or nothing
    each: float  # what one naive rate can tell about it
    total: float  # what all of them can
    scale: float
    group_scale: float  # for ε over all steps together
    error: float  # of a typical step
    group_error: float


def group_privacy() -> GroupPrivacy:
    """ε for each rate, beside ε for all of them although every step is a copy of the first."""
    street_day = draw_day(PAPER)
    naive, whole = (
        publish_day(PAPER.replace(epsilon=epsilon), street_day).release[YARDSTICK]
        for epsilon in (PAPER.epsilon, PAPER.epsilon / PAPER.steps)
    )
    losses = PAPER.alpha * _LARGEST / naive.scale
    return GroupPrivacy(
        bound=_LARGEST,
        each=float(losses.max()),
        total=float(losses.sum()),
        scale=float(naive.scale.max()),
        group_scale=float(whole.scale.max()),
        error=naive.expected_error,
        group_error=whole.expected_error,
    )


class MomentLosses(NamedTuple):
    """How far all rates of a day, each spending ε, can shift the log-odds of one moment."""

    independent: float  # every step forgets the last one
    paper_habits: float
    step: int  # the moment that can lose so much
    still: float  # nobody ever moves


def moment_losses() -> MomentLosses:
    """One house with the paper's habits, and with two that no street has."""
    alone = PAPER.replace(households=1, habit_spread=0.0)
    own = _worst(alone)
    return MomentLosses(_worst(_moving(FORGETFUL))[0], *own, _worst(_moving(NOBODY_MOVES))[0])


def _moving(matrix: tuple[tuple[float, float], tuple[float, float]]) -> Scenario:
    habits = PAPER.models[0].habits[0]
    periods = tuple(part.replace(matrix=matrix, basis="step") for part in habits.periods)
    return paper_with_habits([habits.replace(periods=periods)]).replace(households=1, habit_spread=0.0)


def _worst(scenario: Scenario) -> tuple[float, int]:
    leakage = moment_leakage(simulate(scenario), YARDSTICK, 0, promised=True)
    return leakage.worst, leakage.step


class CorrelatedPair(NamedTuple):
    """Two houses, and what Algorithm 1 makes of their joint distribution."""

    protected: int  # how many of them
    scale: float
    right: float  # how often whoever sees one exact rate guesses both states
    proof: float  # how often, both being occupied, that rate proves it


def correlated_pair(joint: Floats) -> CorrelatedPair:
    """Two houses of the largest bounds with a joint distribution of (00, 01, 10, 11), and one exact rate."""
    own = protection(joint != 0, PAPER.alpha, [_LARGEST, _LARGEST])
    edges = np.linspace(0.0, 2 * _LARGEST, _CELLS + 1)
    x, width = (edges[1:] + edges[:-1]) / 2, float(edges[1])
    widths = product((_GROUP.empty_max, _GROUP.occupied_max), repeat=2)
    density = np.array([laplace_uniform.density(x, np.array(both), 0.0) for both in widths])
    weighted = joint[:, None] * density
    certain = (weighted[-1] > 0) & (weighted[:-1].sum(axis=0) == 0)
    return CorrelatedPair(
        len(own.protected),
        own.sensitivity / PAPER.epsilon,
        float(weighted.max(axis=0).sum()) * width,
        float(density[-1][certain].sum()) * width,
    )


PRINTED_POSTERIOR = 14  # the line of the printed listing that derives the posterior


class Note(NamedTuple):
    """A remark on the paper and the tests that hold it."""

    title: str
    words: str
    checks: Mapping[str, str]  # what a test of the lab holds, in words: file::function, below tests/


def notes() -> list[Note]:
    """All notes, in the order of the page."""
    return [_group(), _composition(), _together(), _numbering()]


def _group() -> Note:
    day = group_privacy()
    return Note(
        "Is the naive mechanism group differential privacy?",
        "The paper remarks that without a model its notion becomes group differential privacy, with all "
        "time steps fully correlated. That holds for one rate: every state is possible, every house "
        "protected. It does not hold for a day. A house that is in one state all day and uses "
        f"{day.bound:g} or nothing can lose {day.each:g} to each naive rate and {day.total:g} to all "
        f"{PAPER.steps}. To promise ε = {PAPER.epsilon:g} for the steps as one group takes noise of scale "
        f"{day.group_scale:g} instead of {day.scale:g}: an error of {percent(day.group_error)} of the rate "
        f"in a typical step instead of {percent(day.error)}.",
        {
            "All steps as one group need T times the noise of one step.": "unit/paper/test_remarks.py::"
            "test_steps_as_one_group_need_t_times_the_noise"
        },
    )


def _composition() -> Note:
    losses = moment_losses()
    return Note(
        "Why independent composition does not apply to moments.",
        "The paper is right not to use the composition theorem: every rate is about another data set. Nor "
        "are the data sets independent: neighbouring steps resemble each other, so not only the rate of "
        f"14:00 reveals 14:00. If every rate spends its ε = {PAPER.epsilon:g}, all {PAPER.steps} together "
        f"can shift the log-odds of one moment by {losses.independent:g} if each step forgot the one "
        f"before, by {losses.paper_habits:.2f} with the paper's habits ({when(losses.step)}), and by "
        f"{losses.still:g}, which is Theorem 2's sum, if nobody ever moved. The screen Over time computes "
        "it for any street.",
        {
            "A moment loses more than one rate reveals, and less than all rates add up to.": "unit/paper/"
            "test_remarks.py::test_a_moment_loses_more_than_one_rate_less_than_all"
        },
    )


def _together() -> Note:
    pair, apart = correlated_pair(np.array([0.5, 0.0, 0.0, 0.5])), correlated_pair(np.full(4, 0.25))
    return Note(
        "Houses that come and go together.",
        "Algorithm 1 accepts any joint distribution Π. Take two houses that are surely both empty or both "
        "occupied, Π(00) = Π(11) = ½. No two possible states differ in one house alone, so it protects "
        f"{_houses(pair)}, λ = 0, and **the exact rate is published although both states are secret**: who "
        f"sees that one rate is right in {as_printed(pair.right, '.0%')} of cases instead of 50 %, and if "
        f"both are occupied it proves so in {as_printed(pair.proof, '.0%')} of them. Were the two "
        f"independent, {_houses(apart)} would be protected, with noise of scale {apart.scale:g}. The lab "
        "assumes independent houses, as the paper's simulation does, and promises nothing beyond.",
        {
            "Two houses that are always in the same state are not protected.": "unit/paper/test_remarks.py::"
            "test_two_houses_that_share_one_state_are_not_protected"
        },
    )


def _houses(pair: CorrelatedPair) -> str:
    return {0: "nobody", 2: "both"}[pair.protected]


def _numbering() -> Note:
    return Note(
        "The numbers of the listing's lines.",
        "In the paper's source “return” opens no numbered line: as printed it stands beneath line 13 without "
        f"a number, and the posterior is line {PRINTED_POSTERIOR}; the Algorithm screen gives it a number of "
        f"its own and calls the posterior line {LineNumber.POSTERIOR}.",
        {
            "The listing as printed gives “return” no number.": "unit/paper/test_remarks.py::"
            "test_the_printed_listing_numbers_no_return"
        },
    )


CITATION = f"[{TITLE}]({ADDRESS}) is by {AUTHORS}: {WHERE}."
# What the authors say themselves, in our words, and in which section.
CAVEATS = (
    "They call the chances to leave, come home, sleep and wake guesses, and the data are synthetic "
    "(Section IV).",
    "The set of models Θ holds a single one, for simplicity (Section IV).",
    "Houses are assumed to consume independently of each other, and the tariff is scaled for simplicity "
    "(Sections II and IV).",
    "They claim noise that is never larger than the alternative's and can be smaller, not that it always is "
    "(Section V).",
    "They call both errors, naive and Blowfish, low beside the range of the rates (Section IV).",
    "Privacy fades in proportion to the number of rates; they leave a slower fading to future work "
    "(Theorem 2 and Section V).",
)
WINS = "mansions"  # a preset on which dropping houses pays


def win_words() -> str:
    """Where Blowfish wins: its error on a street on which dropping houses pays, on average over the noise."""
    scenario = PRESETS[WINS]
    release = simulate(scenario).release
    naive, blowfish = (release[name].expected_error for name in (YARDSTICK, FEATURED))
    dropping = int(np.sum(release[FEATURED].protected < scenario.households))
    return (
        "**Where Blowfish wins.** On the paper's street Algorithm 1 must protect every house. Its idea "
        f"pays where habits make houses certain. On “{WINS.capitalize()}” it drops houses in "
        f"{dropping} of {scenario.steps} steps, and the same promise costs an error of "
        f"{percent(blowfish)} where the naive mechanism's is {percent(naive)}, "
        f"{naive / blowfish:.1f} times as much, on average."
    )

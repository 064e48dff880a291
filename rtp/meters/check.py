"""at_home(readings): when somebody is at home, asleep included, by `four_states`; and check(readings): how
often that is right, where readings say who was.

The labels are hidden from the learner; it is judged at the readings' own step by labelled moments only,
beside what needs no model:

    always at home    the likelier answer for most homes
    the clock alone   in every hour what was so more often on the *other* days; it has seen labels
    the rule          who is up for an hour or more between 20 and 24 o'clock is at home from then until 10
                      (known from the literature on occupancy from meters); up is the upper of two states
    two states        that upper state alone: up and about, taken for at home

Accuracy is high for anyone who says nothing where a home is seldom empty. So the mean of how often the two
answers are right (balanced accuracy) and Matthews's (1975) correlation, 0 for all that follow no truth, stand
beside it. Intervals leave out one day of one house at a time: moments within a day are not independent.
"""

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.stats import Estimate, Range, jackknife
from rtp.core.types import Bools, Floats, Ints
from rtp.core.workers import Progress, each, partial_progress
from rtp.meters import four_states
from rtp.meters.four_states import ASLEEP, UP
from rtp.meters.learned import AT_HOME, Learned
from rtp.meters.learning import in_parts, learn, training_readings
from rtp.meters.readings import HOURS_A_DAY, Powers, Readings, period_of_steps
from rtp.meters.two_states import OCCUPIED, fit_houses
from rtp.probability.hmm import e_step
from rtp.probability.observations import Observations, to_bins
from rtp.scenario import PAPER_PERIODS, ScenarioError


@dataclass(frozen=True, kw_only=True)
class AtHome:
    """What readings say of n houses over T steps; nothing in it but `truth` comes from labels."""

    houses: tuple[str, ...]
    which: Ints  # (n,) their positions among the readings' houses
    verdicts: tuple[str, ...]  # on each: whether its states can be occupancy
    close_calls: Bools  # (n,) whether what is said of each may well be wrong
    first: int  # the first of the readings' days that was learned from
    days: int
    first_date: str
    minutes: int  # of a step
    power: Powers  # (n, T) kW
    at_home: Floats  # (n, T) Pr[somebody is at home | all readings]
    up: Floats  # (n, T) Pr[up and about | all readings]; the rest of `at_home` is asleep
    truth: NDArray[np.int8] | None  # (n, T) 1 or 0 where a label says it, −1 where none does

    def labelled(self, house: int) -> bool:
        """Whether anybody said who was in one of them."""
        return self.truth is not None and bool((self.truth[house] >= 0).any())

    @property
    def certainty(self) -> Floats:
        """(n,): the probability that the likelier answer is right, in a mean step."""
        return np.asarray(np.maximum(self.at_home, 1 - self.at_home).mean(axis=1))


def at_home(
    readings: Readings,
    learned: Learned | None = None,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> AtHome:
    """Return when somebody is at home in every usable house, on the days that habits are learned from: by
    what was learned of being at home without labels, here where it was not yet. Labels are never looked at,
    and kept beside what is learned."""
    if learned is None or learned.counted or learned.meaning != AT_HOME:
        hidden, part = readings.without_labels(), partial_progress(progress, 0.0, LEARNED)
        learned = learn(hidden, meaning=AT_HOME, resamples=0, executor=executor, progress=part)
    own = training_readings(readings, learned.which, learned.first, learned.days)
    blocks = [
        (own.only_houses(some), learned, some) for some in in_parts(np.arange(len(own.houses)), own, AT_HOME)
    ]
    part = partial_progress(progress, LEARNED, 1.0)
    states = np.concatenate(list(each(_decoded, blocks, executor, part)), axis=2)
    up = states[:, UP].sum(axis=1)
    return AtHome(
        houses=own.houses,
        which=learned.which,
        verdicts=learned.verdicts,
        close_calls=learned.houses.close_call,
        first=learned.first,
        days=learned.days,
        first_date=readings.date(learned.first),
        minutes=own.minutes,
        power=own.power,
        at_home=(up + states[:, ASLEEP]).T,
        up=up.T,
        truth=own.occupied,
    )


def _decoded(block: tuple[Readings, Learned, Ints]) -> Floats:
    """Pr[state], (T, 4, n), of some houses."""
    own, learned, some = block
    return four_states.decode(own.power, own.minutes, learned.houses, some, own.weekend)


LEARNED = 0.8  # of the time is spent on learning, the rest on decoding
THREE, ALWAYS, _CLOCK = "three states", "always at home", "the clock alone"
RULE, TWO = "the rule", "two states"
WAKING = (7, 23)  # o'clock: the hours of the day that are judged by themselves
RULE_FROM, RULE_UNTIL, RULE_MINUTES = 20, 10, 60
STATED = (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.0)  # edges of the reliability's bins


class Score(NamedTuple):
    """How often an answer is right, with intervals over days."""

    accuracy: Range
    balanced: Range
    matthews: Range


class Scores(NamedTuple):
    """Of all hours, and of those in which most people are awake."""

    all: Score
    by_day: Score


class Bin(NamedTuple):
    """Moments at which about the same probability was stated."""

    stated: float  # its mean
    right: Range  # the share of them at which it was so
    moments: int


class HouseCheck(NamedTuple):
    """One house beside the truth."""

    house: str
    verdict: str
    close_call: bool
    labelled: int  # moments
    sure: float  # what the learner says of itself, at these
    scores: Mapping[str, Scores]  # by answer, what was learned first


@dataclass(frozen=True, kw_only=True)
class Check:
    """What is learned beside the truth. Mappings are by answer, what was learned first."""

    found: AtHome
    houses: tuple[HouseCheck, ...]  # those with labels
    sure: float  # what the learner says of itself at labelled moments
    labelled: int  # moments
    moments: int  # of the same days, labelled or not
    scores: Mapping[str, Scores]
    by_hour: Mapping[str, Estimate]  # (24,) the share that is right; NaN where nothing is labelled
    reliability: tuple[Bin, ...]  # of Pr[somebody is at home]
    sureness: tuple[Bin, ...]  # of Pr[the answer is right]


def check(
    readings: Readings,
    found: AtHome | None = None,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Check:
    """Return how often what is learned, labels hidden, is right; refuses readings without any label."""
    if readings.occupied is None or (readings.occupied < 0).all():
        raise ScenarioError("The readings", "do not say who was at home, so nothing can be checked.")
    if found is None:
        part = partial_progress(progress, 0.0, 0.8)
        found = at_home(readings, executor=executor, progress=part)
    own = readings.only_days(found.first, found.days).only_houses(found.which)
    assert own.occupied is not None
    shape = len(found.houses) * found.days, own.steps_per_day
    truth = own.occupied.reshape(shape)
    known = truth >= 0
    if not known.any():
        raise ScenarioError("The readings", "have no label on the days that habits are learned from.")
    finer = found.minutes // own.minutes  # the learner's steps are never shorter
    belief = np.repeat(found.at_home, finer, axis=1).reshape(shape)
    up = np.repeat(upper_state(readings, found), finer, axis=1).reshape(shape) >= 0.5
    hour = np.arange(own.steps_per_day) * own.minutes // 60
    answers = {
        THREE: belief >= 0.5,
        ALWAYS: np.ones(shape, dtype=bool),
        _CLOCK: clock_alone(truth, hour),
        RULE: the_rule(up, own.minutes, found.days),
        TWO: up,
    }
    waking = known & (hour >= WAKING[0]) & (hour < WAKING[1])
    certainty = np.maximum(belief, 1 - belief)

    def scored(some: slice) -> dict[str, Scores]:
        right = truth[some] == 1
        return {
            name: Scores(*(score(said[some], right, judged[some]) for judged in (known, waking)))
            for name, said in answers.items()
        }

    sure = np.where(known, certainty, np.nan)
    of_house = [slice(k * found.days, (k + 1) * found.days) for k in range(len(found.houses))]
    result = Check(
        found=found,
        houses=tuple(
            HouseCheck(name, verdict, close, int(known[own].sum()), float(np.nanmean(sure[own])), scored(own))
            for name, verdict, close, own in zip(
                found.houses, found.verdicts, found.close_calls.tolist(), of_house, strict=True
            )
            if known[own].any()
        ),
        sure=float(np.nanmean(sure)),
        labelled=int(known.sum()),
        moments=known.size,
        scores=scored(slice(None)),
        by_hour={name: _by_hour(said == (truth == 1), known, hour) for name, said in answers.items()},
        reliability=reliability(belief, truth == 1, known),
        sureness=reliability(certainty, (belief >= 0.5) == (truth == 1), known),
    )
    if progress is not None:
        progress(1.0)
    return result


def upper_state(readings: Readings, found: AtHome) -> Floats:
    """Return the probability of the upper of two states, learned without labels, (n, T)."""
    own = training_readings(readings.without_labels(), found.which, found.first, found.days)
    starts = [period.start for period in PAPER_PERIODS]
    fits = fit_houses(own, starts)
    assert fits.model is not None
    seen = Observations(to_bins(own.power, fits.edges), period_of_steps(starts, own.minutes, own.days))
    return e_step(seen, fits.model).states[:, OCCUPIED].T


def clock_alone(truth: NDArray[np.int8], hour: Ints) -> Bools:
    """Return for every day what was so more often on all other days in the same hour; (days, steps)."""
    said = np.ones(truth.shape, dtype=bool)
    for own in np.unique(hour):
        home, away = ((truth[:, hour == own] == state).sum(axis=1) for state in (1, 0))
        others = (home.sum() - home) >= (away.sum() - away)
        said[:, hour == own] = others[:, None]
    return said


def the_rule(up: Bools, minutes: int, days: int) -> Bools:
    """Return who is at home by the rule, (days of one house after the other, steps)."""
    evening, morning = RULE_FROM * 60 // minutes, RULE_UNTIL * 60 // minutes
    said = up.copy()
    for day, late in enumerate(up[:, evening:]):
        if late.sum() * minutes >= RULE_MINUTES:
            said[day, evening + int(late.argmax()) :] = True
            if (day + 1) % days:
                said[day + 1, :morning] = True
    return said


def score(said: Bools, truth: Bools, judged: Bools) -> Score:
    """Return the scores of the moments that are judged, with intervals over days; arguments (days, steps)."""
    pairs = ((a, b) for a in (True, False) for b in (True, False))
    counts = np.stack([(judged & (said == a) & (truth == b)).sum(axis=1) for a, b in pairs], axis=1)
    counts = counts[counts.any(axis=1)].astype(float)
    found = (
        jackknife(counts, of, low, 1.0) for of, low in ((accuracy, 0.0), (balanced, 0.0), (matthews, -1.0))
    )
    return Score(*(Range(float(of.value), float(of.low), float(of.high)) for of in found))


def accuracy(counts: Floats) -> float:
    """Return the share that is right: of (both home, home said, away said, both away)."""
    return float((counts[0] + counts[3]) / counts.sum())


def balanced(counts: Floats) -> float:
    """Return the mean share right of those at home and of those away; of one where the other never is."""
    shares = [
        right / (right + wrong) for right, wrong in (counts[[0, 2]], counts[[3, 1]]) if right + wrong > 0
    ]
    return float(np.mean(shares))


def matthews(counts: Floats) -> float:
    """Return Matthews's correlation of what is said and what is true; 0 where either never changes."""
    home, false_home, false_away, away = counts
    of = (home + false_home) * (home + false_away) * (away + false_home) * (away + false_away)
    return float((home * away - false_home * false_away) / np.sqrt(of)) if of > 0 else 0.0


def _by_hour(right: Bools, known: Bools, hour: Ints) -> Estimate:
    """(24,): the share of labelled moments that is right, with intervals over days."""
    of_hour = (hour[:, None] == np.arange(HOURS_A_DAY)).astype(float)  # (steps, 24)
    counts = np.stack([(right & known) @ of_hour, known @ of_hour], axis=1)  # (days, 2, 24)

    def share(total: Floats) -> Floats:
        unknown = np.full(HOURS_A_DAY, np.nan)
        return np.asarray(np.divide(total[0], total[1], out=unknown, where=total[1] > 0))

    return jackknife(counts[known.any(axis=1)], share, 0.0, 1.0)


def reliability(belief: Floats, truth: Bools, known: Bools) -> tuple[Bin, ...]:
    """Return how often it was so where about so much was stated, (days, steps) each."""
    bins = []
    for low, high in pairwise(STATED):
        inside = known & (belief >= low) & ((belief < high) | (high == STATED[-1]))
        days = np.stack([(inside & truth).sum(axis=1), inside.sum(axis=1)], axis=1).astype(float)
        days = days[days[:, 1] > 0]
        if len(days):
            share = jackknife(days, lambda total: total[0] / total[1], 0.0, 1.0)
            right = Range(float(share.value), float(share.low), float(share.high))
            bins.append(Bin(float(belief[inside].mean()), right, int(inside.sum())))
    return tuple(bins)

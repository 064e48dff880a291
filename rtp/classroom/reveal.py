"""What came of an experiment: the right answer and why, read off the street before and after it."""

from typing import NamedTuple

import numpy as np

from rtp.classroom.consequences import everyone
from rtp.classroom.experiments import (
    GIANT_HOUSE,
    KNOWN,
    LEAVES_ANSWERS,
    NOBODY,
    NOISE_ANSWERS,
    NONE_ANSWERS,
    POSTERIOR,
    Experiment,
)
from rtp.classroom.lesson import Lesson
from rtp.classroom.lines import house_list, occupied, rate


class Reveal(NamedTuple):
    answer: str  # one of the experiment's
    why: str


class Belief(NamedTuple):
    """What the algorithm thinks of one house once it has seen a rate."""

    step: int
    house: int
    occupied: float


def reveal(experiment: Experiment, before: Lesson, after: Lesson) -> Reveal:
    """At the experiment's step; about the posterior, over the whole day."""
    if experiment.key == POSTERIOR:
        return _kept(after)
    tell = {KNOWN: _known, NOBODY: _nobody, GIANT_HOUSE: _giant}[experiment.key]
    return tell(experiment.step, before, after)


def _noise(t: int, before: Lesson, after: Lesson) -> tuple[str, str]:
    """The answer, and the noise of both streets in words."""
    old, new = before.at(t).scale, after.at(t).scale
    falls, stays, grows = NOISE_ANSWERS
    if np.isclose(old, new, rtol=1e-12, atol=0.0):
        return stays, f"The noise keeps its scale {new:.4g}"
    change = "falls" if new < old else "grows"
    return (falls if new < old else grows), f"The noise {change} from scale {old:.4g} to {new:.4g}"


def _known(t: int, before: Lesson, after: Lesson) -> Reveal:
    answer, noise = _noise(t, before, after)
    house, setter = before.at(t).setter, after.at(t).setter
    now = f"house {setter} sets it now" if setter >= 0 else "nobody is left to protect"
    gain = " Everyone who reads the price gains." if answer == NOISE_ANSWERS[0] else ""
    return Reveal(
        answer,
        f"{noise}: {now}.{gain} House {house} has nothing to hide as long as the models are right; should "
        "it come home against all expectation, the promise does not cover it.",
    )


def _nobody(t: int, before: Lesson, after: Lesson) -> Reveal:
    same, less, none = NONE_ANSWERS
    old, new = before.at(t).scale, after.at(t).scale
    answer = none if new == 0 else less if new < old else same
    return Reveal(
        answer,
        f"κ is empty, λ = {after.at(t).sensitivity:.4g}, and the rate {rate(after.at(t).published)} is "
        f"exact. It tells the street's whole demand, {after.release.demand[t]:.4f}, and nothing about who is "
        "at home that the models do not say already.",
    )


def _giant(t: int, before: Lesson, after: Lesson) -> Reveal:
    answer, noise = _noise(t, before, after)
    others = sorted(everyone(after.at(t)) - {after.at(t).setter})
    gain = f" The same noise now hides {house_list(others)}, better than they need." if others else ""
    return Reveal(answer, f"{noise}, because the largest protected house sets it for all.{gain}")


def surest(lesson: Lesson) -> Belief:
    """The belief about a protected house that comes nearest to certainty, over the whole day and all "
    "models."""
    beliefs = [
        Belief(t, h, float(chance))
        for t in range(lesson.scenario.steps)
        for own in lesson.at(t).models
        for h, chance in enumerate(occupied(own.posterior))
        if h in own.protected
    ]
    return max(beliefs, key=lambda belief: abs(belief.occupied - 0.5))


def _kept(lesson: Lesson) -> Reveal:
    """κ of the algorithm, which learns from every rate, against κ by the zeros of the habits alone."""
    (leaves, stays), steps = LEAVES_ANSWERS, lesson.scenario.steps
    learned = [everyone(lesson.at(t)) for t in range(steps)]
    blind = [set(np.flatnonzero(row).tolist()) for row in lesson.protected]
    same = sum(one == other for one, other in zip(learned, blind, strict=True))
    step, house, chance = surest(lesson)
    state, sure = ("occupied", chance) if chance > 0.5 else ("empty", 1 - chance)
    law = "The posterior never changes κ: only exact zeros do. " if same == steps else ""
    return Reveal(
        stays if law else leaves,
        f"{law}At {lesson.scenario.when(step)} the rates have made the algorithm surest of a protected "
        f"house: house {house} is {state} with {_chance(sure)}. It is in κ all the same. At {same} of "
        f"{steps} steps κ is what the zeros of the habits alone leave open, without a look at any rate: "
        "Laplace noise can bring any rate forth from any state, so no posterior ever becomes exactly 0, "
        "however small.",
    )


def _chance(sure: float) -> str:
    """A probability near 1, never rounded up to it."""
    if sure == 1:
        return "a probability that the computer cannot tell from 1"
    return f"{sure:.4f}" if sure < 0.9999 else f"1 − {1 - sure:.2g}"

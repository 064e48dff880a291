"""Experiments for a class: a question, answers to choose from, the changes that try it, what came of it.

Each is about the street the stage opened on and is offered only where what it says is true there: no noise
can fall, vanish or grow where nobody is protected. The right answer is never written down; it is read off the
street before and after the experiment.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rtp.scenario import BOUNDS
from rtp.teaching.stage import (
    Changes,
    HouseChange,
    Stage,
    house_list,
    occupied_probabilities,
    period_end,
    protected_by_any_model,
    rate_text,
    surely_empty,
)

GIANT = 4.0  # times the largest house
LOOK = 2  # the hour to look at, unless nobody is protected until later
ONE_KNOWN, NOBODY, GIANT_HOUSE, LEARNING = KEYS = ("known", "nobody", "giant", "posterior")
NOISE_ANSWERS = ("it falls", "it stays", "it grows")
NONE_ANSWERS = ("as much as before", "less, but some", "none at all")
LEAVES_ANSWERS = ("yes, some house leaves κ", "no, κ does not change")
PAPER_SAYS = (
    "An adversary […] may conclude that some states are impossible to happen observing the rates, i.e. there "
    "may exist states with zero prior probability in (2)."
)


@dataclass(frozen=True)
class Experiment:
    """A question for the class, and the changes that answer it."""

    key: str
    title: str
    question: str
    answers: tuple[str, ...]
    changes: Changes
    step: int  # to look at


def experiments(stage: Stage) -> list[Experiment]:
    """The experiments that say something true on the street as the stage opened it."""
    look = _first_noise(stage)
    if look is None:
        return []
    until = stage.scenario.when(period_end(stage, look))
    away = {house: surely_empty(stage.spec, stage.street, house, look) for house in range(stage.houses)}
    offered = [_one_known(stage, look, until, away), _nobody(look, until, away), _giant(stage, look)]
    return [experiment for experiment in (*offered, _learning(stage)) if experiment is not None]


def _one_known(stage: Stage, look: int, until: str, away: Changes) -> Experiment:
    largest = int(stage.release.setter[look])
    house, at_the_start = stage.scenario.house(largest), stage.scenario.house(largest, capital=True)
    return Experiment(
        ONE_KNOWN,
        "One house is no secret",
        f"{at_the_start} sets the noise. Suppose everyone knows that it is empty until {until}. What happens "
        f"to the noise, who gets a better rate, and is {house} worse off?",
        NOISE_ANSWERS,
        {**stage.changes, largest: away[largest]},
        look,
    )


def _nobody(look: int, until: str, away: Changes) -> Experiment:
    return Experiment(
        NOBODY,
        "Nobody is a secret",
        f"Suppose the whole street is known to be empty until {until}. How much noise does the rate get, "
        "and what does the rate still reveal?",
        NONE_ANSWERS,
        away,
        look,
    )


def _giant(stage: Stage, look: int) -> Experiment | None:
    """None where a house cannot be so much larger than the largest."""
    bound = stage.street.bound
    giant = min(GIANT * float(bound.max()), BOUNDS["occupied_max"].high)
    if giant <= bound.max():
        return None
    house = min(np.flatnonzero(stage.protected[look]).tolist(), key=bound.__getitem__)
    return Experiment(
        GIANT_HOUSE,
        "A giant moves in",
        f"Suppose {stage.scenario.house(house)} could use {giant:.3g}, {giant / bound.max():.3g} times as "
        "much as the largest house. What happens to everyone's noise, and who is protected better than "
        "before?",
        NOISE_ANSWERS,
        {**stage.changes, house: replace(stage.changes.get(house, HouseChange()), bound=giant)},
        look,
    )


def _learning(stage: Stage) -> Experiment:
    return Experiment(
        LEARNING,
        "Does learning change κ?",
        f"The paper says: “{PAPER_SAYS}” Let the algorithm see the rates of the whole day and learn from "
        "each. Does any house leave κ because of what the rates reveal?",
        LEAVES_ANSWERS,
        stage.changes,
        stage.scenario.steps - 1,
    )


def _first_noise(stage: Stage) -> int | None:
    """The first step, from LOOK on, at which somebody is protected; None where nobody ever is."""
    start = LOOK * stage.scenario.steps // 24
    later = np.flatnonzero(stage.release.scale[start:] > 0)
    return start + int(later[0]) if len(later) else None


class Reveal(NamedTuple):
    """What came of an experiment."""

    answer: str  # one of the experiment's
    why: str


class Belief(NamedTuple):
    """What the algorithm thinks of one house once it has seen a rate."""

    step: int
    house: int
    occupied: float


def reveal_experiment(experiment: Experiment, before: Stage, after: Stage) -> Reveal:
    """The right answer and why: at the experiment's step; about learning, over the whole day."""
    if experiment.key == LEARNING:
        return _reveal_learning(after)
    by_key = {ONE_KNOWN: _reveal_known, NOBODY: _reveal_nobody, GIANT_HOUSE: _reveal_giant}
    return by_key[experiment.key](experiment.step, before, after)


def _noise(t: int, before: Stage, after: Stage) -> tuple[str, str]:
    """The answer, and the noise of both streets in words."""
    old, new = before.at(t).scale, after.at(t).scale
    falls, stays, grows = NOISE_ANSWERS
    same = np.isclose(old, new, rtol=1e-12, atol=0.0)
    answer = stays if same else falls if new < old else grows
    return answer, f"The noise goes from scale {old:.4g} to {new:.4g}"


def _reveal_known(t: int, before: Stage, after: Stage) -> Reveal:
    answer, noise = _noise(t, before, after)
    house, largest = before.at(t).noise_setting_house, after.at(t).noise_setting_house
    now = f"{after.scenario.house(largest)} sets it now" if largest >= 0 else "nobody is left to protect"
    return Reveal(
        answer,
        f"{noise}: {now}. Less noise is a better rate for everyone. "
        f"{before.scenario.house(house, capital=True)} has nothing to hide as long as the models are right; "
        "should it come home against all expectation, the promise does not cover it.",
    )


def _reveal_nobody(t: int, before: Stage, after: Stage) -> Reveal:
    same, less, none = NONE_ANSWERS
    old, new = before.at(t).scale, after.at(t).scale
    answer = none if new == 0 else less if new < old else same
    return Reveal(
        answer,
        f"κ is empty, λ = {after.at(t).sensitivity:.4g}, and the rate {rate_text(after.at(t).published)} is "
        f"exact. It tells the street's whole demand, {after.release.demand[t]:.4f}, and nothing about who is "
        "at home that the models do not say already.",
    )


def _reveal_giant(t: int, before: Stage, after: Stage) -> Reveal:
    answer, noise = _noise(t, before, after)
    others = sorted(protected_by_any_model(after.at(t)) - {after.at(t).noise_setting_house})
    hidden = house_list(after.scenario, others)
    gain = f" It hides {hidden} better than before." if others else ""
    return Reveal(answer, f"{noise}, because the largest protected house sets it for all.{gain}")


def surest_belief(stage: Stage) -> Belief:
    """The belief about a protected house that comes nearest to certainty, over all steps and models."""
    beliefs = [
        Belief(t, h, float(probability))
        for t in range(stage.scenario.steps)
        for own in stage.at(t).models
        for h, probability in enumerate(occupied_probabilities(own.posterior))
        if h in own.protected
    ]
    return max(beliefs, key=lambda belief: abs(belief.occupied - 0.5))


def _reveal_learning(stage: Stage) -> Reveal:
    """κ of the algorithm, which learns from every rate, against κ by the zeros of the habits alone."""
    (leaves, stays), steps = LEAVES_ANSWERS, stage.scenario.steps
    with_rates = [protected_by_any_model(stage.at(t)) for t in range(steps)]
    without = [set(np.flatnonzero(row).tolist()) for row in stage.protected]
    same = sum(one == other for one, other in zip(with_rates, without, strict=True))
    step, house, occupied = surest_belief(stage)
    who = stage.scenario.house(house)
    state, sure = ("occupied", occupied) if occupied > 0.5 else ("empty", 1 - occupied)
    always = "The posterior never changes κ: only exact zeros do. " if same == steps else ""
    return Reveal(
        stays if always else leaves,
        f"{always}At {stage.scenario.when(step)} the rates have made the algorithm surest of a protected "
        f"house: {who} is {state} with {_near_one(sure)}. It is in κ all the same. At {same} of "
        f"{steps} steps κ is what the zeros of the habits alone leave open, without a look at any rate: "
        "Laplace noise can bring any rate forth from any state, so no posterior ever becomes exactly 0, "
        "however small.",
    )


def _near_one(sure: float) -> str:
    """A probability near 1, never rounded up to it."""
    return f"{sure:.4f}" if sure < 0.9999 else "more than 0.9999"

"""What a step of the algorithm means for the people on the street, in sentences built from its numbers.

And what it promises: secrets, discriminative pairs, the constraint Qᵗ, Definitions 1 to 3, each with what it
means at the step and under the model at hand, counted.
"""

from math import exp
from typing import NamedTuple

import numpy as np

from rtp.algorithm1 import Step, all_states
from rtp.probability.laplace_uniform import log_ratio
from rtp.teaching.lines import house_list, rate_text
from rtp.teaching.stage import Stage

LARGE = 20.0  # a factor of e^20 and more is easier to read as a power


def privacy_words(stage: Stage, t: int) -> str:
    """Who is protected at step t, who is not, and what an exact rate gives away where nobody is."""
    step = stage.at(t)
    protected = protected_by_any_model(step)
    if not protected:
        return _exact(stage, t) + _divided(stage, step)
    largest = step.noise_setting_house
    text = (
        f"{len(protected)} of {stage.houses} houses are protected. "
        f"{stage.scenario.house(largest, capital=True)} (bound {stage.street.bound[largest]:.4g}) is the "
        "largest of them, so it sets the noise for all."
    )
    rest = [h for h in range(stage.houses) if h not in protected]
    if rest:
        text += (
            f" Every model is certain about {house_list(stage.scenario, rest)}: no noise is spent on "
            f"{'it' if len(rest) == 1 else 'them'}, and whoever does what the models call impossible is not "
            "covered by the promise."
        )
    return text + _divided(stage, step)


def _exact(stage: Stage, t: int) -> str:
    return (
        "κ is empty: no house is uncertain, so λ = 0 and the exact rate "
        f"{rate_text(stage.at(t).published)} is published. As long as the models are right, nobody's state "
        "was a secret at this step, so no privacy is lost. But the price now gives away the street's exact "
        f"demand, {stage.release.demand[t]:.4f}, and a house that does what the models call impossible has "
        "no protection at all."
    )


def _divided(stage: Stage, step: Step) -> str:
    """Houses about which every model is certain, but not of the same state."""
    states = all_states(stage.houses)
    sure = np.array([states[model.possible][0] for model in step.models])  # right for the certain houses
    split = set(np.flatnonzero(sure.min(axis=0) != sure.max(axis=0)).tolist()) - protected_by_any_model(step)
    if not split:
        return ""
    return (
        f" The models are each certain and disagree about {house_list(stage.scenario, sorted(split))}: the "
        "rate can tell which of them is right, and the promise, which holds within each model, does not "
        "cover that."
    )


def promise_check_words(stage: Stage, t: int) -> str:
    """The promise held against this very rate: the likelihoods of all neighbouring states."""
    step = stage.at(t)
    pairs = sorted({(i, j) for model in step.models for i, j, _ in model.neighbours})
    if not pairs:
        return "There are no neighbouring states, so there is nothing to promise."
    return (
        f"Over all {len(pairs)} neighbouring pairs, this rate is at most "
        f"{factor_text(largest_log_ratio(step, pairs))} times as likely under one state as under its "
        f"neighbour; the promise allows e^ε = {factor_text(stage.scenario.epsilon)}."
    )


def factor_text(log: float) -> str:
    """e to that power in words; a power where the number would be hard to read, or no float."""
    if log < LARGE:
        return f"{exp(log):.4g}"
    return f"e^{log:.4g}" if log < 1000 else f"e^{log:.0f}"


def largest_log_ratio(step: Step, pairs: list[tuple[int, int]]) -> float:
    """The largest |ln Pr[r̂|M] − ln Pr[r̂|M′]| over some pairs of states; 0 for two that cannot be."""
    one, other = (step.log_likelihood[list(states)] for states in zip(*pairs, strict=True))
    return float(np.abs(log_ratio(one, other)).max())


def protected_by_any_model(step: Step) -> set[int]:
    """The houses protected under some model."""
    return set().union(*(model.protected for model in step.models))


def changes_words(before: Stage, after: Stage, t: int) -> str:
    """What the moves changed at step t."""
    old, new = before.at(t), after.at(t)
    protected_before, protected_now = protected_by_any_model(old), protected_by_any_model(new)
    left, joined = sorted(protected_before - protected_now), sorted(protected_now - protected_before)
    parts = []
    if left:
        parts.append(f"{house_list(after.scenario, left)} left κ")
    if joined:
        parts.append(f"{house_list(after.scenario, joined)} joined κ")
    if not parts:
        parts.append("κ stayed the same")
    if np.isclose(old.scale, new.scale, rtol=1e-12, atol=0.0):
        parts.append(f"the noise keeps its scale {new.scale:.4g}")
    else:
        word = "fell" if new.scale < old.scale else "grew"
        parts.append(f"the noise {word} from scale {old.scale:.4g} to {new.scale:.4g}")
    text = " and ".join(parts)
    return f"Against the street the stage opened on: {text}."


class Definition(NamedTuple):
    """One of the paper's notions."""

    name: str
    words: str  # what the paper says, in plain English
    here: str  # on this street, at this step


def definitions(stage: Stage, t: int, model: int) -> list[Definition]:
    """The paper's notions in its order, at step t and under one model."""
    own, houses, epsilon = stage.at(t).models[model], stage.houses, stage.scenario.epsilon
    possible, states, pairs = int(own.possible.sum()), len(own.possible), len(own.neighbours)
    single = houses * states // 2
    return [
        Definition(
            "Secrets and secret pairs",
            "A secret is whether one house is occupied now. A secret pair (the paper: discriminative pair) "
            "is “house i is empty” and “house i is occupied”: an observer shall not tell which of the two is "
            "true.",
            f"Here: {houses} houses, so {houses} secrets and {houses} secret pairs.",
        ),
        Definition(
            "The constraint Qᵗ",
            "What everybody knows already. A joint state satisfies Qᵗ if its prior probability at this step "
            "is not zero. Line 5 collects these states as μ; nothing needs to be hidden about the others.",
            f"Here: {possible} of {states} joint states satisfy it.",
        ),
        Definition(
            "Definition 1, differential privacy",
            "For any two joint states that differ in one house, no set of rates is more than e^ε times as "
            "likely under one as under the other. It knows nothing of Qᵗ.",
            f"Here: {single} pairs of the {states} states differ in one house; e^ε = {factor_text(epsilon)}.",
        ),
        Definition(
            "Definition 2, Blowfish neighbours",
            "Two joint states are Blowfish neighbours if both satisfy Qᵗ and they differ in one house, that "
            "is in one secret pair. Line 6 collects these as ν, line 7 the houses they differ in as κ.",
            f"Here: {pairs} of those {single} pairs are neighbours; κ holds "
            f"{house_list(stage.scenario, own.protected)}.",
        ),
        Definition(
            "Definition 3, Blowfish privacy",
            "The inequality of Definition 1, asked only of Blowfish neighbours. Fewer pairs may need less "
            "noise: only the houses in κ count, and the largest of them sets it.",
            f"Here: it spares {single - pairs} of {single} pairs under this model, and λ = "
            f"{own.sensitivity:.4g}.",
        ),
    ]

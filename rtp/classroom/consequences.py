"""What a step of the algorithm means for the people on the street, in sentences built from its numbers."""

from math import exp

import numpy as np

from rtp.algorithm1 import Step, all_states
from rtp.classroom.lesson import Lesson
from rtp.classroom.lines import house_list, rate

LARGE = 20.0  # a factor of e^20 and more is easier to read as a power


def privacy(lesson: Lesson, t: int) -> str:
    """Who is protected at step t, who is not, and what an exact rate gives away where nobody is."""
    step = lesson.at(t)
    protected = everyone(step)
    if not protected:
        return _exact(lesson, t) + _divided(lesson, step)
    text = (
        f"{len(protected)} of {lesson.houses} houses are protected. House {step.setter} (bound "
        f"{lesson.street.bound[step.setter]:.4g}) is the largest of them, so it sets the noise for all."
    )
    rest = [h for h in range(lesson.houses) if h not in protected]
    if rest:
        text += (
            f" Every model is certain about {house_list(rest)}: no noise is spent on "
            f"{'it' if len(rest) == 1 else 'them'}, and whoever does what the models call impossible is not "
            "covered by the promise."
        )
    return text + _divided(lesson, step)


def _exact(lesson: Lesson, t: int) -> str:
    return (
        "κ is empty: no house is uncertain, so λ = 0 and the exact rate "
        f"{rate(lesson.at(t).published)} is published. As long as the models are right, nobody's state was a "
        "secret at this step, so no privacy is lost. But the price now gives away the street's exact demand, "
        f"{lesson.release.demand[t]:.4f}, and a house that does what the models call impossible has no "
        "protection at all."
    )


def _divided(lesson: Lesson, step: Step) -> str:
    """Houses about which every model is certain, but not of the same state."""
    states = all_states(lesson.houses)
    sure = np.array([states[model.possible][0] for model in step.models])  # right for the certain houses
    split = set(np.flatnonzero(sure.min(axis=0) != sure.max(axis=0)).tolist()) - everyone(step)
    if not split:
        return ""
    return (
        f" The models are each certain and disagree about {house_list(sorted(split))}: the rate can tell "
        "which of them is right, and the promise, which holds within each model, does not cover that."
    )


def promise(lesson: Lesson, t: int) -> str:
    """The promise held against this very rate: the likelihoods of all neighbouring states."""
    step = lesson.at(t)
    pairs = sorted({(i, j) for model in step.models for i, j, _ in model.neighbours})
    if not pairs:
        return "There are no neighbouring states, so there is nothing to promise."
    return (
        f"Over all {len(pairs)} neighbouring pairs, this rate is at most {factor(loss(step, pairs))} times "
        "as likely under one state as under its neighbour; the promise allows e^ε = "
        f"{factor(lesson.scenario.epsilon)}."
    )


def factor(log: float) -> str:
    """e to that power."""
    return f"{exp(log):.4g}" if log < LARGE else f"e^{log:.4g}"


def loss(step: Step, pairs: list[tuple[int, int]]) -> float:
    """The largest |ln Pr[r̂|M] − ln Pr[r̂|M′]| over some pairs of states; underflowed ones say nothing."""
    one, other = step.likelihood[[i for i, _ in pairs]], step.likelihood[[j for _, j in pairs]]
    finite = (one > 0) & (other > 0)
    return float(np.abs(np.log(one[finite]) - np.log(other[finite])).max(initial=0.0))


def everyone(step: Step) -> set[int]:
    """The houses protected under some model."""
    return set().union(*(model.protected for model in step.models))


def difference(before: Lesson, after: Lesson, t: int) -> str:
    """What the moves changed at step t."""
    old, new = before.at(t), after.at(t)
    left, joined = sorted(everyone(old) - everyone(new)), sorted(everyone(new) - everyone(old))
    parts = []
    if left:
        parts.append(f"{house_list(left)} left κ")
    if joined:
        parts.append(f"{house_list(joined)} joined κ")
    if not parts:
        parts.append("κ stayed the same")
    if np.isclose(old.scale, new.scale, rtol=1e-12, atol=0.0):
        parts.append(f"the noise keeps its scale {new.scale:.4g}")
    else:
        word = "fell" if new.scale < old.scale else "grew"
        parts.append(f"the noise {word} from scale {old.scale:.4g} to {new.scale:.4g}")
    text = " and ".join(parts)
    return f"Against the street the stage opened on: {text}."

"""Which observer is at work, how far off she is, and what the limit of a promise leaves out, in sentences."""

from math import isfinite

import numpy as np

from rtp.attack import roc
from rtp.attack.joint_filter import MOST
from rtp.attack.judge import DAYS, JUDGED, Judged
from rtp.attack.observer import Knowledge, Posterior
from rtp.attack.success import Attack
from rtp.core.stats import LEVEL_WORDS
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario

KNOWS: dict[Knowledge, str] = {"model": "the model only", "others": "everyone else's consumption"}
MOST_EVER = "it can never be more than ε times the number of houses."
ROUNDING = 1e-9
TOGETHER = (
    "Rates tie the houses of a street together: read with the earlier ones, one rate can tell more than ε."
)


def method_words(
    seen: Posterior, judged: Judged | None = None, epsilon: float = 0.0, *, laws: bool = False
) -> str:
    """Which filter is at work and how far it was measured to be off; `judged`, at a budget, where it is
    approximate. `laws`: whether use is other than uniform, where no exact filter can judge it."""
    if seen.method == "alone":
        return "Her belief is exact: knowing what everyone else used, each house is a chain of its own."
    if seen.method == "joint":
        return "Her belief is exact: it follows from the joint law of all states that the street can be in."
    if laws:
        return (
            "Her belief is approximate: a joint Gaussian of all houses, by the means and variances of their "
            "use. How far off it is, is measured on streets of uniform use only."
        )
    words = f"Beyond {MOST} houses her belief is approximate: a joint Gaussian of all houses."
    if judged is None:
        return words
    at = f" at ε = {epsilon:g}" if REGISTRY[seen.mechanism].adds_noise else ""
    if judged.kept is None:
        found = f"these rates tell next to nothing, and she is off by {judged.off:.1%} on average."
    else:
        found = (
            f"she keeps {judged.kept:.0%} of what the rates give away, and is off by {judged.off:.1%} on "
            "average."
        )
    where = f"on {JUDGED} houses of this kind over {DAYS} days{at}"
    return f"{words} Measured against the exact filter {where}, {found}"


def limit_words(seen: Posterior, scenario: Scenario) -> str:
    """What to know about the band of the promise; empty where there is nothing to add."""
    promised = REGISTRY[seen.mechanism].promised(scenario.epsilon)
    if seen.knows == "others" or not 0 < promised < np.inf:
        return ""
    if seen.method != "joint":
        return f"{TOGETHER} {_how_much_more(scenario)}"
    evidence = np.abs(seen.log_evidence)
    step, column = np.unravel_index(int(evidence.argmax()), evidence.shape)
    return (
        f"{TOGETHER} On this street the most was {_beside(float(evidence.max()), promised)}, about house "
        f"{seen.houses[column]} at {scenario.when(int(step))}; {MOST_EVER}"
    )


def ceiling_words(result: Attack) -> str:
    """What to know about the limit of hits against false alarms."""
    if result.knows == "others":
        return ""
    if result.method != "joint":
        return f"{TOGETHER} {_how_much_more(result.scenario)}"
    largest = {
        name: max(day.largest for day in days)
        for name, days in result.tallies.items()
        if 0 < REGISTRY[name].promised(result.scenario.epsilon) < np.inf
    }
    if not largest:
        return TOGETHER
    name = max(largest, key=largest.__getitem__)
    said = _beside(largest[name], REGISTRY[name].promised(result.scenario.epsilon))
    return f"{TOGETHER} On this street the most was {said}, by a {REGISTRY[name].label} rate; {MOST_EVER}"


def crossing_words(result: Attack) -> str:
    """Which curves of single rates lie above the limit of their promise, and whether that may be luck."""
    within, beyond = [], []
    for name, score in result.scores.items():
        promised, hits = REGISTRY[name].promised(result.scenario.epsilon), score.evidence_roc
        limit = roc.ceiling(promised, roc.FALSE_ALARMS) + ROUNDING
        if not 0 < promised < np.inf or (hits.value <= limit).all():
            continue
        points = int(np.count_nonzero(hits.low > limit))
        if points:
            beyond.append(f"{REGISTRY[name].label} (at {points} of {len(limit)} points)")
        else:
            within.append(REGISTRY[name].label)
    if result.days == 1:
        crossed = ", ".join(within + beyond)
        return (
            f"Above the limit: {crossed}. One day has no interval; more days tell luck from a leak."
            if crossed
            else ""
        )
    told = []
    if within:
        told.append(f"Above the limit, within their intervals, as luck may have it: {', '.join(within)}.")
    if beyond:
        told.append(
            f"Above the limit by more than the {LEVEL_WORDS} interval of the point: {', '.join(beyond)}."
        )
    return " ".join(told)


def _how_much_more(scenario: Scenario) -> str:
    use = " of uniform use" if scenario.has_laws else ""
    return f"How much more is computed exactly on streets of at most {MOST} houses{use}."


def _beside(evidence: float, promised: float) -> str:
    if not isfinite(evidence):
        return "proof"
    return f"{evidence:.3f}, {evidence / promised:.2f} times what is promised"

"""Which observer is at work, how far off she is, and what the limit of a promise leaves out, in sentences."""

from math import isfinite

import numpy as np

from rtp.attacker.joint_filter import MOST
from rtp.attacker.judge import DAYS, JUDGED, Judged
from rtp.attacker.observer import Posterior
from rtp.attacker.success import Attack
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario

TOGETHER = (
    "Rates tie the houses of a street together: read with the earlier ones, one rate can tell more than ε."
)


def method_words(seen: Posterior, judged: Judged | None) -> str:
    """Which filter is at work and how far it was measured to be off; `judged` where it is approximate."""
    if seen.method == "alone":
        return "Her belief is exact: knowing what everyone else used, each house is a chain of its own."
    if seen.method == "joint":
        return "Her belief is exact: it follows from the joint law of all states that the street can be in."
    words = f"Beyond {MOST} houses her belief is approximate: a joint Gaussian of all houses."
    if judged is None:
        return words
    if judged.kept is None:
        return f"{words} These rates tell next to nothing, and she is off by {judged.off:.1%} on average."
    return (
        f"{words} Measured against the exact filter on {JUDGED} houses of this kind over {DAYS} days, she "
        f"keeps {judged.kept:.0%} of what the rates give away, and is off by {judged.off:.1%} on average."
    )


def limit_words(seen: Posterior, scenario: Scenario) -> str:
    """What to know about the band of the promise; empty where there is nothing to add."""
    promised = REGISTRY[seen.mechanism].promised(scenario.epsilon)
    if seen.knows == "others" or not 0 < promised < np.inf:
        return ""
    if seen.method != "joint":
        return f"{TOGETHER} How much more is computed exactly on streets of at most {MOST} houses."
    evidence = np.abs(seen.log_evidence)
    step, column = np.unravel_index(int(evidence.argmax()), evidence.shape)
    return (
        f"{TOGETHER} On this street the most was {_beside(float(evidence.max()), promised)}, about house "
        f"{seen.houses[column]} at {scenario.when(int(step))}."
    )


def ceiling_words(result: Attack) -> str:
    """What to know about the limit of hits against false alarms."""
    if result.knows == "others":
        return ""
    if result.method != "joint":
        return f"{TOGETHER} How much more is computed exactly on streets of at most {MOST} houses."
    largest = {
        name: max(day.largest for day in days)
        for name, days in result.tallies.items()
        if 0 < REGISTRY[name].promised(result.scenario.epsilon) < np.inf
    }
    if not largest:
        return TOGETHER
    name = max(largest, key=largest.__getitem__)
    said = _beside(largest[name], REGISTRY[name].promised(result.scenario.epsilon))
    return f"{TOGETHER} On this street the most was {said}, by a {REGISTRY[name].label} rate."


def _beside(evidence: float, promised: float) -> str:
    if not isfinite(evidence):
        return "proof"
    return f"{evidence:.3f}, {evidence / promised:.2f} times what is promised"

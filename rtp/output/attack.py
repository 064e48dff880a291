"""What an observer's numbers say: how exact she is, how often right, how far beyond the promise."""

from typing import TYPE_CHECKING

import numpy as np

from rtp.attack.adversary import AdversaryKind, Method
from rtp.attack.scores import (
    REFERENCE_DAYS,
    REFERENCE_HOUSES,
    ApproximationError,
    Score,
)
from rtp.attack.success import Attack, Strongest
from rtp.core.formatting import plain
from rtp.core.stats import Estimate
from rtp.mechanisms import REGISTRY
from rtp.street.draw import Street

if TYPE_CHECKING:
    import pandas as pd

KNOWS: dict[AdversaryKind, str] = {
    "outsider": "the model only",
    "insider": "everyone else's consumption",
}
METHODS: dict[Method, str] = {
    "insider": "Her belief is exact: knowing what everyone else used, each house is a chain of its own.",
    "joint": "Her belief is exact: it follows from the joint distribution of all states of the street.",
    "gaussian": "Her belief is approximate: a joint Gaussian of all houses.",
}


def method_words(method: Method, measured: ApproximationError | None = None, epsilon: float = 0.0) -> str:
    """Return which filter is at work and, where it was measured at a budget, how far it is off."""
    if measured is None:
        return METHODS[method]
    keeps = "" if measured.kept is None else f"keeps {measured.kept:.0%} of what the rates reveal and "
    return (
        f"{METHODS[method]} Measured against the exact filter on {REFERENCE_HOUSES} houses of this kind over "
        f"{REFERENCE_DAYS} days at ε = {epsilon:g}, she {keeps}is off by {measured.off:.1%} on average."
    )


def limit_words(method: Method, largest_evidence: float, promised: float) -> str:
    """Return by how much one rate went beyond the promise, read together with earlier ones; empty where it
    cannot."""
    if method == "insider" or not 0 < promised < np.inf:
        return ""
    words = "Read together with the earlier rates, one rate can reveal more than ε about a house."
    if method != "joint":
        return words
    times = plain(largest_evidence / promised)
    return f"{words} Here the most was {plain(largest_evidence)}, {times} times what is promised."


def ceiling_words(result: Attack) -> str:
    """Return what a curve above the promise's limit proves, and what that limit leaves out."""
    promised = {name: REGISTRY[name].promised(result.scenario.epsilon) for name in result.scores}
    limits = {name: limit for name, limit in promised.items() if 0 < limit < np.inf}
    if not limits:
        return ""
    most = max(limits, key=result.largest_evidence.__getitem__)
    words = limit_words(result.method, result.largest_evidence[most], limits[most])
    return f"Days scatter: a curve above its limit proves no breach, the audit does. {words}".strip()


def strongest_words(result: Strongest) -> str:
    """Return how often the strongest attack is right."""
    whose = f"all {result.houses:,} houses" if result.houses > 1 else "this house"
    return (
        "**The strongest attack.** Whoever knows what everyone else used is right from the unprotected rate "
        f"at **{result.right:.1%}** of the moments of {whose}, where the model alone is right at "
        f"{result.alone:.1%}. From a private rate only the noise then hides a house."
    )


def use_words(street: Street, house: int) -> str:
    """Return how much a house uses in either state, on average."""
    (empty, occupied), _ = street.moments(slice(house, house + 1))
    return f"uses {occupied[0]:.3g} on average when occupied and {empty[0]:.3g} when empty"


def scores_frame(result: Attack, curve: str) -> "pd.DataFrame":
    """Return one row per rate, and one for the guess that sees none; the area is that of the curve shown."""
    import pandas as pd

    rows = {REGISTRY[name].label: score for name, score in result.scores.items()}
    rows["The model alone"] = result.model
    return pd.DataFrame({name: _cells(score, result.days, curve) for name, score in rows.items()}).T


def _cells(score: Score, days: int, curve: str) -> dict[str, str]:
    return {
        "Right guesses": _cell(score.accuracy, ".2%", days),
        "Beyond the model": _cell(score.advantage, "+z.2%", days),
        "Area": _cell(score.evidence_auc if curve == "evidence" else score.auc, ".4f", days),
        "Log-loss": _cell(score.log_loss, ".4f", days),
    }


def _cell(estimate: Estimate, form: str, days: int) -> str:
    """The value and, over several days, its interval."""
    text = f"{estimate.value:{form}}"
    return text if days == 1 else f"{text} ({estimate.low:{form}} – {estimate.high:{form}})"

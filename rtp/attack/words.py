"""Which observer is at work, how far off she is, and what the limit of a promise leaves out, in sentences.
And what she makes of one house, with its sentence."""

from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtp.attack.adversary import AdversaryKind, Inference, Posterior, column_of, posterior
from rtp.attack.joint_filter import MAX_JOINT_HOUSES
from rtp.attack.scores import (
    FALSE_ALARMS,
    REFERENCE_DAYS,
    REFERENCE_HOUSES,
    ApproximationError,
    Score,
    roc_ceiling,
)
from rtp.attack.success import Attack, Strongest
from rtp.core.stats import LEVEL_WORDS, Estimate
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.street.draw import Street

if TYPE_CHECKING:
    import pandas as pd

KNOWS: dict[AdversaryKind, str] = {
    "outsider": "the model only",
    "insider": "everyone else's consumption",
}
MOST_EVER = "it can never be more than ε times the number of houses."
CEILING_ROUNDING = 1e-9
TOGETHER = "Read together with the earlier rates, one rate can reveal more than ε about a house."


def method_words(
    seen: Posterior,
    measured: ApproximationError | None = None,
    epsilon: float = 0.0,
    *,
    has_distributions: bool = False,
) -> str:
    """Return which filter is at work and how far it was measured to be off; `measured`, at a budget, where it
    is approximate. `has_distributions`: whether use is other than
    uniform, where no exact filter can judge it."""
    if seen.method == "insider":
        return "Her belief is exact: knowing what everyone else used, each house is a chain of its own."
    if seen.method == "joint":
        return "Her belief is exact: it follows from the joint distribution of all states of the street."
    if has_distributions:
        return (
            "Her belief is approximate: a joint Gaussian of all houses, by the means and variances of their "
            "use. How far off it is, is measured on streets of uniform use only."
        )
    words = f"Beyond {MAX_JOINT_HOUSES} houses her belief is approximate: a joint Gaussian of all houses."
    if measured is None:
        return words
    at = f" at ε = {epsilon:g}" if REGISTRY[seen.mechanism].adds_noise else ""
    if measured.kept is None:
        accuracy = f"these rates reveal next to nothing, and she is off by {measured.off:.1%} on average."
    else:
        accuracy = (
            f"she keeps {measured.kept:.0%} of what the rates reveal, and is off by {measured.off:.1%} on "
            "average."
        )
    where = f"on {REFERENCE_HOUSES} houses of this kind over {REFERENCE_DAYS} days{at}"
    return f"{words} Measured against the exact filter {where}, {accuracy}"


def limit_words(seen: Posterior, scenario: Scenario) -> str:
    """Return what to know about the band of the promise; empty where there is nothing to add."""
    promised = REGISTRY[seen.mechanism].promised(scenario.epsilon)
    if seen.adversary == "insider" or not 0 < promised < np.inf:
        return ""
    if seen.method != "joint":
        return f"{TOGETHER} {_how_much_more(scenario)}"
    evidence = np.abs(seen.log_likelihood_ratio)
    step, column = np.unravel_index(int(evidence.argmax()), evidence.shape)
    return (
        f"{TOGETHER} On this street the most was {_beside(float(evidence.max()), promised)}, about "
        f"{scenario.house(int(seen.houses[column]))} at {scenario.when(int(step))}; {MOST_EVER}"
    )


class Watching(NamedTuple):
    """What she makes of one house, and how far the rates move her beliefs about all she follows."""

    seen: Posterior  # of the one house
    houses: int  # that she follows
    mean_exposure: float
    limits: str  # what to know of the promise's limits on this street


def watch_house(
    day: Day,
    mechanism: str,
    adversary: AdversaryKind,
    house: int | None,
    inference: Inference,
    model: str | None,
    followed: int | None,
) -> Watching:
    """Return what she makes of a house, without one the most exposed; she follows one house or all."""
    seen = posterior(day, mechanism, adversary=adversary, inference=inference, house=followed, model=model)
    alone = seen.only(column_of(seen, house))
    return Watching(alone, len(seen.houses), float(seen.exposure.mean()), limit_words(seen, day.scenario))


def ceiling_words(result: Attack) -> str:
    """Return what to know about the limit of hits against false alarms."""
    if result.adversary == "insider":
        return ""
    if result.method != "joint":
        return f"{TOGETHER} {_how_much_more(result.scenario)}"
    largest = {
        name: max(day.largest for day in days)
        for name, days in result.binned.items()
        if 0 < REGISTRY[name].promised(result.scenario.epsilon) < np.inf
    }
    if not largest:
        return TOGETHER
    name = max(largest, key=largest.__getitem__)
    amount = _beside(largest[name], REGISTRY[name].promised(result.scenario.epsilon))
    return f"{TOGETHER} On this street the most was {amount}, by a {REGISTRY[name].label} rate; {MOST_EVER}"


def crossing_words(result: Attack) -> str:
    """Return which curves of single rates lie above their promise's limit, and whether that may be chance."""
    within, beyond = [], []
    for name, score in result.scores.items():
        promised, hits = REGISTRY[name].promised(result.scenario.epsilon), score.evidence_roc
        limit = roc_ceiling(promised, FALSE_ALARMS) + CEILING_ROUNDING
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
            f"Above the limit on this day: {crossed}. One day scatters around its average, so this proves no "
            "breach. The audit checks the promise exactly."
            if crossed
            else ""
        )
    sentences = []
    if within:
        sentences.append(
            f"Above the limit, within their {LEVEL_WORDS} intervals: {', '.join(within)}. This proves no "
            "breach."
        )
    if beyond:
        sentences.append(
            f"Above the limit by more than the {LEVEL_WORDS} interval of the point: {', '.join(beyond)}. The "
            "audit checks the promise exactly."
        )
    return " ".join(sentences)


def _how_much_more(scenario: Scenario) -> str:
    use = " of uniform use" if scenario.has_laws else ""
    return f"How much more is computed exactly on streets of at most {MAX_JOINT_HOUSES} houses{use}."


def _beside(evidence: float, promised: float) -> str:
    if not isfinite(evidence):
        return "proof"
    return f"{evidence:.3f}, {evidence / promised:.2f} times what is promised"


IF_INSIDER = "If she knew what everyone else used, she would be"


def strongest_words(result: Strongest, chosen: bool) -> str:
    """Return how the strongest attack does: announced before it is chosen, and stated once it is."""
    whose = f"all {result.houses:,} houses" if result.houses > 1 else "this house"
    begin = "She knows what everyone else used, and is" if chosen else IF_INSIDER
    return (
        f"**The strongest attack.** {begin} right from the unprotected rate at **{result.right:.1%}** of the "
        f"moments of {whose}, where the model alone is right at {result.alone:.1%}. From a private rate "
        "only the noise then hides a house."
    )


def use_words(street: Street, house: int) -> str:
    """Return how much a house uses in either state: at most, or on average by its distribution."""
    if street.distributions is None:
        most = street.occupied_bound[house], street.empty_bound[house]
        return f"uses up to {most[0]:.3g} when occupied and {most[1]:.3g} when empty"
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

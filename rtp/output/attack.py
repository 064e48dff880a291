"""What an observer's numbers say: how exact she is, how often right, how far beyond the promise."""

import numpy as np

from rtp.attack.adversary import AdversaryKind, Inference, Method, Posterior
from rtp.attack.scores import REFERENCE_DAYS, REFERENCE_HOUSES, ApproximationError
from rtp.attack.success import moment_summary
from rtp.core.formatting import in_markdown, percent, plain, whole_percent
from rtp.core.types import Bools
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day
from rtp.street.draw import Street

KNOWS: dict[AdversaryKind, str] = {
    "outsider": "the habits",
    "insider": "others' use, too",
}
USES: dict[Inference, str] = {"filtering": "past rates", "smoothing": "the full day"}
METHODS: dict[Method, str] = {
    "insider": "Her belief is exact: knowing what everyone else used, each house is a chain of its own.",
    "joint": "Her belief is exact: it follows from the joint distribution of all states of the street.",
    "gaussian": "Her belief is approximate: a joint Gaussian of all houses.",
}


def method_words(method: Method, measured: ApproximationError | None = None, epsilon: float = 0.0) -> str:
    """Return which filter is at work and, where it was measured at a budget, how far it is off."""
    if measured is None:
        return METHODS[method]
    keeps = (
        "" if measured.kept is None else f"keeps {percent(measured.kept, 2)} of what the rates reveal and "
    )
    return (
        f"{METHODS[method]} Measured against the exact filter on {REFERENCE_HOUSES} houses of this kind over "
        f"{REFERENCE_DAYS} days at ε = {epsilon:g}, she {keeps}is off by {percent(measured.off)} on average."
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


def belief_words(day: Day, pair: tuple[Posterior, Posterior], occupied: Bools, step: int) -> str:
    """Return the truth of one house at a step, and what she believes by the optimal rate, by a private one
    and by habits alone. `pair` has that one house alone."""
    optimal, private = (moment_summary(seen, 0, occupied, step) for seen in pair)
    house = day.scenario.house(int(pair[0].houses[0]))
    return (
        f"At {day.scenario.when(step)} {house} is **{'occupied' if optimal.occupied else 'empty'}**. Her "
        f"belief that it is occupied: **{whole_percent(optimal.belief)}** by the optimal rate, "
        f"**{whole_percent(private.belief)}** by {REGISTRY[pair[1].mechanism].label}, "
        f"{whole_percent(optimal.model_alone)} by habits alone, which are right "
        f"{whole_percent(optimal.right_alone)} of the time so far."
    )


def house_words(day: Day, seen: Posterior, everyone: Posterior) -> str:
    """Return what a house uses, and how far the rates shift her belief about it and about all she follows."""
    scenario, house = day.scenario, int(seen.houses[0])
    group = in_markdown(scenario.groups[day.street.group[house]].name)
    followed = len(everyone.houses)
    others = f"; over all {followed:,} houses by {percent(float(everyone.exposure.mean()))}"
    believed = f" She believes the model **{in_markdown(seen.model)}**." if len(scenario.models) > 1 else ""
    return (
        f"**{scenario.house(house, capital=True)}** ({group}) {use_words(day.street, house)}. The "
        f"{REGISTRY[seen.mechanism].label} rates shift her belief by {percent(seen.exposure[0])} on average"
        f"{others if followed > 1 else ''}.{believed}"
    )


def use_words(street: Street, house: int) -> str:
    """Return how much a house uses in either state, on average."""
    (empty, occupied), _ = street.moments(slice(house, house + 1))
    return f"uses {occupied[0]:.3g} on average when occupied and {empty[0]:.3g} when empty"

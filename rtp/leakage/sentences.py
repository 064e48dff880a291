"""What the numbers of `rtp.leakage` mean, in sentences built from them."""

from math import exp, isinf
from typing import TYPE_CHECKING

from rtp.attack.observer import Knowledge
from rtp.core.formatting import percent, plain
from rtp.leakage.moment import Moment
from rtp.leakage.overview import Overview, word
from rtp.leakage.street_crowd import NoiseBySize
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd

WHO: dict[Knowledge, str] = {
    "others": "an insider, who knows what everyone else used",
    "model": "an outsider, who knows the habits only",
}
TITLES: dict[Knowledge, str] = {"others": "Insider", "model": "Outsider"}
SECRET_WORDS = {
    "moment": "One moment: at home at {when}?",
    "holiday": "A holiday of a week",
    "history": "A whole day: always at home, or never?",
}


def surest(leak: float) -> str:
    """What an even guess can become."""
    if isinf(leak):
        return "a certainty"
    return f"at most {percent(1 / (1 + exp(-min(leak, 700.0))), 6 if leak > 4 else 4)}"


def moment_words(day: Day, found: Moment) -> str:
    """The worst moment beside what the promise of single rates adds up to."""
    label = REGISTRY[found.mechanism].label
    if found.worst == 0:
        return f"From the {label} rates nobody learns anything about any moment."
    at = day.scenario.when(found.step)
    return (
        f"From the {label} rates the worst moment is **{at}** of house {found.house[found.step]}: all rates "
        f"together can shift its log-odds by **{plain(found.worst)}**, so that an even guess becomes "
        f"{surest(found.worst)}; the rates up to any moment by {plain(float(found.so_far.max()))}. "
        f"Theorem 2 allows ε·T = {plain(found.theorem_2)}."
    )


def crowd_words(found: NoiseBySize) -> str:
    """Who is hidden by whom, and from whom not."""
    promise = f"(ε, δ) = ({plain(found.epsilon)}, {plain(found.delta)})"
    enough = (
        f"Among {found.enough:,} houses the crowd alone gives {promise}."
        if found.enough is not None
        else f"No street of up to {int(found.sizes[-1]):,} houses gives {promise} without noise."
    )
    return (
        f"{enough} That holds against outsiders, in one rate: whoever knows what the others used sees no "
        f"crowd, and needs to be met with noise of scale {plain(found.insider)} at any size."
    )


def overview_frame(scenario: Scenario, found: Overview) -> "pd.DataFrame":
    """A row for each secret, a column for each observer: how often she is right, and the word for it."""
    import pandas as pd

    rows = {
        words.format(when=scenario.when(found.step)): {
            title: f"{percent(found.found[name, knows].value, 2)}, {word(found.found[name, knows].value)}"
            for knows, title in TITLES.items()
        }
        for name, words in SECRET_WORDS.items()
    }
    return pd.DataFrame(rows).T

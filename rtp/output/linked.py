"""Linked houses in words: what three ways to add noise protect, let an observer learn, and cost."""

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING

from rtp.core.formatting import percent, plain
from rtp.output.algorithm import factor_text
from rtp.teaching.lines import house_list
from rtp.teaching.linked import SURE_BELIEF, LinkedDay, Noise, pair_of, sure_by_habits
from rtp.teaching.stage import Stage

if TYPE_CHECKING:
    import pandas as pd

NOBODY = "Here no two houses are uncertain, so there is nothing to link. Choose another preset."
EXPERIMENTS_OFF = "Experiments are about independent houses: switch off *come and go together* first."
NOISE_NAMES: Mapping[Noise, str] = {
    "told": "Algorithm 1, told of it",
    "not told": "Algorithm 1, not told",
    "both": "Noise for both together",
}


def question(street: Stage) -> str:
    """What the switch supposes."""
    both = house_list(street.scenario, sorted(pair_of(street) or ()))
    return (
        f"Suppose everybody knows that {both} always come and go together, like a flat and its "
        "workshop. Whom does Algorithm 1 protect then?"
    )


def linked_frame(days: Mapping[Noise, LinkedDay], t: int) -> "pd.DataFrame":
    """Return what each way to add noise does at step t, and over the day, one row each."""
    import pandas as pd

    rows = {
        NOISE_NAMES[noise]: {
            "Noise scale": plain(float(day.scale[t])),
            "One rate favours “both in” by up to": odds(float(day.loss[t])),
            f"Observer at least {percent(SURE_BELIEF)} sure": f"{day.sure} of {len(day.belief)} steps",
            "RMSRE, on average": percent(day.error),
        }
        for noise, day in days.items()
    }
    return pd.DataFrame(rows).T


def odds(loss: float) -> str:
    """Return by which factor a rate may move the odds."""
    return f"{factor_text(loss)} : 1" if isfinite(loss) else "any odds: proof"


def linked_words(stage: Stage, days: Mapping[Noise, LinkedDay], t: int) -> str:
    """Return what the table means at step t."""
    linked, both = sorted(stage.linked or ()), days["both"]
    if not both.loss[t]:
        return "Now every model is certain about both: there is nothing to hide."
    alone = f"Habits alone make an observer so sure at {sure_by_habits(stage)}."
    bounds = " + ".join(plain(float(stage.street.bound[house])) for house in linked)
    times = plain(float(both.scale[t] / days["not told"].scale[t]))
    return (
        f"The promise allows {odds(stage.scenario.epsilon)}. Noise for both together is made for the sum of "
        f"their bounds, {bounds}: it keeps the promise, with {times} times the noise that Algorithm 1 adds "
        f"when it is not told. {alone}"
    )

"""What is said of an observer at one house of the feeder: a table, and what she is judged by."""

from typing import TYPE_CHECKING

from rtp.attack.adversary import AdversaryKind
from rtp.core.formatting import percent, plain
from rtp.leakage.words import WHO, surest
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.meters.watching import Watched

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("Rate", "She is right at", "Beyond the model", "Spent in a step, at most", "Worst moment")
WORST_MEANS = (
    "Spent: what a rate leaves an insider to learn about this house, in the unit of ε. Worst moment: the "
    "most that all rates together shift the log-odds of one moment of it."
)


def watched_frame(found: Watched) -> "pd.DataFrame":
    """One row per rate, and one for the guess that sees none."""
    import pandas as pd

    rows = []
    for name, score in found.attack.scores.items():
        rows.append(
            (
                REGISTRY[name].label,
                percent(float(score.accuracy.value), 3),
                f"{score.advantage.value:+z.1%}",
                plain(float(found.spent[name].max())),
                plain(found.leak[name].worst),
            )
        )
    alone = percent(float(found.attack.model.accuracy.value), 3)
    rows.append(("The model alone", alone, f"{0:+z.1%}", plain(0.0), plain(0.0)))
    return pd.DataFrame(rows, columns=list(COLUMNS)).set_index(COLUMNS[0])


def watched_words(found: Watched) -> str:
    """Who watches whom, by what she is judged, and what comes of it."""
    adversary: AdversaryKind = next(iter(found.seen.values())).adversary
    judged = (
        "She is judged by the occupancy that the readings give."
        if found.given
        else "Nobody knows who was at home: she is judged by **a guess**, the likelier state given all "
        "readings of the house's day."
    )
    words = f"**{found.name}**, watched by {WHO[adversary]}. {judged}"
    exact = found.attack.scores.get(UNPROTECTED)
    if exact is None:
        return words
    words += f" From the unprotected rates she is right at **{percent(float(exact.accuracy.value), 3)}**"
    words += f" of the moments, by the model alone at {percent(float(found.attack.model.accuracy.value), 3)}."
    private = {name: leak for name, leak in found.leak.items() if REGISTRY[name].adds_noise}
    if private:
        name = max(private, key=lambda each: private[each].worst)
        words += (
            f" From the private rates shown, an even guess about one moment becomes "
            f"{surest(private[name].worst)} to an insider ({REGISTRY[name].label})."
        )
    return words

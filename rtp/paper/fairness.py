"""In fairness to the paper: who wrote it, what its authors say against it themselves, and where they win."""

from typing import NamedTuple

from rtp.core.formatting import percent
from rtp.mechanisms import FEATURED, YARDSTICK
from rtp.paper.published import ADDRESS, AUTHORS, TITLE, WHERE
from rtp.scenario import PRESETS
from rtp.simulation import simulate

CITATION = f"[{TITLE}]({ADDRESS}) is by {AUTHORS}: {WHERE}."
# What the authors say themselves, in our words, and in which section.
CAVEATS = (
    "They call the chances to leave, come home, sleep and wake guesses, and the data are synthetic "
    "(Section IV).",
    "The set of models Θ holds a single one, for simplicity (Section IV).",
    "Houses are taken to consume independently of each other, and the tariff is scaled for simplicity "
    "(Sections II and IV).",
    "They claim noise that is never larger than the alternative's and can be smaller, not that it always is "
    "(Section V).",
    "They call both errors, naive and Blowfish, low beside the range of the rates (Section IV).",
    "Privacy fades in proportion to the number of rates; they name a slower fading as their work to come "
    "(Theorem 2 and Section V).",
)
WINS = "mansions"  # a preset on which dropping houses pays


class Win(NamedTuple):
    """A street on which Algorithm 1 has somebody to drop."""

    preset: str
    naive: float  # expected error of a typical step
    blowfish: float
    dropping: int  # steps in which houses are dropped
    steps: int


def win(preset: str = WINS) -> Win:
    scenario = PRESETS[preset]
    release = simulate(scenario).release
    dropping = release[FEATURED].protected < scenario.households
    return Win(
        preset,
        release[YARDSTICK].expected_error,
        release[FEATURED].expected_error,
        int(dropping.sum()),
        scenario.steps,
    )


def win_words(found: Win) -> str:
    return (
        "**Where Blowfish wins.** The paper's street leaves Algorithm 1 nobody to drop; its idea shows where "
        f"habits make houses certain. On “{found.preset.capitalize()}” it drops houses in {found.dropping} "
        f"of {found.steps} steps, and the same promise costs an error of {percent(found.blowfish)} where the "
        f"naive mechanism's is {percent(found.naive)}, {found.naive / found.blowfish:.1f} times as much, "
        "luck removed."
    )

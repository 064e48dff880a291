"""What the paper itself reports, to hold ours against.

M. GhoddousiBoroujeni, D. Fay, C. Dimitrakakis, M. Kamgarpour, "Privacy of Real-Time Pricing in Smart Grid",
IEEE CDC 2019; all numbers are from its Section IV, Simulation, as printed there.
`data/figure2_digitised.csv` holds its Figures 2a and 2b, read off the picture, one row per step.

*How far off a reading may be.* No curve is read surer than a line is thick. The paper sets the panels of
Figure 2 side by side, each 0.3 of the text's width: 2.1 of 7 inches, or 152 points, with its labels. So each
of the 96 steps is at most 1.6 points wide, and a thin line, LaTeX's usual one of 0.4 points, is a quarter of
a step: `READING_STEPS`, to either side. It matters only where a curve is steep, as between 07:00 and 08:15.
The readings bear it out: at 07:00 the street is still as the night left it, by the definition of A^t, and of
the rise to 07:15 they show 0.12 (2a) and 0.23 (2b) already.
"""

from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rtp.core.types import Floats

TITLE = "Privacy of Real-Time Pricing in Smart Grid"
AUTHORS = "Mahrokh GhoddousiBoroujeni, Dominik Fay, Christos Dimitrakakis and Maryam Kamgarpour"
WHERE = "58th IEEE Conference on Decision and Control (CDC 2019), pages 5162–5167"
ADDRESS = "https://arxiv.org/abs/1912.08523"  # the authors' own copy, free to read


class Printed(NamedTuple):
    """A number as printed: its text, its value, and half a unit of its last digit."""

    text: str
    value: float
    half_unit: float


def printed(text: str) -> Printed:
    """Read '1.089e-3', '96' or '5.5 %'."""
    number, _, percent = text.partition(" ")
    exact = Decimal(number).scaleb(-2 if percent else 0)
    return Printed(text, float(exact), 0.5 * 10.0 ** int(exact.as_tuple().exponent))


BLOWFISH = printed("1.089e-3")
NAIVE = printed("1.149e-3")
EXCESS = printed("5.5 %")  # the naive error, "which is 5.5 % more"
BLOWFISH_RMSRE, NAIVE_RMSRE, NAIVE_EXCESS = BLOWFISH.value, NAIVE.value, EXCESS.value

# Pr[(leave or go to sleep, come home or get up) "at some point during" each period]
PERIOD_PROBABILITIES = {
    "Morning": (printed("5 %"), printed("98 %")),
    "Noon": (printed("95 %"), printed("5 %")),
    "Evening": (printed("5 %"), printed("99 %")),
    "Night": (printed("99.5 %"), printed("1 %")),
}
# The full hour at which each period starts.
PERIOD_STARTS = {
    "Morning": printed("7"),
    "Noon": printed("8"),
    "Evening": printed("16"),
    "Night": printed("23"),
}

HOUSEHOLDS = printed("1000")
STEPS = printed("96")
HOURS_SIMULATED = printed("24")
STEPS_AN_HOUR = printed("4")
MODEL_COUNT = printed("1")  # "Θ is assumed to be a single model"
MATRICES = printed("4")
OCCUPIED_MAX = printed("1")
EMPTY_MAX = printed("0.5")
EPSILON = printed("0.5")
ALPHA = printed("1")
BETA = printed("62.5")


READING_STEPS = 0.25  # the error of a reading off the picture: a thin line's width, under four minutes


@lru_cache(maxsize=1)
def figure2() -> tuple[Floats, Floats, Floats]:
    """(hour, mean occupancy, mean consumption), each (96,)."""
    path = Path(__file__).parent / "data" / "figure2_digitised.csv"
    hour, occupancy, consumption = np.loadtxt(path, delimiter=",", skiprows=1, unpack=True)
    return hour, occupancy, consumption

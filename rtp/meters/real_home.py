"""A real home to try the lab with: its readings, and when its family said that somebody was in.

Household 2 of the ECO data set (`data/README.md` says whose it is), 71 days of the summer of 2012 in quarters
of an hour. What is learned from it is learned from the readings; the labels judge.
"""

from pathlib import Path

from rtp.meters.reading import read
from rtp.meters.readings import Readings

HOME_NAME = "A real home, summer 2012"
SOURCE = (
    "ECO data set, household 2, ETH Zurich (Beckel et al., BuildSys 2014; Kleiminger et al., UbiComp 2015), "
    "resampled to 15 minutes."
)
LICENCE, LICENCE_ADDRESS = "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"
NAMED = f"**{HOME_NAME}.** {SOURCE} Licence: {LICENCE}."
FILE = Path(__file__).parent / "data" / "household2_plugs_15min.csv"


def text() -> str:
    """The file, which begins with its source and licence."""
    return FILE.read_text(encoding="utf-8")


def real_home() -> Readings:
    """The home's readings, with its labels: 1 somebody was in, 0 nobody, −1 the family did not say."""
    return read(FILE)

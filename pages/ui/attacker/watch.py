"""What she makes of every house, or of one where the street is too long to wait for."""

from functools import partial
from typing import TYPE_CHECKING

from pages.ui.attacker.controls import Watched, follows_all
from pages.ui.cached import kept
from pages.ui.show import csv
from rtp.arrays import Bools
from rtp.attacker.characteristic import Tables
from rtp.attacker.choice import largest_gap
from rtp.attacker.observer import Posterior, posterior
from rtp.simulation import Day, life_key
from rtp.street.days import households

if TYPE_CHECKING:
    import pandas as pd


def watch(day: Day, watched: Watched) -> Posterior:
    rate, knows, house = watched
    if follows_all(day.scenario):
        house = None
    else:
        knows, house = "others", largest_gap(day.street) if house is None else house
    key = f"{day.scenario.to_json(None)} {rate} {knows} {house}"
    tables = kept(
        "tables", life_key(day.scenario), partial(Tables, day.street.occupied_bound, day.street.empty_bound)
    )
    return kept("posterior", key, partial(posterior, day, rate, knows=knows, house=house, tables=tables))


def truth(day: Day, seen: Posterior) -> Bools:
    """(T, n): which of the houses she follows were occupied when."""
    return households(day.life.spec, day.street, seen.houses.tolist())[0]


def download(day: Day, watched: Watched) -> None:
    csv(
        "Beliefs as CSV",
        partial(_frame, day, watched),
        "beliefs.csv",
        help="Every house she follows, every step: truth, the model alone, her belief, the evidence.",
    )


def _frame(day: Day, watched: Watched) -> "pd.DataFrame":
    """Her beliefs are looked up, or made again: kept for every open page they would fill the memory."""
    seen = watch(day, watched)
    return seen.frame(truth(day, seen))

"""Exposure: how well an observer of the published rates tells a secret, computed once, for the worst house.

The measure is the area under the ROC curve: of two records, one of either answer, she names the right one so
often; one half is a coin, whatever the habits. It depends on the width of the noise alone, so it is a curve
over widths, and every ε and mechanism reads from it.
"""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from rtp.core.stats import Range
from rtp.core.workers import Progress
from rtp.exposure.result import HIDDEN, VISIBLE, Exposure, Worst
from rtp.exposure.search import Search, chosen_widths
from rtp.exposure.secrets import Record, Secret, records
from rtp.scenario import Scenario, must_be_one_of

Observer = Literal["outsider", "insider"]

__all__ = ["HIDDEN", "VISIBLE", "Exposure", "Observer", "Range", "Secret", "Worst", "exposure"]


def exposure(
    scenario: Scenario,
    secret: Secret = "moment",
    observer: Observer = "outsider",
    *,
    rarest: float = 0.05,
    group: str | None = None,
    houses: Sequence[int] | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Exposure:
    """Return how well she tells the secret of the worst house, by the width of the noise."""
    must_be_one_of("secret", secret, get_args(Secret))
    must_be_one_of("observer", observer, get_args(Observer))
    must_be_one_of("group", group, [None, *(g.name for g in scenario.groups)])
    found = records(scenario, secret, scenario.seed if seed is None else seed)
    open_to = []
    for record in found:
        possible = (
            record.open_moments(rarest) if secret == "moment" else (record.occupied.max(axis=0) > 0)[None]
        )
        wanted = np.ones(len(record.houses), dtype=bool)
        if group is not None:
            wanted &= record.street.group[record.houses] == [g.name for g in scenario.groups].index(group)
        if houses is not None:
            wanted &= np.isin(record.houses, houses)
        open_to.append(possible & wanted)
    curves = {}
    if any(each.any() for each in open_to):
        outsider = observer == "outsider"
        widths = chosen_widths(found, open_to, outsider)
        search = Search(found, open_to, outsider, widths, cut_of(found[0]))
        curves = {scenario.groups[g].name: curve for g, curve in search.curves(progress).items()}
    return Exposure(secret=secret, observer=observer, curves=curves, records=tuple(found))


def cut_of(record: Record) -> tuple[float, float]:
    """Return the readings at which rates are cut, in the unit of consumption."""
    tariff = record.market.tariff
    low, high = (
        limit if np.isinf(limit) else float(tariff.demand(np.array(limit))) for limit in tariff.limits
    )
    return low, high

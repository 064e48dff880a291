"""Exposure: how well an observer of the published rates tells a secret, computed once, for the worst house.

The measure is the area under the ROC curve: of two records, one of either answer, she names the right one so
often; one half is a coin, whatever the habits. It depends on the width of the noise alone, so it is a curve
over widths, and every ε and mechanism reads from it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

from rtp.core.stats import Range
from rtp.core.workers import Progress
from rtp.exposure.measure import MAX_COUNTED
from rtp.exposure.result import HIDDEN, VISIBLE, Exposure, Worst, cut_of, hidden
from rtp.exposure.search import Curve, Search
from rtp.exposure.secrets import Secret, of_day, records
from rtp.scenario import Scenario, must_be_house, must_be_one_of
from rtp.simulation import Day

Observer = Literal["outsider", "insider"]

__all__ = ["HIDDEN", "VISIBLE", "Exposure", "Observer", "Range", "Secret", "Worst", "exposure", "hidden"]


def exposure(
    scenario: Scenario,
    secret: Secret = "moment",
    observer: Observer = "outsider",
    *,
    rarest: float = 0.05,
    group: str | None = None,
    houses: Sequence[int] | None = None,
    seed: int | None = None,
    day: Day | None = None,
    progress: Progress | None = None,
) -> Exposure:
    """Return how well an observer tells a secret of the worst house.

    Parameters
    ----------
    scenario : Scenario
        The street. Neither its ε nor its mechanisms matter: they choose where the result is read.
    secret : {"moment", "day", "week"}
        Whether a house is occupied at one step of a day; whether it is empty for a day, or for a week.
    observer : {"outsider", "insider"}
        One who knows habits, bounds and tariff, and sees all rates of the days in question; or one who also
        knows what every other house used.
    rarest : float
        A moment counts where either answer is at least so likely by habits. With 0 every possible one counts.
    group : str, optional
        Only the houses of this group.
    houses : sequence of int, optional
        Only these, counted from 0.
    seed : int, optional
        Of the days that are drawn, other than the scenario's.
    day : Day, optional
        One that was not drawn, whose street is taken as it is; the secret is not of a week.
    progress : callable, optional
        Called with the share that is done.

    Returns
    -------
    Exposure
        How often she names the right one of two records, one of either answer. One half is a coin.

    Examples
    --------
    >>> import rtp
    >>> found = rtp.exposure(rtp.PRESETS["tiny street"], houses=[0, 1])
    >>> found.at("optimal").value > found.at("blowfish", 0.5).value > found.at("blowfish", 0.01).value
    True
    >>> found.exact, found.house in (0, 1)
    (True, True)
    """
    must_be_one_of("secret", secret, get_args(Secret))
    must_be_one_of("observer", observer, get_args(Observer))
    names = [g.name for g in scenario.groups]
    must_be_one_of("group", group, [None, *names])
    for house in houses or ():
        must_be_house("houses", house, scenario.households)
    asked = None if houses is None else tuple(sorted(set(houses)))
    own = scenario.seed if seed is None else seed
    found = records(scenario, secret, own, asked) if day is None else [of_day(day, secret, own, asked)]
    open_to = []
    for record in found:
        possible = record.open_to(rarest)
        if group is not None:
            possible &= record.street.group[record.houses] == names.index(group)
        open_to.append(possible)
    whole = Exposure(
        secret=secret, observer=observer, curves={}, records=tuple(found), open_to=tuple(open_to)
    )
    if not any(each.any() for each in open_to):
        return whole

    def curves(who: Observer, report: Progress | None) -> dict[str, Curve]:
        each = Search(found, open_to, who == "outsider", cut_of(found[0])).curves(report)
        return {names[g]: curve for g, curve in each.items()}

    insider = None
    if observer == "outsider" and scenario.households <= MAX_COUNTED:
        insider = replace(whole, observer="insider", curves=curves("insider", None))
    return replace(whole, curves=curves(observer, progress), insider=insider)

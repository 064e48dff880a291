"""The requirement: what must stay hidden, of whom and from whom, which error is acceptable, and on which
street.

Either of secret and error may be left open. What must stay hidden from both observers must stay hidden from
an insider: no outsider tells more.

The street is the one that is described, not the one that a seed has drawn. Where houses are not listed, those
of a group are spread evenly over its bounds, and who can use most when occupied uses least when empty: the
house that shows best among all that the description allows is there. So two seeds have the same answer.
"""

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from rtp.exposure import Exposure, Observer, Secret
from rtp.scenario import Bounds, House, Scenario, ScenarioError, edit, must_be_one_of, must_be_within
from rtp.scenario.validation import valid_names
from rtp.street.draw import group_sizes
from rtp.tradeoff.curves import TARGETS

From = Literal["outsider", "insider", "both"]
OBSERVERS: tuple[Observer, ...] = get_args(Observer)
FROM: tuple[From, ...] = get_args(From)
INSIDER: Observer = "insider"
SECRETS: dict[Secret, str] = {"moment": "one moment", "day": "a day away", "week": "a week away"}
ASK = "say what must stay hidden, or which error is acceptable."
RAREST = Bounds(0.0, 0.5, "How likely either answer is at least")
SHOWN: Secret = "week"  # what the frontier is about where nothing must stay hidden
STREET_SEED = 2019
MOST_LISTED = 2_000  # houses; of more, one draw is much like another


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What an answer must satisfy. One of secret and error may be left open.

    Parameters
    ----------
    secret : {"moment", "day", "week"} or None
        What must stay hidden; None: left open.
    observer : {"outsider", "insider", "both"}
        From whom: one who knows the model only, one who knows everybody else's use, or both of them.
    groups : tuple of str
        Whose secret it is; none named: every group's.
    error : float or None
        The percentage of the rate that a typical step may be off; None: left open.
    rarest : float
        A moment is a secret where habits make either answer at least so likely; 0: where either is possible.

    Examples
    --------
    >>> from rtp.decision import Wish
    >>> Wish(secret="week", error=5.0).is_open
    False
    """

    secret: Secret | None = None  # that must stay hidden; None: left open
    observer: From = "outsider"
    groups: tuple[str, ...] = ()  # whose secret it is; none named: every group's
    error: float | None = None  # percent of the rate in a typical step; None: left open
    rarest: float = 0.05  # a moment is a secret where either answer is so likely

    @property
    def is_open(self) -> bool:
        """Whether nothing is asked for."""
        return self.secret is None and self.error is None

    @property
    def shown(self) -> Secret:
        """The secret that exposure is about."""
        return self.secret or SHOWN

    @property
    def judge(self) -> Observer:
        """The observer from whom it must stay hidden; of both the one who tells more."""
        return "outsider" if self.observer == "outsider" else INSIDER

    @property
    def observers(self) -> tuple[Observer, ...]:
        """Whose exposure is found: the judge's first. What an insider tells always stands beside."""
        return (INSIDER,) if self.observer == INSIDER else tuple(dict.fromkeys([self.judge, *OBSERVERS]))

    def check(self, scenario: Scenario) -> None:
        """Refuse what cannot be asked of this street."""
        if self.secret is not None:
            must_be_one_of("hide", self.secret, SECRETS)
        must_be_one_of("from", self.observer, FROM)
        for name in self.groups:
            must_be_one_of("group", name, [group.name for group in scenario.groups])
        if self.error is not None:
            must_be_within("accepted error", self.error, TARGETS)
        must_be_within("rarest", self.rarest, RAREST)
        if self.is_open:
            raise ScenarioError("hide", f"and accepted error are both left open; {ASK}")

    def asked(self, found: Exposure) -> Exposure:
        """Return the exposure of the groups whose secret it is, of what was found for all of them."""
        mine = {name: curve for name, curve in found.curves.items() if name in (self.groups or found.curves)}
        return replace(found, curves=mine)

    @property
    def group(self) -> str | None:
        """The only group whose secret it is; None where there are several."""
        return self.groups[0] if len(self.groups) == 1 else None


def described_street(scenario: Scenario) -> Scenario:
    """Return the scenario on the street of its description, for a day, whatever its seed and its ε."""
    fixed = scenario.replace(seed=STREET_SEED, epsilon=1.0, days=1)
    if scenario.houses is not None or scenario.households > MOST_LISTED:
        return fixed
    sizes = group_sizes([group.share for group in scenario.groups], scenario.households)
    named: list[tuple[str, str]] = []
    bounds: list[tuple[float, float]] = []
    for group, size in zip(scenario.groups, sizes, strict=True):
        named += [(group.name, f"house {number} of {group.name}") for number in range(1, size + 1)]
        peaks = np.linspace(group.occupied_max, group.occupied_min, size)
        bounds += zip(
            peaks.tolist(), np.linspace(group.empty_min, group.empty_max, size).tolist(), strict=True
        )
    names = valid_names([name for _, name in named])
    houses = [
        House(name=name, group=group, occupied=occupied, empty=empty)
        for name, (group, _), (occupied, empty) in zip(names, named, bounds, strict=True)
    ]
    return edit.with_houses(fixed, houses)

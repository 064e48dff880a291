"""The requirement: what must stay hidden, of whom and from whom, which error is acceptable, and on which
street.

Either of secret and error may be left open. What is left open is made as small as the other allows.

The street is the one that is described, not the one that a seed has drawn. Where houses are not listed, those
of a group are spread evenly over its bounds, and who can use most when occupied uses least when empty: the
house that shows best among all that the description allows is there. So two seeds have the same answer.
"""

from dataclasses import dataclass
from itertools import count
from typing import Literal, get_args

import numpy as np

from rtp.attack.adversary import AdversaryKind
from rtp.scenario import House, Scenario, ScenarioError, edit, must_be_one_of, must_be_within
from rtp.street.draw import group_sizes
from rtp.tradeoff.curves import TARGETS

Secret = Literal["moment", "day", "week"]
SECRETS: dict[Secret, str] = {"moment": "one moment", "day": "a day away", "week": "a week away"}
ASK = "say what must stay hidden, or which error is acceptable."
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
    observer : {"outsider", "insider"}
        From whom: one who knows the model only, or who knows everybody else's use.
    groups : tuple of str
        Whose secret it is; none named: every group's.
    error : float or None
        The percentage of the rate that a typical step may be off; None: left open.

    Examples
    --------
    >>> from rtp.decision import Wish
    >>> Wish(secret="week", error=5.0).is_open
    False
    """

    secret: Secret | None = None  # that must stay hidden; None: left open
    observer: AdversaryKind = "outsider"
    groups: tuple[str, ...] = ()  # whose secret it is; none named: every group's
    error: float | None = None  # percent of the rate in a typical step; None: left open

    @property
    def is_open(self) -> bool:
        """Whether nothing is asked for."""
        return self.secret is None and self.error is None

    @property
    def shown(self) -> Secret:
        """The secret that exposure is about."""
        return self.secret or SHOWN

    def check(self, scenario: Scenario) -> None:
        """Refuse what cannot be asked of this street."""
        if self.secret is not None:
            must_be_one_of("hide", self.secret, SECRETS)
        must_be_one_of("from", self.observer, get_args(AdversaryKind))
        for name in self.groups:
            must_be_one_of("group", name, [group.name for group in scenario.groups])
        if self.error is not None:
            must_be_within("accepted error", self.error, TARGETS)
        if self.is_open:
            raise ScenarioError("hide", f"and accepted error are both left open; {ASK}")

    def numbers(self, scenario: Scenario) -> list[int]:
        """Those of the groups whose secret it is."""
        return [g for g, group in enumerate(scenario.groups) if not self.groups or group.name in self.groups]


def described_street(scenario: Scenario) -> Scenario:
    """Return the scenario on the street of its description, for a day, whatever its seed and its ε."""
    fixed = scenario.replace(seed=STREET_SEED, epsilon=1.0, days=1)
    if scenario.houses is not None or scenario.households > MOST_LISTED:
        return fixed
    sizes = group_sizes([group.share for group in scenario.groups], scenario.households)
    number = count(1)
    houses = [
        House(name=f"House {next(number)}", group=group.name, occupied=float(occupied), empty=float(empty))
        for group, size in zip(scenario.groups, sizes, strict=True)
        for occupied, empty in zip(
            np.linspace(group.occupied_max, group.occupied_min, size),
            np.linspace(group.empty_min, group.empty_max, size),
            strict=True,
        )
    ]
    return edit.with_houses(fixed, houses)

"""What is asked for: what must stay hidden, of whom and from whom, and which error is acceptable.

Either of the two may be left open. What is left open is made as small as the other allows.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from rtp.attack.adversary import AdversaryKind
from rtp.scenario import Scenario, ScenarioError, must_be_one_of, must_be_within
from rtp.tradeoff.answers import TARGETS

Secret = Literal["moment", "day", "week"]
SECRETS: dict[Secret, str] = {"moment": "one moment", "day": "a day away", "week": "a week away"}
ASK = "say what must stay hidden, or which error is acceptable."
SHOWN: Secret = "week"  # what the frontier is about where nothing must stay hidden


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

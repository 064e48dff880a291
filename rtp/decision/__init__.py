"""One answer for one street: what to publish, what it costs, and what can still be told."""

from rtp.decision.choose import Choice, Chosen
from rtp.decision.decide import Answer, Seen, decide
from rtp.decision.frontier import EPSILONS, INTERVALS, Frontier, FrontierLine
from rtp.decision.requirement import SECRETS, Secret, Wish

__all__ = [
    "EPSILONS",
    "INTERVALS",
    "SECRETS",
    "Answer",
    "Choice",
    "Chosen",
    "Frontier",
    "FrontierLine",
    "Secret",
    "Seen",
    "Wish",
    "decide",
]

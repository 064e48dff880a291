"""One answer for one street: what to publish, what it costs, and what can still be told."""

from rtp.decision.choose import Choice, Chosen
from rtp.decision.decide import Answer, Seen, completed, decide, further_questions, questions
from rtp.decision.frontier import EPSILONS, INTERVALS, Frontier, FrontierLine, Question, find
from rtp.decision.requirement import OBSERVERS, SECRETS, Wish

__all__ = [
    "EPSILONS",
    "INTERVALS",
    "OBSERVERS",
    "SECRETS",
    "Answer",
    "Choice",
    "Chosen",
    "Frontier",
    "FrontierLine",
    "Question",
    "Seen",
    "Wish",
    "completed",
    "decide",
    "find",
    "further_questions",
    "questions",
]

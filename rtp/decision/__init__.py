"""One answer for one street: what to publish, what it costs, and what can still be told."""

from rtp.decision.choose import Choice, Chosen
from rtp.decision.decide import (
    Answer,
    OtherDay,
    Seen,
    completed,
    decide,
    explained,
    further_questions,
    questions,
)
from rtp.decision.frontier import EPSILONS, INTERVALS, FrontierLine, Question, find
from rtp.decision.requirement import FROM, OBSERVERS, SECRETS, Wish
from rtp.decision.stress import Stress

__all__ = [
    "EPSILONS",
    "FROM",
    "INTERVALS",
    "OBSERVERS",
    "SECRETS",
    "Answer",
    "Choice",
    "Chosen",
    "FrontierLine",
    "OtherDay",
    "Question",
    "Seen",
    "Stress",
    "Wish",
    "completed",
    "decide",
    "explained",
    "find",
    "further_questions",
    "questions",
]

"""The teacher's hour, and what a student has predicted.

The hour is eleven stops in 45 minutes, each with where to be and what to say. Predictions, and which answers
are open, are the text of a link, `1c.2A`: the number of an exercise, the letter of the option; a capital
where the answer has been revealed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import NamedTuple

from rtp.mechanisms import UNPROTECTED
from rtp.scenario import refusal
from rtp.teaching.exercises import EXERCISES

HOUR = 45  # minutes


@dataclass(frozen=True, kw_only=True)
class PlanStop:
    """Some minutes of the hour."""

    minutes: int
    title: str
    say: str
    exercise: int | None = None  # its number, from 1
    screen: str = "Lesson"  # where else, without an exercise
    link: Mapping[str, str] = field(default_factory=dict)


PLAN = (
    PlanStop(
        minutes=4,
        title="A price that tells on people",
        say="A public price follows what a street uses, so it can be read backwards. Show five houses, the "
        "unprotected rate, one house: what is she sure of?",
        screen="Attacker",
        link={"preset": "tiny street", "tab": "One house", "rate": UNPROTECTED, "knows": "others"},
    ),
    PlanStop(
        minutes=5, title="Noise, and its price", say="Let them predict before anyone moves ε.", exercise=1
    ),
    PlanStop(
        minutes=4,
        title="The paper's algorithm, line by line",
        say="Which joint states are still possible, who is uncertain, how large is the noise?",
        screen="Algorithm",
        link={"preset": "tiny street"},
    ),
    PlanStop(minutes=4, title="Whom it drops", say="On the paper's own street: nobody.", exercise=2),
    PlanStop(minutes=4, title="A night of certainty", say="What is certain needs no noise.", exercise=3),
    PlanStop(minutes=4, title="Less noise, same promise", say="What does it lean on instead?", exercise=4),
    PlanStop(minutes=4, title="The forecast", say="Privacy for nothing: what is data worth?", exercise=5),
    PlanStop(minutes=5, title="The insider", say="Whom does the promise protect from?", exercise=6),
    PlanStop(minutes=5, title="One moment", say="96 rates, one secret moment.", exercise=7),
    PlanStop(
        minutes=5, title="The holiday", say="Start the work first, then collect predictions.", exercise=8
    ),
    PlanStop(
        minutes=1,
        title="What to take home",
        say="ε is a promise about one rate. Ask of every promise: about what, against whom, for how long?",
        screen="Over time",
    ),
)


SEPARATOR = "."


class Prediction(NamedTuple):
    """The option a student chose, and whether the answer is open."""

    option: int
    revealed: bool = False


Predictions = Mapping[int, Prediction]  # by the number of the exercise, from 1


def predictions_text(predictions: Predictions) -> str:
    """Predictions as the text of a link."""
    parts = []
    for number, (option, revealed) in sorted(predictions.items()):
        letter = ascii_lowercase[option]
        parts.append(f"{number}{letter.upper() if revealed else letter}")
    return SEPARATOR.join(parts)


def predictions_of(name: str, text: str) -> Predictions:
    """The predictions of such a text; refuses in one sentence."""
    predictions = {}
    for part in text.split(SEPARATOR) if text else []:
        written = re.fullmatch("([1-9])([a-zA-Z])", part)
        exercise, letter = (int(written[1]), written[2]) if written else (0, "")
        options = EXERCISES[exercise - 1].options if 1 <= exercise <= len(EXERCISES) else ()
        option = ascii_lowercase.find(letter.lower())
        if option >= len(options):
            raise refusal(name, text, "name exercises and options like 1c.2a")
        predictions[exercise] = Prediction(option, letter.isupper())
    return dict(sorted(predictions.items()))

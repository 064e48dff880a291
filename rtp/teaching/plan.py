"""The teacher's lesson, what Play takes of it, and what a student has predicted.

The lesson is six stops in 45 minutes, each with where to be and what to say: the story, Play, the algorithm,
two exercises, and a cheat to find. Play has stops of its own, and the real home four in fifteen minutes.
Predictions, and which answers are open, are the text of a link, `1c.2A`: the number of an exercise, the
letter of the option; a capital where the answer has been revealed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import NamedTuple

from rtp.scenario import refusal
from rtp.teaching.exercises import (
    EXERCISES,
    IS_A_HOLIDAY_HIDDEN,
    LEARNED_TAB,
    READINGS_TAB,
    WHAT_EPSILON_DOES,
    WHEN_NOBODY_IS_IN,
)

LESSON_MINUTES = 45
PLAY_MINUTES = 12
HOME_MINUTES = 15  # with the real home
WITH_HOME = EXERCISES.index(WHEN_NOBODY_IS_IN) + 1
ANSWER_TAB = "The answer"  # of the readings, on the Street screen
PLAY = {"tab": "Play"}


@dataclass(frozen=True, kw_only=True)
class PlanStop:
    """Some minutes of a plan."""

    minutes: int
    title: str
    say: str
    exercise: int | None = None  # its number, from 1
    screen: str = "Class"  # where else, without an exercise
    link: Mapping[str, str] = field(default_factory=dict)


PLAN = (
    PlanStop(
        minutes=8,
        title="A rate that betrays",
        say="Tell the story: the optimal rate can be read backwards, noise takes that away.",
        screen="Explore",
        link={"story": "1"},
    ),
    PlanStop(
        minutes=PLAY_MINUTES,
        title="Everyone is a house",
        say="Play, with the optimal rate and with privacy. Its minutes are below.",
        link=PLAY,
    ),
    PlanStop(
        minutes=7,
        title="The paper's algorithm, line by line",
        say="Which joint states are still possible, who is uncertain, how large is the noise?",
        screen="Paper",
        link={"preset": "tiny street", "line": "1"},
    ),
    PlanStop(
        minutes=5,
        title="Noise, and its price",
        say="Let them predict before anyone moves ε.",
        exercise=EXERCISES.index(WHAT_EPSILON_DOES) + 1,
    ),
    PlanStop(
        minutes=6,
        title="The holiday",
        say="Start the work first, then collect predictions.",
        exercise=EXERCISES.index(IS_A_HOLIDAY_HIDDEN) + 1,
    ),
    PlanStop(
        minutes=7,
        title="Find the cheat",
        say="Show both views, vote on each letter by show of hands, then run the audit. To take home: a "
        "promise is about one rate; ask of every promise about what, against whom, for how long, and who "
        "checks it.",
        link={"tab": "Find the cheat"},
    ),
)

HOME_PLAN = (
    PlanStop(
        minutes=5,
        title="Predict",
        say="These are the readings of a real home. Let everybody say when nobody was there, and why.",
        exercise=WITH_HOME,
    ),
    PlanStop(
        minutes=3,
        title="Reveal",
        say="Compare with what the family said. Why does the night look like an empty home, and how does the "
        "learner tell them apart?",
        exercise=WITH_HOME,
    ),
    PlanStop(
        minutes=4,
        title="Another week",
        say="Learn from the readings, choose other weeks, then see how often it is right, hour by hour.",
        screen="Street",
        link={"tab": READINGS_TAB, "readings": LEARNED_TAB, "sample": "true", "home": "true"},
    ),
    PlanStop(
        minutes=3,
        title="A price instead of a meter",
        say="A week of the home through the price: what does an observer of a rate learn that is the home's "
        "alone, without noise and with it? She knows habits of other weeks; the family's diary judges her.",
        screen="Street",
        link={"tab": READINGS_TAB, "readings": ANSWER_TAB, "sample": "true", "home": "true"},
    ),
)

CORE = tuple(stop.exercise for stop in PLAN if stop.exercise)  # the exercises that a lesson has time for
MORE = tuple(n for n in range(1, len(EXERCISES) + 1) if n not in (*CORE, WITH_HOME))  # some five minutes each

PLAY_PLAN = (
    PlanStop(
        minutes=2,
        title="Everyone is a house",
        say="Open a room and let them join. Read one phone aloud: what this house uses at home, and away."
        " Nobody gives a name.",
        link=PLAY,
    ),
    PlanStop(
        minutes=3,
        title="The optimal rate",
        say="Start with the first hour by hand. The rate is a fixed amount plus what the street uses: "
        "which houses add up to it? Then let the hours run, ten seconds each. There are points for "
        "right guesses, and for hours in which nobody guesses you right.",
        link=PLAY,
    ),
    PlanStop(
        minutes=1,
        title="Reveal",
        say="First ask how often the class was right. A coin is right half of the time, the observer "
        "about three times in four, and nearly always about the largest house.",
        link=PLAY,
    ),
    PlanStop(
        minutes=3,
        title="Guess again, with privacy",
        say="The same class, new hours, a Blowfish rate. Who changes how they play? Then both rounds side"
        " by side: how much less did the class see, and the observer?",
        link=PLAY,
    ),
    PlanStop(
        minutes=2,
        title="Still useful",
        say="What does the noise cost a street of four, the class in one street, a thousand houses? It is"
        " as wide for all, so a long street hardly feels it.",
        link=PLAY,
    ),
    PlanStop(
        minutes=1,
        title="What to take home",
        say="A rate is a message about people. Noise hides one hour of one house; a crowd hides for "
        "nothing, but not from someone who knows the others.",
        link=PLAY,
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
        written = re.fullmatch("([1-9][0-9]?)([a-zA-Z])", part)
        exercise, letter = (int(written[1]), written[2]) if written else (0, "")
        options = EXERCISES[exercise - 1].options if 1 <= exercise <= len(EXERCISES) else ()
        option = ascii_lowercase.find(letter.lower())
        if option >= len(options):
            raise refusal(name, text, "name exercises and options like 1c.2a")
        predictions[exercise] = Prediction(option, letter.isupper())
    return dict(sorted(predictions.items()))

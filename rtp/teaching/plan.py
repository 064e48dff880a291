"""The teacher's lesson, what Play takes of it, and what a student has predicted.

The lesson is six steps in 45 minutes, each with what to ask and what to expect: Play, the story, a real home,
the crowd and the noise, the algorithm, and a cheat to find. Play has steps of its own, and the real home four
in fifteen minutes. Predictions, and which answers are open, are the text of a link, `1c.2A`: the number of an
exercise, the letter of the option; a capital where the answer has been revealed.

*The guided tour*: six stops on Explore, each one sentence and one picture, made of the same numbers
(`rtp.output.tour`, `rtp.figures.story`). All but the last are about one real home (`rtp.teaching.home`), and
of the scenario in use, which is the default one, they need ε alone, where a stop lets that be moved.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase
from types import MappingProxyType
from typing import NamedTuple

from rtp.core.language import noted
from rtp.scenario import DEFAULT_PRESET, PRESETS, Scenario, refusal
from rtp.teaching.exercises import (
    EXERCISES,
    LEARNED_TAB,
    READINGS_TAB,
    WHEN_NOBODY_IS_IN,
)

LESSON_MINUTES = 45
PLAY_MINUTES = 17
HOME_MINUTES = 15  # with the real home
WITH_HOME = EXERCISES.index(WHEN_NOBODY_IS_IN) + 1
ANSWER_TAB = "Rates and bills"  # of the readings, on the Street screen
CHEAT_TAB = "Find the cheat"
POSTER_TAB = "The poster"  # of the Attack screen
PLAY: Mapping[str, str] = MappingProxyType({"tab": "Play"})


@dataclass(frozen=True, kw_only=True)
class PlanStop:
    """Some minutes of a plan."""

    minutes: int
    title: str
    ask: str
    expect: str
    screen: str = "Class"
    link: Mapping[str, str] = field(default_factory=lambda: PLAY)  # what its address says besides

    @property
    def exercise(self) -> int | None:
        """The number of the exercise that is asked, from 1."""
        return int(self.link["exercise"]) if "exercise" in self.link else None

    @property
    def finds_the_cheat(self) -> bool:
        """Whether sealed mechanisms are voted on."""
        return self.link.get("tab") == CHEAT_TAB


PLAN = (
    PlanStop(
        minutes=PLAY_MINUTES,
        title="Everyone is a house",
        ask="Which houses add up to this rate?",
        expect="The largest is read from every optimal rate; from a private one nobody is.",
    ),
    PlanStop(
        minutes=6,
        title="The story",
        ask="What does a rate tell of one home?",
        expect="Habits tell much, the rate tells the rest; noise takes the rest back.",
        screen="Explore",
        link={"story": "1"},
    ),
    PlanStop(
        minutes=6,
        title="A real home",
        ask="When was nobody there? Predict, then compare.",
        expect="Many say the nights: sleep looks like absence.",
        link={"exercise": str(WITH_HOME)},
    ),
    PlanStop(
        minutes=4,
        title="The crowd and the noise",
        ask="What hides a house: neighbours, or noise?",
        expect="Either: down the crowd grows, to the right the noise.",
        screen="Attack",
        link={"tab": POSTER_TAB},
    ),
    PlanStop(
        minutes=5,
        title="The paper's algorithm, line by line",
        ask="Who may be in or out? How wide is the noise?",
        expect="The largest uncertain house decides; who is surely out needs none.",
        screen="Paper",
        link={"preset": "tiny street", "line": "1"},
    ),
    PlanStop(
        minutes=7,
        title="Find the cheat",
        ask="Which do you trust? Vote, then audit.",
        expect="The eye sees how wide noise is, not what its promise needs. Of every promise ask about what, "
        "against whom, for how long, and who checks it.",
        link={"tab": CHEAT_TAB},
    ),
)

HOME_PLAN = (
    PlanStop(
        minutes=5,
        title="Predict",
        ask="When was nobody there, and why do you think so?",
        expect="These are the readings of a real home. Many take the nights for absence.",
        link={"exercise": str(WITH_HOME)},
    ),
    PlanStop(
        minutes=3,
        title="Reveal",
        ask="Why does the night look like an empty home, and how does the learner tell them apart?",
        expect="It knows that people sleep at home.",
        link={"exercise": str(WITH_HOME)},
    ),
    PlanStop(
        minutes=4,
        title="Another week",
        ask="In which hours is the learner right, and in which not?",
        expect="Choose other weeks; the evening is easy, the morning is not.",
        screen="Street",
        link={"tab": READINGS_TAB, "readings": LEARNED_TAB, "sample": "true", "home": "true"},
    ),
    PlanStop(
        minutes=3,
        title="A price instead of a meter",
        ask="A week of the home through the price: what does an observer learn, without noise and with it?",
        expect="An observer knows habits of other weeks; check her against the family's diary.",
        screen="Street",
        link={"tab": READINGS_TAB, "readings": ANSWER_TAB, "sample": "true", "home": "true"},
    ),
)

CORE = tuple(stop.exercise for stop in PLAN if stop.exercise)  # the exercises that a lesson has time for
MORE = tuple(n for n in range(1, len(EXERCISES) + 1) if n not in CORE)  # some five minutes each

JOIN, FIRST, REVEAL, AGAIN, USEFUL, TAKE_HOME = PLAY_PLAN = (
    PlanStop(
        minutes=3,
        title="Everyone is a house",
        ask=noted("Scan, join, and read aloud what your house uses at home, and away."),
        expect=noted("Nobody gives a name; who comes late looks on until a house is free."),
    ),
    PlanStop(
        minutes=5,
        title="The optimal rate",
        ask=noted("The rate is a fixed amount plus what the street uses: which houses add up to it?"),
        expect=noted(
            "The first hour by hand, then ten seconds each. A point for every right guess, and one for who "
            "is guessed wrong."
        ),
    ),
    PlanStop(
        minutes=2,
        title="Reveal",
        ask=noted("How often was the class right? A coin is right half of the time."),
        expect=noted(
            "The observer is right about three times in four, and nearly always about the largest house."
        ),
    ),
    PlanStop(
        minutes=4,
        title="Guess again, with privacy",
        ask=noted("The same class, new hours, a noisy rate. Who changes how they play?"),
        expect=noted(
            "A rate may be more than all houses together can use. Nobody guesses better than a coin."
        ),
    ),
    PlanStop(
        minutes=2,
        title="Still useful",
        ask=noted(
            "What does the same noise cost a short street, the class in one street, a thousand houses?"
        ),
        expect=noted("It is as wide for all, so a long street hardly feels it."),
    ),
    PlanStop(
        minutes=1,
        title="What to take home",
        ask=noted("Who hid you: the noise, or the others?"),
        expect=noted(
            "Noise hides an hour of a house. A crowd is free, but hides from nobody who knows the rest."
        ),
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


SCREEN, PAGE = "Explore", "app.py"  # and the file that draws it


class TourStop(NamedTuple):
    title: str
    moves_epsilon: bool = False  # its sentence and picture follow

    def is_about(self, scenario: Scenario) -> bool:
        """Whether the sentence is about this scenario: the default one, at any ε where that can be moved."""
        own = PRESETS[DEFAULT_PRESET]
        return scenario == (own.replace(epsilon=scenario.epsilon) if self.moves_epsilon else own)


STOPS = (
    TourStop(noted("Is anybody home?")),
    TourStop(noted("A price is a meter")),
    TourStop(noted("Turn the noise up"), moves_epsilon=True),
    TourStop(noted("Houses around it")),
    TourStop(noted("The crowd")),
    TourStop(noted("Now your street")),
)

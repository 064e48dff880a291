"""What a student has predicted, and which answers are open, as the text of a link: `1c.2A`.

The number of an exercise, the letter of the option; a capital where the answer has been revealed.
"""

from collections.abc import Mapping
from string import ascii_lowercase
from typing import NamedTuple

from rtp.lesson import EXERCISES
from rtp.scenario import refusal

SEPARATOR = "."


class Prediction(NamedTuple):
    option: int
    revealed: bool = False


Predictions = Mapping[int, Prediction]  # by the number of the exercise, from 1


def predictions_text(said: Predictions) -> str:
    return SEPARATOR.join(
        f"{number}{letter.upper() if revealed else letter}"
        for number, (option, revealed) in sorted(said.items())
        for letter in ascii_lowercase[option]
    )


def predictions_of(name: str, text: str) -> Predictions:
    """The other way; refuses in one sentence."""
    said = {}
    for part in text.split(SEPARATOR) if text else []:
        number, letter = part[:-1], part[-1:]
        exercise = int(number) if number.isascii() and number.isdigit() and len(number) == 1 else 0
        options = EXERCISES[exercise - 1].options if 1 <= exercise <= len(EXERCISES) else ()
        option = ascii_lowercase.find(letter.lower()) if letter.isascii() and letter else -1
        if not 0 <= option < len(options):
            raise refusal(name, text, "name exercises and options like 1c.2a")
        said[exercise] = Prediction(option, letter.isupper())
    return dict(sorted(said.items()))

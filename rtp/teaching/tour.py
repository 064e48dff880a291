"""The guided tour: six stops on Explore, each one sentence and one picture.

The sentence and the picture of a stop are made of the same numbers (`rtp.output.story`, `rtp.figures.story`).
All but the last are about one real home (`rtp.teaching.home`), and of the scenario in use, which is the
default one, they need ε alone, where a stop lets that be moved.
"""

from typing import NamedTuple

from rtp.core.language import noted
from rtp.scenario import DEFAULT_PRESET, PRESETS, Scenario

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

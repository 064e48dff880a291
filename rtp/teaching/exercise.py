"""What an exercise is: a question about any street, and who answers it; and what one asks of a real home.

That one is about some days of the home's readings, and when nobody was in. The days begin where every moment
is labelled and the home is empty by day for half of the time: three days at work, three at home. At night its
use is as low as while it is empty, and somebody is asleep: that is what the readings alone do not tell, and
what the learner knows of people (`rtp.meters.check`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rtp.core.formatting import plain
from rtp.core.language import figure, say
from rtp.core.types import Bools, Floats
from rtp.core.workers import Progress
from rtp.mechanisms import FEATURED, REGISTRY, YARDSTICK, short
from rtp.meters import real_home
from rtp.meters.check import AtHome, at_home
from rtp.scenario import BOUNDS, DEFAULT_PRESET, PRESETS, Scenario


class AnswerPicture(NamedTuple):
    """The numbers behind an answer, to be drawn as bars."""

    title: str  # what they measure
    values: Mapping[str, float]  # by label, the first on top
    texts: tuple[str, ...]  # as they are written beside their bars
    most: float  # which fills the width

    def shares(self) -> list[float]:
        """How much of the width every bar fills."""
        return [value / self.most for value in self.values.values()]


class ExerciseAnswer(NamedTuple):
    """What is right on a street."""

    option: int  # which of the options is right
    words: str  # the numbers behind it
    picture: AnswerPicture | None = None


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A question about any street."""

    title: str
    asks: str  # the question, with the numbers of a street by name: see `question_numbers`
    options: tuple[str, ...]
    answer: Callable[[Scenario, Progress | None], ExerciseAnswer]
    why: str
    screen: str  # where it can be tried
    look: str  # and how
    shows: Mapping[str, str] = field(default_factory=dict)  # parameters of that screen's link
    preset: str = DEFAULT_PRESET
    changes: Mapping[str, float] = field(default_factory=dict)
    long: bool = False  # whether the answer takes more than a moment
    home: bool = False  # whether it is about the real home, whose readings are shown with it
    houses: int | None = None  # of the street that are asked about; None: all

    @property
    def scenario(self) -> Scenario:
        """The street that the exercise is about, unless another one is asked."""
        return PRESETS[self.preset].replace(**self.changes)

    def street(self, own: Scenario | None = None) -> str:
        """Which street it is asked about: the exercise's, or one's own."""
        if self.home:
            return real_home.NAMED
        asked = self.scenario if own is None else own
        return say(
            "Street: {name}, {n} houses, ε = {epsilon}.",
            name=f"**{self.preset.capitalize()}**" if own is None else f"**{say('yours')}**",
            n=self.houses or asked.households,
            epsilon=plain(asked.epsilon),
        )

    def question(self, scenario: Scenario) -> str:
        """The question, about that street."""
        return say(self.asks, **question_numbers(scenario))

    def spoken(self) -> "Exercise":
        """Return it with its words in the language that is spoken."""
        return replace(self, title=say(self.title), options=tuple(map(say, self.options)), why=say(self.why))


def question_numbers(scenario: Scenario) -> dict[str, str]:
    """What questions name of a street and of the rates on it."""
    return {
        **rate_names(),
        "epsilon": plain(scenario.epsilon),
        "tenth": plain(tenth_of_budget(scenario)),
        "households": figure(f"{scenario.households:,}"),
    }


def rate_names() -> dict[str, str]:
    """What the private rate and the one it is compared with are called."""
    return {"featured": short(FEATURED), "yardstick": say(REGISTRY[YARDSTICK].label)}


def tenth_of_budget(scenario: Scenario) -> float:
    """A tenth of the budget, or the smallest allowed."""
    return max(scenario.epsilon / 10, BOUNDS["epsilon"].low)


FIRST, DAYS, AT_WORK = "2012-06-13", 6, 3  # a Wednesday
NIGHT, BY_DAY = (0, 6), (8, 18)  # hours


class Emptiness(NamedTuple):
    """How much of some hours nobody was in, and how often the learner is right about all of them."""

    nights: float
    first_days: float
    last_days: float
    right: float
    right_always_home: float


@lru_cache(maxsize=1)
def home() -> AtHome:
    """What is learned from the real home's readings, its labels beside it."""
    return at_home(real_home.real_home())


def first_day() -> int:
    """Which of the home's days the exercise begins with."""
    return int((np.datetime64(FIRST) - np.datetime64(home().first_date)).astype(int))


def emptiness() -> Emptiness:
    """How empty the home was by what its family said."""
    found = home()
    assert found.truth is not None
    per_day = 24 * 60 // found.minutes
    some = slice(first_day() * per_day, (first_day() + DAYS) * per_day)
    said, believed = (each[0, some].reshape(DAYS, per_day) for each in (found.truth, found.at_home))
    known, empty = said >= 0, said == 0
    hours = np.broadcast_to(np.arange(per_day) * 24 / per_day, said.shape)
    day = np.broadcast_to(np.arange(DAYS)[:, None], said.shape)
    by_day = (hours >= BY_DAY[0]) & (hours < BY_DAY[1])
    return Emptiness(
        _share(empty, known & (hours < NIGHT[1])),
        _share(empty, known & by_day & (day < AT_WORK)),
        _share(empty, known & by_day & (day >= AT_WORK)),
        _share((believed >= 0.5) == (said == 1), known),
        _share(said == 1, known),
    )


def _share(what: Bools, of: Bools) -> float:
    values: Floats = what[of].astype(float)
    return float(values.mean())

"""What an exercise is: a question about any street, and who answers it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rtp.core.formatting import plain
from rtp.core.parallel import Progress
from rtp.mechanisms import FEATURED, REGISTRY, YARDSTICK
from rtp.meters import real_home
from rtp.scenario import BOUNDS, DEFAULT_PRESET, PRESETS, Scenario

ALGORITHM_LABEL, NAIVE_LABEL = REGISTRY[FEATURED].label, REGISTRY[YARDSTICK].label


class ExerciseAnswer(NamedTuple):
    """What is right on a street."""

    option: int  # which of the options is right
    words: str  # the numbers behind it


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

    @property
    def scenario(self) -> Scenario:
        """The street that the exercise is about, unless another one is asked."""
        return PRESETS[self.preset].replace(**self.changes)

    def street(self, own: Scenario | None = None) -> str:
        """Which street it is asked about: the exercise's, or one's own."""
        if self.home:
            return real_home.NAMED
        asked = self.scenario if own is None else own
        name = f"**{self.preset.capitalize()}**" if own is None else "**yours**"
        return f"Street: {name}, {asked.households:,} houses, ε = {plain(asked.epsilon)}."

    def question(self, scenario: Scenario) -> str:
        """The question, about that street."""
        return self.asks.format(**question_numbers(scenario))


def question_numbers(scenario: Scenario) -> dict[str, str]:
    """What questions name of a street and of the rates on it."""
    return {
        "featured": ALGORITHM_LABEL,
        "yardstick": NAIVE_LABEL,
        "epsilon": plain(scenario.epsilon),
        "tenth": plain(tenth_of_budget(scenario)),
        "households": f"{scenario.households:,}",
    }


def tenth_of_budget(scenario: Scenario) -> float:
    """A tenth of the budget, or the smallest allowed."""
    return max(scenario.epsilon / 10, BOUNDS["epsilon"].low)

"""What an exercise is. Its answer is a function of a scenario: any street can be asked the same question."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import NamedTuple

from rtp.scenario import DEFAULT_PRESET, PRESETS, Scenario
from rtp.street.simulate import Progress


class Answer(NamedTuple):
    option: int  # which of the options is right
    words: str  # the numbers behind it


@dataclass(frozen=True, kw_only=True)
class Exercise:
    title: str
    question: Callable[[Scenario], str]
    options: tuple[str, ...]
    answer: Callable[[Scenario, Progress | None], Answer]
    why: str
    screen: str  # where it can be tried
    look: str  # and how
    shows: Mapping[str, str] = field(default_factory=dict)  # parameters of that screen's link
    preset: str = DEFAULT_PRESET
    changes: Mapping[str, float] = field(default_factory=dict)
    long: bool = False  # whether the answer takes more than a moment

    @property
    def scenario(self) -> Scenario:
        """The street that the exercise is about, unless another one is asked."""
        return PRESETS[self.preset].replace(**self.changes)


def nearest(value: float, marks: Sequence[float]) -> int:
    """Which of the marks a factor is nearest to, on a scale of factors."""
    if value <= 0:
        return min(range(len(marks)), key=marks.__getitem__)
    return min(range(len(marks)), key=lambda i: abs(log(value / marks[i])))


def among(value: float, limits: Sequence[float]) -> int:
    """Between which of the limits a value lies; a limit belongs to what is above it."""
    return bisect_right(limits, value)


def compared(ours: float, theirs: float) -> float:
    """How many times as large; 1 where both are nothing."""
    return ours / theirs if theirs else 1.0

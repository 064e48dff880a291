"""What the host of a room has chosen, and what each may see of it: frozen, without keys.

A `Board` is for everybody: the truth is in it only when it is revealed. A `Place` is for one player.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal

from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.play.round import Use
from rtp.play.scores import PlayerScore
from rtp.scenario import BOUNDS, must_be_one_of, must_be_within
from rtp.teaching.exercises import ExerciseAnswer

TOGETHER = 0  # houses per street: all in one
OPTIONS = {"steps": (6, 12, 24), "pace": (0, 5, 10, 20), "per_street": (3, 4, 5, TOGETHER)}

Phase = Literal["gathering", "playing", "over", "revealed"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the host chooses."""

    steps: int = 12
    pace: int = 0  # seconds for each step; 0 is by hand
    per_street: int = 4
    mechanism: str = UNPROTECTED  # of the rate that is published during the round
    epsilon: float = 0.5
    beliefs: bool = False  # whether the beamer shows what the observer believes
    street: int = 0  # that the beamer shows

    def changed(self, name: str, value: object) -> "Settings":
        """The settings with one of them changed; refuses what there is not."""
        if name in OPTIONS:
            must_be_one_of(name, value, OPTIONS[name])
        elif name == "mechanism":
            must_be_one_of(name, value, REGISTRY)
        elif name == "epsilon":
            must_be_within(name, value, BOUNDS[name])
        changes: dict[str, Any] = {name: value}
        return replace(self, **changes)


@dataclass(frozen=True)
class House:
    """A house as everybody may see it."""

    number: int  # from 1
    use: Use
    simulated: bool
    belief: float | None  # that somebody is at home, where the host shows it


@dataclass(frozen=True)
class Row:
    """A house over the whole round, revealed."""

    number: int
    at_home: tuple[bool, ...]
    belief: tuple[float, ...]
    right: float  # steps at which the observer had it right; half a step where she could not tell


@dataclass(frozen=True, kw_only=True)
class Reveal:
    """What a round, or its replay, has taught. Shares are of all houses and steps."""

    mechanism: str
    private: str  # the rate that it is compared with
    is_private: bool  # whether that is the one that is shown
    epsilon: float
    together: bool  # whether all are in one street
    rows: tuple[Row, ...]  # of the street on the beamer
    class_right: float | None  # None where nobody guessed
    class_rate: str  # from which the class guessed; "": not known of a saved round
    unprotected_right: float
    private_right: float
    habits_right: float
    missed_percent: float
    words: str


@dataclass(frozen=True)
class Tally:
    """An exercise that the phones are asked, and how many have chosen each option."""

    exercise: int  # from 1
    counts: tuple[int, ...]
    answer: ExerciseAnswer | None  # once it is revealed


@dataclass(frozen=True, kw_only=True)
class Board:
    """What everybody may see."""

    code: str
    phase: Phase
    settings: Settings
    players: int
    steps: int
    no_demand: float  # the price at which nothing is used
    tally: Tally | None
    step: int = 0
    paused: bool = False
    left: float | None = None  # seconds until the next step; None by hand
    clock: str = ""  # the hour of the step, HH:MM
    answered: int = 0  # players who have guessed at this step
    streets: int = 0
    street: int = 0
    houses: tuple[House, ...] = ()
    prices: tuple[float, ...] = ()  # of that street, so far
    price_words: str = ""  # how a price follows from what is used
    most: float = 0.0  # the price at which all houses of a street use all they can
    reveal: Reveal | None = None


@dataclass(frozen=True, kw_only=True)
class Place:
    """What one player may see."""

    board: Board
    number: int  # of her house, from 1
    choice: int  # BY_HABIT, CHOSE_AWAY or CHOSE_HOME
    option: int | None  # what she predicts for the exercise
    waiting: bool = False  # she came late, and has no house yet
    use: Use | None = None  # of her house
    at_home: bool | None = None  # at this step
    houses: tuple[House, ...] = ()  # of her own street
    prices: tuple[float, ...] = ()  # of it, so far
    asked: int | None = None  # the house of the question, from 1
    guess: bool | None = None  # her answer to it
    score: PlayerScore | None = None  # once it is revealed
    seen: tuple[float, float] | None = None  # steps at which the observer had her right: exact, private price

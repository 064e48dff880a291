"""What the host of a room has chosen, and what each may see of it: without keys.

A `Board` is for everybody: the truth is in it only when it is revealed. A `Place` is for one player. Points
are counted when a step is over, so they tell of the steps before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from rtp.core.language import SOURCE
from rtp.core.stats import Range
from rtp.mechanisms import UNPROTECTED
from rtp.play.round import UseWords
from rtp.play.scores import NO_POINTS, Points, RoundResult, Scores
from rtp.play.seated import BallotTally, Tally

TOGETHER = 0  # houses per street: all in one
IN_TURN = -1  # the street on the beamer: each for some seconds
TURN = 5.0  # seconds; the paces are whole turns
Phase = Literal["gathering", "playing", "over", "revealed"]
Slide = Literal["truth", "points", "rounds", "useful"]  # of a revealed round
SLIDES: tuple[Slide, ...] = get_args(Slide)
OPTIONS = {"steps": (6, 12, 24), "pace": (0, 5, 10, 20), "per_street": (3, 4, 5, TOGETHER)}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the host chooses."""

    steps: int = 12
    pace: int = 0  # seconds for each step; 0 is by hand
    per_street: int = 4
    mechanism: str = UNPROTECTED  # of the rate that is published during the round
    epsilon: float = 0.5
    beliefs: bool = False  # whether the beamer shows what the observer believes
    street: int = IN_TURN  # that the beamer shows
    slide: Slide = "truth"
    crowd: bool = False  # whether all may join by one address
    language: str = SOURCE  # of all in the room whose own address says no other


@dataclass(frozen=True)
class SeenHouse:
    """A house as everybody may see it."""

    number: int  # from 1
    use: UseWords
    simulated: bool
    belief: float | None  # that somebody is at home, where the host shows it
    points: int | None  # so far in this round; None: it has not been played
    history: tuple[
        tuple[bool, float], ...
    ] = ()  # revealed, by step: the truth, and what the observer believed
    right: float = 0.0  # steps at which she had it right; half a step where she could not tell


class Winner(NamedTuple):
    """What a house, whose it is now, has won."""

    number: int  # of the house, from 1
    rounds: tuple[int | None, ...]  # points of every round of the room; None: it did not play

    @property
    def total(self) -> int:
        return sum(points or 0 for points in self.rounds)


class View(NamedTuple):
    """What the beamer shows of a revealed round."""

    slide: Slide
    street: int = 0


@dataclass(frozen=True, kw_only=True)
class Board:
    """What everybody may see."""

    code: str
    phase: Phase
    settings: Settings
    taken: tuple[int, ...]  # the houses of those who have joined, from 1
    refused: bool  # whether one address has all the houses that it may have, and asked for more
    steps: int
    no_demand: float  # the price at which nothing is used
    tally: Tally | None
    ballot: BallotTally | None
    step: int = 0
    paused: bool = False
    left: float | None = None  # seconds until the next step; None by hand
    clock: str = ""  # the hour of the step, HH:MM
    number: int = 0  # of the round in its room, from 1
    asked: int = 0  # players who are asked at this step
    answered: int = 0  # and who have guessed
    streets: int = 0
    street: int = 0
    houses: tuple[SeenHouse, ...] = ()  # of that street
    prices: tuple[float, ...] = ()  # of that street, so far
    price_words: str = ""  # how a price follows from what is used
    most: float = 0.0  # the price at which all houses of a street use all they can
    winners: tuple[Winner, ...] = ()  # the best first
    results: tuple[RoundResult, ...] = ()  # of the rounds that were revealed, the last two
    reveal: Scores | None = None  # the round, or its replay, once it is revealed
    together: bool = False  # whether it is replayed with all in one street
    knows_private: bool = False  # whether the class has seen a private rate, and may be told what it hides
    class_right: Range | None = None  # of the class's guesses, as it played; None where there are none
    class_rate: str = ""  # from which the class guessed; "": not known of a saved round

    @property
    def players(self) -> int:
        """How many have joined."""
        return len(self.taken)

    @property
    def views(self) -> tuple[View, ...]:
        """What a revealed round shows in turn: every street and the points; after two rounds also what both
        showed, and what privacy costs."""
        slides: tuple[Slide, ...] = SLIDES[1:] if len(self.results) > 1 else ("points",)
        return *(View("truth", street) for street in range(self.streets)), *map(View, slides)

    @property
    def view(self) -> int:
        """Which of them is shown; the last where it is none."""
        slide = self.settings.slide
        shown = View(slide, self.street if slide == "truth" else 0)
        return self.views.index(shown) if shown in self.views else len(self.views) - 1


@dataclass(frozen=True, kw_only=True)
class Place:
    """What one player may see."""

    board: Board
    number: int  # of her house, from 1
    choice: int  # BY_HABIT, CHOSE_AWAY or CHOSE_HOME
    option: int | None  # what she predicts for the exercise
    trusts: Mapping[str, bool]  # by the letter of a sealed mechanism that she has voted on
    waiting: bool = False  # she came late, and has no house yet,
    full: bool = False  # nor will she have one in this round
    use: UseWords | None = None  # of her house
    at_home: bool | None = None  # at this step
    houses: tuple[SeenHouse, ...] = ()  # of her own street; of the first while she waits
    prices: tuple[float, ...] = ()  # of it, so far
    asked: int | None = None  # the house of the question, from 1
    guess: bool | None = None  # her answer to it
    points: Points = NO_POINTS  # so far in this round
    won: tuple[int | None, ...] = ()  # points of every round of the room
    seen: tuple[float, float] | None = None  # steps at which the observer had her right: exact, private price

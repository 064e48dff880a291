"""What the phones of a room are asked besides the round: an exercise, or whom of five sealed mechanisms they
trust.

What is chosen is not counted out before the host closes the vote, and the answer is shown when he shows it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase

from rtp.play import limits
from rtp.play.limits import RoomError
from rtp.scenario import must_be_one_of
from rtp.teaching.exercise import ExerciseAnswer
from rtp.teaching.exercises import EXERCISES
from rtp.teaching.sealed import SEALED_LETTERS, Votes


@dataclass(frozen=True)
class Tally:
    """An exercise that the phones are asked. What is chosen is not counted out before voting is closed."""

    exercise: int  # from 1
    voted: int
    asked: int  # players
    counts: tuple[int, ...] | None  # by option; None while there is a vote
    answer: ExerciseAnswer | None  # once it is revealed


class Vote:
    """Mutable; used under its room's lock."""

    def __init__(self, exercise: int) -> None:
        must_be_one_of("exercise", exercise, range(1, len(EXERCISES) + 1))
        self.exercise = exercise  # from 1
        self.is_open = True
        self._chosen: dict[int, int] = {}  # the option, by player
        self._answer: ExerciseAnswer | None = None

    def predict(self, player: int, exercise: int, option: int) -> None:
        """Choose an option; it can be changed until voting is closed."""
        if exercise != self.exercise or not self.is_open:
            raise RoomError(limits.TOO_LATE)
        must_be_one_of("option", option, range(len(EXERCISES[exercise - 1].options)))
        self._chosen[player] = option

    def option(self, player: int) -> int | None:
        return self._chosen.get(player)

    def answers(self, player: int, name: str) -> dict[str, str]:
        """The letter of the option that a player chose, and of the right one once it was shown."""
        own, right = self.option(player), self._answer.option if self._answer else None
        letters = ("" if option is None else ascii_lowercase[option] for option in (own, right))
        return dict(zip((name, f"{name}: right"), letters, strict=True))

    def forget(self, player: int) -> None:
        self._chosen.pop(player, None)

    def show_answer(self, exercise: int, answer: ExerciseAnswer) -> None:
        """Close voting, and show the answer."""
        if exercise != self.exercise:
            raise RoomError(limits.NOT_NOW)
        self._answer, self.is_open = answer, False

    def tally(self, asked: int) -> Tally:
        """What everybody may see of it."""
        chosen = list(self._chosen.values())
        options = range(len(EXERCISES[self.exercise - 1].options))
        counts = None if self.is_open else tuple(map(chosen.count, options))
        return Tally(self.exercise, len(chosen), asked, counts, self._answer)


@dataclass(frozen=True)
class SealedResult:
    """What the audit found of five sealed mechanisms, in words."""

    result: str
    letters: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class BallotTally:
    """A vote on five sealed mechanisms. What is chosen is not counted out before voting is closed."""

    number: int  # of the five
    voted: int  # on all letters
    asked: int  # players
    counts: Mapping[str, tuple[int, int]] | None  # by letter: who trusts it, and who does not
    result: SealedResult | None  # once the audit has ended

    def majority(self) -> Votes:
        """What most say of each letter that somebody voted on; a tie trusts nobody."""
        counts = (self.counts or {}).items()
        return {letter: trust > doubt for letter, (trust, doubt) in counts if trust + doubt}


class Ballot:
    """Mutable; used under its room's lock."""

    def __init__(self, number: int) -> None:
        self.number, self.is_open = number, True
        self.result: SealedResult | None = None
        self._votes: dict[int, dict[str, bool]] = {}  # by player

    def vote(self, player: int, number: int, letter: str, trusted: bool) -> None:
        """Trust a mechanism or not; it can be changed until voting is closed."""
        if number != self.number or not self.is_open:
            raise RoomError(limits.TOO_LATE)
        must_be_one_of("letter", letter, SEALED_LETTERS)
        self._votes.setdefault(player, {})[letter] = trusted

    def votes(self, player: int) -> Votes:
        return dict(self._votes.get(player, {}))

    def forget(self, player: int) -> None:
        self._votes.pop(player, None)

    def tally(self, asked: int) -> BallotTally:
        """What everybody may see of it."""
        cast = list(self._votes.values())
        whole = sum(len(each) == len(SEALED_LETTERS) for each in cast)
        said = {letter: [each.get(letter) for each in cast] for letter in SEALED_LETTERS}
        counts = {letter: (votes.count(True), votes.count(False)) for letter, votes in said.items()}
        return BallotTally(self.number, whole, asked, None if self.is_open else counts, self.result)

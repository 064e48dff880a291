"""An exercise that a class is asked: who predicts what, counted out when voting is closed; the answer."""

from dataclasses import dataclass

from rtp.play import limits
from rtp.play.limits import RoomError
from rtp.scenario import must_be_one_of
from rtp.teaching.exercise import ExerciseAnswer
from rtp.teaching.exercises import EXERCISES


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

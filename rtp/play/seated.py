"""Who is in a room: its host, the players and their houses; and what they are asked besides the round."""

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rtp.play import limits
from rtp.play.asked import Ballot, SealedResult, Vote
from rtp.play.limits import RoomError, Seats, TimeSource
from rtp.teaching.exercise import ExerciseAnswer
from rtp.teaching.sealed import votes_text


class Seated:
    """Mutable, and changed under its lock only."""

    def __init__(self, host: str, clock: TimeSource) -> None:
        self.touched = self._attended = clock()  # when something was done, and when the host last looked
        self._lock, self._clock, self._host = threading.RLock(), clock, host
        self._houses = Seats(clock)
        self._crowd = False  # whether all may join by one address
        self._vote: Vote | None = None
        self._ballot: Ballot | None = None
        self._votes: dict[int, Vote] = {}  # all that were asked, by exercise: the last one of each
        self._ballots: dict[int, Ballot] = {}  # and by the number of five sealed mechanisms

    def is_host(self, key: str) -> bool:
        return secrets.compare_digest(key.encode(), self._host.encode())

    def check_host(self, key: str) -> None:
        if not self.is_host(key):
            raise RoomError(limits.NOT_HOST)
        self.touched = self._clock()

    @contextmanager
    def _hosted(self, key: str) -> Iterator[None]:
        """Within it the host, and nobody else, changes the room."""
        with self._lock:
            self.check_host(key)
            yield

    @contextmanager
    def _played(self, key: str) -> Iterator[int]:
        """Within it a player, whose house comes back, does something; what is refused keeps no room open."""
        with self._lock:
            yield self._houses.house(key)
            self.touched = self._clock()

    @property
    def joined(self) -> int:
        """How many have."""
        return len(self._houses)

    def may_give_way(self) -> bool:
        """Whether nobody has joined it, or its host has not looked for long."""
        return not self.joined or self._clock() - self._attended > limits.HOST_ABSENT

    def knows(self, key: str) -> bool:
        """Whether a key is the host's or a player's."""
        return key in self._houses or self.is_host(key)

    def join(self, address: str = "", mark: str = "") -> str:
        """Take the next house, or come back to the one that this phone has; gives its key."""
        with self._lock:
            key = self._houses.join(address, mark, self._crowd)
            self.touched = self._clock()
            return key

    def key_of(self, mark: str) -> str | None:
        """The key of the house that a phone has, if it has one."""
        with self._lock:
            return self._houses.of_phone(mark)

    def recognise(self, key: str, mark: str) -> str:
        """The key that a phone is to use, which came with one: that of its first house, where it has two."""
        with self._lock:
            house = self._houses.house(key)
            first = self._houses.recognise(key, mark)
            if key not in self._houses:
                self._leave(key, house)
            return first

    def _leave(self, key: str, house: int) -> None:
        """Forget what was chosen in a house whose key is worth nothing any more."""
        for vote in self._votes.values():
            vote.forget(house)
        for ballot in self._ballots.values():
            ballot.forget(house)

    # What is asked

    def ask(self, key: str, exercise: int | None) -> None:
        """Send an exercise to the phones, by its number from 1, or take it back."""
        with self._hosted(key):
            self._vote, self._ballot = None if exercise is None else Vote(exercise), None
            if self._vote is not None:
                self._votes[self._vote.exercise] = self._vote

    def ask_whom_to_trust(self, key: str, number: int | None) -> None:
        """Let the phones vote on the five sealed mechanisms of a number, or take that back."""
        with self._hosted(key):
            self._vote, self._ballot = None, None if number is None else Ballot(number)
            if self._ballot is not None:
                self._ballots[self._ballot.number] = self._ballot

    def close_vote(self, key: str) -> None:
        """Count out what was chosen."""
        with self._hosted(key):
            for asked in (self._vote, self._ballot):
                if asked is not None:
                    asked.is_open = False

    def show_result(self, key: str, number: int, result: SealedResult) -> None:
        """What the audit found of the five of a number."""
        with self._hosted(key):
            ballot = self._balloted()
            if number != ballot.number:
                raise RoomError(limits.NOT_NOW)
            ballot.result, ballot.is_open = result, False

    def show_answer(self, key: str, exercise: int, answer: ExerciseAnswer) -> None:
        with self._hosted(key):
            self._asked().show_answer(exercise, answer)

    def _asked(self) -> Vote:
        """The exercise that is asked."""
        if self._vote is None:
            raise RoomError(limits.NOT_NOW)
        return self._vote

    def _balloted(self) -> Ballot:
        """The vote on five sealed mechanisms."""
        if self._ballot is None:
            raise RoomError(limits.NOT_NOW)
        return self._ballot

    def predict(self, key: str, exercise: int, option: int) -> None:
        """Answer the exercise that is asked; it can be changed until voting is closed."""
        with self._played(key) as player:
            self._asked().predict(player, exercise, option)

    def _answers(self, house: int) -> dict[str, str]:
        """What a house has answered in this lesson, and what was right, by what was asked."""
        told: dict[str, str] = {}
        for number, vote in sorted(self._votes.items()):
            told |= vote.answers(house, f"exercise {number}")
        for number, ballot in sorted(self._ballots.items()):
            told[f"five {number}"] = votes_text(ballot.votes(house))
        return told

    def trust(self, key: str, number: int, letter: str, trusted: bool) -> None:
        """Vote on a sealed mechanism; it can be changed until voting is closed."""
        with self._played(key) as player:
            self._balloted().vote(player, number, letter, bool(trusted))

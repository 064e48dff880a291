"""Who is in a room: its host, the players and their houses; and what phones are asked besides the round: an
exercise, or whom of five sealed mechanisms they trust.

What is chosen is not counted out before the host closes the vote, and the answer is shown when he shows it.
"""

import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Generic, TypeVar

from rtp.play import limits
from rtp.play.limits import RoomError, Seats, TimeSource
from rtp.scenario import must_be_one_of
from rtp.teaching.exercises import EXERCISES
from rtp.teaching.sealed import SEALED_LETTERS, Votes, votes_text

Said = TypeVar("Said")


@dataclass(frozen=True)
class Tally:
    """An exercise that the phones are asked. What is chosen is not counted out before voting is closed."""

    exercise: int  # from 1
    voted: int
    asked: int  # players
    counts: tuple[int, ...] | None  # by option; None while there is a vote
    right: int | None  # the option that is, once the answer is shown


@dataclass(frozen=True)
class BallotTally:
    """A vote on five sealed mechanisms. What is chosen is not counted out before voting is closed."""

    number: int  # of the five
    voted: int  # on all letters
    asked: int  # players
    counts: Mapping[str, tuple[int, int]] | None  # by letter: who trusts it, and who does not
    audited: bool  # the audit has ended, and what it found is shown

    def majority(self) -> Votes:
        """What most say of each letter that somebody voted on; a tie trusts nobody."""
        counts = (self.counts or {}).items()
        return {letter: trust > doubt for letter, (trust, doubt) in counts if trust + doubt}


class Poll(Generic[Said]):
    """What phones are asked: an exercise, or five sealed mechanisms, by the number. Mutable; used under its
    room's lock."""

    def __init__(self, number: int) -> None:
        self.number, self.is_open, self.shown = number, True, False
        self.said: dict[int, Said] = {}  # by player; it can be changed until voting is closed

    def must_take(self, number: int) -> None:
        """Refuse what comes too late."""
        if number != self.number or not self.is_open:
            raise RoomError(limits.TOO_LATE)

    def show(self, number: int) -> None:
        """Close voting, and show what came of it."""
        if number != self.number:
            raise RoomError(limits.NOT_NOW)
        self.shown, self.is_open = True, False


Vote = Poll[int]  # the option of an exercise
Ballot = Poll[dict[str, bool]]  # by letter: whether it is trusted


def options_of(exercise: int) -> range:
    """The options of an exercise, by its number from 1."""
    return range(len(EXERCISES[exercise - 1].options))


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
        self._right: dict[int, int] = {}  # the right option of those that were answered
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
            vote.said.pop(house, None)
        for ballot in self._ballots.values():
            ballot.said.pop(house, None)

    # What is asked

    def ask(self, key: str, exercise: int | None) -> None:
        """Send an exercise to the phones, by its number from 1, or take it back."""
        with self._hosted(key):
            must_be_one_of("exercise", exercise, (None, *range(1, len(EXERCISES) + 1)))
            self._vote = self._ballot = None
            if exercise is not None:
                self._vote = self._votes[exercise] = Vote(exercise)

    def ask_whom_to_trust(self, key: str, number: int | None) -> None:
        """Let the phones vote on the five sealed mechanisms of a number, or take that back."""
        with self._hosted(key):
            self._vote = self._ballot = None
            if number is not None:
                self._ballot = self._ballots[number] = Ballot(number)

    def close_vote(self, key: str) -> None:
        """Count out what was chosen."""
        with self._hosted(key):
            for asked in (self._vote, self._ballot):
                if asked is not None:
                    asked.is_open = False

    def show_audit(self, key: str, number: int) -> None:
        """Show what the audit found of the five of a number."""
        with self._hosted(key):
            self._asked(self._ballot).show(number)

    def show_answer(self, key: str, exercise: int, right: int) -> None:
        """Show the answer of an exercise, and which of its options is right."""
        with self._hosted(key):
            self._asked(self._vote).show(exercise)
            self._right[exercise] = right

    def _asked(self, poll: Poll[Said] | None) -> Poll[Said]:
        """The poll, where it is held."""
        if poll is None:
            raise RoomError(limits.NOT_NOW)
        return poll

    def predict(self, key: str, exercise: int, option: int) -> None:
        """Choose an option of an exercise; it can be changed until voting is closed."""
        with self._played(key) as player:
            vote = self._asked(self._vote)
            vote.must_take(exercise)
            must_be_one_of("option", option, options_of(exercise))
            vote.said[player] = option

    def trust(self, key: str, number: int, letter: str, trusted: bool) -> None:
        """Vote on a sealed mechanism; it can be changed until voting is closed."""
        with self._played(key) as player:
            ballot = self._asked(self._ballot)
            ballot.must_take(number)
            must_be_one_of("letter", letter, SEALED_LETTERS)
            ballot.said.setdefault(player, {})[letter] = bool(trusted)

    # What is seen of it

    def _tally(self) -> Tally | None:
        """What everybody may see of the exercise that is asked."""
        if (vote := self._vote) is None:
            return None
        chosen = list(vote.said.values())
        counts = None if vote.is_open else tuple(map(chosen.count, options_of(vote.number)))
        right = self._right[vote.number] if vote.shown else None
        return Tally(vote.number, len(chosen), self.joined, counts, right)

    def _ballot_tally(self) -> BallotTally | None:
        """What everybody may see of the vote on five sealed mechanisms."""
        if (ballot := self._ballot) is None:
            return None
        cast = list(ballot.said.values())
        whole = sum(len(each) == len(SEALED_LETTERS) for each in cast)
        said = {letter: [each.get(letter) for each in cast] for letter in SEALED_LETTERS}
        counts = {letter: (votes.count(True), votes.count(False)) for letter, votes in said.items()}
        shown = None if ballot.is_open else counts
        return BallotTally(ballot.number, whole, self.joined, shown, ballot.shown)

    def _answers(self, house: int) -> dict[str, str]:
        """What a house was asked, by name: the letters of its option and of the right one, and its votes."""
        told: dict[str, str] = {}
        for number, vote in sorted(self._votes.items()):
            name, right = f"exercise {number}", self._right.get(number)
            for title, option in ((name, vote.said.get(house)), (f"{name}: right", right)):
                told[title] = "" if option is None else ascii_lowercase[option]
        for number, ballot in sorted(self._ballots.items()):
            told[f"five {number}"] = votes_text(ballot.said.get(house, {}))
        return told

"""One round of a room: recorded step by step, revealed, and replayed under another rate. It knows no keys.

What a step publishes is computed by the first who asks for it, and kept until the next step; what a replay
shows is kept until the round is over. Not to be used but under the lock of its room.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from rtp.attack.scores import right_guesses
from rtp.core.types import Floats
from rtp.mechanisms import UNPROTECTED
from rtp.play.round import BY_HABIT, Guess, Round
from rtp.play.scores import PlayerScore, Scores, price_name, reveal, words
from rtp.play.seen import House, Reveal, Row
from rtp.play.street import PlayedStreet, in_one_street, play_street

Value = TypeVar("Value")


class Game:
    """Mutable. Houses are counted from 0 here, and from 1 in what is shown."""

    def __init__(self, first: Round, saved: bool = False) -> None:
        self._round, self._saved = first, saved  # a saved one is over, and nobody here has played in it
        self._guesses: dict[tuple[int, int], Guess] = {}  # by step and player
        self._kept: dict[tuple[object, ...], Any] = {}
        self.revealed = saved
        self.rate, self.epsilon, self.together = first.mechanism, first.epsilon, False  # of the replay

    @property
    def step(self) -> int:
        """The step that was published last."""
        return max(len(self._round.choices) - 1, 0)

    @property
    def is_last(self) -> bool:
        return self.step + 1 == self._round.steps

    @property
    def players(self) -> int:
        """How many houses belong to players of this room."""
        return 0 if self._saved else self._round.players

    @property
    def answered(self) -> int:
        """How many have guessed at this step."""
        return sum(step == self.step for step, _ in self._guesses)

    def publish(self, players: int, switches: Mapping[int, int]) -> None:
        """Lay down the switches as they stand, and with them the next price. Who came late has taken a
        simulated house."""
        houses = self._round.houses
        row = tuple(switches.get(house, BY_HABIT) for house in range(houses))
        self._round = self._round.replace(players=min(players, houses), choices=(*self._round.choices, row))
        self._kept = {}

    def asked(self, player: int) -> int | None:
        """The house that a player is asked about at this step, if she plays."""
        plays = player < self.players and not self.revealed
        return self._round.asked_about(player, self.step) if plays else None

    def guess(self, player: int, at_home: bool) -> None:
        house = self._round.asked_about(player, self.step)
        own = Guess(step=self.step, player=player, house=house, at_home=at_home)
        self._guesses[self.step, player] = own

    def guessed(self, player: int) -> bool | None:
        """What a player guesses at this step."""
        own = self._guesses.get((self.step, player))
        return None if own is None else own.at_home

    def reveal(self) -> None:
        """End the round with the steps that were played."""
        played, guesses = len(self._round.choices), tuple(self._guesses.values())
        self._round = self._round.replace(steps=played, guesses=guesses)
        self._kept, self.revealed = {}, True

    def shown(self) -> Round:
        """The round as it is played or, once revealed, as it is replayed."""
        return self._once("round", self._replayed) if self.revealed else self._round

    def _replayed(self) -> Round:
        own = self._round.scenario.replace(epsilon=self.epsilon)
        replayed = self._round.replace(scenario=own, mechanism=self.rate)
        return in_one_street(replayed) if self.together else replayed

    def prices(self, street: int) -> tuple[float, ...]:
        """The prices of a street so far."""
        return tuple(self._street(street).price[: self.step + 1].tolist())

    def at_home(self, house: int) -> bool:
        """The truth of this step: for the house's own player."""
        street = self._street(self.shown().street_of(house))
        return bool(street.at_home[self.step, house - street.houses.start])

    def house(self, house: int, with_belief: bool) -> House:
        """A house as everybody may see it."""
        here, belief = self.shown(), None
        if with_belief:
            street = self._street(here.street_of(house))
            belief = float(street.belief[self.step, house - street.houses.start])
        return House(house + 1, here.use(house), here.is_simulated(house), belief)

    def result(self, street: int) -> Reveal:
        """What the round has taught, with the truth of one street."""
        return self._once(f"result {street}", lambda: self._result(street))

    def _result(self, street: int) -> Reveal:
        scores = self._scores()
        return Reveal(
            mechanism=self.rate,
            private=scores.round.private,
            is_private=self.rate != UNPROTECTED,
            epsilon=self.epsilon,
            together=self.together,
            rows=tuple(map(self._row, self.shown().houses_of(street))),
            class_right=scores.class_right,
            class_rate="" if self._saved else price_name(self._round.mechanism, self._round.epsilon),
            unprotected_right=scores.unprotected_right,
            private_right=scores.private_right,
            habits_right=scores.habits_right,
            missed_percent=scores.missed_percent,
            words=words(scores),
        )

    def _row(self, house: int) -> Row:
        scores = self._scores()
        at_home, belief = scores.at_home[:, house].tolist(), scores.belief[:, house].tolist()
        return Row(house + 1, tuple(at_home), tuple(belief), self._right(house, scores.belief))

    def _right(self, house: int, belief: Floats) -> float:
        """At how many steps a belief had a house right; half a step where it could not tell."""
        return right_guesses(self._scores().at_home[:, house], belief[:, house])

    def score(self, player: int) -> PlayerScore:
        return self._scores().players[player]

    def seen(self, player: int) -> tuple[float, float]:
        """At how many steps the observer had a house right: from the exact price, and from the private
        one."""
        scores = self._scores()
        return self._right(player, scores.unprotected_belief), self._right(player, scores.private_belief)

    def _street(self, street: int) -> PlayedStreet:
        return self._once(f"street {street}", lambda: play_street(self.shown(), street))

    def _scores(self) -> Scores:
        return self._once("scores", lambda: reveal(self.shown()))

    def _once(self, name: str, make: Callable[[], Value]) -> Value:
        """What `make` gives, computed once for a step or a replay."""
        key = (name, self.rate, self.epsilon, self.together)
        if key not in self._kept:
            self._kept[key] = make()
        value: Value = self._kept[key]
        return value

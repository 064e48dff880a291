"""One round of a room: recorded step by step, revealed, and replayed under another rate. It knows no keys.

What a step publishes is computed by the first who asks for it, and kept until the next step; what a replay
shows is kept until the round is over. Not to be used but under the lock of its room.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from rtp.core.stats import Range, right_guesses
from rtp.core.types import Bools, Floats
from rtp.mechanisms import UNPROTECTED
from rtp.play.round import BY_HABIT, NOBODY, Guess, Round
from rtp.play.scores import (
    Points,
    Scores,
    class_share,
    count_points,
    price_name,
    reveal,
)
from rtp.play.seen import SeenHouse
from rtp.play.street import PlayedStreet, in_one_street, play_street, record_street

_Value = TypeVar("_Value")


class Game:
    """Mutable. Houses are counted from 0 here, and from 1 in what is shown."""

    def __init__(self, first: Round, saved: bool = False) -> None:
        self._round, self._saved = first, saved  # a saved one is over, and nobody here has played in it
        self._guesses: dict[tuple[int, int], Guess] = {}  # by step and player
        self._kept: dict[tuple[object, ...], Any] = {}
        self.over, self.revealed = saved, saved  # guesses are closed; all is shown
        self.rate, self.epsilon, self.together = first.mechanism, first.epsilon, False  # of the replay
        self.knows_private = first.mechanism != UNPROTECTED

    @property
    def step(self) -> int:
        """The step that was published last."""
        return max(len(self._round.choices) - 1, 0)

    @property
    def is_last(self) -> bool:
        return self.step + 1 == self._round.steps

    @property
    def closed(self) -> int:
        """How many steps are over: of those the points are told."""
        return len(self._round.choices) if self.over else self.step

    def plays(self, house: int) -> bool:
        """Whether a house of this room's plays at this step or, once it is over, did at any."""
        steps = range(self.step + 1) if self.over else (self.step,)
        return not self._saved and any(self._round.plays(house, step) for step in steps)

    def answered(self, houses: Collection[int]) -> int:
        """How many of these have guessed at this step."""
        return sum((self.step, house) in self._guesses for house in houses)

    def publish(self, taken: Collection[int], switches: Mapping[int, int]) -> None:
        """Lay down the switches as they stand, and with them the next price. Who came late has taken a
        simulated house; the one of who has gone is simulated."""
        own = self._round
        here = [house for house in taken if house < own.houses]
        row = tuple(switches.get(house, BY_HABIT) if house in here else NOBODY for house in range(own.houses))
        players = max([own.players, *(house + 1 for house in here)])
        self._round = own.replace(players=players, choices=(*own.choices, row))
        self._kept = {}

    def forget(self, house: int) -> None:
        """Nobody who has this house has guessed at this step."""
        if not self.over:
            self._guesses.pop((self.step, house), None)

    def asked(self, player: int) -> int | None:
        """The house that a player is asked about at this step, if she plays."""
        plays = not self.over and self.plays(player)
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
        self._kept, self.over, self.revealed = {}, True, True

    def replay(self, mechanism: str) -> None:
        """Show the same hours under another rate."""
        self.rate = mechanism
        self.knows_private |= mechanism != UNPROTECTED

    @property
    def played(self) -> Round:
        """The round as it was played."""
        return self._round

    def points(self) -> dict[int, Points]:
        """What every house has won in the steps that are over."""

        def count() -> dict[int, Points]:
            own = self._round.replace(guesses=tuple(self._guesses.values()))
            return count_points(own, self._truth(), self.closed)

        return self._once(f"points {self.closed}", count) if self.closed and not self._saved else {}

    def _truth(self) -> Bools:
        """(steps, houses): who was at home."""
        own = self._round
        return np.hstack([record_street(own, street).at_home for street in range(len(own.streets))])

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

    def house(self, house: int, with_belief: bool) -> SeenHouse:
        """A house as everybody may see it."""
        here, belief = self.shown(), None
        if with_belief:
            street = self._street(here.street_of(house))
            belief = float(street.belief[self.step, house - street.houses.start])
        points = self.points().get(house)
        simulated = not here.plays(house, self.step)
        known = SeenHouse(house + 1, here.use(house), simulated, belief, points.total if points else None)
        if not self.revealed:
            return known
        scores = self.scores()
        at_home, believed = scores.at_home[:, house].tolist(), scores.belief[:, house].tolist()
        return replace(
            known,
            history=tuple(zip(at_home, believed, strict=True)),
            right=self._right(house, scores.belief),
        )

    def class_right(self) -> Range | None:
        """How often the class guessed right, as it played."""
        return self._once("class", lambda: class_share(self._round, self._truth()))

    @property
    def class_rate(self) -> str:
        """The rate that the class read; "" of a saved round."""
        return "" if self._saved else price_name(self._round.mechanism, self._round.epsilon)

    def _right(self, house: int, belief: Floats) -> float:
        """At how many steps a belief had a house right; half a step where it could not tell."""
        return float(right_guesses(belief[:, house], self.scores().at_home[:, house]).sum())

    def seen(self, player: int) -> tuple[float, float]:
        """At how many steps the observer had a house right: from the exact price, and from the private
        one."""
        scores = self.scores()
        return self._right(player, scores.unprotected_belief), self._right(player, scores.private_belief)

    def _street(self, street: int) -> PlayedStreet:
        return self._once(f"street {street}", lambda: play_street(self.shown(), street))

    def scores(self) -> Scores:
        """What the round, or its replay, has taught."""
        return self._once("scores", lambda: reveal(self.shown()))

    def _once(self, name: str, make: Callable[[], _Value]) -> _Value:
        """What `make` gives, computed once for a step or a replay."""
        key = (name, self.rate, self.epsilon, self.together)
        if key not in self._kept:
            self._kept[key] = make()
        value: _Value = self._kept[key]
        return value

"""A round of Play: its streets, what every house chose, and who guessed what; frozen, and saved as JSON.

Houses are numbered from 0; the first `players` belong to players, the others are simulated and fill up the
last street. A player's house that nobody has at a step, as one whose player comes later or was removed, is
simulated then. A street is `per_street` houses in a row, whose sizes are the first of 1, 2, 4, 8, 16 kW, and
again from the first where it has more houses. Doubling makes every sum of sizes another one, so that an exact
price can be solved with a pencil.

A house uses a uniform 0.6 to 1 of its size at home and 0 to 0.1 away, at every step anew.

**Who is asked about whom.** Players of a street sit in a circle. At step t each is asked about the one who
sits 1 + t mod (n − 1) places on: never about herself, at each step every house by exactly one player, and
each of the others in turn. The circle is of those who play at the step. Where a player is alone with
simulated houses, the circle is all houses of the street.
"""

import json
from itertools import cycle, islice
from typing import Annotated, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from rtp.core.language import figure, say
from rtp.core.time import StepMinutes, hhmm
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.scenario import Bounds, Scenario, must_be_one_of, must_be_within, read_object, refusal
from rtp.scenario.validation import Flag, Frozen, ScenarioError

PLAY_BOUNDS = {
    "players": Bounds(1, 100, "Players"),
    "per_street": Bounds(3, 200, "Houses per street"),
    "steps": Bounds(1, 24, "Steps, an hour each"),
    "first_hour": Bounds(0, 23, "Hour at which the round begins"),
}
SMALLEST_STREET = int(PLAY_BOUNDS["per_street"].low)
MAX_SIZES = 8  # of different houses on a street
HOME, AWAY = (0.6, 1.0), (0.0, 0.1)  # of its size that a house uses
NOBODY, BY_HABIT, CHOSE_AWAY, CHOSE_HOME = -2, -1, 0, 1  # nobody has the house: it follows its habits, too
STEP_MINUTES: StepMinutes = 60

Whole = Annotated[int, Field(strict=True)]
_Choice = Annotated[int, Field(strict=True, ge=NOBODY, le=CHOSE_HOME)]
Size = Annotated[float, Field(strict=True, ge=0.01, le=1000.0)]


def shared_street(players: int, at_least: int) -> int:
    """Return the fewest houses a street, from these on, with which no player is alone on the last street."""
    lengths = range(at_least, max(players, at_least) + 1)
    return next(length for length in lengths if players == 1 or players % length != 1)


class Guess(Frozen):
    """What a player guessed about another house at a step."""

    step: Whole
    player: Whole  # the guesser's own house
    house: Whole
    at_home: Flag


class UseWords(NamedTuple):
    """What a house uses, in words: its size, and what that means at home and away."""

    size: str
    at_home: str
    away: str

    def __str__(self) -> str:
        use = f"{self.at_home}, {self.away}"
        return say("{what}: {words}", what=self.size, words=use)


class Round(Frozen):
    """One round of play: the scenario, its streets, the choices and the guesses so far.

    Parameters
    ----------
    scenario : Scenario
        Its tariff, ε and seed.
    players : int
        How many there are, a house each.
    per_street : int
        Houses of one street; each street has a price of its own.
    sizes : tuple of float
        Which sizes houses come in.
    steps, first_hour : int
        How many hours are played, and from when.
    mechanism : str
        Of the rate that is published.
    habits : {"coin"}
        How houses live that nobody decides for.
    choices : tuple of tuple
        By step and house; steps that are missing are by habit.
    guesses : tuple of Guess
        Who guessed what of whom, and when.

    Examples
    --------
    >>> from rtp.play import Round
    >>> played = Round(players=8)
    >>> len(played.streets), Round.from_json(played.to_json()) == played
    (2, True)
    """

    scenario: Scenario = Scenario()  # its tariff, ε and seed
    players: Whole = 20
    per_street: Whole = 4
    sizes: Annotated[tuple[Size, ...], Field(min_length=1, max_length=MAX_SIZES)] = (1.0, 2.0, 4.0, 8.0, 16.0)
    steps: Whole = 12
    first_hour: Whole = 7
    mechanism: str = UNPROTECTED  # of the rate that is published
    habits: Literal["coin"] = "coin"  # how houses live that nobody decides for
    choices: tuple[tuple[_Choice, ...], ...] = ()  # by step and house; steps that are missing are by habit
    guesses: tuple[Guess, ...] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        for name, bounds in PLAY_BOUNDS.items():
            must_be_within(name, getattr(self, name), bounds)
        must_be_one_of("mechanism", self.mechanism, REGISTRY)
        if len({format(size, "g") for size in self.sizes}) < len(set(self.sizes)):
            raise refusal("sizes", self.sizes, "differ within six digits where they differ")
        if len(self.choices) > self.steps:
            raise refusal("choices", f"{len(self.choices)} steps", f"have at most {self.steps}")
        for t, row in enumerate(self.choices):
            if len(row) != self.houses:
                raise refusal(
                    f"choices[{t}]", f"{len(row)} entries", f"have one for each of {self.houses} houses"
                )
        self._check_guesses()
        return self

    def _check_guesses(self) -> None:
        for i, guess in enumerate(self.guesses):
            must_be_within(f"guesses[{i}].step", guess.step, Bounds(0, self.steps - 1, ""))
            must_be_within(f"guesses[{i}].player", guess.player, Bounds(0, self.players - 1, ""))
            street = self.street_of(guess.player)
            if guess.house == guess.player or guess.house not in self.streets[street]:
                raise refusal(f"guesses[{i}].house", guess.house, "be another house of the player's street")
        if len({(guess.step, guess.player) for guess in self.guesses}) < len(self.guesses):
            raise ScenarioError("guesses", "have two of one player at one step; each may have one.")

    @property
    def epsilon(self) -> float:
        return self.scenario.epsilon

    @property
    def private(self) -> str:
        """The private rate to compare with: the published one, or Blowfish where that is unprotected."""
        return FEATURED if REGISTRY[self.mechanism].protects == "nobody" else self.mechanism

    @property
    def houses(self) -> int:
        """How many there are, simulated ones included."""
        return -(-self.players // self.per_street) * self.per_street

    @property
    def streets(self) -> tuple[range, ...]:
        """The houses of every street."""
        return tuple(map(self.houses_of, range(self.houses // self.per_street)))

    def houses_of(self, street: int) -> range:
        return range(street * self.per_street, (street + 1) * self.per_street)

    @property
    def street_sizes(self) -> tuple[float, ...]:
        """The sizes of a street's houses; the same on every street."""
        return tuple(islice(cycle(self.sizes), self.per_street))

    def street_of(self, house: int) -> int:
        return house // self.per_street

    def size(self, house: int) -> float:
        return self.street_sizes[house % self.per_street]

    def plays(self, house: int, step: int) -> bool:
        """Whether a house is a player's at a step; else it is simulated."""
        laid_down = step < len(self.choices)
        return house < self.players and not (laid_down and self.choices[step][house] == NOBODY)

    def when(self, step: int) -> str:
        """The clock at a step, HH:MM."""
        return hhmm(self.first_hour + step)

    def use(self, house: int) -> UseWords:
        """What the size of a house means."""
        size = self.size(house)
        low, most = (figure(f"{share * size:.3g}") for share in (HOME[0], AWAY[1]))
        at_home = say("{low}–{high} at home", low=low, high=size)
        return UseWords(f"{figure(f'{size:g}')} kW", at_home, say("up to {most} away", most=most))

    def price_words(self) -> str:
        """How the published rate follows from what a street uses, for a student with a pencil."""
        own, published = self.scenario, REGISTRY[self.mechanism]
        base = own.beta + own.alpha * own.inelastic_demand
        optimal = say(
            "The optimal rate is {base} plus {alpha} for every kW that the street uses.",
            base=float(base),
            alpha=float(own.alpha),
        )
        if published.adds_noise:
            return f"{optimal} {say('Noise is added to it.')}"
        return optimal if published.reads_demand else f"{optimal} {say('Published is a forecast of it.')}"

    def asked_about(self, player: int, step: int) -> int:
        """The house that a player is asked about at a step."""
        street = self.streets[self.street_of(player)]
        players = [house for house in street if self.plays(house, step)]
        circle = players if len(players) > 1 and player in players else list(street)
        return circle[(circle.index(player) + 1 + step % (len(circle) - 1)) % len(circle)]

    def choice_array(self) -> NDArray[np.int8]:
        """(steps, houses): the choices, by habit where none was made."""
        result = np.full((self.steps, self.houses), BY_HABIT, dtype=np.int8)
        if self.choices:
            result[: len(self.choices)] = self.choices
        return result

    def to_json(self, indent: int | None = None) -> str:
        return self.model_dump_json(indent=indent)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The round of a JSON text; refuses what it does not understand to the last key."""
        data = read_object(text)
        if isinstance(data.get("scenario"), dict):
            data["scenario"] = Scenario.from_json(json.dumps(data["scenario"]))
        return cls(**data)

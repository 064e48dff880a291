"""A room in which a class plays: who may do what, and what each is shown.

A room has a code of four letters, which everybody may know, and keys, which only their owners have: the
host's, and one for every player. Every action takes a key and is refused, in one sentence, where that key may
not do it. What comes back is frozen and holds no more than its reader may see: a `Board` is for all, a
`Place` for one player. So the code alone shows what is projected, a player's key moves one house, and nothing
that a room gives away has a key in it.

A step is published with the switches as they stand at that moment; then everybody guesses about it, and
moves the switch for the next one. A round goes on by hand, or by the clock: whoever looks first after a step
is over moves it on, under the room's lock. What a step publishes is computed by the first who looks at it,
and kept until something changes.
"""

import secrets
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from rtp.mechanisms import FEATURED, REGISTRY
from rtp.play import limits
from rtp.play.game import Game
from rtp.play.limits import Clock, Pace, RoomError
from rtp.play.round import BY_HABIT, CHOSE_AWAY, CHOSE_HOME, PLAY_BOUNDS, Round
from rtp.play.seen import TOGETHER, Board, Phase, Place, Settings, Tally
from rtp.scenario import must_be_one_of
from rtp.teaching.exercises import EXERCISES, ExerciseAnswer

SMALLEST_STREET = int(PLAY_BOUNDS["per_street"].low)
SEEDS = 2**31  # that a room draws its own from


def new_key() -> str:
    return secrets.token_urlsafe(16)


class Room:
    """Mutable, and changed under its lock only. Its public methods are all that anybody can do with it."""

    def __init__(
        self, code: str, host: str, clock: Clock, first: Round, saved: bool = False, address: str = ""
    ) -> None:
        self.code, self.touched, self.address = code, clock(), address  # of its host
        self._joins = Pace(limits.JOIN_AT_ONCE, limits.JOIN_EVERY, clock)
        self._houses_of: Counter[str] = Counter()  # how many were taken, by address
        self._lock, self._clock, self._scenario = threading.RLock(), clock, first.scenario
        self._host = host
        self._players: dict[str, int] = {}  # the house, from 0, by key
        self._settings = Settings(epsilon=first.epsilon)
        self._phase: Phase = "revealed" if saved else "gathering"
        self._paused, self._began = False, 0.0  # the clock of a round, and when its step began
        self._switches: dict[int, int] = {}  # by house
        self._game = Game(first, saved) if saved else None
        self._exercise: int | None = None
        self._answers: dict[int, int] = {}  # the option, by player
        self._answer: ExerciseAnswer | None = None

    # Who

    def is_host(self, key: str) -> bool:
        return secrets.compare_digest(key.encode(), self._host.encode())

    def check_host(self, key: str) -> None:
        if not self.is_host(key):
            raise RoomError(limits.NOT_HOST)
        self.touched = self._clock()

    def _player(self, key: str) -> int:
        if key not in self._players:
            raise RoomError(limits.NOT_PLAYER)
        return self._players[key]

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
            yield self._player(key)
            self.touched = self._clock()

    @property
    def is_empty(self) -> bool:
        """Whether nobody has joined it."""
        return not self._players

    def knows(self, key: str) -> bool:
        """Whether a key is the host's or a player's."""
        return key in self._players or self.is_host(key)

    def join(self, address: str = "") -> str:
        """Take the next house; gives its key."""
        with self._lock:
            if len(self._players) >= limits.MAX_PLAYERS:
                raise RoomError(limits.FULL)
            if address != self.address and self._houses_of[address] >= limits.HOUSES_PER_ADDRESS:
                raise RoomError(limits.MANY_HERE)
            self._joins.check(address)
            self._joins.act(address)
            self._houses_of[address] += 1
            key = new_key()
            self._players[key] = len(self._players)
            self.touched = self._clock()
            return key

    # The host's

    def configure(self, key: str, name: str, value: object) -> None:
        """Change a setting: what a round is made of from the next one on, the rest at once."""
        with self._hosted(key):
            self._settings = self._settings.changed(name, value)
            if self._game is not None and self._game.revealed:
                self._game.epsilon = self._settings.epsilon

    def start(self, key: str) -> None:
        """Begin a round with those who have joined, or the next one when one is over."""
        with self._hosted(key):
            if self._phase == "playing" or not self._players:
                raise RoomError(limits.NOT_NOW)
            seed = (self._scenario.seed + (self._game is not None)) % SEEDS
            self._scenario = self._scenario.replace(seed=seed, epsilon=self._settings.epsilon)
            self._game = Game(self._next_round())
            self._phase, self._paused = "playing", False
            self._settings = replace(self._settings, street=0)
            self._publish(self._clock())

    def _next_round(self) -> Round:
        """The round of those who have joined, as it is set up now."""
        own, players = self._settings, len(self._players)
        together = max(players, SMALLEST_STREET)
        return Round(
            scenario=self._scenario,
            players=players,
            per_street=together if own.per_street == TOGETHER else own.per_street,
            steps=own.steps,
            mechanism=own.mechanism,
        )

    def pause(self, key: str) -> None:
        """Hold the clock, or let it go on with a whole step."""
        with self._hosted(key):
            self._now("playing")
            self._paused, self._began = not self._paused, self._clock()

    def next(self, key: str, step: int) -> None:
        """On to the step after this one; a second click on the same one does nothing."""
        with self._hosted(key):
            if step == self._now("playing").step:
                self._go_on(self._clock())

    def reveal(self, key: str) -> None:
        """End the round with the steps that were played, and show the truth."""
        with self._hosted(key):
            self._now("playing", "over").reveal()
            self._phase = "revealed"

    def again(self, key: str, mechanism: str = FEATURED) -> None:
        """Replay what was recorded under another rate."""
        with self._hosted(key):
            must_be_one_of("mechanism", mechanism, REGISTRY)
            self._now("revealed").rate = mechanism

    def together(self, key: str, together: bool) -> None:
        """Replay it with all houses in one street, or in streets as it was."""
        with self._hosted(key):
            self._now("revealed").together = bool(together)
            self._settings = replace(self._settings, street=0)

    def saved(self, key: str) -> str:
        """The revealed round as JSON."""
        with self._hosted(key):
            return self._now("revealed").shown().to_json(2)

    def ask(self, key: str, exercise: int | None) -> None:
        """Send an exercise to the phones, by its number from 1, or take it back."""
        with self._hosted(key):
            if exercise is not None:
                must_be_one_of("exercise", exercise, range(1, len(EXERCISES) + 1))
            self._exercise, self._answers, self._answer = exercise, {}, None

    def show_answer(self, key: str, exercise: int, answer: ExerciseAnswer) -> None:
        with self._hosted(key):
            if exercise != self._exercise:
                raise RoomError(limits.NOT_NOW)
            self._answer = answer

    # A player's

    def choose(self, key: str, choice: int) -> None:
        """Set the switch of one's own house; it counts from the next price on."""
        with self._played(key) as house:
            must_be_one_of("choice", choice, (BY_HABIT, CHOSE_AWAY, CHOSE_HOME))
            self._switches[house] = choice

    def guess(self, key: str, step: int, house: int, at_home: bool) -> None:
        """Answer the question of a step about a house, from 1; it can be changed until the next step."""
        with self._played(key) as player:
            self._tick()
            game = self._now("playing")
            if (step, house - 1) != (game.step, game.asked(player)):
                raise RoomError(limits.TOO_LATE)
            game.guess(player, bool(at_home))

    def predict(self, key: str, exercise: int, option: int) -> None:
        """Answer the exercise that is asked; it can be changed until the answer is shown."""
        with self._played(key) as player:
            if exercise != self._exercise or self._answer is not None:
                raise RoomError(limits.TOO_LATE)
            must_be_one_of("option", option, range(len(EXERCISES[exercise - 1].options)))
            self._answers[player] = option

    # What is seen

    def board(self, with_street: bool = True) -> Board:
        """What everybody may see now; phones need not be told of the street on the beamer."""
        with self._lock:
            self._tick()
            own = self._scenario
            board = Board(
                code=self.code,
                phase=self._phase,
                settings=self._settings,
                players=len(self._players),
                steps=self._settings.steps,
                no_demand=own.alpha * own.inelastic_demand + own.beta,
                tally=self._tally(),
            )
            return board if self._game is None else self._with_round(board, self._game, with_street)

    def _with_round(self, board: Board, game: Game, with_street: bool) -> Board:
        here = game.shown()
        streets = len(here.streets)
        street = min(self._settings.street, streets - 1)
        known = replace(
            board,
            steps=here.steps,
            step=game.step,
            paused=self._paused,
            left=self._left(),
            clock=here.when(game.step),
            answered=game.answered,
            streets=streets,
            street=street,
            price_words=here.price_words(),
            most=board.no_demand + self._scenario.alpha * sum(here.street_sizes),
            reveal=game.result(street) if game.revealed else None,
        )
        if not with_street:
            return known
        houses = tuple(game.house(house, self._settings.beliefs) for house in here.houses_of(street))
        return replace(known, houses=houses, prices=game.prices(street))

    def place(self, key: str) -> Place:
        """What one player may see now."""
        with self._lock:
            player, board, game = self._player(key), self.board(with_street=False), self._game
            choice, option = self._switches.get(player, BY_HABIT), self._answers.get(player)
            place = Place(board=board, number=player + 1, choice=choice, option=option)
            if game is None:
                return replace(place, use=self._next_round().use(player))
            if player >= game.players:
                return replace(place, waiting=True)
            asked = game.asked(player) if self._phase == "playing" else None
            here = game.shown()
            street = here.street_of(player)
            return replace(
                place,
                use=here.use(player),
                at_home=game.at_home(player),
                houses=tuple(game.house(house, with_belief=False) for house in here.houses_of(street)),
                prices=game.prices(street),
                asked=None if asked is None else asked + 1,
                guess=game.guessed(player),
                score=game.score(player) if game.revealed else None,
                seen=game.seen(player) if game.revealed else None,
            )

    def _tally(self) -> Tally | None:
        if self._exercise is None:
            return None
        options, chosen = len(EXERCISES[self._exercise - 1].options), list(self._answers.values())
        return Tally(self._exercise, tuple(map(chosen.count, range(options))), self._answer)

    # How a round goes on

    def _now(self, *phases: Phase) -> Game:
        """The round, where it is in one of these phases."""
        if self._game is None or self._phase not in phases:
            raise RoomError(limits.NOT_NOW)
        return self._game

    def _publish(self, now: float) -> None:
        self._now("playing").publish(len(self._players), self._switches)
        self._began = now

    def _go_on(self, now: float) -> None:
        if self._now("playing").is_last:
            self._phase = "over"
        else:
            self._publish(now)

    def _left(self) -> float | None:
        """Seconds until the clock moves on; None where it does not."""
        if self._phase != "playing" or not self._settings.pace or self._paused:
            return None
        return max(self._began + self._settings.pace - self._clock(), 0.0)

    def _tick(self) -> None:
        """Publish all that is due by now."""
        while self._left() == 0.0:
            self._go_on(self._began + self._settings.pace)

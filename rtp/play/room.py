"""A room in which a class plays: who may do what, and what each is shown.

A room has a code of four letters, which everybody may know, and keys, which only their owners have: the
host's, and one for every player. Every action takes a key and is refused, in one sentence, where that key may
not do it. What comes back is frozen and holds no more than its reader may see: a `Board` is for all, a
`Place` for one player. So the code alone shows what is projected, a player's key moves one house, and nothing
that a room gives away has a key in it. When a round is revealed its settings can be changed and the next one
begins: new choices and new guesses, by default under a private price.

A step is published with the switches as they stand at that moment; then everybody guesses about it, and
moves the switch for the next one. A round goes on by hand, or by the clock: whoever looks first after a step
is over moves it on, under the room's lock. What a step publishes is computed by the first who looks at it,
and kept until something changes.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rtp.core.types import Frame, data_frame
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.play import limits
from rtp.play.game import Game
from rtp.play.limits import RoomError, TimeSource
from rtp.play.round import BY_HABIT, CHOSE_AWAY, CHOSE_HOME, SMALLEST_STREET, Round, shared_street
from rtp.play.scores import NO_POINTS, Cost, Points, RoundResult, costs
from rtp.play.seated import Seated
from rtp.play.seen import IN_TURN, TOGETHER, TURN, Board, Phase, Place, Settings, Winner
from rtp.scenario import must_be_one_of

SEEDS = 2**31  # that a room draws its own from


class Room(Seated):
    """Mutable, and changed under its lock only. Its public methods are all that anybody can do with it."""

    def __init__(
        self, code: str, host: str, clock: TimeSource, first: Round, saved: bool = False, address: str = ""
    ) -> None:
        self.code, self.address = code, address  # of its host
        super().__init__(host, clock)
        self._scenario = first.scenario
        self._settings = Settings(epsilon=first.epsilon)
        self._phase: Phase = "revealed" if saved else "gathering"
        self._paused, self._began = False, 0.0  # the clock of a round, and when its step began
        self._turned = clock()  # when the beamer began with the first street
        self._rounds = 0  # that were begun
        self._results: tuple[RoundResult, ...] = ()  # of those that were revealed, the last two
        self._won: dict[str, dict[int, Points]] = {}  # by key and round
        self._switches: dict[int, int] = {}  # by house
        self._scene: Callable[[], object] | None = None  # where the host's lesson is, beyond the room
        self._game = Game(first, saved) if saved else None

    def _leave(self, key: str, house: int) -> None:
        super()._leave(key, house)
        self._switches.pop(house, None)
        self._won.pop(key, None)
        if self._game is not None:
            self._game.forget(house)

    # The host's

    def configure(self, key: str, name: str, value: object) -> None:
        """Change a setting: what a round is made of from the next one on, the rest at once. Another pace
        begins a whole step."""
        with self._hosted(key):
            if name == "pace":
                self._tick()
                self._began = self._clock()
            changes: dict[str, Any] = {name: value}
            self._settings = replace(self._settings, **changes)
            self._crowd = self._settings.crowd
            if self._game is not None and self._game.revealed:
                self._game.epsilon = self._settings.epsilon

    @property
    def language(self) -> str:
        """The language of all in the room whose own address says no other."""
        return self._settings.language

    def remove(self, key: str, number: int) -> None:
        """Take a house from whoever has it, by its number from 1; the next who joins has it."""
        with self._hosted(key):
            if gone := self._houses.remove(number - 1):
                self._leave(gone, number - 1)

    def start(self, key: str) -> None:
        """Begin a round with those who have joined, or the next one when one is over."""
        with self._hosted(key):
            if self._phase == "playing" or not self.joined:
                raise RoomError(limits.NOT_NOW)
            seed = (self._scenario.seed + (self._game is not None)) % SEEDS
            self._scenario = self._scenario.replace(seed=seed, epsilon=self._settings.epsilon)
            knew = self._game is not None and self._game.knows_private
            self._game = Game(self._next_round())
            self._game.knows_private |= knew
            self._phase, self._paused = "playing", False
            self._settings = replace(self._settings, street=IN_TURN, beliefs=False, slide="truth")
            self._rounds += 1
            self._turned = self._clock()
            self._publish(self._turned)

    def _next_round(self) -> Round:
        """The round of those who have joined, as it is set up now."""
        own, players = self._settings, max(self._houses.taken) + 1
        together = max(players, SMALLEST_STREET)
        return Round(
            scenario=self._scenario,
            players=players,
            per_street=together if own.per_street == TOGETHER else shared_street(players, own.per_street),
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
            game = self._now("playing", "over")
            game.reveal()
            self._phase = "revealed"
            self._settings = replace(self._settings, street=0)
            result = RoundResult(self._rounds, game.scores(), game.class_right())
            self._results = (*self._results, result)[-2:]
            for player, house in self._houses.items():
                if (points := game.points().get(house)) is not None:
                    self._won.setdefault(player, {})[self._rounds] = points
            if self._settings.mechanism == UNPROTECTED:  # the next one is to be with privacy
                self._settings = replace(self._settings, mechanism=FEATURED)

    def again(self, key: str, mechanism: str = FEATURED) -> None:
        """Replay what was recorded under another rate."""
        with self._hosted(key):
            must_be_one_of("mechanism", mechanism, REGISTRY)
            self._now("revealed").replay(mechanism)
            self._settings = replace(self._settings, slide="truth")

    def together(self, key: str, together: bool) -> None:
        """Replay it with all houses in one street, or in streets as it was."""
        with self._hosted(key):
            self._now("revealed").together = bool(together)
            self._settings = replace(self._settings, street=0, slide="truth")

    def turn(self, key: str, by: int) -> None:
        """Show what of a revealed round comes next, or before."""
        with self._hosted(key):
            self._now("revealed")
            board = self.board(with_street=False)
            at = min(max(board.view + by, 0), len(board.views) - 1)
            slide, street = board.views[at]
            self._settings = replace(self._settings, slide=slide, street=street)

    def saved(self, key: str) -> str:
        """The revealed round as JSON."""
        with self._hosted(key):
            return self._now("revealed").shown().to_json(2)

    def results(self, key: str) -> Frame:
        """A row for every house that somebody has: points by round, answers and votes; no names."""
        with self._hosted(key):
            rows = []
            for player, house in sorted(self._houses.items(), key=lambda each: each[1]):
                won = self._won.get(player, {})
                rounds = {
                    f"round {number}: {name}": points
                    for number in range(1, self._rounds + 1)
                    for name, points in won.get(number, NO_POINTS)._asdict().items()
                }
                total = sum(points.total for points in won.values())
                rows.append({"house": house + 1, "points": total} | rounds | self._answers(house))
            return data_frame(rows)

    def project(self, key: str, scene: Callable[[], object] | None) -> None:
        """Let the beamer show what this gives, whenever it looks; None: the room itself."""
        with self._hosted(key):
            self._scene = scene

    # A player's

    def choose(self, key: str, choice: int) -> None:
        """Set the switch of one's own house; it counts from the next price on."""
        with self._played(key) as house:
            must_be_one_of("choice", choice, (BY_HABIT, CHOSE_AWAY, CHOSE_HOME))
            self._switches[house] = int(choice)

    def guess(self, key: str, step: int, house: int, at_home: bool) -> None:
        """Answer the question of a step about a house, from 1; it can be changed until the next step."""
        with self._played(key) as player:
            self._tick()
            game = self._now("playing")
            asked = game.asked(player)
            if asked is None or (step, house) != (game.step, asked + 1):
                raise RoomError(limits.TOO_LATE)
            game.guess(player, bool(at_home))

    # What is seen

    def projected(self) -> object:
        """What the beamer is to show in place of the room; None: nothing."""
        scene = self._scene
        return None if scene is None else scene()

    def board(self, with_street: bool = True) -> Board:
        """What everybody may see now; phones need not be told of the street on the beamer."""
        with self._lock:
            self._tick()
            own = self._scenario
            board = Board(
                code=self.code,
                phase=self._phase,
                settings=self._settings,
                taken=tuple(sorted(house + 1 for house in self._houses.taken)),
                refused=self._houses.refused and not self._settings.crowd,
                steps=self._settings.steps,
                no_demand=own.alpha * own.inelastic_demand + own.beta,
                tally=self._tally(),
                ballot=self._ballot_tally(),
            )
            return board if self._game is None else self._with_round(board, self._game, with_street)

    def _with_round(self, board: Board, game: Game, with_street: bool) -> Board:
        here = game.shown()
        streets = len(here.streets)
        street = min(self._settings.street, streets - 1)
        if street == IN_TURN:
            street = int((self._clock() - self._turned) / TURN) % streets
        known = replace(
            board,
            steps=here.steps,
            step=game.step,
            paused=self._paused,
            left=self._left(),
            clock=here.when(game.step),
            number=self._rounds,
            results=self._results if game.revealed else (),
            streets=streets,
            street=street,
            price_words=here.price_words(),
            most=board.no_demand + self._scenario.alpha * sum(here.street_sizes),
        )
        if game.revealed:
            known = replace(
                known,
                reveal=game.scores(),
                together=game.together,
                knows_private=game.knows_private,
                class_right=game.class_right(),
                class_rate=game.class_rate,
            )
        if not with_street:
            return known
        houses = tuple(game.house(house, self._settings.beliefs) for house in here.houses_of(street))
        asked = [house for house in self._houses.taken if game.plays(house)]
        return replace(
            known,
            asked=len(asked),
            answered=game.answered(asked),
            houses=houses,
            prices=game.prices(street),
            winners=self._winners(game),
        )

    def _winners(self, game: Game) -> tuple[Winner, ...]:
        """What everybody has won so far, the best first."""
        winners = [Winner(house + 1, self._points_of(key, game)) for key, house in self._houses.items()]
        return tuple(sorted(winners, key=lambda winner: (-winner.total, winner.number)))

    def _points_of(self, key: str, game: Game) -> tuple[int | None, ...]:
        """What a player has won in every round so far; None where she did not play."""
        won = dict(self._won.get(key, {}))
        if not game.revealed and (now := game.points().get(self._houses.house(key))):
            won[self._rounds] = now
        return tuple(won[r].total if r in won else None for r in range(1, self._rounds + 1))

    def look(self, key: str) -> Board:
        """What everybody may see; a look of the host's, and of nobody else's."""
        with self._lock:
            if not self.is_host(key):
                raise RoomError(limits.NOT_HOST)
            self._attended = self._clock()
            return self.board()

    def costs(self) -> tuple[Cost, ...]:
        """What privacy costs streets of several lengths, at this round's rate and ε."""
        with self._lock:
            shown = self._now("revealed").played.replace(guesses=())
        return costs(shown.replace(scenario=shown.scenario.replace(epsilon=self._settings.epsilon)))

    def place(self, key: str) -> Place:
        """What one player may see now."""
        with self._lock:
            player, board, game = self._houses.house(key), self.board(with_street=False), self._game
            choice = self._switches.get(player, BY_HABIT)
            option = self._vote.said.get(player) if self._vote else None
            trusts = dict(self._ballot.said.get(player, {})) if self._ballot else {}
            place = Place(board=board, number=player + 1, choice=choice, option=option, trusts=trusts)
            if game is None:
                return replace(place, use=self._next_round().use(player))
            won = self._points_of(key, game)
            here, waiting = game.shown(), not game.plays(player)
            street = 0 if waiting else here.street_of(player)  # who waits looks on
            place = replace(
                place,
                won=won,
                houses=tuple(game.house(house, with_belief=False) for house in here.houses_of(street)),
                prices=game.prices(street),
            )
            if waiting:
                full = player >= game.played.houses or game.is_last
                return replace(place, waiting=True, full=full)
            asked = game.asked(player) if self._phase == "playing" else None
            return replace(
                place,
                use=here.use(player),
                at_home=game.at_home(player),
                asked=None if asked is None else asked + 1,
                guess=game.guessed(player),
                seen=game.seen(player) if game.revealed else None,
                points=game.points().get(player, NO_POINTS),
            )

    # How a round goes on

    def _now(self, *phases: Phase) -> Game:
        """The round, where it is in one of these phases."""
        if self._game is None or self._phase not in phases:
            raise RoomError(limits.NOT_NOW)
        return self._game

    def _publish(self, now: float) -> None:
        self._now("playing").publish(self._houses.taken, self._switches)
        self._began = now

    def _go_on(self, now: float) -> None:
        if self._now("playing").is_last:
            self._now("playing").over = True
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

"""Rooms of Play without a screen: who may do what, what each is shown, the clock; and rooms never mix."""

import itertools
import threading
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pages.ui.play.rooms import (
    CODE_LENGTH,
    IDLE,
    LETTERS,
    MAX_PLAYERS,
    MAX_ROOMS,
    Room,
    RoomError,
    Rooms,
)
from pages.ui.play.seen import TOGETHER, Board, Settings
from rtp import ScenarioError
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.play import Round
from rtp.play.round import BY_HABIT, CHOSE_AWAY, CHOSE_HOME
from rtp.teaching.exercises import EXERCISES, ExerciseAnswer


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def opened(players: int = 5, clock: Callable[[], float] | None = None) -> tuple[Rooms, Room, str, list[str]]:
    """A room with players in it; with its host's key and theirs."""
    rooms = Rooms(clock or Hand())
    code, host = rooms.open()
    room = rooms.room(code)
    return rooms, room, host, [room.join() for _ in range(players)]


def ask_all(room: Room, keys: list[str]) -> None:
    """Everybody guesses that the house she is asked about is at home."""
    for key in keys:
        place = room.place(key)
        assert place.asked is not None
        room.guess(key, place.board.step, place.asked, True)


# Codes and keys


def test_codes_are_four_letters_that_nobody_mistakes() -> None:
    rooms = Rooms()
    codes = [rooms.open()[0] for _ in range(MAX_ROOMS)]
    assert len({*codes}) == MAX_ROOMS
    assert all(len(code) == CODE_LENGTH and {*code} <= {*LETTERS} for code in codes)
    assert not {*LETTERS} & {*"AEIOULQ01"}


def test_a_code_is_understood_as_it_is_typed() -> None:
    rooms, room, _, _ = opened()
    assert rooms.room(f" {room.code.lower()} ") is room


def test_keys_are_long_and_all_different() -> None:
    _, _, host, keys = opened(MAX_PLAYERS)
    assert len({host, *keys}) == MAX_PLAYERS + 1
    assert min(map(len, (host, *keys))) >= 22  # 128 bits


def test_there_are_at_most_so_many_rooms_and_players() -> None:
    rooms, room, host, _ = opened(MAX_PLAYERS)
    with pytest.raises(RoomError, match="full"):
        room.join()
    for _ in range(MAX_ROOMS - 1):
        rooms.open()
    with pytest.raises(RoomError, match="Close one first"):
        rooms.open()
    rooms.close(room.code, host)
    rooms.open()


@pytest.mark.parametrize("code", ["", "QQQQ", "x" * 10_000, "../..", "ABC\0"])
def test_an_unknown_code_gets_one_sentence(code: str) -> None:
    rooms, _, _, _ = opened()
    with pytest.raises(RoomError, match=r"^No open room has the code") as refused:
        rooms.room(code)
    assert len(str(refused.value)) < 100


def test_a_room_ends_after_two_idle_hours_and_looks_do_not_keep_it() -> None:
    clock = Hand()
    rooms, room, _, keys = opened(clock=clock)
    clock.now += IDLE - 1
    room.choose(keys[0], CHOSE_AWAY)
    clock.now += IDLE - 1
    room.board(), room.place(keys[0])
    assert rooms.room(room.code) is room
    clock.now += 2
    with pytest.raises(RoomError):
        rooms.room(room.code)
    assert len({rooms.open()[0] for _ in range(MAX_ROOMS)}) == MAX_ROOMS


# A round


def test_a_round_goes_its_way_from_start_to_replay() -> None:
    _, room, host, keys = opened(6)
    assert room.board().phase == "gathering"
    room.configure(host, "steps", 6)
    room.start(host)
    for step in range(6):
        board = room.board()
        assert (board.phase, board.step, board.steps, len(board.prices)) == ("playing", step, 6, step + 1)
        assert (board.streets, len(board.houses), board.answered) == (2, 4, 0)
        ask_all(room, keys)
        assert room.board().answered == 6
        room.next(host, step)
    assert room.board().phase == "over"
    assert room.board().reveal is None
    room.reveal(host)
    exact = room.board().reveal
    assert exact is not None
    assert exact.mechanism == UNPROTECTED
    assert exact.class_right is not None
    truth = [row.at_home for row in exact.rows]
    room.again(host)
    private = room.board().reveal
    assert private is not None
    assert private.mechanism == FEATURED
    assert [row.at_home for row in private.rows] == truth
    assert private.class_right == exact.class_right
    assert [row.belief for row in private.rows] != [row.belief for row in exact.rows]
    room.configure(host, "epsilon", 10.0)
    freer = room.board().reveal
    assert freer is not None
    assert freer.missed_percent < private.missed_percent
    room.start(host)
    assert room.board().phase == "playing"
    assert room.board().step == 0


def test_all_in_one_street_is_the_same_day() -> None:
    _, room, host, keys = opened(6)
    room.start(host)
    ask_all(room, keys)
    room.next(host, 0)
    room.reveal(host)
    before = room.board().reveal
    room.configure(host, "street", 1)
    second = room.board().reveal
    assert before is not None
    assert second is not None
    room.together(host, True)
    board, after = room.board(), room.board().reveal
    assert after is not None
    assert board.streets == 1
    assert [house.kilowatts for house in board.houses] == [1.0, 2.0, 4.0, 8.0] * 2
    assert [row.at_home for row in after.rows] == [row.at_home for row in (*before.rows, *second.rows)]
    assert after.class_right == before.class_right
    room.together(host, False)
    assert room.board().reveal == before


def test_a_saved_round_is_opened_again_in_another_room() -> None:
    """As it was revealed. Who joins has not played in it, and plays in the next one."""
    rooms, room, host, keys = opened(5)
    room.start(host)
    ask_all(room, keys)
    room.reveal(host)
    room.again(host)
    room.configure(host, "epsilon", 2.0)
    code, other_host = rooms.open(Round.from_json(room.saved(host)))
    other = rooms.room(code)
    assert other.board().reveal == room.board().reveal
    key = other.join()
    place = other.place(key)
    assert (place.waiting, place.score, place.asked) == (True, None, None)
    other.again(other_host, UNPROTECTED)
    room.again(host, UNPROTECTED)
    assert other.board().reveal == room.board().reveal
    other.start(other_host)
    assert not other.place(key).waiting


def test_a_switch_counts_from_the_next_price_on() -> None:
    _, room, host, keys = opened(4)
    room.choose(keys[3], CHOSE_HOME)
    room.start(host)
    place = room.place(keys[3])
    assert (place.choice, place.at_home) == (CHOSE_HOME, True)
    assert place.prices[0] >= place.board.no_demand + 0.6 * 8
    room.choose(keys[3], CHOSE_AWAY)
    assert room.place(keys[3]).at_home is True
    room.next(host, 0)
    assert room.place(keys[3]).at_home is False
    assert room.place(keys[3]).prices[0] == place.prices[0]
    room.choose(keys[3], BY_HABIT)
    room.next(host, 1)
    room.reveal(host)
    saved = Round.from_json(room.saved(host))
    assert [row[3] for row in saved.choices] == [CHOSE_HOME, CHOSE_AWAY, BY_HABIT]


def test_a_score_counts_what_was_answered_in_time() -> None:
    _, room, host, keys = opened(4)
    for key in keys:
        room.choose(key, CHOSE_HOME)
    room.start(host)
    ask_all(room, keys)
    room.next(host, 0)
    asked = room.place(keys[0]).asked
    assert asked is not None
    with pytest.raises(RoomError, match="does not count"):
        room.guess(keys[0], 0, asked, True)
    room.guess(keys[1], 1, room.place(keys[1]).asked or 0, False)
    room.reveal(host)
    scores = [room.place(key).score for key in keys]
    assert [(s.answered, s.right) for s in scores if s] == [(1, 1), (2, 1), (1, 1), (1, 1)]
    assert room.board().reveal == replace_class(room.board(), 4 / 5)


def replace_class(board: Board, right: float) -> object:
    assert board.reveal is not None
    return replace(board.reveal, class_right=right)


def test_who_comes_late_takes_a_simulated_house_or_waits() -> None:
    _, room, host, _ = opened(3)
    room.start(host)
    late, later = room.join(), room.join()
    assert room.place(late).waiting
    assert [house.simulated for house in room.board().houses] == [False, False, False, True]
    room.next(host, 0)
    assert not room.place(late).waiting
    assert room.place(late).asked is not None
    assert room.place(later).waiting
    room.reveal(host)
    assert room.place(later).waiting
    room.start(host)
    assert not room.place(later).waiting


def test_a_second_click_on_next_does_nothing() -> None:
    _, room, host, _ = opened()
    room.start(host)
    room.next(host, 0)
    room.next(host, 0)
    assert room.board().step == 1


def test_what_is_out_of_turn_is_refused() -> None:
    _, room, host, keys = opened(0)
    with pytest.raises(RoomError):
        room.start(host)
    keys.append(room.join())
    for act in (room.pause, room.reveal, room.again, room.saved):
        with pytest.raises(RoomError):
            act(host)
    with pytest.raises(RoomError):
        room.guess(keys[0], 0, 2, True)
    room.start(host)
    with pytest.raises(RoomError):
        room.start(host)
    for name, value in (("steps", 7), ("pace", -1), ("per_street", 2), ("epsilon", -1.0), ("mechanism", "x")):
        with pytest.raises(ScenarioError):
            room.configure(host, name, value)


def test_one_street_for_all_from_the_start() -> None:
    _, room, host, _ = opened(7)
    room.configure(host, "per_street", TOGETHER)
    room.start(host)
    assert (room.board().streets, len(room.board().houses)) == (1, 7)


# The clock


def test_a_round_goes_on_by_the_clock_whoever_looks() -> None:
    clock = Hand()
    _, room, host, keys = opened(4, clock)
    room.configure(host, "pace", 10)
    room.start(host)
    clock.now += 9.9
    assert room.board().step == 0
    assert room.board().left == pytest.approx(0.1)
    clock.now += 0.2
    assert room.place(keys[0]).board.step == 1
    assert room.board().left == pytest.approx(9.9)
    clock.now += 20
    assert room.board().step == 3
    room.pause(host)
    clock.now += 1000
    assert (room.board().step, room.board().left) == (3, None)
    room.pause(host)
    assert room.board().left == 10
    clock.now += 1000
    assert room.board().phase == "over"
    assert len(room.board().prices) == room.board().steps


def test_a_guess_that_comes_after_its_time_is_not_counted() -> None:
    clock = Hand()
    _, room, host, keys = opened(4, clock)
    room.configure(host, "pace", 5)
    room.start(host)
    asked = room.place(keys[0]).asked or 0
    clock.now += 5
    with pytest.raises(RoomError, match="moved on"):
        room.guess(keys[0], 0, asked, True)


# What is shown


def test_nothing_that_is_shown_has_a_key_in_it() -> None:
    _, room, host, keys = opened(5)
    for act in (room.is_host, room.start, room.reveal):
        act(host)
        shown = f"{room.board()}{[room.place(key) for key in keys]}"
        assert not [key for key in (host, *keys) if key in shown]
    assert not [key for key in (host, *keys) if key in room.saved(host)]


def test_the_truth_is_not_shown_before_it_is_revealed() -> None:
    """What a neighbour chooses for later, and what she guesses, is not to be seen."""
    _, room, host, keys = opened(4)
    room.start(host)
    board, place = room.board(), room.place(keys[0])
    room.choose(keys[1], CHOSE_AWAY)
    assert (room.board(), room.place(keys[0])) == (board, place)
    guess = room.place(keys[1])
    room.guess(keys[1], 0, guess.asked or 0, True)
    after = room.place(keys[0])
    assert replace(after, board=replace(after.board, answered=0)) == place
    assert "at_home" not in str(asdict(board))
    assert board.reveal is None
    assert all(house.belief is None for house in board.houses)
    room.configure(host, "beliefs", True)
    assert all(house.belief is not None for house in room.board().houses)


def test_an_exercise_is_asked_and_its_tally_shown_before_the_answer() -> None:
    _, room, host, keys = opened(4)
    room.ask(host, 2)
    options = len(EXERCISES[1].options)
    for key, option in zip(keys, (0, 1, 1), strict=False):
        room.predict(key, 2, option)
    room.predict(keys[0], 2, 1)
    tally = room.board().tally
    assert tally is not None
    assert (tally.exercise, tally.counts, tally.answer) == (2, (0, 3) + (0,) * (options - 2), None)
    assert [room.place(key).option for key in keys] == [1, 1, 1, None]
    for exercise, option in ((1, 0), (2, options), (2, -1)):
        with pytest.raises((RoomError, ScenarioError)):
            room.predict(keys[3], exercise, option)
    room.show_answer(host, 2, ExerciseAnswer(1, "Because."))
    with pytest.raises(RoomError):
        room.predict(keys[3], 2, 0)
    room.ask(host, None)
    assert room.board().tally is None


# A hostile client


def everything(room: Room, key: str) -> list[Callable[[], object]]:
    """All that can be sent with a key, sensible and not."""
    acts: list[Callable[[], object]] = [
        lambda: room.start(key),
        lambda: room.pause(key),
        lambda: room.next(key, room.board().step),
        lambda: room.reveal(key),
        lambda: room.again(key),
        lambda: room.together(key, True),
        lambda: room.saved(key),
        lambda: room.ask(key, 1),
        lambda: room.ask(key, None),
        lambda: room.show_answer(key, 1, ExerciseAnswer(0, "")),
        lambda: room.configure(key, "steps", 6),
        lambda: room.configure(key, "street", 10**9),
        lambda: room.place(key),
        lambda: room.predict(key, 1, 0),
        lambda: room.choose(key, 7),
    ]
    for house, step in itertools.product((-1, 0, 1, 2, 3, 99, 10**9), (-1, 0, 1, 10**9)):
        acts.append(partial(room.guess, key, step, house, True))
    return acts


FORGED = ("", "x", "0" * 22, "é", "\0", "x" * 10_000)


def test_forged_keys_do_nothing_and_see_nothing() -> None:
    rooms, room, host, keys = opened(4)
    room.start(host)
    before = room.board(), [room.place(key) for key in keys]
    for key in (*FORGED, host[:-1], keys[0].swapcase(), room.code):
        close: Callable[[], object] = partial(rooms.close, room.code, key)
        for act in [*everything(room, key), close]:
            with pytest.raises((RoomError, ScenarioError)):
                act()
    assert (room.board(), [room.place(key) for key in keys]) == before


def test_a_player_is_no_host_and_a_host_no_player() -> None:
    rooms, room, host, keys = opened(4)
    room.start(host)
    for act in everything(room, keys[0])[:12]:
        with pytest.raises((RoomError, ScenarioError)):
            act()
    with pytest.raises(RoomError):
        rooms.close(room.code, keys[0])
    for act in everything(room, host)[12:]:
        with pytest.raises((RoomError, ScenarioError)):
            act()


def test_ten_thousand_messages_change_nothing_of_others() -> None:
    rooms, room, host, keys = opened(4)
    other_code, other_host = rooms.open()
    other = rooms.room(other_code)
    other_key = other.join()
    other.start(other_host)
    room.start(host)
    ask_all(room, keys[1:])
    before = [room.place(key) for key in keys[1:]], other.board(), other.place(other_key)
    acts = [*everything(room, keys[0])[:12], *everything(room, keys[0])[13:], *everything(other, keys[0])]
    for act in itertools.islice(itertools.cycle(acts), 10_000):
        try:
            act()
        except (RoomError, ScenarioError):
            continue
    own = room.place(keys[0])
    answered = own.board.answered
    after = [room.place(key) for key in keys[1:]], other.board(), other.place(other_key)
    assert answered in (3, 4)  # her own answer may count, once
    assert [replace(p, board=replace(p.board, answered=3)) for p in after[0]] == before[0]
    assert after[1:] == before[1:]


def test_a_hundred_join_and_answer_at_the_same_time() -> None:
    _, room, host, keys = opened(1)
    new: list[str] = []
    threads = [threading.Thread(target=lambda: new.append(room.join())) for _ in range(MAX_PLAYERS - 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    keys += new
    assert sorted(room.place(key).number for key in keys) == list(range(1, MAX_PLAYERS + 1))
    room.start(host)
    answers = [threading.Thread(target=ask_all, args=(room, [key])) for key in keys]
    for thread in answers:
        thread.start()
    for thread in answers:
        thread.join()
    assert room.board().answered == MAX_PLAYERS


# Two rooms


class TwoRooms(RuleBasedStateMachine):
    """Whatever is done in one of two rooms, the other one stays as it was; and what is done shows."""

    @initialize()
    def begin(self) -> None:
        self.clock = Hand()
        self.rooms = Rooms(self.clock)
        opened = [self.rooms.open() for _ in range(2)]
        self.hosts = [host for _, host in opened]
        self.all = [self.rooms.room(code) for code, _ in opened]
        self.keys: list[list[str]] = [[], []]
        self.choices: list[dict[str, int]] = [{}, {}]
        self.settings = [Settings(), Settings()]

    def seen(self, which: int) -> tuple[object, ...]:
        room = self.all[which]
        return room.board(), *(room.place(key) for key in self.keys[which])

    def act(self, which: int, act: Callable[[Room], object]) -> bool:
        """Do it in one room: whether it was allowed; the other one does not change."""
        other = self.seen(1 - which)
        try:
            act(self.all[which])
            done = True
        except (RoomError, ScenarioError):
            done = False
        assert self.seen(1 - which) == other
        return done

    @precondition(lambda self: min(map(len, self.keys)) < 6)
    @rule(which=st.integers(0, 1))
    def join(self, which: int) -> None:
        if len(self.keys[which]) < 6:
            new: list[str] = []
            assert self.act(which, lambda room: new.append(room.join()))
            self.keys[which] += new

    @rule(which=st.integers(0, 1), name=st.sampled_from(["start", "pause", "reveal", "again"]))
    def steer(self, which: int, name: str) -> None:
        phase = self.all[which].board().phase
        done = self.act(which, lambda room: getattr(room, name)(self.hosts[which]))
        allowed = {
            "start": phase != "playing" and bool(self.keys[which]),
            "pause": phase == "playing",
            "reveal": phase in ("playing", "over"),
            "again": phase == "revealed",
        }
        assert done == allowed[name]

    @rule(which=st.integers(0, 1))
    def next(self, which: int) -> None:
        before = self.all[which].board()
        done = self.act(which, lambda room: room.next(self.hosts[which], before.step))
        assert done == (before.phase == "playing")
        after = self.all[which].board()
        if done and before.step + 1 < before.steps:
            assert after.step == before.step + 1
            assert after.prices[:-1] == before.prices
        elif done:
            assert after.phase == "over"

    @rule(which=st.integers(0, 1), data=st.data())
    def choose(self, which: int, data: st.DataObject) -> None:
        if self.keys[which]:
            key = data.draw(st.sampled_from(self.keys[which]))
            choice = data.draw(st.sampled_from([BY_HABIT, CHOSE_AWAY, CHOSE_HOME]))
            assert self.act(which, lambda room: room.choose(key, choice))
            self.choices[which][key] = choice

    @rule(which=st.integers(0, 1), data=st.data(), at_home=st.booleans())
    def guess(self, which: int, data: st.DataObject, at_home: bool) -> None:
        if self.keys[which]:
            key = data.draw(st.sampled_from(self.keys[which]))
            place = self.all[which].place(key)
            step, house = place.board.step, place.asked or 1
            done = self.act(which, lambda room: room.guess(key, step, house, at_home))
            assert done == (place.asked is not None)
            if done:
                assert self.all[which].place(key).guess is at_home

    @rule(which=st.integers(0, 1), pace=st.sampled_from([0, 5]), seconds=st.sampled_from([1.0, 7.0]))
    def wait(self, which: int, pace: int, seconds: float) -> None:
        assert self.act(which, lambda room: room.configure(self.hosts[which], "pace", pace))
        self.clock.now += seconds

    @rule(which=st.integers(0, 1))
    def take_the_others_key(self, which: int) -> None:
        for key in (self.hosts[1 - which], *self.keys[1 - which]):
            assert not self.act(which, partial(Room.choose, key=key, choice=CHOSE_HOME))
            assert not self.act(which, partial(Room.start, key=key))
            assert not self.act(which, partial(Room.place, key=key))

    @invariant()
    def everybody_has_her_own_place(self) -> None:
        for which, keys in enumerate(self.keys):
            for number, key in enumerate(keys, start=1):
                place = self.all[which].place(key)
                assert place.number == number
                assert place.choice == self.choices[which].get(key, BY_HABIT)


TestTwoRooms = TwoRooms.TestCase
TestTwoRooms.settings = hypothesis_settings(max_examples=25, stateful_step_count=25, deadline=None)

"""Rooms of Play without a screen: who may do what, what each is shown, the clock; and rooms never mix."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rtp import ScenarioError
from rtp.play import Round
from rtp.play.limits import MAX_PLAYERS, ROOM_IDLE, RoomError
from rtp.play.room import Room
from rtp.play.rooms import Rooms
from rtp.play.round import BY_HABIT, CHOSE_AWAY, CHOSE_HOME, NOBODY
from tests.help.clock import Clock


def opened(players: int = 5, clock: Callable[[], float] | None = None) -> tuple[Rooms, Room, str, list[str]]:
    """A room with players in it; with its host's key and theirs."""
    rooms = Rooms(clock or Clock())
    code, host = rooms.open()
    room = rooms.room(code)
    return rooms, room, host, [room.join() for _ in range(players)]


def ask_all(room: Room, keys: list[str]) -> None:
    """Everybody guesses that the house she is asked about is at home."""
    for key in keys:
        place = room.place(key)
        assert place.asked is not None
        room.guess(key, place.board.step, place.asked, True)


def test_a_room_ends_after_two_idle_hours_and_looks_do_not_keep_it() -> None:
    clock = Clock()
    rooms, room, _, keys = opened(clock=clock)
    clock.now += ROOM_IDLE - 1
    room.choose(keys[0], CHOSE_AWAY)
    clock.now += ROOM_IDLE - 1
    room.board(), room.place(keys[0])
    assert rooms.room(room.code) is room
    clock.now += 2
    with pytest.raises(RoomError):
        rooms.room(room.code)


# One phone, one house


def test_a_phone_has_one_house_however_it_comes_back() -> None:
    _, room, host, _ = opened(2)
    key = room.join("10.0.0.7", "phone")
    assert room.join("10.0.0.8", "phone") == room.key_of("phone") == key
    unmarked = room.join("10.0.0.7")  # its browser had not said its mark yet
    assert room.recognise(unmarked, "phone") == key
    assert room.board().players == 3
    friends = room.join("10.0.0.9", "friend")
    assert room.recognise(friends, "phone") == friends, "who is sent a friend's address takes nothing away"
    room.remove(host, 3)
    assert room.key_of("phone") is None
    with pytest.raises(RoomError):
        room.place(key)
    assert room.place(room.join("10.0.0.7", "phone")).number == 3, "the first that is free"


def test_a_removed_house_is_simulated_until_who_comes_late_has_it() -> None:
    _, room, host, keys = opened(4)
    room.choose(keys[1], CHOSE_AWAY)
    room.start(host)
    ask_all(room, keys)
    assert (room.board().answered, room.board().asked) == (4, 4)
    room.remove(host, 2)
    assert (room.board().answered, room.board().asked) == (3, 3)
    room.next(host, 0)
    assert [house.simulated for house in room.board().houses] == [False, True, False, False]
    assert [room.place(key).asked for key in (keys[0], keys[2], keys[3])] == [4, 1, 3]
    late, later = room.join(), room.join()
    assert (room.place(late).number, room.place(late).waiting, room.board().asked) == (2, True, 3)
    assert (room.place(late).full, room.place(later).full) == (False, True), "of the streets as they are"
    looks = room.place(later)
    assert (looks.at_home, looks.asked, looks.waiting) == (None, None, True)
    assert (looks.prices, looks.houses) == (room.place(keys[0]).prices, room.place(keys[0]).houses)
    room.next(host, 1)
    assert (room.place(late).waiting, room.place(late).choice, room.board().asked) == (False, BY_HABIT, 4)
    room.reveal(host)
    assert room.place(later).waiting
    saved = Round.from_json(room.saved(host))
    assert [row[1] for row in saved.choices] == [CHOSE_AWAY, NOBODY, BY_HABIT]
    room.start(host)
    assert not room.place(later).waiting


# The clock


def test_a_round_goes_on_by_the_clock_whoever_looks() -> None:
    clock = Clock()
    _, room, host, keys = opened(4, clock)
    room.configure(host, "pace", 10)
    room.start(host)
    asked = room.place(keys[0]).asked or 0
    clock.now += 9.9
    assert room.board().step == 0
    assert room.board().left == pytest.approx(0.1)
    clock.now += 0.2
    with pytest.raises(RoomError):
        room.guess(keys[0], 0, asked, True)
    assert room.place(keys[0]).board.step == 1
    assert room.board().left == pytest.approx(9.9)
    room.pause(host)
    clock.now += 1000
    assert (room.board().step, room.board().left) == (1, None)
    room.pause(host)
    assert room.board().left == 10
    clock.now += 1000
    assert (room.board().phase, len(room.board().prices)) == ("over", room.board().steps)


def test_another_pace_begins_a_whole_step() -> None:
    """After a long talk by hand nothing is skipped, nor is what the clock was due when it is taken back."""
    clock = Clock()
    _, room, host, _ = opened(4, clock)
    room.start(host)
    clock.now += 45
    room.configure(host, "pace", 10)
    assert (room.board().step, room.board().left) == (0, 10)
    clock.now += 11
    room.configure(host, "pace", 5)
    assert (room.board().step, room.board().left) == (1, 5)


# What is shown


def test_one_button_leads_through_all_that_two_rounds_have_shown() -> None:
    """On and back, street by street; what compares rounds comes after the second."""
    _, room, host, _ = opened(9)
    for number, slides in ((1, ["points"]), (2, ["points", "rounds", "useful"])):
        room.start(host)
        room.reveal(host)
        seen = []
        for _ in range(9):
            board = room.board()
            seen.append((board.settings.slide, board.street))
            room.turn(host, 1)
        streets = [("truth", 0), ("truth", 1)]
        assert [view for i, view in enumerate(seen) if view not in seen[:i]] == [
            *streets,
            *((slide, 0) for slide in slides),
        ], number
        for _ in range(9):
            room.turn(host, -1)
        assert (room.board().settings.slide, room.board().street) == streets[0]


def test_the_truth_is_not_shown_before_it_is_revealed() -> None:
    """What a neighbour chooses for later, and what she guesses, is not to be seen."""
    _, room, host, keys = opened(4)
    room.start(host)
    before = room.place(keys[0])
    room.choose(keys[1], CHOSE_AWAY)
    room.guess(keys[1], 0, room.place(keys[1]).asked or 0, True)
    after = room.place(keys[0])
    assert replace(after, board=replace(after.board, answered=0)) == before
    assert after.board.reveal is None
    assert all(house.belief is None for house in after.board.houses)
    assert not any(house.history for house in (*room.board().houses, *after.houses))
    room.configure(host, "beliefs", True)
    assert all(house.belief is not None for house in room.board().houses)


def test_votes_on_sealed_mechanisms_are_counted_when_they_are_closed() -> None:
    """Who left does not count, a late vote is refused, and a tie trusts nobody."""
    _, room, host, keys = opened(4)
    room.ask_whom_to_trust(host, 7)
    for key, trusted in zip(keys, (True, True, False, False), strict=True):
        for letter in "ABCDE":
            room.trust(key, 7, letter, trusted != (letter == "C"))
    room.trust(keys[0], 7, "B", False)
    room.remove(host, 4)
    tally = room.board().ballot
    assert tally is not None
    assert (tally.voted, tally.asked, tally.counts) == (3, 3, None)
    assert room.place(keys[0]).trusts == {"A": True, "B": False, "C": False, "D": True, "E": True}
    room.close_vote(host)
    with pytest.raises(RoomError):
        room.trust(keys[0], 7, "A", False)
    closed = room.board().ballot
    assert closed is not None
    assert closed.counts == {"A": (2, 1), "B": (1, 2), "C": (1, 2), "D": (2, 1), "E": (2, 1)}
    assert closed.majority() == {"A": True, "B": False, "C": False, "D": True, "E": True}
    with pytest.raises(RoomError):
        room.show_audit(host, 8)
    room.ask(host, 1)
    assert room.board().ballot is None, "one question at a time"


def test_the_results_of_a_lesson_are_by_house_and_hold_no_key() -> None:
    _, room, host, keys = opened(4)
    for _ in range(2):
        room.start(host)
        ask_all(room, keys)
        room.reveal(host)
    room.ask(host, 2)
    room.predict(keys[1], 2, 3)
    room.show_answer(host, 2, 0)
    room.ask_whom_to_trust(host, 5)
    room.trust(keys[3], 5, "B", False)
    room.ask(host, None)
    found = room.results(host)
    assert found["house"].tolist() == [1, 2, 3, 4]
    assert found["exercise 2"].tolist() == ["", "d", "", ""]
    assert set(found["exercise 2: right"]) == {"a"}
    assert found["five 5"].tolist() == ["", "", "", "b"]
    won = [f"round {number}: {name}" for number in (1, 2) for name in ("right", "hidden")]
    assert found[won].sum(axis=1).tolist() == found["points"].tolist()
    places = [room.place(key) for key in keys]
    assert found["points"].tolist() == [sum(won or 0 for won in place.won) for place in places]
    assert not [key for key in (host, *keys) if key in found.to_csv()]


# A hostile client


def host_acts(room: Room, key: str) -> list[Callable[[], object]]:
    acts = (
        room.results,
        room.start,
        room.pause,
        room.reveal,
        room.again,
        room.saved,
        room.look,
        room.close_vote,
    )
    return [
        *(partial(act, key) for act in acts),
        partial(room.next, key, room.board().step),
        partial(room.together, key, True),
        partial(room.ask, key, 1),
        partial(room.remove, key, 1),
        partial(room.show_answer, key, 1, 0),
        partial(room.configure, key, "steps", 6),
        partial(room.turn, key, 1),
        partial(room.ask_whom_to_trust, key, 1),
        partial(room.show_audit, key, 1),
    ]


def player_acts(room: Room, key: str) -> list[Callable[[], object]]:
    houses, steps = (-1, 0, 2, 10**9), (-1, 0, 10**9)
    return [
        partial(room.place, key),
        partial(room.predict, key, 1, 0),
        partial(room.choose, key, CHOSE_HOME),
        partial(room.trust, key, 1, "A", True),
        *(partial(room.guess, key, step, house, True) for house in houses for step in steps),
    ]


def test_a_key_does_and_shows_only_what_is_its_owners() -> None:
    rooms, room, host, keys = opened(4)
    other_code, other_host = rooms.open()
    foreign = (other_host, rooms.room(other_code).join())
    room.start(host)
    before = room.board(), [room.place(key) for key in keys]
    forged = ("", "x", "0" * 22, "é", "\0", "x" * 10_000, host[:-1], keys[0].swapcase(), room.code, *foreign)
    refused = [act for key in (*forged, keys[0]) for act in host_acts(room, key)]
    refused += [act for key in (*forged, host) for act in player_acts(room, key)]
    refused += [partial(rooms.close, room.code, key) for key in (*forged, keys[0])]
    for act in refused:
        with pytest.raises(RoomError):
            act()
    assert (room.board(), [room.place(key) for key in keys]) == before


def test_a_hundred_join_and_answer_at_the_same_time_each_with_a_key_and_nobody_more() -> None:
    _, room, host, _ = opened(0)
    with ThreadPoolExecutor(MAX_PLAYERS) as pool:
        keys = list(pool.map(lambda phone: room.join(f"10.0.0.{phone}"), range(MAX_PLAYERS)))
        assert sorted(room.place(key).number for key in keys) == list(range(1, MAX_PLAYERS + 1))
        room.start(host)
        list(pool.map(lambda key: ask_all(room, [key]), keys))
    assert room.board().answered == MAX_PLAYERS
    assert len({host, *keys}) == MAX_PLAYERS + 1
    assert min(map(len, (host, *keys))) >= 22  # 128 bits
    with pytest.raises(RoomError, match=str(MAX_PLAYERS)):
        room.join("10.0.1.1")


# Two rooms


class TwoRooms(RuleBasedStateMachine):
    """Whatever is done in one of two rooms, the other one stays as it was; and what is done shows."""

    @initialize()
    def begin(self) -> None:
        self.clock = Clock()
        self.rooms = Rooms(self.clock)
        opened = [self.rooms.open() for _ in range(2)]
        self.hosts = [host for _, host in opened]
        self.all = [self.rooms.room(code) for code, _ in opened]
        self.keys: list[list[str]] = [[], []]
        self.choices: list[dict[str, int]] = [{}, {}]

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
        self.act(which, lambda room: room.next(self.hosts[which], before.step))
        assert self.all[which].board() == after, "a second click does nothing"
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

    @invariant()
    def everybody_has_her_own_place_and_nothing_shown_has_a_key_in_it(self) -> None:
        for which, keys in enumerate(self.keys):
            assert not [key for key in (self.hosts[which], *keys) if key in str(self.seen(which))]
            for number, key in enumerate(keys, start=1):
                place = self.all[which].place(key)
                assert place.number == number
                assert place.choice == self.choices[which].get(key, BY_HABIT)


TestTwoRooms = TwoRooms.TestCase
TestTwoRooms.settings = hypothesis_settings(max_examples=15, stateful_step_count=25, deadline=None)

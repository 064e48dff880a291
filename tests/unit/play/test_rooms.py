"""Nobody takes the rooms or the houses of all others, and codes are not found by trying."""

import pytest

from rtp.play.limits import (
    HERE,
    HOST_ABSENT,
    HOUSES_PER_ADDRESS,
    JOIN_AT_ONCE,
    MAX_ROOMS,
    ROOMS_PER_ADDRESS,
    WRONG_AT_ONCE,
    WRONG_EVERY,
    RoomError,
)
from rtp.play.rooms import Rooms
from tests.help.clock import Clock

SCRIPT, TEACHER, PHONE = "10.0.0.66", "10.0.0.1", "10.0.0.7"


@pytest.fixture
def clock() -> Clock:
    return Clock()


def as_often_as_possible(act: object, most: int = 1000) -> int:
    """How often something can be done before it is refused."""
    assert callable(act)
    for done in range(most):
        try:
            act()
        except RoomError:
            return done
    return most


def test_a_script_with_all_the_time_keeps_no_teacher_out(clock: Clock) -> None:
    rooms = Rooms(clock)
    for _ in range(100):
        as_often_as_possible(lambda: rooms.open(address=SCRIPT), 1)
        clock.now += 60
    assert len(rooms._rooms) == ROOMS_PER_ADDRESS
    code, _ = rooms.open(address=TEACHER)
    for _ in range(100):
        as_often_as_possible(lambda: rooms.open(address=SCRIPT), 1)
        clock.now += 60
        assert rooms.room(code).code == code


def test_a_room_that_somebody_joined_gives_way_only_when_its_host_is_gone(clock: Clock) -> None:
    rooms = Rooms(clock)
    codes, hosts = zip(*(rooms.open(address=TEACHER) for _ in range(ROOMS_PER_ADDRESS)), strict=True)
    for code in codes:
        rooms.room(code).join(PHONE)
    with pytest.raises(RoomError):
        rooms.open(address=TEACHER)
    assert tuple(rooms.room(code).code for code in codes) == codes
    clock.now += HOST_ABSENT + 1
    rooms.room(codes[0]).look(hosts[0])
    assert rooms.open(address=TEACHER), "one whose host is gone does"
    assert rooms.room(codes[0]).code == codes[0]
    with pytest.raises(RoomError):
        rooms.room(codes[1])


def test_who_sits_at_the_machine_can_always_open_a_room(clock: Clock) -> None:
    """Though all are taken, and a script at the machine itself has its fill; the class in play goes last."""
    rooms = Rooms(clock)
    for number in range(MAX_ROOMS):
        rooms.room(rooms.open(address=f"10.0.1.{number}")[0]).join(PHONE)
    code, _ = rooms.open(address=HERE)
    for phone in range(3):
        rooms.room(code).join(f"10.0.3.{phone}")
    for _ in range(50):
        other, _ = rooms.open(address=HERE)
        rooms.room(other).join(SCRIPT)
    assert rooms.room(code).joined == 3
    assert len(rooms._rooms) == MAX_ROOMS + ROOMS_PER_ADDRESS


def test_a_script_takes_few_houses_of_a_room_and_a_class_all(clock: Clock) -> None:
    rooms = Rooms(clock)
    code, host = rooms.open(address=TEACHER)
    room = rooms.room(code)
    assert as_often_as_possible(lambda: room.join(SCRIPT)) == HOUSES_PER_ADDRESS
    for number in range(30):
        room.join(f"10.0.2.{number}")
    assert as_often_as_possible(lambda: room.join(TEACHER)) == HOUSES_PER_ADDRESS
    assert room.look(host).refused, "so that the host hears of a class behind one address, and lets it in:"
    room.configure(host, "crowd", True)
    assert as_often_as_possible(lambda: room.join(TEACHER)) == JOIN_AT_ONCE - HOUSES_PER_ADDRESS


def test_trying_codes_is_slow_and_stops_nobody_else(clock: Clock) -> None:
    rooms = Rooms(clock)
    code, host = rooms.open(address=TEACHER)
    tries = 0
    for _ in range(600):  # ten minutes, a hundred tries a second
        clock.now += 1
        for _ in range(100):
            try:
                rooms.enter("BBBB" if code != "BBBB" else "CCCC", SCRIPT)
            except RoomError as error:
                tries += "BBBB" in str(error) or "CCCC" in str(error)
    assert tries <= WRONG_AT_ONCE + 600 / WRONG_EVERY + 1
    with pytest.raises(RoomError):
        rooms.enter(code, SCRIPT)
    assert rooms.enter(code, PHONE).code == code
    assert rooms.enter(code, SCRIPT, host).code == code, "a key is no guess"

"""The Play screen by its addresses: the way in, host, player and beamer; and whose keys stand where."""

import pytest
import segno
from streamlit.testing.v1 import AppTest

from pages.ui import share
from pages.ui.lab import Lab
from pages.ui.play import entry, ways
from pages.ui.play.rooms import CLOSED, NOT_HOST, NOT_PLAYER, TOO_LATE, Room, Rooms
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.play import Round
from rtp.play.round import BY_HABIT, CHOSE_AWAY
from rtp.teaching.exercises import EXERCISES, WHAT_EPSILON_DOES
from tests.help import app as lab

PRIVATE_PRICE = f"{REGISTRY[FEATURED].label} price at ε = 0.5"


@pytest.fixture(autouse=True)
def rooms() -> Rooms:
    """None is open when a test begins."""
    ways.rooms.clear()
    return ways.rooms()


def open_room(rooms: Rooms, players: int = 0) -> tuple[Room, str, list[str]]:
    code, host = rooms.open()
    room = rooms.room(code)
    return room, host, [room.join() for _ in range(players)]


def host_view(room: Room, key: str) -> AppTest:
    return lab.opened("Play", room=room.code, host=key)


def phone(room: Room, key: str) -> AppTest:
    return lab.opened("Play", room=room.code, player=key)


def beamer(room: Room) -> AppTest:
    return lab.opened("Play", room=room.code, view="beamer")


def pictures(app: AppTest) -> str:
    """All HTML on the screen, without the styles."""
    return "\n".join(each.proto.body for each in app.get("html") if "<style>" not in each.proto.body)


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def sentences(app: AppTest) -> list[str]:
    return [element.value for element in app.info]


def pick(app: AppTest, label: str, value: object) -> None:
    """One of the options that stand side by side."""
    next(group for group in app.segmented_control if group.label.startswith(label)).set_value(value).run()


def questions(app: AppTest) -> list[str]:
    return [group.label for group in app.segmented_control]


def select(app: AppTest, label: str, value: object) -> None:
    next(box for box in app.selectbox if box.label == label).set_value(value).run()


# The way in


def test_a_teacher_opens_a_room_and_has_its_key_in_the_address(rooms: Rooms) -> None:
    app = lab.opened("Play")
    lab.press(app, "Open a room")
    address = lab.link_of(app)
    assert {*address} == {"room", "host"}
    assert rooms.room(address["room"]).is_host(address["host"])
    assert f"Room {address['room']}" in [title.value for title in app.title]
    assert not app.sidebar.children
    assert "make class" in sentences(app)[0]


def test_the_address_to_join_has_only_the_code(rooms: Rooms) -> None:
    room, host, _ = open_room(rooms)
    link = f"http://localhost:8501/Play?room={room.code}"
    code = segno.make(link, micro=False).svg_data_uri(border=2, dark=share.DARK, light=share.LIGHT)
    for app in (host_view(room, host), beamer(room)):
        assert f"<span>{link}</span>" in pictures(app)
        assert code in pictures(app)
        assert host not in pictures(app)


def test_a_network_is_given_the_address_that_it_can_reach(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ways, "for_others", lambda url: url.replace("localhost", "192.168.1.7"))
    room, host, _ = open_room(rooms)
    app = host_view(room, host)
    assert f"http://192.168.1.7:8501/Play?room={room.code}<" in pictures(app)
    assert not sentences(app)


def test_a_student_types_the_code_and_joins(rooms: Rooms) -> None:
    room, _, _ = open_room(rooms)
    app = lab.opened("Play")
    app.text_input[0].set_value(f" {room.code.lower()} ").run()
    assert lab.link_of(app) == {"room": room.code}
    lab.press(app, "Join")
    address = lab.link_of(app)
    assert {*address} == {"room", "player"}
    assert room.place(address["player"]).number == 1
    assert "House 1" in pictures(app)
    assert "You are the first." in pictures(app)


def test_a_wrong_code_gets_one_sentence_where_it_was_typed(rooms: Rooms) -> None:
    app = lab.opened("Play")
    app.text_input[0].set_value("QQQQ").run()
    assert "No open room has the code QQQQ." in lab.said(app)
    assert lab.link_of(app) == {}
    assert sentences(lab.opened("Play", room="QQQQ"))[0].startswith("No open room has the code QQQQ.")


def test_who_comes_to_a_closed_room_reads_so_and_finds_the_way_out(rooms: Rooms) -> None:
    room, host, (key,) = open_room(rooms, 1)
    rooms.close(room.code, host)
    for app in (host_view(room, host), phone(room, key)):
        assert sentences(app) == [CLOSED]
        lab.press(app, "Another room")
        assert lab.link_of(app) == {}
        assert "Open a room" in labels(app)


def test_a_room_that_is_closed_while_one_looks_says_so(rooms: Rooms) -> None:
    room, host, (key,) = open_room(rooms, 1)
    apps = [host_view(room, host), phone(room, key), beamer(room)]
    rooms.close(room.code, host)
    for app in apps:
        app.run()
        assert CLOSED in sentences(app) or "No open room" in sentences(app)[0]


@pytest.mark.parametrize("kind", ["host", "player"])
def test_a_forged_key_gets_one_sentence(rooms: Rooms, kind: str) -> None:
    room, _, _ = open_room(rooms, 1)
    app = lab.opened("Play", **{"room": room.code, kind: "0" * 22})
    assert sentences(app) == [NOT_HOST if kind == "host" else NOT_PLAYER]
    assert labels(app) == ["Another room"]


def test_a_saved_round_is_opened_and_what_is_none_refused(rooms: Rooms) -> None:
    app = lab.opened("Play", sections=[entry.SAVED])
    bring(app, '{"players": 0}')
    assert [toast.value for toast in app.toast] == ["players is 0; it must be a whole number from 1 to 100."]
    assert lab.link_of(app) == {}
    bring(app, Round(players=3, steps=2).to_json())
    assert {*lab.link_of(app)} == {"room", "host"}
    assert "Truth against belief." in pictures(app)
    assert "Again with privacy" in labels(app)


def bring(app: AppTest, text: str) -> None:
    """Upload a saved round."""
    app.file_uploader(key=entry.UPLOAD).upload("round.json", text.encode(), "application/json").run()


# Keys


def test_keys_stand_in_no_link_but_their_own_address() -> None:
    here = Lab(screen="Play")
    for name in (ways.ROOM, ways.HOST, ways.PLAYER):
        here.show(name, f"<{name}>")
    own = here.link()
    assert {*own} == {"room", "host", "player"}
    assert here.shared_link() == {"room": own["room"]}
    here.screen = "Explore"
    assert here.links(["Explore", "Play"]) == {"Explore": {}, "Play": {"room": own["room"]}}
    here.arrive("Play", {"room": own["room"]}, by_history=False)
    assert here.link() == own, "who comes back by the menu has her place"


def test_what_is_shared_has_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The room's own pages have no Share; it stands on the others, and strips keys wherever it is asked."""
    shown = Lab(screen="Play")
    shown.show(ways.ROOM, "BCDF")
    shown.show(ways.HOST, "secret-key")
    monkeypatch.setattr(share, "lab", lambda: shown)
    app = lab.opened("Lesson")
    lab.press(app, "Share")
    assert [code.value for code in app.code] == ["http://localhost:8501/?room=BCDF"]
    assert "secret-key" not in pictures(app)


def test_nothing_that_is_projected_has_a_key(rooms: Rooms) -> None:
    room, host, keys = open_room(rooms, 3)
    for act in (room.is_host, room.start, room.reveal):
        act(host)
        app = beamer(room)
        assert not app.button
        assert not [key for key in (host, *keys) if key in f"{pictures(app)}{lab.said(app)}"]


# The host


def test_the_host_steers_a_round_to_its_end_and_back(rooms: Rooms) -> None:
    room, host, keys = open_room(rooms, 5)
    app = host_view(room, host)
    assert "**5** have joined." in lab.said(app)
    lab.press(app, "Start")
    assert "0 of 5 have answered." in lab.said(app)
    lab.press(app, "Next")
    assert room.board().step == 1
    assert "Pause" not in labels(app)
    select(app, "Street on the beamer", 1)
    assert [house.number for house in room.board().houses] == [5, 6, 7, 8]
    lab.press(app, "Reveal")
    assert "Truth against belief." in pictures(app)
    assert f" The {PRIVATE_PRICE} misses by" in lab.said(app)
    lab.press(app, "Again with privacy")
    reveal = room.board().reveal
    assert reveal is not None
    assert reveal.mechanism == FEATURED
    assert f"**{reveal.words}** It misses by" in lab.said(app)
    app.select_slider[0].set_value(0.1).run()
    moved = room.board().reveal
    assert moved is not None
    assert moved.epsilon == 0.1
    assert moved.missed_percent > reveal.missed_percent
    assert f"{REGISTRY[FEATURED].label} price at ε = 0.1" in lab.said(app)
    lab.press(app, "Put us all in one street")
    assert len(room.board().houses) == 8
    lab.press(app, "Streets as they were")
    lab.press(app, "Again without privacy")
    assert room.board().reveal != moved
    lab.press(app, "New round")
    assert room.board().phase == "playing"
    lab.press(app, "Close the room")
    assert lab.link_of(app) == {}
    assert sentences(phone(room, keys[0])) == [CLOSED]


def test_nobody_starts_an_empty_street(rooms: Rooms) -> None:
    room, host, _ = open_room(rooms)
    (start,) = [button for button in host_view(room, host).button if button.label == "Start"]
    assert start.disabled


def test_settings_are_the_rooms_and_a_reload_finds_them(rooms: Rooms) -> None:
    room, host, (key, *_) = open_room(rooms, 2)
    app = host_view(room, host)
    pick(app, "Next step", 5)
    select(app, "Published price", FEATURED)
    own = room.board().settings
    assert (own.pace, own.mechanism) == (5, FEATURED)
    again = host_view(room, host)
    assert [box.value for box in again.selectbox if box.label == "Published price"] == [FEATURED]
    lab.press(again, "Start")
    assert "5 s left" in pictures(phone(room, key))
    lab.press(again, "Pause")
    assert room.board().paused
    lab.press(again, "Go on")
    assert not room.board().paused


# A player


def test_a_player_moves_her_switch_and_answers_and_a_reload_finds_both(rooms: Rooms) -> None:
    room, host, keys = open_room(rooms, 4)
    app = phone(room, keys[2])
    assert [group.value for group in app.segmented_control] == [BY_HABIT]
    assert "At home your house uses 2.4 to 4 kW, away at most 0.4 kW." in pictures(app)
    pick(app, "Your house", CHOSE_AWAY)
    assert room.place(keys[2]).choice == CHOSE_AWAY
    assert [room.place(key).choice for key in keys].count(CHOSE_AWAY) == 1
    room.start(host)
    app.run()
    place = room.place(keys[2])
    assert questions(app)[0] == f"House {place.asked}: at home or away?"
    assert "At home your house uses 2.4 to 4 kW, away at most 0.4 kW." in pictures(app)
    pick(app, "House", True)
    assert room.place(keys[2]).guess is True
    again = phone(room, keys[2])
    assert [group.value for group in again.segmented_control] == [True, CHOSE_AWAY]
    assert questions(again)[1] == "Your house 3 is away now. Next:"
    pick(again, "Your house", BY_HABIT)
    assert room.place(keys[2]).choice == BY_HABIT
    room.next(host, 0)
    room.reveal(host)
    again.run()
    score = room.place(keys[2]).score
    assert score is not None
    assert f"You about others: {score.right} of 1" in pictures(again)


def test_a_phone_shows_both_prices_whichever_is_replayed(rooms: Rooms) -> None:
    """How often the observer was right about its house."""
    room, host, keys = open_room(rooms, 4)
    room.start(host)
    room.reveal(host)
    app = phone(room, keys[3])
    before = pictures(app)
    exact, private = room.place(keys[3]).seen or (0, 0)
    assert f"Exact price: {exact:g} of 1; {PRIVATE_PRICE}: {private:g} of 1" in before
    assert "You guessed nothing this time." in before
    room.again(host)
    app.run()
    assert pictures(app) == before
    room.again(host, "forecast")
    app.run()
    assert "Forecast price: 0.5 of 1" in pictures(app)


def test_an_answer_that_comes_too_late_says_so(rooms: Rooms) -> None:
    room, host, keys = open_room(rooms, 4)
    room.start(host)
    app = phone(room, keys[0])
    room.next(host, 0)
    pick(app, "House", False)
    assert [toast.value for toast in app.toast] == [TOO_LATE]
    assert room.place(keys[0]).guess is None


def test_a_player_sees_no_others_truth_before_the_reveal(rooms: Rooms) -> None:
    room, host, keys = open_room(rooms, 4)
    room.start(host)
    before = pictures(phone(room, keys[0])), lab.said(phone(room, keys[0]))
    assert "●" not in pictures(beamer(room))
    room.choose(keys[1], CHOSE_AWAY)
    assert (pictures(phone(room, keys[0])), lab.said(phone(room, keys[0]))) == before


def test_who_comes_late_is_told_to_wait(rooms: Rooms) -> None:
    room, host, _ = open_room(rooms, 4)
    room.start(host)
    assert "You have a house with the next price, or in the next round." in lab.said(phone(room, room.join()))


# The beamer, and predictions


def test_the_beamer_shows_beliefs_only_when_the_host_does(rooms: Rooms) -> None:
    room, host, _ = open_room(rooms, 4)
    assert "<b>4</b><span>have joined</span>" in pictures(beamer(room))
    room.start(host)
    assert "to the observer" not in pictures(beamer(room))
    app = host_view(room, host)
    app.toggle[0].set_value(True).run()
    assert "to the observer" in pictures(beamer(room))


@pytest.mark.slow
def test_an_exercise_goes_to_the_phones_and_its_tally_to_the_beamer(rooms: Rooms) -> None:
    room, host, keys = open_room(rooms, 3)
    app = host_view(room, host)
    select(app, "Exercise", 2)
    lab.press(app, "Send it")
    lab.press(app, "Back to the street")
    select(app, "Exercise", 1)
    lab.press(app, "Send it")
    for key, option in zip(keys, (1, 2, 1), strict=True):
        lab.press(phone(room, key), EXERCISES[0].options[option])
    assert f"{EXERCISES[0].options[1]}: 2;" in pictures(beamer(room))
    assert not beamer(room).success
    app.run()
    lab.press(app, "Reveal the answer")
    right = WHAT_EPSILON_DOES.answer(WHAT_EPSILON_DOES.scenario, None)
    assert right.words in beamer(room).success[0].value
    assert f"You predicted: {EXERCISES[0].options[1]}." in lab.said(phone(room, keys[0]))
    assert right.words in lab.said(phone(room, keys[0]))

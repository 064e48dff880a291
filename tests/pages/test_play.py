"""The Play screen by its addresses: the way in, host, player and beamer; and whose keys stand where."""

from dataclasses import replace

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from pages.ui import rooms as kept
from pages.ui.classroom import cheat
from pages.ui.classroom.play import entry
from pages.ui.lab import Lab
from pages.ui.screens import PLAY
from rtp.core.language import LANGUAGES, say, speaking
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.output.play import learned_words, result_words
from rtp.play import Round
from rtp.play.limits import CLOSED
from rtp.play.room import Room
from rtp.play.rooms import Rooms
from rtp.play.round import BY_HABIT, CHOSE_AWAY
from rtp.play.seen import SLIDES
from rtp.teaching.exercises import EXERCISES
from rtp.teaching.sealed import audited
from tests.help.app import click, key, link_of, opened, said


@pytest.fixture(autouse=True)
def rooms() -> Rooms:
    """None is open when a test begins."""
    kept.rooms.clear()
    return kept.rooms()


def open_room(rooms: Rooms, players: int = 0) -> tuple[Room, str, list[str]]:
    code, host = rooms.open()
    room = rooms.room(code)
    return room, host, [room.join() for _ in range(players)]


def host_view(room: Room, host: str) -> AppTest:
    """By an address that was typed in small letters."""
    return opened("Play", room=room.code.lower(), host=host)


def phone(room: Room, player: str) -> AppTest:
    return opened("Play", room=room.code, player=player)


def beamer(room: Room) -> AppTest:
    return opened("Play", room=room.code, view="beamer")


def pictures(app: AppTest) -> str:
    """All HTML on the screen, without the styles."""
    bodies = (each.proto.body for each in app.get("html"))
    return "\n".join(body for body in bodies if "<style>" not in body).replace("\u00a0", " ")


def keys(app: AppTest) -> list[str | None]:
    return [button.key for button in app.button]


def pick(app: AppTest, name: str, value: object) -> None:
    """One of the options that stand side by side."""
    app.segmented_control(key=key(app, name)).set_value(value).run()


def select(app: AppTest, name: str, value: object) -> None:
    app.selectbox(key=key(app, name)).set_value(value).run()


# Languages


def test_a_phone_speaks_as_its_room_or_as_its_own_address(rooms: Rooms) -> None:
    room, host, players = open_room(rooms, 4)
    app = host_view(room, host)
    select(app, "play:language", "de")
    room.start(host)
    views = [phone(room, players[0]), beamer(room), host_view(room, host)]
    with speaking("de"):
        german = say("Step {step} of {steps}", step=1, steps=12)
    assert all(german in pictures(view) for view in views)
    english = opened("Play", room=room.code, player=players[0], lang="en")
    assert german not in pictures(english)
    own = [opened("Play", room=room.code, player=player, lang="fr") for player in players[:2]]
    with speaking("fr"):
        assert all(say("Step {step} of {steps}", step=1, steps=12) in pictures(view) for view in own)
        late = say("The rate has moved on, so this answer does not count.")
    asked = room.place(players[1]).asked
    room.next(host, 0)
    pick(own[1], f"play:guess 0 {asked}", True)
    assert [toast.value for toast in own[1].toast] == [late], "what is refused, too"
    rooms.close(room.code, host)
    with speaking("de"):
        assert [info.value for info in views[0].run().info] == [say(CLOSED)]


def test_a_list_that_a_browser_knows_in_another_language_keeps_its_choice(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, host, _ = open_room(rooms, 4)
    app = host_view(room, host)
    before = {box.id: box.options[box.index or 0] for box in app.selectbox}
    settings = room.board().settings
    select(app, "play:language", "de")
    before[app.selectbox(key=key(app, "play:language")).id] = LANGUAGES["de"]
    known = property(lambda box: WidgetState(id=box.id, string_value=before[box.id]))
    with monkeypatch.context() as browser:
        browser.setattr(Selectbox, "_widget_state", known)
        app.run()
    for _ in range(2):
        app.run()
        assert not app.exception
        assert not app.toast
    assert room.board().settings == replace(settings, language="de")


# The way in


def test_a_student_types_the_code_and_joins(rooms: Rooms) -> None:
    room, _, _ = open_room(rooms)
    app = opened("Play")
    app.text_input(key=key(app, "text:play:code")).set_value(f" {room.code.lower()} ").run()
    assert link_of(app) == {"room": room.code}
    click(app, "play:join")
    address = link_of(app)
    assert {*address} == {"room", "player"}
    assert room.place(address["player"]).number == 1


def test_who_comes_to_no_room_or_with_no_key_finds_the_way_out(rooms: Rooms) -> None:
    room, host, (player,) = open_room(rooms, 1)
    forged = [opened("Play", **{"room": room.code, kind: "0" * 22}) for kind in ("host", "player")]
    open_while_it_closes = [host_view(room, host), phone(room, player)]
    rooms.close(room.code, host)
    closed = [opened("Play", room="QQQQ"), host_view(room, host), phone(room, player)]
    for app in (*forged, *closed, *(each.run() for each in open_while_it_closes)):
        assert len(app.info) == 1
        assert keys(app) == ["play:leave"]
        click(app, "play:leave")
        assert link_of(app) == {"tab": PLAY}
        assert "play:open" in keys(app)


def test_a_saved_round_is_opened_and_what_is_none_refused(rooms: Rooms) -> None:
    app = opened("Play", sections=[entry.SAVED])
    for text, address in (('{"players": 0}', set()), (Round(players=3, steps=2).to_json(), {"room", "host"})):
        app.file_uploader(key=entry.UPLOAD).upload("round.json", text.encode(), "application/json").run()
        assert {*link_of(app)} == address
        assert ["players" in toast.value for toast in app.toast] == [True] * (not address)
    assert "play:again" in keys(app)


# Keys


def test_keys_stand_in_no_link_but_their_own_address() -> None:
    here = Lab(screen="Class")
    for name in (kept.ROOM, kept.HOST, kept.PLAYER):
        here.show(name, f"<{name}>")
    own = here.link()
    assert {*own} == {"room", "host", "player"}
    assert here.shared_link() == {"room": own["room"]}
    here.screen = "Explore"
    assert here.links(["Explore", "Class"]) == {"Explore": {}, "Class": {"room": own["room"]}}
    here.arrive("Class", {"room": own["room"]}, by_history=False)
    assert here.link() == own, "who comes back by the menu has her place"


def test_what_is_projected_has_no_key_and_no_truth_or_belief_unasked(rooms: Rooms) -> None:
    room, host, players = open_room(rooms, 4)
    for act in (room.is_host, room.start, room.reveal):
        act(host)
        app = beamer(room)
        assert not app.button
        assert not [each for each in (host, *players) if each in f"{pictures(app)}{said(app)}"]
        assert ("play-truth" in pictures(app)) == (act == room.reveal)
    room.start(host)
    before = pictures(beamer(room))
    app = host_view(room, host)
    app.toggle(key=key(app, "play:beliefs")).set_value(True).run()
    assert pictures(beamer(room)) != before


# The host


def test_the_host_steers_a_round_to_its_end_and_back(rooms: Rooms) -> None:
    room, host, _ = open_room(rooms, 8)
    app = host_view(room, host)
    click(app, "play:start")
    click(app, "play:next 0")
    assert room.board().step == 1
    assert "play:pause" not in keys(app)
    select(app, "play:street", 1)
    assert [house.number for house in room.board().houses] == [5, 6, 7, 8]
    click(app, "play:reveal")
    mechanisms = []
    for action in ("play:again", "play:together", "play:together", "play:again"):
        click(app, action)
        reveal = room.board().reveal
        assert reveal is not None
        assert learned_words(reveal).partition(":")[0] in pictures(app)
        mechanisms.append((reveal.round.mechanism, len(room.board().houses)))
    assert mechanisms == [(FEATURED, 4), (FEATURED, 8), (FEATURED, 4), (UNPROTECTED, 4)]
    app.select_slider(key=key(app, "slider:play:epsilon")).set_value(0.1).run()
    assert room.board().settings.epsilon == 0.1
    pick(app, "play:steps", 6)
    click(app, "play:start")
    board = room.board()
    assert (board.phase, board.steps, board.number, board.settings.mechanism) == ("playing", 6, 2, FEATURED)
    click(app, "play:reveal")
    select(app, "play:street", 0)
    for slide in SLIDES:
        pick(app, "play:slide", slide)
        assert pictures(beamer(room)).partition("\n")[2] in pictures(app), "the host sees what the class sees"
    select(app, "play:house", 3)
    click(app, "play:remove")
    assert room.look(host).taken == (1, 2, 4, 5, 6, 7, 8)
    click(app, "play:close")
    assert link_of(app) == {"tab": PLAY}


# A player


def test_an_answer_that_comes_too_late_is_said(rooms: Rooms) -> None:
    room, host, players = open_room(rooms, 4)
    app = phone(room, players[2])
    pick(app, "play:switch", CHOSE_AWAY)
    assert [room.place(each).choice for each in players] == [BY_HABIT, BY_HABIT, CHOSE_AWAY, BY_HABIT]
    room.start(host)
    app.run()
    question = f"play:guess 0 {room.place(players[2]).asked}"
    pick(app, question, True)
    assert [group.value for group in phone(room, players[2]).segmented_control] == [True, CHOSE_AWAY]
    room.next(host, 0)
    pick(app, question, False)
    assert app.toast


@pytest.mark.slow
def test_phones_vote_on_who_cheats_and_the_beamer_shows_what_the_audit_finds(rooms: Rooms) -> None:
    room, host, players = open_room(rooms, 3)
    app = host_view(room, host)
    click(app, "play:trust")
    app = phone(room, players[0])
    for letter in "ABCDE":
        pick(app, f"play:trust 1 {letter}", letter == "A")
    assert room.place(players[0]).trusts == {letter: letter == "A" for letter in "ABCDE"}
    app = host_view(room, host)
    click(app, "play:vote")
    click(app, "play:audit")
    ballot = room.board().ballot
    assert ballot is not None
    told, result = cheat.found(1), result_words(1, ballot.majority(), audited(1))
    for view in (beamer(room), app):
        assert result in said(view)
    for view in (beamer(room), app, phone(room, players[1])):
        assert all(words in said(view) for words in told.values())
    click(app, "play:back")
    assert room.board().ballot is None


@pytest.mark.slow
def test_an_exercise_goes_to_phones_and_beamer_in_the_language_of_the_room(
    rooms: Rooms,
) -> None:
    room, host, players = open_room(rooms, 3)
    room.configure(host, "language", "de")
    asked = EXERCISES[0]
    with speaking("de"):
        spoken, question = asked.spoken(), asked.question(asked.scenario)
        answer = asked.answer(asked.scenario, None)
    app = host_view(room, host)
    click(app, "play:send")
    assert question in said(phone(room, players[0]))
    for player, option in zip(players, (1, 2, 1), strict=True):
        click(phone(room, player), f"play:predict 1 {option}")
    assert spoken.options[1] not in pictures(beamer(room)), "who votes does not see what others vote"
    click(app.run(), "play:vote")
    assert f"{spoken.options[1]}: 2;" in pictures(beamer(room))
    assert not beamer(room).success
    click(app, "play:answer")
    told = f"**{spoken.options[answer.option]}.** {answer.words}"
    (seen,) = beamer(room).success
    assert told in seen.value.replace("\u00a0", " ")
    assert told in said(phone(room, players[0]))
    own = opened("Play", room=room.code, player=players[0], lang="en")
    english = asked.answer(asked.scenario, None)
    assert f"**{asked.options[answer.option]}.** {english.words}" in said(own), (
        "in the language of its address"
    )
    click(app, "play:back")
    assert room.board().tally is None

"""The guided lesson: every step opens ready, comes back as it was left, and ends where it began."""

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from pages.ui import rooms as kept
from pages.ui.guide import Scene
from pages.ui.screens import SCREENS
from rtp.play.rooms import Rooms
from rtp.teaching.plan import HOME_PLAN, PLAN
from rtp.teaching.sealed import SEALED_LETTERS
from tests.help.app import click, link_of, opened, said

LAST = len(PLAN)


@pytest.fixture(autouse=True)
def rooms() -> Rooms:
    """None is open when a test begins."""
    kept.rooms.clear()
    return kept.rooms()


def on(app: AppTest, way: str = "lesson:step next") -> None:
    """By a button of the lesson; a test has to be told on which page it then is, a browser knows."""
    click(app, way)
    assert not app.exception
    (path,) = [each.path for each in SCREENS if each.title == screen(app)]
    app.switch_page(path)


def screen(app: AppTest) -> str:
    return str(app.session_state["lab"].screen)


@pytest.mark.parametrize("number", [1, 3])
def test_a_stop_of_a_shorter_plan_opens_here_and_keeps_what_was_said(number: int) -> None:
    app, stop = opened("Class", tab="The plan", said="1c"), HOME_PLAN[number]
    on(app, f"home plan:{number}")
    link = link_of(app)
    assert screen(app) == stop.screen
    assert stop.link.items() <= link.items()
    assert (link.get("said") == "1c") == (stop.screen == "Class")


@pytest.mark.slow
def test_a_lesson_opens_every_step_and_finds_each_as_it_was_left(rooms: Rooms) -> None:
    app = opened("Class", tab="The plan", epsilon="0.3")
    before = link_of(app)
    click(app, "lesson:begin")
    click(app, "play:open")
    room, host = link_of(app)["room"], link_of(app)["host"]
    rooms.room(room).configure(host, "language", "de")
    for number, stop in enumerate(PLAN, 1):
        link = link_of(app)
        assert (screen(app), link["lesson"]) == (stop.screen, str(number))
        assert stop.title in said(app)
        if stop.screen == "Class":
            assert (link["room"], link["host"]) == (room, host)
            board = rooms.room(room).board()
            asks = board.tally is not None, board.ballot is not None
            assert asks == (stop.exercise is not None, stop.finds_the_cheat), "the phones are asked"
        else:
            assert stop.link.items() <= link.items()
            assert (link["class"], link["key"]) == (room, host), "a reload keeps the room"
            assert link["lang"] == "de", "and its language"
        if stop.screen == "Paper":
            click(app, "line-next")
        scene = rooms.room(room).projected()
        assert (scene is None) == (stop.screen == "Class"), "elsewhere the beamer goes along"
        assert host not in str(scene)
        if isinstance(scene, Scene):
            beamer = opened("Play", room=room, view="beamer")
            assert (screen(beamer), scene.screen) == (stop.screen, stop.screen)
            own = link_of(beamer)
            assert {name: own[name] for name in scene.link} == scene.link
        if number < LAST:
            on(app)
    on(app, "lesson:step back")
    assert link_of(app)["line"] == "2"
    shared = app.session_state["lab"].shared_link()
    assert not {"lesson", "class", "key"} & {*shared}, "what is passed on is no teacher's"
    on(app, "lesson:end")
    assert (screen(app), link_of(app)) == ("Class", before)


def leads(app: AppTest, way: str) -> list[str]:
    """The keys of the buttons that a clicker presses before the lesson's own, by the block they stand in."""
    found, blocks = [], [app.main]
    while blocks:
        block = blocks.pop()
        blocks += [each for each in block.children.values() if isinstance(each, Block)]
        if str(getattr(block.proto, "id", "")).endswith(f"-step-{way}"):
            found += [str(each.key) for each in block.button if not each.disabled]
    return found


def test_without_a_room_the_lesson_shows_its_questions_and_a_clicker_the_answers() -> None:
    app = opened("Class", tab="The plan")
    click(app, "lesson:begin")
    for stop in PLAN[:2]:
        assert stop.link.items() <= link_of(app).items()
        on(app)
    assert PLAN[2].link.items() <= link_of(app).items()
    assert not leads(app, "next") + leads(app, "back"), "a clicker leads to the lesson's other steps"
    app.radio[0].set_value(1).run()
    assert leads(app, "next") == ["lesson:reveal"]
    click(app, "lesson:reveal")
    assert not leads(app, "next")
    votes = {"votes": "".join(SEALED_LETTERS), "tab": "Find the cheat"}
    assert leads(opened("Class", lesson=str(LAST), **votes), "next") == ["start:cheat"]

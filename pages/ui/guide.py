"""The guided lesson: one tab and one clicker lead from Play to the audit.

The address is the whole view of a screen, so a step that is left is remembered by its address, and comes back
as it was; one that was never open begins by the plan. The bar stands on every screen, with what to ask and
what to expect. A clicker's keys press its Next where nothing on the screen leads on (`browser/lab.js`). The
keys of the room stand in the teacher's own address at every step, so a reload loses nothing.

The beamer's own window goes along: at a step beyond the room it takes the address that the teacher's has, and
shows that screen without its controls.
"""

from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import tour
from pages.ui.lab import Lab, Link
from pages.ui.params import LANGUAGE
from pages.ui.rooms import HOST, ROOM, rooms
from pages.ui.screens import SCREENS
from pages.ui.session import WAY, button, fragment, lab
from rtp.core.language import SOURCE
from rtp.play.limits import RoomError
from rtp.teaching.plan import LESSON_MINUTES, PLAN, PlanStop

STEP, _ROOM, _HOST, BEAMER = "lesson:step", "lesson:room", "lesson:host", "lesson:beamer"
_KEPT = "lesson: kept"  # by step, 0 being where it began: the screen and its address
_OUTSIDE = 0
_FOLLOWED = "lesson: followed"  # what the beamer's window shows
BEAMERS = {"present": "true", "view": "beamer"}  # of the address of the beamer's view
_LOOK = 1.0  # seconds between two looks
# Nothing steers the beamer's window: what is pressed, chosen or taken away is not seen there.
_NO_CONTROLS = """<style>
.st-key-presenter, .st-key-stage-bar, .st-key-story-guess, .st-key-step-back, .st-key-step-next,
[data-testid=stButton], [data-testid=stButtonGroup], [data-testid=stDownloadButton], [data-testid=stSlider],
[data-testid=stPopover], [data-testid=stExpander], [role=tablist],
[data-testid=stLayoutWrapper]:has(> .st-key-poster) ~ * { display: none }
</style>"""


def step() -> int:
    """At which step the lesson is, from 1; 0 where there is none."""
    return lab().setting(STEP, _OUTSIDE)


def go(number: int) -> None:
    """To a step, as it was left or as it opens; 0 ends the lesson where it began."""
    here, now = lab(), step()
    kept: dict[int, tuple[str, Link]] = here.extras.setdefault(_KEPT, {})
    kept[now] = here.screen, here.link()
    code, key = (here.chosen(first) or here.chosen(then) for first, then in ((ROOM, _ROOM), (HOST, _HOST)))
    own: Link = {}
    if number == _OUTSIDE:
        screen, link = kept.get(_OUTSIDE, ("Class", {"tab": "The plan"}))
        kept.clear()
    else:
        stop = PLAN[number - 1]
        screen, link = kept.get(number, (stop.screen, dict(stop.link)))
        own = {"present": "true", "lesson": str(number)}
        if code and key:
            own |= {"class": code, "key": key, "lang": _language(here, code)}
            if stop.screen == "Class" and _ask(stop, code, key):
                link = {"room": code, "host": key}
    _open(here, screen, link | own)
    if number == _OUTSIDE and code and key:
        _project(code, key, None)


def _language(here: Lab, code: str) -> str:
    """That of the address, else of the room: the story is told in it, too."""
    try:
        own: str = here.chosen(LANGUAGE) or rooms().room(code).language
    except RoomError:
        return SOURCE
    return own


def show(stop: PlanStop) -> None:
    """Open what a stop shows, in this tab: what was said before on its screen stays."""
    here = lab()
    said = here.link() if here.screen == stop.screen else {}
    _open(here, stop.screen, {name: text for name, text in said.items() if name != "tab"} | dict(stop.link))


def _open(here: Lab, screen: str, link: Link) -> None:
    here.screen = screen
    here.load(link)
    (here.extras[WAY],) = [each.path for each in SCREENS if each.title == screen]


def _ask(stop: PlanStop, code: str, key: str) -> bool:
    """Ask the phones of the room what the step asks, once; false where the room is gone."""
    try:
        room = rooms().room(code)
        board = room.look(key)
        if stop.exercise is not None and board.tally is None:
            room.ask(key, stop.exercise)
        elif stop.finds_the_cheat and board.ballot is None:
            room.ask_whom_to_trust(key, 1)
        elif stop.exercise is None and not stop.finds_the_cheat:
            room.ask(key, None)
    except RoomError:
        return False
    return True


def bar(*, alone: bool) -> None:
    """At a step of the lesson: the way back and on, what to ask, what to expect; what stands `alone`, a room,
    says that of every moment itself."""
    here, number = lab(), step()
    if code := here.chosen(BEAMER):
        _along(code)
        return
    if not number:
        return
    stop, last = PLAN[number - 1], len(PLAN)
    code, key = here.chosen(_ROOM), here.chosen(_HOST)
    if code and key:
        _project(code, key, None if stop.screen == "Class" else here)
    with st.container(border=True, key="lesson", gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            ways = (
                ("back", max(number - 1, 1), number == 1),
                ("next", min(number + 1, last), number == last),
            )
            for way, to, off in ways:
                with st.container(key=f"lesson-{way}", width="content"):
                    label, icon = way.capitalize(), "skip_next" if way == "next" else "skip_previous"
                    button(label, f"lesson:step {way}", icon, go, to, off=off)
            title = f"**{number} of {last} · {stop.title}** · {stop.minutes} min"
            st.markdown(title, width="stretch")
            button("End the lesson", "lesson:end", "close", go, _OUTSIDE)
        if not alone or stop.finds_the_cheat or stop.exercise:
            st.caption(f"**Ask:** {stop.ask} **Expect:** {stop.expect}")


def begin() -> None:
    """The button that begins it."""
    label = f"Begin the lesson: {LESSON_MINUTES} minutes"
    button(label, "lesson:begin", "play_arrow", go, 1, type="primary")


# The beamer's window


class Scene(NamedTuple):
    """Where a lesson is, beyond its room."""

    screen: str
    link: Link
    epsilon: float  # of the story's stop, which its address does not say
    said: dict[str, object]  # what was marked and answered there


def _project(code: str, key: str, host: Lab | None) -> None:
    """Let the beamer of a room show what the host has on the screen; None: the room itself."""
    try:
        rooms().room(code).project(key, None if host is None else partial(_scene_of, host))
    except RoomError:
        return  # it was closed: there is nobody to show it to


def _scene_of(host: Lab) -> Scene:
    link = host.shared_link() | {"present": "true", "lesson": str(host.setting(STEP, _OUTSIDE))}
    said = {name: host.extras[name] for name in (tour.MARKED, tour.ANSWERED) if name in host.extras}
    return Scene(host.screen, link, host.scenario.epsilon, said)


def follow(code: str, scene: object) -> None:
    """Show on the beamer's window what the host shows."""
    here = lab()
    if not isinstance(scene, Scene) or scene == here.extras.get(_FOLLOWED):
        return
    here.extras[_FOLLOWED] = scene
    for name in (tour.MARKED, tour.ANSWERED):
        here.extras.pop(name, None)
    here.extras |= scene.said
    _open(here, scene.screen, scene.link | {"beamer": code})
    if here.scenario.epsilon != scene.epsilon:
        here.set("epsilon", scene.epsilon)
    st.rerun()


def _along(code: str) -> None:
    """Look where the host is, again and again; back in the room, or where it is closed, its own page says."""
    st.html(_NO_CONTROLS)

    def look() -> None:
        try:
            scene = rooms().room(code).projected()
        except RoomError:
            scene = None
        if scene is None:
            lab().extras.pop(_FOLLOWED, None)
            _open(lab(), "Class", {"room": code, **BEAMERS})
            st.rerun()
        follow(code, scene)

    fragment(look, _LOOK)

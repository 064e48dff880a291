"""The host's view, for a laptop: how to join, the settings of a round, its steps, what it reveals."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from pages.ui import guide
from pages.ui.classroom import cheat
from pages.ui.classroom.lesson import answer_of
from pages.ui.classroom.play import beamer
from pages.ui.classroom.play.ways import (
    address,
    attempt,
    button,
    how_to_join,
    leave,
    local_only,
    looking,
)
from pages.ui.params import EPSILON_GRID, LANGUAGE
from pages.ui.rooms import rooms
from pages.ui.session import lab
from pages.ui.show import download
from pages.ui.sidebar import menu
from pages.ui.versions import Save
from pages.ui.widgets import segmented, select, slider, toggle
from rtp.core.language import LANGUAGES, figure, noted, say, say_many, speaking
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.play import limits
from rtp.play.room import Room
from rtp.play.scores import Scores, price_name
from rtp.play.seated import BallotTally, Tally
from rtp.play.seen import IN_TURN, OPTIONS, SLIDES, Board, Slide
from rtp.scenario.typed import shown
from rtp.teaching import plan
from rtp.teaching.exercises import EXERCISES

NEXT, BACK = "play-next", "play-back"  # what the keys of a clicker press
EXERCISE = "play:exercise"  # that is chosen to be sent, not yet sent
_REMOVED = "play:house"  # that is chosen to be removed, not yet removed
SLIDE_NAMES: dict[Slide, str] = {
    "truth": noted("Who was at home"),
    "points": noted("Points"),
    "rounds": noted("Both rounds"),
    "useful": noted("Still useful"),
}
BEAMER_MEANS = noted(
    "For the projector. This page stays with you: who has its address can steer the room, also from another "
    "machine."
)
CROWD_MEANS = noted(
    "Where a school's network or a proxy shows all phones under one address. Else one address may take "
    "{most} houses."
)
NEXT_SLIDE: dict[Slide, str] = {
    "truth": noted("Next: street {n}"),
    "points": noted("Next: points"),
    "rounds": noted("Next: both rounds"),
    "useful": noted("Next: still useful"),
}
Look = dict[str, Any]  # of a button


class Desk(NamedTuple):
    """Where the host sits: the room, its key, and what everybody may see of it."""

    room: Room
    key: str
    board: Board

    def set(self, name: str) -> Save[Any]:
        """What changes a setting of the room."""
        return partial(attempt, self.room.configure, self.key, name)


def draw(code: str, key: str) -> None:
    with st.container(key="play-host"):
        _bar(code, key)
        looking(code, partial(_look, key))


def _bar(code: str, key: str) -> None:
    """What stands above all: the room, the way to other screens and to the beamer's view, the end."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(say("Room {code}", code=code), anchor=False, width="content")
        with st.popover(say("Screens"), icon=":material/menu:"):
            menu()
        beamers, icon = say("Open the beamer's view"), ":material/open_in_new:"
        st.link_button(beamers, address(code, **guide.BEAMERS), icon=icon, help=say(BEAMER_MEANS))
        _language(code, key)
        with st.popover(say("Close"), icon=":material/close:"):
            st.markdown(say("Everybody leaves, and nothing is kept."))
            button(say("Close the room"), "close", _close, code, key)


def _language(code: str, key: str) -> None:
    """Of the room: phones, beamer and this page, unless their own address says another one."""
    room, label = rooms().room(code), say("Language of the room")
    save, look = partial(_speak, room, key), {"label_visibility": "collapsed", "width": 130}
    languages = list(LANGUAGES)
    select(label, languages, room.language, LANGUAGES.__getitem__, save, key="play:language", **look)


def _speak(room: Room, key: str, language: str) -> None:
    """Of what was chosen last, here or in the address, the choice here counts."""
    attempt(room.configure, key, "language", language)
    lab().show(LANGUAGE, None)


def _close(code: str, key: str) -> None:
    rooms().close(code, key)
    leave()


def _look(key: str, room: Room) -> None:
    """What steers the room, beside what the class sees."""
    desk = Desk(room, key, board := room.look(key))
    left, right = st.columns([5, 6], gap="medium")
    with left:
        if board.tally is None and board.ballot is None:
            stop = _stop(board)
            ask, expect = say(stop.ask), say(stop.expect)
            st.caption(say("**Ask:** {ask} **Expect:** {expect}", ask=ask, expect=expect))
        if board.refused:
            st.warning(say(limits.MANY_HERE, most=limits.HOUSES_PER_ADDRESS), icon=":material/front_hand:")
            _crowd(desk)
        if board.tally is not None:
            _vote(desk, board.tally)
        elif board.ballot is not None:
            _ballot(desk, board.ballot)
        elif board.phase in ("playing", "over"):
            _round(desk)
        elif board.reveal is not None:
            _revealed(desk, board.reveal)
        else:
            st.markdown(say_many("**{n}** has joined.", "**{n}** have joined.", board.players))
            with st.container(key=NEXT):
                _start(desk, say("Start"))
            _settings(desk)
        with st.expander(say("Houses: {n}", n=board.players), icon=":material/home:"):
            _houses(desk)
            if board.players:
                label, name = say("Results so far (CSV)"), "results.csv"
                download(label, partial(_results, desk), name, "text/csv", "table", in_class=True)
        if board.tally is None and board.ballot is None:
            with st.expander(say("Ask the phones"), icon=":material/quiz:"):
                _exercises(desk)
    with right:
        _seen(desk)


def _stop(board: Board) -> plan.PlanStop:
    """What to ask now, and what to expect."""
    if board.phase == "gathering":
        return plan.JOIN
    if board.reveal is None:
        return plan.FIRST if board.number == 1 else plan.AGAIN
    if board.settings.slide == "useful":
        return plan.USEFUL
    return plan.REVEAL if board.number <= 1 else plan.TAKE_HOME


def _seen(desk: Desk) -> None:
    """What the class sees, and which street of it."""
    room, _, board = desk
    truth = board.reveal is None or board.settings.slide == "truth"
    asks = board.tally is not None or board.ballot is not None
    if not asks and board.streets > 1 and truth:
        streets, shown = range(IN_TURN, board.streets), min(board.settings.street, board.streets - 1)
        names = {street: say("Street {n}", n=street + 1) for street in streets}
        names[IN_TURN] = say("All in turn")
        save, key = desk.set("street"), "play:street"
        select(say("Street on the beamer"), streets, shown, names.__getitem__, save, key=key)
    with st.container(border=True):
        if beamer.asked(board):
            return
        if board.phase == "gathering":
            how_to_join(board.code)
            local_only()
        else:
            beamer.round_(room, board)


def _start(desk: Desk, label: str, strong: bool = True) -> None:
    room, key, board = desk
    help = None if board.players else say("Somebody has to join first.")
    look: Look = {"icon": "play_arrow", "strong": strong, "wide": True, "off": not board.players}
    button(label, "start", room.start, key, help=help, **look)


def _settings(desk: Desk) -> None:
    """Of the next round."""
    own = desk.board.settings
    _pace(desk)
    _choice(desk, say("Steps, an hour each"), "steps", own.steps, str)
    label = say("Houses per street, at least")
    _choice(desk, label, "per_street", own.per_street, lambda houses: str(houses or say("all")))
    help = say("The optimal one first: then everybody sees what it gives away.")
    _rate(own.mechanism, desk.set("mechanism"), "rate", help)
    if own.mechanism != UNPROTECTED and desk.board.reveal is None:
        _epsilon(desk, own.epsilon)


def _houses(desk: Desk) -> None:
    """Who has one, and what may be done about it."""
    room, key, board = desk
    if not board.refused:
        _crowd(desk)
    if board.taken:
        chosen: int = lab().extras.get(_REMOVED, board.taken[0])
        number, save = chosen if chosen in board.taken else board.taken[0], _choose(_REMOVED)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            select(say("House"), board.taken, number, str, save, key=_REMOVED)
            button(say("Remove"), "remove", _remove, room, key, icon="person_remove")


def _results(desk: Desk) -> str:
    """Points, answers and votes, by house."""
    return str(desk.room.results(desk.key).to_csv(index=False))


def _crowd(desk: Desk) -> None:
    label, crowd = say("Let all join by one address"), desk.board.settings.crowd
    help = say(CROWD_MEANS, most=limits.HOUSES_PER_ADDRESS)
    toggle(label, crowd, desk.set("crowd"), key="play:crowd", help=help)


def _choose(name: str) -> Save[int]:
    """What is chosen here is not yet done: the room does not know of it."""
    return partial(lab().extras.__setitem__, name)


def _remove(room: Room, key: str) -> None:
    """The house that is chosen; who had it may join again."""
    houses = room.look(key).taken
    number: int = lab().extras.pop(_REMOVED, houses[0] if houses else 0)
    room.remove(key, number)


def _choice(desk: Desk, label: str, name: str, value: int, words: Callable[[int], str]) -> None:
    segmented(label, OPTIONS[name], value, words, desk.set(name), key=f"play:{name}")


def _pace(desk: Desk) -> None:
    seconds = desk.board.settings.pace
    _choice(desk, say("Next step"), "pace", seconds, lambda pace: f"{pace} s" if pace else say("by hand"))


def _rate(value: str, save: Save[str], name: str, help: str | None = None) -> None:
    select(say("Published rate"), list(REGISTRY), value, price_name, save, key=f"play:{name}", help=help)


def _epsilon(desk: Desk, value: float) -> None:
    save, key = desk.set("epsilon"), "play:epsilon"
    label, words = say("ε: small is more private"), lambda epsilon: figure(shown(epsilon))
    slider(label, EPSILON_GRID, value, words, save, key=key)


def _round(desk: Desk) -> None:
    room, key, board = desk
    playing, last = board.phase == "playing", board.step + 1 == board.steps
    with st.container(horizontal=True):
        if playing:
            with st.container(key=NEXT):  # a click belongs to its step, however late it is told
                label, name = say("End the round") if last else say("Next"), f"next {board.step}"
                button(label, name, room.next, key, board.step, icon="skip_next", strong=True, wide=True)
            if board.settings.pace:
                label, icon = (say("Go on"), "play_arrow") if board.paused else (say("Pause"), "pause")
                button(label, "pause", room.pause, key, icon=icon, wide=True)
        with st.container(key=None if playing else NEXT):
            help = say("Ends the round with the steps that were played, and shows who was at home.")
            look: Look = {"strong": not playing, "wide": True, "help": help}
            button(say("Reveal"), "reveal", room.reveal, key, icon="visibility", **look)
    _pace(desk)
    label, beliefs = say("Show what the observer believes"), board.settings.beliefs
    toggle(label, beliefs, desk.set("beliefs"), key="play:beliefs", help=say(beamer.FILL_WORDS))
    with st.expander(say("How to join"), icon=":material/qr_code_2:"):
        how_to_join(board.code)


def _revealed(desk: Desk, reveal: Scores) -> None:
    """What the beamer tells of the round, the same hours otherwise, and the next round."""
    room, key, board = desk
    slides = [slide for slide in SLIDES if slide != "rounds" or len(board.results) > 1]
    names, save = {slide: say(name) for slide, name in SLIDE_NAMES.items()}, desk.set("slide")
    segmented(say("On the beamer"), slides, board.settings.slide, names.__getitem__, save, key="play:slide")
    at, views = board.view, board.views
    with st.container(horizontal=True):
        if at > 0:
            with st.container(key=BACK):
                button(say("Back"), f"back {at}", room.turn, key, -1, icon="arrow_back", wide=True)
        if at + 1 < len(views):
            slide, street = views[at + 1]
            label = say(NEXT_SLIDE[slide], n=street + 1)
            with st.container(key=NEXT):
                look: Look = {"strong": True, "wide": True}
                button(label, f"next {at}", room.turn, key, 1, icon="skip_next", **look)
    with st.container(horizontal=True):
        label, rate = say("Again with privacy"), FEATURED
        if reveal.round.mechanism != UNPROTECTED:
            label, rate = say("Again without privacy"), UNPROTECTED
        button(label, "again", room.again, key, rate, icon="replay", wide=True)
        label = say("Streets as they were") if board.together else say("Put us all in one street")
        one = not board.together
        button(label, "together", room.together, key, one, icon="holiday_village", wide=True)
    _epsilon(desk, reveal.round.epsilon)
    private = board.settings.mechanism != UNPROTECTED
    first = at + 1 == len(views) and len(board.results) == 1  # the clicker goes on to the second round
    with st.container(key=NEXT if first else None):
        label = say("Guess again, with privacy") if private else say("Guess again")
        _start(desk, label, strong=first)
    with st.expander(say("The next round"), icon=":material/tune:"):
        _settings(desk)
    with st.expander(say("Replay and save"), icon=":material/history:"):
        _rate(reveal.round.mechanism, partial(attempt, room.again, key), "replayed")
        label, name = say("Save the round"), "round.json"
        download(label, partial(room.saved, key), name, "application/json", "download")


def _exercises(desk: Desk) -> None:
    room, key, _ = desk
    number: int = lab().extras.get(EXERCISE, 1)
    titles = {n: f"{n}. {say(each.title)}" for n, each in enumerate(EXERCISES, 1)}
    select(say("Exercise"), list(titles), number, titles.__getitem__, _choose(EXERCISE), key=EXERCISE)
    with st.container(horizontal=True):
        button(say("Send it"), "send", room.ask, key, number, icon="send")
        sealed: int = lab().setting(cheat.NUMBER, 1)
        button(say("Find the cheat"), "trust", room.ask_whom_to_trust, key, sealed, icon="casino")


def _leads_on(here: bool) -> str | None:
    """The key of what leads on: a question until it is answered, in a lesson then the lesson's own Next."""
    return NEXT if here or not guide.step() else None


def _vote(desk: Desk, tally: Tally) -> None:
    """On from question to answer, and back to the street."""
    room, key, _ = desk
    act = partial(_show_answer, room, key, tally.exercise)
    reveal = partial(button, say("Reveal the answer"), "answer", act, icon="visibility")
    _on(desk, tally.counts is not None, tally.right is not None, reveal, room.ask)


def _ballot(desk: Desk, tally: BallotTally) -> None:
    """On from the vote to the audit, and back to the street."""
    room, key, _ = desk
    reveal = partial(button, say("Run the audit"), "audit", _show_audit, room, key, tally, icon="gavel")
    _on(desk, tally.counts is not None, tally.audited, reveal, room.ask_whom_to_trust)


def _on(
    desk: Desk, closed: bool, done: bool, reveal: Callable[..., None], ask: Callable[[str, None], None]
) -> None:
    """The vote is closed, then what it was about is revealed; back, by asking nothing, at any time."""
    room, key, _ = desk
    look: Look = {"wide": True, "strong": True}
    back = partial(button, say("Back to the street"), "back", ask, key, None, icon="undo")
    with st.container(key=_leads_on(not done)):
        if not closed:
            button(say("Close the vote"), "vote", room.close_vote, key, icon="how_to_vote", **look)
        elif not done:
            reveal(**look)
        else:
            back(**look)
    if not done:
        back()


def _show_audit(room: Room, key: str, tally: BallotTally) -> None:
    cheat.found(tally.number)
    room.show_audit(key, tally.number)


def _show_answer(room: Room, key: str, number: int) -> None:
    exercise = EXERCISES[number - 1]
    with speaking(room.language):
        room.show_answer(key, number, answer_of(exercise, exercise.scenario).option)

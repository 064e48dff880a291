"""The host's view, for a laptop: how to join, the settings of a round, its steps, what it reveals."""

from collections.abc import Callable
from functools import partial

import streamlit as st

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
    rooms,
)
from pages.ui.params import EPSILON_GRID
from pages.ui.session import lab
from pages.ui.show import download
from pages.ui.sidebar import menu
from pages.ui.versions import Save
from pages.ui.widgets import segmented, select, slider, toggle
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.play import limits
from rtp.play.room import Room
from rtp.play.scores import Scores, price_name
from rtp.play.seen import IN_TURN, OPTIONS, SLIDES, Board, Slide, Tally
from rtp.scenario.typed import shown
from rtp.teaching.exercises import EXERCISES

EXERCISE = "play:exercise"  # that is chosen to be sent, not yet sent
REMOVED = "play:house"  # that is chosen to be removed, not yet removed
SLIDE_NAMES: dict[Slide, str] = {
    "truth": "Who was at home",
    "points": "Points",
    "rounds": "Both rounds",
    "useful": "Still useful",
}


def draw(code: str, key: str) -> None:
    with st.container(key="play-host"):
        _bar(code, key)
        looking(code, partial(_look, key))


def _bar(code: str, key: str) -> None:
    """What stands above all: the room, the way to other screens and to the beamer's view, the end."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(f"Room {code}", anchor=False, width="content")
        with st.popover("Screens", icon=":material/menu:"):
            menu()
        st.link_button(
            "Open the beamer's view",
            address(code, view="beamer"),
            icon=":material/open_in_new:",
            help="For the projector. This page stays with you: who has its address can steer the room, also "
            "from another machine.",
        )
        with st.popover("Close", icon=":material/close:"):
            st.markdown("Everybody leaves, and nothing is kept.")
            button("Close the room", "close", _close, code, key)


def _close(code: str, key: str) -> None:
    rooms().close(code, key)
    leave()


def _look(key: str, room: Room) -> None:
    """What steers the room, beside what the class sees."""
    board = room.look(key)
    left, right = st.columns([5, 6], gap="medium")
    with left:
        if board.phase in ("playing", "over"):
            _round(room, key, board)
        elif board.reveal is not None:
            _revealed(room, key, board, board.reveal)
        else:
            _gathering(room, key, board)
        with st.expander(f"Houses: {board.players}", icon=":material/home:"):
            _houses(room, key, board)
        with st.expander("Send an exercise to the phones", icon=":material/quiz:"):
            _exercises(room, key, board.tally)
    with right:
        _seen(room, key, board)


def _seen(room: Room, key: str, board: Board) -> None:
    """What the class sees, and which street of it."""
    truth = board.reveal is None or board.settings.slide == "truth"
    if board.tally is None and board.streets > 1 and truth:
        select(
            "Street on the beamer",
            range(IN_TURN, board.streets),
            min(board.settings.street, board.streets - 1),
            lambda street: "All in turn" if street == IN_TURN else f"Street {street + 1}",
            partial(attempt, room.configure, key, "street"),
            key="play:street",
        )
    with st.container(border=True):
        if board.tally is not None:
            beamer.tally(board.tally)
        elif board.phase == "gathering":
            how_to_join(board.code)
            local_only()
        else:
            beamer.round_(room, board)


def _gathering(room: Room, key: str, board: Board) -> None:
    st.markdown(f"**{board.players}** {'has' if board.players == 1 else 'have'} joined.")
    _start(room, key, board, "Start")
    _settings(room, key, board)


def _start(room: Room, key: str, board: Board, label: str) -> None:
    button(
        label,
        "start",
        room.start,
        key,
        icon="play_arrow",
        strong=True,
        wide=True,
        off=not board.players,
        help=None if board.players else "Somebody has to join first.",
    )


def _settings(room: Room, key: str, board: Board) -> None:
    """Of the next round."""
    own = board.settings
    _pace(room, key, board)
    _choice(room, key, "Steps, an hour each", "steps", own.steps, str)
    _choice(room, key, "Houses per street", "per_street", own.per_street, lambda houses: str(houses or "all"))
    help = "The optimal one first: then everybody sees what it gives away."
    _rate(own.mechanism, partial(attempt, room.configure, key, "mechanism"), "rate", help)
    if own.mechanism != UNPROTECTED and board.reveal is None:
        _epsilon(room, key, own.epsilon)


def _houses(room: Room, key: str, board: Board) -> None:
    """Who has one, and what may be done about it."""
    if board.refused:
        st.warning(limits.MANY_HERE, icon=":material/front_hand:")
    toggle(
        "Let all join by one address",
        board.settings.crowd,
        partial(attempt, room.configure, key, "crowd"),
        key="play:crowd",
        help="Where a school's network or a proxy shows all phones under one address. Else one address may "
        f"take {limits.HOUSES_PER_ADDRESS} houses.",
    )
    if not board.taken:
        return
    number: int = lab().extras.get(REMOVED, board.taken[0])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        select(
            "House",
            board.taken,
            number if number in board.taken else board.taken[0],
            str,
            partial(lab().extras.__setitem__, REMOVED),
            key=REMOVED,
        )
        button("Remove", "remove", _remove, room, key, icon="person_remove")


def _remove(room: Room, key: str) -> None:
    """The house that is chosen; who had it may join again."""
    houses = room.look(key).taken
    number: int = lab().extras.pop(REMOVED, houses[0] if houses else 0)
    room.remove(key, number)


def _choice(room: Room, key: str, label: str, name: str, value: int, words: Callable[[int], str]) -> None:
    save = partial(attempt, room.configure, key, name)
    segmented(label, OPTIONS[name], value, words, save, key=f"play:{name}")


def _pace(room: Room, key: str, board: Board) -> None:
    seconds = board.settings.pace
    _choice(room, key, "Next step", "pace", seconds, lambda pace: f"{pace} s" if pace else "by hand")


def _rate(value: str, save: Save[str], name: str, help: str | None = None) -> None:
    select("Published rate", list(REGISTRY), value, price_name, save, key=f"play:{name}", help=help)


def _epsilon(room: Room, key: str, value: float) -> None:
    save = partial(attempt, room.configure, key, "epsilon")
    slider("ε: small is more private", EPSILON_GRID, value, shown, save, key="play:epsilon")


def _round(room: Room, key: str, board: Board) -> None:
    playing = board.phase == "playing"
    last = board.step + 1 == board.steps
    with st.container(horizontal=True):
        button(
            "End the round" if last else "Next",
            "next",
            room.next,
            key,
            board.step,
            icon="skip_next",
            strong=playing,
            wide=True,
            off=not playing,
        )
        if board.settings.pace:
            label, icon = ("Go on", "play_arrow") if board.paused else ("Pause", "pause")
            button(label, "pause", room.pause, key, icon=icon, wide=True, off=not playing)
        button(
            "Reveal",
            "reveal",
            room.reveal,
            key,
            icon="visibility",
            strong=not playing,
            wide=True,
            help="Ends the round with the steps that were played, and shows who was at home.",
        )
    _pace(room, key, board)
    toggle(
        "Show what the observer believes",
        board.settings.beliefs,
        partial(attempt, room.configure, key, "beliefs"),
        key="play:beliefs",
        help=beamer.FILL_WORDS,
    )
    with st.expander("How to join", icon=":material/qr_code_2:"):
        how_to_join(board.code)


def _revealed(room: Room, key: str, board: Board, reveal: Scores) -> None:
    """What the beamer tells of the round, the same hours otherwise, and the next round."""
    slides = [slide for slide in SLIDES if slide != "rounds" or len(board.results) > 1]
    segmented(
        "On the beamer",
        slides,
        board.settings.slide,
        SLIDE_NAMES.__getitem__,
        partial(attempt, room.configure, key, "slide"),
        key="play:slide",
    )
    with st.container(horizontal=True):
        label, rate = "Again with privacy", FEATURED
        if reveal.round.mechanism != UNPROTECTED:
            label, rate = "Again without privacy", UNPROTECTED
        button(label, "again", room.again, key, rate, icon="replay", wide=True)
        label, one = "Put us all in one street", True
        if board.together:
            label, one = "Streets as they were", False
        button(label, "together", room.together, key, one, icon="holiday_village", wide=True)
    _epsilon(room, key, reveal.round.epsilon)
    private = board.settings.mechanism != UNPROTECTED
    _start(room, key, board, "Guess again, with privacy" if private else "Guess again")
    with st.expander("The next round", icon=":material/tune:"):
        _settings(room, key, board)
    with st.expander("Replay and save", icon=":material/history:"):
        _rate(reveal.round.mechanism, partial(attempt, room.again, key), "replayed")
        download("Save the round", partial(room.saved, key), "round.json", "application/json", "download")


def _exercises(room: Room, key: str, tally: Tally | None) -> None:
    if tally is None:
        number: int = lab().extras.get(EXERCISE, 1)
        select(
            "Exercise",
            range(1, len(EXERCISES) + 1),
            number,
            lambda number: f"{number}. {EXERCISES[number - 1].title}",
            partial(lab().extras.__setitem__, EXERCISE),
            key=EXERCISE,
        )
        button("Send it", "send", room.ask, key, number, icon="send")
        return
    with st.container(horizontal=True):
        if tally.counts is None:
            button("Close the vote", "vote", room.close_vote, key, icon="how_to_vote", wide=True)
        button(
            "Reveal the answer",
            "answer",
            _show_answer,
            room,
            key,
            tally.exercise,
            icon="visibility",
            strong=True,
            off=tally.answer is not None,
        )
        button("Back to the street", "back", room.ask, key, None, icon="undo")


def _show_answer(room: Room, key: str, number: int) -> None:
    exercise = EXERCISES[number - 1]
    room.show_answer(key, number, answer_of(exercise, exercise.scenario))

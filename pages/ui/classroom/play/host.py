"""The host's view, for a laptop: how to join, the settings of a round, its steps, what it reveals."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.classroom.play import beamer
from pages.ui.classroom.play.rooms import CLOSED, Room, RoomError
from pages.ui.classroom.play.seen import OPTIONS, TOGETHER, Board, Reveal, Tally
from pages.ui.classroom.play.ways import BEAMER, address, attempt, leave, local_only, looking, rooms
from pages.ui.session import lab, press
from pages.ui.show import download
from pages.ui.sidebar import EPSILON_GRID, menu
from pages.ui.widgets import segmented, select, slider, toggle
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.play.scores import price_name
from rtp.scenario.typed import shown
from rtp.teaching.exercises import EXERCISES, Exercise, ExerciseAnswer

EXERCISE = "play:exercise"  # that is chosen to be sent, not yet sent


def draw(code: str, key: str) -> None:
    with st.container(key="play-host"):
        _bar(code, key)
        looking(partial(_look, code, key))


def _bar(code: str, key: str) -> None:
    """What stands above all: the room, the way to other screens and to the beamer's view, the end."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(f"Room {code}", anchor=False, width="content")
        with st.popover("Screens", icon=":material/menu:"):
            menu()
        st.link_button(
            "Open the beamer's view",
            address(code, view=BEAMER),
            icon=":material/open_in_new:",
            help="For the projector. This page stays with you: who has its address can steer the room, also "
            "from another machine.",
        )
        with st.popover("Close", icon=":material/close:"):
            st.markdown("Everybody leaves, and nothing is kept.")
            st.button(
                "Close the room", key="play:close", on_click=press, args=(attempt, partial(_close, code, key))
            )


def _close(code: str, key: str) -> None:
    rooms().close(code, key)
    leave()


def _look(code: str, key: str) -> None:
    try:
        room = rooms().room(code)
    except RoomError:
        raise RoomError(CLOSED) from None
    board = room.board()
    left, right = st.columns([5, 6], gap="medium")
    with left:
        _steering(room, key, board)
    with right:
        _seen(room, key, board)


def _steering(room: Room, key: str, board: Board) -> None:
    if board.phase in ("playing", "over"):
        _round(room, key, board)
    elif board.reveal is not None:
        _replay(room, key, board, board.reveal)
    else:
        _settings(room, key, board)
    with st.expander("Send an exercise to the phones", icon=":material/quiz:"):
        _exercises(room, key, board.tally)


def _seen(room: Room, key: str, board: Board) -> None:
    """What the class sees."""
    if board.tally is not None:
        with st.container(border=True):
            beamer.tally(board.tally)
    elif board.phase == "gathering":
        with st.container(border=True):
            beamer.how_to_join(board)
        local_only()
    else:
        _street(room, key, board)
        with st.container(border=True):
            beamer.round_(board)


def _settings(room: Room, key: str, board: Board) -> None:
    own = board.settings
    st.markdown(f"**{board.players}** {'has' if board.players == 1 else 'have'} joined.")
    st.button(
        "Start",
        key="play:start",
        type="primary",
        icon=":material/play_arrow:",
        width="stretch",
        disabled=not board.players,
        help=None if board.players else "Somebody has to join first.",
        on_click=attempt,
        args=(room.start, key),
    )
    _pace(room, key, board)
    _choice(room, key, "Steps, an hour each", "steps", own.steps, str)
    streets = {TOGETHER: "all"}
    _choice(room, key, "Houses per street", "per_street", own.per_street, lambda n: streets.get(n, str(n)))
    select(
        "Published rate",
        list(REGISTRY),
        own.mechanism,
        price_name,
        partial(attempt, room.configure, key, "mechanism"),
        key="play:rate",
        help="The optimal one first: then everybody sees what it gives away.",
    )
    if own.mechanism != UNPROTECTED:
        _epsilon(room, key, own.epsilon)


def _choice(room: Room, key: str, label: str, name: str, value: int, words: Callable[[int], str]) -> None:
    save = partial(attempt, room.configure, key, name)
    segmented(label, OPTIONS[name], value, words, save, key=f"play:{name}")


def _pace(room: Room, key: str, board: Board) -> None:
    words = {0: "by hand"}
    _choice(room, key, "Next step", "pace", board.settings.pace, lambda s: words.get(s, f"{s} s"))


def _epsilon(room: Room, key: str, value: float) -> None:
    slider(
        "ε: small is more private",
        EPSILON_GRID,
        value,
        shown,
        partial(attempt, room.configure, key, "epsilon"),
        key="play:epsilon",
    )


def _round(room: Room, key: str, board: Board) -> None:
    playing = board.phase == "playing"
    last = board.step + 1 == board.steps
    with st.container(horizontal=True):
        st.button(
            "End the round" if last else "Next",
            key="play:next",
            type="primary" if playing else "secondary",
            icon=":material/skip_next:",
            width="stretch",
            disabled=not playing,
            on_click=attempt,
            args=(room.next, key, board.step),
        )
        if board.settings.pace:
            st.button(
                "Go on" if board.paused else "Pause",
                key="play:pause",
                icon=":material/play_arrow:" if board.paused else ":material/pause:",
                width="stretch",
                disabled=not playing,
                on_click=attempt,
                args=(room.pause, key),
            )
        st.button(
            "Reveal",
            key="play:reveal",
            type="secondary" if playing else "primary",
            icon=":material/visibility:",
            width="stretch",
            help="Ends the round with the steps that were played, and shows who was at home.",
            on_click=attempt,
            args=(room.reveal, key),
        )
    st.markdown(f"{board.answered} of {board.players} have answered.")
    _pace(room, key, board)
    _beliefs(room, key, board)
    with st.expander("How to join", icon=":material/qr_code_2:"):
        beamer.how_to_join(board)


def _beliefs(room: Room, key: str, board: Board) -> None:
    toggle(
        "Show what the observer believes",
        board.settings.beliefs,
        partial(attempt, room.configure, key, "beliefs"),
        key="play:beliefs",
        help="Each house is filled as far as an observer of the rates believes that somebody is at home.",
    )


def _street(room: Room, key: str, board: Board) -> None:
    """Which street the beamer shows."""
    if board.streets > 1:
        select(
            "Street on the beamer",
            range(board.streets),
            board.street,
            lambda street: f"Street {street + 1}",
            partial(attempt, room.configure, key, "street"),
            key="play:street",
        )


def _replay(room: Room, key: str, board: Board, reveal: Reveal) -> None:
    with st.container(horizontal=True):
        other = UNPROTECTED if reveal.is_private else FEATURED
        st.button(
            "Again without privacy" if reveal.is_private else "Again with privacy",
            key="play:again",
            type="primary",
            icon=":material/replay:",
            width="stretch",
            on_click=attempt,
            args=(room.again, key, other),
        )
        st.button(
            "Streets as they were" if reveal.together else "Put us all in one street",
            key="play:together",
            icon=":material/holiday_village:",
            width="stretch",
            on_click=attempt,
            args=(room.together, key, not reveal.together),
        )
    _epsilon(room, key, reveal.epsilon)
    select(
        "Rate",
        list(REGISTRY),
        reveal.mechanism,
        price_name,
        partial(attempt, room.again, key),
        key="play:replayed",
    )
    with st.container(horizontal=True):
        st.button(
            "New round",
            key="play:new",
            icon=":material/restart_alt:",
            on_click=attempt,
            args=(room.start, key),
        )
        download("Save the round", partial(room.saved, key), "round.json", "application/json", "download")


def _exercises(room: Room, key: str, tally: Tally | None) -> None:
    number: int = lab().memo.get(EXERCISE, 1) if tally is None else tally.exercise
    exercise = EXERCISES[number - 1]
    if tally is None:
        select(
            "Exercise",
            range(1, len(EXERCISES) + 1),
            number,
            lambda number: f"{number}. {EXERCISES[number - 1].title}",
            partial(lab().memo.__setitem__, EXERCISE),
            key=EXERCISE,
        )
        st.button(
            "Send it", key="play:send", icon=":material/send:", on_click=attempt, args=(room.ask, key, number)
        )
        return
    st.markdown(f"**{exercise.title}** {beamer.predictions(sum(tally.counts))}")
    with st.container(horizontal=True):
        st.button(
            "Reveal the answer",
            key="play:answer",
            type="primary",
            icon=":material/visibility:",
            disabled=tally.answer is not None,
            on_click=attempt,
            args=(_show_answer, room, key, number),
        )
        st.button(
            "Back to the street",
            key="play:back",
            icon=":material/undo:",
            on_click=attempt,
            args=(room.ask, key, None),
        )


def _show_answer(room: Room, key: str, number: int) -> None:
    room.show_answer(key, number, answer_of(EXERCISES[number - 1]))


@cache.shared(key=lambda exercise: cache.key_of(exercise.title, exercise.scenario))
def answer_of(exercise: Exercise) -> ExerciseAnswer:
    """Computed once for all rooms, beside the server."""
    return jobs.call(exercise.answer, exercise.scenario)

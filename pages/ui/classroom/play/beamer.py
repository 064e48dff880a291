"""The beamer's view, for all to see: how to join, the price step by step, the houses, and what is revealed.

Its address has no key, and nothing on it moves anything.
"""

from functools import partial

import streamlit as st

from pages.ui.classroom.play import pictures
from pages.ui.classroom.play.pictures import Bar
from pages.ui.classroom.play.rooms import CLOSED, RoomError
from pages.ui.classroom.play.seen import Board, Reveal, Tally
from pages.ui.classroom.play.ways import join_address, looking, qr, rooms
from rtp.mechanisms import UNPROTECTED
from rtp.play.scores import price_name
from rtp.teaching.exercises import EXERCISES

MAX_ROWS = 12  # houses of a long street that are drawn
FILL_WORDS = "A house is filled as far as an observer of the rate believes that somebody is at home."


def draw(code: str) -> None:
    with st.container(key="play-beamer"):
        looking(partial(_look, code))


def _look(code: str) -> None:
    try:
        room = rooms().room(code)
    except RoomError:
        raise RoomError(CLOSED) from None
    board = room.board()
    if board.tally is not None:
        tally(board.tally)
    elif board.phase == "gathering":
        _gathering(board)
    else:
        st.html(f'<div class="play-corner">Room <b>{board.code}</b></div>')
        round_(board)


def _gathering(board: Board) -> None:
    left, right = st.columns([5, 4], vertical_alignment="center")
    with left:
        how_to_join(board)
    with right:
        st.html(
            f'<div class="play-joined"><b>{board.players}</b><span>{"has" if board.players == 1 else "have"} '
            "joined</span></div>"
        )
        st.markdown(
            "Each of you is a house. Every hour a rate, the price of power, is published: who is at home?",
            width="stretch",
        )


def how_to_join(board: Board) -> None:
    """The code of the room, and the QR code of the address to join it."""
    link = join_address(board.code)
    st.html(f'<div class="play-join">{qr(link)}<b>{board.code}</b><span>{link}</span></div>')


def round_(board: Board) -> None:
    """The round as it is played, or as it is revealed."""
    if board.reveal is not None:
        revealed(board, board.reveal)
        return
    street = f"Street {board.street + 1} of {board.streets}" if board.streets > 1 else ""
    st.html(pictures.step_line(board, board.prices[-1], street))
    st.html(pictures.prices(board.prices, board.steps, board.no_demand, board.most))
    st.caption(f"{board.price_words} {FILL_WORDS if board.settings.beliefs else ''}")
    st.html(pictures.tiles(board.houses))
    st.html(f'<div class="play-step">{_state(board)}</div>')


def _state(board: Board) -> str:
    if board.phase == "over":
        return "<b>The round is over.</b><span>Who was at home?</span>"
    return f"<b>{board.answered} of {board.players}</b><span>have answered</span>"


def revealed(board: Board, reveal: Reveal) -> None:
    """Truth against belief, who was right how often, and what was learned."""
    name = price_name(reveal.mechanism, reveal.epsilon)
    where = "all in one street" if reveal.together else f"street {board.street + 1} of {board.streets}"
    st.markdown(
        f"**{name}, {where}.** ● at home, ○ away. Filled: what the observer believed. Framed: she was wrong."
    )
    rows = reveal.rows[:MAX_ROWS]
    st.html(pictures.truth_against_belief(rows))
    if len(rows) < len(reveal.rows):
        st.caption(f"{len(rows)} of {len(reveal.rows)} houses are drawn. The numbers are of all.")
    st.html(pictures.bars(shares(reveal)))
    st.markdown(f"**{reveal.words}** {missed(reveal)}")


def missed(reveal: Reveal) -> str:
    """What privacy costs."""
    name = "It" if reveal.is_private else f"The {price_name(reveal.private, reveal.epsilon)}"
    return f"{name} misses by {reveal.missed_percent:.0f} % in a typical step."


def shares(reveal: Reveal) -> list[Bar]:
    """How often who was right, over all houses and steps."""
    private = f"The observer, {price_name(reveal.private, reveal.epsilon)}"
    exact = f"The observer, {price_name(UNPROTECTED)}"
    rows = [
        (exact, reveal.unprotected_right, not reveal.is_private),
        (private, reveal.private_right, reveal.is_private),
        ("Habits alone", reveal.habits_right, False),
    ]
    if reveal.class_right is not None:
        rows.insert(0, (", ".join(filter(None, ("The class", reveal.class_rate))), reveal.class_right, False))
    return [Bar(words, share, f"{pictures.share_text(share)} right", strong) for words, share, strong in rows]


def predictions(number: int) -> str:
    return "1 prediction." if number == 1 else f"{number} predictions."


def tally(asked: Tally) -> None:
    """An exercise and what the class predicts, before the answer and with it."""
    exercise = EXERCISES[asked.exercise - 1]
    st.subheader(exercise.title, anchor=False)
    st.markdown(exercise.question(exercise.scenario))
    total = sum(asked.counts)
    right = None if asked.answer is None else asked.answer.option
    st.html(
        pictures.bars(
            [
                Bar(words, count / max(total, 1), str(count), option == right)
                for option, (words, count) in enumerate(zip(exercise.options, asked.counts, strict=True))
            ]
        )
    )
    st.caption(predictions(total))
    if asked.answer is not None:
        st.success(f"**{exercise.options[asked.answer.option]}.** {asked.answer.words}\n\n{exercise.why}")

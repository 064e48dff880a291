"""The beamer's view, for all to see: how to join, the price step by step, the houses, and what is revealed.

Its address has no key, and nothing on it moves anything. The host sees the same beside what steers it.
"""

import streamlit as st

from pages.ui.classroom.play import pictures
from pages.ui.classroom.play.pictures import Bar
from pages.ui.classroom.play.ways import how_to_join, looking
from rtp.mechanisms import UNPROTECTED
from rtp.play.room import Room
from rtp.play.scores import price_name
from rtp.play.seen import Board, Reveal, Tally
from rtp.teaching.exercises import EXERCISES

MAX_ROWS = 12  # houses of a long street that are drawn
FILL_WORDS = "A house is filled as far as an observer of the rate believes that somebody is at home."


def draw(code: str) -> None:
    with st.container(key="play-beamer"):
        looking(code, _look)


def _look(room: Room) -> None:
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
        how_to_join(board.code)
    with right:
        have = "has" if board.players == 1 else "have"
        st.html(f'<div class="play-joined"><b>{board.players}</b><span>{have} joined</span></div>')
        st.markdown(
            "Each of you is a house. Every hour a rate, the price of power, is published: who is at home?"
        )


def round_(board: Board) -> None:
    """The round as it is played, or as it is revealed."""
    if board.reveal is not None:
        _revealed(board, board.reveal)
        return
    street = f"Street {board.street + 1} of {board.streets}" if board.streets > 1 else ""
    state = f"<b>{board.answered} of {board.players}</b><span>have answered</span>"
    if board.phase == "over":
        state = "<b>The round is over.</b><span>Who was at home?</span>"
    st.html(pictures.step_line(board, board.prices[-1], street))
    st.html(pictures.prices(board.prices, board.steps, board.no_demand, board.most))
    st.caption(f"{board.price_words} {FILL_WORDS if board.settings.beliefs else ''}")
    st.html(pictures.tiles(board.houses))
    st.html(f'<div class="play-step">{state}</div>')


def _revealed(board: Board, reveal: Reveal) -> None:
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
    private = price_name(reveal.private, reveal.epsilon)
    st.html(pictures.bars(_shares(reveal, private)))
    missing = "It" if reveal.is_private else f"The {private}"
    st.markdown(f"**{reveal.words}** {missing} misses by {reveal.missed_percent:.0f} % in a typical step.")


def _shares(reveal: Reveal, private: str) -> list[Bar]:
    """How often who was right, over all houses and steps."""
    rows = [
        (f"The observer, {price_name(UNPROTECTED)}", reveal.unprotected_right, not reveal.is_private),
        (f"The observer, {private}", reveal.private_right, reveal.is_private),
        ("Habits alone", reveal.habits_right, False),
    ]
    if reveal.class_right is not None:
        rows.insert(0, (", ".join(filter(None, ("The class", reveal.class_rate))), reveal.class_right, False))
    return [Bar(words, share, f"{pictures.share_text(share)} right", strong) for words, share, strong in rows]


def tally(asked: Tally) -> None:
    """An exercise and what the class predicts, before the answer and with it."""
    exercise = EXERCISES[asked.exercise - 1]
    st.subheader(exercise.title, anchor=False)
    st.markdown(exercise.question(exercise.scenario))
    total = sum(asked.counts)
    right = None if asked.answer is None else asked.answer.option
    options = enumerate(zip(exercise.options, asked.counts, strict=True))
    st.html(
        pictures.bars(
            [Bar(words, n / max(total, 1), str(n), option == right) for option, (words, n) in options]
        )
    )
    st.caption("1 prediction." if total == 1 else f"{total} predictions.")
    if asked.answer is not None:
        st.success(f"**{exercise.options[asked.answer.option]}.** {asked.answer.words}\n\n{exercise.why}")

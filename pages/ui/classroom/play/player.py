"""A player's view, for a phone: her house and its switch, the price, the question of the step, her score."""

from functools import partial

import streamlit as st

from pages.ui.classroom.play import pictures
from pages.ui.classroom.play.pictures import Bar
from pages.ui.classroom.play.ways import attempt, button, looking
from pages.ui.widgets import segmented
from rtp.core.formatting import kept_together
from rtp.mechanisms import UNPROTECTED
from rtp.play.room import Room
from rtp.play.round import BY_HABIT, CHOSE_AWAY, CHOSE_HOME
from rtp.play.scores import price_name, words
from rtp.play.seen import Place, Tally
from rtp.teaching.exercises import EXERCISES

LATE = "A round is being played. You have a house with the next rate."
FULL = "The streets are full: you play in the next round."
LATE_NEXT = "You have a house in the next round."
BY_COIN = "By habit, a coin decides each hour whether your house is at home."
SWITCH = {BY_HABIT: "By habit", CHOSE_HOME: "I am at home", CHOSE_AWAY: "I am away"}


def draw(code: str, key: str) -> None:
    with st.container(key="play-player"):
        looking(code, partial(_look, key))


def _look(key: str, room: Room) -> None:
    place = room.place(key)
    board = place.board
    points = pictures.points_text(place.points.total) if board.number and not place.waiting else ""
    plate = pictures.name_plate(place.number, place.use, points)
    if board.tally is not None:
        st.html(plate)
        _exercise(room, key, place, board.tally)
    elif place.waiting:
        st.html(plate)
        st.markdown(LATE_NEXT if board.phase == "revealed" else FULL if place.full else LATE)
    elif board.phase == "gathering":
        joined = "You are the first." if board.players == 1 else f"{board.players} have joined."
        waiting = f"Room {board.code}. {joined} Wait for the first rate."
        st.html(plate + pictures.line(waiting) + pictures.line(BY_COIN))
        _switch(room, key, place)
    elif board.phase == "revealed":
        st.html(plate)
        _score(place)
    else:
        _step(room, key, place, plate)


def _step(room: Room, key: str, place: Place, plate: str) -> None:
    """The price and the street; the question; the switch. In few parts: a class is sent them every second."""
    board = place.board
    parts = [
        plate,
        pictures.step_line(board, place.prices[-1]),
        pictures.prices(place.prices, board.steps, board.no_demand, board.most),
        pictures.line(board.price_words),
        pictures.tiles(place.houses, place.number),
    ]
    if place.asked is None:
        parts.append(pictures.line("The round is over. Look at the beamer."))
    st.html("".join(parts))
    if place.asked is not None:
        segmented(
            f"House {place.asked}: at home or away?",
            (True, False),
            place.guess,  # none at first
            lambda at_home: "At home" if at_home else "Away",
            partial(attempt, room.guess, key, board.step, place.asked),
            key=f"play:guess {board.step} {place.asked}",
            width="stretch",
        )
    _switch(room, key, place)


def _switch(room: Room, key: str, place: Place) -> None:
    """Of the house itself: it follows its habits, a coin flip at each step, until it is touched."""
    when = "at the first rate"
    if place.at_home is not None:
        when = f"is {'at home' if place.at_home else 'away'} now. Next:"
    segmented(
        f"Your house {place.number} {when}",
        list(SWITCH),
        place.choice,
        SWITCH.__getitem__,
        partial(attempt, room.choose, key),
        key="play:switch",
        width="stretch",
    )


def _score(place: Place) -> None:
    """What she got right, and what the observer got of her."""
    reveal = place.board.reveal
    if place.score is None or place.seen is None or reveal is None:
        return
    right, answered, steps = place.score.right, place.score.answered, place.board.steps
    own = pictures.line("You guessed nothing this time.")
    if answered:
        own = pictures.bars([Bar("You about others", right / answered, f"{right} of {answered}", True)])
    names = [price_name(UNPROTECTED)]
    if place.board.knows_private:
        names.append(price_name(reveal.round.private, reveal.round.epsilon))
    rows = [
        Bar(name, seen / steps, f"{seen:g} of {steps}") for name, seen in zip(names, place.seen, strict=False)
    ]
    won = f"{right} for right guesses, {place.points.hidden} for steps in which nobody guessed you right."
    total = sum(points or 0 for points in place.won)
    if len(place.won) > 1:
        won += f" In all rounds: {total}."
    st.html(
        pictures.line(f"{pictures.points_text(place.points.total)}: {won}")
        + pictures.line("How often right?")
        + own
        + pictures.line("The observer was right about you, reading the")
        + pictures.bars(rows)
        + pictures.line(words(reveal))
    )


def _exercise(room: Room, key: str, place: Place, tally: Tally) -> None:
    """The exercise that the host has sent: one of its options, and the answer when it is shown."""
    exercise, answer = EXERCISES[tally.exercise - 1], tally.answer
    st.subheader(exercise.title, anchor=False)
    st.markdown(exercise.question(exercise.scenario))
    for option, label in enumerate(exercise.options):
        button(
            label,
            f"predict {tally.exercise} {option}",
            room.predict,
            key,
            tally.exercise,
            option,
            strong=place.option == option,
            wide=True,
            off=tally.counts is not None,
        )
    if answer is not None:
        if place.option is not None:
            st.markdown(f"You predicted: {exercise.options[place.option]}.")
        st.markdown(f"**{exercise.options[answer.option]}.** {kept_together(answer.words)}")

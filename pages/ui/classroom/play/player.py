"""A player's view, for a phone: her house and its switch, the price, the question of the step, her score."""

from functools import partial

import streamlit as st

from pages.ui.classroom.play import pictures
from pages.ui.classroom.play.pictures import Bar
from pages.ui.classroom.play.rooms import CLOSED, Room, RoomError
from pages.ui.classroom.play.seen import Place
from pages.ui.classroom.play.ways import attempt, looking, rooms
from pages.ui.versions import versioned
from pages.ui.widgets import segmented
from rtp.mechanisms import UNPROTECTED
from rtp.play.round import BY_HABIT, CHOSE_AWAY, CHOSE_HOME
from rtp.play.scores import price_name
from rtp.teaching.exercises import EXERCISES

GUESSES = {True: "At home", False: "Away"}
LATE = "A round is being played. You have a house with the next rate, or in the next round."
LATE_NEXT = "You have a house in the next round."
BY_COIN = "By habit, a coin decides each hour whether your house is at home."
SWITCH = {BY_HABIT: "By habit", CHOSE_HOME: "I am at home", CHOSE_AWAY: "I am away"}


def draw(code: str, key: str) -> None:
    with st.container(key="play-player"):
        looking(partial(_look, code, key))


def _look(code: str, key: str) -> None:
    try:
        room = rooms().room(code)
    except RoomError:
        raise RoomError(CLOSED) from None
    place = room.place(key)
    board, plate = place.board, pictures.name_plate(place.number, place.use)
    if board.tally is not None:
        st.html(plate)
        _exercise(room, key, place)
    elif place.waiting:
        st.html(plate)
        st.markdown(LATE_NEXT if board.phase == "revealed" else LATE)
    elif board.phase == "gathering":
        joined = "You are the first." if board.players == 1 else f"{board.players} have joined."
        waiting = f"Room {code}. {joined} Wait for the first rate."
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
        _question(room, key, place, place.asked)
    _switch(room, key, place)


def _question(room: Room, key: str, place: Place, asked: int) -> None:
    """About another house. None of the two is chosen at first."""
    here = versioned(
        f"play:guess {place.board.step} {asked}",
        place.guess,
        partial(attempt, room.guess, key, place.board.step, asked),
    )
    st.segmented_control(
        f"House {asked}: at home or away?",
        list(GUESSES),
        default=place.guess,
        key=here.key,
        format_func=GUESSES.__getitem__,
        required=True,
        on_change=here.changed,
        width="stretch",
    )


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
    names = (price_name(UNPROTECTED), price_name(reveal.private, reveal.epsilon))
    rows = [
        Bar(name, seen / steps, f"{seen:g} of {steps}") for name, seen in zip(names, place.seen, strict=True)
    ]
    st.subheader("How often right?", anchor=False)
    st.html(own + pictures.line("The observer about you, from the") + pictures.bars(rows))
    st.markdown(reveal.words)


def _exercise(room: Room, key: str, place: Place) -> None:
    """The exercise that the host has sent: one of its options, and the answer when it is shown."""
    tally = place.board.tally
    if tally is None:
        return
    exercise = EXERCISES[tally.exercise - 1]
    st.subheader(exercise.title, anchor=False)
    st.markdown(exercise.question(exercise.scenario))
    for option, words in enumerate(exercise.options):
        st.button(
            words,
            key=f"play:predict {tally.exercise} {option}",
            type="primary" if place.option == option else "secondary",
            width="stretch",
            disabled=tally.answer is not None,
            on_click=attempt,
            args=(room.predict, key, tally.exercise, option),
        )
    if tally.answer is not None:
        if place.option is not None:
            st.markdown(f"You predicted: {exercise.options[place.option]}.")
        st.markdown(f"**{exercise.options[tally.answer.option]}.** {tally.answer.words}")

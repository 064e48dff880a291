"""A player's view, for a phone: her house and its switch, the price, the question of the step, her score."""

from functools import partial

import streamlit as st

from pages.ui.play import pictures
from pages.ui.play.rooms import CLOSED, Room, RoomError
from pages.ui.play.seen import Place
from pages.ui.play.ways import attempt, looking, rooms
from rtp.play.round import BY_HABIT, CHOSE_AWAY, CHOSE_HOME
from rtp.teaching.exercises import EXERCISES


def draw(code: str, key: str) -> None:
    with st.container(key="play-player"):
        looking(partial(_look, code, key))


def _look(code: str, key: str) -> None:
    try:
        room = rooms().room(code)
    except RoomError:
        raise RoomError(CLOSED) from None
    place = room.place(key)
    st.html(pictures.name_plate(place.number, place.use))
    if place.board.tally is not None:
        _exercise(room, key, place)
    elif place.waiting:
        st.markdown("A round is being played. You have a house with the next price, or in the next round.")
    elif place.board.phase == "gathering":
        st.markdown(f"**Room {code}.** {_joined(place.board.players)} Wait for the first price.")
        _switch(room, key, place)
    elif place.board.phase == "revealed":
        _score(place)
    else:
        _step(room, key, place)


def _joined(players: int) -> str:
    return "You are the first." if players == 1 else f"{players} have joined."


def _step(room: Room, key: str, place: Place) -> None:
    board = place.board
    st.html(pictures.step_line(board.step, board.steps, board.clock, board.left))
    st.html(pictures.prices(place.prices, board.steps, board.no_demand, board.most))
    st.caption(board.price_words)
    st.html(pictures.tiles(place.houses, place.number))
    if place.asked is not None:
        _question(room, key, place, place.asked)
    elif board.phase == "over":
        st.markdown("The round is over. Look at the beamer.")
    _switch(room, key, place)


def _question(room: Room, key: str, place: Place, asked: int) -> None:
    with st.container(border=True, key="play-question"):
        st.markdown(f"**House {asked}: at home or away?**")
        with st.container(horizontal=True):
            for label, answer in (("At home", True), ("Away", False)):
                st.button(
                    label,
                    key=f"play:guess {place.board.step} {asked} {answer}",
                    type="primary" if place.guess is answer else "secondary",
                    width="stretch",
                    on_click=attempt,
                    args=(room.guess, key, place.board.step, asked, answer),
                )


def _switch(room: Room, key: str, place: Place) -> None:
    """The house's own state: by habit until it is touched."""
    by_habit = place.choice == BY_HABIT
    now = place.at_home if by_habit else place.choice == CHOSE_HOME
    with st.container(border=True, key="play-switch"):
        st.markdown(f"**Your house {place.number}**")
        with st.container(horizontal=True):
            for label, icon, choice in (
                ("I am at home", ":material/home:", CHOSE_HOME),
                ("I am away", ":material/directions_walk:", CHOSE_AWAY),
            ):
                chosen = now is not None and now == (choice == CHOSE_HOME)
                st.button(
                    label,
                    key=f"play:choose {choice}",
                    icon=icon,
                    type="primary" if chosen else "secondary",
                    width="stretch",
                    on_click=attempt,
                    args=(room.choose, key, choice),
                )
        if by_habit:
            st.caption("By habit, a coin flip each hour, until you press.")
        else:
            st.caption("Your choice counts from the next price on.")
            st.button(
                "Back to habit",
                key="play:habit",
                type="tertiary",
                icon=":material/undo:",
                on_click=attempt,
                args=(room.choose, key, BY_HABIT),
            )


def _score(place: Place) -> None:
    """What she got right, and what the observer got of her."""
    if place.score is None or place.seen is None:
        return
    steps = place.board.steps
    this, private = place.seen
    st.subheader("Revealed", anchor=False)
    rows = [
        pictures.Bar("The observer, of you", this / steps, f"{this} of {steps}"),
        pictures.Bar("With a private price", private / steps, f"{private} of {steps}"),
    ]
    if place.score.answered:
        right, answered = place.score.right, place.score.answered
        rows.insert(
            0, pictures.Bar("You, of others", right / answered, f"{right} of {answered}", strong=True)
        )
    else:
        st.markdown("You guessed nothing this time.")
    st.html(pictures.bars(rows))
    if place.board.reveal is not None:
        st.caption(place.board.reveal.words)


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

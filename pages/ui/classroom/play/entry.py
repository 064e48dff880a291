"""The way into a room: open one, enter its code, join; who sees what of it, by the address; and a player's
view, for a phone: her house and its switch, the price, the question of the step, her score.

An address with a host's or a player's key is that person's own, so that a reload, a phone that slept and
another machine come back to the same place. The beamer's has no key, and the address to join only the code: a
phone that has a house already is known by its mark, and is led there.
"""

from functools import partial
from pathlib import Path

import streamlit as st

from pages.ui.classroom import cheat
from pages.ui.classroom.lesson import answer_of
from pages.ui.classroom.play import beamer, host, pictures
from pages.ui.classroom.play.pictures import Bar
from pages.ui.classroom.play.ways import (
    attempt,
    button,
    go_in,
    hear,
    leave,
    local_only,
    looking,
    phone_mark,
    show_refusal,
    spoken,
    visitor_address,
)
from pages.ui.lab import Lab
from pages.ui.params import LANGUAGE
from pages.ui.rooms import HOST, PLAYER, ROOM, VIEW, rooms
from pages.ui.session import lab, send
from pages.ui.show import lazy_expander, upload
from pages.ui.widgets import segmented, text
from rtp.core.formatting import kept_together
from rtp.core.language import SOURCE, noted, said_in, say, say_many, speaking
from rtp.mechanisms import UNPROTECTED
from rtp.output.play import OBSERVER, VOTE, learned_words, reader
from rtp.output.words import help_for
from rtp.play import Round
from rtp.play.limits import CLOSED, RoomError
from rtp.play.room import Room
from rtp.play.round import BY_HABIT, CHOSE_AWAY, CHOSE_HOME
from rtp.play.scores import price_name
from rtp.play.seated import BallotTally, Tally
from rtp.play.seen import Place
from rtp.scenario import MAX_JSON_BYTES
from rtp.teaching.exercises import EXERCISES
from rtp.teaching.plan import PLAY_MINUTES
from rtp.teaching.sealed import SEALED_LETTERS

SAVED, UPLOAD = "Open a saved round", "upload:round"
CSS = (Path(__file__).parent / "play.css").read_text(encoding="utf-8")


def in_a_room(here: Lab) -> bool:
    """Whether an address leads into a room: then neither menu nor settings of the lab are in the way."""
    return here.chosen(ROOM) is not None


def draw() -> None:
    """What the address says: the way in, or a room."""
    st.html(f"<style>{CSS}</style>")
    here = lab()
    code, host_key, player_key = (here.chosen(name) for name in (ROOM, HOST, PLAYER))
    if code is None:
        with speaking(spoken()):
            _start()
        return
    try:
        room = _entered(code, host_key or player_key)
        hear(room)
        with speaking(spoken()):
            _room(room, host_key, player_key)
    except RoomError as error:
        with speaking(spoken()):
            show_refusal(error)
            button(say("Another room"), "leave", leave)


def _entered(code: str, key: str | None) -> Room:
    """The room of an address; to who has a key of it, it was open once."""
    try:
        return rooms().enter(code, visitor_address(), key)
    except RoomError:
        if key:
            raise RoomError(CLOSED) from None
        raise


def _room(room: Room, host_key: str | None, player_key: str | None) -> None:
    """The beamer's view of a room, the host's, a player's, or the way to become one."""
    if lab().chosen(VIEW):
        beamer.draw(room.code)
    elif host_key is not None:
        room.check_host(host_key)
        host.draw(room.code, host_key)
    else:
        mark = phone_mark()
        if (own := _own_key(room, player_key, mark)) is not None:
            lab().show(PLAYER, own)
            send()
            room.place(own)
            play(room.code, own)
        else:
            _way_in(room, mark)


def _own_key(room: Room, key: str | None, mark: str) -> str | None:
    """The key of this phone's house: of the address, or of the house that it had before."""
    known = room.key_of(mark)
    if key is None or (known is not None and not room.knows(key)):
        return known
    return room.recognise(key, mark)


def _way_in(room: Room, mark: str) -> None:
    st.title(say("Room {code}", code=room.code), anchor=False)
    st.markdown(say("You will be a house in a street. No name is asked for."))
    button(say("Join"), "join", _join, room, mark, icon="login", strong=True, wide=True)


def _join(room: Room, mark: str) -> None:
    lab().show(PLAYER, room.join(visitor_address(), mark))


def _start() -> None:
    """Students first: on a phone theirs stands on top."""
    left, right = st.columns(2, gap="large")
    with left, st.container(border=True):
        st.header(say("For students"), anchor=False)
        st.markdown(say("Scan the code on the beamer, or type its four letters."))
        text("", _type, key="play:code", label=say("Code of the room"))
        button(say("Enter"), "enter", lambda: None, icon="login")  # what was typed is saved before
    with right, st.container(border=True):
        st.header(say("For the teacher"), anchor=False)
        means = say(
            "Each student is a house. Everybody reads the rates of a street: who is at home? Then another "
            "round, with privacy. {minutes} minutes.",
            minutes=PLAY_MINUTES,
        )
        st.markdown(means)
        button(say("Open a room"), "open", _open, icon="meeting_room", strong=True)
        local_only()
        label = say("A round that was saved (JSON, at most 1 MB)")
        saved = partial(upload, label, "json", UPLOAD, MAX_JSON_BYTES, _load)
        lazy_expander(SAVED, saved, ":material/history:")


def _type(typed: str) -> None:
    if typed.strip():
        attempt(lambda: go_in(rooms().enter(typed, visitor_address()).code))


def _open(saved: Round | None = None) -> None:
    code, key = rooms().open(saved, visitor_address())
    go_in(code)
    lab().show(HOST, key)
    if chosen := lab().chosen(LANGUAGE):
        rooms().room(code).configure(key, "language", chosen)


def _load(name: str, content: bytes) -> None:
    attempt(lambda: _open(Round.from_json(content)))


LATE = noted("A round is being played. You have a house with the next rate.")
_FULL = noted("The streets are full: you play in the next round.")
LATE_NEXT = noted("You have a house in the next round.")
BY_COIN = noted("By habit, a coin decides each hour whether your house is at home.")
SWITCH = {
    BY_HABIT: noted("By habit"),
    CHOSE_HOME: noted("I am at home"),
    CHOSE_AWAY: noted("I am away"),
}


def play(code: str, key: str) -> None:
    with st.container(key="play-player"):
        looking(code, partial(_turn, key))


def _turn(key: str, room: Room) -> None:
    place = room.place(key)
    board = place.board
    points = pictures.points_text(place.points.total) if board.number and not place.waiting else ""
    plate = pictures.name_plate(place.number, place.use, points)
    if board.tally is not None:
        st.html(plate)
        _exercise(room, key, place, board.tally)
    elif board.ballot is not None:
        st.html(plate)
        _trust(room, key, place, board.ballot)
    elif place.waiting:
        _looking_on(place, plate)
    elif board.phase == "gathering":
        joined = say_many("You are the first.", "{n} have joined.", board.players)
        waiting = say("Room {code}. {joined} Wait for the first rate.", code=board.code, joined=joined)
        st.html(plate + pictures.line(waiting) + pictures.line(say(BY_COIN)))
        _switch(room, key, place)
    elif board.phase == "revealed":
        st.html(plate)
        _score(place)
    else:
        _step(room, key, place, plate)


def _looking_on(place: Place, plate: str) -> None:
    """When she has a house, and until then the round on the first street."""
    board = place.board
    if board.phase == "revealed":
        st.html(plate + pictures.line(say(LATE_NEXT)))
        return
    words = pictures.line(say(_FULL if place.full else LATE))
    st.html(plate + words + _street(place, beamer.street_text(0, board.streets)))


def _street(place: Place, name: str = "") -> str:
    """The price and the houses of her street."""
    board = place.board
    parts = [
        pictures.step_line(board, place.prices[-1], name),
        pictures.prices(place.prices, board.steps, board.no_demand, board.most),
        pictures.line(board.price_words),
        pictures.tiles(place.houses, place.number),
    ]
    return "".join(parts)


def _step(room: Room, key: str, place: Place, plate: str) -> None:
    """The price and the street; the question; the switch. In few parts: a class is sent them every second."""
    board = place.board
    over = "" if place.asked is not None else pictures.line(say("The round is over. Look at the beamer."))
    st.html(plate + _street(place) + over)
    if place.asked is None:
        return
    label = say("House {number}: at home or away?", number=place.asked)
    answers: dict[bool | None, str] = {True: say("At home"), False: say("Away")}
    save, name = partial(attempt, room.guess, key, board.step, place.asked), answers.__getitem__
    question = f"play:guess {board.step} {place.asked}"  # not answered at first
    segmented(label, list(answers), place.guess, name, save, key=question, width="stretch")
    _switch(room, key, place)


def _switch(room: Room, key: str, place: Place) -> None:
    """Of the house itself: it follows its habits, a coin flip at each step, until it is touched."""
    number, save = place.number, partial(attempt, room.choose, key)
    label = say("Your house {number} at the first rate", number=number)
    if place.at_home is not None:
        label = say("Your house {number} is away now. Next:", number=number)
        if place.at_home:
            label = say("Your house {number} is at home now. Next:", number=number)
    words = {choice: say(name) for choice, name in SWITCH.items()}
    segmented(label, list(SWITCH), place.choice, words.__getitem__, save, key="play:switch", width="stretch")


def _score(place: Place) -> None:
    """What she got right, and what the observer got of her."""
    reveal, points, steps = place.board.reveal, place.points, place.board.steps
    if place.seen is None or reveal is None:
        return
    own = pictures.line(say("You guessed nothing this time."))
    if points.answered:
        count = pictures.count(points.right, points.answered)
        own = pictures.bars([Bar(say("You about others"), points.right / points.answered, count, True)])
    names = [price_name(UNPROTECTED)]
    if place.board.knows_private:
        names.append(price_name(reveal.round.private, reveal.round.epsilon))
    seen = zip(names, place.seen, strict=False)
    rows = [
        Bar(reader(say(OBSERVER), name), many / steps, pictures.count(many, steps)) for name, many in seen
    ]
    won = say(
        "{right} for right guesses, {hidden} for wrong guesses about you.",
        right=points.right,
        hidden=points.hidden,
    )
    if len(place.won) > 1:
        won += f" {say('In all rounds: {n}.', n=sum(each or 0 for each in place.won))}"
    st.html(
        pictures.line(say("{what}: {words}", what=pictures.points_text(points.total), words=won))
        + pictures.line(say("How often right?"))
        + own
        + pictures.line(say("How often right about you?"))
        + pictures.bars(rows)
        + pictures.line(learned_words(reveal))
    )


def _exercise(room: Room, key: str, place: Place, tally: Tally) -> None:
    """The exercise that the host has sent: one of its options, and the answer when it is shown."""
    source = EXERCISES[tally.exercise - 1]
    exercise = source.spoken()
    st.subheader(exercise.title, anchor=False)
    st.caption(exercise.street())
    st.markdown(exercise.question(exercise.scenario))
    number, off = tally.exercise, tally.counts is not None
    for option, label in enumerate(exercise.options):
        name, strong = f"predict {number} {option}", place.option == option
        button(label, name, room.predict, key, number, option, strong=strong, wide=True, off=off)
    if tally.right is not None:
        if place.option is not None:
            st.markdown(say("You predicted: {option}.", option=exercise.options[place.option]))
        answer = answer_of(source, source.scenario)
        st.markdown(f"**{exercise.options[tally.right]}.** {kept_together(answer.words)}")
        if answer.picture is not None:
            st.html(pictures.answer_bars(answer.picture))
    elif exercise.home:
        st.caption(say("The readings are on the beamer."))
    elif (defined := help_for(said_in(SOURCE, exercise.question, exercise.scenario))) is not None:
        st.caption(defined)


def _trust(room: Room, key: str, place: Place, tally: BallotTally) -> None:
    """Whom of the five on the beamer she trusts; once the audit has ended, what each is."""
    st.markdown(say("Five mechanisms are on the beamer. **Some cheat: which do you trust?**"))
    told = cheat.found(tally.number) if tally.audited else {}
    for letter in SEALED_LETTERS:
        if told:
            st.markdown(f"**{letter}** {told[letter]}")
            continue
        save = partial(attempt, room.trust, key, tally.number, letter)
        value, off = place.trusts.get(letter), tally.counts is not None
        options: list[bool | None] = [*VOTE]
        words = {trusted: say(name) for trusted, name in VOTE.items()} | {None: ""}
        name = f"play:trust {tally.number} {letter}"
        segmented(letter, options, value, words.__getitem__, save, key=name, width="stretch", disabled=off)

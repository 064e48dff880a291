"""The beamer's view, for all to see: how to join, the price step by step, the houses, and what is revealed.

Its address has no key, and nothing on it moves anything. The host sees the same beside what steers it. A
round that is revealed is told in four slides, which the host turns: who was at home, who won, what two rounds
with and without privacy show, and what privacy costs streets of other lengths.
"""

from collections.abc import Sequence

import streamlit as st

from pages.ui import guide
from pages.ui.classroom import cheat
from pages.ui.classroom.lesson import answer_of, home_chart
from pages.ui.classroom.play import pictures
from pages.ui.classroom.play.pictures import Bar
from pages.ui.classroom.play.ways import how_to_join, looking
from rtp.core.formatting import kept_together, percent, whole_percent
from rtp.core.language import noted, say, say_many
from rtp.mechanisms import UNPROTECTED
from rtp.output.play import (
    CLASS,
    OBSERVER,
    WIN,
    chance_words,
    learned_words,
    reader,
    round_name,
    rounds_words,
    share_words,
    useful_words,
)
from rtp.play.room import Room
from rtp.play.scores import COIN, Cost, RoundResult, Scores, price_name
from rtp.play.seated import Tally
from rtp.play.seen import Board
from rtp.teaching.exercises import EXERCISES

MAX_ROWS = 12  # houses of a long street that are drawn
FILL_WORDS = noted("A house is filled as far as an observer of the rate believes that somebody is at home.")
MARKS = noted("The thin line is the 95 % interval of the class's guesses, the tick a coin's.")
WITH_OPTIMAL = noted("Bars: the published rate. Lines: the optimal one.")


def draw(code: str) -> None:
    with st.container(key="play-beamer"):
        looking(code, _look)


def _look(room: Room) -> None:
    guide.follow(room.code, room.projected())
    board = room.board()
    if not asked(board):
        _round_of(room, board)


def asked(board: Board) -> bool:
    """What the phones are asked besides the round, if they are."""
    if board.tally is not None:
        tally(board.tally)
    elif board.ballot is not None:
        cheat.ballot(board.ballot)
    return board.tally is not None or board.ballot is not None


def _round_of(room: Room, board: Board) -> None:
    if board.phase == "gathering":
        _gathering(board)
    else:
        st.html(f'<div class="play-corner">{say("Room {code}", code=f"<b>{board.code}</b>")}</div>')
        round_(room, board)


def _gathering(board: Board) -> None:
    left, right = st.columns([5, 4], vertical_alignment="center")
    with left:
        how_to_join(board.code)
    with right:
        joined = say_many("has joined", "have joined", board.players)
        st.html(f'<div class="play-joined"><b>{board.players}</b><span>{joined}</span></div>')
        asks = say(
            "Each of you is a house. Every hour a rate, the price of power, is published: who is at home?"
        )
        st.markdown(f"{asks} {say(WIN)}")


def round_(room: Room, board: Board) -> None:
    """The round as it is played, or a slide of what it has shown."""
    if board.reveal is None:
        _playing(board)
    elif board.settings.slide == "points":
        st.html(pictures.line(say(WIN)) + pictures.winners(board.winners, board.number))
    elif board.settings.slide == "rounds" and len(board.results) > 1:
        _rounds(board.results)
    elif board.settings.slide == "useful":
        _useful(room.costs(), _private_rate(board.reveal))
    else:
        _truth(board, board.reveal)


def _playing(board: Board) -> None:
    street = street_text(board.street, board.streets)
    state = pictures.state(pictures.count(board.answered, board.asked), say("have answered"))
    if board.phase == "over":
        state = pictures.state(say("The round is over."), say("Who was at home?"))
    parts = [
        pictures.step_line(board, board.prices[-1], street),
        pictures.prices(board.prices, board.steps, board.no_demand, board.most),
        pictures.line(f"{board.price_words} {say(FILL_WORDS) if board.settings.beliefs else ''}"),
        pictures.tiles(board.houses),
        state,
        pictures.leaders(board.winners),
    ]
    st.html("".join(parts))


def street_text(street: int, streets: int) -> str:
    """Which street is shown, where there are several."""
    return say("Street {number} of {all}", number=street + 1, all=streets) if streets > 1 else ""


def _private_rate(reveal: Scores) -> str:
    """The rate that the exact one is compared with."""
    return price_name(reveal.round.private, reveal.round.epsilon)


def _truth(board: Board, reveal: Scores) -> None:
    """Truth against belief, who was right how often, and what was learned."""
    own, is_private = reveal.round, reveal.round.mechanism != UNPROTECTED
    name = price_name(own.mechanism, own.epsilon)
    lead = say("{rate}, street {n} of {all}.", rate=name, n=board.street + 1, all=board.streets)
    if board.together:
        lead = say("{rate}, all in one street.", rate=name)
    rows = board.houses[:MAX_ROWS]
    left = (
        pictures.lead(lead)
        + pictures.truth_against_belief(rows, [own.when(step)[:2] for step in range(own.steps)])
        + pictures.line(
            say("By the hour: ● at home, ○ away. Filled: the observer's belief. Framed: she was wrong.")
        )
    )
    if len(rows) < len(board.houses):
        few = say(
            "{n} of {all} houses are drawn. The numbers are of all.", n=len(rows), all=len(board.houses)
        )
        left += pictures.line(few)
    right = ""
    if is_private:
        optimal = reveal.optimal[:, board.street].tolist()
        drawn = pictures.prices(board.prices, board.steps, board.no_demand, board.most, optimal)
        right = drawn + pictures.line(say(WITH_OPTIMAL))
    right += pictures.bars(_shares(board, reveal))
    if board.class_right is not None:
        right += pictures.line(say(MARKS))
    right += pictures.line(learned_words(reveal))
    if is_private:
        off = percent(reveal.missed_percent / 100, 2)
        missed = say("The rate is off by {off} in a typical hour.", off=off)
        right += pictures.line(missed)
    st.html(pictures.beside(left, right))


def _shares(board: Board, reveal: Scores) -> list[Bar]:
    """How often who was right, over all houses and steps; of the class under the rate it played with."""
    optimal, private = price_name(UNPROTECTED), _private_rate(reveal)
    is_private = reveal.round.mechanism != UNPROTECTED
    rows = [(reader(say(OBSERVER), optimal), reveal.unprotected_right, not is_private)]
    if board.knows_private:
        rows.append((reader(say(OBSERVER), private), reveal.private_right, is_private))
    rows.append((say("A coin"), COIN, False))
    bars = [Bar(who, share, _right(share), strong) for who, share, strong in rows]
    if board.class_right is not None:
        share, *ends = board.class_right
        who, text = reader(say(CLASS), board.class_rate), _right(share)
        bars.insert(0, Bar(who, share, text, False, (ends[0], ends[1]), COIN))
    return bars


def _right(share: float) -> str:
    return say("{share} right", share=whole_percent(share))


def _rounds(results: Sequence[RoundResult]) -> None:
    """Both rounds side by side: the class and the observer, with what can be told."""
    parts = []
    for result in results:
        scores = result.scores
        rows = [(OBSERVER, scores.observer, scores.at_home.size)]
        if result.class_right is not None:
            rows.insert(0, (CLASS, result.class_right, len(scores.round.guesses)))
        bars, told = [], ""
        for who, share, guesses in rows:
            bars.append(Bar(say(who), share.value, share_words(share), who == CLASS, share[1:], COIN))
            words = chance_words(share, guesses, scores.round.mechanism)
            told += pictures.line(say("{what}: {words}.", what=say(who), words=words))
        parts.append(f"{pictures.lead(round_name(result))}{pictures.bars(bars)}{told}")
    note = say("Right guesses, with their 95 % intervals. The line across is a coin's.")
    told = pictures.lead(rounds_words(*results)) + pictures.line(note)
    st.html(pictures.large(pictures.beside(*parts), told))


def _useful(costs: Sequence[Cost], name: str) -> None:
    """What the noise costs streets of several lengths, and what it tells of a house there."""
    streets = [say("A street of {n}", n=cost.houses) for cost in costs]
    most = max(1.0, *(cost.missed for cost in costs))
    missed, seen = [], []
    for street, (_, off, right, _) in zip(streets, costs, strict=True):
        missed.append(Bar(street, off / most, percent(off, 2), True))
        seen.append(Bar(street, right, percent(right, 2), False, None, COIN))
    misses = pictures.lead(say("By how much the rate misses")) + pictures.bars(missed)
    sees = pictures.lead(say("How often the observer is right")) + pictures.bars(seen)
    note = say(
        "Computed for houses that flip a coin every hour, from one rate; a coin is right half of the time."
    )
    told = pictures.lead(useful_words(costs, name)) + pictures.line(note)
    st.html(pictures.large(pictures.beside(misses, sees), told))


def tally(asked: Tally) -> None:
    """An exercise and what the class predicts, when voting is closed, and its answer."""
    source = EXERCISES[asked.exercise - 1]
    exercise, right, street = source.spoken(), asked.right, source.street()
    st.subheader(exercise.title, anchor=False)
    if not exercise.home:
        st.caption(street)
    st.markdown(exercise.question(exercise.scenario))
    if exercise.home:
        home_chart(learned=right is not None)
    if asked.counts is None:
        st.markdown("\n".join(f"- {option}" for option in exercise.options))
        st.html(pictures.state(pictures.count(asked.voted, asked.asked), say("have voted")))
        if exercise.home:
            st.caption(street)
        return
    if right is None or not exercise.home:
        options = enumerate(zip(exercise.options, asked.counts, strict=True))
        voted = max(asked.voted, 1)
        st.html(pictures.bars([Bar(each, n / voted, str(n), i == right) for i, (each, n) in options]))
        st.caption(say_many("{n} prediction.", "{n} predictions.", asked.voted))
    if right is None:
        return
    answer = answer_of(source, source.scenario)
    told = f"**{exercise.options[right]}.** {answer.words}"
    if exercise.home:  # of which the chart is the picture
        st.success(kept_together(told))
        return
    st.success(kept_together(f"{told}\n\n{exercise.why}"))
    if answer.picture is not None:
        st.html(pictures.answer_bars(answer.picture))

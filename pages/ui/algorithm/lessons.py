"""The algorithm's thoughts, kept per street and moves, so that going to another step thinks no step twice."""

import time
from functools import partial

import streamlit as st

from pages.ui.algorithm.position import position
from pages.ui.cache import cached
from rtp.scenario import Scenario, ScenarioError
from rtp.teaching.moves import Moves, effective, moves_text, on_street
from rtp.teaching.stage import Stage, open_stage, opening, small_street

SLOW = 0.5  # seconds of thinking after which progress is shown


def lessons(scenario: Scenario) -> tuple[Stage, Stage]:
    """The street the stage opens on, and the one after the moves; one that refuses them is left as it is."""
    here = position()
    small = small_street(scenario, here.chosen_houses(scenario))
    opened = _lesson(small, opening(small))
    if here.moves is None:
        return opened, opened
    try:
        return opened, _lesson(small, on_street(here.moves, small))
    except ScenarioError as error:
        here.problem = str(error)
        return opened, opened


def try_moves(small: Scenario, moves: Moves) -> None:
    """Make these moves, or say in one sentence why not."""
    here = position()
    try:
        _lesson(small, moves)
    except ScenarioError as error:
        here.problem = str(error)
    else:
        here.make(moves)


def _lesson(small: Scenario, moves: Moves) -> Stage:
    key = f"{small.to_json(None)} {moves_text(moves)}"
    return cached("lesson", key, partial(open_stage, small, effective(moves)))


def think(taught: Stage, step: int) -> None:
    """Let the algorithm come to that step; if that takes a while, show how far it is."""
    started, bar = time.monotonic(), None
    words = f"Thinking through {2**taught.houses} states, step by step …"

    def report(done: float) -> None:
        nonlocal bar
        if bar or time.monotonic() - started > SLOW:
            bar = bar or st.progress(done, words)
            bar.progress(done, words)

    taught.at(step, report)
    if bar:
        bar.empty()

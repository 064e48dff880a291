"""What is kept for everybody: made once, bounded, and never a failure."""

import threading
import time
from collections.abc import Callable
from typing import Literal

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import cache, jobs
from pages.ui.lab import Lab
from rtp import Scenario, simulate

Weight = Literal["light", "heavy", "huge"]


def kept(make: Callable[[], object], weight: Weight = "light") -> cache.Shared[[], object]:
    """A function that nobody else shares."""
    key = f"a test's own, {time.monotonic_ns()}"
    return cache.shared(key=lambda: key, weight=weight)(make)


def in_turn(*results: object) -> Callable[[], object]:
    """What gives one of these at every call, or raises it."""
    rest = iter(results)

    def make() -> object:
        result = next(rest)
        if isinstance(result, Exception):
            raise result
        return result

    return make


def test_a_value_is_made_once_and_a_failure_is_tried_again() -> None:
    shared = kept(in_turn(ZeroDivisionError(), None))
    with pytest.raises(ZeroDivisionError):
        shared()
    assert [shared(), shared()] == [None, None]


def test_what_several_ask_for_at_once_is_made_once_and_others_do_not_wait() -> None:
    making, go_on = threading.Event(), threading.Event()
    made: list[str] = []

    def slowly() -> str:
        made.append("slowly")
        making.set()
        assert go_on.wait(10)
        return "value"

    shared, given = kept(slowly), list[object]()
    asking = [threading.Thread(target=lambda: given.append(shared())) for _ in range(3)]
    for thread in asking:
        thread.start()
    assert making.wait(10)
    assert kept(lambda: "at once")() == "at once"
    go_on.set()
    for thread in asking:
        thread.join(10)
    assert (made, given) == (["slowly"], ["value"] * 3)


def page() -> None:
    import streamlit as st

    from pages.ui import cache
    from pages.ui.session import lab

    def draw(made: cache.Beside[str]) -> None:
        st.text(f"{made.done} {made.value} {made.problem}".strip())

    cache.draw_when_made(lab().memo["make"], (), draw)


def shown(make: Callable[[], object]) -> AppTest:
    """A page that draws what is made beside it."""
    app = AppTest.from_function(page, default_timeout=60)
    app.session_state["lab"] = Lab(memo={"make": kept(make)})
    return app.run()


def text(app: AppTest) -> str:
    return str(app.text[0].value)


def test_a_page_does_not_wait_for_what_is_made_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "PATIENCE", 0.01)
    go_on = threading.Event()
    whole = in_turn("whole")
    app = shown(lambda: whole() if go_on.wait(10) else None)
    assert text(app) == text(app.run()) == "False None"
    go_on.set()
    monkeypatch.setattr(cache, "PATIENCE", 10)
    assert text(app.run()) == text(app.run()) == "True whole", "made once"


def test_what_fails_beside_a_page_is_said_and_not_tried_on_and_on() -> None:
    app = shown(in_turn(ValueError("no"), "whole"))
    assert text(app) == text(app.run()) == "True None no"


def test_what_nobody_looks_for_any_more_ends_and_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "PATIENCE", 0.01)
    first, rest = threading.Event(), in_turn("late")

    def make() -> object:
        if not first.is_set():
            first.set()
            raise jobs.Stopped
        return rest()

    app = shown(make)
    assert first.wait(10)
    monkeypatch.setattr(cache, "PATIENCE", 10)
    assert text(app.run()) == "True late"


def test_a_shared_function_is_called_once_for_the_same_arguments() -> None:
    made: list[tuple[object, ...]] = []

    @cache.shared(apart_from=("epsilon",))
    def make(scenario: object, *more: object, name: str = "a test's own") -> int:
        made.append((scenario, *more))
        return len(made)

    paper, day = Scenario(households=3), simulate(Scenario(households=3))
    assert make(paper) == make(day) == make(paper.replace(epsilon=2.0)) == 1
    other, more = paper.replace(alpha=2.0), (1, 1.0, "1", (1, None))
    others: list[tuple[object, ...]] = [(other,), *((paper, each) for each in more)]
    for turn in range(2):
        assert [make(*each) for each in others] == [2, 3, 4, 5, 6], turn
    with pytest.raises(TypeError, match="ndarray"):
        make(paper, day.occupancy)

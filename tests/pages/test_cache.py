"""What is kept for everybody: made once, bounded, and never a failure."""

import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui import cache
from rtp import Scenario, simulate

REALLY_BESIDE = cache.beside  # tests of screens do without


def own_key() -> str:
    return f"a test's own, {time.monotonic_ns()}"


def test_a_value_is_made_once_and_a_failure_is_tried_again() -> None:
    key, made = own_key(), iter([None])
    with pytest.raises(ZeroDivisionError):
        cache.cached("test", key, lambda: 1 / 0)
    for _ in range(2):
        assert cache.cached("test", key, lambda: next(made)) is None


def test_the_least_recently_used_is_dropped() -> None:
    keys = [own_key() for _ in range(4)]
    made: list[str] = []
    for key in (*keys[:3], keys[0], keys[3], keys[0], keys[1]):
        cache.cached("test", key, partial(made.append, key), weight="huge")
    assert made == [*keys[:3], keys[3], keys[1]]


def test_what_several_ask_for_at_once_is_made_once_and_others_do_not_wait() -> None:
    key, making, go_on = own_key(), threading.Event(), threading.Event()
    made: list[str] = []

    def slowly() -> str:
        made.append("slowly")
        making.set()
        assert go_on.wait(10)
        return "value"

    given: list[str] = []
    asking = [
        threading.Thread(target=lambda: given.append(cache.cached("test", key, slowly))) for _ in range(3)
    ]
    for thread in asking:
        thread.start()
    assert making.wait(10)
    assert cache.cached("test", own_key(), lambda: "at once") == "at once"
    go_on.set()
    for thread in asking:
        thread.join(10)
    assert (made, given) == (["slowly"], ["value"] * 3)


def test_a_day_is_drawn_once_whatever_its_budget() -> None:
    scenario = Scenario(households=30, seed=987)
    first = cache.day(scenario)
    other = cache.day(scenario.replace(epsilon=2.0))
    assert first.street_day is other.street_day
    assert first.release["naive"].rate.tolist() == simulate(scenario).release["naive"].rate.tolist()


def drawing() -> None:
    from pages.ui import cache
    from rtp import Scenario

    cache.day(Scenario(households=30, seed=988))
    cache.cached("test", "shown meanwhile", lambda: "value", "Making …")


def test_what_is_shown_while_something_is_made_is_gone_when_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def progress(done: float, words: str) -> object:
        told.append(words)
        return streamlit.empty()

    def spinner(words: str) -> object:
        told.append(words)
        return nullcontext()

    monkeypatch.setattr(streamlit, "progress", progress)
    monkeypatch.setattr(streamlit, "spinner", spinner)
    monkeypatch.setattr(cache, "SLOW", 30)
    for _ in range(2):
        app = AppTest.from_function(drawing, default_timeout=60).run()
        assert not app.exception
        assert len(told) == 2, "the first time only"


def test_what_is_made_beside_the_page_is_made_once_and_nobody_waits() -> None:
    key, go_on, made = own_key(), threading.Event(), iter(["whole"])

    def slowly() -> str:
        assert go_on.wait(10)
        return next(made)

    for patience in (0.0, 0.01, 0.0):
        assert REALLY_BESIDE("test", key, slowly, patience) == cache.Beside(False, None)
    go_on.set()
    assert cache.cached("test", key, lambda: "another") == "whole"
    assert REALLY_BESIDE("test", key, slowly) == cache.Beside(True, "whole")


def test_what_fails_beside_the_page_is_logged_and_tried_again_later(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not before a while has passed: a page that looks again and again would go on for ever."""
    key, tries, clock = own_key(), iter([ValueError("no"), ValueError("no"), "whole"]), [time.monotonic()]
    monkeypatch.setattr("pages.ui.cache.time.monotonic", lambda: clock[0])

    def make() -> object:
        made = next(tries)
        if isinstance(made, Exception):
            raise made
        return made

    failed, whole = cache.Beside(True, None), cache.Beside(True, "whole")
    given = []
    for wait in (0.0, cache.RETRY - 0.1, 0.2, cache.RETRY + 1, cache.RETRY):
        clock[0] += wait
        given.append(REALLY_BESIDE("test", key, make, patience=10))
    assert given == [failed, failed, failed, failed, whole]
    assert "ValueError: no" in capsys.readouterr().err


def test_what_failed_beside_the_page_is_tried_at_once_by_who_waits() -> None:
    key, made = own_key(), iter(["whole"])
    assert not REALLY_BESIDE("test", key, lambda: 1 / 0, patience=10).value
    assert cache.cached("test", key, lambda: next(made)) == "whole"
    assert REALLY_BESIDE("test", key, str) == cache.Beside(True, "whole")


def test_what_nobody_looks_for_any_more_is_not_made_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Callable[[], None]] = []
    monkeypatch.setattr(cache, "in_thread", started.append)
    key, made = own_key(), iter(["late"])
    assert not REALLY_BESIDE("test", key, lambda: next(made)).done
    now = time.monotonic()
    monkeypatch.setattr("pages.ui.cache.time.monotonic", lambda: now + cache.FORGOTTEN + 0.1)
    started.pop()()
    assert not REALLY_BESIDE("test", key, lambda: next(made)).done
    started.pop()()
    assert REALLY_BESIDE("test", key, lambda: next(made)) == cache.Beside(True, "late")


def test_a_shared_function_is_called_once_for_the_same_arguments() -> None:
    made: list[tuple[object, ...]] = []

    @cache.shared(apart_from=("epsilon",))
    def make(scenario: object, *more: object, name: str = own_key()) -> int:
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

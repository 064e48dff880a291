"""What is kept for everybody: made once, bounded, and never a failure."""

import threading
import time
from collections.abc import Callable
from functools import partial

import pytest
import streamlit

from pages.ui import cache
from rtp import Scenario, simulate

REALLY_BESIDE = cache.beside  # tests of screens do without


def own_key() -> str:
    return f"a test's own, {time.monotonic_ns()}"


def test_a_value_is_made_once_and_a_failure_is_tried_again() -> None:
    key, made = own_key(), iter(["whole"])

    def fail() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.cached("test", key, fail)
    for _ in range(2):
        assert cache.cached("test", key, lambda: next(made)) == "whole"


def test_nothing_is_a_value_too() -> None:
    key, made = own_key(), iter([None])
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


def test_a_day_is_drawn_once_whatever_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = Scenario(households=30, seed=987)
    first = cache.day(scenario)
    other = cache.day(scenario.replace(epsilon=2.0))
    assert first.street_day is other.street_day
    assert first.release["naive"].rate.tolist() == simulate(scenario).release["naive"].rate.tolist()


def test_a_long_drawing_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Bar:
        def progress(self, done: float, words: str) -> None:
            told.append(words)

        def empty(self) -> None:
            told.append("gone")

    def bar(done: float, words: str) -> Bar:
        told.append(words)
        return Bar()

    monkeypatch.setattr(cache, "SLOW", 30)
    monkeypatch.setattr(streamlit, "progress", bar)
    cache.day(Scenario(households=29, seed=988))
    assert not told
    cache.day(Scenario(households=30, seed=988))
    assert told == [
        "Drawing the day of 30 households …",
        "Drawing the day of 30 households … 100%",
        "gone",
    ]


def test_the_spinner_turns_while_a_value_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    turned: list[str] = []

    class Spinner:
        def __init__(self, words: str) -> None:
            self.words = words

        def __enter__(self) -> None:
            turned.append(self.words)

        def __exit__(self, *_: object) -> None:
            turned.append("stopped")

    monkeypatch.setattr(streamlit, "spinner", Spinner)
    key = own_key()
    for _ in range(2):
        assert cache.cached("curve", key, lambda: "value", "Making …") == "value"
    assert turned == ["Making …", "stopped"]


def test_what_is_made_beside_the_page_is_made_once_and_nobody_waits() -> None:
    key, go_on, made = own_key(), threading.Event(), iter(["whole"])

    def slowly() -> str:
        assert go_on.wait(10)
        return next(made)

    for _ in range(3):
        assert REALLY_BESIDE("test", key, slowly) == cache.Beside(False, None)
    go_on.set()
    assert cache.cached("test", key, lambda: "another") == "whole"
    assert REALLY_BESIDE("test", key, slowly) == cache.Beside(True, "whole")


def test_a_page_may_wait_a_little_for_what_is_made_beside_it() -> None:
    go_on = threading.Event()
    assert REALLY_BESIDE("test", own_key(), lambda: "soon", patience=10) == cache.Beside(True, "soon")
    key = own_key()
    assert REALLY_BESIDE("test", key, partial(go_on.wait, 10), patience=0.01) == cache.Beside(False, None)
    go_on.set()
    assert REALLY_BESIDE("test", key, partial(go_on.wait, 10), patience=10) == cache.Beside(True, True)


def test_what_fails_beside_the_page_is_logged_and_tried_again_later(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not before a while has passed: a page that looks again and again would go on for ever."""
    key, tries, clock = own_key(), iter([ValueError("no"), ValueError("no"), "whole"]), [time.monotonic()]
    monkeypatch.setattr("pages.ui.cache.time.monotonic", lambda: clock[0])

    def make() -> str:
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
    assert REALLY_BESIDE("test", key, lambda: 1 / 0, patience=10) == cache.Beside(True, None)
    assert cache.cached("test", key, lambda: next(made)) == "whole"
    assert REALLY_BESIDE("test", key, lambda: 1 / 0) == cache.Beside(True, "whole")


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

"""What is kept for everybody: made once, bounded, and never a failure."""

import threading
import time
from dataclasses import replace

import pytest
import streamlit

from pages.ui import cached
from pages.ui.cached import KINDS
from pages.ui.shelf import Limit, Shelf, among
from rtp import Scenario, simulate
from rtp.attack.adversary import posterior


def filled(limit: Limit, *keys: str) -> Shelf[str]:
    shelf: Shelf[str] = Shelf(limit)
    for key in keys:
        shelf.get(key, key.upper)
    return shelf


def test_a_value_is_made_once_and_the_least_recently_used_is_dropped() -> None:
    shelf = filled(Limit(2), "a", "b")
    assert shelf.get("a", lambda: "made again") == "A"
    shelf.get("c", lambda: "C")
    assert list(shelf.values) == ["a", "c"]


def test_the_sizes_of_values_are_bounded_and_the_newest_stays_whatever_its_size() -> None:
    assert list(filled(Limit(5, len), "aa", "bbb", "c").values) == ["bbb", "c"]
    assert list(filled(Limit(5, len), "aa", "bbb").values) == ["aa", "bbb"]
    assert list(filled(Limit(5, len), "aa", "bbbbbbb").values) == ["bbbbbbb"]


def test_of_several_servers_each_keeps_its_share_but_all_that_is_heavy_to_make() -> None:
    assert [among(Limit(5), servers).most for servers in (1, 2, 8)] == [5, 2, 1]
    assert among(Limit(5, heavy=True), 2).most == 5


def test_what_fails_is_not_kept_and_can_be_tried_again() -> None:
    shelf: Shelf[str] = Shelf(Limit(2))

    def fail() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        shelf.get("a", fail)
    assert shelf.get("a", lambda: "made") == "made"


def test_what_several_ask_for_at_once_is_made_once_and_others_do_not_wait() -> None:
    shelf: Shelf[str] = Shelf(Limit(4))
    making, go_on = threading.Event(), threading.Event()
    made: list[str] = []

    def slowly() -> str:
        made.append("a")
        making.set()
        assert go_on.wait(10)
        return "A"

    answers: list[str] = []
    askers = [threading.Thread(target=lambda: answers.append(shelf.get("a", slowly))) for _ in range(3)]
    for asker in askers:
        asker.start()
    assert making.wait(10)
    assert shelf.get("b", lambda: "B") == "B", "another key is free"
    go_on.set()
    for asker in askers:
        asker.join(10)
    assert answers == ["A"] * 3
    assert made == ["a"]
    assert not shelf.making, "no lock is kept"


def test_lives_and_days_are_bounded_by_their_houses() -> None:
    day = simulate(Scenario(households=50))
    sizes = (
        KINDS["life"].size(day.street_day),
        KINDS["believing"].size(day.street_day),
        KINDS["day"].size(day),
    )
    assert sizes == (1050, 1050, 1050)
    seen = posterior(day, "naive")  # four numbers of every house at every step, for every model
    assert KINDS["posterior"].size(seen) == 4 * 50 * 96
    assert KINDS["posterior"].size(replace(seen, by_model=(seen, seen))) == 2 * 4 * 50 * 96
    others = set(KINDS) - {"life", "day", "believing", "posterior"}
    assert {KINDS[kind].size(day) for kind in others} == {1}


def test_a_day_is_drawn_once_whatever_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = Scenario(households=30, seed=987)
    first = cached.day(scenario)
    other = cached.day(scenario.replace(epsilon=2.0))
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

    monkeypatch.setattr(cached, "SLOW", 30)
    monkeypatch.setattr(streamlit, "progress", bar)
    cached.day(Scenario(households=29, seed=988))
    assert not told
    cached.day(Scenario(households=30, seed=988))
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
    key = f"a test's own, {time.monotonic_ns()}"
    for _ in range(2):
        assert cached.kept("curve", key, lambda: "value", "Making …") == "value"
    assert turned == ["Making …", "stopped"]

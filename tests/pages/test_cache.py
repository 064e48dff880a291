"""What is kept for everybody: made once, bounded, and never a failure."""

import threading
import time
from collections.abc import Callable
from typing import Literal

import pytest

from pages.ui import cache
from rtp import Scenario, simulate

REALLY_BESIDE = cache.Shared.beside  # tests of screens do without
Weight = Literal["light", "heavy", "huge"]


def kept(make: Callable[[], object], weight: Weight = "light") -> cache.Shared[[], object]:
    """A function that nobody else shares."""
    key = f"a test's own, {time.monotonic_ns()}"
    return cache.shared(key=lambda: key, weight=weight)(make)


def beside(shared: cache.Shared[[], object], patience: float = 0.0) -> cache.Beside[object]:
    return REALLY_BESIDE(shared, patience)


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


def test_what_is_made_beside_the_page_is_made_once_and_nobody_waits() -> None:
    go_on, whole = threading.Event(), in_turn("whole")
    shared = kept(lambda: whole() if go_on.wait(10) else None)
    for patience in (0.0, 0.01, 0.0):
        assert beside(shared, patience) == cache.Beside(False, None)
    go_on.set()
    assert shared() == "whole"
    assert beside(shared) == cache.Beside(True, "whole")


def test_what_fails_beside_the_page_is_logged_and_tried_again_later(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not before a while has passed: a page that looks again and again would go on for ever."""
    clock = [time.monotonic()]
    monkeypatch.setattr("pages.ui.cache.time.monotonic", lambda: clock[0])
    shared = kept(in_turn(ValueError("no"), ValueError("no"), "whole"))
    given = []
    for wait in (0.0, cache.RETRY - 0.1, 0.2, cache.RETRY + 1, cache.RETRY):
        clock[0] += wait
        given.append(beside(shared, 10))
    assert given == [cache.Beside(True, None)] * 4 + [cache.Beside(True, "whole")]
    assert "ValueError: no" in capsys.readouterr().err


def test_what_failed_beside_the_page_is_tried_at_once_by_who_waits() -> None:
    shared = kept(in_turn(ValueError("no"), "whole"))
    assert not beside(shared, 10).value
    assert shared() == "whole"
    assert beside(shared) == cache.Beside(True, "whole")


def test_what_nobody_looks_for_any_more_is_not_made_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Callable[[], None]] = []
    monkeypatch.setattr(cache, "in_thread", started.append)
    shared = kept(in_turn("late"))
    assert not beside(shared).done
    now = time.monotonic()
    monkeypatch.setattr("pages.ui.cache.time.monotonic", lambda: now + cache.FORGOTTEN + 0.1)
    started.pop()()
    assert not beside(shared).done
    started.pop()()
    assert beside(shared) == cache.Beside(True, "late")


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

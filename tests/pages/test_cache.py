"""What is kept for everybody: made once, bounded, and never a failure."""

import threading
import time
from collections.abc import Callable
from typing import Literal

import pytest

from pages.ui import cache
from pages.ui.params import EPSILON_GRID
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


def test_between_two_stops_of_the_slider_an_exposure_is_taken_from_both() -> None:
    street, stops = Scenario(households=2, step_minutes=60), EPSILON_GRID[10:12]
    below, above = (cache.exposures(street.replace(epsilon=stop)).private.value for stop in stops)
    found = cache.exposures(street.replace(epsilon=(stops[0] * stops[1]) ** 0.5)).private.value
    assert found == pytest.approx((below + above) / 2, rel=1e-9)

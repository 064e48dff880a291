"""What is kept for everybody: made once, bounded, and never a failure."""

import threading
import time
from collections.abc import Callable
from typing import Literal

import pytest

from pages.ui import cache
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


def test_an_exposure_is_found_once_for_all_budgets_and_again_where_prices_count() -> None:
    """Where demand follows the rate, or it is capped, its price moves what she sees."""
    street = Scenario(households=2, step_minutes=60)
    found = cache.exposure(street, "moment", "insider")
    same = ({"epsilon": 2.0}, {"alpha": 3.0}, {"beta": 9.0}, {"days": 4})
    assert all(cache.exposure(street.replace(**each), "moment", "insider") is found for each in same)
    other = ({"seed": 9}, {"alpha": 3.0, "price_cap": 70.0}, {"price_cap": 70.0}, {"naive_bound": "realised"})
    keys = {cache.exposure_key(street.replace(**each), "moment", "insider") for each in other}
    assert len(keys | {cache.exposure_key(street, "moment", "insider")}) == 5
    assert not cache.exposure.known(street, "moment", "outsider")

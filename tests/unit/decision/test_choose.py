"""What is published, on intervals of which all is known beforehand."""

from dataclasses import dataclass
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import Scenario
from rtp.core.stats import Range
from rtp.core.types import Bools, Floats
from rtp.decision import EPSILONS, Wish
from rtp.decision.choose import choose
from rtp.decision.frontier import HIGH_END, Interval
from rtp.exposure import HIDDEN, VISIBLE, Observer, hidden

STREET, TIMETABLE = Scenario(households=2), 0.5


@dataclass
class Known:
    """An exposure that is the same at every ε."""

    area: Range
    exact: bool = True

    def at(self, rate: str, epsilon: float) -> Range:
        return self.area

    def worst(self, rate: str, epsilon: float) -> None:
        return None


@dataclass
class KnownInterval:
    """Every rate errs by 0.01/ε, and observers are right as often at every ε."""

    seen: Known
    insider: Known
    scenario: Scenario = STREET
    timetable: float = TIMETABLE
    judge: Observer = "outsider"

    def error(self, rate: str, epsilons: Floats) -> Floats:
        return 0.01 / epsilons

    @property
    def found(self) -> dict[Observer, Known]:
        return {"outsider": self.seen, "insider": self.insider}

    first = found

    def hides(self, rate: str, epsilons: Floats, end: int = HIGH_END) -> Bools:
        return np.full(len(epsilons), self.seen.area[end] <= HIDDEN)

    def smallest(self, rate: str, error: float) -> float | None:
        return 0.01 / error

    def largest(self, rate: str, end: int = HIGH_END) -> float | None:
        return float(EPSILONS[-1]) if self.hides(rate, EPSILONS, end)[0] else None


@st.composite
def ranges(draw: st.DrawFn, limit: float) -> Range:
    """An area and its interval, on either side of a limit or across it."""
    low, value, high = sorted(draw(st.floats(limit - 0.09, limit + 0.09)) for _ in range(3))
    return Range(value, low, high)


@given(ranges(HIDDEN), ranges(VISIBLE), st.sampled_from([None, 20.0]))
def test_published_is_what_hides_with_its_whole_interval(
    seen: Range, insider: Range, error: float | None
) -> None:
    here = cast(Interval, KnownInterval(Known(seen), Known(insider)))
    chosen = choose(Wish(secret="day", error=error), {15: here})
    hides = seen.high <= HIDDEN  # whatever an insider tells
    assert chosen.verdict == ("publish" if hides else "timetable" if error is None else "nothing")


@given(ranges(HIDDEN), st.floats(0.2, 100.0))
def test_an_accepted_error_changes_no_answer_that_keeps_it(seen: Range, error: float) -> None:
    """One objective: the smallest error that hides."""
    here = cast(Interval, KnownInterval(Known(seen), Known(seen)))
    free, bound = (choose(Wish(secret="day", error=each), {15: here}) for each in (None, error))
    if free.choice is not None and free.choice.error <= error / 100:
        assert bound.choice == free.choice


@pytest.mark.parametrize(
    ("outsider", "insider", "without_noise", "exact", "hides"),
    [
        (0.55, 1.0, 1.0, True, True),  # she is as strong as can be
        (0.55, 1.0, 1.0, False, False),  # noise that does nothing
        (0.55, 0.9, 1.0, False, False),  # or hardly anything
        (0.55, 0.7, 1.0, False, True),
        (0.55, 0.66, 0.7, False, False),  # an insider tells little even without noise
        (0.55, 0.58, 0.59, False, True),  # nobody tells more than an insider
        (0.61, 0.62, 1.0, False, False),
    ],
)
def test_an_approximate_observer_hides_nothing_alone(
    outsider: float, insider: float, without_noise: float, exact: bool, hides: bool
) -> None:
    assert hidden(outsider, insider, without_noise, exact=exact) == hides

"""What is published, on intervals of which all is known beforehand."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rtp import Scenario
from rtp.core.stats import Range
from rtp.core.types import Floats
from rtp.decision import EPSILONS, Wish
from rtp.decision.choose import choose
from rtp.decision.frontier import HIGH_END, Interval
from rtp.leakage.overview import HIDDEN, VISIBLE

STREET, TIMETABLE = Scenario(households=2), 0.5


@dataclass
class Known:
    """Every rate errs by 0.01/ε, and the observer is right as often at every ε."""

    area: Range
    scenario: Scenario = STREET
    timetable: float = TIMETABLE

    def error(self, rate: str, epsilons: Floats) -> Floats:
        return 0.01 / epsilons

    def right(self, rate: str, epsilons: Floats) -> Floats:
        return np.tile(np.array(self.area)[:, None], len(epsilons))

    def smallest(self, rate: str, error: float) -> float | None:
        return 0.01 / error

    def largest(self, rate: str, area: float, end: int = HIGH_END) -> float | None:
        return float(EPSILONS[-1]) if self.right(rate, EPSILONS)[end, 0] <= area else None


@st.composite
def ranges(draw: st.DrawFn, limit: float) -> Range:
    """An area and its interval, on either side of a limit or across it."""
    low, value, high = sorted(draw(st.floats(limit - 0.09, limit + 0.09)) for _ in range(3))
    return Range(value, low, high)


@given(ranges(HIDDEN), ranges(VISIBLE), st.sampled_from([None, 20.0]))
def test_published_is_what_hides_with_its_whole_interval(
    seen: Range, insider: Range, error: float | None
) -> None:
    outside = cast(Interval, Known(seen))
    chosen = choose(Wish(secret="day", error=error), {15: outside}, lambda *_: insider)
    hides = seen.high <= HIDDEN and insider.high < VISIBLE
    assert chosen.verdict == ("publish" if hides else "timetable" if error is None else "nothing")

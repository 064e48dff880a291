"""The axes of the day: they stand still; where ε is tiny they widen, in few steps, and hold most noise."""

from math import sqrt

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.figures.day import rates_figure
from rtp.mechanisms import UNPROTECTED, YARDSTICK

WEEK = Scenario(households=60, days=7)
MOST = 0.05  # of all draws may lie beyond


@pytest.mark.parametrize("epsilon", [5.0, 0.5, 0.3, 0.07, 0.011, 0.0004])
def test_at_most_one_rate_in_twenty_is_marked_at_the_edge(epsilon: float) -> None:
    day = simulate(WEEK.replace(epsilon=epsilon))
    drawn = rates_figure(day, [UNPROTECTED, YARDSTICK])
    low, high = drawn.layout["yaxis"]["range"]
    rate = day.release[YARDSTICK].rate
    beyond, steps = int(((rate < low) | (rate > high)).sum()), len(rate)
    assert beyond <= steps * MOST + 3 * sqrt(steps * MOST)
    marks = [len(trace["x"]) for trace in drawn.traces if trace["name"] == "Naive beyond"]
    assert sum(marks) >= beyond, "those of the error, too"


def test_the_axis_of_every_budget_is_one_of_few_and_said_where_it_is_wider() -> None:
    usual = simulate(WEEK.replace(days=1))
    seen: dict[float, str] = {}
    for epsilon in np.geomspace(10, 0.01, 13):
        drawn = rates_figure(simulate(usual.scenario.replace(epsilon=float(epsilon))), [YARDSTICK])
        seen[drawn.layout["yaxis"]["range"][1]] = drawn.layout["annotations"][0]["text"]
    first, *wider = (seen[top] for top in sorted(seen))
    assert len(wider) <= 3
    assert "wide" not in first
    assert all("times as wide" in title for title in wider)

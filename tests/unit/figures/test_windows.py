"""Lit windows: what is believed, and the rings, at every step of the day."""

from itertools import chain

import numpy as np
import pytest

from rtp.core.stats import right_guesses
from rtp.core.types import Bools, Floats
from rtp.figures.windows import IN_A_LINE, Believed, windows_figure
from tests.unit.figures.test_every_figure import check

STEPS = 6
SAID = [f"Sentence {step}." for step in range(STEPS)]
TIMES = [f"{hour:02d}:00" for hour in range(STEPS)]


def street(houses: int) -> tuple[Bools, list[Believed]]:
    rng = np.random.default_rng(5)
    occupied = rng.random((STEPS, houses)) < 0.4
    return occupied, [Believed(f"rate {i}", rng.random((STEPS, houses))) for i in range(2)]


def named(houses: range) -> dict[int, str]:
    return {house: f"house {house + 1}" for house in houses}


@pytest.mark.parametrize("houses", [2, 20, 33, 60])
def test_every_frame_shows_truth_beliefs_and_rings(houses: int) -> None:
    occupied, believed = street(houses)
    picture = windows_figure(named(range(houses)), "Truth", occupied, believed, TIMES, SAID, 2, 1)
    check(picture, {})
    for t, frame in enumerate(picture.frames):
        assert frame["words"] == SAID[t]
        truth, *rows = frame["data"]
        assert told(truth["z"]) == occupied[t].astype(int).tolist()
        for own, ring, window in zip(believed, rows[::2], rows[1::2], strict=True):
            np.testing.assert_allclose(told(window["z"]), 100 * own.belief[t], atol=0.5)
            assert told(ring["z"]) == (right_guesses(own.belief[t], occupied[t]) == 0).astype(int).tolist()
    first = [
        {name: trace[name] for name in part}
        for trace, part in zip(picture.traces, picture.frames[2]["data"], strict=True)
    ]
    assert first == list(picture.frames[2]["data"])
    assert sum("line" in shape and shape["line"]["width"] > 0 for shape in picture.layout["shapes"]) == 3


def test_a_window_says_its_house() -> None:
    occupied, believed = street(33)
    picture = windows_figure(named(range(101, 134)), "Truth", occupied, believed, TIMES, SAID)
    maps = [trace for trace in picture.traces if "customdata" in trace]
    assert len(maps) == 3
    for trace in maps:
        assert [house for house, _ in filter(None, chain(*trace["customdata"]))] == list(range(101, 134))
        assert {len(line) for line in trace["z"]} == {IN_A_LINE}


def told(grid: list[list[Floats | None]]) -> list[Floats]:
    return [each for each in chain(*grid) if each is not None]

"""The bend: error across, how often an observer tells up, and ε at every point."""

import numpy as np
import pytest

from rtp.core.stats import Range
from rtp.figures.bend import Bend, bend_figure, nothing_more
from rtp.figures.style import Picture, Spec
from rtp.mechanisms import FEATURED
from tests.unit.figures.test_every_figure import check

EPSILONS = np.geomspace(10, 0.01, 31)
TOLD = {"insider": 0.5 + 0.5 / (1 + 0.4 / EPSILONS), "outsider": 0.5 + 0.08 / (1 + 0.3 / EPSILONS)}
NAMES = ("naive", FEATURED, "filtered")


def bends(epsilon: float) -> list[Bend]:
    found = []
    for number, name in enumerate(NAMES):
        error = 0.006 / EPSILONS / (1 + number * 0.1 / EPSILONS)
        now, *told = (
            float(np.interp(-np.log(epsilon), -np.log(EPSILONS), each)) for each in (error, *TOLD.values())
        )
        found.append(
            Bend(name, error, TOLD, Range(now, 0.8 * now, 1.3 * now), dict(zip(TOLD, told, strict=True)))
        )
    return found


def drawn(epsilon: float) -> Picture:
    return bend_figure(EPSILONS, bends(epsilon), epsilon)


def test_every_curve_is_drawn_and_every_point_says_its_epsilon() -> None:
    own = bends(0.5)
    given = {
        (f"{name}, {who}", "y"): 100 * TOLD[who] for name in ("naive", "private", "filtered") for who in TOLD
    }
    check(drawn(0.5), given)
    for bend, name in zip(own, ("naive", "private", "filtered"), strict=True):
        for who in TOLD:
            (curve,) = (trace for trace in drawn(0.5).traces if trace["name"] == f"{name}, {who}")
            np.testing.assert_allclose(curve["x"], 100 * bend.error)
            assert [each for (each,) in curve["customdata"]] == EPSILONS.tolist()


def test_axes_stand_still_while_the_dot_moves() -> None:
    axes = [(drawn(e).layout["xaxis"]["range"], drawn(e).layout["yaxis"]["range"]) for e in (5.0, 0.5, 0.05)]
    assert axes[0] == axes[1] == axes[2]
    places = [next(t for t in drawn(e).traces if t["name"] == "private now, insider") for e in (5.0, 0.5)]
    assert places[0]["x"] < places[1]["x"]
    assert places[0]["y"] > places[1]["y"]


@pytest.mark.parametrize(
    ("told", "bent"),
    [
        ([1.0, 0.8, 0.519, 0.515, 0.51], 0.04),  # from there on no more than a percent
        ([1.0, 0.9, 0.8, 0.7, 0.6], None),  # it still hides
        ([0.5, 0.5, 0.5, 0.5, 0.5], 0.01),  # nothing to hide
        ([1.0, 0.51, 0.6, 0.51, 0.505], 0.08),  # what rises again was not the end
    ],
)
def test_the_bend_is_where_a_larger_error_hides_nothing_more(told: list[float], bent: float | None) -> None:
    error = np.array([0.01, 0.02, 0.04, 0.08, 0.16])
    assert nothing_more(error, [np.array(told)]) == bent
    assert nothing_more(error[::-1], [np.array(told)[::-1]]) == bent


def test_the_zone_is_shaded_only_where_there_is_one() -> None:
    flat = [bend._replace(told=dict.fromkeys(TOLD, np.full(31, 0.5))) for bend in bends(0.5)]
    steep = [bend._replace(told=dict.fromkeys(TOLD, np.linspace(1, 0.6, 31))) for bend in bends(0.5)]
    shapes: list[list[Spec]] = [bend_figure(EPSILONS, own, 0.5).layout["shapes"] for own in (flat, steep)]
    assert [len(each) for each in shapes] == [1, 0]


def test_a_rate_without_any_error_has_a_place() -> None:
    still = [bend._replace(error=np.zeros(31), error_now=Range(0.0, 0.0, 0.0)) for bend in bends(0.5)]
    low, high = bend_figure(EPSILONS, still, 0.5).layout["xaxis"]["range"]
    assert low < high

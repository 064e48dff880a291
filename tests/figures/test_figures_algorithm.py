"""The pictures of the Algorithm screen hold what the engine knows, and no more than the line allows."""

from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from rtp import PRESETS
from rtp.classroom.lesson import Lesson, lesson, small_street
from rtp.classroom.lines import LAST, NEIGHBOURS, OPTIMAL, POSSIBLE, PRIOR, PROTECTED, occupied
from rtp.classroom.moves import Move, Never
from rtp.figures.hypercube import CUBE_HOUSES, DIRECTIONS, alt_text, reading, states_figure
from rtp.figures.lesson import beliefs_alt, beliefs_figure, noise_alt, noise_figure
from rtp.figures.states import GREY, SCALE, TRUE_STATE, house_colour
from rtp.joint import ModelStep, all_states

ASLEEP = Move(start=0, never=frozenset({Never(3, 0, 1)}))
T = 8


def street(houses: int, known: tuple[int, ...] = ()) -> Lesson:
    return lesson(small_street(PRESETS["paper"], houses), dict.fromkeys(known, ASLEEP))


def own(houses: int, known: tuple[int, ...] = ()) -> ModelStep:
    return street(houses, known).at(T).models[0]


def named(figure: go.Figure, name: str) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.name == name]


def labels(figure: go.Figure) -> set[str]:
    return {
        t.strip("</b>") for trace in figure.data if trace.text is not None for t in trace.text if "<b>" in t
    }


@pytest.mark.parametrize("houses", [2, 3, 4, 5])
@pytest.mark.parametrize("known", [(), (0,), (0, 1)])
def test_the_cube_shows_states_pairs_and_protected_houses(houses: int, known: tuple[int, ...]) -> None:
    step = own(houses, known)
    figure = states_figure(step, LAST)
    for h in range(houses):
        edges = named(figure, f"House {h}")
        pairs = [pair for pair in step.neighbours if pair[2] == h]
        assert len(edges) == (1 if pairs else 0)
        if edges:
            assert len(edges[0].x) == 3 * len(pairs)
            assert edges[0].line.color == house_colour(h)
    assert labels(figure) == {str(h) for h in step.protected}
    hollow = [t for t in figure.data if t.marker.symbol == "circle-open"]
    assert sum(len(t.x) for t in hollow) == (~step.possible).sum()
    filled = next(t for t in figure.data if t.marker.colorscale)
    np.testing.assert_array_equal(filled.marker.color, step.posterior[step.possible])
    by_size, by_chance = (np.argsort(x, kind="stable") for x in (filled.marker.size, filled.marker.color))
    np.testing.assert_array_equal(by_size, by_chance)


@pytest.mark.parametrize("houses", [2, 3, 4, 5])
def test_corners_keep_apart_and_up_is_occupied(houses: int) -> None:
    at = all_states(houses) @ np.array(DIRECTIONS[houses])
    assert (np.array(DIRECTIONS[houses])[:, 1] > 0).all()
    span = np.ptp(at, axis=0)
    apart = np.linalg.norm((at[:, None] - at[None]) / span, axis=-1)[~np.eye(2**houses, dtype=bool)]
    assert apart.min() > 0.06


@pytest.mark.parametrize("houses", [6, 7, 8])
def test_the_map_lays_neighbours_side_by_side_and_leaves_the_impossible_hollow(houses: int) -> None:
    step = own(houses, (1,))
    figure = states_figure(step, LAST, truth=3)
    heat = figure.data[0]
    for axis in (heat.x, heat.y):
        for one, next_one in pairwise(axis):
            assert sum(a != b for a, b in zip(one, next_one, strict=True)) == 1
    filled = ~np.isnan(np.asarray(heat.z, dtype=float))
    assert filled.sum() == step.possible.sum() == 2 ** (houses - 1)
    for r, row in enumerate(heat.y):
        for c, column in enumerate(heat.x):
            state = int(row + column, 2)
            assert filled[r, c] == step.possible[state]
            if filled[r, c]:
                assert heat.z[r][c] == step.posterior[state]
    assert len(named(figure, "Impossible state")[0].x) == 2 ** (houses - 1)
    star = named(figure, "The true state")[0]
    assert int(star.y[0] + star.x[0], 2) == 3


@pytest.mark.parametrize("houses", [4, 6])
def test_nothing_is_shown_before_its_line(houses: int) -> None:
    taught = street(houses, (0,))
    step = taught.at(T).models[0]
    unknown = states_figure(step, PRIOR - 1)
    assert not [t for t in unknown.data if t.type == "scatter" and t.marker.colorscale]
    assert "no probabilities yet" in alt_text(step, PRIOR - 1)
    assert "impossible" not in str(states_figure(step, POSSIBLE - 1).to_dict())
    if houses <= CUBE_HOUSES:
        assert not [t for t in states_figure(step, NEIGHBOURS - 1).data if t.line.width == 3]
        assert not labels(states_figure(step, PROTECTED - 1))
        colours = next(t for t in states_figure(step, LAST - 2).data if t.marker.colorscale).marker.color
        np.testing.assert_array_equal(colours, step.prior[step.possible])
    assert not noise_figure(taught, T, OPTIMAL - 1).data
    assert noise_alt(taught, T, OPTIMAL - 1) == "The noise: not drawn yet."
    assert len(noise_figure(taught, T, OPTIMAL).data) == 1
    beliefs = beliefs_figure(taught, step, PRIOR)
    assert [x for x in named(beliefs, "Posterior")[0].x if x is not None] == []
    assert "not known yet" in beliefs_alt(step, PRIOR - 1)
    assert " to " not in beliefs_alt(step, PRIOR)


def test_beliefs_and_noise_are_the_engines() -> None:
    taught = street(4, (1,))
    step = taught.at(T)
    figure = beliefs_figure(taught, step.models[0], LAST)
    np.testing.assert_array_equal(named(figure, "Prior")[0].x, occupied(step.models[0].prior))
    np.testing.assert_array_equal(named(figure, "Posterior")[0].x, occupied(step.models[0].posterior))
    assert [c == GREY for c in named(figure, "Posterior")[0].marker.color] == [False, True, False, False]
    assert " to " in beliefs_alt(step.models[0], LAST)
    noise = noise_figure(taught, T, LAST)
    curve, optimal, published = noise.data
    assert np.trapezoid(curve.y, curve.x) == pytest.approx(1 - np.exp(-6), abs=2e-3)
    assert optimal.x[0] == taught.release.optimal[T]
    assert published.x[0] == step.published
    assert f"scale {step.scale:.4g}" in noise_alt(taught, T, LAST)
    exact = street(2, (0, 1))
    assert len(noise_figure(exact, T, LAST).data) == 2, "no density where there is no noise"


def test_the_true_state_is_marked_only_when_asked() -> None:
    step = own(4)
    assert not named(states_figure(step, LAST), "The true state")
    at = all_states(4) @ np.array(DIRECTIONS[4])
    star = named(states_figure(step, LAST, truth=5), "The true state")[0]
    assert (star.x[0], star.y[0]) == tuple(at[5])


@pytest.mark.parametrize("background", ["#fbfcfd", "#0e151c"])
def test_colours_stand_out_on_both_backgrounds(background: str) -> None:
    middle = _mixed(SCALE[0][1], SCALE[1][1])
    colours = [GREY, TRUE_STATE, SCALE[0][1], SCALE[1][1], middle, *(house_colour(h) for h in range(8))]
    assert GREY not in colours[1:]
    for colour in colours:
        lights = sorted([_luminance(colour), _luminance(background)])
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 3, colour


def _channels(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def _mixed(one: str, other: str) -> str:
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round((a + b) / 2 * 255):02x}" for a, b in pairs)


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(colour)]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def test_the_pictures_are_explained() -> None:
    assert "corner" in reading(CUBE_HOUSES)
    assert "cell" in reading(CUBE_HOUSES + 1)
    assert "protected: houses 0, 2 and 3" in alt_text(own(4, (1,)), LAST)

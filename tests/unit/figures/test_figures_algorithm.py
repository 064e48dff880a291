"""The pictures of the Algorithm screen hold what the engine knows, and no more than the line allows."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from rtp import PRESETS
from rtp.algorithm1 import ModelStep, all_states
from rtp.figures.algorithm import DIRECTIONS, HOUSE_COLOURS, beliefs_figure, noise_figure, states_figure
from rtp.figures.style import GREY
from rtp.teaching.lines import LAST, LineNumber, occupied_probabilities, rate_text
from rtp.teaching.stage import HouseChange, Stage, open_stage, small_street
from tests.unit.figures.look import axis_titles, traces

ASLEEP = HouseChange(away=frozenset({3}))
T = 8


def street(houses: int, known: tuple[int, ...] = ()) -> Stage:
    return open_stage(small_street(PRESETS["paper"], houses), dict.fromkeys(known, ASLEEP))


def own(stage: Stage) -> ModelStep:
    return stage.at(T).models[0]


def labels(figure: go.Figure) -> set[str]:
    return {
        t.strip("</b>") for trace in figure.data if trace.text is not None for t in trace.text if "<b>" in t
    }


@pytest.mark.parametrize("houses", [2, 3, 4, 5])
@pytest.mark.parametrize("known", [(), (0,), (0, 1)])
def test_the_cube_shows_states_pairs_and_protected_houses(houses: int, known: tuple[int, ...]) -> None:
    taught = street(houses, known)
    step = own(taught)
    figure = states_figure(taught, step, LAST).figure
    for h in range(houses):
        edges = traces(figure, f"House {h}")
        pairs = [pair for pair in step.neighbours if pair[2] == h]
        assert len(edges) == (1 if pairs else 0)
        if edges:
            assert len(edges[0].x) == 3 * len(pairs)
            assert edges[0].line.color == HOUSE_COLOURS[h]
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


def test_the_largest_cube_names_only_its_ends_outside_of_them() -> None:
    taught = street(5)
    (corners,) = [
        t for t in states_figure(taught, own(taught), LAST).traces if "colorscale" in t.get("marker", {})
    ]
    assert corners["text"] == ["00000", *[""] * 30, "11111"]
    assert corners["textposition"] == [*["bottom center"] * 31, "top center"]


def test_nothing_is_shown_before_its_line() -> None:
    taught = street(4, (0,))
    step = own(taught)
    unknown, words = states_figure(taught, step, LineNumber.PRIOR - 1)
    assert not [t for t in unknown.data if t.type == "scatter" and t.marker.colorscale]
    assert words == "Hypercube of 16 joint states of 4 houses; no probabilities yet."
    assert "impossible" not in str(states_figure(taught, step, LineNumber.POSSIBLE - 1).figure.to_dict())
    early = states_figure(taught, step, LineNumber.NEIGHBOURS - 1).figure
    assert not [trace for trace in early.data if trace.line.width == 3]
    assert not labels(states_figure(taught, step, LineNumber.PROTECTED - 1).figure)
    before = states_figure(taught, step, LAST - 2).figure
    colours = next(t for t in before.data if t.marker.colorscale).marker.color
    np.testing.assert_array_equal(colours, step.prior[step.possible])
    figure, words = noise_figure(taught, T, LineNumber.OPTIMAL - 1)
    assert not figure.data
    assert words == "The noise: not drawn yet."
    assert len(noise_figure(taught, T, LineNumber.OPTIMAL).figure.data) == 1
    figure, words = beliefs_figure(taught, step, LineNumber.PRIOR)
    assert [x for x in traces(figure, "Posterior")[0].x if x is not None] == []
    assert " to " not in words
    assert "not known yet" in beliefs_figure(taught, step, LineNumber.PRIOR - 1).words


def test_beliefs_are_the_engines() -> None:
    taught = street(4, (1,))
    step = own(taught)
    figure, words = beliefs_figure(taught, step, LAST)
    before, after = occupied_probabilities(step.prior), occupied_probabilities(step.posterior)
    np.testing.assert_array_equal(traces(figure, "Prior")[0].x, before)
    np.testing.assert_array_equal(traces(figure, "Posterior")[0].x, after)
    moves = np.reshape(figure.data[0].x, (-1, 3))
    np.testing.assert_array_equal(moves[:, :2], np.column_stack([before, after]))
    assert [c == GREY for c in traces(figure, "Posterior")[0].marker.color] == [False, True, False, False]
    bounds = [f"{h} · {bound:.3g}" for h, bound in enumerate(taught.street.bound)]
    assert list(traces(figure, "Prior")[0].y) == [bounds[0], f"{bounds[1]} · sure", *bounds[2:]]
    assert axis_titles(figure) == {"xaxis": "Pr[occupied]", "yaxis": "House · bound"}
    assert words.startswith(
        f"Pr[occupied] before and after the rate: house 0 {before[0]:.2f} to {after[0]:.2f}, "
    )


def test_noise_and_rates_are_the_engines() -> None:
    taught = street(4, (1,))
    step = taught.at(T)
    figure, words = noise_figure(taught, T, LAST)
    curve, optimal, published = figure.data
    assert np.trapezoid(curve.y, curve.x) == pytest.approx(1 - np.exp(-6), abs=2e-3)
    assert curve.y.max() == pytest.approx(1 / (2 * step.scale))
    assert list(optimal.x) == [taught.release.optimal[T]] * 2
    assert list(published.x) == [step.published] * 2
    assert [t.name for t in figure.data] == [
        f"Lap({step.scale:.4g})",
        f"Optimal {rate_text(float(taught.release.optimal[T]))}",
        f"Published {rate_text(step.published)}",
    ]
    assert axis_titles(figure) == {"xaxis": "Rate", "yaxis": "Density"}
    assert words == (
        f"Optimal rate {rate_text(float(taught.release.optimal[T]))}, Laplace density of scale "
        f"{step.scale:.4g} around it, published rate {rate_text(step.published)}."
    )
    exact = street(2, (0, 1))
    assert len(noise_figure(exact, T, LAST).figure.data) == 2, "no density where there is no noise"


@pytest.mark.parametrize(("scale", "off", "reach"), [(0.5, 2.0, 3.0), (0.5, 20.0, 22.0), (0.0, 0.0, 1.0)])
def test_the_noise_and_what_it_did_are_both_in_the_picture(scale: float, off: float, reach: float) -> None:
    taught = street(2)
    optimal = float(taught.release.optimal[T])
    step = replace(taught.at(T), scale=scale, published=optimal - off)
    drawn = noise_figure(replace(taught, done=[*taught.done[:T], step]), T, LAST)
    height = 1 / (2 * scale) if scale else 1.0
    assert drawn.layout["xaxis"]["range"] == pytest.approx([optimal - reach, optimal + reach])
    assert drawn.layout["yaxis"]["range"] == pytest.approx([0, 1.08 * height])
    assert drawn.layout["yaxis"]["showticklabels"] == (scale > 0)
    assert len(drawn.traces) == (3 if scale else 2), "no density where there is no noise"


def test_the_true_state_is_marked_only_when_asked() -> None:
    taught = street(4)
    assert not traces(states_figure(taught, own(taught), LAST).figure, "The true state")
    at = all_states(4) @ np.array(DIRECTIONS[4])
    star = traces(states_figure(taught, own(taught), LAST, truth=5).figure, "The true state")[0]
    assert (star.x[0], star.y[0]) == tuple(at[5])


def test_the_words_name_the_likeliest_states_and_who_is_protected() -> None:
    taught = street(4, (1,))
    step = own(taught)
    words = states_figure(taught, step, LAST).words
    best = int(step.posterior.argmax())
    assert words.startswith("Hypercube of 16 joint states of 4 houses, 8 of them possible. ")
    assert f"Likeliest by posterior: {best:04b} {step.posterior[best]:.3f}, " in words
    assert words.endswith("12 edges join possible states; protected: houses 0, 2 and 3.")


def test_of_equally_likely_states_none_is_called_the_likeliest() -> None:
    taught = street(4)
    even = replace(own(taught), log_prior=np.full(16, -np.log(16)))
    assert states_figure(taught, even, LineNumber.PROTECTED).words == (
        "Hypercube of 16 joint states of 4 houses, 16 of them possible. 16 states are equally likely by "
        "prior, with 0.062 each. 32 edges join possible states; protected: houses 0, 1, 2 and 3."
    )
    three = np.log(np.array([0.3, 0.3, 0.3, *np.full(13, 0.1 / 13)]))
    words = states_figure(taught, replace(even, log_prior=three), LineNumber.PROTECTED).words
    assert "Likeliest by prior: 0000 0.300, 0001 0.300, 0010 0.300. " in words

"""The Households screen's figures hold the street's own numbers."""

import numpy as np
import pytest

from rtp import PRESETS, simulate
from rtp.figures import style
from rtp.figures.households import (
    bounds_figure,
    habits_figure,
    models_figure,
    occupancy_figure,
    period_names,
    state_diagram,
)
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.simulation import Day
from rtp.street.simulate import replay_houses
from tests.unit.figures.look import axis_titles, hours, hovers, panel_titles, trace, traces


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(PRESETS["unsure curator"].replace(households=60))


def test_occupancy_stripes_and_protected_houses_stand_on_one_clock(day: Day) -> None:
    houses = np.arange(0, 60, 10)
    states, _ = replay_houses(day.street_day.spec, day.street, houses.tolist())
    protected = day.street_day.support_classes.both_states_possible[0] @ day.street_day.support_classes.count
    habits = day.scenario.models[1].habits[0]
    figure, words = occupancy_figure(day, houses, states, protected, None, habits)
    assert trace(figure, "Expected").y.tolist() == day.expected_occupancy.tolist()
    assert trace(figure, "Simulated").y.tolist() == day.occupancy.tolist()
    assert hours(figure, "Simulated") == day.hours.tolist()
    assert trace(figure, "Protected houses").y.tolist() == protected.tolist()
    (stripes,) = [t for t in figure.data if t.type == "heatmap"]
    np.testing.assert_array_equal(stripes.z, states.T)
    assert list(stripes.y) == [f"House {h}" for h in houses]
    assert not traces(figure, "Published, Figure 2a")
    assert hovers(figure) == {"%{y:.3f}", "%{y:,d}", "%{y}: %{z:d}<extra></extra>"}
    assert panel_titles(figure) == [
        "Mean occupancy",
        "6 single households (filled: occupied)",
        "Protected houses under this model",
    ]
    assert axis_titles(figure) == {"xaxis": "Time of day"}
    assert {s.yref for s in figure.layout.shapes} == {"y domain", "y3 domain"}, "the stripes are not shaded"
    named = {note.text for note in figure.layout.annotations if not note.text.startswith("<b>")}
    assert named == {part.name for part in habits.periods}
    assert words == (
        "Mean occupancy over the day, 6 single households, and the number of protected houses, between "
        f"{protected.min()} and {protected.max()}."
    )


def test_a_published_curve_is_drawn_where_it_is_given(day: Day) -> None:
    houses, given = np.array([3]), (np.array([0.0, 0.25, 12.0]), np.array([0.2, 0.3, 0.4]))
    states, _ = replay_houses(day.street_day.spec, day.street, houses.tolist())
    figure = occupancy_figure(day, houses, states, np.zeros(96, dtype=np.intp), given).figure
    assert trace(figure, "Published, Figure 2a").y.tolist() == [0.2, 0.3, 0.4]
    assert hours(figure, "Published, Figure 2a") == [0.0, 0.25, 12.0]


def test_personal_habits_scatter_around_the_stated_ones(day: Day) -> None:
    spec = day.street_day.spec
    leave, arrive = spec.transition_probabilities(day.street, 0, spec.blocks[0])
    names = ["Morning", "Noon", "Evening", "Night"]
    schedule = spec.schedules[0][0]
    figure, words = habits_figure(schedule, names, leave, arrive)
    for title, drawn, stated in (("Arrive", arrive, schedule.arrive), ("Leave", leave, schedule.leave)):
        boxes = trace(figure, title)
        for period, own in zip(names, drawn, strict=True):
            assert boxes.y[np.array(boxes.x) == period].tolist() == own.tolist()
        assert trace(figure, f"{title}, as stated").y.tolist() == stated.tolist()
    assert axis_titles(figure) == {"xaxis": "Period", "yaxis": "Chance per step"}
    assert words == "How personal chances to leave and arrive scatter around the stated ones, by period."


def test_periods_of_the_weekend_are_marked() -> None:
    habits = PRESETS["paper"].models[0].habits[0]
    names = ["Morning", "Noon", "Evening", "Night"]
    assert period_names(habits) == names
    free = habits.replace(weekend=habits.periods[2:])
    assert period_names(free) == [*names, "Evening, weekend", "Night, weekend"]


def test_bars_count_every_house_and_mark_the_noise_setting_one() -> None:
    street = simulate(PRESETS["mixed street"].replace(households=200))
    figure, words = bounds_figure(street, 7)
    for g, group in enumerate(street.scenario.groups):
        bars = trace(figure, group.name)
        assert bars.y.sum() == (street.street.group == g).sum()
        low, high = bars.x - bars.width / 2, bars.x + bars.width / 2
        bounds = street.street.bound[street.street.group == g][:, None]
        within = ((bounds >= low) & (bounds < high)).sum(axis=0)
        # A bound that lies on an edge within rounding may be counted on either side of it.
        assert np.abs(within - bars.y).sum() <= (np.abs(bounds - low) < 1e-12).sum()
    (line,) = figure.layout.shapes
    assert line.x0 == line.x1 == street.street.bound[7]
    assert [note.text for note in figure.layout.annotations] == ["house 7 sets the noise"]
    assert not bounds_figure(street, -1).figure.layout.shapes
    assert bounds_figure(street, 0).layout["shapes"][0]["x0"] == street.street.bound[0]
    assert axis_titles(figure) == {"xaxis": "A house's bound, the larger of its two", "yaxis": "Houses"}
    assert hovers(figure) == {"%{y} houses near %{x:.3f}"}
    assert words == "Histogram of the houses' bounds by group."


def test_each_models_sensitivity_is_drawn_and_the_largest_marked(day: Day) -> None:
    sensitivity = sensitivity_by_model(day.market.public)
    figure, words = models_figure(day.scenario, day.hours, sensitivity)
    assert len(day.scenario.models) > 1
    for model, own in zip(day.scenario.models, sensitivity, strict=True):
        assert trace(figure, model.name).y.tolist() == own.tolist()
    assert trace(figure, "Sets the noise").y.tolist() == sensitivity.max(axis=0).tolist()
    looks = {(t.line.color, t.line.dash) for t in figure.data}
    assert len(looks) == len(figure.data)
    assert list(figure.layout.yaxis.range) == [0, 1.2 * sensitivity.max()]
    assert models_figure(day.scenario, day.hours, 0 * sensitivity).layout["yaxis"]["range"] == [0, 1.2]
    assert axis_titles(figure) == {"xaxis": "Time of day", "yaxis": "Sensitivity λ"}
    assert words == "Sensitivity of each model over the day; the largest sets the noise."
    assert hovers(figure) == {"%{y:.3f}"}
    assert {t.line.shape for t in figure.data} == {"hv"}


def test_arrows_are_as_wide_as_their_probabilities() -> None:
    svg, words = state_diagram(((0.75, 0.25), (1.0, 0.0)))
    assert svg.count("stroke-dasharray") == 1  # what cannot happen
    assert 'stroke-width="3.00"' in svg  # a quarter of the way from 1 to 9
    assert 'stroke-width="9.00"' in svg
    assert svg.count(f'stroke="{style.GREY}"') == 1
    assert [f">{chance}<" in svg for chance in ("0.75", "0.25", "1", "0")] == [True] * 4
    assert words == "State diagram: chance to arrive 0.25, to leave 1."

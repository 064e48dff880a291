"""The day over time: every curve is the day's own, and the words say its numbers."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.core.formatting import percent, plain
from rtp.figures import style
from rtp.figures.day import ALIKE, OUTER_WIDTH, VIEWS, coinciding, day_figure, flat_words
from rtp.figures.daytime import DIFFER, periods
from rtp.figures.style import PinMark
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.scenario import edit
from rtp.simulation import Day
from tests.unit.figures.look import axis_titles, hours, hovers, panel_titles, trace, traces

EVERYONE = list(REGISTRY)
SOME = [UNPROTECTED, "naive", FEATURED]
NOISY = [name for name in EVERYONE if REGISTRY[name].adds_noise]


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(PRESETS["mansions"].replace(households=60))


@pytest.fixture(scope="module")
def other() -> Day:
    return simulate(PRESETS["mansions"].replace(households=60, seed=8))


def values(figure: go.Figure, axis: str, name: str) -> list[float]:
    """The values of the trace of that name on that axis."""
    (found,) = [t for t in traces(figure, name) if (t.yaxis or "y") == axis and not t.fill]
    return [float(value) for value in found.y]


def test_the_panels_and_the_clock_have_their_titles(day: Day) -> None:
    assert VIEWS == ("Rates", "Error")
    rates, errors = (day_figure(day, SOME, view).figure for view in VIEWS)
    below = ["Noise scale", "Protected houses", "Mean occupancy", "Mean consumption"]
    assert panel_titles(rates) == ["Rate", *below]
    assert panel_titles(errors) == ["Published − optimal rate, ± the noise scale", *below]
    assert axis_titles(rates) == axis_titles(errors) == {"xaxis": "Time of day"}
    tops = [rates.layout[f"yaxis{k}"].domain[1] for k in ("", 2, 3, 4, 5)]
    bottoms = [rates.layout[f"yaxis{k}"].domain[0] for k in ("", 2, 3, 4, 5)]
    assert tops[0] == 1.0
    assert bottoms[-1] == pytest.approx(0.0, abs=1e-12)
    gaps = np.subtract(bottoms[:-1], tops[1:])
    np.testing.assert_allclose(gaps, gaps[0])
    assert gaps[0] > 0


def test_flat_noise_folds_away_and_says_its_numbers(day: Day) -> None:
    assert flat_words(day, SOME) == ""
    flat = simulate(Scenario(households=40))
    figure = day_figure(flat, SOME).figure
    assert panel_titles(figure)[1:] == ["Mean occupancy", "Mean consumption"]
    assert "yaxis4" not in figure.layout
    assert values(figure, "y2", "Simulated") == flat.occupancy.tolist()
    scale = flat.release[FEATURED].scale[0]
    assert flat_words(flat, SOME) == (
        f"Noise scale and protected houses never change here: Naive 2, Blowfish {plain(scale, 4)}; "
        "40 of 40 houses protected."
    )
    more = replace(flat.release["naive"], protected=np.arange(96))
    moved = replace(flat, release=dict(flat.release) | {"naive": more})
    assert flat_words(moved, SOME) == "", "who is protected changes, if not the noise"
    few = replace(flat.release["naive"], protected=np.full(96, 7))
    kept = replace(flat, release=dict(flat.release) | {"naive": few})
    assert flat_words(kept, SOME).partition("; ")[2] == "7 or 40 of 40 houses protected."
    assert len(panel_titles(day_figure(flat, SOME, "Rates", {TIGHT: flat}).figure)) == 5, "to compare with"
    assert flat_words(flat, SOME, {TIGHT: flat}) == "", "every panel is drawn"
    assert flat_words(flat, [UNPROTECTED]) == ""


def test_rates_that_coincide_are_named_and_drawn_inside_each_other(day: Day) -> None:
    assert coinciding(day, SOME) == []
    alike = simulate(Scenario(households=1000))
    assert coinciding(alike, SOME) == [["naive", FEATURED]]
    assert coinciding(alike, []) == []
    drawn = day_figure(alike, SOME)
    assert panel_titles(drawn.figure)[0] == "Rate · Naive and Blowfish coincide"
    assert "Naive and Blowfish coincide. " in drawn.words
    outer, inner = (next(iter(traces(drawn.figure, name))) for name in ("Naive", "Blowfish"))
    assert outer.line.width > 2 * inner.line.width


@pytest.mark.parametrize(("share", "found"), [(0.9 * ALIKE, [[UNPROTECTED, "naive"]]), (1.2 * ALIKE, [])])
def test_alike_is_a_twohundredth_of_the_range(day: Day, share: float, found: list[list[str]]) -> None:
    rate = day.release[UNPROTECTED].rate
    moved = rate + np.where(np.arange(len(rate)) == 40, share * np.ptp(rate), 0.0)
    release = dict(day.release) | {"naive": replace(day.release["naive"], rate=moved)}
    assert ALIKE == 1 / 200
    assert coinciding(replace(day, release=release), [UNPROTECTED, "naive"]) == found


def test_flat_rates_coincide_where_they_are_the_same(day: Day) -> None:
    flat = {name: replace(day.release[name], rate=np.full(96, 2.0)) for name in SOME}
    alike = replace(day, release=dict(day.release) | flat)
    assert coinciding(alike, SOME) == [SOME]
    drawn = [t for t in day_figure(alike, SOME).traces if t.get("yaxis", "y") == "y"]
    assert [t["line"]["width"] for t in drawn] == [OUTER_WIDTH, OUTER_WIDTH, 2], "the last inside the others"


@pytest.mark.parametrize(("largest", "decimals"), [(0.0, 2), (0.05, 5), (0.5, 4), (1.0, 2), (30.0, 2)])
def test_small_rates_have_more_decimals(day: Day, largest: float, decimals: int) -> None:
    rate = replace(day.release[UNPROTECTED], rate=np.linspace(-largest, 0, 96))
    drawn = day_figure(replace(day, release=dict(day.release) | {UNPROTECTED: rate}), [UNPROTECTED]).traces
    assert drawn[0]["hovertemplate"] == f"%{{y:.{decimals}f}}"


def test_several_days_lie_over_each_other_in_their_band() -> None:
    days = simulate(Scenario(households=40, days=8))
    figure = day_figure(days, SOME, "Error").figure
    assert panel_titles(figure)[0] == (
        "Published − optimal rate, ± the noise scale, 8 days over each other: mean, lowest, highest"
    )
    by_day = (days.release[FEATURED].rate - days.release[FEATURED].optimal).reshape(8, -1)
    assert values(figure, "y", "Blowfish") == by_day.mean(axis=0).tolist()
    bands = [t for t in figure.data if t.fill and t.legendgroup == FEATURED and (t.yaxis or "y") == "y"]
    assert [*by_day.max(axis=0), *by_day.min(axis=0)[::-1]] in [band.y.tolist() for band in bands]
    assert hours(figure, "Blowfish") == days.hours[:96].tolist()
    assert figure.layout.xaxis.range[1].startswith("2001-01-02")
    assert day_figure(days, SOME).words.startswith("Charts over 8 days, drawn over each other.")
    pinned = day_figure(days, SOME, "Rates", {TIGHT: days}).figure
    assert (trace(pinned, "Tight").x, trace(pinned, "Tight").y) == ((None,), (None,)), "of the legend"
    assert len(values(pinned, "y", "Tight: Blowfish")) == 96


def test_a_week_stands_side_by_side_and_folded_weekends_unshaded() -> None:
    week = day_figure(simulate(Scenario(households=9, days=7)), SOME)
    assert len(values(week.figure, "y", "Blowfish")) == 7 * 96
    assert week.words.startswith("Charts over 7 days. ")
    habits = Scenario().models[0].habits[0]
    free = Scenario().models[0].replace(habits=(habits.replace(weekend=habits.periods),))
    folded = day_figure(simulate(Scenario(households=9, days=8, models=(free,))), SOME).figure
    assert not folded.layout.shapes


def test_elastic_demand_is_shown_under_each_rate() -> None:
    elastic = simulate(PRESETS["elastic demand"].replace(households=40, inelastic_demand=3.0))
    figure = day_figure(elastic, SOME).figure
    assert panel_titles(figure)[-1].endswith("and under each rate")
    used = (elastic.release[FEATURED].demand - 3.0) / 40
    assert values(figure, "y3", "Blowfish") == used.tolist()
    assert not np.allclose(used, elastic.release["optimal"].demand / 40)


def test_periods_are_shaded_where_all_groups_keep_the_same_hours(day: Day) -> None:
    assert len(day.scenario.groups) == 2
    mixed = day_figure(day, SOME).figure
    assert not mixed.layout.shapes
    assert [note.text for note in mixed.layout.annotations if not note.text.startswith("<b>")] == [DIFFER]
    shapes, names = periods(day.scenario, ["y"], day.scenario.models[0].habits[0])
    assert [name["text"] for name in names] == ["Night", "Morning", "Away", "Evening"]
    assert len(shapes) == 5
    alike = Scenario(households=40)
    two = edit.add_group(alike)
    assert periods(two, ["y"]) == periods(alike, ["y"]) != ([], [])


@pytest.mark.parametrize("view", VIEWS)
def test_the_first_panel_has_room_for_names_above_its_curves(day: Day, other: Day, view: str) -> None:
    pins = {PinMark("Then", "#123456"): other}
    for figure in (day_figure(day, SOME, view).figure, day_figure(day, SOME, view, pins).figure):
        first = np.concatenate([t.y for t in figure.data if (t.yaxis or "y") == "y" and t.y[0] is not None])
        high, low = first.max(), first.min()
        assert figure.layout.yaxis.autorangeoptions.include == pytest.approx(high + 22 / 228 * (high - low))
    assert day_figure(day, [], view).figure.layout.yaxis.autorangeoptions.include is None
    crowded = day_figure(simulate(PRESETS["real habits"].replace(households=5, days=1)), SOME, view).figure
    first = np.concatenate([t.y for t in crowded.data if (t.yaxis or "y") == "y"])
    room = crowded.layout.yaxis.autorangeoptions.include - first.max()
    assert {note.yshift for note in crowded.layout.annotations} == {None, 0, -13, -26}
    assert room == pytest.approx(48 / 202 * np.ptp(first))


def test_every_curve_is_the_days(day: Day) -> None:
    figure = day_figure(day, EVERYONE).figure
    assert hovers(figure) == {"%{y:.2f}", "%{y:.3f}", "%{y:,d}"}
    assert hours(figure, style.label(UNPROTECTED)) == day.hours.tolist()
    for name in EVERYONE:
        assert values(figure, "y", style.label(name)) == day.release[name].rate.tolist()
    for name in NOISY:
        assert values(figure, "y2", style.label(name)) == day.release[name].scale.tolist()
    sets = {t.name for t in figure.data if t.yaxis == "y3"}
    assert len(sets) == len({REGISTRY[name].protects for name in NOISY}), "one line per set of houses"
    assert values(figure, "y3", style.label(FEATURED)) == day.release[FEATURED].protected.tolist()
    assert values(figure, "y4", "Simulated") == day.occupancy.tolist()
    assert values(figure, "y4", "Expected") == day.expected_occupancy.tolist()
    assert values(figure, "y5", "Simulated") == day.consumption.tolist()
    expected = day.street_day.true_moments.expected_demand / day.scenario.households
    assert values(figure, "y5", "Expected") == expected.tolist()


def test_an_error_lies_in_the_band_of_the_noise_scale(day: Day) -> None:
    figure = day_figure(day, EVERYONE, "Error").figure
    assert hovers(figure) == {"%{y:+.3f}", "%{y:.3f}", "%{y:,d}"}
    assert not [t for t in traces(figure, style.label(UNPROTECTED)) if t.yaxis in (None, "y")]
    for name in NOISY:
        release = day.release[name]
        assert values(figure, "y", style.label(name)) == (release.rate - release.optimal).tolist()
    bands = {t.legendgroup: t for t in figure.data if t.fill}
    assert set(bands) == {name for name in EVERYONE if day.release[name].scale.any()}
    for name, band in bands.items():
        scale = day.release[name].scale
        assert band.y.tolist() == [*scale, *-scale[::-1]]


TIGHT, LOOSE = PinMark("Tight", style.PIN_COLOURS[0]), PinMark("Loose", style.PIN_COLOURS[1])


def test_pinned_days_are_dotted_and_once_in_the_legend(day: Day, other: Day) -> None:
    alone = day_figure(day, EVERYONE).figure
    both = day_figure(day, EVERYONE, "Rates", {TIGHT: other, LOOSE: day}).figure
    assert len(both.data) == len(alone.data) + 2 * (1 + len(alone.data) - 3)  # no optimal, no expected means
    for pin, theirs in ((TIGHT, other), (LOOSE, day)):
        drawn = [t for t in both.data if t.legendgroup == f"pin {pin.name}"]
        assert {(t.line.dash, t.line.color) for t in drawn} == {(style.PINNED_DASH, pin.colour)}
        assert [t.name for t in drawn if t.showlegend] == [pin.name]
        name = f"{pin.name}: {style.label(FEATURED)}"
        assert values(both, "y", name) == theirs.release[FEATURED].rate.tolist()
        assert values(both, "y4", f"{pin.name}: Simulated") == theirs.occupancy.tolist()
    assert values(both, "y", style.label(FEATURED)) == day.release[FEATURED].rate.tolist()
    assert day_figure(day, EVERYONE, "Rates", {TIGHT: other}).words.endswith(" Dotted: Tight.")


def test_a_pinned_day_is_only_drawn_where_the_clocks_agree(day: Day) -> None:
    longer = simulate(day.scenario.replace(days=2))
    pinned, alone = day_figure(day, EVERYONE, "Rates", {TIGHT: longer}), day_figure(day, EVERYONE)
    assert pinned.figure == alone.figure
    assert pinned.words == alone.words


def test_the_words_say_the_days_numbers(day: Day) -> None:
    words = day_figure(day, ["optimal", "naive"], "Error").words
    noise = day.release[FEATURED]
    assert words == (
        f"Charts over the day. Error of Optimal, Naive. Error in a typical step: Naive "
        f"{percent(day.release['naive'].error)}. "
        f"Blowfish noise scale between {noise.scale.min():.3g} and {noise.scale.max():.3g}, protecting "
        f"{noise.protected.min()} to {noise.protected.max()} houses. Mean occupancy between "
        f"{day.occupancy.min():.2f} and {day.occupancy.max():.2f}; mean consumption between "
        f"{day.consumption.min():.3f} and {day.consumption.max():.3f}."
    )
    assert "Error in a typical step: none." in day_figure(day, ["optimal"]).words

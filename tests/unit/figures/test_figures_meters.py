"""The pictures of meter readings, and the sentences beside them."""

from dataclasses import replace

import numpy as np
import pytest

import rtp
from rtp.figures.meters import (
    GIVEN_NAME,
    GUESS_NAME,
    average_days_figure,
    bills_figure,
    decoded_figure,
    feeder_figure,
    observed_figure,
    profile_figure,
    replay_figure,
    use_distributions_figure,
)
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.meters import Learned, Readings, learn, replay, watch
from rtp.meters.learned import laws_by_group
from rtp.meters.learning import decode
from rtp.meters.sample import NAME, SCENARIO, sample
from rtp.output.meters import chances_frame, findings_frame, held_out_frame
from tests.unit.meters.streets import as_readings, known_street


@pytest.fixture(scope="module")
def readings() -> Readings:
    return known_street(5, 21, 60, 4, empty_share=(0.05, 0.1)).readings


@pytest.fixture(scope="module")
def learned(readings: Readings) -> Learned:
    return learn(readings, resamples=1)


def test_the_feeders_days_are_the_mean_of_known_readings(readings: Readings) -> None:
    power = readings.power.copy()
    power[0, :5] = np.nan
    power[:, 7] = np.nan
    figure, words = feeder_figure(replace(readings, power=power))
    shown = np.array(figure.data[0].z, dtype=float)
    np.testing.assert_allclose(shown[0, :5], power[1:, :5].mean(axis=0), rtol=1e-5)
    assert np.isnan(shown[0, 7])
    most = np.nanmax(shown)
    assert words == f"Mean use of a house at every time of 21 days, at most {most:.2f} kilowatts."
    assert list(figure.data[0].x) == list(range(24))


def test_the_mean_of_one_house_is_its_own_use() -> None:
    alone = as_readings(np.linspace(1, 2, 48)[None], 60)
    np.testing.assert_allclose(feeder_figure(alone).traces[0]["z"], alone.power.reshape(2, 24))


def test_only_the_last_of_many_days_and_the_first_of_many_houses_are_drawn(
    readings: Readings, learned: Learned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rtp.figures.meters._MAX_DAYS", 2)
    days, houses = feeder_figure(readings), average_days_figure(readings, learned)
    assert days.traces[0]["y"] == ["2024-05-25", "2024-05-26"]
    np.testing.assert_allclose(
        days.traces[0]["z"], readings.power[:, -48:].mean(axis=0).reshape(2, 24), rtol=1e-5
    )
    assert len(houses.traces[0]["y"]) == 2


def test_a_row_of_an_average_day_is_as_high_as_a_line_of_type(
    readings: Readings, learned: Learned, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert average_days_figure(readings, learned).layout["height"] == 310, "at least"
    monkeypatch.setattr("rtp.figures.meters._FEEDER_HEIGHT", 100)
    assert average_days_figure(readings, learned).layout["height"] == 90 + 16 * 5
    monkeypatch.setattr("rtp.figures.meters._TALLEST", 150)
    assert average_days_figure(readings, learned).layout["height"] == 150


def test_average_days_of_one_verdict_stand_together(readings: Readings, learned: Learned) -> None:
    told = np.array([True, False, True, False, True])
    judged = learned.houses.held_out._replace(separable=told)
    torn = replace(learned, houses=replace(learned.houses, held_out=judged))
    one, other = (torn.verdicts[house] for house in (0, 1))
    drawn = average_days_figure(readings, torn)
    counts = [f"3 {one}", f"2 {other}"] if one < other else [f"2 {other}", f"3 {one}"]
    assert drawn.words == f"The average day of 5 houses, by verdict: {', '.join(counts)}."
    order = sorted(range(5), key=lambda house: (one, other)[house % 2])
    assert drawn.traces[0]["y"] == [f"h{house}" for house in order]


def test_a_house_without_use_has_a_day_of_nothing(readings: Readings, learned: Learned) -> None:
    silent = replace(learned, houses=replace(learned.houses, used=np.zeros_like(learned.houses.used)))
    assert (average_days_figure(readings, silent).traces[0]["z"] == 0).all()


@pytest.mark.slow
def test_fitted_days_stand_beside_read_ones_and_are_near_them(learned: Learned) -> None:
    figure, words = profile_figure(learned)
    read, fitted = (np.array(trace.y) for trace in figure.data)
    np.testing.assert_allclose(read, learned.houses.used.mean(axis=1))
    assert np.abs(read - fitted).max() < 0.1
    assert "as read and as the model fits it" in words


def test_a_guess_is_drawn_for_one_house(readings: Readings, learned: Learned) -> None:
    power, chance = decode(readings, learned, 2)
    figure, words = decoded_figure(power, chance, readings.first_day, 60, "h2")
    np.testing.assert_allclose(figure.data[1].y, chance)
    assert figure.data[0].x[0] == np.datetime64("2024-05-06T00:00")
    assert "guessed occupancy" in words


def test_rates_of_a_replay_are_drawn_on_its_clock(readings: Readings) -> None:
    found = replay(readings, rtp.Scenario(), first=3, days=2)
    figure, _ = replay_figure(found, ["blowfish", "optimal"])
    assert [trace.name for trace in figure.data] == ["Blowfish", "Optimal"]
    np.testing.assert_allclose(figure.data[0].y, found.rate("blowfish"))
    assert str(figure.data[0].x[0])[:10] == "2024-05-09"


def test_tables_say_the_chances_and_the_models(learned: Learned) -> None:
    chances = chances_frame(learned)
    noon = 1 - (1 - learned.groups[0].leave.value[1]) ** 8
    assert chances["Leaves"].iloc[1].startswith(f"{noon:.1%} (")
    judged = learned.houses.held_out
    gain = np.exp((judged.two_states - judged.one_state).sum() / judged.readings.sum()) - 1
    assert held_out_frame(learned).iloc[0, 1] == f"{gain:+.1%}"


def test_the_sample_is_what_it_says() -> None:
    """Drawn from its scenario, with the flaws that its report tells."""
    found = sample()
    assert "no real houses" in NAME
    assert (len(found.houses), found.days, found.minutes) == (SCENARIO.households, SCENARIO.days, 15)
    assert [finding.what for finding in found.findings] == ["clock", "gaps", "dead"]
    assert len(findings_frame(found)) == 3


def test_an_observers_beliefs_stand_before_who_was_at_home(readings: Readings, learned: Learned) -> None:
    scenario = learned.scenario(rtp.Scenario(), 1.0, 0.1)
    found = watch(replay(readings, scenario, learned, days=1), "h3", mechanisms=[UNPROTECTED, FEATURED])
    figure, words = observed_figure(found)
    home, alone, *pairs = figure.data
    assert home.name == GUESS_NAME
    np.testing.assert_array_equal(home.y, found.occupied)
    np.testing.assert_array_equal(alone.y, found.seen[FEATURED].model_only[:, 0])
    for name, belief, leak in zip(found.seen, pairs[::2], pairs[1::2], strict=True):
        np.testing.assert_array_equal(belief.y, found.seen[name].belief[:, 0])
        np.testing.assert_allclose(leak.y, found.leak[name].whole)
    legend = [trace.name for trace in figure.data if trace.showlegend is not False]
    assert len(legend) == 2 + len(found.seen), "a leak has its belief's colour and no line of its own"
    assert home.x[0] == np.datetime64("2024-05-06T00:00")
    assert "h3" in words
    assert observed_figure(replace(found, given=True)).figure.data[0].name == GIVEN_NAME


def test_laws_are_drawn_as_shares_up_to_any_power(learned: Learned) -> None:
    law = laws_by_group(learned)["Group A"]
    figure, words = use_distributions_figure({"Group A": law})
    occupied, empty = figure.data
    np.testing.assert_array_equal(occupied.x, law.edges)
    np.testing.assert_allclose(np.diff(occupied.y), law.occupied)
    np.testing.assert_allclose(np.diff(empty.y), law.empty)
    assert (empty.name, empty.line.dash) == ("Group A, empty", "dash")
    half = np.interp(0.5, np.cumsum([0, *law.empty]), law.edges)
    assert f"Group A while empty, half of the time at most {half:.2g} kilowatts" in words


def test_each_houses_bill_is_a_point() -> None:
    found = replay(as_readings(np.array([[1.0] * 24, [2.0] * 24]), 60), rtp.Scenario())
    picture = bills_figure(found, [UNPROTECTED, FEATURED])
    (points,) = picture.traces
    assert list(points["customdata"]) == ["h0", "h1"]
    np.testing.assert_allclose(points["x"], found.paid[UNPROTECTED])
    np.testing.assert_allclose(points["y"], found.bill_change(FEATURED) / found.paid[UNPROTECTED])
    low, high = points["y"].min(), points["y"].max()
    assert picture.words == (
        f"Bills of 2 houses and their change: Blowfish from {low:+z.2%} to {high:+z.2%}."
    )
    assert bills_figure(found, [UNPROTECTED]).words == (
        "Bills of 2 houses and their change: no rate but the optimal one is shown."
    )

"""The pictures of what rates tell over time, and their words."""

import numpy as np
import pytest

from rtp import PRESETS, Day, simulate
from rtp.core.formatting import percent, plain
from rtp.figures.leakage import (
    composition_figure,
    crowd_figure,
    detection_figure,
    moment_figure,
    price_figure,
)
from rtp.leakage.budget import price_of_a_moment
from rtp.leakage.composition import compositions
from rtp.leakage.crowd import noise_still_needed
from rtp.leakage.detection import detect_daily
from rtp.leakage.moment import giveaway, moment_leakage
from rtp.leakage.words import crowd_words, moment_words, surest
from rtp.mechanisms import REGISTRY


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(PRESETS["tiny street"])


def test_the_moment_is_drawn_with_what_each_rate_adds(day: Day) -> None:
    found = moment_leakage(day, "blowfish")
    house = int(found.house[found.step])
    gives = giveaway(day, "blowfish", house, found.step)
    figure, words = moment_figure(day, found, found.step, gives)
    np.testing.assert_allclose(figure.data[0].y, found.whole)
    np.testing.assert_allclose(figure.data[1].y, found.so_far)
    np.testing.assert_allclose(figure.data[3].y, gives)
    assert plain(found.worst) in words
    assert f"**{plain(found.worst)}**" in moment_words(day, found)


def test_what_a_rate_adds_is_what_is_missing_without_it(day: Day) -> None:
    """The moment's own rate adds just its loss, the most of all, and no rate takes anything away."""
    found = moment_leakage(day, "blowfish", 2)
    gives = giveaway(day, "blowfish", 2, found.step)
    own = found.so_far[0]  # at the first step there is no past: the loss of its own rate
    assert gives[found.step] == pytest.approx(own, rel=1e-9)
    assert (gives >= -1e-12).all()
    assert gives.max() == gives[found.step]


def test_detection_has_a_line_and_a_band_for_every_rate(day: Day) -> None:
    *_, found = detect_daily(day.scenario, "holiday", 2, repetitions=40)
    figure, words = detection_figure(found, "insider")
    lines = {trace.name: trace for trace in figure.data if trace.name}
    assert set(lines) == {mechanism.label for mechanism in REGISTRY.values()}
    np.testing.assert_allclose(lines["Blowfish"].y, found.by_rate["blowfish", "insider"].area.value)
    assert f"Forecast {percent(0.5)}" in words


def test_the_crowd_marks_this_street_and_says_whom_it_does_not_protect_from(day: Day) -> None:
    found = noise_still_needed(day, 0.5, 1e-3, sizes=(5, 100))
    figure, words = crowd_figure(found, 5)
    np.testing.assert_allclose(figure.data[0].y, found.scale)
    assert list(figure.data[2].x) == [5, 5]
    assert f"5 houses {plain(float(found.scale[0]))}" in words
    assert "sees no crowd" in crowd_words(found)


def test_ways_and_the_price_of_a_moment_are_drawn_as_computed(day: Day) -> None:
    found = compositions(day.scenario, 2.0, street_day=day.life)
    figure, words = composition_figure(found, 2.0, 96)
    np.testing.assert_allclose(figure.data[0].x, [100 * np.sqrt(96) * way.rmsre for way in found])
    assert all(way.name in words for way in found)
    price = price_of_a_moment(day.scenario, [0.1, 1.0], street_day=day.life)
    lines = {trace.name: trace for trace in price_figure(price, 96, 1.0).figure.data}
    assert "Forecast, no leak" in lines
    np.testing.assert_allclose(lines["Naive"].x, price.lines["naive"].leak)


@pytest.mark.parametrize(
    ("leak", "words"),
    [
        (0.0, "at most 50 %"),
        (np.log(9), "at most 90 %"),
        (np.inf, "a certainty"),
        (9.053, "at most 99.9883 %"),
    ],
)
def test_what_an_even_guess_can_become(leak: float, words: str) -> None:
    assert surest(float(leak)) == words

"""The tour's stops: each opens as its link says, and what it claims is so."""

import numpy as np

from rtp import PRESETS, simulate
from rtp.scenario import LIBRARY
from rtp.scenario.share import read_link
from rtp.teaching.tour import STOPS, STRICT
from rtp.tradeoff import curve
from tests.help.golden import STORY, story


def test_eight_stops_of_one_or_two_sentences() -> None:
    assert len(STOPS) == 8
    assert len({stop.screen for stop in STOPS}) >= 6
    assert len({stop.title for stop in STOPS}) == 8
    for stop in STOPS:
        assert 1 <= stop.words.count(". ") + 1 <= 4
        told = f"{stop.title}. {stop.words}"
        assert " she " not in told or "observer" in told[: told.index(" she ")], "introduced first"
        assert " her " not in told or "observer" in told[: told.index(" her ")]
        assert not read_link(stop.scenario).damaged
        assert not read_link(stop.scenario).unknown


def test_the_stops_say_what_they_are_known_to_say() -> None:
    assert story() == STORY.read_text(encoding="utf-8")


def test_noise_is_five_times_as_wide_and_hardly_a_coin() -> None:
    before, after = simulate(PRESETS["paper"]), simulate(PRESETS["paper"].replace(epsilon=STRICT))
    np.testing.assert_allclose(after.release["blowfish"].scale, 5 * before.release["blowfish"].scale)
    assert read_link(STOPS[3].scenario).scenario.epsilon == STRICT
    assert "48 make an observer believe" in STOPS[3].words
    assert "52 while it is occupied" in STOPS[3].words


def test_only_algorithm_1_steps_down_for_mansions() -> None:
    street = LIBRARY[STOPS[5].scenario["preset"]].scenario
    assert street.groups[0].occupied_max == 5 * street.groups[1].occupied_max
    release = simulate(street).release
    assert np.ptp(release["blowfish"].scale) > 0
    assert np.ptp(release["naive"].scale) == 0


def test_the_smaller_epsilon_the_further_the_price_misses() -> None:
    lines = curve(PRESETS["paper"].replace(households=60), [0.1, 0.5, 2.0], days=20)
    for name in ("naive", "blowfish", "calibrated", "filtered"):
        assert (np.diff(lines.typical[name].expected) < 0).all()

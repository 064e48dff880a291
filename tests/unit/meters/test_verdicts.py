"""A verdict for every house, on shapes that real meters show: drawn here, no one's readings."""

from functools import cache

import numpy as np
import pytest

from rtp.core.types import Floats
from rtp.figures.meters import average_days_figure
from rtp.meters import Learned, Readings, answer, learn, watch
from rtp.meters.house_fit import (
    APPLIANCE,
    AT_NIGHT,
    ENDED,
    EVENING,
    FOLLOWS,
    NIGHT_HOURS,
    NOON,
    VACANT,
)
from rtp.meters.words import houses_frame, learned_verdict
from rtp.scenario import Scenario
from tests.unit.meters.streets import as_readings, known_street

pytestmark = pytest.mark.slow

DAYS, PER_DAY = 28, 48
HOUR = np.tile(np.arange(PER_DAY) / 2, DAYS)


def cycling(low: float, high: float, rng: np.random.Generator) -> Floats:
    """A refrigerator: two levels in kWh a half-hour, on and off whatever the clock says; as kW."""
    on, level = False, []
    for _ in HOUR:
        on = on != (rng.random() < 0.35)
        level.append(high if on else low)
    return 2 * np.array(level) * rng.uniform(0.9, 1.1, len(HOUR))


@cache
def street() -> tuple[Readings, Learned]:
    """Three homes, two appliances, a heater on the night tariff, an empty house, one that ended early."""
    rng = np.random.default_rng(3)
    homes = known_street(3, DAYS, 30, 2, empty_share=(0.1, 0.2)).readings.power.astype(float)
    night = (HOUR >= 23.5) | (HOUR < 6.5)
    heater = np.where(night, 2.0, 0.2) * rng.uniform(0.8, 1.2, len(HOUR))
    early = homes[0].copy()
    early[3 * PER_DAY :] = np.nan
    others = [
        cycling(0.005, 0.031, rng),
        cycling(0.050, 0.084, rng),
        heater,
        rng.uniform(0.01, 0.03, len(HOUR)),
        early,
    ]
    readings = as_readings(np.concatenate([homes, others]), 30)
    return readings, learn(readings, resamples=0)


def test_every_house_has_a_verdict_with_its_reason() -> None:
    readings, learned = street()
    table = houses_frame(readings, learned)
    assert [table.index.name, *table.columns] == [
        "House",
        "Verdict",
        "Why",
        "Lower state, kW",
        "Upper state, kW",
        "Correlation",
    ]
    assert table["Verdict"].tolist() == [FOLLOWS] * 3 + [APPLIANCE] * 2 + [AT_NIGHT, VACANT, ENDED]
    assert table["Why"].iloc[4] == "five readings in six are within 86 W"
    assert "of the night: a heater?" in table["Why"].iloc[5]
    assert learned_verdict(learned)[0] == (
        "**Most houses do not show occupancy** in these readings: 3 of 8 show two states that follow "
        f"the clock. The others: {APPLIANCE} 2, {AT_NIGHT} 1, {VACANT} 1, {ENDED} 1."
    )


def test_no_hour_counts_twice_and_that_in_which_people_get_up_not_at_all() -> None:
    hours = np.sort(np.concatenate([NOON, EVENING, NIGHT_HOURS]))
    assert hours.tolist() == [hour for hour in range(24) if hour != 7]


def test_a_house_that_rests_in_the_evening_only_is_a_heaters() -> None:
    """On at noon as at night: what people who are up and about do is not in it."""
    rng = np.random.default_rng(4)
    evening = (HOUR >= 16) & (HOUR < 23)
    power = np.where(evening, 0.2, 2.0) * rng.uniform(0.8, 1.2, len(HOUR))
    readings = as_readings(power[None], 30)
    assert houses_frame(readings, learn(readings, resamples=0))["Verdict"].tolist() == [AT_NIGHT]


@pytest.mark.long
def test_half_of_the_houses_are_not_most_of_them() -> None:
    half = learn(street()[0].only_houses(np.array([0, 1, 5, 6])), resamples=0)
    assert learned_verdict(half)[0].startswith("**2 of 4 houses show two states**")


@pytest.mark.long
def test_only_houses_that_can_be_occupancy_teach_habits() -> None:
    readings, learned = street()
    assert np.concatenate([group.houses for group in learned.groups]).tolist() == [0, 1, 2]
    everyone = learn(readings, groups=1, every_house=True, resamples=0)
    assert everyone.groups[0].houses.tolist() == np.flatnonzero(everyone.houses.separable).tolist()
    assert 5 in everyone.groups[0].houses


def test_the_house_that_shows_most_is_no_heater() -> None:
    """The heater's states are the furthest apart, and say nothing of who is at home."""
    readings, learned = street()
    result = answer(readings, learned.scenario(Scenario(), 3.0, 0.5), learned)
    assert watch(result.replay).name == "h5"
    home = learned.houses.mean[1, :3] - learned.houses.mean[0, :3]
    assert result.watched.name == f"h{home.argmax()}"


def test_each_house_has_a_row_with_its_average_day() -> None:
    readings, learned = street()
    figure, words = average_days_figure(readings, learned)
    (trace,) = figure.data
    assert np.shape(trace.z) == (7, 24)
    place = list(trace.y).index("h5")
    assert set(trace.text[place]) == {AT_NIGHT}
    hourly = readings.power[5].reshape(DAYS, 24, 2).mean(axis=(0, 2))
    assert list(trace.customdata[place]) == pytest.approx(hourly.tolist(), rel=1e-5)
    assert "3 follows the clock" in words

"""A verdict for every house: at the limits between one and the next, and on shapes that real meters show."""

from functools import cache

import numpy as np
import pytest

from rtp.core.types import Floats
from rtp.meters import Learned, Readings, answer, learn, watch
from rtp.meters.house_fit import APPLIANCE, AT_NIGHT, ENDED, FOLLOWS, VACANT
from rtp.output.meters import doubt_words, houses_frame, verdicts_words
from rtp.scenario import Scenario
from tests.unit.meters.streets import as_readings, known_street

DAYS, PER_DAY = 28, 48
HOUR = np.tile(np.arange(PER_DAY) / 2, DAYS)


def cycling(low: float, high: float, rng: np.random.Generator) -> Floats:
    """A refrigerator: two levels in kWh a half-hour, on and off whatever the clock says; as kW."""
    on = np.cumsum(rng.random(len(HOUR)) < 0.35) % 2 == 1
    return 2 * np.where(on, high, low) * rng.uniform(0.9, 1.1, len(HOUR))


@cache
def street() -> tuple[Readings, Learned]:
    """Three homes, two appliances, a heater on the night tariff, an empty house, one that ended early."""
    rng = np.random.default_rng(3)
    homes = known_street(3, DAYS, 30, 2, empty_share=(0.1, 0.2)).readings.power.astype(float)
    night = (HOUR >= 23.5) | (HOUR < 6.5)
    heater = np.where(night, 2.0, 0.2) * rng.uniform(0.8, 1.2, len(HOUR))
    early = homes[0].copy()
    early[3 * PER_DAY :] = np.nan
    appliances = cycling(0.005, 0.031, rng), cycling(0.050, 0.084, rng)
    others = [*appliances, heater, rng.uniform(0.01, 0.03, len(HOUR)), early]
    readings = as_readings(np.concatenate([homes, others]), 30)
    return readings, learn(readings, resamples=0)


@pytest.mark.long
def test_every_house_has_a_verdict_with_its_reason() -> None:
    readings, learned = street()
    houses = houses_frame(readings, learned)
    assert houses["Verdict"].tolist() == [FOLLOWS] * 3 + [APPLIANCE] * 2 + [AT_NIGHT, VACANT, ENDED]
    assert houses["Why"].all()
    for count in ("3 of 8", f"{APPLIANCE} 2", f"{AT_NIGHT} 1", f"{VACANT} 1", f"{ENDED} 1"):
        assert count in verdicts_words(learned)


@pytest.mark.long
def test_only_houses_that_can_be_occupancy_teach_habits() -> None:
    readings, learned = street()
    assert np.concatenate([group.houses for group in learned.groups]).tolist() == [0, 1, 2]
    everyone = learn(readings, groups=1, every_house=True, resamples=0)
    assert everyone.groups[0].houses.tolist() == np.flatnonzero(everyone.houses.separable).tolist()
    assert 5 in everyone.groups[0].houses


@pytest.mark.long
def test_the_house_that_shows_most_is_no_heater() -> None:
    """The heater's states are the furthest apart, and say nothing of who is at home."""
    readings, learned = street()
    result = answer(readings, learned.scenario(Scenario(), 3.0, 0.5), learned)
    assert watch(result.replay).name == "h5"
    home = learned.houses.mean[1, :3] - learned.houses.mean[0, :3]
    assert result.observed.name == f"h{home.argmax()}"


@pytest.mark.long
def test_a_verdict_near_its_limits_says_so() -> None:
    """Of homes that live alike some are kept and some are not; a plain one is kept for sure."""
    plain = learn(known_street(6, DAYS, 30, 2, empty_share=(0.1, 0.2)).readings, resamples=0)
    assert (plain.houses.sureness > 0.95).all()
    near = learn(known_street(12, DAYS, 30, 3, empty_share=(0.62, 0.72)).readings, resamples=0)
    assert 0 < near.can_be_occupancy.sum() < 12
    assert near.houses.sureness.mean() < 0.9
    said = [[each for each in doubt_words(street) if "verdicts" in each] for street in (plain, near)]
    assert not said[0]
    assert f"{(near.houses.sureness < 0.95).sum()} of 12" in said[1][0]

"""The verdict on a house at the limits between one and the next: its numbers are made, not learned."""

import numpy as np
import pytest

from rtp.core.types import Floats
from rtp.meters.hmm import Model
from rtp.meters.house_fit import HeldOut, HouseFits, HouseVerdict, house_verdicts
from rtp.meters.readings import BINS

NOBODY = np.zeros(1)
CLOCK = np.repeat([0.0, 1.0], 12)  # in the upper state from noon on


def judged(
    profile: Floats = CLOCK,
    *,
    use: float = 0.5,
    states: tuple[float, float] = (0.25, 0.75),
    two: bool = True,
    span: float = 1.0,
    counted: bool = False,
) -> HouseVerdict:
    edges = np.linspace(0, 1, BINS + 1)
    edges[1], edges[-2] = 0.25, 0.25 + span
    houses = HouseFits(
        model=Model(
            initial=NOBODY,
            leave=NOBODY[None],
            arrive=NOBODY[None],
            group=np.zeros(1, dtype=int),
            emission=np.full((2, 1, BINS), 1 / BINS),
            correlation=NOBODY,
        ),
        edges=edges[None],
        mean=np.array(states)[:, None],
        variance=np.zeros((2, 1)),
        profile=profile[:, None],
        used=np.full((24, 1), use),
        certainty=NOBODY,
        starts_agree=np.ones(1, dtype=bool),
        held_out=HeldOut(np.array([two]), NOBODY, NOBODY, NOBODY, NOBODY),
    )
    (verdict,) = house_verdicts(houses, counted=counted)
    return verdict


def by_hour(noon: float, evening: float, night: float) -> Floats:
    profile = np.full(24, night)
    profile[8:16], profile[16:23] = noon, evening
    return profile


def test_what_the_readings_say_is_not_judged() -> None:
    assert judged(use=0.0, two=False, counted=True) == ("given", "the readings say who is at home")
    assert judged(counted=True).can_be_occupancy


def test_a_house_with_two_states_by_the_clock_follows_it() -> None:
    told = "in the upper state at 100% of the evening, 50% of noon, 12% of the night"
    assert judged() == ("follows the clock", told)
    assert judged().can_be_occupancy


def test_less_than_a_refrigerator_is_vacant() -> None:
    verdict = judged(use=0.0234375)
    assert verdict == ("vacant", "23 W on average, less than a refrigerator")
    assert not verdict.can_be_occupancy
    assert judged(use=0.03125).label == "follows the clock"


@pytest.mark.parametrize(
    ("span", "label", "reason"),
    [
        (0.0625, "flat or an appliance", "five readings in six are within 62 W"),
        (0.125, "one state", "two states predict new days no better than one"),
    ],
)
def test_without_two_states_it_is_flat_or_has_one(span: float, label: str, reason: str) -> None:
    verdict = judged(two=False, span=span)
    assert verdict == (label, reason)
    assert not verdict.can_be_occupancy


def test_states_nearer_than_a_lamp_are_an_appliances() -> None:
    told = "its states are as near as 250 W and 344 W"
    assert judged(states=(0.25, 0.34375)) == ("flat or an appliance", told)
    assert judged(states=(0.25, 0.359375)).label == "follows the clock"


def test_an_upper_state_that_is_hardly_ever_on_is_an_empty_house() -> None:
    rare = np.zeros(24)
    rare[16] = 0.375
    assert judged(rare) == ("vacant", "in the upper state at 1.56 % of the time")
    rare[16] = 0.5
    assert judged(rare).label == "follows the clock"


def test_states_that_do_not_follow_the_clock_are_an_appliances() -> None:
    flat = np.full(24, 0.5)
    flat[16] = 0.640625
    told = "its states, 1,250 W and 1,750 W, do not follow the clock"
    assert judged(flat, states=(1.25, 1.75)) == ("flat or an appliance", told)
    flat[16] = 0.65625
    assert judged(flat).label == "follows the clock"


@pytest.mark.parametrize(
    ("noon", "evening", "night", "heater"),
    [
        (0.25, 0.25, 0.375, True),
        (0.25, 0.3125, 0.375, False),
        (0.4375, 0.125, 0.375, True),
        (0.5, 0.125, 0.375, False),
    ],
)
def test_a_state_of_the_night_is_a_heaters(noon: float, evening: float, night: float, heater: bool) -> None:
    """On by a tenth more than in the evening, and at noon by less than a tenth more."""
    profile = by_hour(noon, evening, night)
    profile[7] = 0.0
    by_time = (
        f"in the upper state at {evening:.0%} of the evening, {noon:.0%} of noon, {night:.0%} of the night"
    )
    expected = ("mostly at night", f"{by_time}: a heater?") if heater else ("follows the clock", by_time)
    assert judged(profile) == expected

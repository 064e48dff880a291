"""What can happen to a street: what it makes of a rate, against streets that are lived so."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.decision.frontier import Question, error_of, find, interval_of, kinds_of_days
from rtp.decision.requirement import Wish, described_street
from rtp.decision.stress import FACTORS, HOLIDAY, later, of_use, stresses
from rtp.scenario import edit
from rtp.simulation import draw_day

STREET = described_street(edit.set_step_minutes(PRESETS["feeder"].replace(households=20), 60))
WISH = Wish(secret="moment", observer="insider")


def twice(street: Scenario, factor: float) -> Scenario:
    """Every listed house with so many times its bounds."""
    assert street.houses is not None
    grown = [
        house.replace(occupied=factor * house.occupied, empty=factor * house.empty) for house in street.houses
    ]
    return edit.with_houses(street, grown)


def test_more_use_is_that_of_a_street_of_larger_houses() -> None:
    street = described_street(PRESETS["mixed street"].replace(households=20))
    grown, drawn = of_use(draw_day(street), 1.2), draw_day(twice(street, 1.2))
    for name in ("demand", "consumption_variance", "occupancy_variance", "lag1_covariance"):
        assert np.allclose(getattr(grown.true_moments, name), getattr(drawn.true_moments, name))
    assert np.allclose(grown.demand, drawn.demand)


def test_habits_an_hour_later_are_the_same_an_hour_later() -> None:
    model = STREET.models[0]
    assert later(later(model, 1), -1) == model
    moved = STREET.replace(models=(later(model, 1),), habit_spread=0.0)
    own = draw_day(STREET.replace(habit_spread=0.0)).true_moments.expected_demand
    after = draw_day(moved).true_moments.expected_demand
    assert np.abs(after[9:] - own[8:-1]).max() < np.abs(after[8:] - own[8:]).max() / 10


@pytest.mark.parametrize("rate", ["forecast", "blowfish"])
def test_what_happens_leaves_the_noise_and_moves_the_error(rate: str) -> None:
    street = STREET.replace(epsilon=1.0)
    here = interval_of(
        street, WISH, {each: find(each) for each in [Question(street, "moment", "insider", 0.05, None)]}
    )
    own = float(error_of(here.days, rate, np.ones(1))[0])
    found = {each.words: each for each in stresses(here, rate, 1.0)}
    holiday = f"{HOLIDAY}Saturday"
    assert holiday in found
    if rate == "forecast":
        for words in (*FACTORS, holiday, "habits an hour later"):
            assert found[words].error > own
    else:
        more, less = FACTORS
        assert found[more].error < own < found[less].error
        right = here.seen.at(rate, 1.0).value
        told = [each.right.value for each in (found[more], found[less]) if each.right]
        assert told[0] > right > told[1]
    assert sum(day.share for day in kinds_of_days(street)) == pytest.approx(1.0)

"""From a range of prices to α and β, and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Scenario, ScenarioError
from rtp.money.price_range import PriceRange, price_line, typical_prices, with_price_range
from rtp.money.summary import simulate_runs
from rtp.simulation import draw_day

FEEDER = PRESETS["feeder"].replace(step_minutes=60, inelastic_demand=20.0)


@given(
    st.floats(0.01, 1e3),
    st.floats(1.01, 100.0),
    st.floats(0.0, 10.0),
    st.floats(0.01, 10.0),
    st.integers(2, 9),
)
def test_a_tariff_gives_the_range_it_says(
    least: float, times: float, low: float, width: float, n: int
) -> None:
    """And the one asked for, unless prices would spread more than the load."""
    load, asked = np.linspace(least, least * times, n), PriceRange(low, low + width)
    alpha, beta, met = price_line(load, asked)
    rate = alpha * load + beta
    assert beta >= 0
    assert met == pytest.approx((rate.min(), rate.max()))
    assert met.high == pytest.approx(asked.high)
    if asked.high * load.min() <= asked.low * load.max():
        assert met.low == pytest.approx(asked.low)
    else:
        assert beta == 0
        assert met.low > asked.low


def test_a_scenario_goes_from_prices_to_tariff_and_back() -> None:
    asked = PriceRange(0.3, 0.45)
    life = draw_day(FEEDER)
    priced, met = with_price_range(FEEDER, asked, life)
    assert met == pytest.approx(asked)
    found = typical_prices(priced, street_day=life)
    assert found.prices == pytest.approx(asked)
    expected = priced.alpha * (life.true_moments.expected_demand + 20.0) + priced.beta
    assert (expected.min(), expected.max()) == pytest.approx(asked)


def test_the_share_of_steps_outside_is_that_of_lived_days() -> None:
    """A step leaves the range or not: over n days of T steps that follow each other, the share has at most
    the standard error of n independent values between 0 and 1."""
    days, asked = 1000, PriceRange(0.22, 0.27)
    life = draw_day(FEEDER)
    demand = simulate_runs(life, days, FEEDER.households).demand + 20.0
    rate = FEEDER.alpha * demand + FEEDER.beta
    sampled = np.mean((rate < asked.low) | (rate > asked.high))
    assert 0.1 < sampled < 0.9
    found = typical_prices(FEEDER, asked, life).outside
    assert found == pytest.approx(sampled, abs=5 * 0.5 / np.sqrt(days))


@pytest.mark.parametrize("prices", [(0.4, 0.2), (0.3, 0.3), (-0.1, 0.2), (0.2, np.inf), (np.nan, 1.0)])
def test_prices_that_are_no_range_are_refused(prices: tuple[float, float]) -> None:
    with pytest.raises(ScenarioError, match="price range"):
        price_line(np.array([1.0, 2.0]), PriceRange(*prices))


def test_a_load_that_never_varies_has_no_tariff() -> None:
    with pytest.raises(ScenarioError, match="load"):
        price_line(np.ones(4), PriceRange(0.2, 0.4))
    still = Scenario(households=1, habit_spread=0.0)
    assert 0 <= typical_prices(still).outside <= 1

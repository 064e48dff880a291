"""From the prices of a typical day to α and β, and back; how often others come."""

import numpy as np
import pytest

from rtp import PRESETS, ScenarioError, simulate
from rtp.mechanisms import REGISTRY
from rtp.money.prices import share_outside, typical_prices, with_price, with_prices
from rtp.money.summary import simulate_runs
from rtp.simulation import price
from rtp.tradeoff.expected import scales

FEEDER = PRESETS["feeder"].replace(epsilon=1.0, step_minutes=60)
LOW, HIGH = 0.21, 0.43  # beside what a typical night's price is


@pytest.mark.parametrize("prices", [(0.2, 0.45), (0.14, 0.3), (1.0, 1.5)])
def test_a_tariff_has_the_prices_it_was_made_from(prices: tuple[float, float]) -> None:
    assert typical_prices(with_prices(FEEDER, *prices)) == pytest.approx(prices, rel=1e-5)
    load = np.array([40.0, 90.0, 60.0])
    measured = with_prices(FEEDER, *prices, load)
    assert np.array([40, 90]) * measured.alpha + measured.beta == pytest.approx(np.array(prices), rel=1e-5)


@pytest.mark.parametrize("order", [("highest", "lowest"), ("lowest", "highest")])
def test_a_price_that_passes_the_other_takes_it_along(order: tuple[str, str]) -> None:
    """So that any two can be typed one after the other: from cheap to dear and back."""
    cheap, dear = (0.2, 0.45), (2.0, 4.0)
    before, wanted = (dear, cheap) if order[0] == "highest" else (cheap, dear)
    street = with_prices(FEEDER, *before)
    for which in order:
        street = with_price(street, which, wanted[which == "highest"])
    assert typical_prices(street) == pytest.approx(wanted, rel=1e-4)


def test_prices_that_no_tariff_has_are_refused() -> None:
    for low, high, load in ((0.3, 0.2, None), (0.01, 0.5, None), (0.1, 0.2, np.ones(24))):
        with pytest.raises(ScenarioError, match=r"price|demand"):
            with_prices(FEEDER, low, high, load)


@pytest.mark.parametrize("name", ["optimal", "blowfish", "calibrated", "filtered"])
def test_the_share_outside_is_that_of_many_days(name: str) -> None:
    day, mechanism = simulate(FEEDER), REGISTRY[name]
    scale = scales(day.market, [mechanism], [FEEDER.epsilon])[name]
    rng = np.random.default_rng(5)
    moments = day.street_day.true_moments
    stated = share_outside(day.market, mechanism, scale[:, 0], LOW, HIGH)
    days = simulate_runs(day.street_day, 400, FEEDER.households).demand
    unit = rng.laplace(size=days.shape)
    rates = price(mechanism, day.market.public, days, unit, scale).rate
    shares = ((rates < LOW) | (rates > HIGH)).mean(axis=0)
    assert moments.expected_demand.shape == (24,)
    assert stated == pytest.approx(shares.mean(), abs=0.015 + 4 * shares.std() / np.sqrt(shares.size))

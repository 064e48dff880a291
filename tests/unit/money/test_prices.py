"""From the prices of a typical day to α and β, and back; how often others come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Day, Habits, OccupancyModel, Scenario, ScenarioError, simulate
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY
from rtp.money.bills import share_outside
from rtp.money.summary import simulate_runs
from rtp.scenario import edit, period
from rtp.scenario.share import read_link, to_link
from rtp.scenario.units import amount
from rtp.simulation.prices import at_stated_prices, typical_prices, with_price, with_prices
from rtp.simulation.publish import publish
from rtp.tradeoff.expected import scales

FEEDER = PRESETS["feeder"].replace(epsilon=1.0, step_minutes=60)
ASLEEP = Habits(
    initial_occupied=0.0,
    periods=(period("Day", 7.0, leave=0.1, arrive=0.9), period("Night", 23.0, leave=1.0, arrive=0.0)),
)
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


def test_beside_a_lowest_price_of_0_the_highest_keeps_its_distance() -> None:
    """A proportion to 0 ended in a traceback."""
    free = PRESETS["feeder"].replace(models=(OccupancyModel(habits=(ASLEEP,) * 3),), step_minutes=60)
    free = free.replace(
        groups=tuple(g.replace(empty_max=0, empty_min=0, yearly_kwh=None) for g in free.groups)
    )
    free = with_prices(free.replace(habit_spread=0.0), 0.0, 0.4)
    assert with_price(free, "lowest", 0.5).price_range == (0.5, 0.9)
    with pytest.raises(ScenarioError, match="price"):
        with_price(free, "highest", 0.0)


def test_without_a_base_price_both_prices_move_in_proportion() -> None:
    """Rounded prices spread further than demand does, and were refused."""
    street = Scenario(households=10, beta=0.0)
    low, high = typical_prices(street)
    dear = with_price(street, "lowest", 2 * high)
    assert typical_prices(dear) == pytest.approx((2 * high, 2 * high**2 / low))


def test_typed_prices_are_kept_whatever_the_street_becomes() -> None:
    """An edit of habits made 0.1824 to 0.409 of 0.18 to 0.42."""
    typed = with_prices(FEEDER, 0.2, 0.42)
    later = edit.put_period(typed, 0, 0, 1, edit.set_entry(typed.models[0].habits[0].periods[1], 1, 0, 0.9))
    assert typical_prices(later) != pytest.approx((0.2, 0.42), rel=1e-3)
    kept = at_stated_prices(later)
    assert typical_prices(kept) == pytest.approx((0.2, 0.42), rel=1e-5)
    assert simulate(later).scenario == kept == at_stated_prices(kept)
    assert kept == read_link(to_link(kept)).scenario == Scenario.from_json(kept.to_json())
    assert kept.replace(beta=0.1).price_range is None, "whoever sets α or β means them"
    assert at_stated_prices(kept.replace(beta=kept.beta)) == kept


def test_prices_that_no_tariff_has_are_refused() -> None:
    for low, high, load in ((0.3, 0.2, None), (0.01, 0.5, None), (0.1, 0.2, np.ones(24))):
        with pytest.raises(ScenarioError, match=r"price|demand"):
            with_prices(FEEDER, low, high, load)


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(FEEDER)


@pytest.fixture(scope="module")
def days(day: Day) -> Floats:
    return simulate_runs(day.street_day, 400, FEEDER.households).demand


@pytest.mark.parametrize("name", ["optimal", "blowfish", "calibrated", "filtered"])
def test_the_share_outside_is_that_of_many_days(name: str, day: Day, days: Floats) -> None:
    mechanism = REGISTRY[name]
    scale = scales(day.market, [mechanism], [FEEDER.epsilon])[name]
    stated = share_outside(day.market, mechanism, scale[:, 0], LOW, HIGH)
    unit = np.random.default_rng(5).laplace(size=days.shape)
    rates = publish(mechanism, day.market.public, days, unit, scale).rate
    shares = ((rates < LOW) | (rates > HIGH)).mean(axis=0)
    assert stated == pytest.approx(shares.mean(), abs=0.015 + 4 * shares.std() / np.sqrt(shares.size))


@given(st.floats(-1e5, 1e5))
def test_money_of_a_currency_ends_at_the_cent(value: float) -> None:
    written = amount(value, Scenario(currency="EUR")).removesuffix(" EUR").replace(",", "").replace("−", "-")
    assert len(written.partition(".")[2]) <= 2
    assert float(written) == pytest.approx(value, abs=0.0051, rel=0.006)

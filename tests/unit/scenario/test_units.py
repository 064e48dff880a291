"""Units: what they are called, that money follows them, and that without them nothing changes."""

from typing import get_args

import numpy as np
import pytest

from rtp import PRESETS, Group, Scenario, simulate
from rtp.money.bills import bills
from rtp.scenario.units import (
    BARE_TARIFF,
    PAID,
    Quantity,
    absurd_prices,
    amount,
    column,
    more_or_less,
    set_units,
    titled,
    unit,
    with_unit,
)
from rtp.street.simulate import replay_houses

PLAIN = Scenario(households=7, alpha=0.0004, beta=0.11, days=2)
METERED = PLAIN.replace(power_unit="kW", currency="EUR")


def test_units_by_quantity() -> None:
    names = [unit(METERED, quantity) for quantity in get_args(Quantity)]
    assert names == ["kW", "kWh", "EUR", "EUR/kWh", "EUR/kWh per kW"]
    assert [unit(PLAIN, quantity) for quantity in get_args(Quantity)] == [""] * 5
    assert unit(METERED.replace(currency=""), "rate") == "money/kWh"
    assert unit(METERED.replace(power_unit=""), "rate") == "EUR"


def test_titles_numbers_and_columns_carry_them() -> None:
    assert titled("Rate", METERED, "rate") == "Rate (EUR/kWh)"
    assert with_unit("4.5", METERED, "power") == "4.5 kW"
    assert column("naive_rate", METERED, "rate") == "naive_rate_EUR_per_kWh"
    plain = titled("Rate", PLAIN, "rate"), with_unit("1", PLAIN, "power"), column("naive_rate", PLAIN, "rate")
    assert plain == ("Rate", "1", "naive_rate")
    amounts = {-1234.5: "−1,234 EUR", -0.004: "0 EUR", 0.005: "0.005 EUR", 999.4: "999 EUR"}
    assert {value: amount(value, METERED) for value in amounts} == amounts
    assert [more_or_less(value, METERED).split()[-1] for value in (2.5, -2.5, 0.004)] == [
        "more",
        "less",
        "same",
    ]
    assert {"consumption_kW_per_house", "optimal_rate_EUR_per_kWh"} <= set(simulate(METERED).frame().columns)


@pytest.mark.parametrize("minutes", [5, 15, 60])
def test_a_bill_is_rate_times_power_times_hours(minutes: int) -> None:
    """Added up house by house and step by step."""
    day = simulate(METERED.replace(step_minutes=minutes))
    _, power = replay_houses(day.street_day.spec, day.street, range(7))
    for name, release in day.release.items():
        by_hand = [float(release.rate @ power[:, house]) * minutes / 60 for house in range(7)]
        assert bills(day)[name].published.tolist() == pytest.approx(by_hand, rel=1e-12)
    bare = simulate(PLAIN.replace(step_minutes=minutes))
    assert bare.release["naive"].rate.tobytes() == day.release["naive"].rate.tobytes()


def test_units_bring_a_tariff_of_the_size_that_households_pay() -> None:
    """On every street that comes without units, once both are there, the optimal rates are of that size."""
    for name, preset in PRESETS.items():
        if (preset.alpha, preset.beta) != BARE_TARIFF:
            continue
        half = set_units(preset, power_unit="kW")
        assert half == preset.replace(power_unit="kW"), "no price is known without a currency"
        priced = set_units(half, currency="EUR")
        rate = simulate(priced).release["optimal"].rate
        assert 0.05 < rate.min() <= rate.max() < 2 * PAID["EUR"], name
        assert absurd_prices(priced, rate, {}) == []


@pytest.mark.parametrize("currency", PAID)
def test_a_first_tariff_is_a_third_fixed_and_else_of_middling_demand(currency: str) -> None:
    """To two digits: houses use half of their bounds, and half of them are occupied."""
    group = Group(occupied_min=2.0, occupied_max=4.0, empty_min=1.0, empty_max=1.0)
    for street, demand in ((Scenario(), 187.5), (Scenario(groups=(group,), inelastic_demand=500.0), 1500.0)):
        priced = set_units(street, power_unit="kW", currency=currency)
        assert priced.beta == pytest.approx(PAID[currency] / 3, rel=0.05)
        assert priced.alpha * demand == pytest.approx(PAID[currency] * 2 / 3, rel=0.05)


def test_absurd_prices_are_pointed_out() -> None:
    """Above ten times what households pay, and below zero; bare numbers have no size."""
    bare, low, fair = Scenario(power_unit="kW", currency="EUR"), np.array([0.0, -0.2]), np.array([0.0, 0.3])
    paid = 10 * PAID["EUR"]
    assert [len(absurd_prices(bare, np.array([high]), {})) for high in (paid, paid + 0.01)] == [0, 1]
    (said,) = absurd_prices(bare, fair, {"Naive": low, "Filtered": fair})
    assert "Naive at 1 of 2" in said
    assert "Filtered" not in said
    assert absurd_prices(Scenario(), np.array([300.0]), {"Naive": low}) == []

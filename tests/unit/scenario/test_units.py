"""Units: what they are called, that money follows them, and that without them nothing changes."""

import json
from typing import get_args

import numpy as np
import pytest

from rtp import PRESETS, Group, Scenario, ScenarioError, simulate
from rtp.figures.day import day_figure
from rtp.money.bills import bills, generator
from rtp.money.summary import money_of_runs, simulate_runs
from rtp.output.report import report
from rtp.scenario.share import from_link, to_link
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
LATER = {"step_minutes", "first_weekday", "power_unit", "currency"}


def test_units_by_quantity() -> None:
    names = [unit(METERED, quantity) for quantity in get_args(Quantity)]
    assert names == ["kW", "kWh", "EUR", "EUR/kWh", "EUR/kWh per kW"]
    assert [unit(PLAIN, quantity) for quantity in get_args(Quantity)] == [""] * 5
    assert unit(METERED.replace(currency=""), "rate") == "money/kWh"
    assert unit(METERED.replace(power_unit=""), "rate") == "EUR"


def test_titles_numbers_and_columns_carry_them() -> None:
    assert titled("Rate", METERED, "rate") == "Rate (EUR/kWh)"
    assert with_unit("4.5", METERED, "power") == "4.5 kW"
    assert amount(-1234.5, METERED) == "−1,234 EUR"
    assert (amount(-0.004, METERED), amount(0.005, METERED)) == ("0 EUR", "0.005 EUR")
    assert (amount(0.004, PLAIN), amount(999.4, PLAIN), amount(1000.7, PLAIN)) == ("0.004", "999", "1,001")
    assert column("naive_rate", METERED, "rate") == "naive_rate_EUR_per_kWh"
    assert (titled("Rate", PLAIN, "rate"), with_unit("1", PLAIN, "power"), amount(2.0, PLAIN)) == (
        "Rate",
        "1",
        "2",
    )
    assert column("naive_rate", PLAIN, "rate") == "naive_rate"


@pytest.mark.parametrize("minutes", [5, 15, 60])
def test_a_bill_is_rate_times_power_times_hours(minutes: int) -> None:
    """Added up house by house and step by step."""
    day = simulate(METERED.replace(step_minutes=minutes))
    _, power = replay_houses(day.street_day.spec, day.street, range(7))
    found = bills(day)
    for name, release in day.release.items():
        for house in range(7):
            by_hand = sum(
                float(rate) * float(used) * minutes / 60
                for rate, used in zip(release.rate, power[:, house], strict=True)
            )
            assert found[name].published[house] == pytest.approx(by_hand, rel=1e-12)


def test_money_with_a_unit_is_per_quarter_of_an_hour() -> None:
    bare, metered = simulate(PLAIN), simulate(METERED)
    assert bare.release["naive"].rate.tobytes() == metered.release["naive"].rate.tobytes()
    for name, account in generator(bare).items():
        ours = generator(metered)[name]
        assert 4 * ours.profit == pytest.approx(account.profit)
        assert 4 * ours.mismatch == pytest.approx(account.mismatch)
    np.testing.assert_allclose(4 * bills(metered)["naive"].optimal, bills(bare)["naive"].optimal)
    mine, theirs = (
        money_of_runs(day, "naive", simulate_runs(day.street_day, 3, 4)) for day in (metered, bare)
    )
    np.testing.assert_allclose(4 * mine.change, theirs.change)


def test_the_day_taken_away_says_its_units() -> None:
    day = simulate(METERED)
    columns = list(day.frame().columns)
    assert {"consumption_kW_per_house", "optimal_rate_EUR_per_kWh", "blowfish_scale_EUR_per_kWh"} <= set(
        columns
    )
    assert "naive_optimal_rate_EUR_per_kWh" in simulate(METERED.replace(elasticity=0.1)).frame().columns
    titles = [note["text"] for note in day_figure(day, ["naive"]).spec["layout"]["annotations"]]
    assert {"<b>Rate (EUR/kWh)</b>", "<b>Mean consumption (kW)</b>"} <= set(titles)
    assert "Noise scale (EUR/kWh)" in report(day)


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


def test_a_change_of_money_is_more_less_or_the_same() -> None:
    said = [more_or_less(value, METERED) for value in (2.5, -2.5, 0.004, -0.004)]
    assert said == ["2.5 EUR more", "2.5 EUR less", "the same", "the same"]


@pytest.mark.parametrize(
    ("currency", "alpha", "beta"),
    [("EUR", 0.001, 0.097), ("GBP", 0.00096, 0.09), ("CHF", 0.001, 0.097), ("USD", 0.0006, 0.057)],
)
def test_a_first_tariff_is_a_third_fixed_and_else_of_middling_demand(
    currency: str, alpha: float, beta: float
) -> None:
    """The paper's 1000 houses use 187.5 while half are occupied and use half of their bounds."""
    metered = Scenario(power_unit="kW", currency=currency, alpha=alpha, beta=beta)
    assert set_units(Scenario(), power_unit="kW", currency=currency) == metered


def test_a_first_tariff_counts_lowest_bounds_and_inelastic_demand() -> None:
    """2/3 of 0.29 EUR over 1000 · (4 + 2 + 1 + 1)/4/2 + 500 = 1500 kW."""
    group = Group(occupied_min=2.0, occupied_max=4.0, empty_min=1.0, empty_max=1.0)
    street = Scenario(groups=(group,), inelastic_demand=500.0)
    assert set_units(street, power_unit="kW", currency="EUR").alpha == 0.00013


def test_a_typed_tariff_and_an_unknown_currency_change_nothing_else() -> None:
    assert set_units(PLAIN, power_unit="kW", currency="EUR") == METERED
    assert set_units(METERED, currency="USD") == METERED.replace(currency="USD")
    assert set_units(Scenario(), power_unit="kW", currency="XYZ") == Scenario(power_unit="kW", currency="XYZ")


def test_absurd_prices_are_pointed_out() -> None:
    bare = Scenario(power_unit="kW", currency="EUR")
    high = np.array([300.0, 362.0])
    assert absurd_prices(bare, high, {}) == [
        "The optimal rate reaches 362 EUR/kWh. Households pay about 0.29: take a smaller α or β."
    ]
    assert absurd_prices(bare, np.array([2.9]), {}) == [], "ten times what households pay"
    assert len(absurd_prices(bare, np.array([2.91]), {})) == 1
    fair, low = np.array([0.0, 0.3]), np.array([0.0, -0.2])
    assert absurd_prices(bare, fair, {"Naive": low, "Filtered": fair}) == [
        "A price falls below zero: Naive at 1 of 2 steps."
    ]
    assert absurd_prices(bare, fair, {"Naive": low, "Filtered": -low - 1}) == [
        "A price falls below zero: Naive at 1 of 2 steps, Filtered at 2 of 2 steps."
    ]
    assert absurd_prices(Scenario(), high, {"Naive": low}) == [], "bare numbers have no size"


def test_a_scenario_without_units_is_the_same_text_as_ever() -> None:
    """What came later is written only where it is not what it was before."""
    for preset in PRESETS.values():
        told = {name for name in LATER if getattr(preset, name) != getattr(Scenario(), name)}
        assert LATER & set(json.loads(preset.to_json())) == told
    assert LATER - {"first_weekday", "step_minutes"} <= set(json.loads(METERED.to_json()))


def test_units_travel_in_json_and_link() -> None:
    scenario = METERED.replace(step_minutes=60, first_weekday="Friday")
    assert Scenario.from_json(scenario.to_json()) == scenario
    link = to_link(scenario)
    assert (link["step_minutes"], link["power_unit"], link["currency"]) == ("60", "kW", "EUR")
    assert from_link(link) == ("paper", scenario)


@pytest.mark.parametrize("currency", ["eur", "EURO", "€", "E1R"])
def test_a_currency_is_three_capital_letters(currency: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        Scenario(currency=currency)
    assert str(refused.value) == (
        f"currency is '{currency}'; it must be empty or three capital letters, such as EUR."
    )

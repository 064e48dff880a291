"""Units: what they are called, that money follows them, and that without them nothing changes."""

import numpy as np
import pytest

from rtp import Group, Scenario
from rtp.scenario.units import PAID, absurd_prices, set_units

METERED = Scenario(power_unit="kW", currency="EUR")


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

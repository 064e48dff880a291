"""What the numbers are measured in: power, energy, money, and a rate in money per energy.

A scenario without units has the paper's bare numbers: every function here then gives nothing, and titles stay
as they are. With kilowatts consumption is power, so a step's energy is power × hours and a rate is money per
kilowatt-hour.
"""

from typing import Literal

from rtp.core.formatting import plain
from rtp.scenario.model import Scenario

HALF_A_CENT = 0.005
Quantity = Literal["power", "energy", "money", "rate"]


def unit(scenario: Scenario, quantity: Quantity) -> str:
    """The unit of a quantity; empty where the scenario has none."""
    energy = f"{scenario.power_unit}h" if scenario.power_unit else ""
    per_energy = f"{scenario.currency or 'money'}/{energy}" if energy else scenario.currency
    units: dict[Quantity, str] = {
        "power": scenario.power_unit,
        "energy": energy,
        "money": scenario.currency,
        "rate": per_energy,
    }
    return units[quantity]


def titled(words: str, scenario: Scenario, quantity: Quantity) -> str:
    """A title with the unit behind it."""
    name = unit(scenario, quantity)
    return f"{words} ({name})" if name else words


def with_unit(number: str, scenario: Scenario, quantity: Quantity) -> str:
    """A number with its unit behind it."""
    return f"{number} {unit(scenario, quantity)}".rstrip()


def amount(value: float, scenario: Scenario) -> str:
    """Money, in the scenario's currency where it has one; less than half a cent is none."""
    if scenario.currency and abs(value) < HALF_A_CENT:
        value = 0.0
    return with_unit(bare_amount(value), scenario, "money")


def bare_amount(value: float) -> str:
    """Money without its currency, where that stands beside it."""
    return (f"{value:,.0f}" if abs(value) >= 1000 else plain(value)).replace("-", "−")


def column(name: str, scenario: Scenario, quantity: Quantity) -> str:
    """A column's name with its unit, in characters that every table can have."""
    suffix = unit(scenario, quantity).replace("/", "_per_")
    return f"{name}_{suffix}" if suffix else name

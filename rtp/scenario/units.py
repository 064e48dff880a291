"""What the numbers are measured in: power, energy, money, and a rate in money per energy.

A scenario without units has the paper's bare numbers: every function here then gives nothing, and titles stay
as they are. With kilowatts consumption is power, so a step's energy is power × hours and a rate is money per
kilowatt-hour.

Prices are held against what households pay: about 0.29 EUR/kWh in the European Union, 0.27 GBP in Great
Britain, 0.29 CHF in Switzerland, 0.17 USD in the United States (Eurostat nrg_pc_204, Ofgem, ElCom and EIA,
2024, rounded). Of other currencies the lab knows no price.
"""

from collections.abc import Mapping
from typing import Literal

from rtp.core.formatting import plain
from rtp.core.types import Floats
from rtp.scenario.model import Scenario

CENTS = 2  # decimals of a currency
Quantity = Literal["power", "energy", "money", "rate", "slope"]
PAID = {"EUR": 0.29, "GBP": 0.27, "CHF": 0.29, "USD": 0.17}  # by households, per kWh
FIXED = 1 / 3  # of a first tariff: the part that does not depend on demand
ABSURD = 10.0  # times what households pay
BARE_TARIFF = (Scenario.model_fields["alpha"].default, Scenario.model_fields["beta"].default)


def unit(scenario: Scenario, quantity: Quantity) -> str:
    """The unit of a quantity; empty where the scenario has none."""
    energy = f"{scenario.power_unit}h" if scenario.power_unit else ""
    per_energy = f"{scenario.currency or 'money'}/{energy}" if energy else scenario.currency
    units: dict[Quantity, str] = {
        "power": scenario.power_unit,
        "energy": energy,
        "money": scenario.currency,
        "rate": per_energy,
        "slope": f"{per_energy} per {scenario.power_unit}" if energy else "",
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
    """Money, in the scenario's currency where it has one."""
    return with_unit(bare_amount(value, scenario), scenario, "money")


def more_or_less(value: float, scenario: Scenario) -> str:
    """A change of money in words."""
    if amount(value, scenario) == amount(0.0, scenario):
        return "the same"
    return f"{amount(abs(value), scenario)} {'more' if value > 0 else 'less'}"


def bare_amount(value: float, scenario: Scenario) -> str:
    """Money without its currency, where that stands beside it; of a currency nothing below a cent."""
    if scenario.currency:
        value = round(value, CENTS) + 0.0  # never −0
    return (f"{value:,.0f}" if abs(value) >= 1000 else plain(value)).replace("-", "−")


def column(name: str, scenario: Scenario, quantity: Quantity) -> str:
    """A column's name with its unit, in characters that every table can have."""
    suffix = unit(scenario, quantity).replace("/", "_per_")
    return f"{name}_{suffix}" if suffix else name


def set_units(scenario: Scenario, **units: object) -> Scenario:
    """The scenario with another `power_unit` or `currency`. The paper's bare α and β mean nothing in them: a
    tariff of the size that households pay takes their place. Any other stays."""
    changed = scenario.replace(**units)
    price = price_paid(changed)
    if price is None or (scenario.alpha, scenario.beta) != BARE_TARIFF:
        return changed
    slope = (1 - FIXED) * price / _middling_demand(changed)
    return changed.replace(alpha=float(f"{slope:.2g}"), beta=float(f"{FIXED * price:.2g}"))


def price_paid(scenario: Scenario) -> float | None:
    """What households pay for a kilowatt-hour in the scenario's currency; None where that is not known."""
    return PAID.get(scenario.currency) if scenario.power_unit else None


def _middling_demand(scenario: Scenario) -> float:
    """Demand while half of the houses are occupied and each uses half of its bound."""
    mean = sum(
        g.share * ((g.occupied_min + g.occupied_max + g.empty_min + g.empty_max) / 4) for g in scenario.groups
    )
    return scenario.households * mean / 2 + scenario.inelastic_demand


def absurd_prices(scenario: Scenario, optimal: Floats, published: Mapping[str, Floats]) -> list[str]:
    """Sentences on prices that nobody would publish: far above what households pay, or below zero."""
    lines, paid = [], price_paid(scenario)
    if paid is not None and optimal.max() > ABSURD * paid:
        lines.append(
            f"The optimal rate reaches {with_unit(plain(float(optimal.max())), scenario, 'rate')}. "
            f"Households pay about {plain(paid)}: take a smaller α or β."
        )
    below = {label: int((rate < 0).sum()) for label, rate in published.items() if (rate < 0).any()}
    if below and scenario.currency:
        steps = ", ".join(f"{label} at {count} of {len(optimal)} steps" for label, count in below.items())
        lines.append(f"A rate falls below zero: {steps}.")
    return lines

"""The tariff in the prices of a typical day, and how often others come."""

from rtp.core.formatting import percent, plain
from rtp.core.types import Floats
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.money.prices import share_outside
from rtp.scenario import Scenario
from rtp.scenario.units import with_unit
from rtp.simulation import Day
from rtp.simulation.prices import SHOWN_DIGITS, typical_demand, typical_prices


def tariff_words(scenario: Scenario) -> str:
    """α and β, and the prices of a typical day."""
    alpha = with_unit(plain(scenario.alpha, SHOWN_DIGITS), scenario, "slope")
    beta = with_unit(plain(scenario.beta, SHOWN_DIGITS), scenario, "rate")
    low, high = (plain(each, SHOWN_DIGITS) for each in typical_prices(scenario))
    return f"α = {alpha}, β = {beta}: {low} to {with_unit(high, scenario, 'rate')} on a typical day."


def measured_words(scenario: Scenario, low: float, high: float, load: Floats) -> str:
    """What a measured load has these prices for, beside the street as it is described."""
    own = typical_demand(scenario)
    measured, described = (
        f"{plain(float(of.min()), SHOWN_DIGITS)} to "
        f"{with_unit(plain(float(of.max()), SHOWN_DIGITS), scenario, 'power')}"
        for of in (load, own)
    )
    prices = f"{plain(low, SHOWN_DIGITS)} to {with_unit(plain(high, SHOWN_DIGITS), scenario, 'rate')}"
    return (
        f"The measured load has {prices} on its mean day, {measured}. The street as described uses "
        f"{described} on a typical day, so its own prices differ."
    )


def outside_words(day: Day, low: float, high: float) -> str:
    """The share of steps at which the optimal and the private rate are not between two prices."""
    without, published = (
        percent(share_outside(day.market, REGISTRY[name], day.release[name].scale, low, high), 2)
        for name in (UNPROTECTED, FEATURED)
    )
    private = f"{REGISTRY[FEATURED].label}, ε = {plain(day.scenario.epsilon)}"
    return (
        f"Prices lie outside these at {without} of steps without noise, {published} as published ({private})."
    )

"""Every house of the street on a line of its own, and what leaving some of them out would change.

A house *sets the noise* at the steps at which its bound is the largest among the houses that are protected.
Where houses are left out, the bounds of all others stay; their habits and days are drawn by their place in
the street, and so anew.

Also: the tariff in the prices of a typical day, and how often others come.
"""

from collections.abc import Collection, Mapping

import numpy as np

from rtp.core.formatting import change, percent, plain, unbroken
from rtp.core.time import hhmm
from rtp.core.types import Floats, Frame, data_frame
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, YARDSTICK, short
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.metrics import ERROR_DIGITS
from rtp.money.bills import share_outside
from rtp.scenario import House, Scenario, edit, habit_words
from rtp.scenario.habits import STATES
from rtp.scenario.units import titled, with_unit
from rtp.simulation import Day
from rtp.simulation.day import loudest_house
from rtp.simulation.prices import (
    HOMES_A_MONTH,
    LOW_VOLTAGE,
    SHOWN_DIGITS,
    Doubt,
    Load,
    typical_demand,
    typical_prices,
)
from rtp.tradeoff import cost

NO_NOISE = "Nobody's whereabouts are uncertain: the private rate needs no noise."
MAX_NAMED = 3  # houses that a sentence names; the others are counted
MEANS = (
    "**Peak** is the most that a house can use while it is occupied, **standby** while it is empty. "
    "A group's houses vary between the two numbers."
)
BY_THE_LIST = "The table of houses says how many there are, and what each can use."
EXAMPLE = (
    "Group\tHouses\tPeak\tStandby\tkWh a year\tHabits\tHours\tClosed\n"
    "Flats\t120\t3\t0.3\t2,000\tworking couple\t\t\nShops\t10\t8\t0.5\t12,000\tshop\t9–18\tweekend"
)
COLUMNS = (
    "Cells of a spreadsheet, header included: a line per group with Group, Houses, Peak, Standby, or per "
    "house with House, Group, Occupied, Empty."
)
NEW_GROUPS = (
    "Houses vary from half to all of peak and standby, unless Peak from and Standby from say otherwise. "
    f"Also read: kWh a year or a month; habits ({', '.join(habit_words.offered())}, or a group here) for a "
    "new group; of what opens and closes also hours (9–18) and closed (Saturday, Sunday, weekend, never)."
)


def habits_words(day: Day, model: int, group: int) -> str:
    """How much of the time a group's houses are occupied, and how far the rates are off."""
    occupied, who = day.street_day.expected_occupied(model, group), day.scenario.groups[group].name
    houses = np.count_nonzero(day.street.group == group)
    if not houses:
        return f"No house of the street belongs to {who}."
    if len(day.scenario.models) > 1:
        who = f"By this model, {who}"
    share = unbroken(percent(float(np.mean(occupied)) / houses, 2))
    off = cost(day, (FEATURED, YARDSTICK))
    private, naive = (unbroken(percent(off[name].value, ERROR_DIGITS)) for name in (FEATURED, YARDSTICK))
    off_by = (
        f"Private and naive rate are off by {private}"
        if private == naive
        else f"The private rate is off by {private}, the naive one by {naive}"
    )
    _, state = STATES[day.scenario.occupied_means]
    named = day.scenario.days == 1 and day.scenario.has_weekends
    time = f"a {day.scenario.first_weekday}" if named else "the time"
    return f"{who}: {state} {share} of {time}. {off_by} (RMSRE)."


def noise_words(day: Day) -> str:
    """Whose bound sets the private rate's noise where it is widest."""
    setter = loudest_house(day.release[FEATURED])
    if setter < 0:
        return NO_NOISE
    who, group = day.scenario.house(setter, capital=True), day.scenario.groups[day.street.group[setter]].name
    bound = with_unit(plain(float(day.street.bound[setter])), day.scenario, "power")
    return f"{who} ({group}) sets the noise: it can use up to {bound}."


def models_words(day: Day) -> str:
    """Which of several models sets the private rate's noise, and how much of the time."""
    needed = sensitivity_by_model(day.market.public)
    most = needed.max(axis=0)
    if not most.any():
        return NO_NOISE
    if (needed == most).all():
        return "All models need the same noise, at all times."
    share = (needed == most).mean(axis=1)
    name = day.scenario.model_names[int(share.argmax())]
    time = "At all times" if share.max() == 1 else f"{percent(float(share.max()), 2)} of the time"
    return f"{time} no model needs more noise than {name}."


def bounds_words(scenario: Scenario) -> str:
    """What the numbers of a group mean, or that the list of houses has them."""
    unit = f" Both are in {scenario.power_unit}." if scenario.power_unit else ""
    return BY_THE_LIST if scenario.houses else MEANS + unit


def load_words(scenario: Scenario, load: Load) -> str:
    """What a connection uses in a month, and when demand is largest."""
    groups = ", ".join(
        f"{group.name} {plain(month)}"
        for group, month, houses in zip(scenario.groups, load.a_month.tolist(), load.houses, strict=True)
        if houses
    )
    return (
        f"A connection uses {_kwh(load.mean_a_month)} a month ({groups}). Demand is largest at "
        f"{hhmm(load.peak_hour)}: {with_unit(plain(load.peak), scenario, 'power')}."
    )


def doubt_words(scenario: Scenario, load: Load) -> list[str]:
    """What of a description is not plausible, a sentence each, by group."""
    return [words for g in range(len(scenario.groups)) for words in group_doubts(scenario, load, g)]


def group_doubts(scenario: Scenario, load: Load, group: int) -> list[str]:
    """The same of one group."""
    return [_doubt(doubt, scenario) for doubt in load.doubts if doubt.group == group]


def _doubt(doubt: Doubt, scenario: Scenario) -> str:
    value = plain(doubt.value)
    who = scenario.groups[doubt.group].name
    match doubt.kind:
        case "too large":
            most = f"{plain(LOW_VOLTAGE)} kW"
            return f"{who}: a peak of {value} kW, where a connection carries about {most}. Watts?"
        case "standby above peak":
            return f"{who}: standby of up to {value} is above the peak."
        case "out of reach":
            return f"{who}: with these bounds and habits a year's use is {_kwh(doubt.value)}, not as stated."
        case "at night":
            return (
                f"{who} use most when demand is largest, at {hhmm(doubt.value)}; homes and shops use least "
                "at night. See Habits."
            )
        case _:
            least, most = map(plain, HOMES_A_MONTH)
            return (
                f"{who}: {_kwh(doubt.value)} a month each; homes use {least} in the European Union and "
                f"{most} in the United States on average. State kWh a year."
            )


def _kwh(energy: float) -> str:
    return f"{plain(energy, 4)} kWh"


def house_names(scenario: Scenario) -> list[str]:
    """What all houses are called, in the street's order."""
    return [scenario.house(number, capital=True) for number in range(scenario.households)]


def listed_houses(day: Day) -> tuple[House, ...]:
    """The street's houses one by one: as listed, or as they were drawn, under the names they have here."""
    if day.scenario.houses is not None:
        return day.scenario.houses
    groups, street = day.scenario.groups, day.street
    rows = zip(
        house_names(day.scenario),
        street.group.tolist(),
        street.occupied_bound.tolist(),
        street.empty_bound.tolist(),
        strict=True,
    )
    return tuple(
        House(name=name, group=groups[group].name, occupied=occupied, empty=empty)
        for name, group, occupied, empty in rows
    )


def roster(day: Day, mechanism: str, bills: Mapping[str, Floats]) -> Frame:
    """One row per house, in the street's order, with its bill under one mechanism of all in `bills`."""
    scenario, street = day.scenario, day.street
    steps = np.bincount(day.release[mechanism].setter + 1, minlength=scenario.households + 1)[1:]
    optimal, published = bills[UNPROTECTED], bills[mechanism]
    difference = published - optimal
    share = np.divide(difference, optimal, out=np.zeros_like(optimal), where=optimal != 0)
    return data_frame(
        {
            "House": house_names(scenario),
            "Group": np.array([group.name for group in scenario.groups])[street.group],
            titled("Bound, occupied", scenario, "power"): street.occupied_bound,
            titled("Bound, empty", scenario, "power"): street.empty_bound,
            titled("Bill at optimal rates", scenario, "money"): optimal,
            titled("Bill", scenario, "money"): published,
            titled("Change", scenario, "money"): difference,
            "Change, %": 100 * share,
            "Sets the noise, % of steps": 100 * steps / scenario.steps,
        }
    )


def bills_words(frame: Frame, mechanism: str) -> str:
    """By how much the bills of a roster change, from the one that falls most to the one that rises most."""
    least, most = (change(float(end) / 100) for end in (frame["Change, %"].min(), frame["Change, %"].max()))
    return f"With the {short(mechanism)} rate bills change by {least} to {most}."


def leave_out(day: Day, houses: Collection[int]) -> Scenario:
    """The scenario without the houses at these places of the street; they stay in its list."""
    names = house_names(day.scenario)
    gone = {names[house] for house in houses}
    listed = [house.replace(left_out=True) if house.name in gone else house for house in listed_houses(day)]
    return edit.with_houses(day.scenario, listed)


def everyone(scenario: Scenario) -> Scenario:
    """The scenario with nobody left out."""
    if scenario.houses is None or not left_out(scenario):
        return scenario
    return edit.with_houses(scenario, [house.replace(left_out=False) for house in scenario.houses])


def left_out(scenario: Scenario) -> list[House]:
    """The houses that are left out."""
    return [house for house in scenario.houses or () if house.left_out]


def effect_words(before: Day, after: Day, mechanism: str) -> str:
    """What leaving houses out does to a mechanism's mean noise scale and expected error."""
    releases = before.release[mechanism], after.release[mechanism]
    scales = [float(release.scale.mean()) for release in releases]
    errors = [release.expected_error for release in releases]
    stay = set(house_names(after.scenario))
    gone = [name for name in house_names(before.scenario) if name not in stay]
    who = ", ".join(gone[:MAX_NAMED]) + (
        f" and {len(gone) - MAX_NAMED:,} more" if len(gone) > MAX_NAMED else ""
    )
    left = "1 house stays" if len(stay) == 1 else f"{len(stay):,} houses stay"
    noise = " → ".join(plain(value, 4) for value in scales)
    error = " → ".join(percent(value) for value in errors)
    return (
        f"Without {who}, {left}. Mean noise scale of the {short(mechanism)} "
        f"rate: {with_unit(noise, before.scenario, 'rate')} ({_change(*scales)}); expected error: "
        f"{error} ({_change(*errors)}). The days of those who stay are drawn anew."
    )


def _change(before: float, after: float) -> str:
    """Who leaves takes noise along and brings none, so nothing stays nothing."""
    return change(after / before - 1) if before else "no change"


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
    private = f"{short(FEATURED)}, ε = {plain(day.scenario.epsilon)}"
    return (
        f"Prices lie outside these at {without} of steps without noise, {published} as published ({private})."
    )

"""Every house on a line of its own, the street without some of them, and scenarios side by side."""

from typing import Any

import numpy as np
import pandas as pd

from rtp import PRESETS, simulate
from rtp.core.formatting import percent, plain
from rtp.exposure import exposure
from rtp.mechanisms import REGISTRY, private
from rtp.money.bills import bills
from rtp.output.exposure import share
from rtp.output.report import Seen, side_by_side
from rtp.output.roster import effect_words, leave_out, left_out, roster

STREET = PRESETS["mansions"].replace(households=50, power_unit="kW", currency="EUR")
DAY = simulate(STREET)


def row(table: pd.DataFrame, name: str) -> list[Any]:
    return list(table.loc[name])


def test_every_house_has_its_bounds_bill_and_noise() -> None:
    paid, release = bills(DAY), DAY.release["blowfish"]
    optimal, published = paid["optimal"], paid["blowfish"]
    frame = roster(DAY, "blowfish", paid)
    expected = {
        "House": [f"House {house + 1}" for house in range(50)],
        "Group": [STREET.groups[g].name for g in DAY.street.group],
        "Bound, occupied (kW)": DAY.street.occupied_bound.tolist(),
        "Bound, empty (kW)": DAY.street.empty_bound.tolist(),
        "Bill at optimal rates (EUR)": optimal.tolist(),
        "Bill (EUR)": published.tolist(),
        "Change (EUR)": (published - optimal).tolist(),
        "Change, %": (100 * ((published - optimal) / optimal)).tolist(),
        "Sets the noise, % of steps": [100 * (release.setter == house).sum() / 96 for house in range(50)],
    }
    assert list(frame) == [*expected]
    for name, values in expected.items():
        assert frame[name].tolist() == values


def test_the_street_without_its_largest_house_needs_less_noise() -> None:
    largest = int(DAY.street.bound.argmax())
    scenario = leave_out(DAY, [largest])
    assert (scenario.households, len(scenario.houses or ())) == (49, 50)
    assert [house.name for house in left_out(scenario)] == [f"House {largest + 1}"]
    after = simulate(scenario)
    np.testing.assert_array_equal(np.sort(after.street.bound), np.sort(np.delete(DAY.street.bound, largest)))
    before, now = DAY.release["blowfish"], after.release["blowfish"]
    assert now.scale.mean() < before.scale.mean()
    words = effect_words(DAY, after, "blowfish")
    assert f"House {largest + 1}," in words
    assert f"{plain(before.scale.mean(), 4)} → {plain(now.scale.mean(), 4)}" in words
    assert f"{percent(before.expected_error)} → {percent(now.expected_error)}" in words


def test_scenarios_side_by_side_show_what_differs_and_what_comes_of_it() -> None:
    days = [DAY, simulate(STREET.replace(epsilon=0.1))]
    table = side_by_side(["Now", "Tight"], days)
    assert list(table.columns) == ["Now", "Tight"]
    assert row(table, "ε — privacy budget per step") == [f"{day.scenario.epsilon:g}" for day in days]
    for name in private():
        errors = [percent(day.release[name].error) for day in days]
        assert row(table, f"Error, {REGISTRY[name].label}") == errors
    assert not [name for name in table.index if "tells" in name], "what is not known yet has no row"
    insider = exposure(STREET, "moment", "insider")
    found: Seen = {("moment", "insider"): insider, ("moment", "outsider"): insider}
    table = side_by_side(["Now", "Tight"], days, [found, found], "naive")
    told = [share(insider.at("naive", day.scenario.epsilon)) for day in days]
    assert row(table, "Insider tells a moment, Naive") == told

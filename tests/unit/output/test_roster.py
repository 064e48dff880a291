"""Every house on a line of its own, and the street without some of them."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, simulate
from rtp.attack.adversary import posterior
from rtp.core.formatting import percent, plain
from rtp.money.bills import Bills, bills
from rtp.output import roster as rosters
from rtp.output.roster import effect_words, everyone, house_names, leave_out, left_out, listed_houses, roster
from rtp.scenario.consumption import included

STREET = PRESETS["mansions"].replace(households=50, power_unit="kW", currency="EUR")
DAY = simulate(STREET)
COLUMNS = [
    "House",
    "Group",
    "Bound, occupied (kW)",
    "Bound, empty (kW)",
    "Bill at optimal rates (EUR)",
    "Bill (EUR)",
    "Change (EUR)",
    "Change, %",
    "Sets the noise, % of steps",
]


def test_every_house_has_its_bounds_bill_exposure_and_noise() -> None:
    own = bills(DAY)["blowfish"]
    frame = roster(DAY, "blowfish", own)
    assert list(frame) == [*COLUMNS, "Exposure, %"]
    assert list(frame["House"][:2]) == ["House 0", "House 1"]
    assert list(frame["Group"][:2]) == ["Mansions", "Houses"]
    assert frame["Bound, occupied (kW)"].tolist() == DAY.street.occupied_bound.tolist()
    assert frame["Bound, empty (kW)"].tolist() == DAY.street.empty_bound.tolist()
    assert frame["Bill (EUR)"].tolist() == own.published.tolist()
    for row in frame.to_dict("records")[:5]:
        assert row["Change (EUR)"] == row["Bill (EUR)"] - row["Bill at optimal rates (EUR)"]
        assert row["Change, %"] == pytest.approx(
            100 * row["Change (EUR)"] / row["Bill at optimal rates (EUR)"]
        )
    release = DAY.release["blowfish"]
    for house in range(50):
        assert frame["Sets the noise, % of steps"][house] == 100 * (release.setter == house).sum() / 96
    assert frame["Sets the noise, % of steps"].sum() == pytest.approx(100 * np.mean(release.setter >= 0))
    exposure = posterior(DAY, "blowfish", adversary="insider", house=7).exposure[0]
    assert frame["Exposure, %"][7] == pytest.approx(100 * exposure)


def test_the_street_without_its_largest_house_needs_less_noise() -> None:
    largest = int(DAY.street.bound.argmax())
    scenario = leave_out(DAY, [largest])
    assert (scenario.households, len(scenario.houses or ())) == (49, 50)
    assert [house.name for house in left_out(scenario)] == [f"House {largest}"]
    after = simulate(scenario)
    rest = np.delete(DAY.street.bound, largest)
    np.testing.assert_array_equal(np.sort(after.street.bound), np.sort(rest))
    before, now = DAY.release["blowfish"], after.release["blowfish"]
    assert now.scale.mean() < before.scale.mean()
    assert now.expected_error < before.expected_error
    assert effect_words(DAY, after, "blowfish") == (
        f"Without House {largest}, 49 houses stay. Mean noise scale of the Blowfish rate: 2.336 → 1.861 "
        "EUR/kWh (-20.3 %); expected error: 4.74 % → 3.67 % (-22.6 %). The days of those who stay are drawn "
        "anew."
    )


def test_everyone_comes_back_as_they_were() -> None:
    gone = leave_out(DAY, range(5))
    back = everyone(gone)
    assert not left_out(back)
    assert included(back.houses or ()) == list(back.houses or ())
    day = simulate(back)
    assert day.release["blowfish"].rate.tobytes() == DAY.release["blowfish"].rate.tobytes()
    assert effect_words(DAY, simulate(gone), "forecast").split(". ")[0] == (
        "Without House 0, House 1, House 2 and 2 more, 45 houses stay"
    )
    assert everyone(STREET) is STREET
    assert everyone(back) is back
    assert listed_houses(simulate(gone)) is gone.houses
    assert house_names(gone)[0] == "House 5"


def test_three_houses_are_named_and_no_noise_is_no_change() -> None:
    assert effect_words(DAY, simulate(leave_out(DAY, range(3))), "optimal") == (
        "Without House 0, House 1, House 2, 47 houses stay. Mean noise scale of the Optimal rate: 0 → 0 "
        "EUR/kWh (no change); expected error: 0 % → 0 % (no change). The days of those who stay are drawn "
        "anew."
    )
    exact = replace(DAY, release={"naive": DAY.release["optimal"]})
    alone = simulate(leave_out(DAY, range(49)))
    noise, error = float(alone.release["naive"].scale.mean()), alone.release["naive"].expected_error
    assert effect_words(exact, alone, "naive") == (
        "Without House 0, House 1, House 2 and 46 more, 1 house stays. Mean noise scale of the Naive rate: "
        f"0 → {plain(noise, 4)} EUR/kWh (from nothing); expected error: 0 % → {percent(error)} (from "
        "nothing). The days of those who stay are drawn anew."
    )


@pytest.mark.parametrize(("most", "more"), [(50 * 96, ["Exposure, %"]), (50 * 96 - 1, [])])
def test_exposures_are_left_out_of_a_large_roster(
    most: int, more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rosters, "MAX_EXPOSURES", most)
    assert list(roster(DAY, "blowfish", bills(DAY)["blowfish"])) == [*COLUMNS, *more]


def test_a_bill_of_nothing_does_not_change_by_a_share() -> None:
    optimal, published = np.array([0.0, *np.full(49, 4.0)]), np.array([3.0, *np.full(49, 5.0)])
    frame = roster(DAY, "blowfish", Bills(optimal=optimal, published=published))
    assert frame["Change, %"].tolist() == [0.0, *[25.0] * 49]
    assert frame["Change (EUR)"].tolist() == [3.0, *[1.0] * 49]

"""Every house on a line of its own, and the street without some of them."""

import numpy as np
import pytest

from rtp import PRESETS, simulate
from rtp.attack.adversary import posterior
from rtp.money.bills import bills
from rtp.output.roster import effect_words, everyone, house_names, leave_out, left_out, roster
from rtp.scenario.consumption import included

STREET = PRESETS["mansions"].replace(households=50, power_unit="kW", currency="EUR")
DAY = simulate(STREET)


def test_every_house_has_its_bounds_bill_exposure_and_noise() -> None:
    own = bills(DAY)["blowfish"]
    frame = roster(DAY, "blowfish", own)
    assert list(frame["House"][:2]) == ["House 0", "House 1"]
    assert list(frame["Group"][:2]) == ["Mansions", "Houses"]
    assert frame["Bound, occupied (kW)"].tolist() == DAY.street.occupied_bound.tolist()
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
    words = effect_words(DAY, after, "blowfish")
    assert words.startswith(
        f"Without House {largest}, 49 houses stay. Mean noise scale of the Blowfish rate: "
    )
    for old, new in (
        (before.scale.mean(), now.scale.mean()),
        (before.expected_error, now.expected_error),
    ):
        assert f"({100 * (new / old - 1):+.1f} %)" in words.replace("−", "-")


def test_everyone_comes_back_as_they_were() -> None:
    gone = leave_out(DAY, range(5))
    back = everyone(gone)
    assert not left_out(back)
    assert included(back.houses or ()) == list(back.houses or ())
    day = simulate(back)
    assert day.release["blowfish"].rate.tobytes() == DAY.release["blowfish"].rate.tobytes()
    assert "House 0, House 1, House 2 and 2 more" in effect_words(DAY, simulate(gone), "blowfish")
    assert everyone(STREET) is STREET
    assert house_names(gone)[0] == "House 5"

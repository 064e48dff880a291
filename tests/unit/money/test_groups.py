"""Bills by group, against bills added up by hand."""

import numpy as np
import pytest

from rtp import PRESETS, simulate
from rtp.core.formatting import percent
from rtp.money.summary import group_frame, money_of_runs, simulate_runs, summarise
from rtp.scenario.units import amount
from rtp.simulation import draw_day

MIXED = PRESETS["mixed street"]


def test_every_group_has_the_mean_of_its_own_bills() -> None:
    scenario = MIXED.replace(households=30, power_unit="kW", currency="EUR")
    day = simulate(scenario)
    money = money_of_runs(day, "blowfish", simulate_runs(day.street_day, 10, 30))
    frame = group_frame(summarise(day, money, 1.0), scenario)
    assert list(frame.index) == ["Office", "Home", "Shift"]
    for index, name in enumerate(frame.index):
        houses = [h for h in range(30) if day.street.group[h] == index]
        optimal = sum(float(money.bill[h, run]) for h in houses for run in range(10))
        change = sum(float(money.change[h, run]) for h in houses for run in range(10))
        more = sum(bool(money.change[h, run] > 0) for h in houses for run in range(10))
        shown = frame.loc[name]
        assert shown["Houses"] == str(len(houses))
        assert shown["Mean bill at optimal rates"] == amount(optimal / 10 / len(houses), scenario)
        assert shown["Mean change"] == amount(change / 10 / len(houses), scenario)
        assert shown["Mean change, %"] == percent(change / optimal)
        assert shown["Pay more"] == percent(more / 10 / len(houses))
    assert list(frame) == [
        "Houses",
        "Mean bill at optimal rates",
        "Mean change",
        "Mean change, %",
        "Worst tenth",
        "Pay more",
    ]


def test_a_group_without_houses_has_no_line() -> None:
    shares = (1.0, 0.0, 0.0)
    groups = tuple(group.replace(share=share) for group, share in zip(MIXED.groups, shares, strict=True))
    day = simulate(MIXED.replace(households=3, groups=groups))
    frame = group_frame(summarise(day, money_of_runs(day, "naive"), 1.0), day.scenario)
    assert list(frame.index) == ["Office"]
    assert list(frame["Houses"]) == ["3"]


def test_a_small_group_of_a_large_street_is_followed_too() -> None:
    shares = (0.989, 0.01, 0.001)
    groups = tuple(group.replace(share=share) for group, share in zip(MIXED.groups, shares, strict=True))
    day = simulate(MIXED.replace(households=1000, groups=groups))
    runs = simulate_runs(day.street_day, 5, 60)
    assert np.bincount(runs.group).tolist()[1:] == [10, 1]
    assert np.bincount(runs.group, weights=runs.weight).round(6).tolist() == [989, 10, 1]


@pytest.mark.parametrize(("most", "followed"), [(2, [1, 1, 1]), (12, [11, 4, 4]), (60, [59, 5, 5])])
def test_followed_houses_are_shared_out_to_small_groups(most: int, followed: list[int]) -> None:
    """Each group has its part of them, a third here, or all its five houses."""
    groups = tuple(
        group.replace(share=share) for group, share in zip(MIXED.groups, (0.99, 0.005, 0.005), strict=True)
    )
    runs = simulate_runs(draw_day(MIXED.replace(households=1000, groups=groups)), 2, most)
    assert np.bincount(runs.group).tolist() == followed

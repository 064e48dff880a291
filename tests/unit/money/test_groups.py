"""Bills by group, against bills added up by hand."""

from rtp import PRESETS, simulate
from rtp.core.formatting import percent
from rtp.money.bills import bills, group_frame
from rtp.scenario.units import amount


def test_every_group_has_the_mean_of_its_own_bills() -> None:
    scenario = PRESETS["mixed street"].replace(households=30, power_unit="kW", currency="EUR")
    day = simulate(scenario)
    own = bills(day)["blowfish"]
    frame = group_frame(day, own, 30.0)
    assert list(frame.index) == ["Office", "Home", "Shift"]
    for index, name in enumerate(frame.index):
        houses = [h for h in range(30) if day.street.group[h] == index]
        optimal = sum(float(own.optimal[h]) for h in houses)
        change = sum(float(own.published[h]) - float(own.optimal[h]) for h in houses)
        told = frame.loc[name]
        assert told["Houses"] == str(len(houses))
        assert told["Mean bill at optimal rates"] == amount(30 * optimal / len(houses), scenario)
        assert told["Mean change"] == amount(30 * change / len(houses), scenario)
        assert told["Mean change, %"] == percent(change / optimal)


def test_a_group_without_houses_has_no_line() -> None:
    mixed = PRESETS["mixed street"]
    shares = (1.0, 0.0, 0.0)
    groups = tuple(group.replace(share=share) for group, share in zip(mixed.groups, shares, strict=True))
    day = simulate(mixed.replace(households=3, groups=groups))
    frame = group_frame(day, bills(day)["naive"], 1.0)
    assert list(frame.index) == ["Office"]
    assert list(frame["Houses"]) == ["3"]

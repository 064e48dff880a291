"""A feeder of 180 houses against a script of its own: plain loops over houses and steps, none of the lab's
formulas. Under a second model of the curator's, shift workers leave otherwise."""

import numpy as np
import pytest

from rtp import PRESETS, read_table, simulate
from rtp.money.bills import bills, generator
from rtp.scenario import edit
from rtp.street.simulate import replay_houses

# One line per group, as it is copied from a spreadsheet: kilowatts, decimal points.
TABLE = (
    "group\thouses\toccupied_min\toccupied_max\tempty_min\tempty_max\n"
    "Office\t90\t4\t4.5\t0.1\t0.1\n"
    "Home\t60\t0.9\t1.2\t0.1\t0.1\n"
    "Shift\t30\t4\t4.5\t0.1\t0.1\n"
)
MIXED = PRESETS["mixed street"].replace(alpha=0.0004, beta=0.11, power_unit="kW", currency="EUR")
TWICE = edit.add_model(read_table(MIXED, TABLE), MIXED.models[0])
FEEDER = edit.put_period(TWICE, 1, 2, 0, edit.set_entry(MIXED.models[0].habits[2].periods[0], 1, 0, 0.5))
DAY = simulate(FEEDER)
STATES, POWER = replay_houses(DAY.street_day.spec, DAY.street, range(180))


def test_demand_and_rate_by_hand() -> None:
    assert np.bincount(DAY.street.group).tolist() == [90, 60, 30]
    for step in range(96):
        demand = sum(float(POWER[step, house]) for house in range(180))
        assert DAY.release["optimal"].rate[step] == pytest.approx(0.0004 * demand + 0.11, rel=1e-12)


def test_noise_by_hand() -> None:
    """At half past every hour: the largest house of the groups that can be in either state."""
    scale, street = DAY.release["blowfish"].scale, DAY.street
    told = [_uncertain(group) for group in range(3)]
    assert told[0][12] is False, "office workers are surely away at noon"
    for hour in range(24):
        bounds = [float(street.occupied_bound[h]) for h in range(180) if told[street.group[h]][hour]]
        expected = 0.0004 * max(bounds, default=0.0) / 0.5
        assert scale[4 * hour + 2] == pytest.approx(expected, rel=1e-12), hour


def _uncertain(group: int) -> list[bool]:
    """By the feeder's matrices alone: whether some model allows both states at half past every hour."""
    either = [False] * 24
    for model in FEEDER.models:
        habits, states = model.habits[group], {0, 1}
        starts = [part.start for part in habits.periods]
        for step in range(96):
            if step % 4 == 2:
                either[step // 4] |= len(states) == 2
            now = max((i for i, start in enumerate(starts) if start <= step / 4), default=len(starts) - 1)
            matrix = habits.periods[now].matrix
            states = {to for to in (0, 1) for come in states if matrix[come][to] > 0}
    return either


def test_money_by_hand() -> None:
    """A bill is the sum of rate × power × a quarter of an hour; without units it would be four times that."""
    found = bills(DAY)["blowfish"]
    rate = DAY.release["blowfish"].rate
    for house in (0, 89, 90, 149, 150, 179):
        euros = sum(float(rate[step]) * float(POWER[step, house]) * 0.25 for step in range(96))
        assert found.published[house] == pytest.approx(euros, rel=1e-12)
    bare = simulate(FEEDER.replace(power_unit="", currency=""))
    np.testing.assert_allclose(bills(bare)["blowfish"].published, 4 * found.published, rtol=1e-12)
    total = float(sum(found.published))
    cost = sum(0.25 * (0.0002 * z * z + 0.11 * z) for z in DAY.release["blowfish"].demand.tolist())
    assert generator(DAY)["blowfish"].profit == pytest.approx(total - cost, rel=1e-9)

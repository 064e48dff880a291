"""Each preset shows what its sentence promises."""

import numpy as np
import pytest

from rtp import PRESETS, Day, simulate
from rtp.audit.exact import exact_loss
from rtp.exposure import HIDDEN, VISIBLE, exposure
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms.blowfish import sensitivity_by_model


def _day(name: str) -> Day:
    return simulate(PRESETS[name])


def test_unsure_curator_changes_which_model_is_worst() -> None:
    day = _day("unsure curator")
    by_model = sensitivity_by_model(day.market.public)
    assert {-1.0, 1.0} <= set(np.sign(by_model[0] - by_model[1]))
    np.testing.assert_allclose(
        day.release["blowfish"].scale, by_model.max(axis=0) / day.scenario.epsilon, rtol=1e-14
    )


@pytest.mark.slow
def test_restless_houses_hide_a_moment_and_steady_ones_lose_it() -> None:
    restless, steady = _day("restless houses"), _day("steady houses")
    share = {
        day.scenario: moment_leakage(day, "blowfish").worst / exact_loss(day, "blowfish").total.max()
        for day in (restless, steady)
    }
    assert share[restless.scenario] < 0.05
    assert 0.95 < share[steady.scenario] <= 1
    assert exposure(restless.scenario, "moment", "insider").at("blowfish").high < HIDDEN
    assert exposure(restless.scenario, "week", "insider").at("blowfish").low > VISIBLE


@pytest.mark.long
def test_only_an_insider_sees_a_holiday_in_whole_town() -> None:
    scenario = PRESETS["whole town"]
    assert exposure(scenario, "week", "insider").at("blowfish").low > VISIBLE
    assert exposure(scenario, "week", "outsider").at("blowfish").high <= HIDDEN
    few = scenario.replace(households=100)  # it is the crowd that hides it
    assert exposure(few, "week", "outsider").at("blowfish").low > HIDDEN


# At 0, 2, … 22 o'clock, the share of people that obgeneration's tables have up and at home: of each kind on a
# working day, and of all on a day of the weekend.
TABLES = {
    "Long day away": (0.06, 0.02, 0.03, 0.13, 0.13, 0.08, 0.06, 0.05, 0.14, 0.45, 0.57, 0.29),
    "Mostly home": (0.13, 0.06, 0.08, 0.21, 0.59, 0.81, 0.89, 0.91, 0.91, 0.91, 0.86, 0.48),
    "Morning away": (0.07, 0.02, 0.05, 0.19, 0.39, 0.36, 0.39, 0.49, 0.80, 0.84, 0.83, 0.40),
    "Afternoon away": (0.11, 0.03, 0.05, 0.17, 0.57, 0.79, 0.86, 0.79, 0.49, 0.34, 0.48, 0.50),
    "Evening and night away": (0.00, 0.04, 0.01, 0.02, 0.26, 0.28, 0.36, 0.43, 0.38, 0.33, 0.12, 0.03),
    "Weekend": (0.10, 0.03, 0.03, 0.11, 0.38, 0.50, 0.49, 0.52, 0.56, 0.61, 0.67, 0.37),
}


def test_real_habits_follow_the_tables_they_come_from() -> None:
    """Within five percentage points, root mean square, on Friday and on Saturday."""
    day = _day("real habits")
    occupied, sizes = day.market.street_day.true_moments.occupied, np.bincount(day.street.group)
    shares = {group.name: occupied[g, :96:8] / sizes[g] for g, group in enumerate(day.scenario.groups)}
    shares["Weekend"] = occupied.sum(axis=0)[96::8] / sizes.sum()
    for name, table in TABLES.items():
        assert np.sqrt(np.mean((shares[name] - table) ** 2)) < 0.05

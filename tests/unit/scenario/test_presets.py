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

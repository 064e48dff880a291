"""The small street: the scenario's own, changed by nothing but an experiment, and thought through once."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Scenario, simulate
from rtp.scenario import PAPER_PERIODS, Habits, OccupancyModel
from rtp.simulation import street_spec
from rtp.teaching.experiments import experiments
from rtp.teaching.stage import (
    HouseChange,
    open_stage,
    opening,
    period_end,
    protected_by_any_model,
    small_street,
    step_table,
)
from tests.help.few import few

RICH = Scenario(
    households=5, beta=2.0, elasticity=0.8, inelastic_demand=1.5, clip_at_zero=True, independent_noise=True
)
any_change = st.builds(
    HouseChange, away=st.frozensets(st.integers(0, 3)), bound=st.sampled_from([None, 0.01, 3.0])
)


@pytest.mark.parametrize("scenario", [*PRESETS.values(), RICH], ids=[*PRESETS, "rich"])
def test_without_changes_it_is_the_scenarios_own_day(scenario: Scenario) -> None:
    small = small_street(scenario, 4)
    taught, day = open_stage(small, {}), simulate(small)
    release = day.release["blowfish"]
    np.testing.assert_array_equal(taught.states.sum(axis=1), day.street_day.occupied)
    for name in ("demand", "optimal", "rate", "scale", "protected", "setter"):
        np.testing.assert_allclose(
            getattr(taught.release, name), getattr(release, name), rtol=1e-13, atol=0, err_msg=name
        )


@pytest.mark.long
@given(
    st.dictionaries(st.integers(0, 2), any_change, max_size=3), st.sampled_from(["paper", "unsure curator"])
)
def test_after_any_changes_the_literal_algorithm_is_the_fast_one(
    changes: dict[int, HouseChange], name: str
) -> None:
    taught = open_stage(small_street(PRESETS[name], 3), changes)
    for t in range(96):
        step = taught.at(t)
        assert step.scale == pytest.approx(taught.release.scale[t], rel=1e-14, abs=0)
        assert protected_by_any_model(step) == set(np.flatnonzero(taught.protected[t]).tolist())
        assert len(protected_by_any_model(step)) == taught.release.protected[t]
        assert step.noise_setting_house == taught.release.setter[t]
        assert taught.release.rate[t] == taught.release.optimal[t] + taught.noise[t]
        truth = int("".join(str(int(s)) for s in taught.states[t]), 2)
        assert step.models[0].possible[truth], "what happens must be possible"


@pytest.mark.long
@given(any_change, st.integers(0, 3))
def test_a_changed_house_obeys_and_the_others_notice_nothing(change: HouseChange, house: int) -> None:
    small = small_street(PRESETS["mixed street"], 4)
    before, after = open_stage(small, {}), open_stage(small, {house: change})
    others = [h for h in range(4) if h != house]
    np.testing.assert_array_equal(before.states[:, others], after.states[:, others])
    np.testing.assert_array_equal(before.street.bound[others], after.street.bound[others])
    own = after.states[:, house]
    period = street_spec(small).schedules[0][int(after.street.group[house])].period
    assert not (change.away and own[0])
    for during, (was, now) in zip(period[:-1].tolist(), pairwise(own.tolist()), strict=True):
        assert was or not now or during not in change.away, "it never comes home while it is away"
    ratio = after.street.bound[house] / before.street.bound[house]
    assert after.street.bound[house] == pytest.approx(change.bound or before.street.bound[house], rel=1e-15)
    assert after.street.empty_bound[house] == pytest.approx(ratio * before.street.empty_bound[house])


@pytest.mark.parametrize("name", list(PRESETS))
@pytest.mark.parametrize("houses", few([2, 5], 2))
def test_the_stage_opens_where_lines_leave_something_out(name: str, houses: int) -> None:
    small = small_street(PRESETS[name], houses)
    before, opened = open_stage(small, {}), open_stage(small, opening(small))
    assert bool(opened.changes) == before.protected[0].all(), "some house may be certain already"
    for house in opened.changes:
        assert before.street.bound[house] == before.street.bound.min(), "the noise is still the street's own"
        assert not opened.protected[: period_end(opened, 0), house].any()
    own = opened.at(0).models[0]
    assert not own.possible.all()
    assert len(own.protected) < houses


@pytest.mark.parametrize("shorter_first", [True, False])
def test_models_may_have_different_numbers_of_periods(shorter_first: bool) -> None:
    day = Habits(periods=PAPER_PERIODS[1:3])
    models = (OccupancyModel(name="Two", habits=(day,)), OccupancyModel(name="Four"))
    small = small_street(Scenario(models=models if shorter_first else models[::-1]), 3)
    stage = open_stage(small, opening(small))
    (house,) = stage.changes
    assert not stage.protected[0, house], "known to be empty under both models"
    assert len(step_table(stage, 0).columns) == 2 + 3 * len(models), "each model has its own"
    for experiment in experiments(stage):
        open_stage(small, experiment.changes).at(experiment.step)

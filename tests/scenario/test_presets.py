"""Each preset shows what its sentence promises."""

import numpy as np
import pytest

from rtp import PRESETS, Day, simulate
from rtp.audit.exact import account
from rtp.mechanisms import REGISTRY
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.overtime.moment import moment
from rtp.overtime.overview import HIDDEN, VISIBLE, overview
from rtp.scenario import LIBRARY


def _day(name: str) -> Day:
    return simulate(PRESETS[name])


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_runs_and_says_what_to_look_at(name: str) -> None:
    day = _day(name)
    assert LIBRARY[name].look_at.endswith(".")
    assert set(day.release) == set(REGISTRY)
    for release in day.release.values():
        assert np.isfinite(release.rate).all()
        assert np.isfinite([release.rmsre, release.expected_rmsre]).all()


def test_the_presets_of_the_design_are_there() -> None:
    wanted = [
        "paper",
        "quiet night",
        "mansions",
        "tiny street",
        "mixed street",
        "unsure curator",
        "elastic demand",
    ]
    assert set(wanted) <= set(PRESETS)


def test_paper_protects_everyone_all_day() -> None:
    assert (_day("paper").release["blowfish"].protected == 1000).all()


def test_quiet_night_drops_houses_down_to_nobody_and_then_publishes_the_exact_rate() -> None:
    day = _day("quiet night")
    release = day.release["blowfish"]
    assert release.protected.min() == 0
    assert release.protected.max() == 1000
    certain = release.protected == 0
    assert (release.scale[certain] == 0).all()
    assert (release.setter[certain] == -1).all()
    for name in ("blowfish", "calibrated", "filtered"):
        np.testing.assert_allclose(
            day.release[name].rate[certain], day.release[name].optimal[certain], rtol=1e-12
        )


def test_mansions_step_the_noise_down_and_up() -> None:
    day = _day("mansions")
    release = day.release["blowfish"]
    steps = np.diff(release.scale)
    assert (steps > 0).any()
    assert (steps < 0).any()
    assert release.scale.max() > 3 * release.scale.min() > 0
    mansions = day.street.group[release.setter] == 0
    assert mansions.any()
    assert not mansions.all()
    assert release.scale[mansions].min() > release.scale[~mansions].max()


def test_tiny_street_fits_the_algorithm_page() -> None:
    assert PRESETS["tiny street"].households == 5


def test_mixed_street_has_three_groups_and_a_changing_protected_set() -> None:
    day = _day("mixed street")
    assert np.unique(day.street.group).tolist() == [0, 1, 2]
    assert len(np.unique(day.release["blowfish"].protected)) > 2
    assert len(np.unique(day.street.group[day.release["blowfish"].setter])) > 1


def test_unsure_curator_changes_which_model_is_worst() -> None:
    scenario = PRESETS["unsure curator"]
    day = simulate(scenario)
    by_model = sensitivity_by_model(day.market.public)
    assert by_model.shape == (len(scenario.models), scenario.steps)
    assert (by_model[0] > by_model[1]).any()
    assert (by_model[1] > by_model[0]).any()
    np.testing.assert_allclose(
        day.release["blowfish"].scale, by_model.max(axis=0) / scenario.epsilon, rtol=1e-14
    )


def test_elastic_demand_gives_every_mechanism_its_own_world() -> None:
    day = _day("elastic demand")
    demands = [release.demand for name, release in day.release.items() if not REGISTRY[name].neglects]
    assert all((a != b).any() for i, a in enumerate(demands) for b in demands[:i])


@pytest.mark.slow
def test_restless_houses_lose_less_of_a_moment_than_a_rate_may_tell_and_their_holiday_shows() -> None:
    day = _day("restless houses")
    found = moment(day, "blowfish")
    assert found.worst < day.scenario.epsilon
    seen = overview(day.scenario, "blowfish", found.step).found
    assert seen["moment", "others"].low < HIDDEN
    assert seen["holiday", "others"].low > VISIBLE


def test_steady_houses_lose_nearly_all_of_the_day_in_one_moment() -> None:
    day = _day("steady houses")
    assert 0.95 < moment(day, "blowfish").worst / account(day, "blowfish").total.max() <= 1
    restless = _day("restless houses")  # where most is forgotten
    assert moment(restless, "blowfish").worst / account(restless, "blowfish").total.max() < 0.05


@pytest.mark.slow
def test_a_holiday_in_the_whole_town_is_seen_by_an_insider_only() -> None:
    scenario = PRESETS["whole town"]
    seen = overview(scenario, "blowfish", 0).found
    assert seen["holiday", "others"].low > VISIBLE
    assert seen["holiday", "model"].value <= HIDDEN
    alone = overview(scenario.replace(households=100), "blowfish", 0).found  # it is the crowd that hides it
    assert alone["holiday", "model"].low > HIDDEN

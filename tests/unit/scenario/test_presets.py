"""Each preset shows what its sentence promises."""

import numpy as np
import pytest

from rtp import PRESETS, Day, simulate
from rtp.audit.exact import exact_loss
from rtp.leakage.moment import moment_leakage
from rtp.leakage.overview import HIDDEN, VISIBLE, overview
from rtp.mechanisms import REGISTRY
from rtp.mechanisms.blowfish import sensitivity_by_model
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


def test_quiet_night_protects_nobody_and_publishes_the_exact_rate() -> None:
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
def test_restless_houses_hide_a_moment_but_not_a_holiday() -> None:
    day = _day("restless houses")
    found = moment_leakage(day, "blowfish")
    assert found.worst < day.scenario.epsilon
    seen = overview(day.scenario, "blowfish", found.step).areas
    assert seen["moment", "insider"].low < HIDDEN
    assert seen["holiday", "insider"].low > VISIBLE


def test_steady_houses_lose_nearly_everything_in_one_moment() -> None:
    day = _day("steady houses")
    assert 0.95 < moment_leakage(day, "blowfish").worst / exact_loss(day, "blowfish").total.max() <= 1
    restless = _day("restless houses")  # where most is forgotten
    assert moment_leakage(restless, "blowfish").worst / exact_loss(restless, "blowfish").total.max() < 0.05


@pytest.mark.long
def test_only_an_insider_sees_a_holiday_in_whole_town() -> None:
    scenario = PRESETS["whole town"]
    seen = overview(scenario, "blowfish", 0).areas
    assert seen["holiday", "insider"].low > VISIBLE
    assert seen["holiday", "outsider"].value <= HIDDEN
    alone = overview(scenario.replace(households=100), "blowfish", 0).areas  # it is the crowd that hides it
    assert alone["holiday", "outsider"].low > HIDDEN


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
    """Within five percentage points, root mean square, on Friday and on Saturday; noon is as the sentence
    says."""
    day = _day("real habits")
    scenario, occupied = day.scenario, day.market.street_day.true_moments.occupied
    sizes = np.bincount(day.street.group)
    for g, group in enumerate(scenario.groups):
        friday = occupied[g, :96:8] / sizes[g]
        assert np.sqrt(np.mean((friday - TABLES[group.name]) ** 2)) < 0.05
    saturday = occupied.sum(axis=0)[96::8] / sizes.sum()
    assert np.sqrt(np.mean((saturday - TABLES["Weekend"]) ** 2)) < 0.05
    noon = day.expected_occupancy[[48, 96 + 48]]
    assert 0.28 < noon[0] < 0.38
    assert 0.45 < noon[1] < 0.55

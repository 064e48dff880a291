"""Laws that hold on every street."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Day, Group, Habits, OccupancyModel, Scenario, simulate
from rtp.mechanisms import REGISTRY
from rtp.scenario import BOUNDS, PAPER_PERIODS, period
from tests.help.few import few
from tests.help.hourly import HOURLY
from tests.help.numbers import ROOMS, numbers
from tests.help.record import RENEW, changes, forgotten, recorded
from tests.help.root import ROOT
from tests.help.strategies import scenarios


@pytest.mark.slow
@given(scenarios(max_households=8), st.floats(0.1, 10), st.sampled_from([0.0, 0.8]))
def test_changing_the_budget_changes_neither_occupancy_nor_demand(
    scenario: Scenario, factor: float, elasticity: float
) -> None:
    """Unless it follows prices with noise: one key serves the rates without noise of every ε."""
    scenario = scenario.replace(elasticity=elasticity)
    here, there = simulate(scenario), simulate(scenario.replace(epsilon=factor * scenario.epsilon))
    assert here.occupancy.tobytes() == there.occupancy.tobytes()
    for name, mechanism in REGISTRY.items():
        same = ("demand", "optimal") * (not elasticity) + ("demand", "rate") * (not mechanism.adds_noise)
        for field in same:
            one, other = (getattr(day.release[name], field) for day in (here, there))
            assert one.tobytes() == other.tobytes()


@pytest.mark.slow
@given(scenarios(max_households=8), st.floats(0.1, 10))
def test_a_street_in_another_currency_has_the_same_errors(scenario: Scenario, factor: float) -> None:
    """α and β scaled together scale every rate and leave every relative error."""
    dearer = scenario.replace(alpha=factor * scenario.alpha, beta=factor * scenario.beta)
    here, there = simulate(scenario), simulate(dearer)
    for name in here.release:
        np.testing.assert_allclose(
            there.release[name].rate, factor * here.release[name].rate, rtol=1e-9, atol=1e-9
        )
        np.testing.assert_allclose(there.release[name].rmsre, here.release[name].rmsre, rtol=1e-6, atol=1e-14)
        np.testing.assert_allclose(
            there.release[name].expected_rmsre, here.release[name].expected_rmsre, rtol=1e-6, atol=1e-14
        )


# Streets at the edge: one house, no demand, the smallest and the largest budget


ZERO = Scenario(
    households=4,
    beta=0.0,
    groups=(Group(empty_max=0.0),),
    models=(
        OccupancyModel(
            habits=(
                Habits(
                    initial_occupied=0.0,
                    periods=tuple(period(p.name, p.start, leave=0.5, arrive=0.0) for p in PAPER_PERIODS),
                ),
            )
        ),
    ),
)


@pytest.mark.parametrize("elasticity", [0.0, 1.0])
@pytest.mark.parametrize("clip", [False, True])
def test_a_street_that_uses_nothing_for_nothing_has_no_error_where_nothing_is_added(
    elasticity: float, clip: bool
) -> None:
    day = simulate(ZERO.replace(elasticity=elasticity, clip_at_zero=clip))
    for name, release in day.release.items():
        assert (release.demand == 0).all()
        assert release.rmsre == (np.inf if name == "naive" else 0.0)


@pytest.mark.long
@pytest.mark.parametrize("epsilon", [BOUNDS["epsilon"].low, BOUNDS["epsilon"].high])
@pytest.mark.parametrize("name", HOURLY)
def test_extremes_stay_finite(name: str, epsilon: float) -> None:
    for changed in (
        {"households": 1},
        {"households": 7, "days": 3, "habit_spread": 0.5},
        {"households": 2, "elasticity": 5.0, "clip_at_zero": True},
        {"households": 3, "alpha": BOUNDS["alpha"].high, "inelastic_demand": BOUNDS["inelastic_demand"].high},
        {"households": 3, "alpha": BOUNDS["alpha"].low, "independent_noise": True, "naive_bound": "realised"},
    ):
        day = simulate(HOURLY[name].replace(epsilon=epsilon, **changed))
        for release in day.release.values():
            assert np.isfinite(release.rate).all()
            assert np.isfinite(release.demand).all()
            assert np.isfinite([release.rmsre, release.expected_rmsre]).all()
            assert (release.scale >= 0).all()


@pytest.mark.parametrize("start", [1.0, 0.5])
def test_houses_that_use_a_trillion_times_more_when_empty_have_no_negative_variance(start: float) -> None:
    """A sum over the occupied and one over the empty: no difference of large numbers."""
    stay = tuple(period(p.name, p.start, leave=0.0, arrive=0.5) for p in PAPER_PERIODS)
    group = Group(occupied_max=BOUNDS["occupied_max"].low, empty_max=BOUNDS["empty_max"].high)
    model = OccupancyModel(habits=(Habits(initial_occupied=start, periods=stay),))
    for seed in range(10):
        day = simulate(Scenario(households=10, beta=0.0, groups=(group,), models=(model,), seed=seed))
        assert (day.street_day.true_moments.variance > 0).all()
        if start == 1.0:
            bound = day.street.occupied_bound
            np.testing.assert_allclose(
                day.street_day.true_moments.expected_demand[0], bound.sum() / 2, rtol=1e-12
            )
            np.testing.assert_allclose(
                day.street_day.true_moments.variance[0], (bound**2).sum() / 12, rtol=1e-12
            )


# The same scenario gives the same bytes: in another process, with other hashes


def fingerprint(day: Day) -> str:
    """Every byte of what a day says."""
    digest = hashlib.sha256()
    for array in (day.occupancy, day.consumption, day.expected_occupancy, day.street.occupied_bound):
        digest.update(array.tobytes())
    for name, release in day.release.items():
        digest.update(name.encode())
        for field in ("demand", "optimal", "rate", "scale", "protected", "setter"):
            digest.update(getattr(release, field).tobytes())
        digest.update(repr((release.rmsre, release.expected_rmsre)).encode())
    return digest.hexdigest()


SEVERAL = ["mansions", "unsure curator", "elastic demand"]


def fingerprints() -> list[str]:
    return [fingerprint(simulate(PRESETS[name].replace(households=20_000, seed=9))) for name in SEVERAL]


@pytest.mark.long
def test_same_seed_same_bytes_in_another_process() -> None:
    """With other hashes: those of this one are drawn when it starts."""
    code = "from tests.proofs.test_properties import fingerprints; print(*fingerprints())"
    environment = {**os.environ, "PYTHONHASHSEED": "4242", "PYTHONPATH": str(ROOT)}
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == fingerprints()


# Every recorded room still gives its numbers: `make record` records them anew, and prints what changed


@pytest.mark.parametrize("room", few(ROOMS, *(room for room in ROOMS if room not in ("meters", "tradeoff"))))
def test_numbers_are_those_that_were_recorded(room: str) -> None:
    assert list(changes(recorded(room), numbers(room))) == [], RENEW


def test_nothing_is_recorded_that_nobody_asks() -> None:
    assert forgotten() == [], RENEW

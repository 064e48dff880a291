"""Threshold noise: whom it guards, how likely it is to fail, and what those lose whom it neglects."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.audit.exact import exact_loss
from rtp.audit.trial import Verdict, trial
from rtp.core.types import Bools, Floats
from rtp.mechanisms import REGISTRY
from rtp.probability.markov import propagate
from rtp.simulation import draw_day
from tests.help.hourly import HOURLY

SCENARIOS = [PRESETS[name].replace(households=40) for name in ("mixed street", "unsure curator", "mansions")]


def house_by_house(scenario: Scenario) -> tuple[Bools, list[Bools], list[Floats]]:
    """(T, N) covered; by model: (T, N) open, (T, N) the smaller of the two chances."""
    life = draw_day(scenario)
    open_, unlikely = [], []
    for model in range(len(scenario.models)):
        chance = propagate(life.spec.chains(life.street, model))
        open_.append(life.support_classes.both_states_possible[model][:, life.support_classes.of_house])
        unlikely.append(np.minimum(chance, 1 - chance))
    likely = [o & (u > scenario.negligible) for o, u in zip(open_, unlikely, strict=True)]
    return np.any(likely, axis=0), open_, unlikely


@pytest.mark.parametrize("preset", HOURLY)
def test_with_nothing_negligible_it_is_blowfish_bit_for_bit(preset: str) -> None:
    day = simulate(HOURLY[preset].replace(households=50))
    one, other = day.release["threshold"], day.release["blowfish"]
    for name in ("rate", "scale", "protected", "setter"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("negligible", [1e-3, 0.1, 0.45])
def test_it_guards_whom_the_models_give_two_likely_states(scenario: Scenario, negligible: float) -> None:
    scenario = scenario.replace(negligible=negligible, days=2)
    day = simulate(scenario)
    covered, _, _ = house_by_house(scenario)
    release = day.release["threshold"]
    bounds = np.where(covered, day.street.bound, 0.0)
    np.testing.assert_allclose(
        release.scale, scenario.alpha * bounds.max(axis=1) / scenario.epsilon, rtol=1e-12
    )
    np.testing.assert_array_equal(release.protected, covered.sum(axis=1))
    guarded = release.setter >= 0
    np.testing.assert_array_equal(release.setter[guarded], bounds.argmax(axis=1)[guarded])
    np.testing.assert_array_equal(guarded, bounds.max(axis=1) > 0)
    assert (release.scale <= day.release["blowfish"].scale).all()


@pytest.mark.long
@pytest.mark.parametrize("scenario", SCENARIOS[:2])
def test_the_audit_tells_what_is_kept_from_what_is_neglected(scenario: Scenario) -> None:
    scenario = scenario.replace(negligible=0.2)
    day = simulate(scenario)
    covered, open_, _ = house_by_house(scenario)
    found = exact_loss(day, "threshold")
    assert found.kept
    widths = day.release["threshold"].scale / scenario.alpha
    neglected = np.any(open_, axis=0) & ~covered
    for step in range(scenario.steps):
        apart = np.abs(day.street.occupied_bound - day.street.empty_bound)[neglected[step]].max(initial=0.0)
        assert (found.neglected[step] > 0) == (apart > 0)
        if widths[step] == 0 and apart > 0:
            assert np.isinf(found.neglected[step])
    alone = [REGISTRY["threshold"]]
    (proof,) = trial(scenario, n=64, street_day=day.street_day, mechanisms=alone).values()
    assert isinstance(proof, Verdict)
    assert not proof.broken
    assert (exact_loss(day, "blowfish").neglected == 0).all()


def test_its_failure_is_that_of_each_house_followed_alone() -> None:
    """As a product of matrices from which the unlikely state is taken out where it is neglected."""
    scenario = PRESETS["tiny street"].replace(households=3, negligible=0.3)
    life = draw_day(scenario)
    covered, (open_,), (unlikely,) = house_by_house(scenario)
    chains = life.spec.chains(life.street, 0)
    chance, moves = propagate(chains), [*chains.transitions(), (np.zeros(3), np.zeros(3))]
    neglected = open_ & ~covered
    never = []
    for house in range(3):
        weights = np.array([1 - chains.initial[house], chains.initial[house]])
        for t in range(scenario.steps):
            if neglected[t, house]:
                weights[int(chance[t, house] <= 0.5)] = 0.0
            leave, arrive = (float(c[house]) for c in moves[t])
            weights = weights @ np.array([[1 - arrive, arrive], [leave, 1 - leave]])
        never.append(weights.sum())
    failure = life.prior_marginals.failure(scenario.negligible)
    assert 0.01 < failure.day_of_one < failure.day_of_any < 1
    assert failure.day_of_one == pytest.approx(1 - min(never), abs=1e-12)
    assert failure.day_of_any == pytest.approx(1 - np.prod(never), abs=1e-12)
    fails = np.where(neglected, unlikely, 0.0)
    np.testing.assert_allclose(failure.of_one, fails.max(axis=1))
    np.testing.assert_allclose(failure.of_any, 1 - (1 - fails).prod(axis=1), atol=1e-12)

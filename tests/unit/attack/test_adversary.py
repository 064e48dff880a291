"""The observer: bounded by the promise, calibrated, and told in chances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import AdversaryKind, posterior, worst
from tests.help.strategies import scenarios
from tests.unit.attack.streets import KNOWLEDGE, assert_calibrated

PRIVATE = ("naive", "blowfish", "calibrated", "filtered")
ROUNDING = 1e-9


@pytest.mark.slow
@given(
    scenario=scenarios(max_households=7, max_models=2),
    longer=st.booleans(),
    elasticity=st.sampled_from([0.0, 1.5]),
    clip=st.booleans(),
    mechanism=st.sampled_from(["optimal", *PRIVATE]),
)
def test_no_rate_tells_more_than_promised(
    scenario: Scenario, longer: bool, elasticity: float, clip: bool, mechanism: str
) -> None:
    """Of one house to whom the others' use is known, or of the first rate: later ones find houses tied. On a
    few houses by the joint law, on more than a dozen by the Gaussian. Certain houses give no evidence."""
    if longer:
        scenario = scenario.replace(households=14)
    day = simulate(scenario.replace(elasticity=elasticity, clip_at_zero=clip))
    for adversary in KNOWLEDGE:
        found = posterior(day, mechanism, adversary=adversary, model=scenario.model_names[0])
        assert ((found.belief >= 0) & (found.belief <= 1)).all()
        evidence = np.abs(found.log_likelihood_ratio)
        assert not np.isnan(evidence).any()
        kinds = day.street_day.support_classes
        assert (evidence[~kinds.both_states_possible[0][:, kinds.of_house]] == 0).all()
        if mechanism in PRIVATE:
            covered = evidence if adversary == "insider" else evidence[0]
            assert covered.max() <= scenario.epsilon * (1 + ROUNDING) + 1e-8


@pytest.mark.parametrize("adversary", KNOWLEDGE)
def test_of_several_models_the_worst_is_one_of_them_all_day(adversary: AdversaryKind) -> None:
    """The one under which the rates move her furthest from what it says alone, wherever it stands in Θ."""
    day = simulate(PRESETS["unsure curator"].replace(households=40))
    found = posterior(day, "calibrated", adversary=adversary)
    assert [p.model for p in found.by_model] == [m.name for m in day.scenario.models]
    moved = [float(np.abs(p.belief - p.model_only).mean()) for p in found.by_model]
    one = found.by_model[moved.index(max(moved))]
    assert found.model == one.model
    for name in ("belief", "prior", "log_likelihood_ratio", "model_only"):
        np.testing.assert_array_equal(getattr(found, name), getattr(one, name))
    assert worst(found.by_model[::-1]).model == found.model
    only = posterior(day, "calibrated", adversary=adversary, model=day.scenario.models[1].name)
    np.testing.assert_array_equal(only.belief, found.by_model[1].belief)
    assert only.by_model == ()


@pytest.mark.long
@pytest.mark.parametrize("mechanism", ["optimal", "calibrated"])
@pytest.mark.parametrize("adversary", KNOWLEDGE)
def test_beliefs_are_calibrated(adversary: AdversaryKind, mechanism: str) -> None:
    """Of the moments she says 80 %, 80 % are occupied."""
    assert_calibrated(
        [Scenario(households=60, seed=seed) for seed in range(16)],
        lambda day: posterior(day, mechanism, adversary=adversary),
    )

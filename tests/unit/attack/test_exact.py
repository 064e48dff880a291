"""The observer is exact where that is possible: by all joint states, by hand, and by undoing a rate."""

from collections.abc import Iterator

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.algorithm1 import all_states, bayes, initial_distribution, log_likelihood, transition
from rtp.attack.adversary import posterior
from rtp.core.types import Floats
from rtp.mechanisms import filtered
from rtp.simulation import Day
from tests.unit.attack.streets import KNOWLEDGE


def joint_beliefs(day: Day, mechanism: str, model: int = 0) -> Iterator[Floats]:
    """Pr[occupied] of every house by the filter on all 2^N states, straight from the published rates."""
    scenario, street, release = day.scenario, day.street, day.release[mechanism]
    chains = day.street_day.spec.chains(street, model)
    moves = chains.transitions()
    states, prior = all_states(scenario.households), initial_distribution(chains.initial)
    for step, g in enumerate(day.market.tariff.responses(release.rate).tolist()):
        seen = log_likelihood(
            float(release.rate[step]),
            alpha=scenario.alpha,
            beta=scenario.beta + scenario.alpha * scenario.inelastic_demand,
            scale=float(release.scale[step]),
            occupied_bound=g * street.occupied_bound,
            empty_bound=g * street.empty_bound,
        )
        with np.errstate(divide="ignore"):
            posterior_now = np.exp(bayes(np.log(prior), seen))
        yield posterior_now @ states
        if step + 1 == scenario.steps:
            return
        leave, arrive = next(moves)
        prior = posterior_now @ transition(
            np.array([[1 - arrive, arrive], [leave, 1 - leave]]).transpose(2, 0, 1)
        )


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["optimal", "blowfish", "calibrated"])
@pytest.mark.parametrize(("houses", "elasticity"), [(1, 0.0), (1, 2.0), (2, 0.0), (6, 0.0)])
def test_all_day_she_is_the_filter_on_all_joint_states(
    houses: int, elasticity: float, mechanism: str
) -> None:
    """The literal recursion of the paper, by the joint matrix and densities from another formula. With one
    house alone both kinds of knowledge are the same."""
    scenario = Scenario(households=houses, seed=3, step_minutes=60, alpha=1.7, inelastic_demand=3.0)
    day = simulate(scenario.replace(elasticity=elasticity, beta=0.1 if elasticity else 62.5))
    exact = np.array(list(joint_beliefs(day, mechanism)))
    for adversary in KNOWLEDGE if houses == 1 else KNOWLEDGE[:1]:
        found = posterior(day, mechanism, adversary=adversary)
        np.testing.assert_allclose(found.belief, exact, rtol=0, atol=1e-6)


@pytest.mark.parametrize("preset", ["paper", "mixed street", "unsure curator", "elastic demand"])
def test_the_filter_can_be_undone(preset: str) -> None:
    scenario = PRESETS[preset].replace(households=300, epsilon=0.3)
    scenario = scenario.replace(assumed_model=scenario.models[-1].name)
    day = simulate(scenario)
    release, public = day.release["filtered"], day.market.public
    g = public.tariff.responses(release.rate)
    noisy = filtered.invert(public, release.scale, release.rate, g)
    again, _, _ = filtered.postprocess(public, slice(0, len(noisy)), release.scale, noisy, g, None)
    np.testing.assert_allclose(again, release.rate, rtol=1e-12)
    if not scenario.elasticity:  # mechanisms share the day's noise: the noisy rate is the calibrated one
        np.testing.assert_allclose(noisy, day.release["calibrated"].rate, rtol=1e-9)
        first = scenario.models[0].name
        same = [posterior(day, m, model=first).belief for m in ("filtered", "calibrated")]
        np.testing.assert_allclose(same[0], same[1], atol=1e-7)


def test_a_clipped_rate_is_the_event_of_being_at_most_zero() -> None:
    """Its evidence is a ratio of probabilities: E[e^{−X/b}] in the two states, whatever the others use."""
    day = simulate(Scenario(households=3, beta=0.0, epsilon=0.3, clip_at_zero=True, seed=1))
    rates, b = day.release["blowfish"].rate, day.release["blowfish"].scale[0]
    clipped = rates == 0
    assert clipped.sum() > 5
    used = (np.arange(100_000) + 0.5) / 100_000  # midpoints of U(0, 1)
    chance = [
        [np.exp(-used * bound / b).mean() for bound in bounds]
        for bounds in (day.street.occupied_bound, day.street.empty_bound)
    ]
    expected = np.log(chance[0]) - np.log(chance[1])
    found = posterior(day, "blowfish", adversary="insider").log_likelihood_ratio[clipped]
    np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), atol=1e-8)
    one = simulate(day.scenario.replace(households=1))
    same = [posterior(one, "blowfish", adversary=adversary).log_likelihood_ratio for adversary in KNOWLEDGE]
    assert (one.release["blowfish"].rate == 0).any()
    np.testing.assert_allclose(same[0], same[1], atol=1e-8)

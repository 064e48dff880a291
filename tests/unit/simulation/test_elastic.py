"""Price response: one scalar recursion per mechanism, and what every house would do on its own."""

import numpy as np
import pytest

from rtp import PRESETS, Day, simulate
from rtp.core.random import Stream, seed_of
from rtp.mechanisms import REGISTRY
from rtp.simulation import unit_noise
from rtp.street.simulate import replay_houses


def saving(published: list[float], reference: float, elasticity: float) -> float:
    """min(1, (r̂/r_ref)^(−η)) of the last rate; what is cheap, or even free, saves nothing."""
    if not published or published[-1] <= 0:
        return 1.0
    return min(1.0, float((published[-1] / reference) ** -elasticity))


def mean_expected_rate(day: Day) -> float:
    """The default reference rate, from its definition."""
    s, expected = day.scenario, day.street_day.true_moments.expected_demand
    return float(np.mean([s.alpha * (demand + s.inelastic_demand) + s.beta for demand in expected]))


@pytest.mark.long
@pytest.mark.parametrize("name", ["elastic demand", "mixed street"])
@pytest.mark.parametrize("clip", [False, True])
def test_elastic_feedback_is_that_of_every_house_on_its_own(name: str, clip: bool) -> None:
    """The slow twin: every house sees the last published rate and scales its own consumption."""
    scenario = PRESETS[name].replace(
        households=30, elasticity=1.3, epsilon=0.05, beta=5.0, inelastic_demand=2.0, clip_at_zero=clip, days=2
    )
    day = simulate(scenario)
    public = day.market.public
    _, consumption = replay_houses(day.street_day.spec, day.street, range(30))
    reference = mean_expected_rate(day)
    unit = unit_noise(seed_of(scenario.seed, Stream.NOISE), scenario.steps, False)["naive"]  # for all
    clipped = 0
    for mechanism in REGISTRY.values():
        scale = mechanism.scale(public).scale[:, 0]
        published: list[float] = []
        state = None
        for t in range(scenario.steps):
            factors = [saving(published, reference, 1.3) for _ in range(30)]
            used = [g * x for g, x in zip(factors, consumption[t], strict=True)]
            optimal = scenario.alpha * (sum(used) + 2.0) + scenario.beta
            rate = optimal + scale[t] * unit[t]
            if mechanism.postprocess is not None:
                now, seen, g = slice(t, t + 1), np.array([rate]), np.array(factors[:1])
                (rate,), _, state = mechanism.postprocess(public, now, scale[now], seen, g, state)
            if clip:
                clipped += rate < 0
                rate = max(rate, 0.0)
            published.append(float(rate))
            assert day.release[mechanism.name].demand[t] == pytest.approx(sum(used) + 2.0, rel=1e-9)
            assert day.release[mechanism.name].optimal[t] == pytest.approx(optimal, rel=1e-9)
        np.testing.assert_allclose(day.release[mechanism.name].rate, published, rtol=1e-9, atol=1e-9)
    assert (clipped > 0) == clip

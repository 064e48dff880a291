"""From demand to rate and cost, back through the price response."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate

from rtp import PRESETS, Day, Scenario, metrics, simulate
from rtp.core.random import Stream, seed_of
from rtp.mechanisms import REGISTRY
from rtp.paper.comparison import printed_rmsre
from rtp.scenario import BOUNDS
from rtp.scenario.share import read_link, to_link
from rtp.simulation import draw_day, market, unit_noise
from rtp.street.simulate import replay_houses
from rtp.tariff import Tariff


def tariff(**changes: Any) -> Tariff:
    return replace(
        Tariff(
            alpha=1.0, beta=62.5, inelastic_demand=0.0, elasticity=0.0, reference=62.5, clip_at_zero=False
        ),
        **changes,
    )


def test_the_optimal_rate_is_the_marginal_cost() -> None:
    demand, h, rules = np.array([0.0, 10.0, 400.0]), 1e-4, tariff(alpha=1.5)
    marginal = (rules.cost(demand + h, gamma=7.0) - rules.cost(demand - h, gamma=7.0)) / (2 * h)
    np.testing.assert_allclose(rules.rate(demand), marginal, rtol=1e-6)


@given(
    st.floats(-1e6, 1e9),
    st.floats(BOUNDS["reference_rate"].low, 1e6),
    st.floats(BOUNDS["elasticity"].low, BOUNDS["elasticity"].high),
)
def test_response_saves_when_dear_and_never_adds(
    previous: float, reference: float, elasticity: float
) -> None:
    (g,) = tariff(reference=reference, elasticity=elasticity).response(np.array([previous]))
    assert 0 < g <= 1
    if elasticity == 0 or previous <= reference:
        assert g == 1.0
    else:
        assert g == pytest.approx((reference / previous) ** elasticity, rel=1e-12)


def test_the_reference_is_the_mean_rate_unless_one_is_stated() -> None:
    scenario = PRESETS["elastic demand"].replace(households=20, alpha=2.0, beta=10.0, inelastic_demand=3.0)
    life = draw_day(scenario)
    expected = 2.0 * (life.true_moments.expected_demand.mean() + 3.0) + 10.0
    assert market(scenario, life).tariff.reference == pytest.approx(expected, rel=1e-12)
    assert market(scenario.replace(reference_rate=9.5), life).tariff.reference == 9.5


def test_a_cap_changes_nothing_but_what_is_published_above_it() -> None:
    free = Scenario(households=30, epsilon=0.05)
    before = simulate(free)
    cap = float(np.median(before.release["naive"].rate))
    after = simulate(free.replace(price_cap=cap))
    for name, release in before.release.items():
        np.testing.assert_array_equal(after.release[name].rate, np.minimum(release.rate, cap))
        np.testing.assert_array_equal(after.release[name].scale, release.scale)
    assert "price_cap" not in free.to_json()
    assert read_link(to_link(free.replace(price_cap=cap))).scenario.price_cap == cap


# Arrays in, numbers out


def test_the_error_is_the_root_mean_square_and_the_paper_divides_it_by_the_root_of_t() -> None:
    published, optimal = np.array([11.0, 18.0, 36.0]), np.array([10.0, 20.0, 30.0])
    error = metrics.rmsre(published, optimal)
    assert error == pytest.approx(np.sqrt((0.01 + 0.01 + 0.04) / 3))
    assert printed_rmsre(error, 3) == pytest.approx(np.sqrt(0.01 + 0.01 + 0.04) / 3)


def test_a_relative_error_has_its_sign_and_none_at_zero() -> None:
    published, optimal = np.array([11.0, 18.0, 0.0, 0.1]), np.array([10.0, 20.0, 0.0, 0.0])
    assert metrics.relative_error(published, optimal).tolist() == pytest.approx([0.1, -0.1, 0.0, np.inf])


@pytest.mark.parametrize("optimal", [0.0, 0.5, 3.0, 100.0])
@pytest.mark.parametrize("scale", [0.2, 1.0, 5.0])
def test_squared_error_of_laplace_noise_matches_quadrature(optimal: float, scale: float) -> None:
    def squared(noise: float, low: float, high: float) -> float:
        published = min(max(optimal + noise, low), high)
        return (published - optimal) ** 2 * float(np.exp(-abs(noise) / scale)) / (2 * scale)

    for low, high in ((-np.inf, np.inf), (0.0, np.inf), (-np.inf, 2.0), (0.0, 3.5)):
        kinks = (end - optimal for end in (low, high))
        edges = sorted({0.0, *np.clip([-np.inf, np.inf, *kinks], -60 * scale, 60 * scale).tolist()})
        expected = sum(
            integrate.quad(squared, a, b, args=(low, high), epsabs=1e-12)[0] for a, b in pairwise(edges)
        )
        ours = metrics.laplace_squared_error(np.array([scale]), np.array([optimal]), low, high)[0]
        assert ours == pytest.approx(expected, rel=1e-8)


# Price response: one scalar recursion per mechanism, and what every house would do on its own


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

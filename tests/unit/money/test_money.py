"""Money: what the generator and every household gain or lose."""

import numpy as np
import pytest

from rtp import PRESETS, Day, Scenario, simulate
from rtp.money.bills import bills, profit_and_mismatch
from rtp.street.simulate import replay_houses

CASES = {
    "paper": PRESETS["paper"].replace(households=40),
    "three groups, three days": PRESETS["mixed street"].replace(households=30, days=3),
    "elastic, inelastic demand": PRESETS["elastic demand"].replace(
        households=40, inelastic_demand=9.0, days=2
    ),
    "half hours in kW": PRESETS["feeder"].replace(households=30, step_minutes=30, days=2),
    "clipped": Scenario(households=10, beta=0.5, epsilon=0.2, clip_at_zero=True),
}


@pytest.fixture(params=CASES, scope="module")
def day(request: pytest.FixtureRequest) -> Day:
    return simulate(CASES[request.param])


def test_a_bill_is_the_sum_over_steps_of_rate_times_own_consumption(day: Day) -> None:
    """The slow twin: every house on its own, step by step."""
    scenario, life = day.scenario, day.street_day
    _, consumption = replay_houses(life.spec, day.street, range(scenario.households))
    expected_demand = life.true_moments.expected_demand + scenario.inelastic_demand
    reference = np.mean(scenario.alpha * expected_demand + scenario.beta)
    paid = bills(day)
    for name, release in day.release.items():
        expected = np.zeros(scenario.households)
        for t, rate in enumerate(release.rate):
            seen = release.rate[t - 1] if t else 0.0
            dear = scenario.elasticity > 0 and seen > reference
            response = (seen / reference) ** -scenario.elasticity if dear else 1.0
            expected += scenario.step_hours * rate * consumption[t] * response
        np.testing.assert_allclose(paid[name], expected, rtol=1e-10)


def test_the_generators_account_is_its_objective(day: Day) -> None:
    """J(Z) − r̂Z with J(Z) = α/2·Z² + βZ; the mismatch is against the output that r̂ asks for."""
    alpha, beta, hours = day.scenario.alpha, day.scenario.beta, day.scenario.step_hours
    for release in day.release.values():
        z, rate = release.demand, release.rate
        objective = hours * np.sum(alpha / 2 * z**2 + beta * z - rate * z)
        wished = (rate - beta) / alpha
        best = hours * np.sum(alpha / 2 * wished**2 + beta * wished - rate * wished)
        profit, mismatch = profit_and_mismatch(z, rate, day.market.tariff)
        assert profit == pytest.approx(-objective, rel=1e-10)
        assert mismatch == pytest.approx(objective - best, rel=1e-6, abs=1e-9 * abs(best))
        assert mismatch >= 0

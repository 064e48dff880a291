"""Error against budget: every closed form against the sampling it stands for."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import Scenario, simulate
from rtp.mechanisms import REGISTRY, private
from rtp.simulation.publish import publish
from rtp.tradeoff import cost
from rtp.tradeoff.curves import COST_DAYS
from tests.help.few import few
from tests.help.hourly import HOURLY, PAPER_AND_HOURLY, hourly

LIMIT = 5.0  # standard errors: beyond by chance once in 1.7 million; some 300 comparisons, one suite in 6,000
CASES = {
    **PAPER_AND_HOURLY,
    "wrong belief": HOURLY["unsure curator"].replace(assumed_model="Night owls"),
    "clipped": Scenario(households=20, beta=2.0, clip_at_zero=True),
    "elastic, clipped": Scenario(households=40, beta=1.0, elasticity=3.0, clip_at_zero=True),
    "elastic, three groups": HOURLY["mixed street"].replace(elasticity=1.5),
    "inelastic demand": hourly(Scenario(households=50, inelastic_demand=30.0, alpha=2.0, days=2)),
}


@pytest.mark.parametrize("case", few(["paper", "mixed street", "elastic demand"], "paper", "mixed street"))
@pytest.mark.parametrize("epsilon", [0.03, 0.3, 3.0])
def test_fresh_days_fall_into_the_range_of_a_cost_as_often_as_stated(case: str, epsilon: float) -> None:
    """And their mean square is the one to expect of today's demand."""
    scenario, fresh = CASES[case].replace(epsilon=epsilon), 3000
    day = simulate(scenario)
    unit = default_rng(13).laplace(size=(scenario.steps, fresh))
    tolerance = LIMIT * np.sqrt(0.95 * 0.05 * (1 / COST_DAYS + 1 / fresh))
    for name, (mean, low, high) in cost(day, private()).items():
        if not REGISTRY[name].reads_demand:
            assert low == pytest.approx(high)
            continue
        priced = publish(
            REGISTRY[name], day.market.public, day.street_day.demand, unit, day.release[name].scale
        )
        squares = np.mean((priced.rate / priced.optimal - 1) ** 2, axis=0)
        assert np.mean((squares > low**2) & (squares < high**2)) == pytest.approx(0.95, abs=tolerance)
        assert squares.mean() == pytest.approx(mean**2, abs=LIMIT * squares.std() / np.sqrt(fresh))

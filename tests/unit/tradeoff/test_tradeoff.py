"""Error against budget: every closed form against the sampling it stands for."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import Scenario
from rtp.mechanisms import REGISTRY, private
from rtp.simulation import draw_day, market
from rtp.tradeoff import curve, expected
from rtp.tradeoff.curves import sampled
from tests.help.few import few
from tests.help.hourly import HOURLY, PAPER_AND_HOURLY, hourly

EPSILONS = np.array([0.03, 0.3, 3.0])
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
def test_fresh_days_fall_into_the_range_as_often_as_stated(case: str) -> None:
    """And their mean square is the one to expect of today's demand."""
    scenario, fresh = CASES[case], 3000
    life = draw_day(scenario)
    drawn = curve(scenario, EPSILONS, 1000, street_day=life)
    known = market(scenario, life)
    unit = default_rng(13).laplace(size=(scenario.steps, fresh))
    tolerance = LIMIT * np.sqrt(0.95 * 0.05 * (1 / 1000 + 1 / fresh))
    for name in private():
        line = drawn.lines[name]
        if REGISTRY[name].reads_demand:
            scale = expected.scales(known, [REGISTRY[name]], EPSILONS)[name]
            days = sampled(known, REGISTRY[name], scale, unit)
            inside = np.mean((days > line.low[:, None]) & (days < line.high[:, None]), axis=1)
            np.testing.assert_allclose(inside, 0.95, atol=tolerance)
            squares = days**2
            error = LIMIT * squares.std(axis=1) / np.sqrt(fresh)
            today = expected.today(known, REGISTRY[name], scale)
            assert (np.abs(squares.mean(axis=1) - today**2) < error).all()
        else:
            np.testing.assert_array_equal(line.low, line.high)

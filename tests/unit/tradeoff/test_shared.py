"""What is made once for everybody gives the same numbers as what one makes for oneself."""

from dataclasses import fields

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.mechanisms import REGISTRY, private
from rtp.simulation import draw_day, market
from rtp.tradeoff import Line, curve
from rtp.tradeoff.curves import joined, sampled
from rtp.tradeoff.expected import scales

SCENARIOS = {
    "paper": Scenario(households=60, seed=3),
    "several groups": PRESETS["mixed street"].replace(households=60),
    "clipped, elastic": Scenario(households=60, elasticity=0.3, clip_at_zero=True),
}
DAYS = 40
EXACT = 1e-12  # the same sums in another order


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_joined_curve_is_the_curve_of_all_budgets(name: str) -> None:
    scenario, life = SCENARIOS[name], draw_day(SCENARIOS[name])
    whole = curve(scenario, [0.1, 0.37, 1.0], DAYS, street_day=life)
    both = joined(
        curve(scenario, [0.1, 1.0], DAYS, street_day=life), curve(scenario, [0.37], DAYS, street_day=life)
    )
    assert (both.epsilons.tolist(), both.days) == (whole.epsilons.tolist(), whole.days)
    for mechanism, line in whole.lines.items():
        for field in fields(Line):
            mine, theirs = (getattr(one, field.name) for one in (both.lines[mechanism], line))
            np.testing.assert_allclose(mine, theirs, rtol=EXACT, err_msg=f"{mechanism} {field.name}")


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_sampled_days_of_one_budget_are_those_of_many(name: str) -> None:
    scenario = SCENARIOS[name]
    known = market(scenario, draw_day(scenario))
    unit = np.random.default_rng(0).laplace(size=(scenario.steps, DAYS))
    for mechanism in (REGISTRY[n] for n in private()):
        scale = scales(known, [mechanism], [0.37])[mechanism.name]
        alone = sampled(known, mechanism, scale, unit)
        among = sampled(known, mechanism, np.repeat(scale, 2, axis=1), unit)
        np.testing.assert_allclose(np.broadcast_to(alone, (2, DAYS)), among, rtol=EXACT)


@pytest.mark.parametrize("name", SCENARIOS)
def test_days_sampled_budget_by_budget_are_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario, life = SCENARIOS[name], draw_day(SCENARIOS[name])
    whole = curve(scenario, [0.1, 0.37, 1.0], DAYS, street_day=life)
    monkeypatch.setattr("rtp.tradeoff.curves.AT_ONCE", 1)
    for mechanism, line in curve(scenario, [0.1, 0.37, 1.0], DAYS, street_day=life).lines.items():
        np.testing.assert_allclose(line.low, whole.lines[mechanism].low, rtol=EXACT)
        np.testing.assert_allclose(line.high, whole.lines[mechanism].high, rtol=EXACT)

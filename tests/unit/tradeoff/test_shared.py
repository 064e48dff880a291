"""What is made once for everybody gives the same numbers as what one makes for oneself."""

from dataclasses import fields

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.core.stats import middle
from rtp.mechanisms import REGISTRY, private
from rtp.simulation import live, market
from rtp.tradeoff import Line, curve, epsilon_for
from rtp.tradeoff.curves import joined
from rtp.tradeoff.expected import scales
from rtp.tradeoff.ranges import KNOTS, sampled, unit_noise
from rtp.tradeoff.target import scan

SCENARIOS = {
    "paper": Scenario(households=60, seed=3),
    "several groups": PRESETS["mixed street"].replace(households=60),
    "clipped, elastic": Scenario(households=60, elasticity=0.3, clip_at_zero=True),
}
DAYS = 40
EXACT = 1e-12  # the same sums in another order


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_budget_joined_to_a_curve_is_as_if_it_had_always_been_there(name: str) -> None:
    scenario, life = SCENARIOS[name], live(SCENARIOS[name])
    whole = curve(scenario, [0.1, 0.37, 1.0], DAYS, life=life)
    both = joined(curve(scenario, [0.1, 1.0], DAYS, life=life), curve(scenario, [0.37], DAYS, life=life))
    assert (both.epsilons.tolist(), both.days) == (whole.epsilons.tolist(), whole.days)
    for mechanism, line in whole.lines.items():
        for field in fields(Line):
            mine, theirs = (getattr(one, field.name) for one in (both.lines[mechanism], line))
            np.testing.assert_allclose(mine, theirs, rtol=EXACT, err_msg=f"{mechanism} {field.name}")


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_luck_of_one_budget_is_that_of_many(name: str) -> None:
    scenario = SCENARIOS[name]
    known = market(scenario, live(scenario))
    unit = np.random.default_rng(0).laplace(size=(scenario.steps, DAYS))
    for mechanism in (REGISTRY[n] for n in private()):
        scale = scales(known, [mechanism], [0.37])[mechanism.name]
        alone = sampled(known, mechanism, scale, unit)
        among = sampled(known, mechanism, np.repeat(scale, 2, axis=1), unit)
        np.testing.assert_allclose(np.broadcast_to(alone, (2, DAYS)), among, rtol=EXACT)


def test_a_scan_made_before_gives_the_same_budgets() -> None:
    scenario, life = SCENARIOS["paper"], live(SCENARIOS["paper"])
    scanned = scan(scenario, life)
    for name in private():
        for target in (1e-4, 0.004, 0.1):
            again = epsilon_for(scenario, name, target, life=life, scanned=scanned[name])
            assert again == epsilon_for(scenario, name, target, life=life)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_range_between_two_knots_is_that_of_sampling_there(name: str) -> None:
    """Half-way between knots, where interpolation is worst: off by less than such a range scatters.

    An end is a quantile: its standard error is √(p(1 − p)/n) over the density there; for a normal error of
    relative spread s that is 2.67·s/√n of it, and s is a quarter of the range's width.
    """
    scenario, days = SCENARIOS[name], 400
    life = live(scenario)
    known = market(scenario, life)
    epsilons = 10 ** ((np.arange(-8, 5, 3) + 0.5) / KNOTS)
    drawn = curve(scenario, epsilons, days, life=life)
    unit = unit_noise(scenario.seed, scenario.steps, days)
    for mechanism in (REGISTRY[n] for n in private() if REGISTRY[n].reads_demand):
        line = drawn.lines[mechanism.name]
        errors = sampled(known, mechanism, scales(known, [mechanism], epsilons)[mechanism.name], unit)
        direct = np.array(middle(errors, axis=1))
        scatter = 2.67 * (direct[1] - direct[0]) / 4 / np.sqrt(days)
        # times the exact root mean square for the sampled one, which scatters itself
        level = (errors**2).std(axis=1) / np.sqrt(days) / 2 / np.sqrt((errors**2).mean(axis=1))
        for end, straight in zip((line.low, line.high), direct, strict=True):
            assert np.all(np.abs(end - straight) < 2 * scatter + 3 * level), mechanism.name

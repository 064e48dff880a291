"""Money's exact means against independent days, in standard errors of their mean."""

import numpy as np
import pytest

from rtp import PRESETS, OccupancyModel, Scenario, simulate
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY
from rtp.money.bills import exact_money
from rtp.money.summary import money_of_runs, month_of, monthly, simulate_runs, summarise
from rtp.simulation import draw_day
from tests.help.few import few

RUNS = 400
LIMIT = 5.0  # standard errors: beyond by chance once in 1.7 million, of some 150 comparisons
MIXED = PRESETS["mixed street"].replace(households=60, epsilon=0.2)
WRONG = OccupancyModel(name="Wrong", habits=MIXED.models[0].habits[::-1])
CASES = {
    "three groups": MIXED,
    "wrong belief": MIXED.replace(models=(*MIXED.models, WRONG), assumed_model="Wrong"),
    "others' demand, houses that differ": MIXED.replace(inelastic_demand=40.0, alpha=3.0, habit_spread=0.05),
    "a weekend in kW": PRESETS["feeder"].replace(households=60, step_minutes=60, days=7),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", few(CASES, *list(CASES)[::2]))
def test_exact_means_are_those_of_many_days(case: str) -> None:
    """The sampled mean of every number, the whole street lived through, within five standard errors."""
    day = simulate(CASES[case])
    lived = simulate_runs(day.street_day, RUNS, 60)
    for name, mechanism in REGISTRY.items():
        exact = exact_money(day.market, mechanism, day.release[name].scale)
        money = money_of_runs(day, name, lived)
        assert exact is not None
        for of in ("loss", "mismatch"):
            assert _off(getattr(money, of), getattr(exact, of)) < LIMIT, (name, of)
        for g in (*range(len(day.scenario.groups)), -1):
            members = money.group == g if g >= 0 else money.group >= 0
            for of in ("bill", "change"):
                sampled = getattr(money, of)[members].mean(axis=0)
                assert _off(sampled, getattr(exact, of)[g]) < LIMIT, (name, of, g)
                if of == "change" and exact.change_spread is not None and exact.change_spread[g]:
                    # A sum of Laplace draws has a kurtosis of at most 6: √((6 − 1)/n)/2 of a spread.
                    ratio = sampled.std(ddof=1) / exact.change_spread[g]
                    assert ratio == pytest.approx(1, abs=LIMIT * np.sqrt(5 / RUNS) / 2), (name, g)


def _off(sampled: Floats, exact: float) -> float:
    """How far a sampled mean is from an exact one, in standard errors; rounding apart."""
    rounding = 1e-9 * float(np.abs(sampled).max()) + 1e-300
    return float(abs(sampled.mean() - exact) / (sampled.std(ddof=1) / np.sqrt(len(sampled)) + rounding))


@pytest.mark.parametrize("seed", few(range(3), 0))
@pytest.mark.parametrize("name", ["naive", "blowfish", "calibrated", "threshold"])
def test_centred_noise_changes_no_mean_whatever_the_seed(name: str, seed: int) -> None:
    found = monthly(PRESETS["feeder"].replace(households=40, step_minutes=60, seed=seed), name)
    assert found.exact
    for each in (found.loss, found.bills.mean, *(of.mean for of in found.groups.values())):
        assert each.value == 0.0
        assert each.low == -each.high < 0


def test_a_wrong_belief_moves_money_and_prices_that_move_demand_are_sampled() -> None:
    wrong, true = (simulate(CASES[case]) for case in ("wrong belief", "three groups"))
    losses = [summarise(day, money_of_runs(day, "forecast"), 1.0).loss.value for day in (wrong, true)]
    assert losses[0] != losses[1] > 0
    for fields in ({"elasticity": 0.5}, {"clip_at_zero": True}, {"price_cap": 9.0}):
        day = simulate(MIXED.replace(households=10, **fields))
        assert exact_money(day.market, REGISTRY["naive"], day.release["naive"].scale) is None


def test_a_month_has_its_weekends() -> None:
    """Thirty sevenths of a week of the street's own days; thirty of its Mondays are dearer for shops."""
    scenario = PRESETS["feeder"].replace(households=24, step_minutes=60)
    week, monday = (monthly(scenario, "forecast"), simulate(scenario))
    mondays = summarise(monday, money_of_runs(monday, "forecast"), 30.0)
    assert week.groups["Shops"].bill < 0.95 * mondays.groups["Shops"].bill
    lived = draw_day(month_of(scenario))
    sampled = money_of_runs(simulate(month_of(scenario)), "forecast", simulate_runs(lived, 100, 60)).bill
    for g, of in enumerate(week.groups.values()):
        paid = sampled[lived.street.group == g].mean(axis=0) * 30 / 7
        assert of.bill == pytest.approx(paid.mean(), abs=LIMIT * paid.std() / 10)
    plain = Scenario(households=5, days=2)
    assert month_of(plain) == plain

"""Money: what the generator and every household gain or lose."""

import numpy as np
import pytest

from rtp import PRESETS, Day, Scenario, simulate
from rtp.core.stats import middle
from rtp.core.types import Floats
from rtp.money.bills import MONTH, bills, profit_and_mismatch
from rtp.money.summary import money_of_runs, simulate_runs, spans, summarise
from rtp.simulation import draw_day
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


# Independent days of the same street, against what is known about them exactly


RUNS = 1000
LIMIT = 5.0  # standard errors
MIXED = PRESETS["mixed street"].replace(households=60)


@pytest.mark.long
@pytest.mark.parametrize("houses", [60, 20])
@pytest.mark.parametrize("days", [1, 2])
def test_demand_has_the_mean_and_the_variance_that_the_model_says(houses: int, days: int) -> None:
    """All houses of the street lived through, or a sample of a third and a stand-in for the others.

    A sample's own variance is a third of the street's to a tolerance of its own: which houses are in it.
    """
    life = draw_day(MIXED.replace(days=days))
    demand, truth = simulate_runs(life, RUNS, houses).demand, life.true_moments
    assert demand.shape == (96 * days, RUNS)
    off = (demand.mean(axis=1) - truth.expected_demand) / np.sqrt(truth.variance / RUNS)
    assert np.abs(off).max() < LIMIT
    ratio = (demand.var(axis=1) / truth.variance).mean()
    assert ratio == pytest.approx(1, abs=0.02 if houses == 60 else 0.15)
    moves = (demand[1:] - demand[:-1]).var(axis=1).mean()  # neighbouring steps hang together
    assert moves < 0.9 * (demand[1:].var(axis=1) + demand[:-1].var(axis=1)).mean()


@pytest.mark.parametrize("houses", [100, 40])
def test_a_forecast_varies_too_and_loses_what_demand_varies(houses: int) -> None:
    """It publishes α·E[Z] + β where α·Z + β would be optimal, so E[loss] = α·Σ Var Z, exactly; each house
    gains its own share of that, also where the others are stood in for."""
    summary_day = simulate(Scenario(households=100, alpha=2.0))
    money = money_of_runs(summary_day, "forecast", simulate_runs(summary_day.street_day, RUNS, houses))
    expected = 2.0 * summary_day.street_day.true_moments.variance.sum()
    error = money.loss.std() / np.sqrt(RUNS)
    assert money.loss.mean() == pytest.approx(expected, abs=LIMIT * error)
    assert money.loss.std() > expected  # it varies by more than is to expect: no range from x to x
    gained = money.change.sum(axis=0) * (100 / houses)
    slack = 0.2 * expected if houses < 100 else 0.0  # which houses are in the sample
    assert -gained.mean() == pytest.approx(expected, abs=LIMIT * gained.std() / np.sqrt(RUNS) + slack)


def test_a_month_is_the_sum_of_independent_days_and_not_one_of_them_thirty_times() -> None:
    summary_day = simulate(Scenario(households=40))
    money = money_of_runs(summary_day, "naive", simulate_runs(summary_day.street_day, 500, 40))
    month = spans(money, 30.0, 0, 2000)
    error = np.sqrt(30) * money.loss.std() / np.sqrt(2000)
    assert month.loss.mean() == pytest.approx(30 * money.mean("loss"), abs=LIMIT * error)
    assert month.loss.var() == pytest.approx(30 * money.loss.var(), rel=LIMIT * np.sqrt(2 / 2000))
    assert month.change.shape == (40, 2000)
    assert month.change.std() < 10 * money.change.std()  # thirty times it would be 30


@pytest.mark.parametrize(("runs", "whole"), [(0.25, 1.0), (4.2, 4.0)])
def test_a_broken_number_of_runs_has_its_share_of_mean_and_variance(runs: float, whole: float) -> None:
    summary_day = simulate(Scenario(households=5))
    money = money_of_runs(summary_day, "forecast", simulate_runs(summary_day.street_day, 50, 5))
    part, all_of_it = spans(money, runs, 0), spans(money, whole, 0)
    for name in ("loss", "change"):
        mean = money.mean(name)[..., None]
        broken, complete = getattr(part, name) - runs * mean, getattr(all_of_it, name) - whole * mean
        np.testing.assert_allclose(broken, complete * np.sqrt(runs / whole), atol=1e-9)


# One mechanism's money over a span, with the ranges that other days give


SUMMARY_DAY = simulate(Scenario(households=40, days=2, elasticity=0.4))
MONEY = money_of_runs(SUMMARY_DAY, "naive", simulate_runs(SUMMARY_DAY.street_day, 30, 12))


def test_sampled_numbers_are_means_of_runs_with_the_range_of_spans() -> None:
    found, months = summarise(SUMMARY_DAY, MONEY, MONTH), spans(MONEY, MONTH / 2, SUMMARY_DAY.scenario.seed)
    everybody = months.weight / months.weight.sum()
    worst = np.array([_worst(column, months.weight) for column in months.change.T])
    for shown, mean, values in (
        (found.loss, MONEY.loss.mean() * MONTH / 2, months.loss),
        (found.mismatch, MONEY.mismatch.mean() * MONTH / 2, months.mismatch),
        (found.bills.mean, (everybody @ MONEY.change).mean() * MONTH / 2, everybody @ months.change),
        (found.bills.worst, worst.mean(), worst),
    ):
        assert shown == pytest.approx([mean, *(float(end) for end in middle(values))], rel=1e-9)
    assert not found.exact
    assert found.bills.bill == pytest.approx((everybody @ MONEY.bill).mean() * MONTH / 2)
    assert (found.spans.count, len(found.spans.weight), found.bills.houses) == (months.count, 12, 40)


def _worst(changes: Floats, weight: Floats) -> float:
    """The mean over the worst tenth of the households, each of them counted by itself: 40 ÷ 12 are 10 ÷ 3."""
    houses = sorted(np.repeat(changes, np.rint(3 * weight).astype(int)))
    return float(np.mean(houses[-round(len(houses) / 10) :]))


@pytest.mark.parametrize("span", [0.5, 1.0, 30.0])
@pytest.mark.parametrize("name", ["blowfish", "filtered"])
def test_groups_weighted_by_their_houses_make_the_street(name: str, span: float) -> None:
    """The tile said −0.219 and the groups −0.486 when one was of many days and the other of one."""
    summary_day = simulate(MIXED.replace(households=90, elasticity=0.3))
    found = summarise(
        summary_day, money_of_runs(summary_day, name, simulate_runs(summary_day.street_day, 20, 30)), span
    )
    groups = found.groups.values()
    assert sum(of.houses for of in groups) == found.bills.houses == 90
    together = sum(of.houses * of.bill for of in groups) / 90
    assert together == pytest.approx(found.bills.bill, rel=1e-9)
    together = sum(of.houses * of.mean.value for of in groups) / 90
    assert together == pytest.approx(found.bills.mean.value, rel=1e-9)
    for of in groups:
        assert of.worst.value >= of.mean.value


@pytest.mark.parametrize(("most", "followed"), [(2, [1, 1, 1]), (12, [11, 4, 4]), (60, [59, 5, 5])])
def test_every_group_is_followed_and_stands_for_its_houses(most: int, followed: list[int]) -> None:
    """Each has its part of the houses that are followed, a third here, or all its five."""
    shares = (0.99, 0.005, 0.005)
    groups = tuple(group.replace(share=share) for group, share in zip(MIXED.groups, shares, strict=True))
    runs = simulate_runs(draw_day(MIXED.replace(households=1000, groups=groups)), 2, most)
    assert np.bincount(runs.group).tolist() == followed
    np.testing.assert_allclose(np.bincount(runs.group, weights=runs.weight), [990, 5, 5])

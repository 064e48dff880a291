"""Expected RMSRE against sampling: other days of the same street, lived by the textbook, fresh noise; and the
error averaged over days against that of each."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.random import SeedSequence, default_rng

from rtp import PRESETS, Habits, OccupancyModel, Release, Scenario
from rtp.mechanisms import REGISTRY
from rtp.scenario import PAPER_PERIODS, period
from rtp.simulation import draw_day, market, publish_day
from rtp.street.simulate import independent_runs
from rtp.tradeoff.expected import expected, scales, today
from tests.help import oracles
from tests.help.few import few
from tests.help.streets import CERTAIN

DAYS = 40
SMALL = Scenario(households=60, beta=20.0)
SURE = CERTAIN.models[0].habits[0]
STAY = Habits(periods=tuple(period(p.name, p.start, leave=0.0, arrive=0.0) for p in PAPER_PERIODS))


def believing(habits: Habits) -> Scenario:
    """The paper's street, seen by a filter and a forecast that believe something else."""
    wrong = OccupancyModel(name="Wrong", habits=(habits,))
    return SMALL.replace(models=(*SMALL.models, wrong), assumed_model="Wrong")


CASES = {
    "paper": SMALL,
    "private": SMALL.replace(epsilon=0.05),
    "accurate": SMALL.replace(epsilon=10.0),
    "clipped": SMALL.replace(epsilon=0.02, clip_at_zero=True),
    "capped": SMALL.replace(epsilon=0.05, price_cap=85.0),
    "three groups": PRESETS["mixed street"].replace(households=60),
    "quiet night": PRESETS["quiet night"].replace(households=60),
    "wrong: all away": believing(SURE),
    "wrong: nobody moves": believing(STAY).replace(epsilon=2.0),
    "wrong, few houses": believing(SURE).replace(households=5),
    "own habits": SMALL.replace(habit_spread=0.1),
    "elastic": SMALL.replace(elasticity=0.8, epsilon=0.1),
    "inelastic demand": SMALL.replace(inelastic_demand=30.0, alpha=2.0),
    "tiny street": PRESETS["tiny street"],
}


def days_of(scenario: Scenario) -> Iterator[dict[str, Release]]:
    life = draw_day(scenario)
    for seed, demand in enumerate(oracles.textbook_days(scenario, life.street, DAYS, default_rng(7))):
        yield dict(publish_day(scenario.replace(seed=seed), replace(life, demand=demand)).release)


@pytest.mark.long
@pytest.mark.parametrize("case", few(CASES, *list(CASES)[::3]))
def test_expected_rmsre_is_the_root_mean_square_over_days(case: str) -> None:
    """Sampled mean square against the expected one of the same days, within five standard errors.

    Mechanisms that publish the noisy rate are exact. Filter and forecast divide an error's variance by
    today's rate although the two are correlated: with σ the rate's relative spread, that is off by up to 2σ
    of the mean square where they are also off on average by about as much, and by 6σ² where they are not.
    """
    scenario = CASES[case]
    days = list(days_of(scenario))
    truth = draw_day(scenario).true_moments
    rate = scenario.alpha * (truth.expected_demand + scenario.inelastic_demand) + scenario.beta
    spread = float((scenario.alpha * np.sqrt(truth.variance) / rate).max())
    wrong = scenario.assumed_index != 0
    for name in ("naive", "blowfish", "calibrated", "filtered", "forecast"):
        sampled = np.array([day[name].rmsre ** 2 for day in days])
        expected = np.array([day[name].expected_rmsre ** 2 for day in days])
        error = (sampled - expected).std() / np.sqrt(DAYS) / expected.mean()
        second_order = 0.0
        if name in ("filtered", "forecast"):
            second_order = 2 * spread if wrong else 6 * spread**2
        assert sampled.mean() / expected.mean() == pytest.approx(1, abs=5 * error + second_order), name


@pytest.mark.slow
@pytest.mark.parametrize("case", few(CASES, *list(CASES)[3::3]))
def test_the_average_over_days_is_the_mean_of_single_days(case: str) -> None:
    """Single days by `today`, so no luck of noise is left, and within five standard errors of their mean.

    Where rates are cut or demand follows them, the average takes demand as normal. With σ the rate's relative
    spread and s the skewness of demand, it is off by 4sσ³ of the mean square; s is below 1 on these streets.
    Elsewhere only an error that is no line of demand leaves anything: a wrong filter's, by at most 2σ where
    its mean is as large as its spread.
    """
    scenario = CASES[case]
    life = draw_day(scenario)
    here, mean = market(scenario, life), life.true_moments.expected_demand
    lived = oracles.textbook_days(scenario, life.street, DAYS, default_rng(7))
    spread = scenario.alpha * np.sqrt(life.true_moments.variance) / here.tariff.optimal(mean)
    normal = here.tariff.is_cut or here.tariff.elasticity or here.reciprocals is None
    skewness = 4 * float(spread.max()) ** 3 * bool(normal)
    skewness += 2 * float(spread.max()) if scenario.assumed_index else 0.0
    for name in ("blowfish", "filtered", "forecast"):
        mechanism = REGISTRY[name]
        scale = scales(here, [mechanism], [scenario.epsilon])[name]
        days = (market(scenario, replace(life, demand=demand)) for demand in lived)
        single = np.array([today(day, mechanism, scale)[0] ** 2 for day in days])
        average = expected(here, mechanism, scale)[0] ** 2
        error = single.std() / np.sqrt(DAYS) / average
        assert single.mean() / average == pytest.approx(1, abs=5 * error + skewness), name


SKEWED = {
    "two houses": Scenario(households=2, beta=0.2),
    "few shops": PRESETS["feeder"].replace(households=10, beta=0.01, step_minutes=60),
}
RUNS = 4000


@pytest.mark.parametrize("case", SKEWED)
def test_skewed_demand_is_averaged_exactly(case: str) -> None:
    """Against days that are drawn, within five standard errors, each well below one per cent."""
    scenario = SKEWED[case]
    life = draw_day(scenario)
    here, houses = market(scenario, life), np.arange(scenario.households)
    used = independent_runs(life.spec, life.street, houses, RUNS, SeedSequence(5))
    rate = scenario.alpha * used.sum(axis=1, dtype=float) + scenario.beta
    timetable = here.tariff.optimal(life.true_moments.expected_demand)[:, None]
    blowfish = REGISTRY["blowfish"]
    scale = scales(here, [blowfish], [scenario.epsilon])["blowfish"]
    for name, b, squares in (
        ("blowfish", scale, 2 * (scale / rate) ** 2),
        ("forecast", np.zeros_like(scale), (timetable / rate - 1) ** 2),
    ):
        days = squares.mean(axis=0)
        mean = float(expected(here, REGISTRY[name], b)[0]) ** 2
        assert mean == pytest.approx(days.mean(), abs=5 * days.std() / np.sqrt(RUNS)), name
        assert days.std() / np.sqrt(RUNS) < 0.02 * mean

"""Expected RMSRE against sampling: other days of the same street, fresh noise."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.random import SeedSequence, default_rng

from rtp import PRESETS, Group, Habits, Law, OccupancyModel, Release, Scenario
from rtp.mechanisms import REGISTRY
from rtp.scenario import PAPER_PERIODS, period
from rtp.simulation import draw_day, market, publish_day
from rtp.simulation.publish import publish
from rtp.street.simulate import independent_runs
from rtp.tradeoff.expected import expected, scales
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
    for seed, demand in enumerate(oracles.textbook_days([scenario], life.street, DAYS, default_rng(7))):
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


_FARMS = Law(edges=(0.0, 0.0, 0.4, 3.0, 30.0), empty=(0.3, 0.6, 0.1, 0.0), occupied=(0.0, 0.3, 0.6, 0.1))
_SCHOOL = Habits(
    initial_occupied=0.0,
    periods=(period("Day", 8.0, leave=0.05, arrive=0.99), period("Closed", 14.0, leave=1.0, arrive=0.0)),
    weekend=(period("Closed", 0.0, leave=1.0, arrive=0.0),),
)
VILLAGE = Scenario(  # small houses, a few big farms with learned use, and a school that is closed at weekends
    households=22,
    step_minutes=60,
    alpha=0.01,
    beta=0.01,
    groups=(
        Group(name="Houses", share=17 / 22, occupied_max=4.0, empty_max=0.5),
        Group(name="Farms", share=4 / 22, occupied_max=30.0, empty_max=3.0, law=_FARMS),
        Group(name="School", share=1 / 22, occupied_max=60.0, occupied_min=60.0, empty_max=2.0),
    ),
    models=(OccupancyModel(habits=(Habits(), Habits(), _SCHOOL)),),
)
OVER_DAYS = CASES | {
    "two houses": Scenario(households=2, beta=0.2),
    "few shops": PRESETS["feeder"].replace(households=10, beta=0.01, step_minutes=60),
    "village": VILLAGE,
    "village at the weekend": VILLAGE.replace(first_weekday="Saturday"),
    "from zero": VILLAGE.replace(beta=0.0, inelastic_demand=1.0),
    "nothing beside it": VILLAGE.replace(beta=0.0),
    "village, capped": VILLAGE.replace(price_cap=0.2),
    "village, clipped": VILLAGE.replace(clip_at_zero=True),
    "follows prices": VILLAGE.replace(elasticity=0.5),
    "five farms in a town": VILLAGE.replace(
        households=700,
        elasticity=0.5,
        groups=(
            VILLAGE.groups[0].replace(share=694 / 700),
            VILLAGE.groups[1].replace(share=5 / 700),
            VILLAGE.groups[2].replace(share=1 / 700),
        ),
    ),
}
RUNS, FEW_RUNS, HOUSE_RUNS = 8000, 1500, 300_000
WITHIN = 0.01  # of the error


@pytest.mark.parametrize("case", few(OVER_DAYS, "village, capped", "wrong: nobody moves", "elastic"))
def test_the_average_over_days_is_right_to_one_per_cent(case: str) -> None:
    """Against days that are drawn, within five standard errors, each well below one per cent."""
    scenario = OVER_DAYS[case]
    life = draw_day(scenario)
    here, houses = market(scenario, life), np.arange(scenario.households)
    runs = RUNS if RUNS * scenario.households < HOUSE_RUNS else FEW_RUNS
    used = independent_runs(life.spec, life.street, houses, runs, SeedSequence(5))
    demand = used.sum(axis=1, dtype=float)
    unit = default_rng(8).laplace(size=demand.shape)
    for name in ("blowfish", "filtered", "forecast"):
        mechanism = REGISTRY[name]
        scale = scales(here, [mechanism], [scenario.epsilon])[name]
        rates = publish(mechanism, here.public, demand, unit, scale)
        if name == "blowfish" and not (here.tariff.is_cut or here.tariff.elasticity):
            squares = 2 * (scale / rates.optimal) ** 2  # no luck of the noise is left
        else:
            squares = (rates.rate / rates.optimal - 1) ** 2
        days = squares.mean(axis=0)
        error = days.std() / np.sqrt(runs) / 2 / days.mean()
        average = float(expected(here, mechanism, scale)[0])
        assert average / np.sqrt(days.mean()) == pytest.approx(1, abs=5 * error + WITHIN), name
        assert error < 1.5 * WITHIN

"""Every exercise on streets where the right answer differs.

The numbers behind an answer are held against computations of their own where they are made.
"""

import pandas as pd
import pytest

from rtp import PRESETS, Scenario
from rtp.mechanisms import NO_DATA
from rtp.meters.real_home import FILE
from rtp.simulation import simulate
from rtp.teaching import exercise as home
from rtp.teaching import exercises
from rtp.teaching.exercise import Exercise
from tests.help.streets import CERTAIN


def street(preset: str, **changes: object) -> Scenario:
    return PRESETS[preset].replace(**{"households": 100} | changes)


def at(epsilon: float, households: int = 60, **changes: object) -> Scenario:
    return Scenario(households=households, epsilon=epsilon, **changes)


# By the number of the right option: streets on which it is right, and why.
QUICK = {
    "LINKED_HOUSES": {2: [street("paper"), street("mixed street")]},  # whatever the street
    # noise is ten times as wide at a tenth of ε, and none stays none
    "WHAT_EPSILON_DOES": {0: [CERTAIN], 2: [Scenario(households=30)]},
    "WHO_IS_DROPPED": {0: [street("paper")], 1: [street("quiet night")], 2: [street("mansions")]},
    "WHO_IS_PROTECTED": {
        0: [street("quiet night"), street("quiet night", step_minutes=60)],
        1: [street("mansions"), street("mansions", step_minutes=60)],
        2: [street("paper"), street("paper", step_minutes=60)],
    },
    # where a chance of 0.4 is negligible threshold noise errs least, but breaks the promise
    "LESS_NOISE": {1: [at(5.0)], 2: [at(1.5), at(1.5, negligible=0.4)], 3: [at(0.05)]},
    "WHAT_DATA_IS_WORTH": {0: [at(5.0)], 2: [at(0.05)]},
    # of what an insider has beyond a coin; where habits tell all there is nothing to take
    "WHAT_NOISE_TAKES": {0: [at(200.0, 100), CERTAIN], 1: [at(0.5, 100)], 2: [at(0.1, 100)]},
}
LONG = {
    # among so many houses an outsider sees less, and has another answer
    "IS_A_HOLIDAY_HIDDEN": {0: [at(0.01, 400)], 1: [at(0.15, 400)], 2: [at(1.0, 400)]},
}


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.long) for name in LONG)])
def test_the_right_option_depends_on_the_street(name: str) -> None:
    exercise: Exercise = getattr(exercises, name)
    for option, streets in (QUICK | LONG)[name].items():
        for scenario in streets:
            assert exercise.answer(scenario, None).option == option, scenario


def test_an_answer_is_about_the_day_that_the_screens_show() -> None:
    """A forecast has no noise, so its error of this day is no mean."""
    scenario = exercises.WHAT_DATA_IS_WORTH.scenario
    picture = exercises.what_data_is_worth(scenario).picture
    assert picture is not None
    forecast = simulate(scenario).release[NO_DATA].error
    assert list(picture.values.values())[1] == pytest.approx(forecast)


def test_the_home_is_empty_when_its_family_says_so() -> None:
    """Counted in the file, whose quarters of an hour the lesson may see as half hours."""
    rows = pd.read_csv(FILE, comment="#", index_col="time", parse_dates=True)
    said = rows["occupied"][home.FIRST :].iloc[: home.DAYS * 96]
    assert said.notna().all()
    by_day = said.between_time("8:00", "17:59")
    nights, days = said.between_time("0:00", "5:59"), (by_day[:"2012-06-15"], by_day["2012-06-16":])
    found = home.emptiness()
    assert list(found[:3]) == pytest.approx([1 - each.mean() for each in (nights, *days)], abs=0.05)
    assert found.right_always_home == pytest.approx(said.mean(), abs=0.02)
    assert found.right > found.right_always_home
    assert exercises.WHEN_NOBODY_IS_IN.answer(Scenario(), None).option == 1

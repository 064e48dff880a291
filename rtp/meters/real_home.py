"""Readings to try the lab with before one has any: a real home, and a street drawn from a scenario.

*The home*, with when its family said that somebody was in: household 2 of the ECO data set (`data/README.md`
says whose it is), 71 days of the summer of 2012 in quarters of an hour. What is learned from it is learned
from the readings; the labels judge.

*The sample*: sixty houses, forty that go out to work and twenty that stay, four weeks of quarter-hours up to
the Sunday on which Europe's clocks went forward; a few readings are missing, one meter is dead.
"""

from pathlib import Path

import numpy as np

from rtp.core.random import Stream, random_generator
from rtp.core.types import Frame
from rtp.meters.learned import AT_HOME, Learned
from rtp.meters.learning import learn
from rtp.meters.reading import read
from rtp.meters.readings import Readings
from rtp.scenario import Group, Habits, OccupancyModel, Scenario, period
from rtp.simulation import street_spec
from rtp.street.simulate import replay_houses

HOME_NAME = "A real home, summer 2012"
SOURCE = (
    "ECO data set, household 2, ETH Zurich (Beckel et al., BuildSys 2014; Kleiminger et al., UbiComp 2015), "
    "resampled to 15 minutes."
)
LICENCE, LICENCE_ADDRESS = "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"
NAMED = f"**{HOME_NAME}.** {SOURCE} Licence: {LICENCE}."
FILE = Path(__file__).parent / "data" / "household2_plugs_15min.csv"


def text() -> str:
    """The file, which begins with its source and licence."""
    return FILE.read_text(encoding="utf-8")


def real_home() -> Readings:
    """The home's readings, with its labels: 1 somebody was in, 0 nobody, −1 the family did not say."""
    return read(FILE)


WEEK, OTHERS_FROM = "2012-06-11", "2012-06-18"  # the week that is replayed at first, and what comes after it


def habits() -> Learned:
    """Return the home's habits, learned without labels from the weeks after the one that is replayed."""
    others = real_home().without_labels().between(OTHERS_FROM, None)
    return learn(others, meaning=AT_HOME, resamples=0)


SAMPLE_NAME = "the sample (drawn from a scenario, no real houses)"
FIRST_DAY, DAYS = "2024-03-04", 28
SKIPPED = "2024-03-31 02"  # the hour that no clock showed
MISSING_SHARE = 0.004
DEAD = 7

OUT = Habits(
    initial_occupied=0.05,
    periods=(
        period("Morning", 7.0, leave=0.05, arrive=0.98),
        period("Noon", 8.0, leave=0.97, arrive=0.05),
        period("Evening", 16.0, leave=0.05, arrive=0.99),
        period("Night", 23.0, leave=0.995, arrive=0.01),
    ),
)
STAY = Habits(
    initial_occupied=0.1,
    periods=(
        period("Morning", 7.0, leave=0.05, arrive=0.9),
        period("Noon", 8.0, leave=0.5, arrive=0.95),
        period("Evening", 16.0, leave=0.2, arrive=0.9),
        period("Night", 23.0, leave=0.99, arrive=0.02),
    ),
)
SCENARIO = Scenario(
    households=60,
    days=DAYS,
    groups=(
        Group(name="Out at noon", share=2 / 3, occupied_max=3.0, empty_max=0.4),
        Group(name="At home", share=1 / 3, occupied_max=2.0, empty_max=0.4),
    ),
    models=(OccupancyModel(name="Sample", habits=(OUT, STAY)),),
    habit_spread=0.0,
    seed=7,
)


def sample_frame() -> Frame:
    """Long: house, time, kWh in every quarter of an hour."""
    import pandas as pd

    spec = street_spec(SCENARIO)
    _, power = replay_houses(spec, spec.draw(), range(SCENARIO.households))
    power[:, DEAD] = 0.0
    houses = np.array([f"sample {i + 1:02d}" for i in range(power.shape[1])], dtype=object)
    clock = pd.date_range(FIRST_DAY, periods=len(power), freq=f"{24 * 60 * DAYS // len(power)}min")
    times = clock.strftime("%Y-%m-%d %H:%M").to_numpy(dtype=object)
    kept = random_generator(SCENARIO.seed, Stream.METER_SAMPLE).random(power.size) >= MISSING_SHARE
    kept &= np.tile([not time.startswith(SKIPPED) for time in times], len(houses))
    return pd.DataFrame(
        {
            "house": np.repeat(houses, len(times))[kept],
            "time": np.tile(times, len(houses))[kept],
            "kWh": (power.T.ravel() * 24 * DAYS / len(power)).round(4)[kept],
        }
    )


def sample() -> Readings:
    return read(sample_frame())

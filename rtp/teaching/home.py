"""The home that the story follows: days of a real meter, what a price says of them, and a street around it.

*The days* are the first of the readings. A label stands at every moment of them, and on each somebody went
out. What is learned comes from the readings of all days alone; the labels judge, and nothing else.

*A price.* The days are replayed under the story's promise and tariff (`rtp.meters.replaying`), and read by an
observer who knows that people sleep at home and judges every moment by the whole record
(`rtp.meters.observer`).

*The street.* Around the home live others like it: what a neighbour uses on one of the days is what the home
used on another one, on a working day what it used on a working day. The seed draws the days, and the houses
of a shorter street are the first of a longer one. The observer knows everybody's habits, which are the
home's, and which house is which, but none of the days.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.random import Stream, random_generator
from rtp.core.types import Bools, Floats
from rtp.mechanisms import UNPROTECTED
from rtp.meters.answering import believed
from rtp.meters.check import at_home, clock_alone
from rtp.meters.house_fit import join_fits
from rtp.meters.learned import AT_HOME, STANDBY, Learned
from rtp.meters.learning import learn
from rtp.meters.readings import Readings, filled_in
from rtp.meters.real_home import real_home
from rtp.meters.replaying import Replay, replay, with_bounds
from rtp.scenario import Scenario

DAYS = 5
CONTRACT = 3.0  # kW, a usual contract of a home in Italy: a bound that does not look at the data
STREETS, CROWD = (2, 5), 1_000  # houses
LOOSE = 5.0  # an ε that leaves a part to be seen

Span = tuple[int, int]  # steps: the first, and the one after the last


@dataclass(frozen=True, kw_only=True)
class Home:
    """The days of the home. Arrays are (T,)."""

    first_date: np.datetime64
    days_read: int  # of the meter, these among them
    minutes: int  # of a step
    power: Floats  # kW
    occupied: NDArray[np.int8]  # 1 somebody was in, 0 nobody was, −1 the family did not say
    usual: Bools  # whether somebody was in more often at that hour of all other days

    @property
    def labelled(self) -> int:
        """At how many moments the family says it."""
        return int((self.occupied >= 0).sum())

    def right(self, said_in: Bools) -> float:
        """At which share of these moments it is right that somebody was in, or that nobody was."""
        known = self.occupied >= 0
        return float((said_in == (self.occupied == 1))[known].mean())

    def believed_right(self, belief: Floats) -> float:
        """The same of the likelier answer."""
        return self.right(belief >= 0.5)

    def step(self, time: np.datetime64) -> int:
        """The step that begins nearest to that time, within these days."""
        minutes = int((time - self.first_date.astype("datetime64[m]")).astype(int))
        return min(max(round(minutes / self.minutes), 0), len(self.power))

    def without(self, nobody: Iterable[Span]) -> Bools:
        """Whether somebody was in, for one who says that nobody was at these times and somebody else."""
        said = np.ones(len(self.power), dtype=bool)
        for start, stop in nobody:
            said[max(start, 0) : stop] = False
        return said


@lru_cache(maxsize=1)
def _readings() -> Readings:
    return real_home()


@lru_cache(maxsize=1)
def home() -> Home:
    """The home, of which nothing has been learned yet."""
    readings, shown = _readings(), _readings().only_days(0, DAYS)
    assert readings.occupied is not None
    truth = readings.occupied[0].reshape(readings.days, readings.steps_per_day)
    hour = np.arange(readings.steps_per_day) * readings.minutes // 60
    return Home(
        first_date=readings.first_day,
        days_read=readings.days,
        minutes=readings.minutes,
        power=np.asarray(shown.power[0], dtype=float),
        occupied=truth[:DAYS].ravel(),
        usual=clock_alone(truth, hour)[:DAYS].ravel(),
    )


def learned_home() -> Learned:
    """What the home's readings teach without any label; it takes seconds."""
    return learn(_readings().without_labels(), meaning=AT_HOME, resamples=0)


def street_of(learned: Learned, scenario: Scenario, houses: int = 1, *, idle: bool = False) -> Replay:
    """The days of the home, the first of so many houses, under the scenario's prices; as they are, or as they
    would have been had it used nothing."""
    readings, fits = _neighbours(houses, scenario.seed, idle), join_fits([learned.houses] * houses)
    (group,) = learned.groups
    everyone = np.arange(houses)
    street = replace(
        learned,
        which=everyone,
        all_houses=houses,
        houses=fits,
        groups=(replace(group, houses=everyone),),
    )
    return replay(readings, with_bounds(scenario, street, CONTRACT, STANDBY), street)


def _neighbours(houses: int, seed: int, idle: bool) -> Readings:
    """The readings of the home's days, and of others on days like these."""
    readings = _readings().without_labels()
    by_day = filled_in(readings)[0].reshape(readings.days, -1)
    later = np.arange(readings.days) >= DAYS
    alike = [np.flatnonzero(later & (readings.weekend == readings.weekend[day])) for day in range(DAYS)]
    drawn = random_generator(seed, Stream.STORY).random((houses - 1, DAYS))
    days = [days[(drawn[:, day] * len(days)).astype(int)] for day, days in enumerate(alike)]
    own = np.zeros_like(by_day[:DAYS]) if idle else by_day[:DAYS]
    power = np.concatenate([own[None], by_day[np.stack(days, axis=1)]]).reshape(houses, -1)
    return replace(
        readings.only_days(0, DAYS),
        houses=tuple(f"house {number + 1}" for number in range(houses)),
        power=power.astype(np.float32),
        usable=np.ones(houses, dtype=bool),
    )


def by_meter(learned: Learned) -> Floats:
    """Pr[somebody is in] to who reads the meter itself, (T,)."""
    found = at_home(_readings(), learned)
    return found.at_home[0, : len(home().power)]


class ByRate(NamedTuple):
    """What a rate says of the home. Arrays are (T,)."""

    optimal: Floats  # the rate without noise
    belief: Floats  # Pr[somebody is in], to who reads a rate all along,
    habits: Floats  # and to who reads none


def told_by_rate(
    learned: Learned, scenario: Scenario, houses: int, mechanism: str, knows: str, *, idle: bool = False
) -> ByRate:
    """What that mechanism's rate of such a street says of the home to who knows the model only, or all
    others' use."""
    street = street_of(learned, scenario, houses, idle=idle)
    found = believed(street, mechanism, knows, 0, "smoothing")
    return ByRate(street.rate(UNPROTECTED), found.belief[:, 0], found.model_only[:, 0])


def moved_by_home(learned: Learned, scenario: Scenario, houses: int, knows: str = "model") -> float:
    """By how much the belief from the optimal rate would differ at most, had the home used nothing."""
    belief, otherwise = (
        told_by_rate(learned, scenario, houses, UNPROTECTED, knows, idle=idle).belief
        for idle in (False, True)
    )
    return float(np.abs(belief - otherwise).max())

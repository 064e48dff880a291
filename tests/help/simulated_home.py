"""Homes whose days are known, asleep included, to judge what is learned; not drawn by the learner's model.

People get up, go out, come home and go to bed at hours that scatter around their own; they do not move by a
chain. Some work outside, some homes are left empty for days. Use is standby and a refrigerator's cycle,
always; lamps and screens that go on and off, cooking and other short heavy use while somebody is up; and
washing that runs on when everybody has left or sleeps. Somebody who is up may use nothing at all. `KINDS` has
homes that are hard for a learner, each by what sets it apart.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from rtp.core.random import Stream, random_generator
from rtp.core.types import Bools, Floats
from rtp.meters.readings import MINUTES_PER_DAY, Readings

FINE = 5  # minutes in which days are drawn
PER_HOUR = 60 // FINE
PER_DAY = MINUTES_PER_DAY // FINE
FIRST_DAY = np.datetime64("2024-05-06", "D")  # a Monday
SATURDAY = 5  # days after Monday
GAP = 8 * PER_HOUR  # fine steps that are missing in a row
AWAKE_AT_LEAST = 6  # fine steps between coming home late and going to bed


class Life(NamedTuple):
    """What people do, in fine steps, (T,)."""

    home: Bools
    asleep: Bools

    @property
    def up(self) -> Bools:
        return self.home & ~self.asleep


class Kind(NamedTuple):
    """What sets homes apart; as it stands, nothing does."""

    works: float = 0.7  # the share of homes that work outside
    nights: int = 0  # so many of two weeks of work are by night, and their sleep by day
    outings: float = 1.3  # on a day without work
    evenings: float = 1.0  # out, of the usual number
    holiday: float = 0.0  # days away in a row, beside the usual ones
    fridge: float = 1.0  # of the usual use of its compressor
    boiler: float = 0.0  # kW, for some of the hours from 23
    scale: float = 1.0  # of all that is used
    standby: float = 0.0  # kW
    left_on: float = 0.0  # the chance, a day, that something of up to 100 W is left on for a day or so
    steady: float = 0.0  # how much one day's use by who is up exceeds another's, in logarithms
    gaps: float = 0.0  # the share of readings that are missing, in stretches of hours
    lodger: bool = False  # somebody else lives there, too, by hours of his own
    appliance: float = 0.0  # the chance, a day, that something cycles for hours, whoever is in


KINDS = {
    "usual": Kind(),
    "night shifts": Kind(works=1.0, nights=1),
    "always by night": Kind(works=1.0, nights=2),
    "a week's holiday": Kind(holiday=7.0),
    "pensioners": Kind(works=0.0, outings=0.7, evenings=0.3),
    "large refrigerator": Kind(fridge=3.0),
    "boiler by night": Kind(boiler=2.0),
    "mains of a whole house": Kind(scale=1.45, standby=0.15),
    "things left on": Kind(left_on=0.3),
    "steady use": Kind(steady=0.8),
    "gaps": Kind(gaps=0.1),
    "lodger": Kind(lodger=True),
    "appliance at random": Kind(appliance=0.4),
}


def simulated_homes(
    count: int, days: int = 70, minutes: int = 15, seed: int = 0, kind: str = "usual"
) -> Readings:
    """Return labelled readings of so many homes; a step is labelled by what was so for most of it."""
    lives = [
        _home(random_generator(seed, Stream.METER_HOMES, home), days, KINDS[kind]) for home in range(count)
    ]
    shape = count, days * MINUTES_PER_DAY // minutes, minutes // FINE
    power = np.array([use for _, use in lives]).reshape(shape).mean(axis=2)
    home = np.array([life.home for life, _ in lives]).reshape(shape).mean(axis=2) >= 0.5
    return Readings(
        houses=tuple(f"simulated {home + 1}" for home in range(count)),
        first_day=FIRST_DAY,
        minutes=minutes,
        power=power.astype(np.float32),
        occupied=home.astype(np.int8),
        unit="kW",
        usable=np.ones(count, dtype=bool),
        findings=(),
    )


def _home(rng: Generator, days: int, kind: Kind) -> tuple[Life, Floats]:
    life = _life(rng, days, kind)
    if kind.lodger:
        other = _life(rng, days, kind)
        up = life.up | other.up
        life = Life(life.home | other.home, (life.home | other.home) & ~up)
    use = _use(rng, life, kind)
    for start in rng.integers(len(use), size=round(kind.gaps * len(use) / GAP)):
        use[start : start + GAP] = np.nan
    return life, use


def _life(rng: Generator, days: int, kind: Kind) -> Life:
    """Days of people with hours of their own; hours are counted from the first midnight."""
    away, asleep = np.zeros(days * PER_DAY, dtype=bool), np.zeros(days * PER_DAY, dtype=bool)

    def mark(what: Bools, start: float, end: float) -> None:
        what[max(round(start * PER_HOUR), 0) : max(round(end * PER_HOUR), 0)] = True

    works, rises, to_bed = rng.random() < kind.works, rng.normal(6.8, 0.6), rng.normal(22.9, 0.6)
    weekend = np.arange(days + 1) % 7 >= SATURDAY
    rise = 24 * np.arange(days + 1) + rises + rng.normal(0, 0.35, days + 1)
    rise += weekend * rng.uniform(0.4, 2.1, days + 1)
    leaves, stays = 24 * float(rng.integers(days)) + 12, 24 * float(rng.integers(2, 6) * (rng.random() < 0.6))
    mark(away, leaves, leaves + stays)  # a holiday
    if kind.holiday:
        leaves = 24 * float(rng.integers(days)) + 9
        mark(away, leaves, leaves + 24 * kind.holiday)
    mark(asleep, 0, rise[0])
    for day in range(days):
        by_night = day // 7 % 2 > 1 - kind.nights and not weekend[day]
        if by_night:
            leaves = 24 * day + rng.normal(21, 0.3)
            mark(away, leaves, leaves + rng.normal(9.5, 0.3))
            mark(asleep, 24 * day + rng.normal(32, 0.4), 24 * day + rng.normal(39, 0.6))
            continue
        mark(asleep, 24 * day + to_bed + rng.normal(0, 0.5) + 0.7 * (day % 7 in (4, 5)), rise[day + 1])
        if works and not weekend[day] and not kind.nights and rng.random() < 0.9:
            leaves = rise[day] + rng.uniform(0.3, 1.3)
            mark(away, leaves, leaves + rng.normal(9.3, 0.8))
        else:
            for _ in range(rng.poisson(kind.outings)):
                leaves = 24 * day + rng.uniform(9, 19)
                mark(away, leaves, leaves + rng.gamma(2, 1.3))
        if rng.random() < kind.evenings * (0.25 if day % 7 in (4, 5) else 0.1):  # an evening out
            leaves = 24 * day + rng.uniform(18, 20.5)
            mark(away, leaves, leaves + rng.uniform(2, 5.5))
        if rng.random() < 0.03:  # a night elsewhere
            mark(away, 24 * day + rng.uniform(15, 19), 24 * day + rng.uniform(34, 42))
    for back in np.flatnonzero(away[:-1] & ~away[1:]) + 1:
        asleep[back : back + AWAKE_AT_LEAST] = False
    return Life(~away, asleep & ~away)


def _use(rng: Generator, life: Life, kind: Kind) -> Floats:
    """kW in every fine step."""
    steps, up = len(life.home), life.up
    hour = np.arange(steps) / PER_HOUR % 24
    cycle, duty = rng.uniform(35, 70) / FINE, rng.uniform(0.3, 0.5)
    phase = np.cumsum(np.exp(rng.normal(0, 0.03, steps)) / cycle) % 1
    use = rng.uniform(0.02, 0.12) * np.exp(rng.normal(0, 0.05, steps)) + kind.fridge * rng.uniform(
        0.05, 0.1
    ) * (phase < duty)
    base = use.copy()
    use += _lamps(rng, up, hour)
    meals = ((hour > 11) & (hour < 13)) | ((hour > 17) & (hour < 19.5)) | (hour < 9)
    for start in np.flatnonzero(rng.random(steps) < rng.uniform(0.02, 0.05) * up * np.where(meals, 1.6, 0.7)):
        use[start : start + 1 + int(rng.gamma(1.5, 2.5))] += rng.gamma(1.2, 0.5)
    for start in np.flatnonzero(rng.random(steps) < 0.005 * up):  # washing, and what runs on by itself
        use[start : start + rng.integers(9, 20)] += 0.25 * np.exp(rng.normal(0, 0.5))
    if kind.steady:
        own = np.repeat(np.exp(kind.steady * rng.normal(size=steps // PER_DAY)), PER_DAY)
        use = np.where(up, base + (use - base) * own, use)
    for start in np.flatnonzero(rng.random(steps if kind.left_on else 0) < kind.left_on / PER_DAY):
        use[start : start + rng.integers(PER_DAY // 3, 2 * PER_DAY)] += rng.uniform(0.03, 0.1)
    for start in np.flatnonzero(rng.random(steps if kind.appliance else 0) < kind.appliance / PER_DAY):
        lasts = rng.integers(6 * PER_HOUR, 20 * PER_HOUR)
        cycles = (np.arange(lasts) * FINE / rng.uniform(30, 60)) % 1 < rng.uniform(0.4, 0.7)
        use[start : start + lasts] += (rng.uniform(0.25, 0.6) * cycles)[: steps - start]
    for day in range(steps // PER_DAY if kind.boiler else 0):  # heats what was used, whoever is at home
        start = PER_DAY * day + 23 * PER_HOUR + rng.integers(2 * PER_HOUR)
        use[
            start : start + 6 + int(rng.gamma(4, 3.0) * (0.3 + life.up[PER_DAY * day :][:PER_DAY].mean()))
        ] += kind.boiler
    return np.asarray(kind.scale * use + kind.standby)


def _lamps(rng: Generator, up: Bools, hour: Floats) -> Floats:
    """Lamps and screens: on and off, oftener and longer in the evening; off where nobody is up."""
    result, on, level = np.zeros(len(up)), False, 0.0
    usual, lit = rng.uniform(0.06, 0.25), rng.uniform(0.03, 0.08)
    draws = rng.random(len(up))
    for step, (awake, late) in enumerate(zip(up, hour > 17, strict=True)):
        if awake and not on and draws[step] < lit * (2 if late else 1):
            on, level = True, usual * rng.gamma(4, 0.25)
        elif on and (not awake or draws[step] < (0.012 if late else 0.03)):
            on = False
        result[step] = level if on else 0.0
    return result

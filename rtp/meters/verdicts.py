"""A verdict for every house: whether its two states can be occupancy, and why.

Two states that predict new days better than one are two ways of using power. Whether they can mean that
somebody is at home shows in three things: how far apart they are (a refrigerator's are less than a lamp),
whether they follow the clock (an appliance that cycles does not), and when the upper one is on (a heater on a
night tariff is on while people sleep; in this lab occupied means up and about).
"""

from typing import NamedTuple

import numpy as np

from rtp.core.formatting import percent
from rtp.meters.house_fit import HouseFits

APPLIANCE_KW = 0.1  # states that are nearer to each other are an appliance's, if there are two
VACANT_KW = 0.025  # a house that uses less on average does not even run a refrigerator
VACANT_SHARE = 0.02  # of the time
CLOCK = 0.15  # by which the likeliest hour to be occupied must exceed the least likely
NIGHT = 0.1  # by which nights must exceed noon and evening to be a heater's

NOON, EVENING, NIGHT_HOURS = np.arange(8, 16), np.arange(16, 23), np.array([23, 0, 1, 2, 3, 4, 5, 6])

GIVEN, FOLLOWS, APPLIANCE = "given", "follows the clock", "flat or an appliance"
AT_NIGHT, VACANT, ONE_STATE = "mostly at night", "vacant", "one state"
ENDED, UNUSABLE = "ended early", "not usable"


class Verdict(NamedTuple):
    """On one house."""

    label: str
    reason: str

    @property
    def can_be_occupancy(self) -> bool:
        return self.label in (GIVEN, FOLLOWS)


def house_verdicts(houses: HouseFits, *, counted: bool) -> tuple[Verdict, ...]:
    """The verdict on every house that was learned from; `counted` where readings say who is at home."""
    return tuple(
        Verdict(GIVEN, "the readings say who is at home") if counted else _judge(houses, house)
        for house in range(len(houses.separable))
    )


def _judge(houses: HouseFits, house: int) -> Verdict:
    profile, (empty, occupied) = houses.profile[:, house], houses.mean[:, house]
    noon, evening, night = (float(profile[hours].mean()) for hours in (NOON, EVENING, NIGHT_HOURS))
    use = float(houses.used[:, house].mean())
    apart = f"{1000 * empty:,.0f} W and {1000 * occupied:,.0f} W"
    if use < VACANT_KW:
        return Verdict(VACANT, f"{1000 * use:,.0f} W on average, less than a refrigerator")
    if not houses.separable[house]:
        span = float(houses.edges[house, -2] - houses.edges[house, 1])
        if span < APPLIANCE_KW:
            return Verdict(APPLIANCE, f"five readings in six are within {1000 * span:,.0f} W")
        return Verdict(ONE_STATE, "two states predict new days no better than one")
    if occupied - empty < APPLIANCE_KW:
        return Verdict(APPLIANCE, f"its states are as near as {apart}")
    if profile.mean() < VACANT_SHARE:
        return Verdict(VACANT, f"in the upper state at {percent(float(profile.mean()))} of the time")
    if np.ptp(profile) < CLOCK:
        return Verdict(APPLIANCE, f"its states, {apart}, do not follow the clock")
    by_time = f"{evening:.0%} of the evening, {noon:.0%} of noon, {night:.0%} of the night"
    if night > max(noon, evening) + NIGHT:
        return Verdict(AT_NIGHT, f"in the upper state at {by_time}: a heater?")
    return Verdict(FOLLOWS, f"in the upper state at {by_time}")

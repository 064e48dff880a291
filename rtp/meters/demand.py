"""What is done to readings before they are priced: gaps filled, houses put into groups, bounds looked at."""

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.meters.learned import Learned
from rtp.meters.readings import Readings, in_steps_of
from rtp.scenario import Scenario
from rtp.street.draw import group_sizes


def groups_of(houses: int, scenario: Scenario, learned: Learned | None) -> Ints:
    """(n,): the group of every house. What was not learned from stands with the largest group; without any
    learning houses are taken in their order, as many for each group as its share says."""
    if learned is None:
        sizes = group_sizes([g.share for g in scenario.groups], houses)
        return np.repeat(np.arange(len(sizes)), sizes)
    group = np.zeros(houses, dtype=np.intp)
    for g, own in enumerate(learned.groups):
        group[learned.which[own.houses]] = g
    return group


def filled_in(readings: Readings) -> tuple[Floats, Bools]:
    """Power without gaps, (n, T), and where there were any."""
    missing = np.isnan(readings.power)
    by_day = np.where(missing, 0.0, readings.power).reshape(len(readings.houses), readings.days, -1)
    known = (~missing).reshape(by_day.shape)
    count, total = known.sum(axis=1), by_day.sum(axis=1)
    whole = total.sum(axis=1) / np.maximum(count.sum(axis=1), 1)
    usual = np.where(count > 0, total / np.maximum(count, 1), whole[:, None])
    return np.where(known, by_day, usual[:, None]).reshape(readings.power.shape), missing


def share_above(power: Floats, bound: Floats) -> float:
    total = power.sum()
    return float(np.maximum(power - bound[:, None], 0.0).sum() / total) if total > 0 else 0.0


def occupancy_given(readings: Readings, minutes: int) -> Floats | None:
    """(n, T) in steps of so many minutes: 1 where a house is said to be occupied for half the step or more, 0
    where it is not, NaN where nothing is said of a part of it; None where nothing is said at all."""
    if readings.occupied is None:
        return None
    said = np.where(readings.occupied < 0, np.nan, readings.occupied)
    share = in_steps_of(said, readings.minutes, minutes)
    return np.where(np.isnan(share), np.nan, share >= 0.5)

"""Recorded use as days that are priced like simulated ones, in pieces of four weeks.

Each piece is a `Day` with noise of its own, whose use was recorded, not drawn: what is asked of a simulated
day can be asked of it (`watching`). Gaps are filled, houses stand in their groups, and a house uses as it was
learned or uniformly up to the stated bounds.

Filter and forecast lean on moments. The street of a scenario uses U(0, u); a real house uses what it uses.
With the mean m and the variance v of a house's use in each state, learned from its readings, and its group's
probability π to be occupied, the moments of `rtp.street.moments` follow in the same way: the mean is
Σ m₀ + π(m₁ − m₀), the variance given who is at home Σ πv₁ + (1 − π)v₀, and that from who is at home
Σ (m₁ − m₀)²·π(1 − π).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from rtp.core.parallel import Progress
from rtp.core.time import Weekday
from rtp.core.types import Bools, Floats, Ints
from rtp.meters.learned import Learned
from rtp.meters.readings import DAYS_PER_WEEK, Readings, in_steps_of
from rtp.probability.histogram import Histograms
from rtp.probability.markov import Chains, propagate
from rtp.scenario import Scenario
from rtp.simulation import Day, publish_day, street_spec
from rtp.street.draw import consumption_distributions, group_sizes
from rtp.street.moments import DemandMoments
from rtp.street.prior_marginals import support_classes
from rtp.street.schedule import Schedule
from rtp.street.simulate import StreetDay


def groups_of(houses: Sequence[str], scenario: Scenario, learned: Learned | None) -> Ints:
    """(n,): the group of every house: as learned, or as the scenario lists it by name (the first group where
    it does not). A scenario that lists none of them has as many in each group as its share says, in order."""
    if learned is not None:
        return learned.group_of_houses()
    place = {group.name: g for g, group in enumerate(scenario.groups)}
    listed = {house.name: place[house.group] for house in scenario.houses or ()}
    if any(name in listed for name in houses):
        return np.array([listed.get(name, 0) for name in houses], dtype=np.intp)
    sizes = group_sizes([g.share for g in scenario.groups], len(houses))
    return np.repeat(np.arange(len(sizes)), sizes)


def filled_in(readings: Readings) -> tuple[Floats, Bools]:
    """Power without gaps, (n, T), and where there were any."""
    missing = np.isnan(readings.power)
    by_day = np.where(missing, 0.0, readings.power).reshape(len(readings.houses), readings.days, -1)
    present = (~missing).reshape(by_day.shape)
    count, total = present.sum(axis=1), by_day.sum(axis=1)
    whole = total.sum(axis=1) / np.maximum(count.sum(axis=1), 1)
    usual = np.where(count > 0, total / np.maximum(count, 1), whole[:, None])
    return np.where(present, by_day, usual[:, None]).reshape(readings.power.shape), missing


def share_above(power: Floats, bound: Floats) -> float:
    total = power.sum()
    return float(np.maximum(power - bound[:, None], 0.0).sum() / total) if total > 0 else 0.0


def occupancy_given(readings: Readings, minutes: int) -> Floats | None:
    """(n, T) in steps of so many minutes: 1 where a house was occupied for half the step or more, else 0, NaN
    where the readings leave out a part of it; None where they never say who is at home."""
    if readings.occupied is None:
        return None
    occupied = np.where(readings.occupied < 0, np.nan, readings.occupied)
    share = in_steps_of(occupied, readings.minutes, minutes)
    return np.where(np.isnan(share), np.nan, share >= 0.5)


def _own(order: Ints, learned: Learned) -> Ints:
    """(n,): where each house of the street stands among the learned ones; −1 where it does not."""
    position = np.full(len(order), -1)
    position[learned.which] = np.arange(len(learned.which))
    return np.asarray(position[order])


def learned_distributions(highest: Floats, order: Ints, learned: Learned) -> Histograms:
    """The learned histograms, cut at the bounds; uniform ones of houses that were not learned from.

    `highest` (n, 2) are the bounds, empty and occupied; a house that uses more while empty is cut there.
    """
    own = _own(order, learned)
    bins = learned.houses.edges.shape[1] - 1
    edges, mass = _uniform(highest, bins)
    has = own >= 0
    edges[has] = np.minimum(learned.houses.edges[own[has]], highest[has].max(axis=1)[:, None])
    mass[:, has] = learned.houses.model.emission[:, own[has]]
    return Histograms(edges=edges, mass=mass)


def _uniform(highest: Floats, bins: int) -> tuple[Floats, Floats]:
    """U(0, u) of both states as histograms: half the bins up to the smaller bound, half beyond."""
    low, high = highest.min(axis=1), highest.max(axis=1)
    first, rest = bins // 2, bins - bins // 2
    edges = np.concatenate(
        [
            low[:, None] * np.arange(first) / first,
            low[:, None] + (high - low)[:, None] * np.arange(rest + 1) / rest,
        ],
        axis=1,
    )
    width = np.diff(edges, axis=1)
    inside = np.arange(bins) < first
    mass = [
        np.where(inside | (u == high)[:, None], width / np.maximum(u, 1e-300)[:, None], 0.0)
        for u in highest.T
    ]
    mass = [
        np.where((u == 0)[:, None], np.arange(bins) == 0, m) for u, m in zip(highest.T, mass, strict=True)
    ]
    return edges, np.array(mass)


def use_moments_of(highest: Floats, order: Ints, learned: Learned | None) -> tuple[Floats, Floats]:
    """Mean and variance of use in each state, (2, n): as learned, or uniform up to the bounds."""
    mean, variance = highest / 2, highest**2 / 12
    if learned is None:
        return mean, variance
    own = _own(order, learned)
    has = own >= 0
    mean[:, has] = learned.houses.mean[:, own[has]]
    variance[:, has] = learned.houses.variance[:, own[has]]
    for values in (mean, variance):
        values[:, ~has] = values[:, has].mean(axis=1, keepdims=True)
    return mean, variance


def learned_moments(
    schedules: tuple[Schedule, ...], group: Ints, mean: Floats, variance: Floats, steps: int
) -> DemandMoments:
    """Of houses in groups, (n,), with means and variances (2, n), empty and occupied."""
    groups = len(schedules)
    moments = {name: np.zeros((groups, steps)) for name in DemandMoments.__dataclass_fields__}
    for g, schedule in enumerate(schedules):
        mine = group == g
        row = np.resize(schedule.period, steps)
        leave, arrive = schedule.leave[:, None], schedule.arrive[:, None]
        initial = np.array([schedule.initial])
        occupied = propagate(Chains(initial=initial, leave=leave, arrive=arrive, row=row[:-1]))[:, 0]
        (m0, m1), (v0, v1) = mean[:, mine], variance[:, mine]
        spread = ((m1 - m0) ** 2).sum() * occupied * (1 - occupied)
        moments["occupied"][g] = mine.sum() * occupied
        moments["demand"][g] = m0.sum() + occupied * (m1 - m0).sum()
        moments["consumption_variance"][g] = occupied * v1.sum() + (1 - occupied) * v0.sum()
        moments["occupancy_variance"][g] = spread
        moments["lag1_covariance"][g] = spread * (1 - leave - arrive)[row, 0]
    return DemandMoments(**moments)


PIECE = 4 * DAYS_PER_WEEK  # days at once; whole weeks, so that all begin on the same weekday


def in_pieces(
    power: Floats,
    scenario: Scenario,
    group: Ints,
    learned: Learned | None,
    weekday: Weekday,
    progress: Progress | None = None,
) -> Iterator[Day]:
    """What the houses used, (n, T) from that weekday on, through every mechanism, piece by piece."""
    days = power.shape[1] // scenario.steps_per_day
    for number, start in enumerate(range(0, days, PIECE)):
        stop = min(start + PIECE, days)
        piece = _for_piece(scenario, group, stop - start, number, weekday)
        own = power[:, start * scenario.steps_per_day : stop * scenario.steps_per_day]
        yield _priced(own, piece, group, learned)
        if progress is not None:
            progress(stop / days)


def _for_piece(scenario: Scenario, group: Ints, days: int, piece: int, weekday: Weekday) -> Scenario:
    """As many houses and days as there are, in groups of their real sizes; every piece with its own noise."""
    sizes = np.bincount(group, minlength=len(scenario.groups))
    groups = tuple(
        g.replace(share=float(size / len(group))) for g, size in zip(scenario.groups, sizes, strict=True)
    )
    return scenario.replace(
        households=len(group),
        houses=None,
        days=days,
        first_weekday=weekday,
        power_unit="kW",
        groups=groups,
        seed=(scenario.seed + piece) % 2**31,
    )


def _priced(power: Floats, scenario: Scenario, group: Ints, learned: Learned | None) -> Day:
    """The day as it would have been published. The street's houses stand in the order of their groups."""
    spec, order = street_spec(scenario), np.argsort(group, kind="stable")
    drawn = spec.draw()
    highest = np.array([[g.empty_max, g.occupied_max] for g in scenario.groups])[group[order]]
    laws = consumption_distributions(scenario.groups, drawn.group, highest[:, 1], highest[:, 0])
    if learned is not None:
        laws = replace(
            learned_distributions(highest, order, learned), moments=use_moments_of(highest.T, order, learned)
        )
    street = replace(drawn, occupied_bound=highest[:, 1], empty_bound=highest[:, 0], distributions=laws)
    expects = [
        learned_moments(model, group[order], *street.moments(), spec.steps)
        for model in (spec.schedules[0], spec.schedules[spec.assumed_index])
    ]
    truth, assumed = expects if spec.assumed_index else (expects[0], expects[0])
    day = StreetDay(
        spec=spec,
        street=street,
        support_classes=support_classes(spec, street),
        occupied=np.asarray(truth.occupied.sum(axis=0)),
        demand=np.asarray(power.sum(axis=0), dtype=float),
        true_moments=truth,
        assumed_moments=assumed,
        recorded=power[order].T,
    )
    return publish_day(scenario, day)

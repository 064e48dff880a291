"""Days of the lab whose use was recorded and not drawn, with noise of their own.

A span is priced in pieces of four weeks, each a `Day`. Filter and forecast lean on moments. The street of a
scenario uses U(0, u); a real house uses what it uses. With the mean m and the variance v of a house's use in
each state, learned from its readings, and its group's probability π to be occupied, the moments of
`rtp.street.schedule` follow in the same way: the mean is Σ m₀ + π(m₁ − m₀), the variance given who is at home
Σ πv₁ + (1 − π)v₀, and that from who is at home Σ (m₁ − m₀)²·π(1 − π).
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rtp.core.time import Weekday
from rtp.core.types import Floats, Ints
from rtp.core.workers import Progress
from rtp.meters.learned import Learned
from rtp.meters.readings import DAYS_PER_WEEK
from rtp.probability.histogram import Histograms
from rtp.scenario import Scenario
from rtp.simulation import Day, publish_day, street_spec
from rtp.street.draw import Street, consumption_distributions, uniform_histograms
from rtp.street.prior_marginals import support_classes
from rtp.street.schedule import DemandMoments, Schedule, block_moments
from rtp.street.simulate import StreetDay

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
    """The day as it would have been published. Houses stand in the order of their groups, as a street's
    do."""
    spec = street_spec(scenario)
    drawn = spec.draw()
    empty, occupied = np.array([[g.empty_max, g.occupied_max] for g in scenario.groups]).T[:, group]
    if learned is None:
        laws = consumption_distributions(scenario.groups, drawn.group, occupied, empty)
    else:
        laws = learned_distributions(np.stack([empty, occupied]), learned)
    street = replace(drawn, occupied_bound=occupied, empty_bound=empty, distributions=laws)
    truth, assumed = (
        expected_moments(spec.schedules[model], street, spec.steps) for model in (0, spec.assumed_index)
    )
    day = StreetDay(
        spec=spec,
        street=street,
        support_classes=support_classes(spec, street),
        occupied_by_group=truth.occupied,
        demand=np.asarray(power.sum(axis=0), dtype=float),
        true_moments=truth,
        assumed_moments=assumed,
        recorded=power.T,
    )
    return publish_day(scenario, day)


def learned_distributions(highest: Floats, learned: Learned) -> Histograms:
    """The learned histograms, cut at the bounds, with the learned means and variances.

    A house that was not learned from has a uniform histogram and the others' mean moments. `highest` (2, n)
    are the bounds, empty and occupied; a house that uses more while empty is cut there.
    """
    houses, has = learned.houses, learned.which
    edges, mass = uniform_histograms(highest, houses.edges.shape[1] - 1)
    edges[has] = np.minimum(houses.edges, highest[:, has].max(axis=0)[:, None])
    mass[:, has] = houses.emission
    own = np.stack([houses.mean, houses.variance])
    moments = np.repeat(own.mean(axis=-1, keepdims=True), highest.shape[1], axis=-1)
    moments[..., has] = own
    return Histograms(edges=edges, mass=mass, moments=(moments[0], moments[1]))


def expected_moments(schedules: tuple[Schedule, ...], street: Street, steps: int) -> DemandMoments:
    """What the groups' habits, without the houses' own, make one expect of the street's demand."""
    by_group = []
    for g, schedule in enumerate(schedules):
        mean, variance = street.moments(np.flatnonzero(street.group == g))
        leave, arrive = (
            np.repeat(each[:, None], mean.shape[1], axis=1) for each in (schedule.leave, schedule.arrive)
        )
        by_group.append(block_moments(schedule, leave, arrive, mean, variance, steps))
    return DemandMoments(*np.stack(by_group, axis=1))

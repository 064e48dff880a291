"""The feeder's recorded use as days that are priced like simulated ones, in pieces of four weeks.

Each piece is a `Day` with noise of its own, whose use was recorded, not drawn: what is asked of a simulated
day can be asked of it (`watching`).
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rtp.core.parallel import Progress
from rtp.core.time import Weekday
from rtp.core.types import Floats, Ints
from rtp.meters.expected import outlook_of
from rtp.meters.laws import laws_of, moments_of
from rtp.meters.learned import Learned
from rtp.meters.readings import DAYS_PER_WEEK
from rtp.scenario import Scenario
from rtp.simulation import Day, publish_day, street_spec
from rtp.street.draw import consumption_distributions
from rtp.street.prior_marginals import support_classes
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
    """The day as it would have been published. The street's houses stand in the order of their groups."""
    spec, order = street_spec(scenario), np.argsort(group, kind="stable")
    drawn = spec.draw()
    highest = np.array([[g.empty_max, g.occupied_max] for g in scenario.groups])[group[order]]
    laws = consumption_distributions(scenario.groups, drawn.group, highest[:, 1], highest[:, 0])
    if learned is not None:
        laws = replace(laws_of(highest, order, learned), moments=moments_of(highest.T, order, learned))
    street = replace(drawn, occupied_bound=highest[:, 1], empty_bound=highest[:, 0], distributions=laws)
    expects = [
        outlook_of(model, group[order], *street.moments(), spec.steps)
        for model in (spec.schedules[0], spec.schedules[spec.assumed_index])
    ]
    truth, assumed = expects if spec.assumed_index else (expects[0], expects[0])
    life = StreetDay(
        spec=spec,
        street=street,
        support_classes=support_classes(spec, street),
        occupied=np.asarray(truth.occupied.sum(axis=0)),
        demand=np.asarray(power.sum(axis=0), dtype=float),
        true_moments=truth,
        assumed_moments=assumed,
        recorded=power[order].T,
    )
    return publish_day(scenario, life)

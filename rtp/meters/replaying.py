"""The feeder's real demand through every mechanism: what would have been published, and what it costs.

Demand is what the houses really used; noise, promise and tariff are the scenario's. A house's bound is what
its group states (a fuse, a contract), and the same for every house of the group: it is never taken from the
readings, because a bound that follows the data gives the data away. Readings above it are cut and counted; a
missing one is filled with the house's own mean at that time of day, and counted too. Bills are also told for
what was read alone. Unless days are chosen, they are the last well-read ones, if possible none that habits
were learned from: a forecast is private only of what it has not learned.

Where habits were learned, filter and forecast expect what the learned model does, and noise that relies on
the law of consumption is made for the learned histograms, taken as public; without, both rely on the
scenario's own.

A span is priced in pieces of four weeks, each a `Day` of which can be asked what is asked of a simulated one
(`answering`). Filter and forecast lean on moments. The street of a scenario uses U(0, u); a real house uses
what it uses. With the mean m and the variance v of a house's use in each state, learned from its readings,
and its group's probability π to be occupied, the moments of `rtp.street.schedule` follow in the same way: the
mean is Σ m₀ + π(m₁ − m₀), the variance given who is at home Σ πv₁ + (1 − π)v₀, and that from who is at home
Σ (m₁ − m₀)²·π(1 − π).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rtp import metrics
from rtp.core.time import Weekday
from rtp.core.types import Floats, Frame, Ints
from rtp.core.workers import Progress
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.meters.learned import Learned, learned_distributions
from rtp.meters.readings import DAYS_PER_WEEK, Readings, filled_in, in_steps_of, occupancy_given
from rtp.scenario import Bounds, Scenario, must_be_within, valid_names
from rtp.simulation import Day, publish_day, street_spec
from rtp.street.draw import Street, consumption_distributions, group_sizes
from rtp.street.prior_marginals import support_classes
from rtp.street.schedule import DemandMoments, Schedule, block_moments
from rtp.street.simulate import StreetDay

AS_WELL = 0.05  # days are as well read as the best where so much more of the readings is missing
PIECE = 4 * DAYS_PER_WEEK  # days at once; whole weeks, so that all begin on the same weekday
SPANS = {"A day": 1, "A week": DAYS_PER_WEEK, "All": None}


@dataclass(frozen=True, kw_only=True)
class Replay:
    """Real demand through every mechanism. Houses stand in the order of their groups.

    Examples
    --------
    >>> import rtp
    >>> from rtp import meters
    >>> from rtp.meters.real_home import real_home
    >>> week = meters.replay(real_home(), rtp.Scenario(households=1, power_unit="kW"), days=7)
    >>> week.houses, week.first_date, week.cut, week.demand.shape
    (('ECO r2',), '2012-08-04', 12, (672,))
    """

    readings: Readings  # that were replayed, and all that were read with them
    first: int  # which of their days is the first that was replayed
    scenario: Scenario  # of the first piece
    pieces: tuple[Day, ...]  # the days, at most some weeks in each
    cut: int  # readings above their house's bound
    cut_energy: float  # the share of all energy that was cut away
    filled: float  # the share of readings that were missing
    filled_of: Floats  # (n,) that of each house
    paid: Mapping[str, Floats]  # by mechanism, (n,): each house's bill
    paid_as_read: Mapping[str, Floats]  # the part of it that is for what was read
    learned: Learned | None  # the habits that it was replayed with, where they were learned

    @property
    def houses(self) -> tuple[str, ...]:
        return self.readings.houses

    @property
    def first_date(self) -> str:
        return self.readings.date(self.first)

    @property
    def days(self) -> int:
        return sum(day.scenario.days for day in self.pieces)

    @property
    def occupied(self) -> Floats | None:
        """(n, T) of the first piece: 1 or 0 where the readings say it, else NaN; None where they never do."""
        first = self.readings.only_days(self.first, self.scenario.days)
        return occupancy_given(first, self.scenario.step_minutes)

    @property
    def learned_days(self) -> int:
        """How many of its days habits were learned from."""
        if self.learned is None:
            return 0
        start = self.first - self.learned.begins_in(self.readings)
        return max(min(start + self.days, self.learned.days) - max(start, 0), 0)

    @property
    def group(self) -> Ints:
        """(n,): the group of every house."""
        return self.pieces[0].street.group.astype(np.intp)

    @cached_property
    def energy(self) -> Floats:
        """(n,) kWh, as cut and filled."""
        every = np.arange(len(self.houses))
        used = [day.street_day.use_of(every).sum(axis=0) * day.scenario.step_hours for day in self.pieces]
        return np.asarray(sum(used))

    @cached_property
    def demand(self) -> Floats:
        """(T,) kW, as cut and filled."""
        return self._joined(UNPROTECTED, "demand")

    def rate(self, mechanism: str) -> Floats:
        return self._joined(mechanism, "rate")

    def scale(self, mechanism: str) -> Floats:
        return self._joined(mechanism, "scale")

    def error(self, mechanism: str) -> float:
        """By which share of the optimal rate the published one is off in a typical step."""
        return metrics.rmsre(self.rate(mechanism), self._joined(mechanism, UNPROTECTED))

    def _joined(self, mechanism: str, part: str) -> Floats:
        """What a mechanism released, over all pieces."""
        return np.concatenate([getattr(day.release[mechanism], part) for day in self.pieces])

    def bill_change(self, mechanism: str) -> Floats:
        """(n,) against the bill at optimal rates."""
        return self.paid[mechanism] - self.paid[UNPROTECTED]

    def bill_share(self, mechanism: str) -> Floats:
        """(n,): that change as a share of the bill at optimal rates."""
        return self.bill_change(mechanism) / np.maximum(self.paid[UNPROTECTED], 1e-12)

    def frame(self) -> Frame:
        """One row per step."""
        import pandas as pd

        steps = pd.date_range(
            self.first_date, periods=len(self.demand), freq=f"{self.scenario.step_minutes}min"
        )
        columns: dict[str, object] = {"time": steps.strftime("%Y-%m-%d %H:%M"), "demand_kW": self.demand}
        for name in REGISTRY:
            columns[f"{name}_rate"] = self.rate(name)
            columns[f"{name}_scale"] = self.scale(name)
        return pd.DataFrame(columns)


def replay(
    readings: Readings,
    scenario: Scenario,
    learned: Learned | None = None,
    *,
    first: int | None = None,
    days: int | None = None,
    progress: Progress | None = None,
) -> Replay:
    """Return some days of readings, or all, under a scenario's promise, tariff, bounds and habits.

    Parameters
    ----------
    readings : Readings
        Real use.
    scenario : Scenario
        Its bounds are stated by you, and never taken from the readings.
    learned : Learned, optional
        Which group a house belongs to, and how use is distributed.
    first : int, optional
        The first day, counted from 0; without, that of the last days that are as well read as any, if
        possible none that was learned from.
    days : int, optional
        How many; all that follow without.
    progress : callable, optional
        Called with the fraction done; may raise to stop.

    Returns
    -------
    Replay

    Examples
    --------
    >>> import rtp
    >>> from rtp import meters
    >>> from rtp.meters.real_home import real_home
    >>> week = meters.replay(real_home(), rtp.Scenario(households=1, power_unit="kW"), days=7)
    >>> week.days, bool(week.error("calibrated") < week.error("blowfish"))
    (7, True)
    """
    if first is None:
        must_be_within("days", readings.days if days is None else days, Bounds(1, readings.days, "Days"))
        first = 0 if days is None else well_read(readings, days, learned)
    must_be_within("first", first, Bounds(0, readings.days - 1, "First day"))
    days = readings.days - first if days is None else days
    must_be_within("days", days, Bounds(1, readings.days - first, "Days"))
    group = groups_of(readings.houses, scenario, learned)
    order = np.argsort(group, kind="stable")
    group, readings, learned = group[order], readings.only_houses(order), learned and learned.in_order(order)
    bound = np.array([max(g.occupied_max, g.empty_max) for g in scenario.groups])[group]
    some = slice(first * readings.steps_per_day, (first + days) * readings.steps_per_day)
    full, missing = filled_in(readings)
    full, missing = full[:, some], missing[:, some]
    above = full > bound[:, None]
    used = np.minimum(full, bound[:, None])
    power, read = (
        in_steps_of(each, readings.minutes, scenario.step_minutes)
        for each in (used, np.where(missing, 0.0, used))
    )
    pieces = tuple(in_pieces(power, scenario, group, learned, readings.weekday(first), progress))
    return Replay(
        readings=readings,
        first=first,
        scenario=pieces[0].scenario,
        pieces=pieces,
        cut=int(above.sum()),
        cut_energy=share_above(full, bound),
        filled=float(missing.mean()),
        filled_of=missing.mean(axis=1),
        paid=_bills(power, pieces),
        paid_as_read=_bills(read, pieces),
        learned=learned,
    )


def well_read(readings: Readings, days: int, learned: Learned | None = None) -> int:
    """Return the first of the last so many days that are as well read as any; of those, if there are some,
    that habits were not learned from."""
    present = readings.per_day().sum(axis=0) / (len(readings.houses) * readings.steps_per_day)
    total = np.concatenate([[0.0], np.cumsum(present)])
    share = (total[days:] - total[:-days]) / days
    starts = np.flatnonzero(share >= share.max() - AS_WELL)
    if learned is not None:
        begin = learned.begins_in(readings)
        apart = starts[(starts + days <= begin) | (starts >= begin + learned.days)]
        starts = apart if len(apart) else starts
    return int(starts[-1])


def _bills(power: Floats, pieces: Sequence[Day]) -> dict[str, Floats]:
    """By mechanism, (n,): what each house pays for its use in all pieces, which it cuts as prices tell."""
    paid = {name: np.zeros(len(power)) for name in REGISTRY}
    end = 0
    for day in pieces:
        start, end = end, end + day.scenario.steps
        for name, release in day.release.items():
            price = release.rate * day.market.tariff.responses(release.rate)
            paid[name] += power[:, start:end] @ price * day.scenario.step_minutes / 60
    return paid


def with_bounds(scenario: Scenario, learned: Learned | None, occupied: float, empty: float) -> Scenario:
    """The scenario to replay under: the learned habits, if there are any, and the bounds that are stated."""
    if learned is not None:
        return learned.scenario(scenario, occupied, empty)
    bounds = {"occupied_max": occupied, "empty_max": empty, "occupied_min": occupied, "empty_min": empty}
    return scenario.replace(groups=tuple(g.replace(**bounds) for g in scenario.groups), houses=None)


def groups_of(houses: Sequence[str], scenario: Scenario, learned: Learned | None) -> Ints:
    """(n,): the group of every house: as learned, or as the scenario lists it by name (the first group where
    it does not). A scenario that lists none of them has as many in each group as its share says, in order."""
    if learned is not None:
        return learned.group_of_houses()
    place = {group.name: g for g, group in enumerate(scenario.groups)}
    listed = {house.name: place[house.group] for house in scenario.houses or ()}
    names = valid_names(houses)
    if any(name in listed for name in names):
        return np.array([listed.get(name, 0) for name in names], dtype=np.intp)
    sizes = group_sizes([g.share for g in scenario.groups], len(houses))
    return np.repeat(np.arange(len(sizes)), sizes)


def share_above(power: Floats, bound: Floats) -> float:
    total = power.sum()
    return float(np.maximum(power - bound[:, None], 0.0).sum() / total) if total > 0 else 0.0


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


def first_day(day: Day, learned: Learned | None) -> Day:
    """The first day of a piece alone, priced anew."""
    recorded = day.street_day.recorded
    assert recorded is not None
    own = recorded[: day.scenario.steps_per_day].T
    return _priced(own, day.scenario.replace(days=1), day.street.group.astype(np.intp), learned)


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

"""The worst by search: over all houses, steps and kinds of days, at every width of the noise.

1. Every house and step is looked at by linear estimates (`screen`), at every width, and the widths chosen.
2. Of each group the best few at any width are lived, and their areas compared at every width.
3. The best of those are lived again, with other seeds, and measured.

What is said at a width is the area of the one that was best when they were compared; the upper end of its
interval is the largest of all that were measured, so that it covers the choice.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rtp.core.parallel import Progress
from rtp.core.types import Bools, Floats
from rtp.exposure.area import interval, two_way_area
from rtp.exposure.lives import StreetDays, draw_street, live_ways
from rtp.exposure.observers import scores
from rtp.exposure.others import Joint, Nobody, Normal, Others
from rtp.exposure.screen import separations
from rtp.exposure.secrets import Record
from rtp.street.draw import Use
from rtp.street.moments import DemandMoments

MAX_JOINT = 12  # houses up to which an outsider follows every joint state
MAX_COUNTS = 9_500  # counts of the others that she follows
WIDTHS = 12  # of the noise, besides none
DOUBLINGS = np.arange(-8, 16, 2.0)  # of the largest bound, among which the widths are looked for
NOTHING, ALL = 0.004, 0.003  # from a half, and from what no noise shows, where more or less noise is the same
COMPARED, MEASURED = 4, 2  # candidates of a group at a width
COMPARE_DAYS, MEASURE_DAYS = 100, 300
ROWS = 2**22  # records × states at once, in single precision


class Place(NamedTuple):
    """Where it may show: a record, a house, and the step of a moment (0 for days and weeks)."""

    record: int
    house: int
    step: int


@dataclass(frozen=True, kw_only=True)
class Curve:
    """How well she tells the worst of some houses, by the width of the noise; the first width is 0."""

    widths: Floats  # (1 + W,)
    areas: Floats  # (3, 1 + W)
    worst: tuple[Place, ...]  # at each
    exact: bool


def chosen_widths(records: list[Record], open_to: list[Bools], outsider: bool) -> Floats:
    """Return the widths at which exposure is computed, rising from 0."""
    from scipy.special import ndtr

    scan = np.concatenate([[0.0], records[0].street.bound.max() * 2**DOUBLINGS])
    best = np.zeros(len(scan))
    for record, possible in zip(records, open_to, strict=True):
        d2 = np.where(possible, separations(record, scan, outsider), 0.0)
        best = np.maximum(best, d2.max(axis=(1, 2)))
    area = ndtr(np.sqrt(best / 2))
    low = int(np.flatnonzero(area[0] - area <= ALL)[-1])
    high = int(np.flatnonzero(area <= 0.5 + NOTHING)[:1].sum() or len(scan) - 1)
    low, high = max(low, 1), max(high, low + 1, 2)
    return np.concatenate([[0.0], np.geomspace(scan[low], scan[high], WIDTHS)])


class Search:
    """One secret and observer of some records: the same days for all houses, groups and widths."""

    def __init__(
        self,
        records: list[Record],
        open_to: list[Bools],
        observer: str,
        widths: Floats,
        cut: tuple[float, float],
    ) -> None:
        self.records, self.open_to, self.outsider, self.cut = records, open_to, observer == "outsider", cut
        self.widths = widths
        self.told = [
            np.where(o, separations(r, widths, self.outsider), 0.0)
            for r, o in zip(records, open_to, strict=True)
        ]

    def candidates(self, group: int, count: int) -> list[Place]:
        """Return those of a group that may be worst at some width."""
        found: dict[Place, None] = {}
        for w in range(len(self.widths)):
            best: list[tuple[float, Place]] = []
            for k, (record, told) in enumerate(zip(self.records, self.told, strict=True)):
                mine = np.flatnonzero(record.street.group[record.houses] == group)
                of_house = told[w][:, mine].max(axis=0)
                for at in mine[np.argsort(-of_house, kind="stable")[:count]].tolist():
                    step = int(told[w][:, at].argmax())
                    if told[w][step, at] > 0:
                        best.append((float(told[w][step, at]), Place(k, int(record.houses[at]), step)))
            best.sort(key=lambda each: -each[0])
            found |= dict.fromkeys(place for _, place in best[:count])
        return list(found)

    def measure(self, places: list[Place], days: int, part: int) -> tuple[Floats, Floats, bool]:
        """Return (areas, standard errors) of these places at every width, (P, 1 + W), and whether she is
        exact."""
        areas, errors = np.empty((2, len(places), len(self.widths)))
        exact = True
        for k in {place.record for place in places}:
            record = self.records[k]
            here = [i for i, place in enumerate(places) if place.record == k]
            houses = np.unique([places[i].house for i in here])
            lived = (
                draw_street(record, houses, days, part * len(self.records) + k) if self.needs_street else None
            )
            noise = None if lived is None else lived
            for i in here:
                areas[i], errors[i], sure = self._measure(
                    record, places[i], lived, days, part * len(self.records) + k
                )
                exact &= sure
        return areas, errors, exact

    @property
    def needs_street(self) -> bool:
        return True

    def _measure(
        self, record: Record, place: Place, lived: StreetDays, days: int, part: int
    ) -> tuple[Floats, Floats, bool]:
        ways = record.ways(place.house, place.step)
        own = live_ways(record, place.house, ways, days, part)  # (T, 2, R)
        rest = np.zeros_like(lived.demand)
        if self.outsider:
            rest = lived.demand - lived.used[:, np.searchsorted(lived.houses, place.house)]
        result = np.empty((len(self.widths), 2, days))
        exact = True
        for some in self._shares(record, place, days):
            others = self.others_of(record, place.house, self.widths[some])
            b = np.multiply.outer(record.shape, self.widths[some])
            readings = (own + rest[:, None])[:, None] + b[..., None, None] * lived.noise[:, None, None]
            readings = readings.reshape(record.steps, -1, 2 * days)
            result[some] = scores(ways, others, readings).reshape(-1, 2, days)
            exact = others.exact
        return *two_way_area(result, exact), exact

    def _shares(self, record: Record, place: Place, days: int) -> list[slice]:
        """Some widths at a time, as many as memory bears."""
        states = 4 * self.states_of(record)
        at_once = max(int(ROWS // (states * 2 * days)), 1)
        return [slice(i, i + at_once) for i in range(0, len(self.widths), at_once)]

    def states_of(self, record: Record) -> int:
        households = record.spec.households
        if not self.outsider:
            return 1
        return 2 ** (households - 1) if households <= MAX_JOINT else 25

    def others_of(self, record: Record, house: int, widths: Floats) -> Others:
        """Return the strongest model of the others that there is time for."""
        street, spec = record.street, record.spec
        own = street.only(slice(house, house + 1))
        if not self.outsider:
            return Nobody(own, widths, record.shape)
        if spec.households <= MAX_JOINT:
            order = np.concatenate([[house], np.delete(np.arange(spec.households), house)])
            use = Use(
                occupied_bound=street.occupied_bound[order],
                empty_bound=street.empty_bound[order],
                distributions=None if street.distributions is None else street.distributions.only(order),
            )
            found: Others = Joint(use, spec.chains(street, 0, order), widths, record.shape)
        else:
            found = Normal(own, self.without(record, house), widths, record.shape)
        found.cut = self.cut
        return found

    def without(self, record: Record, house: int) -> DemandMoments:
        """What the model expects of the street but for one house."""
        street = record.market.street_day.true_moments
        at = int(np.flatnonzero(record.houses == house)[0])
        ((m0,), (m1,)), ((v0,), (v1,)) = record.street.moments(np.array([house]))
        chains, p = record.chains, record.occupied[:, at]
        keeps = np.append((1 - chains.leave - chains.arrive)[chains.row, at], 0.0)
        variance = (m1 - m0) ** 2 * p * (1 - p)
        own = (p, m0 + p * (m1 - m0), p * v1 + (1 - p) * v0, variance, variance * keeps)
        group = int(record.street.group[house])
        rest = []
        for whole, mine in zip(
            (
                street.occupied,
                street.demand,
                street.consumption_variance,
                street.occupancy_variance,
                street.lag1_covariance,
            ),
            own,
            strict=True,
        ):
            less = whole.copy()
            less[group] -= mine
            rest.append(less)
        return DemandMoments(*rest)


def curve_of(search: Search, group: int, progress: Progress | None) -> Curve | None:
    """Return the curve of a group's worst house; None where its habits leave nothing to be told."""
    places = search.candidates(group, COMPARED)
    if not places:
        return None
    compared, _, _ = search.measure(places, COMPARE_DAYS, 0)
    order = np.argsort(-compared, axis=0, kind="stable")[:MEASURED]
    chosen = sorted(set(order.ravel().tolist()))
    areas, errors, exact = search.measure([places[i] for i in chosen], MEASURE_DAYS, 1)
    value, low, high = interval(areas, errors, MEASURE_DAYS)
    best = np.array([chosen.index(i) for i in order[0].tolist()])
    at = np.arange(len(search.widths))
    # only those that were among the best at a width are in its interval
    rivals = np.array([[i in order[:, w] for w in at] for i in chosen])
    three = np.array([value[best, at], low[best, at], np.where(rivals, high, 0.0).max(axis=0)])
    return Curve(
        widths=search.widths,
        areas=np.maximum(three, 0.5),
        worst=tuple(places[chosen[i]] for i in best.tolist()),
        exact=exact,
    )

"""The worst by search: over all houses, steps and kinds of days, at every width of the noise.

1. Every house and step is looked at by linear estimates (`screen`), at every width; the widths are chosen.
2. Of each group the best few at any width are lived and their areas compared at every width. Where an exact
   observer's beliefs about a moment cost little, so are all steps of those houses, and of a small street all
   houses, by her beliefs alone.
3. The best of those are lived again, with other seeds, and measured.

What is said at a width is the area of the one that was best when they were compared; the upper end of its
interval is the largest of all that were measured for that width, so that it covers the choice. An outsider of
a long street is the better of a normal crowd and a count of the occupied houses, chosen in the same way.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.core.workers import Progress
from rtp.exposure.area import interval, two_way_area, weighted_area
from rtp.exposure.crowd import NormalCrowd
from rtp.exposure.lives import StreetDays, draw_street, live_ways
from rtp.exposure.neighbours import UNCUT, Counts, Cut, Joint, Nobody, Singles
from rtp.exposure.observers import Neighbours, away_scores, moment_beliefs, moment_scores
from rtp.exposure.screen import separations
from rtp.exposure.secrets import Record
from rtp.street.draw import Street, Use
from rtp.street.schedule import DemandMoments

MAX_JOINT = 12  # houses up to which an outsider follows every joint state
MAX_COUNTED, COUNT_STEPS = 100, 2**18  # houses, and counts of the others × steps, that she follows
WIDTHS = 10  # of the noise, besides none
DOUBLINGS = np.arange(-8, 16, 1.0)  # of the largest bound, among which the widths are looked for
NOTHING, ALL = 0.004, 0.002  # from a half, and from what no noise shows, where more or less noise is the same
COMPARED = 2  # houses of a group at a width
COMPARE_AT = 3  # every so many widths
COMPARE_DAYS, MEASURE_DAYS, FEWEST_DAYS = 60, 200, 24
NORMAL_DAYS = 2  # times as many where each takes little
WORK = 2**28  # states × readings that there is time for
AT_ONCE = 2**21  # states × readings, in single precision
RARE = 0.02  # answers so rare are compared by days on which they are given
FIELDS = tuple(DemandMoments.__dataclass_fields__)
APART = 12  # parts of a day: two moments of a house that are compared are so far apart


class Place(NamedTuple):
    """Where it may show: a record, a house, the step of a moment, and how an outsider follows the others."""

    record: int
    house: int
    step: int  # 0 for days and weeks
    counted: bool = False


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
    low = max(int(np.flatnonzero(area[0] - area <= ALL)[-1]), 1)
    beyond = np.flatnonzero(area <= 0.5 + NOTHING)
    high = max(int(beyond[0]) if len(beyond) else len(scan) - 1, low + 1)
    high = min(high, len(scan) - 1)
    return np.concatenate([[0.0], np.geomspace(scan[min(low, high - 1)], scan[high], WIDTHS)])


class Search:
    """One secret and observer of some records: the same days for all houses, groups and widths."""

    def __init__(
        self, records: list[Record], open_to: list[Bools], outsider: bool, widths: Floats, cut: Cut
    ) -> None:
        self.records, self.open_to, self.outsider = records, open_to, outsider
        self.widths, self.cut = widths, cut
        self.told = [
            np.where(possible, separations(record, widths, outsider), 0.0)
            for record, possible in zip(records, open_to, strict=True)
        ]
        spec = records[0].spec
        self.households, self.joint = spec.households, spec.households <= MAX_JOINT
        sizes = np.bincount(records[0].street.group)
        counts = float(np.prod(sizes[sizes > 0] + 1.0))
        self.counted = outsider and not self.joint and self.households <= MAX_COUNTED
        self.counted &= counts * spec.steps <= COUNT_STEPS
        self.states = 2 * (2 ** (self.households - 1) if self.joint else int(counts) if self.counted else 1)
        self.states = self.states if outsider else 2
        self._crowds: dict[tuple[int, int, int], NormalCrowd] = {}
        self.coarse = np.arange(0, len(widths), COMPARE_AT)

    def curves(self, progress: Progress | None) -> dict[int, Curve]:
        """Return the curve of every group that has something to be told."""
        report = progress or (lambda _: None)
        groups = np.unique(self.records[0].street.group).tolist()
        places = {g: self.screened(g) for g in groups}
        days = self.days(COMPARE_DAYS)
        lived = self.live([p for own in places.values() for p in own], days, 0)
        report(0.1)
        if self.records[0].secret == "moment" and (self.joint or not self.outsider):
            believed = {k: self.believed(k, lived[k]) for k in lived}
            for g, own in places.items():
                places[g] = list(dict.fromkeys([*own, *self._best_believed(g, believed, lived)]))
        if self.counted:
            places = {
                g: [p._replace(counted=c) for p in own for c in (False, True)] for g, own in places.items()
            }
        report(0.2)
        best = {
            g: np.argmax([self.area(p, lived, days, 0, self.coarse)[0] for p in own], axis=0)
            for g, own in places.items()
            if own
        }
        chosen = {g: [places[g][i] for i in np.unique(first).tolist()] for g, first in best.items()}
        report(0.5)
        days = self.days(MEASURE_DAYS)
        lived = self.live([p for own in chosen.values() for p in own], days, 1)
        report(0.6)
        nearest = np.rint(np.arange(len(self.widths)) / COMPARE_AT).clip(0, len(self.coarse) - 1).astype(int)
        result = {}
        for n, (g, own) in enumerate(chosen.items(), start=1):
            worst = tuple(places[g][i] for i in best[g][nearest].tolist())
            result[g] = self._curve(worst, own, lived, days)
            report(0.6 + 0.4 * n / len(chosen))
        return result

    def _curve(
        self, worst: tuple[Place, ...], chosen: list[Place], lived: dict[int, StreetDays], days: int
    ) -> Curve:
        """Return the curve of a group, of whose chosen places those were best at each width."""
        everywhere = np.arange(len(self.widths))
        found = [interval(*self.area(p, lived, days, 1, everywhere), days) for p in chosen]
        at = [chosen.index(place) for place in worst]
        value, low = (np.array([found[i][end][w] for w, i in enumerate(at)]) for end in (0, 1))
        high = np.max([each.high for each in found], axis=0)
        return Curve(
            widths=self.widths,
            areas=np.maximum([value, low, high], 0.5),
            worst=worst,
            exact=not self.outsider or self.joint,
        )

    def days(self, most: int) -> int:
        """Return how many days of either answer there is time for."""
        readings = self.records[0].steps * len(self.widths) * 2
        if self.outsider and not self.joint and not self.counted:
            return most * NORMAL_DAYS
        return int(np.clip(WORK * most // MEASURE_DAYS // (readings * self.states), FEWEST_DAYS, most))

    def screened(self, group: int) -> list[Place]:
        """Return those of a group that may be worst at some width, by linear estimates: the best houses at
        their best step, and other steps of the best house."""
        found: dict[Place, None] = {}
        apart = max(self.records[0].steps // APART, 1)
        for w in self.coarse.tolist():
            best: list[tuple[float, Place]] = []
            for k, (record, told) in enumerate(zip(self.records, self.told, strict=True)):
                mine = np.flatnonzero(record.street.group[record.houses] == group)
                peak = told[w][:, mine].max(axis=0)
                _, first = np.unique(peak.round(12), return_index=True)  # of houses that are alike one
                for n, at in enumerate(mine[first[::-1][:COMPARED]].tolist()):
                    left = told[w][:, at].copy()
                    for _ in range(1 if n else COMPARED):
                        step = int(left.argmax())
                        if left[step] > 0:
                            best.append((float(left[step]), Place(k, int(record.houses[at]), step)))
                        left[max(step - apart, 0) : step + apart + 1] = 0
            best.sort(key=lambda each: -each[0])
            found |= dict.fromkeys(place for _, place in best[: 2 * COMPARED])
        return list(found)

    def live(self, places: list[Place], days: int, part: int) -> dict[int, StreetDays]:
        """Return days of every record, with what the houses of these places use on them."""
        result = {}
        for k in sorted({place.record for place in places}):
            record = self.records[k]
            houses = np.unique([p.house for p in places if p.record == k])
            if self.outsider and self.joint:
                houses = np.arange(self.households)
            alone = not self.outsider and self.cut == UNCUT
            result[k] = draw_street(record, houses, days, part * len(self.records) + k, alone)
        return result

    def believed(self, k: int, lived: StreetDays) -> Floats:
        """Return the area of every step, of all houses that were asked about, by an exact observer's beliefs
        about days that they lived as they do, (T, W, n)."""
        record, widths = self.records[k], self.widths[self.coarse]
        n, days = len(lived.houses), lived.noise.shape[1]
        result = np.empty((record.steps, len(widths), n))
        for now in self._shares(
            len(widths), days * record.steps * (self.states if self.joint and self.outsider else 2)
        ):
            noise = np.multiply.outer(record.shape, widths[now])[..., None] * lived.noise[:, None]
            if self.outsider:
                others = self.neighbours(record, 0, widths[now])
                seen = np.clip(lived.demand[:, None] + noise, *self.cut)
                belief = moment_beliefs(record.life(0), others, seen, members(n))
                result[:, now] = weighted_area(belief.swapaxes(2, 3), belief.swapaxes(2, 3))[0]
                continue
            for i, house in enumerate(lived.houses.tolist()):
                rest = None if self.cut == UNCUT else lived.demand - lived.used[:, i]
                others = self.neighbours(record, house, widths[now], rest)
                seen = lived.used[:, i, None] + noise
                belief = moment_beliefs(record.life(house), others, self._cut(seen, rest), None)[..., 0]
                result[:, now, i] = weighted_area(belief, belief)[0]
        return result

    def _best_believed(
        self, group: int, believed: dict[int, Floats], lived: dict[int, StreetDays]
    ) -> Iterator[Place]:
        """Return the places of a group that are best at each width by an exact observer's beliefs."""
        for w in range(len(self.coarse)):
            best: list[tuple[float, Place]] = []
            for k, areas in believed.items():
                record, houses = self.records[k], lived[k].houses
                at = np.searchsorted(record.houses, houses)
                possible = self.open_to[k][:, at] & (record.street.group[houses] == group)
                rare = np.minimum(record.occupied[:, at], 1 - record.occupied[:, at]) < RARE
                area = np.where(possible & ~rare, areas[:, w], 0.0)
                step, house = np.unravel_index(area.argmax(), area.shape)
                if area[step, house] > 0:
                    best.append((float(area[step, house]), Place(k, int(houses[house]), int(step))))
            if best:
                yield max(best)[1]

    def area(
        self, place: Place, lived: dict[int, StreetDays], days: int, part: int, at: Ints
    ) -> tuple[Floats, Floats]:
        """Return the area at a place and its standard error, at some of the widths."""
        record, house, widths = self.records[place.record], place.house, self.widths[at]
        ways, street = record.ways(house, place.step), lived[place.record]
        own = live_ways(record, house, ways, days, part * len(self.records) + place.record)  # (T, 2, R)
        rest = street.demand - street.used[:, np.searchsorted(street.houses, house)]
        noise = np.multiply.outer(record.shape, widths)[:, :, None, None] * street.noise[:, None, None]
        seen = own[:, None] + noise
        if self.outsider:
            seen += rest[:, None, None]
        both = None if self.outsider or self.cut == UNCUT else np.tile(rest, (1, 2))
        seen = self._cut(seen.reshape(record.steps, len(at), 2 * days), both)
        scores, exact = np.empty(seen.shape[1:]), False
        if self.outsider and not self.joint and not place.counted:
            crowd = self._crowd(place.record, house, at)
            for now in self._shares(len(at), 4 * 2 * days):
                scores[now] = crowd.scores(ways, seen[:, now], now)
            return two_way_area(scores.reshape(-1, 2, days), exact)
        life = record.life(house)
        for now in self._shares(len(at), 2 * days * self.states):
            others = self.neighbours(record, house, widths[now], both)
            if record.secret == "moment":
                scores[now] = moment_scores(life, place.step, others, seen[:, now])
            else:
                scores[now] = away_scores(life, others, seen[:, now])
            exact = others.exact
        return two_way_area(scores.reshape(-1, 2, days), exact)

    def _cut(self, seen: Floats, rest: Floats | None) -> Floats:
        """Return readings (T, W, B) as far as they are shown; an insider takes `rest`, (T, B), off."""
        if self.cut == UNCUT:
            return seen
        low, high = (limit if rest is None else limit - rest[:, None] for limit in self.cut)
        return np.clip(seen, low, high)

    def _shares(self, count: int, size: int) -> list[slice]:
        """Return some of so many widths at a time, as many as memory bears with this size each."""
        at_once = max(AT_ONCE // size, 1)
        return [slice(i, i + at_once) for i in range(0, count, at_once)]

    def neighbours(
        self, record: Record, house: int, widths: Floats, rest: Floats | None = None
    ) -> Neighbours:
        """Return what an exact observer of a house knows of the others, or one who counts them."""
        street, spec = record.street, record.spec
        if not self.outsider:
            return Nobody(street.only(slice(house, house + 1)), widths, record.shape, self.cut, rest)
        others = np.delete(np.arange(self.households), house)
        if self.joint:
            order = np.concatenate([[house], others])
            return Joint(use_of(street, order), spec.chains(street, 0, order), widths, record.shape, self.cut)
        each = [others[street.group[others] == g] for g in np.unique(street.group[others])]
        groups = [(use_of(street, some), spec.chains(street, 0, some)) for some in each]
        return Counts(street.only(slice(house, house + 1)), groups, widths, record.shape, self.cut)

    def _crowd(self, k: int, house: int, at: Ints) -> NormalCrowd:
        if (key := (k, house, len(at))) not in self._crowds:
            record = self.records[k]
            own, rest = record.street.only(slice(house, house + 1)), without(record, house)
            self._crowds[key] = NormalCrowd(own, rest, self.widths[at], record.shape, self.cut)
        return self._crowds[key]


def members(houses: int) -> Singles:
    """Return which joint states have each house occupied, (2^n, n)."""
    states = np.arange(2**houses)[:, None] >> np.arange(houses)[::-1]
    return (states & 1).astype(np.float32)


def use_of(street: Street, houses: Ints) -> Use:
    """Return what some houses use, in this order."""
    laws = street.distributions
    return Use(
        occupied_bound=street.occupied_bound[houses],
        empty_bound=street.empty_bound[houses],
        distributions=None if laws is None else laws.only(houses),
    )


def without(record: Record, house: int) -> DemandMoments:
    """Return what the model expects of the street but for one house."""
    whole = record.market.street_day.true_moments
    at = int(np.flatnonzero(record.houses == house)[0])
    ((m0,), (m1,)), ((v0,), (v1,)) = record.street.moments(np.array([house]))
    chains, p = record.chains, record.occupied[:, at]
    keeps = np.append((1 - chains.leave - chains.arrive)[chains.row, at], 0.0)
    variance = (m1 - m0) ** 2 * p * (1 - p)
    own = (p, m0 + p * (m1 - m0), p * v1 + (1 - p) * v0, variance, variance * keeps)
    rest = []
    for field, mine in zip(FIELDS, own, strict=True):
        less: Floats = getattr(whole, field).copy()
        less[record.street.group[house]] -= mine
        rest.append(np.maximum(less, 0.0) if field.endswith("variance") and "lag" not in field else less)
    return DemandMoments(*rest)

"""The worst by search: over all houses, steps and kinds of days, at every width of the noise.

1. Every house and step is looked at by linear estimates (`linear`): the widths and the best houses follow.
2. Days are lived, and all steps of those houses are believed at once, at every few widths: a moment's area
   follows from beliefs without labels. What beliefs do not decide (days, weeks, answers that hardly any day
   gives, how an outsider follows the others) is compared by living in either way.
3. The best at those widths are lived again, with other seeds, and measured at all.

What is said at a width is the area of the one that was best; the upper end of its interval is the largest of
all that were measured there, so that it covers the choice. An outsider of a long street is the better of a
normal crowd and a count of the occupied houses, chosen in the same way.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.core.workers import Progress, partial_progress
from rtp.exposure.area import belief_area, interval, two_way_area
from rtp.exposure.crowd import NormalCrowd
from rtp.exposure.insider import Nobody
from rtp.exposure.linear import Crowd, insider_separations
from rtp.exposure.lives import MOST_HOUSES, StreetDays, draw_street, live_ways
from rtp.exposure.neighbours import UNCUT, Counts, Cut, Joint, Others, alike
from rtp.exposure.observers import Neighbours, insider_beliefs, joint_beliefs, scores
from rtp.exposure.secrets import Record
from rtp.street.draw import Street, Use
from rtp.street.schedule import DemandMoments

MAX_JOINT = 12  # houses up to which an outsider follows every joint state
MANY_STATES, FEW_WIDTHS = 2**9, 5  # joint states from which there is time for so many widths
MAX_COUNTED = 100  # houses whose numbers she follows
MOST_COUNTS, FEW_COUNTS = 1_000, 120  # of the others that are occupied: of houses that are alike, or not
WIDTHS = 10  # of the noise, besides none
DOUBLINGS = np.arange(-8, 16, 1.0)  # of the largest bound, among which the widths are looked for
NOTHING, ALL = 0.004, 0.002  # from what much noise shows, and none, where more or less noise is the same
BELIEVED, COMPARED = 6, 2  # houses of a group at a width
COMPARE_AT = 3  # every so many widths
NEAR = 2 * COMPARE_AT  # widths beside those where a place is best, at which it is measured
SAME, CLOSE = 0.004, 0.02  # areas apart that make no difference, and that linear estimates may confuse
DAYS, FEWEST_DAYS = 200, 24
LONG = 2**8  # steps, up to which a normal crowd is measured on twice as many, and beyond on half
WORK, COUNTED_WORK, ALONE_WORK = 2**22, 2**24, 2**19  # states × readings that there is time for
AGAIN_WORK = 40_000_000  # house-steps and states × readings that there is time for where days are more
AT_ONCE = 2**18  # states × readings, in single precision
RARE = 0.02  # answers so rare are compared by days on which they are given
APART, STEPS_OF_COUNTS = 12, 3  # parts of a day between steps of a house that are compared, and how many
MAP_HOUSES = 50  # that are believed at once
TINY, TINY_SHARE = 1e-100, 1e-8
FIELDS = tuple(DemandMoments.__dataclass_fields__)


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
    times: Ints  # (1 + W,) on how many times as many days as at first each was measured


class Search:
    """One secret and observer of some records: the same days for all houses, groups and widths."""

    def __init__(self, records: list[Record], open_to: list[Bools], outsider: bool, cut: Cut) -> None:
        self.records, self.open_to, self.outsider, self.cut = records, open_to, outsider, cut
        spec, street = records[0].spec, records[0].street
        self.households, self.joint = spec.households, outsider and spec.households <= MAX_JOINT
        sizes = np.bincount(street.group)
        counts = float(np.prod(sizes[sizes > 0] + 1.0))
        self.alike = all(
            alike(use_of(street, own), spec.chains(street, 0, own))
            for own in (np.flatnonzero(street.group == g) for g in np.unique(street.group))
        )
        self.counted = outsider and not self.joint and self.households <= MAX_COUNTED
        self.counted &= counts <= (MOST_COUNTS if self.alike else FEW_COUNTS)
        self.states = 2**self.households if self.joint else 2 * int(counts) if self.counted else 2
        self.moment = records[0].secret == "moment"
        self._linear = [Crowd(record) for record in records] if outsider and not self.joint else []
        self._others: dict[tuple[int, int, tuple[int, ...]], NormalCrowd | Counts] = {}
        self._joints: dict[int, Joint] = {}

    @cached_property
    def widths(self) -> Floats:
        """Those at which exposure is computed, rising from 0: from where it begins to fall in any group and
        kind of day to where more noise takes nothing, for houses that show best with none or with some."""
        from scipy.special import ndtr

        unit = max(float(self.records[0].street.bound.max()), TINY)
        scan = np.concatenate([[0.0], unit * 2**DOUBLINGS])
        low, high = len(scan) - 2, 0
        for k, record in enumerate(self.records):
            group = record.street.group[record.houses]
            for g in np.unique(group).tolist():
                own = np.flatnonzero(group == g)
                peaks = self._told(k, scan[[0, len(scan) // 2]], own).max(axis=1)
                some = own[np.unique(np.argsort(-peaks, axis=1)[:, :COMPARED])]
                area = ndtr(np.sqrt(self._told(k, scan, some).max(axis=(1, 2)) / 2))
                if area[0] - area[-1] > ALL:  # else noise hides nothing: some steps have none
                    low = min(low, int(np.flatnonzero(area[0] - area <= ALL)[-1]))
                    high = max(high, int(np.flatnonzero(area - area[-1] <= NOTHING)[0]))
        low = max(low, 1)
        high = min(max(high, low + 1), len(scan) - 1)
        count = FEW_WIDTHS if self.states >= MANY_STATES else WIDTHS
        return np.concatenate([[0.0], np.geomspace(scan[low], scan[high], count)])

    @cached_property
    def coarse(self) -> Ints:
        """The widths at which places are compared."""
        return np.arange(0, len(self.widths), COMPARE_AT)

    def _told(self, k: int, widths: Floats, columns: Ints) -> Floats:
        """Return d² of followed houses by linear estimates, where it is asked for, (W, T, n)."""
        if self._linear:
            d2 = self._linear[k].separations(widths, columns)
        else:
            d2 = insider_separations(self.records[k], widths, columns)
        return np.where(self.open_to[k][:, columns], d2, 0.0)

    def curves(self, progress: Progress | None) -> dict[int, Curve]:
        """Return the curve of every group that has something to be told."""
        report = progress or (lambda _: None)
        days = self.days(measured=False)
        lived = {k: self._street(k, self.columns(k), days, 0) for k in range(len(self.records))}
        best = self.places(lived, days)
        report(0.5)
        worst = {g: self._at_every_width(own) for g, own in best.items()}
        return self.measured(worst, progress=partial_progress(progress, 0.5, 1.0))

    def measured(
        self,
        worst: dict[int, tuple[Place, ...]],
        times: int = 1,
        some: slice = slice(None),
        progress: Progress | None = None,
    ) -> dict[int, Curve]:
        """Return the curves of groups whose worst places at every width are known, at some of the widths.
        Days that are so many times as many are others than those of fewer."""
        report = progress or (lambda _: None)
        days = times * self.days(measured=True)
        lived, result = {}, {}
        for k, record in enumerate(self.records):
            houses = {p.house for own in worst.values() for p in own[some] if p.record == k}
            if houses:
                lived[k] = self._street(k, np.searchsorted(record.houses, sorted(houses)), days, times)
        report(0.2)
        for n, (g, own) in enumerate(worst.items(), start=1):
            result[g] = self._curve(own, lived, times, some)
            report(0.2 + 0.8 * n / len(worst))
        return result

    @cached_property
    def _separated(self) -> list[Floats]:
        """The areas of followed houses by linear estimates, (W, T, n) of every record, 0 where none is asked
        for."""
        from scipy.special import ndtr

        areas = []
        for k, record in enumerate(self.records):
            d2 = self._told(k, self.widths[self.coarse], np.arange(len(record.houses)))
            areas.append(np.where(d2 > 0, ndtr(np.sqrt(d2 / 2)), 0.0))
        return areas

    def columns(self, k: int) -> Ints:
        """Return which followed houses are lived: of every group the best at any width by linear
        estimates."""
        record = self.records[k]
        if self.joint:
            return np.arange(len(record.houses))
        group = record.street.group[record.houses]
        found: list[Ints] = [np.zeros(0, dtype=np.intp)]
        for peak in self._separated[k].max(axis=1):
            for g in np.unique(group).tolist():
                mine = np.flatnonzero((group == g) & (peak > 0))
                _, first = np.unique(peak[mine].round(12), return_index=True)  # of houses that are alike one
                found.append(mine[first[::-1][:BELIEVED]])
        return np.unique(np.concatenate(found))

    def _at_every_width(self, areas: dict[Place, Floats]) -> tuple[Place, ...]:
        """Return the worst of these places at each width, by their areas at the coarse ones. Between two of
        those the answers' separation of each place is a line."""
        from scipy.special import ndtri

        nodes = np.concatenate([[0.0], 1 + np.log(self.widths[1:] / self.widths[1])])
        apart = ndtri(np.clip([*areas.values()], 0.5, 1 - TINY_SHARE))
        every = [np.interp(nodes, nodes[self.coarse], own) for own in apart]
        return tuple([*areas][i] for i in np.argmax(every, axis=0).tolist())

    def places(self, lived: dict[int, StreetDays], days: int) -> dict[int, dict[Place, Floats]]:
        """Return the places of every group that are worst at one of the coarse widths, with their areas at
        all of these."""
        found: dict[int, dict[Place, Floats]] = {}
        believed, others = ([np.zeros_like(areas) for areas in self._separated] for _ in range(2))
        for k, record in enumerate(self.records):
            columns = np.searchsorted(record.houses, lived[k].houses)
            others[k][:, :, columns] = self._separated[k][:, :, columns]
            if self.moment and len(columns):
                rare = np.minimum(record.occupied, 1 - record.occupied) < RARE
                areas = self.believed(k, columns, self.coarse, lived[k]).transpose(1, 0, 2)
                believed[k][:, :, columns] = np.where((self.open_to[k] & ~rare)[:, columns], areas, 0.0)
                others[k] = np.where(rare, others[k], 0.0)
        for g in np.unique(self.records[0].street.group).tolist():
            mine = [record.street.group[record.houses] == g for record in self.records]
            best, *more = (
                self._best([np.where(own, each, 0.0) for own, each in zip(mine, kind, strict=True)], some)
                for kind, some in ((believed, 1), (others, 1 if self.moment else COMPARED))
            )
            if more[0] or self.counted:  # what beliefs do not decide
                ways = {self.counted, self.counted and self.alike}
                known = dict.fromkeys(p._replace(counted=c) for p in (*best, *more[0]) for c in ways)
                compared = {p: self.area(p, lived, days, 0, self.coarse)[0] for p in known}
                worst = np.argmax([*compared.values()], axis=0).tolist() if compared else []
                found[g] = {place: compared[place] for place in ([*compared][i] for i in worst)}
            else:
                column = {p: np.searchsorted(self.records[p.record].houses, p.house) for p in best}
                found[g] = {p: believed[p.record][:, p.step, at] for p, at in column.items()}
            if not found[g]:
                del found[g]
        return found

    def _best(self, areas: list[Floats], some: int) -> list[Place]:
        """Return the best places at every width, one by one, those of the width before where they are as
        good; none where nothing is to be told."""
        found: list[Place] = []
        apart = max(self.records[0].steps // APART, 1)
        for w in range(len(self.coarse)):
            peaks = [each[w].max(axis=0) for each in areas]
            order = sorted(
                ((float(peak[i]), k, i) for k, peak in enumerate(peaks) for i in np.argsort(-peak)[:some]),
                reverse=True,
            )
            at = [(p, np.searchsorted(self.records[p.record].houses, p.house)) for p in found[-some:]]
            same = [p for p, column in at if areas[p.record][w, p.step, column] >= order[0][0] - SAME]
            close = [place for place in order[:some] if place[0] >= order[0][0] - CLOSE]
            for _, k, i in close if not same else []:
                left = areas[k][w, :, i].copy()
                for _ in range(STEPS_OF_COUNTS if self.counted and self.alike else 1):
                    if left.max() > 0:
                        step = int(left.argmax())
                        found.append(Place(k, int(self.records[k].houses[i]), step))
                        left[max(step - apart, 0) : step + apart + 1] = 0
            found += same[:some]
        return found

    def map(self, k: int) -> Floats:
        """Return the area without noise of every followed house and step of a record, (T, n)."""
        record, at = self.records[k], np.zeros(1, dtype=np.intp)
        lived = self._street(k, np.arange(len(record.houses)), self.days(measured=False), 0)
        n = len(record.houses)
        some = n if self.joint else MAP_HOUSES
        parts = [np.arange(i, min(i + some, n)) for i in range(0, n, some)]
        return np.concatenate([self.believed(k, columns, at, lived)[:, 0] for columns in parts], axis=1)

    def _curve(
        self, worst: tuple[Place, ...], lived: dict[int, StreetDays], times: int, some: slice
    ) -> Curve:
        """Return the curve of a group with these worst places, one at each width. A place is measured where
        it was worst and beside that."""
        days = times * self.days(measured=True)
        value, low, high = np.full((3, len(self.widths)), 0.5)
        asked = np.arange(len(self.widths))[some]
        for place in dict.fromkeys(worst[some]):
            best = np.array([each == place for each in worst])
            near = asked[np.abs(np.subtract.outer(asked, np.flatnonzero(best))).min(axis=1) <= NEAR]
            found = interval(*self.area(place, lived, days, times, near), days)
            worst_here = near[best[near]]
            value[worst_here], low[worst_here] = found.value[best[near]], found.low[best[near]]
            high[near] = np.maximum(high[near], found.high)
        return Curve(
            widths=self.widths,
            areas=np.maximum([value, low, high], 0.5),
            worst=worst,
            exact=not self.outsider or self.joint or (self.counted and self.alike),
            times=np.full(len(self.widths), times),
        )

    def days(self, measured: bool) -> int:
        """Return how many days of either answer there is time for."""
        steps = self.records[0].steps
        if self.outsider and not self.joint and not self.counted:
            return DAYS * (1 + measured) // (1 if steps <= LONG else 2)
        work, fewest = (COUNTED_WORK if self.counted else WORK), FEWEST_DAYS
        if not self.outsider:
            work, fewest = ALONE_WORK, DAYS // 2
        return int(np.clip(work // (steps * len(self.widths) * 2 * self.states), fewest, DAYS))

    @property
    def most_times(self) -> int:
        """Return on how many times as many days there is time to measure."""
        lived = min(self.households, MOST_HOUSES) if self.outsider else 1
        each = self.records[0].steps * (lived + 2 * len(self.widths) * self.states)
        return max(AGAIN_WORK // (self.days(measured=True) * each), 1)

    def _street(self, k: int, columns: Ints, days: int, part: int) -> StreetDays:
        """Return days of a record, with what these of its followed houses use on them."""
        record, alone = self.records[k], not self.outsider and self.cut == UNCUT
        return draw_street(record, record.houses[columns], days, part * len(self.records) + k, alone)

    def believed(self, k: int, columns: Ints, at: Ints, lived: StreetDays) -> Floats:
        """Return the area of every step of some followed houses, (T, W, n), by what is believed of days that
        they lived as they do."""
        record, widths = self.records[k], self.widths[at]
        noise = np.multiply.outer(record.shape, widths)[..., None] * lived.noise[:, None]
        if not self.outsider:
            each = []
            for house in record.houses[columns].tolist():
                used = lived.used[:, np.searchsorted(lived.houses, house)]
                rest = None if self.cut == UNCUT else lived.demand - used
                each.append((self._nobody(k, house, rest), self._cut(used[:, None] + noise, rest)))
            belief = insider_beliefs(record.chains.select(columns), each, at)
        else:
            seen = np.clip(lived.demand[:, None] + noise, *self.cut)
            if self.joint:
                size = seen.shape[0] * seen.shape[2] * self.states
                shares = _shares(len(at), size)
                parts = [joint_beliefs(self._joint(k), seen[:, now], at[now]) for now in shares]
                belief = np.concatenate(parts, axis=1)[..., record.houses[columns]]
            else:
                belief = self._linear[k].beliefs(widths, columns, seen)
        return belief_area(belief.swapaxes(2, 3))

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
        found, others = np.empty(seen.shape[1:]), self.others(place, at, both)
        for now in _shares(len(at), 4 * days * self.states):
            if isinstance(others, NormalCrowd):
                found[now] = others.scores(ways, seen[:, now], now)
            else:
                found[now] = scores(ways, others, seen[:, now], at[now])
        return two_way_area(found.reshape(-1, 2, days), others.exact)

    def _cut(self, seen: Floats, rest: Floats | None) -> Floats:
        """Return readings (T, W, B) as far as they are shown; an insider takes `rest`, (T, B), off."""
        if self.cut == UNCUT:
            return seen
        low, high = (limit if rest is None else limit - rest[:, None] for limit in self.cut)
        return np.clip(seen, low, high)

    def others(self, place: Place, at: Ints, rest: Floats | None) -> Neighbours | NormalCrowd:
        """Return what she knows of all but one house; of a normal crowd at some of the widths alone."""
        k, house, counted = place.record, place.house, place.counted
        record, street = self.records[k], self.records[k].street
        if not self.outsider:
            return self._nobody(k, house, rest)
        if self.joint:
            return Others(self._joint(k), house)
        if (key := (k, house, () if counted else tuple(at.tolist()))) not in self._others:
            own = street.only(slice(house, house + 1))
            if counted:
                others = np.delete(np.arange(self.households), house)
                each = [others[street.group[others] == g] for g in np.unique(street.group[others])]
                groups = [(use_of(street, some), record.spec.chains(street, 0, some)) for some in each]
                self._others[key] = Counts(own, groups, self.widths, record.shape, self.cut)
            else:
                rest_of = without(record, house)
                self._others[key] = NormalCrowd(own, rest_of, self.widths[at], record.shape, self.cut)
        return self._others[key]

    def _nobody(self, k: int, house: int, rest: Floats | None) -> Nobody:
        own = self.records[k].street.only(slice(house, house + 1))
        return Nobody(own, self.widths, self.records[k].shape, self.cut, rest)

    def _joint(self, k: int) -> Joint:
        """Return what all joint states are and show, at all widths."""
        if k not in self._joints:
            record, everybody = self.records[k], np.arange(self.households)
            chains = record.spec.chains(record.street, 0, everybody)
            use = use_of(record.street, everybody)
            self._joints[k] = Joint(use, chains, self.widths, record.shape, self.cut)
        return self._joints[k]


def _shares(count: int, size: int) -> list[slice]:
    """Return some of so many widths at a time, as many as memory bears with this size each."""
    at_once = max(AT_ONCE // size, 1)
    return [slice(i, i + at_once) for i in range(0, count, at_once)]


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

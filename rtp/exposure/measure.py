"""What an observer tells of one house at one step, measured on days that real houses live.

Of a moment, all steps of some houses are believed at once: the area follows from beliefs without labels. Any
place is measured by living in either way. She follows every joint state of a few houses; of more the counts
of those that are occupied, or a normal crowd.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.exposure.area import belief_area, two_way_area
from rtp.exposure.crowd import NormalCrowd
from rtp.exposure.insider import insider_ratios
from rtp.exposure.linear import Crowd, insider_separations
from rtp.exposure.lives import MOST_HOUSES, StreetDays, draw_street, live_ways
from rtp.exposure.neighbours import UNCUT, Counts, Cut, Joint, alike
from rtp.exposure.observers import away_scores, beliefs, insider_beliefs, insider_scores, moment_scores
from rtp.exposure.secrets import Record
from rtp.street.draw import Street, Use
from rtp.street.schedule import DemandMoments

MAX_JOINT = 12  # houses up to which an outsider follows every joint state
MAX_COUNTED = 100  # houses whose numbers she follows
MOST_COUNTS, FEW_COUNTS = 1_000, 120  # of the others that are occupied: of houses that are alike, or not
WIDTHS = 10  # of the noise, besides none
MANY_STATES, FEW_WIDTHS = 2**9, 5  # joint states from which there is time for so many widths
DOUBLINGS = np.arange(-8, 16, 1.0)  # of the largest bound, among which the widths are looked for
USUAL = (6, 15)  # an eighth of it to 64 of it: where nothing falls by linear estimates
NOTHING, ALL = 0.004, 0.002  # from what much noise shows, and none, where more or less noise is the same
SCANNED = 2  # houses of a group for which they are looked for
DAYS, FEWEST_DAYS = 200, 24
LONG = 2**8  # steps, up to which a normal crowd is measured on twice as many, and beyond on half
WORK, COUNTED_WORK, ALONE_WORK = 2**22, 2**24, 2**19  # states × readings that there is time for
AGAIN_WORK = 40_000_000  # house-steps and states × readings that there is time for where days are more
AT_ONCE = 2**18  # states × readings of a step, in single precision
KEPT = 2**22  # of all steps
TINY = 1e-100
FIELDS = tuple(DemandMoments.__dataclass_fields__)


class Place(NamedTuple):
    """Where it may show: a record, a house, the step of a moment, and how an outsider follows the others."""

    record: int
    house: int
    step: int  # 0 for days and weeks
    counted: bool = False


class Observed:
    """What one observer makes of some records."""

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
        self.linear = [Crowd(record) for record in records] if outsider and not self.joint else []
        self._known: dict[tuple[int, ...], Counts | NormalCrowd] = {}
        self._joints: dict[int, Joint] = {}

    @cached_property
    def widths(self) -> Floats:
        """Those at which exposure is computed, rising from 0: from where it begins to fall in any group and
        kind of day to where more noise takes nothing, for houses that show best with none or with some."""
        from scipy.special import ndtr

        unit = max(float(self.records[0].street.bound.max()), TINY)
        scan = np.concatenate([[0.0], unit * 2**DOUBLINGS])
        falls: list[tuple[int, int]] = []  # from where to where
        for k, record in enumerate(self.records):
            group = record.street.group[record.houses]
            for g in np.unique(group).tolist():
                own = np.flatnonzero(group == g)
                peaks = self.told(k, scan[[0, len(scan) // 2]], own).max(axis=1)
                some = own[np.unique(np.argsort(-peaks, axis=1)[:, :SCANNED])]
                told = [self.told(k, scan, some)]
                if self.joint and not record.shape.all():  # steps without noise tell an insider nearly all
                    told.append(Crowd(record).separations(scan, some))
                for area in (ndtr(np.sqrt(d2.max(axis=(1, 2)) / 2)) for d2 in told):
                    if area[0] - area[-1] > ALL:
                        last = int(np.flatnonzero(area - area[-1] <= NOTHING)[0])
                        falls.append((int(np.flatnonzero(area[0] - area <= ALL)[-1]), last))
        starts, ends = zip(*falls or [USUAL], strict=True)
        low = max(min(starts), 1)
        high = min(max(*ends, low + 1), len(scan) - 1)
        count = FEW_WIDTHS if self.states >= MANY_STATES else WIDTHS
        return np.concatenate([[0.0], np.geomspace(scan[low], scan[high], count)])

    @cached_property
    def exact(self) -> bool:
        """Whether the observer is the strongest there is."""
        if self.joint:
            return self._joint(0).exact
        return not self.outsider or (self.counted and self.alike and self._counts(0).exact)

    def told(self, k: int, widths: Floats, columns: Ints) -> Floats:
        """Return d² of followed houses by linear estimates, where it is asked for, (W, T, n)."""
        if self.linear:
            d2 = self.linear[k].separations(widths, columns)
        else:
            d2 = insider_separations(self.records[k], widths, columns)
        return np.where(self.open_to[k][:, columns], d2, 0.0)

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

    def street(self, k: int, columns: Ints, days: int, part: int) -> StreetDays:
        """Return days of a record, with what these of its followed houses use on them."""
        record, alone = self.records[k], not self.outsider and self.cut == UNCUT
        return draw_street(record, record.houses[columns], days, part * len(self.records) + k, alone)

    def believed(self, k: int, columns: Ints, at: Ints, lived: StreetDays) -> Floats:
        """Return the area of every step of some followed houses, (T, W, n), by what is believed of days that
        they lived as they do."""
        record, houses = self.records[k], self.records[k].houses[columns]
        noise = np.multiply.outer(record.shape, self.widths[at])[..., None] * lived.noise[:, None]
        if not self.outsider:
            used = lived.used[:, np.searchsorted(lived.houses, houses)].swapaxes(0, 1)
            ratio = [
                self._ratios(k, house, at, own[:, None] + noise, lived.demand - own)
                for house, own in zip(houses.tolist(), used, strict=True)
            ]
            belief = insider_beliefs(record.chains.select(columns), np.stack(ratio, axis=-1))
        else:
            seen = np.clip(lived.demand[:, None] + noise, *self.cut)
            if self.joint or (self.counted and self.alike):
                others = self._joint(k) if self.joint else self._counts(k)
                shares = _shares(len(at), KEPT, seen[:, 0].size * self.states)
                parts = [beliefs(others, seen[:, now], at[now]) for now in shares]
                belief = np.concatenate(parts, axis=1)[..., houses]
            else:
                belief = self.linear[k].beliefs(self.widths[at], columns, seen)
        return belief_area(belief.swapaxes(2, 3))

    def area(
        self, place: Place, lived: dict[int, StreetDays], days: int, part: int, at: Ints
    ) -> tuple[Floats, Floats]:
        """Return the area at a place and its standard error, at some of the widths."""
        k, house, record, street = place.record, place.house, self.records[place.record], lived[place.record]
        ways, chains = record.ways(house, place.step), record.chains.select(record.houses == house)
        own = live_ways(record, house, ways, days, part * len(self.records) + k)  # (T, 2, R)
        rest = street.demand - street.used[:, np.searchsorted(street.houses, house)]
        noise = (
            np.multiply.outer(record.shape, self.widths[at])[:, :, None, None] * street.noise[:, None, None]
        )
        seen, step = own[:, None] + noise, place.step if self.moment else None
        if not self.outsider:
            ratio = self._ratios(k, house, at, seen.reshape(*noise.shape[:2], -1), np.tile(rest, (1, 2)))
            return two_way_area(insider_scores(chains, step, ratio).reshape(-1, 2, days), True)
        seen = np.clip((seen + rest[:, None, None]).reshape(*noise.shape[:2], -1), *self.cut)
        found, others = np.empty(seen.shape[1:]), self._others(place, at)
        number = house if self.joint else 0
        for now in _shares(len(at), AT_ONCE, seen[0, 0].size * self.states * 2):
            if isinstance(others, NormalCrowd):
                found[now] = others.scores(ways, seen[:, now], now)
            elif step is None:
                found[now] = away_scores(number, others, seen[:, now], at[now])
            else:
                found[now] = moment_scores(chains, number, step, others, seen[:, now], at[now])
        return two_way_area(found.reshape(-1, 2, days), others.exact)

    def _ratios(self, k: int, house: int, at: Ints, seen: Floats, rest: Floats) -> Floats:
        """Return what an insider reads of a house, (T, W, B), where rates are cut at the demand of all."""
        record, use = self.records[k], self.records[k].street.only(slice(house, house + 1))
        scale = np.multiply.outer(record.shape, self.widths[at])
        if self.cut == UNCUT:
            return insider_ratios(use, scale, seen)
        seen = np.clip(seen, *(limit - rest[:, None] for limit in self.cut))
        return insider_ratios(use, scale, seen, self.cut, rest)

    def _others(self, place: Place, at: Ints) -> Joint | Counts | NormalCrowd:
        """Return how an outsider follows a house and the others; a normal crowd at some widths alone."""
        k, house = place.record, place.house
        if self.joint:
            return self._joint(k)
        key = (k, house) if place.counted else (k, house, *at.tolist())
        if key not in self._known:
            record = self.records[k]
            if place.counted:
                self._known[key] = self._counts(k, house)
            else:
                own = record.street.only(slice(house, house + 1))
                others = without(record, house)
                self._known[key] = NormalCrowd(own, others, self.widths[at], record.shape, self.cut)
        return self._known[key]

    def _counts(self, k: int, *apart: int) -> Counts:
        """Return how many of each group are occupied, but for houses that are followed by themselves."""
        record, street = self.records[k], self.records[k].street
        rest = np.setdiff1d(np.arange(self.households), apart)
        each = [rest[street.group[rest] == g] for g in np.unique(street.group[rest])]
        groups = [
            (use_of(street, some), record.spec.chains(street, 0, some))
            for some in (*(np.array([house]) for house in apart), *each)
        ]
        return Counts(groups, self.widths, record.shape, self.cut)

    def _joint(self, k: int) -> Joint:
        """Return what all joint states are and show, at all widths."""
        if k not in self._joints:
            record, everybody = self.records[k], np.arange(self.households)
            chains = record.spec.chains(record.street, 0, everybody)
            use = use_of(record.street, everybody)
            self._joints[k] = Joint(use, chains, self.widths, record.shape, self.cut)
        return self._joints[k]


def _shares(count: int, most: int, size: int) -> list[slice]:
    """Return some of so many widths at a time, as many as memory bears with this size each."""
    at_once = max(most // size, 1)
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

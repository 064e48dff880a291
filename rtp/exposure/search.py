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

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.core.workers import Progress, partial_progress
from rtp.exposure.area import interval
from rtp.exposure.lives import StreetDays
from rtp.exposure.measure import Observed, Place
from rtp.exposure.neighbours import UNCUT

BELIEVED, COMPARED = 6, 2  # houses of a group at a width
COMPARE_AT = 3  # every so many widths
NEAR = 2 * COMPARE_AT  # widths beside those where a place is best, at which it is measured
SAME, CLOSE = 0.004, 0.02  # areas apart that make no difference, and that linear estimates may confuse
RARE = 0.02  # answers so rare are compared by days on which they are given
MAP_HOUSES = 50  # that are believed at once
TINY_SHARE = 1e-8


@dataclass(frozen=True, kw_only=True)
class Curve:
    """How well she tells the worst of some houses, by the width of the noise; the first width is 0."""

    widths: Floats  # (1 + W,)
    areas: Floats  # (3, 1 + W)
    worst: tuple[Place, ...]  # at each
    exact: bool
    times: Ints  # (1 + W,) on how many times as many days as at first each was measured


class Search(Observed):
    """One secret and observer of some records: the same days for all houses, groups and widths."""

    @cached_property
    def coarse(self) -> Ints:
        """The widths at which places are compared."""
        return np.arange(0, len(self.widths), COMPARE_AT)

    def curves(self, progress: Progress | None) -> dict[int, Curve]:
        """Return the curve of every group that has something to be told."""
        report = progress or (lambda _: None)
        days = self.days(measured=False)
        lived = {k: self.street(k, self.columns(k), days, 0) for k in range(len(self.records))}
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
                lived[k] = self.street(k, np.searchsorted(record.houses, sorted(houses)), days, times)
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
            d2 = self.told(k, self.widths[self.coarse], np.arange(len(record.houses)))
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
        those the answers' separation of each place is a line. Places beside which others are everywhere as
        good are left out."""
        from scipy.special import ndtri

        areas, best = dict(areas), np.max([*areas.values()], axis=0)
        for place in [*areas]:
            rest = [own for other, own in areas.items() if other != place]
            if rest and (np.max(rest, axis=0) >= best - SAME).all():
                del areas[place]
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
        whole = list(range(len(self.records)))
        # Linear estimates do not know what a cap hides: they say little of one kind of day beside another.
        apart = not self.moment or (bool(self.linear) and not self.alike and self.cut != UNCUT)
        kinds_of_day = [[k] for k in whole] if apart else [whole]
        for g in np.unique(self.records[0].street.group).tolist():
            mine = [record.street.group[record.houses] == g for record in self.records]
            best, more = (
                [
                    place
                    for kinds in kinds_of_day
                    for place in self._best([areas[k] * (k in kinds) * mine[k] for k in whole], some)
                ]
                for areas, some in ((believed, 1), (others, 1 if self.moment else COMPARED))
            )
            ways = {self.counted, self.counted and self.alike}
            if more or len(ways) > 1 or apart:  # what beliefs do not decide
                known = dict.fromkeys(p._replace(counted=c) for p in (*best, *more) for c in ways)
                compared = {p: self.area(p, lived, days, 0, self.coarse)[0] for p in known}
                worst = np.argmax([*compared.values()], axis=0).tolist() if compared else []
                found[g] = {place: compared[place] for place in ([*compared][i] for i in worst)}
            else:
                column = {p: np.searchsorted(self.records[p.record].houses, p.house) for p in best}
                found[g] = {
                    p._replace(counted=self.counted): believed[p.record][:, p.step, at]
                    for p, at in column.items()
                }
            if not found[g]:
                del found[g]
        return found

    def _best(self, areas: list[Floats], some: int) -> list[Place]:
        """Return the best places at every width, one by one, those of the width before where they are as
        good; none where nothing is to be told."""
        found: list[Place] = []
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
                if areas[k][w, :, i].any():
                    found.append(Place(k, int(self.records[k].houses[i]), int(areas[k][w, :, i].argmax())))
            found += same[:some]
        return found

    def map(self, k: int) -> Floats:
        """Return the area without noise of every followed house and step of a record, (T, n)."""
        record, at = self.records[k], np.zeros(1, dtype=np.intp)
        lived = self.street(k, np.arange(len(record.houses)), self.days(measured=False), 0)
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
            exact=self.exact,
            times=np.full(len(self.widths), times),
        )

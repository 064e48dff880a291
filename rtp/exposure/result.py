"""What is found: exposure by the width of the noise, and where it shows most."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rtp.core.stats import Range
from rtp.core.time import Weekday
from rtp.core.types import Bools, Floats
from rtp.exposure.area import Areas
from rtp.exposure.search import RARE, Curve, Search
from rtp.exposure.secrets import Record, Secret
from rtp.mechanisms import REGISTRY
from rtp.scenario import must_be_one_of

if TYPE_CHECKING:
    from scipy.interpolate import PchipInterpolator

COIN = Range(0.5, 0.5, 0.5)
SUREST, LEAST_APART = 1 - 1e-8, 0.005  # an area, and a separation that makes no difference
HIDDEN, VISIBLE = 0.6, 0.9  # areas up to which a secret is hidden, and from which it is visible
TAKEN = 0.25  # of what an insider gains over a coin, that noise must take to count beside an approximation


def hidden(
    area: Floats | float, insider: Floats | float, without_noise: Floats | float, *, exact: bool
) -> Bools:
    """Return where an area is as little as hides a secret, beside an insider's with and without noise; all
    are upper ends of intervals.

    An observer who is not the strongest there is may be right more often than she is found to be: what she
    does not tell without noise, or with hardly any, hides nothing. What an insider tells is exact, and an
    outsider never tells more. So beside such an observer the noise must hide the secret from an insider, or
    take at least a quarter of what she gains over a coin: then it blurs what a single house uses, and the sum
    of many that are blurred like this is what she takes it for.
    """
    enough = np.maximum(HIDDEN, without_noise - TAKEN * (np.asarray(without_noise) - 0.5))
    return np.asarray((area <= HIDDEN) & (exact | (insider <= enough)))


@dataclass(frozen=True, kw_only=True)
class Worst:
    """Where it shows most."""

    house: int
    step: int
    weekday: Weekday


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """How often she names the right one of two records, one of either answer.

    Attributes
    ----------
    secret, observer : str
        What is to be told, and by whom.
    exact : bool
        Whether the observer is the strongest there is; else it is "at least".
    house, step, weekday : int, int, str
        Where it shows most without noise; None where there is nothing to tell.
    by_group : dict of Exposure
        The same of every group's worst house, by its name.
    map : ndarray
        Who shows, and when: the area without noise of every house and step of the worst kind of day,
        (N, T), of a moment.

    Examples
    --------
    >>> import rtp
    >>> found = rtp.exposure(rtp.PRESETS["tiny street"], observer="insider")
    >>> found.exact, found.map.shape
    (True, (5, 96))
    >>> low, high = found.at("blowfish", 0.5)[1:]
    >>> low <= found.over("blowfish", [0.5]).value[0] <= high
    np.True_
    """

    secret: Secret
    observer: str
    curves: Mapping[str, Curve]  # by group
    records: tuple[Record, ...]
    open_to: tuple[Bools, ...]  # what counts of every record, (T, n), or (1, n) of days and weeks
    insider: "Exposure | None" = None  # whom an outsider of a short street does not outdo, whatever was drawn

    @cached_property
    def widths(self) -> Floats:
        """At which it was computed, in the unit of consumption, rising; 0 alone where nothing is open."""
        return next((curve.widths for curve in self.curves.values()), np.zeros(1))

    @cached_property
    def exact(self) -> bool:
        """Whether the observer is the strongest there is; else it is "at least"."""
        return all(curve.exact for curve in self.curves.values())

    @cached_property
    def _areas(self) -> Floats:
        """(3, W) of the worst group at each width."""
        if not self.curves:
            return np.full((3, 1), 0.5)
        return np.asarray(np.max([self._clean(curve) for curve in self.curves.values()], axis=0))

    def _clean(self, curve: Curve) -> Floats:
        if self.records[0].market.tariff.is_cut:
            return curve.areas
        return np.asarray(np.maximum.accumulate(curve.areas[:, ::-1], axis=1)[:, ::-1])

    @cached_property
    def _separations(self) -> "PchipInterpolator":
        """The logarithm of the answers' separation over the place of a width."""
        from scipy.interpolate import PchipInterpolator
        from scipy.special import ndtri

        nodes = np.concatenate([[0.0], 1 + np.log(self.widths[1:] / self.widths[1])])
        return PchipInterpolator(nodes, np.log(ndtri(np.minimum(self._areas, SUREST)) + LEAST_APART), axis=1)

    def over_widths(self, widths: Floats | Sequence[float]) -> Areas:
        """Return values, lows and highs at these widths of the noise.

        Between two widths the logarithm of the answers' separation, Φ⁻¹ of the area, is a monotone cubic in
        that of the width: flat where there is next to no noise, and a power of it where there is much.
        """
        from scipy.special import ndtr

        asked, grid = np.asarray(widths, dtype=float), self.widths
        if len(grid) == 1:
            return Areas(*np.full((3, *asked.shape), 0.5))
        first = grid[1]
        place = np.where(asked < first, asked / first, 1 + np.log(np.maximum(asked, first) / first))
        curves = self._separations(np.minimum(place, self._separations.x[-1]))
        apart = np.exp(curves) - LEAST_APART
        if self.secret == "moment" or all(record.shape.all() for record in self.records):
            apart *= grid[-1] / np.maximum(asked, grid[-1])
        nothing = np.isinf(asked)  # such rates show no demand
        found = np.where(nothing, 0.5, np.round(np.maximum(ndtr(apart), 0.5), 6))
        areas = Areas(*found)
        if self.insider is None:
            return areas
        return Areas(*map(np.minimum, areas, self.insider.over_widths(asked)))

    def over(self, mechanism: str, epsilons: Floats | Sequence[float]) -> Areas:
        """Return the same of a mechanism's rates at many budgets."""
        must_be_one_of("mechanism", mechanism, REGISTRY)
        return self.over_widths(self.width(mechanism, epsilons))

    def width(self, mechanism: str, epsilons: Floats | Sequence[float]) -> Floats:
        """Return how wide that rate's noise is, in the unit of consumption, where it is narrowest."""
        budgets = np.asarray(epsilons, dtype=float)
        chosen = REGISTRY[mechanism]
        if not chosen.reads_demand:
            return np.full(budgets.shape, np.inf)
        narrowest = np.full(budgets.shape, np.inf)
        for record, open_to in zip(self.records, self.open_to, strict=True):
            if not open_to.any():  # nor is there a secret that noise should hide
                continue
            scale = chosen.scale(record.market.at(budgets)).scale
            b = record.market.tariff.in_demand(scale)
            noisy = record.shape > 0
            narrowest = np.minimum(narrowest, (b[noisy] / record.shape[noisy, None]).min(axis=0))
        return narrowest

    def at(self, mechanism: str, epsilon: float | None = None) -> Range:
        """Return it for a mechanism's rates at a budget, the scenario's own without one."""
        budget = self.records[0].scenario.epsilon if epsilon is None else epsilon
        value, low, high = self.over(mechanism, [budget])
        return Range(float(value[0]), float(low[0]), float(high[0]))

    def worst(self, mechanism: str, epsilon: float | None = None) -> Worst | None:
        """Return where it shows most in those rates; None where there is nothing to tell."""
        budget = self.records[0].scenario.epsilon if epsilon is None else epsilon
        return self._worst_at(float(self.width(mechanism, [budget])[0]))

    def _worst_at(self, width: float) -> Worst | None:
        if not self.curves:
            return None
        at = int(np.abs(np.log(np.maximum(self.widths, 1e-12)) - np.log(max(width, 1e-12))).argmin())
        worst = max(self.by_group.values(), key=lambda each: float(each.over_widths([width]).value[0]))
        (curve,) = worst.curves.values()
        place = curve.worst[at]
        return Worst(house=place.house, step=place.step, weekday=self.records[place.record].weekday)

    @property
    def house(self) -> int | None:
        """The worst house without noise."""
        worst = self._worst_at(0.0)
        return None if worst is None else worst.house

    @property
    def step(self) -> int | None:
        """Of the worst moment, counted from midnight."""
        worst = self._worst_at(0.0)
        return None if worst is None or self.secret != "moment" else worst.step

    @property
    def weekday(self) -> Weekday | None:
        """On which the worst record begins."""
        worst = self._worst_at(0.0)
        return None if worst is None else worst.weekday

    def beside(self, width: float) -> slice:
        """Return the widths of which the area at this one is made: two to either side."""
        at = int(np.searchsorted(self.widths, width))
        return slice(max(at - 2, 0), at + 2)

    def measured(self, times: int, groups: Collection[str], width: float) -> dict[str, Curve]:
        """Return the worst places of some groups, measured on so many times as many days as at first for
        noise about that wide. No day is one of those before, and the intervals are narrower by about the
        root of it."""
        names = [group.name for group in self.records[0].scenario.groups]
        worst = {names.index(name): self.curves[name].worst for name in groups}
        closer = self._search().measured(worst, times, self.beside(width)) if worst else {}
        return {names[g]: curve for g, curve in closer.items()}

    def with_closer(self, curves: Mapping[str, Curve], width: float) -> "Exposure":
        """Return it with what was measured of some groups about that width, where that was on more days."""
        own, some = dict(self.curves), self.beside(width)
        for name, closer in curves.items():
            before = own[name]
            more = np.zeros(len(self.widths), dtype=bool)
            more[some] = (closer.times > before.times)[some]
            areas = np.where(more, closer.areas, before.areas)
            own[name] = replace(before, areas=areas, times=np.where(more, closer.times, before.times))
        return replace(self, curves=own)

    def times(self, group: str, width: float) -> int:
        """Return on how many times as many days as at first that group is measured about that width."""
        return int(self.curves[group].times[self.beside(width)].min())

    @cached_property
    def most_times(self) -> int:
        """On how many times as many days there is time to measure it."""
        return self._search().most_times if self.curves else 1

    def _search(self) -> Search:
        outsider, cut = self.observer == "outsider", cut_of(self.records[0])
        return Search(list(self.records), list(self.open_to), outsider, cut)

    @cached_property
    def map(self) -> Floats:
        """The area without noise of every house and step, (N, T), on the worst kind of day, by what is
        believed of days that are drawn.

        NaN where a moment does not count, or hardly any day has one of its answers; and houses that stand
        behind others: of a street of more than a few hundred a spread of sizes is looked at.
        """
        if self.secret != "moment":
            raise ValueError("A map shows moments: days and weeks have no steps.")
        shape = self.records[0].spec.households, self.records[0].steps
        result = np.full(shape, np.nan)
        if self.curves:
            k = max((curve.areas[0, 0], curve.worst[0].record) for curve in self.curves.values())[1]
            record, possible = self.records[k], self.open_to[k]
            rarer = np.minimum(record.occupied, 1 - record.occupied)
            result[record.houses] = np.where(possible & (rarer >= RARE), self._search().map(k), np.nan).T
        return result

    @cached_property
    def by_group(self) -> dict[str, "Exposure"]:
        """The same of every group's worst house."""
        above = {} if self.insider is None else self.insider.by_group
        return {
            name: replace(self, curves={name: curve}, insider=above.get(name))
            for name, curve in self.curves.items()
        }


def cut_of(record: Record) -> tuple[float, float]:
    """Return the readings at which rates are cut, in the unit of consumption."""
    tariff = record.market.tariff
    low, high = (
        limit if np.isinf(limit) else float(tariff.demand(np.array(limit))) for limit in tariff.limits
    )
    return low, high

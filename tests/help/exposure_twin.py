"""A slow, plain twin of exposure: how well an observer tells a house's secret, by the textbook.

Everything known is a `Record`: the houses' own habits over the steps she reads, and their own distributions
of use. Houses are sorted into parts. Every house may be a part of its own, which follows all 2^N joint
states; or alike houses share one, of which only the number that is occupied matters. Either is exact. A joint
state is one number per part; what all use together in it is a repeated convolution of masses on a grid, and
of point masses as they are.

    believe    forward and backward over the joint states: Pr[rates], and what is expected of every part
    area       of two records of either answer the right one is named so often, with its standard error
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import TypeVar

import numpy as np
from numpy.random import Generator, default_rng
from scipy.stats import rankdata

from rtp.core.time import WEEKDAYS, WEEKEND, Weekday
from rtp.core.types import Bools, Floats
from rtp.scenario import Scenario
from rtp.simulation import street_spec

MOST_CELLS = 8192
TINY = 1e-9  # apart, two sums are the same
FEW = 5  # houses of which all joint states are followed

Parts = tuple[tuple[int, ...], ...]
T = TypeVar("T")  # how a distribution is held: masses on a grid, or by its places


@dataclass(frozen=True, kw_only=True, eq=False)
class Record:
    """n houses over the T steps whose rates are read."""

    start: Floats  # (n,) Pr[occupied] at the first step
    leave: Floats  # (T − 1, n) from each step to the next
    arrive: Floats  # (T − 1, n)
    edges: Floats  # (n, K + 1) of use; a bin of no width is a point mass
    mass: Floats  # (2, n, K) empty and occupied
    bound: Floats  # (n,) the most that each may use, as stated
    low: float = -np.inf  # demand below which rates are cut
    high: float = np.inf  # and above which

    @property
    def steps(self) -> int:
        return len(self.leave) + 1

    @property
    def houses(self) -> int:
        return len(self.start)

    def only(self, house: int) -> "Record":
        """The record of one house."""
        one = slice(house, house + 1)
        return replace(
            self, start=self.start[one], leave=self.leave[:, one], arrive=self.arrive[:, one],
            edges=self.edges[one], mass=self.mass[:, one], bound=self.bound[one],
        )  # fmt: skip

    def away(self, house: int) -> "Record":
        """The same where a house is empty all along."""
        start, leave, arrive = self.start.copy(), self.leave.copy(), self.arrive.copy()
        start[house], leave[:, house], arrive[:, house] = 0.0, 1.0, 0.0
        return replace(self, start=start, leave=leave, arrive=arrive)

    def occupied(self) -> Floats:
        """Pr[occupied] by habits alone, (T, n)."""
        rows = [self.start]
        for leave, arrive in zip(self.leave, self.arrive, strict=True):
            rows.append(rows[-1] * (1 - leave) + (1 - rows[-1]) * arrive)
        return np.array(rows)

    def noise(self, width: float) -> Floats:
        """The scale of noise in proportion to the largest bound of a house that may be either, (T,), which is
        `width` where it is widest."""
        chance = self.occupied()
        largest = (((chance > 0) & (chance < 1)) * self.bound).max(axis=1)
        return np.asarray(width * (largest / largest.max() if largest.any() else np.ones(self.steps)))


@lru_cache(maxsize=64)
def record(scenario: Scenario, days: int = 1, weekday: Weekday | None = None) -> Record:
    """Return the record of a scenario's first days, which may begin on another weekday."""
    longer = scenario.replace(days=days, first_weekday=weekday or scenario.first_weekday)
    spec = street_spec(longer)
    street = spec.draw()
    chains, use = spec.chains(street, 0), street.histograms()

    def demand(rate: float) -> float:
        return (rate - scenario.beta) / scenario.alpha - scenario.inelastic_demand

    return Record(
        start=chains.initial,
        leave=chains.leave[chains.row],
        arrive=chains.arrive[chains.row],
        edges=use.edges,
        mass=use.mass,
        bound=street.bound,
        low=demand(0.0) if scenario.clip_at_zero else -np.inf,
        high=np.inf if scenario.price_cap is None else demand(scenario.price_cap),
    )


# Days that houses live -------------------------------------------------------------------------------------


def live(known: Record, runs: int, rng: Generator) -> tuple[Bools, Floats]:
    """Draw states and use of every house, (R, T, n)."""
    states = np.empty((runs, known.steps, known.houses), dtype=bool)
    states[:, 0] = rng.random((runs, known.houses)) < known.start
    for t in range(known.steps - 1):
        chance = np.where(states[:, t], 1 - known.leave[t], known.arrive[t])
        states[:, t + 1] = rng.random(chance.shape) < chance
    used = np.empty(states.shape)
    for house, edges in enumerate(known.edges):
        for state in (0, 1):
            these = states[:, :, house] == state
            mass = known.mass[state, house].clip(0)
            bins = rng.choice(len(mass), size=int(these.sum()), p=mass / mass.sum())
            used[these, house] = edges[bins] + np.diff(edges)[bins] * rng.random(len(bins))
    return states, used


# What some houses use together ------------------------------------------------------------------------------


def masses(edges: Floats, mass: Floats, step: float, cells: int, smooth: bool = True) -> Floats:
    """Return a distribution of use on the nodes 0, step, 2·step …: every use is shared by its two neighbours
    in proportion, E[hat(X − node)]. Without `smooth` its point masses alone."""
    below = np.zeros(cells + 2)  # E[(x − X)+]
    x = step * np.arange(-1, cells + 1)
    for left, right, weight in zip(edges, edges[1:], mass, strict=False):
        width = right - left
        if width > 0 and smooth:
            below += weight * ((x - left).clip(0) ** 2 - (x - right).clip(0) ** 2) / (2 * width)
        elif width == 0:
            below += weight * (x - left).clip(0)
    return np.asarray((np.diff(below, 2) / step).clip(0))


def atoms_of(edges: Floats, mass: Floats) -> dict[float, float]:
    """The point masses of a distribution: their places and probabilities."""
    found: dict[float, float] = {}
    for place, width, weight in zip(edges, np.diff(edges), mass, strict=False):
        if width == 0 and weight > 0:
            found[round(place, 9)] = found.get(round(place, 9), 0.0) + weight
    return found


def added(one: dict[float, float], other: dict[float, float]) -> dict[float, float]:
    """The point masses of the sum of two."""
    found: dict[float, float] = {}
    for a, p in one.items():
        for b, q in other.items():
            found[round(a + b, 9)] = found.get(round(a + b, 9), 0.0) + p * q
    return found


class Sums:
    """What all use together in every joint state, seen through noise of scale b."""

    def __init__(self, known: Record, parts: Parts, b: float, cells: int = MOST_CELLS) -> None:
        top = float(known.edges[:, -1].sum())
        widths = np.diff(known.edges, axis=1)[(known.mass > 0).any(axis=0)]
        fine = b / 10 if b > 0 else min(widths[widths > TINY], default=top) / 20
        self.b, self.step = b, max(fine, top / cells, TINY)
        self.p = self._masses(known, parts, smooth=True)  # (J, L)
        if b > 0:
            assert self.step <= b / 3, "more cells are needed"
            fade = np.exp(-self.step / b)
            self.left, self.right = self.p.copy(), self.p.copy()
            for k in range(1, self.p.shape[1]):
                self.left[:, k] += fade * self.left[:, k - 1]
                self.right[:, -k - 1] += fade * self.right[:, -k]
        else:
            self.atoms = self._atoms(known, parts)
            self.smooth = (self.p - self._masses(known, parts, smooth=False)).clip(0)
            self.smooth[self.smooth < 1e-12] = 0.0
        self.tail = np.cumsum(self.p[:, ::-1], axis=1)[:, ::-1]

    def _masses(self, known: Record, parts: Parts, smooth: bool) -> Floats:
        states = []
        for part in parts:
            edges, mass = known.edges[part[0]], known.mass[:, part[0]]
            cells = int(np.ceil(edges[-1] / self.step)) + 2
            empty, occupied = (masses(edges, own, self.step, cells, smooth) for own in mass)
            states.append(numbers_of(empty, occupied, len(part), np.ones(1), np.convolve))
        joint = reduce(lambda one, other: [np.convolve(a, b) for a in one for b in other], states)
        return np.array(joint)

    def _atoms(self, known: Record, parts: Parts) -> tuple[Floats, Floats]:
        """The places of point masses, (A,), and their probabilities in every joint state, (A, J)."""
        states = []
        for part in parts:
            empty, occupied = (atoms_of(known.edges[part[0]], own) for own in known.mass[:, part[0]])
            states.append(numbers_of(empty, occupied, len(part), {0.0: 1.0}, added))
        joint = reduce(lambda one, other: [added(a, b) for a in one for b in other], states)
        places = np.array(sorted(set().union(*joint)))
        return places, np.array([[own.get(place, 0.0) for own in joint] for place in places.tolist()])

    def density(self, y: Floats) -> Floats:
        """Return how likely readings are in every joint state, (m, J), up to a factor of each reading."""
        end = self.p.shape[1] - 1
        if self.b == 0:
            at = np.clip(y / self.step, 0, end - 1e-9)
            k = at.astype(int)
            found = self.smooth[:, k] * (1 - at + k) + self.smooth[:, k + 1] * (at - k)
            likely = found.T / self.step + 1e-30
            places, chance = self.atoms
            if len(places):
                nearest = np.abs(y[:, None] - places).argmin(axis=1)
                exact = np.abs(y - places[nearest]) < 1e-7
                likely[exact] = chance[nearest[exact]]
            return np.asarray(likely)
        inside = np.clip(y, 0, end * self.step * (1 - 1e-12))  # beyond, all change by the same factor
        k = (inside / self.step).astype(int)
        since = inside - k * self.step
        before = self.left[:, k] * np.exp(-since / self.b)
        after = self.right[:, k + 1] * np.exp(-(self.step - since) / self.b)
        return np.asarray((before + after).T)

    def above(self, y: Floats) -> Floats:
        """Return Pr[reading ≥ y] in every joint state, (m, J); far above the top up to a factor."""
        end = self.p.shape[1] - 1
        if self.b == 0:
            at = np.clip(y / self.step - 1e-7, 0, end)
            k = np.ceil(at).astype(int)
            whole = self.tail[:, k].T
            return np.asarray(np.where((y <= 0)[:, None], 1.0, whole))
        inside = np.clip(y, 0, end * self.step * (1 - 1e-12))
        k = (inside / self.step).astype(int)
        since = inside - k * self.step
        before = self.left[:, k] * np.exp(-since / self.b) / 2
        after = self.tail[:, k + 1] - self.right[:, k + 1] * np.exp(-(self.step - since) / self.b) / 2
        less = np.exp(np.minimum(y, 0) / self.b)[:, None]  # below the bottom: 1 − e^{y/b}·(1 − Pr[≥ 0])
        return np.asarray(1 - less * (1 - (before + after).T))


def sums_of(known: Record, parts: Parts, b: Floats) -> list[Sums]:
    """Return what is known of every step where noise has these scales, (T,)."""
    return [_sums(known, parts, scale) for scale in b.tolist()]


@lru_cache(maxsize=12)
def _sums(known: Record, parts: Parts, b: float) -> Sums:
    return Sums(known, parts, b)


def numbers_of(empty: T, occupied: T, houses: int, nothing: T, add: Callable[[T, T], T]) -> list[T]:
    """Return what so many alike houses use together where 0, 1, … of them are occupied."""
    empties, busy = [nothing], [nothing]
    for _ in range(houses):
        empties.append(add(empties[-1], empty))
        busy.append(add(busy[-1], occupied))
    return [add(busy[number], empties[houses - number]) for number in range(houses + 1)]


# What she believes ------------------------------------------------------------------------------------------


def number_of(houses: int, chance: float) -> Floats:
    """Pr[0, 1, … of so many do what each does with this chance], (houses + 1,)."""
    return reduce(np.convolve, [np.array([1 - chance, chance])] * houses, np.ones(1))


@lru_cache(maxsize=1024)
def moving(houses: int, leave: float, arrive: float) -> Floats:
    """Pr[so many are occupied next | so many are now], (houses + 1, houses + 1)."""
    stay = [number_of(now, 1 - leave) for now in range(houses + 1)]
    come = [number_of(houses - now, arrive) for now in range(houses + 1)]
    return np.array([np.convolve(*both) for both in zip(stay, come, strict=True)])


def along(values: Floats, matrix: Floats, axis: int) -> Floats:
    """Multiply one axis by a matrix."""
    product: Floats = np.moveaxis(np.tensordot(values, matrix, axes=(axis, 0)), -1, axis)
    return product


def believe(
    known: Record, parts: Parts, sums: list[Sums], y: Floats, low: Floats, high: Floats
) -> tuple[Floats, list[Floats]]:
    """Return ln Pr[readings] up to a constant of each record, (R,), and for every part how many of its houses
    are expected to be occupied, given all readings, (R, T) each. Readings and the ends where they are cut are
    (R, T)."""
    runs, steps = y.shape
    shape = [len(part) + 1 for part in parts]
    likely = np.empty((steps, runs, *shape))
    scale = np.zeros(runs)
    for t in range(steps):
        now = sums[t].density(y[:, t])
        top, bottom = y[:, t] >= high[:, t], y[:, t] <= low[:, t]
        if top.any():
            now[top] = sums[t].above(high[top, t])
        if bottom.any():
            now[bottom] = 1 - sums[t].above(low[bottom, t])
        likely[t] = now.reshape(runs, *shape)

    def times(weight: Floats) -> Floats:
        return weight.reshape(runs, *[1] * len(parts))

    def total(values: Floats) -> Floats:
        return np.asarray(np.maximum(values.reshape(runs, -1).sum(axis=1), 1e-300))

    prior = np.ones(())
    for part, size in zip(parts, shape, strict=True):
        prior = np.multiply.outer(prior, number_of(size - 1, known.start[part[0]]))
    forward = np.empty_like(likely)
    ahead = np.broadcast_to(prior, (runs, *shape))
    for t in range(steps):
        forward[t] = ahead * likely[t]
        evidence = total(forward[t])
        scale += np.log(evidence)
        forward[t] /= times(evidence)
        if t + 1 < steps:
            ahead = forward[t]
            for axis, part in enumerate(parts, start=1):
                moves = moving(len(part), known.leave[t, part[0]], known.arrive[t, part[0]])
                ahead = along(ahead, moves, axis)
    expected = [np.empty((runs, steps)) for _ in parts]
    backward = np.ones((runs, *shape))
    for t in reversed(range(steps)):
        both = forward[t] * backward
        both /= times(total(both))
        for axis, size in enumerate(shape, start=1):
            others = tuple(other for other in range(1, len(shape) + 1) if other != axis)
            expected[axis - 1][:, t] = both.sum(axis=others) @ np.arange(size)
        if t:
            backward = backward * likely[t]
            for axis, part in enumerate(parts, start=1):
                moves = moving(len(part), known.leave[t - 1, part[0]], known.arrive[t - 1, part[0]])
                backward = along(backward, moves.T, axis)
            backward /= times(total(backward))
    return scale, expected


def all_apart(known: Record) -> Parts:
    """Every house a part of its own."""
    return tuple((house,) for house in range(known.houses))


def alike(known: Record, watched: int | None = None) -> Parts:
    """Alike houses together; a watched one by itself, first."""
    parts: dict[bytes, list[int]] = {}
    for house in range(known.houses):
        if house != watched:
            own = known.only(house)
            key = b"".join(np.ascontiguousarray(a).tobytes() for a in
                           (own.start, own.leave, own.arrive, own.edges, own.mass))  # fmt: skip
            parts.setdefault(key, []).append(house)
    return (() if watched is None else ((watched,),)) + tuple(tuple(part) for part in parts.values())


# How well she tells -----------------------------------------------------------------------------------------


def area(score: Floats, yes: Floats, no: Floats) -> tuple[float, float]:
    """Return how often, of a record with either answer, that of the answer yes has the higher score, and the
    standard error. Every record counts `yes` for one answer and `no` for the other: 1 and 0 where it is
    known, p and 1 − p where it is believed."""
    if not (yes * (yes > 0)).sum() or not (no * (no > 0)).sum():
        return np.nan, np.nan
    rank = rankdata(score, method="dense") - 1
    by_no, by_yes = np.bincount(rank, no), np.bincount(rank, yes)
    beaten = (np.cumsum(by_no) - by_no / 2)[rank] - no / 2  # of the other answer, itself left out
    above = (by_yes.sum() - np.cumsum(by_yes) + by_yes / 2)[rank] - yes / 2
    pairs_of_yes, pairs_of_no = no.sum() - no, yes.sum() - yes
    value = (yes * beaten).sum() / (yes * pairs_of_yes).sum()
    influence = yes * (beaten - value * pairs_of_yes) + no * (above - value * pairs_of_no)
    influence *= len(score) / (yes * pairs_of_yes).sum()
    return float(value), float(influence.std() / np.sqrt(len(score)))


@dataclass(frozen=True)
class Told:
    """Areas and their standard errors: from beliefs in pairs of days, and from labels."""

    pairs: float
    error: float
    labels: float
    labels_error: float


def seen(known: Record, used: Floats, b: Floats, rng: Generator) -> tuple[Floats, Floats, Floats]:
    """Return what is read of all use together, and where that is cut, (R, T) each."""
    y = used.sum(axis=2) + b * rng.laplace(size=used.shape[:2])
    low, high = np.full(y.shape, known.low), np.full(y.shape, known.high)
    return np.clip(y, low, high), low, high


def view(
    known: Record, observer: str, house: int, used: Floats, read: Sequence[Floats]
) -> tuple[Record, Sequence[Floats]]:
    """What is left to explain: for an insider the house alone, for an outsider all of it."""
    if observer == "outsider":
        return known, read
    others = used.sum(axis=2) - used[:, :, house]
    return known.only(house), [each - others for each in read]


def parts_of(known: Record, watched: int) -> Parts:
    """All joint states of few houses; else a house's state and the numbers of alike others."""
    return all_apart(known) if known.houses <= FEW else alike(known, watched)


def told_moments(known: Record, observer: str, b: Floats, house: int, runs: int, seed: int = 0) -> list[Told]:
    """Return what she tells of a house at every step, from all readings of the record."""
    rng = default_rng(seed)
    states, used = live(known, runs, rng)
    own, read = view(known, observer, house, used, seen(known, used, b, rng))
    parts = parts_of(own, house if own is known else 0)
    _, expected = believe(own, parts, sums_of(own, parts, b), *read)
    belief = expected[parts.index((house if own is known else 0,))].clip(0, 1)
    truth = states[:, :, house].astype(float)
    return [Told(*area(p, p, 1 - p), *area(p, s, 1 - s)) for p, s in zip(belief.T, truth.T, strict=True)]


def told_away(known: Record, observer: str, b: Floats, house: int, runs: int, seed: int = 0) -> Told:
    """Return what she tells of a house that is empty all along the record or lives as modelled."""
    rng, scores = default_rng(seed), []
    for lived in (known, known.away(house)):
        _, used = live(lived, runs, rng)
        own, read = view(known, observer, house, used, seen(known, used, b, rng))
        number = house if own is known else 0
        parts = parts_of(own, number)
        sums = sums_of(own, parts, b)
        usual, _ = believe(own, parts, sums, *read)
        gone, _ = believe(own.away(number), parts, sums, *read)
        scores.append(gone - usual)
    score = np.concatenate(scores).round(9)
    truth = np.repeat([0.0, 1.0], runs)
    belief = 1 / (1 + np.exp(-score.clip(-500, 500)))
    return Told(*area(score, belief, 1 - belief), *area(score, truth, 1 - truth))


# The worst of a street --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Where a secret is looked for: a house, the weekday on which its record begins and, of a moment, a
    step."""

    house: int
    weekday: Weekday
    step: int | None


def weekdays(scenario: Scenario, secret: str) -> list[Weekday]:
    """The weekdays on which records begin: of a week the first; else a working day and, where habits differ,
    a Saturday and a Sunday."""
    first = WEEKDAYS.index(scenario.first_weekday)
    days = WEEKDAYS[first:] + WEEKDAYS[:first]
    if secret == "week" or not scenario.has_weekends:
        return [days[0]]
    apart = any(habits.sunday for model in scenario.models for habits in model.habits)
    free = any(habits.weekend for model in scenario.models for habits in model.habits)
    working = next(d for d in days if d not in WEEKEND and (free or d != "Saturday"))
    if apart and free:
        return [working, "Saturday", "Sunday"]
    return [working, "Sunday" if apart else next(d for d in days if d in WEEKEND)]


def tell(
    scenario: Scenario, secret: str, observer: str, width: float, house: int, weekday: Weekday, runs: int,
    seed: int = 0,
) -> list[Told]:  # fmt: skip
    """Return what she tells of a house: of a moment at every step, of a day or a week once."""
    known = record(scenario, 7 if secret == "week" else 1, weekday)
    if secret == "moment":
        return told_moments(known, observer, known.noise(width), house, runs, seed)
    return [told_away(known, observer, known.noise(width), house, runs, seed)]


def at(
    scenario: Scenario, secret: str, observer: str, width: float, place: Place, runs: int, seed: int = 0
) -> Told:
    """Return the same at one place."""
    told = tell(scenario, secret, observer, width, place.house, place.weekday, runs, seed)
    return told[place.step or 0]


def worst(
    scenario: Scenario, secret: str, observer: str, width: float, runs: int, rarest: float = 0.05
) -> tuple[Place, Told]:
    """Return where she tells most, and how much: chosen twice, then measured on other days."""
    found: dict[Place, float] = {}
    for weekday in weekdays(scenario, secret):
        known = record(scenario, 1, weekday)
        chance = known.occupied()
        open_ = np.minimum(chance, 1 - chance) >= max(rarest, 1e-12)
        for house, *_ in alike(known):
            told = tell(scenario, secret, observer, width, house, weekday, runs, seed=1)
            for step, one in enumerate(told):
                if secret != "moment":
                    found[Place(house, weekday, None)] = one.pairs
                elif open_[step, house]:
                    found[Place(house, weekday, step)] = one.pairs
    if not found:
        return Place(-1, scenario.first_weekday, None), Told(0.5, 0.0, 0.5, 0.0)
    best = sorted(found, key=lambda place: -found[place])[:4]
    again = {place: at(scenario, secret, observer, width, place, 2 * runs, seed=2).pairs for place in best}
    place = max(again, key=lambda place: again[place])
    return place, at(scenario, secret, observer, width, place, 4 * runs, seed=3)

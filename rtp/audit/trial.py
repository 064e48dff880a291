"""Is the promise kept? By experiment: what the lab publishes, judged from outside.

Every release is a `publish` of its own with a fresh seed, the way a day reaches the screen. Four streets are
simulated, the scenario's own and three with fresh seeds. On each, everyone's consumption is known but that of
one house a step, the one that needs most noise (`possible`): the strongest observer's place. Four worlds
differ in that house: it uses its bound or nothing ("point"), or as modelled ("uniform"), by its distribution
where it has one. What is public is undone: filter, tariff and price response. What is left of a rate is its
noise, here in the unit of what the promise needs, and where it puts the house, from 0 for nothing to 1 for
its bound.

Three questions are asked of them (`checks`): is the noise as wide as is needed, is it drawn anew for every
rate, and can a house be told apart by more than was promised? A mechanism that keeps its promise is blamed,
by whichever check, in at most one of 1/AUDIT_FALSE_ALARM audits: the level is shared out evenly (Bonferroni)
over mechanisms and checks, and within a check over steps, pairs of steps and pairs of days. The first two
take the noise to be Laplace's, as every mechanism here says of itself; the third does not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple, get_args

import numpy as np
from numpy.random import Generator

from rtp.audit.checks import (
    DistributionTest,
    IndependenceTest,
    RepeatTest,
    ScaleTest,
    detectable_loss,
    distribution_test,
    fresh_rates,
    independence_test,
    proved_loss,
    repeat_test,
    scale_test,
)
from rtp.audit.possible import (
    RequiredNoise,
    Shape,
    loss_at_share,
    noise_for_sets,
    possible_states,
    required_scale,
    shape_of,
)
from rtp.core.parallel import Progress
from rtp.core.random import Stream, generators, seed_of
from rtp.core.types import Bools, Floats, Ints
from rtp.mechanisms import REGISTRY, Mechanism
from rtp.scenario import BOUNDS, Bounds, Scenario, must_be_within, refusal
from rtp.simulation import Day, draw_day, publish_day
from rtp.street.simulate import StreetDay, replay_houses

AUDITED_STREETS = 4
WORLDS: tuple[tuple[Shape, bool], ...] = tuple(product(get_args(Shape), (True, False)))
BALANCED = AUDITED_STREETS * len(WORLDS)  # releases that make one of each
UNDONE_TOGETHER = 100  # releases of a street that are undone together
RELEASES = Bounds(4 * BALANCED, 100_000, "Days published")
DEFAULT = 25 * BALANCED
AUDIT_FALSE_ALARM = 1e-4  # the probability that an audit blames any mechanism that keeps its promise
CHECKS = 6  # scale over all rates and at each step, distribution, two steps, two days, a house told apart


class NoiseReadings(NamedTuple):
    """What some releases show of one mechanism, (releases, T) each; NaN where they show nothing."""

    noise: Floats  # ÷ what is needed
    full: Bools  # where no price response has lowered the need
    empty: Floats  # where the rate puts the house while it is empty
    occupied: Floats  # the same while it is occupied
    resolution: float  # of the noise: what the last digit of a rate is worth


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """One simulated street with the house in question, at every step, taken out of it."""

    street_day: StreetDay
    house: dict[Shape, Ints]  # (T,), −1 where nobody's state is open
    others: dict[Shape, Floats]  # (T,) what everyone else uses
    needs: dict[str, RequiredNoise]  # by mechanism

    def used(self, shape: Shape, occupied: bool, rng: Generator) -> Floats:
        """(T,): what the house uses in that world."""
        street, house = self.street_day.street, self.house[shape]
        if shape == "point":
            use = street.bound[house] if occupied else np.zeros(len(house))
        else:
            use = street.use(house).at(np.full(len(house), occupied), rng.random(len(house)))
        return np.where(house >= 0, use, 0.0)


def neighbouring_worlds(scenario: Scenario, street_day: StreetDay) -> Neighbours:
    possible = possible_states(street_day)
    house: dict[Shape, Ints] = {
        shape: noise_for_sets(possible.sets(), street_day, scenario.epsilon, shape).house
        for shape in get_args(Shape)
    }
    return Neighbours(
        street_day=street_day,
        house=house,
        others={shape: street_day.demand - _real_use(street_day, of) for shape, of in house.items()},
        needs={name: required_scale(m, scenario, street_day, possible) for name, m in REGISTRY.items()},
    )


def _real_use(street_day: StreetDay, house: Ints) -> Floats:
    """(T,): what the house of each step really used."""
    some, column = np.unique(np.maximum(house, 0), return_inverse=True)
    _, used = replay_houses(street_day.spec, street_day.street, some.tolist())
    return np.where(house >= 0, used[np.arange(len(house)), column.ravel()], 0.0)


class Published(NamedTuple):
    """One release, and the world it was made in."""

    shape: Shape
    occupied: bool
    use: Floats  # (T,) of the house
    day: Day


def publish_days(
    scenario: Scenario, n: int, seed: int, street_day: StreetDay, progress: Progress | None
) -> dict[str, NoiseReadings]:
    """Return what n published days show of every mechanism, as many in each world of each street.

    `street_day` is the scenario's own day, simulated.
    """
    seeds, rng = generators(seed_of(seed, Stream.AUDIT), 2)
    fresh, worlds, done = fresh_seeds(scenario, seeds), WORLDS * (n // BALANCED), 0
    parts: dict[str, list[NoiseReadings]] = {name: [] for name in REGISTRY}
    for street in range(AUDITED_STREETS):
        near = neighbouring_worlds(scenario, draw_day(next(fresh)) if street else street_day)
        for first in range(0, len(worlds), UNDONE_TOGETHER):
            batch = []
            for shape, occupied in worlds[first : first + UNDONE_TOGETHER]:
                use = near.used(shape, occupied, rng)
                world = replace(near.street_day, demand=near.others[shape] + use)
                batch.append(Published(shape, occupied, use, publish_day(next(fresh), world)))
                done += 1
                if progress is not None:
                    progress(done / n)
            for name, mechanism in REGISTRY.items():
                parts[name].append(_read(mechanism, near, batch))
    return {name: _join(each) for name, each in parts.items()}


def _join(parts: Sequence[NoiseReadings]) -> NoiseReadings:
    *arrays, resolution = zip(*parts, strict=True)
    noise, full, empty, occupied = map(np.concatenate, arrays)
    return NoiseReadings(noise, full, empty, occupied, max(resolution))


def fresh_seeds(scenario: Scenario, seeds: Generator) -> Iterator[Scenario]:
    """Yield the scenario with one seed after the other, none twice: two equal seeds have the same noise."""
    low, high, _ = BOUNDS["seed"]
    taken = set[int]()
    while True:
        seed = int(seeds.integers(int(low), int(high), endpoint=True))
        if seed not in taken:
            taken.add(seed)
            yield scenario.replace(seed=seed)


def _read(mechanism: Mechanism, near: Neighbours, batch: Sequence[Published]) -> NoiseReadings:
    """Releases of one mechanism on one street, everything public undone; arrays here are (T, releases)."""
    public, needs = batch[0].day.market.public, near.needs[mechanism.name]
    tariff = public.tariff
    rate, scale = (
        np.column_stack([getattr(release.day.release[mechanism.name], part) for release in batch])
        for part in ("rate", "scale")
    )
    response = tariff.responses(rate)
    noisy = rate if mechanism.invert is None else mechanism.invert(public, scale, rate, response)
    others = np.column_stack([near.others[release.shape] for release in batch])
    use = np.column_stack([release.use for release in batch])
    above = (noisy - tariff.rate(response * others + tariff.inelastic_demand)) / tariff.alpha
    clear = response > 0
    if mechanism.invert is not None and tariff.clip_at_zero:
        clipped = rate <= 0  # behind which the filter's state is lost
        clear &= np.cumsum(clipped, axis=0) == clipped
    needed = needs.scale[:, None] * response
    with np.errstate(divide="ignore", invalid="ignore"):
        noise = np.where(clear & (needed > 0), (above - response * use) / needed, np.nan)
    house = near.house[shape_of(mechanism)][:, None]
    if mechanism.neglects:  # where it gives that house no promise, telling it apart proves nothing
        clear &= house == needs.house[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(np.isnan(noise), 0.0, np.spacing(np.abs(noisy)) / tariff.alpha / needed)
        at = np.where(
            clear & (house >= 0) & (response == 1), above / near.street_day.street.bound[house], np.nan
        )
    empty, occupied = (
        [(release.shape, release.occupied) == (shape_of(mechanism), state) for release in batch]
        for state in (False, True)
    )
    return NoiseReadings(
        noise=noise.T,
        full=(response == 1).T,
        empty=at[:, empty].T,
        occupied=at[:, occupied].T,
        resolution=float(worth.max()),
    )


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the trial proves of one mechanism."""

    promised: float
    proved: float  # it gives away at least so much
    noise: ScaleTest
    distribution: DistributionTest
    reuse: IndependenceTest
    repeats: RepeatTest
    detectable_loss: float  # what a house told apart would prove, if it uses its bound or nothing; else ∞
    scale_loss: float  # what noise as narrow as would just be found gives away

    @property
    def broken(self) -> bool:
        """Whether any check proves that the promise is not kept."""
        found = (
            self.noise.proved,
            len(self.noise.steps) > 0,
            self.distribution.proved,
            self.reuse.pair is not None,
            self.repeats.days is not None,
            self.proved > self.promised,
        )
        return any(found) and bool(np.isfinite(self.promised))


Verdicts = dict[str, Verdict | None]  # None: every house is certain all day, so there is nothing to try


def must_be_releases(n: int) -> None:
    """Refuse a number of releases that is not as many in each world of each street."""
    must_be_within("n", n, RELEASES)
    if n % BALANCED:
        raise refusal("n", n, f"be a multiple of {BALANCED}")


def trial(
    scenario: Scenario,
    *,
    n: int = DEFAULT,
    seed: int | None = None,
    street_day: StreetDay | None = None,
    progress: Progress | None = None,
) -> Verdicts:
    """Return what n days, published afresh, prove of every mechanism.

    `street_day` may be given where the day has been simulated already; `progress` is given the fraction done
    and may raise to stop: an audit that was stopped proves nothing.
    """
    must_be_releases(n)
    street_day = street_day or draw_day(scenario)
    readings = publish_days(scenario, n, scenario.seed if seed is None else seed, street_day, progress)
    return {
        name: _judge(scenario, street_day, mechanism, readings[name]) for name, mechanism in REGISTRY.items()
    }


def _judge(
    scenario: Scenario, street_day: StreetDay, mechanism: Mechanism, readings: NoiseReadings
) -> Verdict | None:
    level = AUDIT_FALSE_ALARM / (len(REGISTRY) * CHECKS)
    noise, full, empty, occupied, resolution = readings
    if np.isnan(noise).all() and np.isnan(empty).all():
        return None
    width = scale_test(noise, full, scenario.clip_at_zero, level)
    unclipped = np.where(noise > 0, noise, np.nan) if scenario.clip_at_zero else noise
    promised = mechanism.promised(scenario.epsilon)
    tried = fresh_rates(empty, occupied) if shape_of(mechanism) == "point" else 0
    return Verdict(
        promised=promised,
        proved=proved_loss(empty, occupied, level),
        noise=width,
        distribution=distribution_test(noise, full, scenario.clip_at_zero, level),
        reuse=independence_test(noise, level),
        repeats=repeat_test(unclipped, resolution, level),
        detectable_loss=detectable_loss(promised, tried, level),
        scale_loss=loss_at_share(
            width.detectable or 1.0, mechanism, scenario, street_day, possible_states(street_day)
        ),
    )

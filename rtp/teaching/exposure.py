"""How often an observer is right: by habits alone, from the private rate, from the optimal rate.

She watches one house on a street of two such houses (`story_street`), knows how its people usually live and
how much each house may use, and judges every moment at the end of the day, as in `rtp.teaching.threat`. A day
is luck, so this is an average over `DAYS` days, each with a street, lives, use and noise of its own, whatever
the scenario's seed. Nothing is drawn day by day: D streets of n houses are one street of n·D houses, in which
house i of day d is number i·D + d, and all days are priced, read and smoothed side by side.

*How often she is right* needs no truth to compare with. Her belief p is the exact probability given the
rates, by the model that is true, so she is right with probability max(p, 1 − p): the mean of that over the
day has the same expectation as counting her hits, and less scatter (Rao and Blackwell).

*Exact on every street*: two houses always are (`rtp.attack.joint_filter`), price response and clipping at 0
are part of `price` and `observe`, and a house that its habits make certain is not protected. Where use has
distributions of its own a rate takes far longer to read, so only `LAW_DAYS` days are averaged.

Only the private half knows ε: `watched_days` has the rest, once for a street.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from rtp.attack.joint_filter import smoothed_filters
from rtp.attack.observation import Observed, observe
from rtp.core.random import Stream, random_generator
from rtp.core.stats import Range, mean_interval
from rtp.core.types import Bools, Floats, Ints
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.probability.markov import Chains, propagate
from rtp.scenario import Scenario
from rtp.simulation import STREET_FIELDS, market, street_spec
from rtp.simulation.publish import publish
from rtp.street.draw import Street, StreetSpec, group_sizes
from rtp.street.simulate import StreetDay, replay_houses, simulate_street
from rtp.teaching.threat import STORY_HOUSES, story_street, watched_house

DAYS = 128
LAW_DAYS = 64  # where use has distributions of its own
SEED = 0  # of all days, whatever the scenario's
NOTICED = 0.01  # a difference of shares below it is none that anyone would act on
MOST, LITTLE = 1 / 2, 1 / 4  # of what is given away

Verdict = Literal[
    "nothing to hide", "hidden", "mostly hidden", "partly hidden", "hardly hidden", "not hidden"
]


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """At which share of the moments she is right: means over days with their 95 % intervals.

    Differences are taken day by day, which is surer than to subtract two means.
    """

    street: Scenario  # of two such houses, one of which is watched for a day
    days: int  # that are averaged
    habits: Range
    private: Range
    optimal: Range
    private_adds: Range  # to habits alone
    optimal_adds: Range
    taken_back: Range  # by the private rate, of what the optimal one adds

    @property
    def verdict(self) -> Verdict:
        """What the optimal rate gives away, and how much of that the private rate hides."""
        if not noticed(self.optimal_adds):
            return "nothing to hide"
        if not noticed(self.private_adds):
            return "hidden"
        if not noticed(self.taken_back):
            return "not hidden"
        share = self.taken_back.value / self.optimal_adds.value
        return "mostly hidden" if share > MOST else "hardly hidden" if share < LITTLE else "partly hidden"


def noticed(difference: Range) -> bool:
    """Whether two shares differ by more than luck, and by what shows in whole percents."""
    return difference.low > 0 and difference.value >= NOTICED


@dataclass(frozen=True, kw_only=True)
class ExposedDays:
    """D days, each on a street of its own, before any private rate."""

    together: StreetDay  # of all n·D houses
    demand: Floats  # (T, D)
    expected_demand: Floats  # (T, D) by the generating model
    protected_bound: Floats  # (T, D) the largest bound of a house whose state is uncertain
    streets: tuple[Street, ...]  # day by day
    chains: tuple[Chains, ...]
    house: Ints  # (D,) that is watched
    occupied: Bools  # (T, D) its truth
    habits: Floats  # (T, D) Pr[occupied] without any rate
    optimal: Floats  # (T, D) Pr[occupied | all optimal rates of the day]


def exposure(scenario: Scenario, group: int | None = None) -> Exposure:
    """How often an observer of a house of that group is right; without one, of the group that shows best."""
    street = story_street(scenario, group)
    days = watched_days(scenario, group)
    beliefs = days.habits, private_beliefs(street, days), days.optimal
    return compare(street, *(np.maximum(belief, 1 - belief).mean(axis=0) for belief in beliefs))


def compare(street: Scenario, habits: Floats, private: Floats, optimal: Floats) -> Exposure:
    """The averages of the share of each day at which she is right, (D,)."""
    return Exposure(
        street=street,
        days=len(habits),
        habits=mean_interval(habits),
        private=mean_interval(private),
        optimal=mean_interval(optimal),
        private_adds=mean_interval(private - habits),
        optimal_adds=mean_interval(optimal - habits),
        taken_back=mean_interval(optimal - private),
    )


def between(below: Exposure, above: Exposure, scenario: Scenario, group: int | None = None) -> Exposure:
    """The exposure of a scenario whose ε lies between those of two others, which else are the same: all days
    have the same draws, so it is nearly a line in ln ε from stop to stop."""
    ends = below.street.epsilon, above.street.epsilon
    share = float(np.log(scenario.epsilon / ends[0]) / np.log(ends[1] / ends[0]))

    def at(one: Range, other: Range) -> Range:
        return Range(*(a + share * (b - a) for a, b in zip(one, other, strict=True)))

    return replace(
        below,
        street=story_street(scenario, group),
        private=at(below.private, above.private),
        private_adds=at(below.private_adds, above.private_adds),
        taken_back=at(below.taken_back, above.taken_back),
    )


def watched_days(scenario: Scenario, group: int | None = None) -> ExposedDays:
    """The days of a house of that group: the same for every ε, tariff and seed."""
    street = story_street(scenario, group)
    own = {name: getattr(street, name) for name in STREET_FIELDS - {"seed"}}
    return _watched_days(Scenario(seed=SEED, **own), 0 if scenario.households > STORY_HOUSES else group)


@lru_cache(maxsize=8)
def _watched_days(street: Scenario, group: int | None) -> ExposedDays:
    n = street.households
    count = LAW_DAYS if street.has_laws else DAYS
    spec = _side_by_side(street_spec(street), count)
    together = simulate_street(spec)
    drawn, classes = together.street, together.support_classes
    states, used = replay_houses(spec, drawn, range(n * count))
    chains = spec.chains(drawn, 0)
    bound = np.where(classes.protected[:, classes.of_house], drawn.bound, 0.0)
    prior = propagate(chains)
    (empty, occupied), _ = drawn.moments()
    demand, expected = (
        each.reshape(-1, n, count).sum(axis=1) for each in (used, prior * occupied + (1 - prior) * empty)
    )
    houses = np.arange(n * count).reshape(n, count).T
    streets = tuple(drawn.only(own) for own in houses)
    by_day = tuple(chains.select(own) for own in houses)
    watched = np.array([watched_house(each, group) for each in streets])
    mine = houses[np.arange(count), watched]
    return ExposedDays(
        together=together,
        demand=demand,
        expected_demand=expected,
        protected_bound=bound.reshape(-1, n, count).max(axis=1),
        streets=streets,
        chains=by_day,
        house=watched,
        occupied=states[:, mine],
        habits=prior[:, mine],
        # An optimal rate shows the demand itself, whatever the tariff.
        optimal=_smoothed(Observed(total=demand, b=np.zeros_like(demand)), streets, by_day, watched),
    )


def _side_by_side(spec: StreetSpec, count: int) -> StreetSpec:
    """So many copies of a street as one, house by house: groups keep their order and their shares."""
    sizes = group_sizes([own.share for own in spec.groups], spec.households)
    shares = [size / spec.households for size in sizes]
    return replace(
        spec,
        households=spec.households * count,
        groups=tuple(own.replace(share=share) for own, share in zip(spec.groups, shares, strict=True)),
        listed=None if spec.listed is None else np.repeat(spec.listed, count, axis=1),
    )


def private_beliefs(street: Scenario, days: ExposedDays) -> Floats:
    """Pr[occupied | all private rates of the day], (T, D). Noise is as wide as Algorithm 1 asks for on each
    day's own street, and where demand responds to prices, so is the reference rate."""
    public = market(street, days.together).public
    if street.reference_rate is None:
        reference = public.tariff.optimal(days.expected_demand).mean(axis=0)
        public = replace(public, tariff=replace(public.tariff, reference=reference))
    mechanism, scale = REGISTRY[FEATURED], public.tariff.alpha * days.protected_bound / street.epsilon
    unit = random_generator(SEED, Stream.NOISE).laplace(size=scale.shape)
    rate = publish(mechanism, public, days.demand, unit, scale).rate
    return _smoothed(observe(mechanism, public, rate, scale), days.streets, days.chains, days.house)


def _smoothed(seen: Observed, streets: Sequence[Street], chains: Sequence[Chains], houses: Ints) -> Floats:
    """What she believes of a house of each street, (T, D), by all that its rates show."""
    by_day = [Observed(total=total, b=b) for total, b in zip(seen.total.T, seen.b.T, strict=True)]
    watched = list(zip(by_day, streets, chains, strict=True))
    return smoothed_filters(watched, houses[:, None], len(seen.total))[:, :, 0]

"""What was learned from readings: groups, their habits and how sure those are, and the scenario they make.

Every learned house has bins of its own. A group's law of use in a state is the mean of its houses' emissions:
the distribution function, which is a straight line within a bin and jumps at a point mass, is averaged over
the houses and read off at the edges of common bins. Those hold about as much of both states' use each; edges
have four digits and shares five decimals, so that they travel in a link, and no share that is possible
becomes 0. What is lost is how houses of a group differ from each other, and the shape of use within a bin.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, floor, log10
from typing import Literal

import numpy as np

from rtp.core.stats import Estimate
from rtp.core.time import STEP_MINUTES, StepMinutes
from rtp.core.types import Bools, Floats, Ints
from rtp.meters.four_states import STARTS
from rtp.meters.house_fit import OCCUPANCY, HouseFits
from rtp.meters.readings import Readings
from rtp.probability.histogram import Histograms, share_below
from rtp.scenario import (
    MAX_LISTED,
    PAPER_PERIODS,
    Group,
    Habits,
    House,
    Law,
    OccupancyModel,
    Period,
    Scenario,
    ScenarioError,
    edit,
    valid_names,
)
from rtp.scenario.habits import matrix, restated_probabilities
from rtp.street.draw import uniform_histograms

LETTERS = "ABCDEFGH"
LEARNED = "Learned"
FUSE = 14.5  # kW: 63 A at 230 V, a usual main fuse; a bound that does not look at the data
STANDBY = 0.5  # kW
NO_TWO_STATES = "do not show two states that follow the clock, so no habits can be learned from them."
WEEKEND_DAYS = 8  # four weekends: fewer do not show how far one differs from another


Meaning = Literal["up and about", "at home"]
UP_AND_ABOUT: Meaning = "up and about"  # what two states show: who goes to bed leaves
AT_HOME: Meaning = "at home"  # asleep included, by three states, or as given
# A morning from 6, a day from 9, an evening from 16, a night from 22 predict held-out weeks of homes, real
# and simulated, better than the paper's periods: people leave home before 8 and go to bed before 23.
HOME_PERIODS = tuple(
    own.replace(start=float(start)) for own, start in zip(PAPER_PERIODS, STARTS, strict=True)
)


def periods_for(meaning: Meaning) -> tuple[Period, ...]:
    """Return the periods of a day in which habits of a meaning are learned unless others are asked for."""
    return HOME_PERIODS if meaning == AT_HOME else PAPER_PERIODS


@dataclass(frozen=True, kw_only=True)
class LearnedGroup:
    """Houses that live alike. Probabilities are per step of the chain, by period; those of the weekend's
    periods follow where they were learned apart."""

    name: str
    houses: Ints  # positions among the houses that were learned from
    at_midnight: float  # Pr[occupied]
    leave: Estimate
    arrive: Estimate
    heterogeneity: tuple[Bools, Bools]  # where the houses differ more than by luck
    bootstrap: tuple[tuple[Floats, Floats], ...]  # (leave, arrive) as other weeks would have it


@dataclass(frozen=True, kw_only=True)
class Learned:
    """What readings teach. Arrays over houses have an entry for every house that was learned from.

    Examples
    --------
    >>> from rtp import meters
    >>> from rtp.meters.real_home import real_home
    >>> learned = meters.learn(real_home())
    >>> learned.days, learned.span, len(learned.groups)
    (71, ('2012-06-01', '2012-08-10'), 1)
    """

    minutes: int  # of one step
    chain_minutes: int  # of the step that probabilities are of: shorter where readings are far apart
    first: int  # the first of the readings' days that were learned from
    days: int  # how many were
    span: tuple[str, str]  # their first and last date
    all_days: int  # of the readings
    left_out: tuple[str, ...]  # usable houses with too few readings on these days
    exporting: tuple[str, ...]  # houses whose meters run backwards at times, of which nothing is learned
    weekend_apart: bool  # whether the weekend has habits of its own
    periods: tuple[Period, ...]  # their names and starts; the matrices are the groups'
    all_houses: int  # of the readings
    which: Ints  # of the readings' houses were learned from
    houses: HouseFits  # what was fitted to each of them
    groups: tuple[LearnedGroup, ...]  # houses that live alike
    groups_shown: int  # by the readings: more of them predict other weeks no better
    counted: bool  # whether occupancy was given
    meaning: Meaning  # of occupied
    otherwise: float = 0.0  # of moments it would say otherwise of if a clock that seems wrong were moved

    @cached_property
    def verdicts(self) -> tuple[str, ...]:
        """On every house that was learned from."""
        return tuple(self.houses.verdict.tolist())

    @property
    def can_be_occupancy(self) -> Bools:
        """(n,): the houses whose states can mean that somebody is at home."""
        return np.isin(self.verdicts, OCCUPANCY)

    @property
    def taught(self) -> Ints:
        """(m,): the houses of all groups, by their positions among those that were learned from."""
        return np.sort(np.concatenate([np.zeros(0, dtype=np.intp), *(group.houses for group in self.groups)]))

    def begins_in(self, readings: Readings) -> int:
        """Return which of the days of some readings is the first that was learned from; below 0 where it is
        before them."""
        return int((np.datetime64(self.span[0]) - readings.first_day).astype(int))

    def tells_of(self, house: int) -> bool:
        """Whether anything is learned of one of the readings' houses."""
        return bool(self.can_be_occupancy[self.which == house].any())

    @property
    def names(self) -> tuple[str, ...]:
        """Of all periods, those of the weekend last."""
        days = tuple(part.name for part in self.periods)
        return days + tuple(f"{name}, weekend" for name in days) if self.weekend_apart else days

    def steps(self) -> tuple[int, ...]:
        """How many of the chain's steps each period lasts."""
        starts = [p.start for p in self.periods]
        ends = [*starts[1:], starts[0] + 24]
        return tuple(round((b - a) * 60 / self.chain_minutes) for a, b in zip(starts, ends, strict=True))

    def habits(self, group: LearnedGroup, leave: Floats, arrive: Floats) -> Habits:
        """As a scenario states them: the chance that it happens at some point during the period."""
        count = len(self.periods)
        return Habits(
            initial_occupied=group.at_midnight,
            periods=self._stated(leave[:count], arrive[:count]),
            weekend=self._stated(leave[count:], arrive[count:]) if self.weekend_apart else None,
        )

    def _stated(self, leave: Floats, arrive: Floats) -> tuple[Period, ...]:
        chances = [
            restated_probabilities(float(out), float(back), n)
            for out, back, n in zip(leave, arrive, self.steps(), strict=True)
        ]
        return tuple(
            Period(name=p.name, start=p.start, matrix=matrix(_written(out), _written(back)), basis="period")
            for p, (out, back) in zip(self.periods, chances, strict=True)
        )

    def models(self) -> tuple[OccupancyModel, ...]:
        """Θ: what was learned, and what it would have been on other weeks."""
        if not self.groups:
            raise ScenarioError("The readings", NO_TWO_STATES)
        first = OccupancyModel(
            name=LEARNED,
            habits=tuple(self.habits(g, g.leave.value, g.arrive.value) for g in self.groups),
        )
        others = [
            OccupancyModel(
                name=f"Other weeks {i + 1}",
                habits=tuple(self.habits(g, *g.bootstrap[i]) for g in self.groups),
            )
            for i in range(len(self.groups[0].bootstrap))
        ]
        return first, *others

    def scenario(
        self, base: Scenario, occupied_max: float, empty_max: float, names: Sequence[str] = ()
    ) -> Scenario:
        """The street with these habits; tariff, promise and seed are the base's, bounds as stated.

        With the names of the readings' houses it lists them, as far as a scenario takes their names, so that
        the file says who is in which group.
        """
        sizes = np.array([len(g.houses) for g in self.groups])
        groups = tuple(
            Group(
                name=g.name,
                share=float(share),
                occupied_max=occupied_max,
                empty_max=empty_max,
                occupied_min=occupied_max,
                empty_min=empty_max,
            )
            for g, share in zip(self.groups, sizes / sizes.sum(), strict=True)
        )
        street = base.replace(
            step_minutes=self._step(base),
            power_unit="kW",
            occupied_means=self.meaning,
            households=self.all_houses,
            houses=None,
            groups=groups,
            models=self.models(),
            assumed_model=None,
            habit_spread=0.0,
        )
        if not 0 < len(names) <= MAX_LISTED:
            return street
        group = self.group_of_houses()
        listed = [
            House(name=name, group=groups[g].name, occupied=occupied_max, empty=empty_max)
            for name, g in zip(valid_names(names), group.tolist(), strict=True)
        ]
        return edit.with_houses(street, listed)

    def group_of_houses(self) -> Ints:
        """(all houses,): the group of each; what was not learned from stands with the largest."""
        group = np.zeros(self.all_houses, dtype=np.intp)
        for g, own in enumerate(self.groups):
            group[self.which[own.houses]] = g
        return group

    def in_order(self, houses: Ints) -> "Learned":
        """The same of readings whose houses stand in another order."""
        return replace(self, which=np.argsort(houses)[self.which])

    def _step(self, base: Scenario) -> StepMinutes:
        """The readings' own step, where a scenario can have it and every period starts with one."""
        fits = all(p.starts_with_a_step(self.minutes) for p in self.periods)
        return next((step for step in STEP_MINUTES if step == self.minutes and fits), base.step_minutes)


def _written(chance: float) -> float:
    """In nine digits, and never certain: a scenario takes an exact 1 for what cannot be otherwise, and no
    reading says that."""
    return min(float(f"{chance:.9g}"), 1 - 1e-12)


def weekends(readings: Readings) -> Bools | None:
    """Return which of the readings' days are of a weekend, where there are enough to be learned apart."""
    return readings.weekend if readings.weekend.sum() >= WEEKEND_DAYS else None


GROUP_BINS = 16
_DIGITS, DECIMALS = 4, 5
LAW_CHOICES = {"as learned": True, "uniformly up to the bounds": False}


def with_laws(scenario: Scenario, learned: Learned) -> Scenario:
    """The street of the learned habits with its groups' learned laws of use."""
    laws = laws_by_group(learned)
    return scenario.replace(
        groups=tuple(group.replace(law=laws[group.name], yearly_kwh=None) for group in scenario.groups)
    )


def laws_by_group(learned: Learned) -> dict[str, Law]:
    return {group.name: law_of(learned, group) for group in learned.groups}


def law_of(learned: Learned, group: LearnedGroup) -> Law:
    """Of the houses of a group."""
    edges, mass = learned.houses.edges[group.houses], learned.houses.emission[:, group.houses]
    at = np.unique(edges)
    both = below(at, edges, mass).mean(axis=0)
    middle = np.interp(np.arange(1, GROUP_BINS) / GROUP_BINS, both, at)
    common = np.unique([0.0, *(_rounded(edge) for edge in middle.tolist()), _rounded_up(float(at[-1]))])
    reached = below(common, edges, mass)
    shares = np.diff(reached, axis=1)
    if reached[:, 0].any():  # a point mass at nothing used
        common, shares = np.concatenate([[0.0], common]), np.concatenate([reached[:, :1], shares], axis=1)
    return Law(edges=tuple(common.tolist()), empty=_adding_up(shares[0]), occupied=_adding_up(shares[1]))


def below(x: Floats, edges: Floats, mass: Floats) -> Floats:
    """(2, len(x)): the mean share of use of some houses that is at most x, empty and occupied."""
    total = np.zeros((2, len(x)))
    for low, high, own in zip(edges[:, :-1].T, edges[:, 1:].T, np.moveaxis(mass, 2, 0), strict=True):
        total += own @ share_below(x, low[:, None], (high - low)[:, None])
    return total / len(edges)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _rounded_up(value: float) -> float:
    """To so many digits, and never below what was read."""
    if value <= 0:
        return 1e-6
    unit = 10.0 ** (floor(log10(value)) + 1 - _DIGITS)
    return _rounded(ceil(value / unit - 1e-9) * unit)


def _adding_up(shares: Floats) -> tuple[float, ...]:
    """Rounded, none to 0 that is not 0, and with what is left over at the largest."""
    least = 10.0**-DECIMALS
    rounded = np.where(shares > 0, np.maximum(np.round(shares, DECIMALS), least), 0.0)
    largest = int(rounded.argmax())
    rounded[largest] = round(1 - float(np.delete(rounded, largest).sum()), DECIMALS)
    return tuple(rounded.tolist())


def learned_distributions(highest: Floats, learned: Learned) -> Histograms:
    """The learned histograms, cut at the bounds, with the learned means and variances.

    A house that was not learned from has a uniform histogram and the others' mean moments. `highest` (2, n)
    are the bounds, empty and occupied; a house that uses more while empty is cut there.
    """
    houses, has = learned.houses, learned.which
    edges, mass = uniform_histograms(highest, houses.edges.shape[1] - 1)
    edges[has] = np.minimum(houses.edges, highest[:, has].max(axis=0)[:, None])
    mass[:, has] = houses.emission
    own = np.stack([houses.mean, houses.variance])
    moments = np.repeat(own.mean(axis=-1, keepdims=True), highest.shape[1], axis=-1)
    moments[..., has] = own
    return Histograms(edges=edges, mass=mass, moments=(moments[0], moments[1]))

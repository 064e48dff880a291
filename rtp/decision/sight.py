"""What an observer gets right about a secret, over the scale of the noise.

Whatever is published, she sees demand plus Laplace noise: smoothing can be undone. So what she gets depends
on the noise's scale alone. It is computed for a house of each group over a grid of scales, in proportion to
the noise of the private rate at ε = 1, and every rate and ε is read from it. A rate whose noise follows the
day otherwise is taken where it is narrowest: she is never said to see less than she does.

Beside a crowd a score is not exact and asks for many repetitions. There a few of them show of which groups
less can be told than of another at every width at which much can be; the others have them all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rtp.attack.adversary import AdversaryKind
from rtp.core.stats import Range
from rtp.core.types import Floats
from rtp.core.workers import Progress
from rtp.decision.requirement import Secret
from rtp.leakage.area import final_areas, followed
from rtp.leakage.budget import noise_scale
from rtp.leakage.detection import WEEK
from rtp.leakage.exposed import FEWEST, candidates
from rtp.leakage.hypothesis import HYPOTHESES, WatchedDays, WatchedHouse, draw_readings, watch_house
from rtp.leakage.moment import moment_leakage
from rtp.leakage.overview import moment_question
from rtp.mechanisms import FEATURED, REGISTRY, Mechanism
from rtp.scenario import Scenario, ScenarioError
from rtp.simulation import Day, Market, draw_day, market, publish_day

if TYPE_CHECKING:
    from scipy.interpolate import PchipInterpolator

REPETITIONS = 600  # of either answer for a week; of what is shorter as many more as take the same time
EXACT_REPETITIONS = 200  # where the score is exact: they tell more than three times as many others
HORIZON: dict[Secret, int] = {"moment": 1, "day": 1, "week": WEEK}  # days
ROUGH = 150  # of a first look at all groups, where a score is not exact
MUCH = 0.7  # the area from which groups are compared: below, luck alone may hold them apart
DOUBLINGS = 13  # of the noise, either way: to the ends of what ε may be
SURE, GUESS = 0.998, 0.505  # areas beyond which more or less noise changes nothing that is shown
SAME = 0.002  # of an area without noise: less noise than leaves so little to gain is not looked at
NOTHING = Range(0.5, 0.5, 0.5)  # to be told


@dataclass(frozen=True, kw_only=True)
class Sight:
    """How well she tells the secret of the most exposed house of a group, by how wide the noise is."""

    group: str
    widths: Floats  # (W,) of the noise, beside that of the private rate at ε = 1; rising
    areas: Floats  # (3, W) with the ends of their intervals
    without_noise: Range
    leading: bool = True  # whether it may be the group that shows best

    def at(self, width: Floats) -> Floats:
        """The same at any widths, (3, …)."""
        where = np.log2(np.clip(width, *self.widths[[0, -1]]))
        if len(self.widths) == 1:
            return np.broadcast_to(self.areas.reshape(3, *[1] * where.ndim), (3, *where.shape))
        return np.asarray(self._between(where))

    @cached_property
    def _between(self) -> "PchipInterpolator":
        from scipy.interpolate import PchipInterpolator

        return PchipInterpolator(np.log2(self.widths), self.areas, axis=1)


@dataclass(frozen=True, kw_only=True)
class Watching:
    """A street for as many days as a secret lasts."""

    secret: Secret
    scenario: Scenario
    context: Market
    profile: Floats  # (T,) the scale of the private rate's noise at ε = 1, in the unit of consumption
    found: dict[tuple[AdversaryKind, int], WatchedHouse | None] = field(default_factory=dict)

    def width(self, mechanism: Mechanism, epsilons: Floats) -> Floats:
        """How wide that rate's noise is beside the private rate's at ε = 1, where it is narrowest, (E,)."""
        noisy = self.profile > 0
        scale = self.context.tariff.in_demand(mechanism.scale(self.context.at(epsilons)).scale)
        return np.asarray((scale[noisy] / self.profile[noisy, None]).min(axis=0, initial=np.inf))

    @cached_property
    def day(self) -> Day:
        """With the private rate published: where a moment tells most is looked for there."""
        return publish_day(self.scenario, self.context.street_day, [FEATURED])

    def question(self, house: int) -> WatchedHouse | None:
        """The house with both answers; None where its habits leave nothing open."""
        watched = watch_house(self.context, house, HYPOTHESES["holiday"])
        if self.secret != "moment":
            return watched
        return moment_question(watched, moment_leakage(self.day, FEATURED, house).step)

    def lives(self, house: WatchedHouse, observer: AdversaryKind, repetitions: int) -> "Lives":
        return self._lives(house, observer, repetitions * (WEEK // HORIZON[self.secret]))

    def _lives(self, house: WatchedHouse, observer: AdversaryKind, repetitions: int) -> "Lives":
        most = EXACT_REPETITIONS if is_exact(house, observer) else repetitions
        count = followed(house, [observer], min(repetitions, most))
        days = tuple(draw_readings(house, self.scenario.seed, count))
        return Lives(house=house, profile=self.profile[: house.steps], observer=observer, days=days)

    def most_exposed(self, observer: AdversaryKind, group: int) -> WatchedHouse | None:
        """The house of a group that she tells best; None where its habits leave nothing to be told."""
        if (observer, group) not in self.found:
            self.found[observer, group] = self._most_exposed(observer, group)
        return self.found[observer, group]

    def _most_exposed(self, observer: AdversaryKind, group: int) -> WatchedHouse | None:
        street = self.context.street_day.street
        members = np.flatnonzero(street.group == group)
        asked = [self.question(house) for house in candidates(street, members, float(self.profile.max()))]
        houses = [watched for watched in asked if watched is not None]
        if not houses:
            return None
        on_few = houses[0].neighbours is not None  # an insider takes far less time there, and is exact, too
        who: AdversaryKind = "insider" if on_few else observer
        days = [house.until(house.steps_per_day) for house in houses if len(houses) > 1]
        # They are much alike: which of them it is matters little, and shows in a day.
        areas = [self._lives(day, who, FEWEST).area(1.0).value for day in days]
        return houses[int(np.argmax(areas)) if areas else 0]


def is_exact(house: WatchedHouse, observer: AdversaryKind) -> bool:
    """Whether a score is exactly the log-likelihood ratio."""
    return observer == "insider" or house.neighbours is not None


@dataclass(frozen=True, kw_only=True)
class Lives:
    """A house with both answers, lived many times before an observer: the same days for every width of the
    noise."""

    house: WatchedHouse
    profile: Floats  # (T,) as in `Watching`
    observer: AdversaryKind
    days: tuple[WatchedDays, ...]

    def area(self, width: float) -> Range:
        """How well she tells where the noise is so wide."""
        count = self.days[0].used.shape[-1]
        (area,) = final_areas(self.house, width * self.profile, [self.observer], self.days, count)
        return area


def watch(street: Scenario, secret: Secret) -> Watching:
    """The street for as many days as the secret lasts."""
    longer = street.replace(days=HORIZON[secret])
    context = market(longer, draw_day(longer))
    profile = noise_scale(context, REGISTRY[FEATURED], 1.0)
    return Watching(secret=secret, scenario=longer, context=context, profile=profile)


def sights(
    watching: Watching,
    observer: AdversaryKind,
    groups: Sequence[int],
    progress: Progress | None = None,
    repetitions: int = REPETITIONS,
) -> list[Sight]:
    """What she gets right about each of these groups that has houses."""
    present = [g for g in groups if (watching.context.street_day.street.group == g).any()]
    if not present:
        raise ScenarioError("group", "has no house on this street; name one that has.")
    if progress is not None:
        progress(0.0)
    leading = _leading(watching, observer, present) if repetitions > ROUGH else {}
    found = []
    for at, group in enumerate(present, start=1):
        found.append(leading.get(group) or sight(watching, observer, group, repetitions))
        if progress is not None:
            progress(at / len(present))
    return found


def _leading(watching: Watching, observer: AdversaryKind, groups: Sequence[int]) -> dict[int, Sight]:
    """What few repetitions show of the groups of which clearly less can be told than of another."""
    houses = [watching.most_exposed(observer, group) for group in groups]
    if len(groups) == 1 or any(house is None or is_exact(house, observer) for house in houses):
        return {}
    first = [sight(watching, observer, group, ROUGH) for group in groups]
    widths = np.unique(np.concatenate([each.widths for each in first]))
    value, low, high = np.array([each.at(widths) for each in first]).transpose(1, 0, 2)
    shows = value.max(axis=0) >= MUCH
    best = np.take_along_axis(low, value.argmax(axis=0)[None], axis=0)[0]
    behind = (high < best)[:, shows].all(axis=1)
    return {
        group: replace(each, leading=False)
        for group, each, less in zip(groups, first, behind.tolist(), strict=True)
        if less and shows.any()
    }


def sight(watching: Watching, observer: AdversaryKind, group: int, repetitions: int) -> Sight:
    """What she gets right about the most exposed house of a group."""
    name = watching.scenario.groups[group].name
    watched = watching.most_exposed(observer, group)
    if watched is None:
        one = np.full((3, 1), 0.5)
        return Sight(group=name, widths=np.ones(1), areas=one, without_noise=NOTHING)
    house = watching.lives(watched, observer, repetitions)
    found, without_noise = {0: house.area(1.0)}, house.area(0.0)
    sure = min(SURE, without_noise.value - SAME)
    for way in (1, -1):  # more noise, then less, until it makes no difference
        for at in range(way, way * (DOUBLINGS + 1), way):
            seen = found[at - way].value
            if seen <= GUESS if way > 0 else seen >= sure:
                break
            found[at] = house.area(2.0**at)
    order = sorted(found)
    return Sight(
        group=name,
        widths=2.0 ** np.array(order, dtype=float),
        areas=np.array([found[at] for at in order]).T,
        without_noise=without_noise,
    )

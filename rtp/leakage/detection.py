"""Are they on holiday? How well the rates of some days tell a hypothesis from ordinary days, and which ε
hides it.

The score is the log-likelihood ratio of `observer`; how well it tells is in `area`. Households that respond
to prices use less, so full use, taken here, is the worst case.

More budget, less noise, a larger area, and all budgets see the same days, crowd and unit noise, so the area
moves with ε alone and one bisection on ln ε finds where it passes a target.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING, get_args

import numpy as np

from rtp.attack.adversary import KNOWLEDGE_OF, AdversaryKind
from rtp.core.stats import Estimate, Range
from rtp.core.types import Floats
from rtp.core.workers import Progress
from rtp.leakage.area import final_areas, followed, roc_estimates
from rtp.leakage.budget import noise_scale
from rtp.leakage.exposed import most_exposed
from rtp.leakage.hypothesis import HYPOTHESES, WatchedHouse, draw_readings, watch_house
from rtp.leakage.observer import observer_of
from rtp.mechanisms import REGISTRY, private
from rtp.scenario import BOUNDS, Bounds, Scenario, must_be_house, must_be_one_of, must_be_within
from rtp.simulation import Market, draw_day, market
from rtp.street.simulate import StreetDay

if TYPE_CHECKING:
    import pandas as pd

HORIZONS = (1, 2, 3, 7, 14, 30)  # days after which it is told how well she does
WEEK = 7
DAYS = Bounds(1, HORIZONS[-1], "Days watched")
REPETITIONS = Bounds(40, 20_000, "Simulated houses")
USUAL_REPETITIONS = 1000  # of either way to live

LOW, HIGH, _ = BOUNDS["epsilon"]
AREA = Bounds(0.501, 0.999, "Area to stay below")
BUDGET_REPETITIONS = 400  # at each budget
HALVINGS = 11  # of the range of ln ε: to one per cent of ε


@dataclass(frozen=True, kw_only=True)
class Detection:
    """How well one observer detects the hypothesis in one mechanism's rates, after each horizon; (H,)."""

    days: tuple[int, ...]
    area: Estimate
    hits: Estimate  # at 5 % false alarms


@dataclass(frozen=True, kw_only=True)
class Detections:
    """What has been watched so far."""

    hypothesis: str
    house: int
    repetitions: int
    done: int  # days watched so far
    by_rate: Mapping[tuple[str, AdversaryKind], Detection]  # by mechanism and adversary


@dataclass(frozen=True, kw_only=True)
class DetectionBudget:
    """The largest budget per step that keeps the area below a target."""

    epsilon: float | None  # None: even the smallest allowed budget shows more; 0: it looks at no data
    area: float  # at that budget
    interval: tuple[float, float]  # of the area, 95 %


def detect(
    scenario: Scenario,
    mechanism: str,
    hypothesis: str,
    days: int,
    adversary: AdversaryKind,
    *,
    house: int | None = None,
    repetitions: int = USUAL_REPETITIONS,
    progress: Progress | None = None,
) -> Detection:
    """Return how well one observer of one mechanism does. `progress` is given the fraction done and may raise
    to stop."""
    must_be_one_of("adversary", adversary, get_args(AdversaryKind))
    daily = detect_daily(
        scenario, hypothesis, days, mechanisms=[mechanism], house=house, repetitions=repetitions,
        adversaries=(adversary,),
    )  # fmt: skip
    for result in daily:
        if progress is not None:
            progress(result.done / days)
    return result.by_rate[mechanism, adversary]


def detect_daily(
    scenario: Scenario,
    hypothesis: str,
    days: int,
    *,
    mechanisms: Sequence[str] | None = None,
    adversaries: Sequence[AdversaryKind] = get_args(AdversaryKind),
    house: int | None = None,
    repetitions: int = USUAL_REPETITIONS,
    street_day: StreetDay | None = None,
) -> Iterator[Detections]:
    """Return how well every observer of every mechanism does, day by day: who stops keeps what there is."""
    _check(scenario, hypothesis, days, house, repetitions)
    names = list(REGISTRY) if mechanisms is None else list(mechanisms)
    for name in names:
        must_be_one_of("mechanism", name, REGISTRY)
    context, number, watched = watch_street(scenario, hypothesis, days, house, street_day)
    repetitions = followed(watched, adversaries, repetitions)
    scales = {name: noise_scale(context, REGISTRY[name], scenario.epsilon) for name in names}
    return (
        Detections(hypothesis=hypothesis, house=number, repetitions=repetitions, done=day, by_rate=by_rate)
        for day, by_rate in _watch(watched, scales, adversaries, scenario.seed, repetitions)
    )


def watch_street(
    scenario: Scenario, hypothesis: str, days: int, house: int | None, street_day: StreetDay | None = None
) -> tuple[Market, int, WatchedHouse]:
    """Return so many days of the street, and a house of it, without one the most exposed, with its secret."""
    longer = scenario.replace(days=days)
    context = market(longer, street_day or draw_day(longer))
    number = most_exposed(context, scenario.epsilon, scenario.seed) if house is None else house
    return context, number, watch_house(context, number, HYPOTHESES[hypothesis])


def _check(scenario: Scenario, hypothesis: str, days: int, house: int | None, repetitions: int) -> None:
    must_be_one_of("hypothesis", hypothesis, HYPOTHESES)
    must_be_within("days", days, DAYS)
    must_be_within("repetitions", repetitions, REPETITIONS)
    must_be_house("house", house, scenario.households)


def _watch(
    house: WatchedHouse,
    scales: Mapping[str, Floats],
    adversaries: Sequence[AdversaryKind],
    seed: int,
    count: int,
) -> Iterator[tuple[int, dict[tuple[str, AdversaryKind], Detection]]]:
    """Return, after each day, its number and what has been detected; equal noise shows the same."""
    distinct = {b.tobytes(): b for b in scales.values()}
    observers = {
        (key, adversary): observer_of(house, b, adversary, count)
        for key, b in distinct.items()
        for adversary in adversaries
    }
    curves: dict[tuple[bytes, AdversaryKind], list[tuple[Estimate, Estimate]]] = {
        key: [] for key in observers
    }
    horizons: list[int] = []
    for day, seen in enumerate(draw_readings(house, seed, count), start=1):
        scores = {key: observer.watch(seen) for key, observer in observers.items()}
        if day in HORIZONS or day * house.steps_per_day >= house.steps:
            horizons.append(day)
            for key, score in scores.items():
                curves[key].append(roc_estimates(score, exact=observers[key].exact))
        yield (
            day,
            {
                (name, adversary): _detection(horizons, curves[b.tobytes(), adversary])
                for name, b in scales.items()
                for adversary in adversaries
            },
        )


def _detection(days: Sequence[int], estimates: Sequence[tuple[Estimate, Estimate]]) -> Detection:
    area, hits = (
        Estimate(
            **{
                end: np.array([getattr(pair[k], end) for pair in estimates])
                for end in ("value", "low", "high")
            }
        )
        for k in (0, 1)
    )
    return Detection(days=tuple(days), area=area, hits=hits)


def detection_frame(detections: Detections) -> "pd.DataFrame":
    """Return one row per rate, observer and horizon."""
    import pandas as pd

    return pd.DataFrame(
        [
            {"rate": name, "knows": KNOWLEDGE_OF[adversary], "days": days}
            | {"area": seen.area.value[i], "area_low": seen.area.low[i], "area_high": seen.area.high[i]}
            | {"hits": seen.hits.value[i], "hits_low": seen.hits.low[i], "hits_high": seen.hits.high[i]}
            for (name, adversary), seen in detections.by_rate.items()
            for i, days in enumerate(seen.days)
        ]
    )


def epsilon_for_detection(
    scenario: Scenario,
    mechanism: str,
    hypothesis: str,
    area: float,
    adversary: AdversaryKind,
    *,
    days: int = WEEK,
    house: int | None = None,
    repetitions: int = BUDGET_REPETITIONS,
    progress: Progress | None = None,
) -> DetectionBudget:
    """Return the largest budget that keeps the area below a target. `progress` is given the fraction done and
    may raise to stop."""
    must_be_one_of("mechanism", mechanism, private())
    must_be_within("area", area, AREA)
    _check(scenario, hypothesis, days, house, repetitions)
    if not REGISTRY[mechanism].reads_demand:
        return DetectionBudget(epsilon=0.0, area=0.5, interval=(0.5, 0.5))
    context, _, watched = watch_street(scenario, hypothesis, days, house)
    repetitions = followed(watched, [adversary], repetitions)
    tried = 0

    def area_at(epsilon: float) -> Range:
        nonlocal tried
        b = noise_scale(context, REGISTRY[mechanism], epsilon)
        days = draw_readings(watched, scenario.seed, repetitions)
        (area,) = final_areas(watched, b, [adversary], days, repetitions)
        tried += 1
        if progress is not None:
            progress(tried / (HALVINGS + 2))
        return area

    epsilon, reached = _largest_below(area_at, area)
    return DetectionBudget(epsilon=epsilon, area=reached.value, interval=(reached.low, reached.high))


def _largest_below(area_at: Callable[[float], Range], area: float) -> tuple[float | None, Range]:
    """Return the largest allowed budget whose area stays below, and that area; None where every one's is
    larger."""
    kept = area_at(LOW)
    if kept.value > area:
        return None, kept
    if (largest := area_at(HIGH)).value <= area:
        return HIGH, largest
    low, high = log(LOW), log(HIGH)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        now = area_at(exp(middle))
        low, high, kept = (middle, high, now) if now.value <= area else (low, middle, kept)
    return exp(low), kept

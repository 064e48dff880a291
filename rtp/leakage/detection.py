"""Are they on holiday? How well the rates of some days tell a hypothesis from ordinary days, and which ε
hides it.

The score is the log-likelihood ratio of `observer`, the best there is but for an outsider in a normal crowd.
How well it tells is the area under the ROC curve, ½ for guessing, and the hits at few false alarms. A score ℓ
that is exact is also the chance 1/(1 + e^{−ℓ}) that its days had the secret: it counts as so much of a secret
and as the rest of an ordinary life, whichever it was drawn as, which has the same expectation and far less
scatter (Rao and Blackwell). Repetitions are counted in batches; the intervals come from leaving out one batch
at a time. Households that respond to prices use less,
so full use, taken here, is the worst case.

More budget, less noise, a larger area, and all budgets see the same days, crowd and unit noise, so the area
moves with ε alone and one bisection on ln ε finds where it passes a target.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING, get_args

import numpy as np

from rtp.attack.adversary import KNOWLEDGE_OF, AdversaryKind, largest_gap
from rtp.attack.scores import FALSE_ALARMS, auc, roc_curve
from rtp.core.parallel import Progress
from rtp.core.stats import Estimate, Range, jackknife
from rtp.core.types import Floats
from rtp.leakage.budget import noise_scale
from rtp.leakage.hypothesis import HYPOTHESES, WatchedDays, WatchedHouse, draw_readings, watch_house
from rtp.leakage.observer import observer_of
from rtp.mechanisms import REGISTRY, private
from rtp.probability.markov import MAX_LOG_ODDS
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
BATCHES = 20
MAX_FALSE_ALARMS = 0.05
QUANTILES = 400  # of all scores, by which they are counted

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
    scales = {name: noise_scale(context, REGISTRY[name], scenario.epsilon) for name in names}
    return (
        Detections(hypothesis=hypothesis, house=number, repetitions=repetitions, done=day, by_rate=by_rate)
        for day, by_rate in _watch(watched, scales, adversaries, scenario.seed, repetitions)
    )


def watch_street(
    scenario: Scenario, hypothesis: str, days: int, house: int | None, street_day: StreetDay | None = None
) -> tuple[Market, int, WatchedHouse]:
    """Return so many days of the street, and a house of it, without one the most visible, with its secret."""
    longer = scenario.replace(days=days)
    context = market(longer, street_day or draw_day(longer))
    number = largest_gap(context.street_day.street) if house is None else house
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


def final_areas(
    house: WatchedHouse,
    b: Floats,
    adversaries: Sequence[AdversaryKind],
    days: Iterable[WatchedDays],
    count: int,
    progress: Progress | None = None,
) -> list[Range]:
    """Return each adversary's area after all days of so many repetitions. `progress` is given the fraction of
    the days and may raise to stop."""
    observers = [observer_of(house, b, adversary, count) for adversary in adversaries]
    for seen in days:
        scores = [observer.watch(seen) for observer in observers]
        if progress is not None:
            progress(observers[0].step / house.steps)
    return [roc_area(score, exact=who.exact) for score, who in zip(scores, observers, strict=True)]


def roc_estimates(scores: Floats, *, exact: bool = False) -> tuple[Estimate, Estimate]:
    """Return (area, hits at 5 % false alarms) of scores (2, R), ordinary days first; `exact` where they are
    the log-likelihood ratios of how the days were drawn."""
    counts = _batch_counts(scores, exact)
    return jackknife(counts, auc, 0, 1), jackknife(counts, _hits, 0, 1)


def roc_area(scores: Floats, *, exact: bool = False) -> Range:
    """Return the area alone."""
    area = jackknife(_batch_counts(scores, exact), auc, 0, 1)
    return Range(float(area.value), float(area.low), float(area.high))


def _batch_counts(scores: Floats, exact: bool) -> Floats:
    """Return how many scores of each batch fall between which quantiles of all, (B, 2, bins)."""
    levels = np.linspace(0, 1, QUANTILES + 1)[1:-1]
    edges = np.unique(np.quantile(scores, levels, method="nearest"))
    bins = np.searchsorted(edges, scores, side="left")
    batch = np.arange(scores.shape[1]) % BATCHES
    cell = 2 * batch * (len(edges) + 1) + bins  # of the ordinary days of its batch
    drawn = np.broadcast_to(np.array([[0.0], [1.0]]), scores.shape)
    secret = 1 / (1 + np.exp(-np.clip(scores, -MAX_LOG_ODDS, MAX_LOG_ODDS))) if exact else drawn
    size = 2 * BATCHES * (len(edges) + 1)
    counts = np.bincount(cell.ravel(), (1 - secret).ravel(), size)
    counts += np.bincount((cell + len(edges) + 1).ravel(), secret.ravel(), size)
    return np.asarray(counts.reshape(BATCHES, 2, len(edges) + 1))


def _hits(counts: Floats) -> float:
    return float(np.interp(MAX_FALSE_ALARMS, FALSE_ALARMS, roc_curve(counts)))


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

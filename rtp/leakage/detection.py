"""A stretch of days: are they on holiday? How well the rates of k days tell a secret from an ordinary life.

The score is the likelihood ratio of `observer`, the best there is for the insider; how well it tells is
`detection`'s. Households that respond to prices use less, so full use, taken here, is the worst case.

How well scores tell a secret from an ordinary life: areas under the ROC curve, hits at few false alarms.

Repetitions are counted in batches; the intervals come from leaving out one batch at a time. An area of ½ is
guessing.

The budget that hides a stretch: at which ε the area under an observer's curve stays below a target.

More budget, less noise, a larger area, and all budgets see the same lives, crowd and unit noise, so the area
moves with ε alone and one bisection on ln ε finds where it passes the target.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING, get_args

import numpy as np

from rtp.attack.adversary import KNOWLEDGE_OF, AdversaryKind, largest_gap
from rtp.attack.scores import FALSE_ALARMS, auc, roc_curve
from rtp.core.stats import Estimate, jackknife
from rtp.core.types import Floats
from rtp.leakage.hypothesis import HYPOTHESES, Shared, watched_house, width
from rtp.leakage.observer import Observer
from rtp.mechanisms import REGISTRY, private
from rtp.scenario import BOUNDS, Bounds, Scenario, must_be_house, must_be_one_of, must_be_within
from rtp.simulation import Market, live, market
from rtp.street.simulate import Progress, StreetDay

if TYPE_CHECKING:
    import pandas as pd


BATCHES = 20
FEW_ALARMS = 0.05
LEVELS = 400  # quantiles of all scores by which they are counted


@dataclass(frozen=True, kw_only=True)
class Detection:
    """How well one observer tells the secret from one mechanism's rates, after each horizon; (H,)."""

    days: tuple[int, ...]
    area: Estimate
    hits: Estimate  # at 5 % false alarms


def detection(days: Sequence[int], pairs: Sequence[tuple[Estimate, Estimate]]) -> Detection:
    area, hits = (
        Estimate(
            **{end: np.array([getattr(pair[k], end) for pair in pairs]) for end in ("value", "low", "high")}
        )
        for k in (0, 1)
    )
    return Detection(days=tuple(days), area=area, hits=hits)


def judge(scores: Floats) -> tuple[Estimate, Estimate]:
    """(area, hits at 5 % false alarms) of scores (2, R), ordinary lives first."""
    levels = np.linspace(0, 1, LEVELS + 1)[1:-1]
    edges = np.unique(np.quantile(scores, levels, method="nearest"))
    bins = np.searchsorted(edges, scores, side="left")
    batch = np.arange(scores.shape[1]) % BATCHES
    cell = (2 * batch + np.array([[0], [1]])) * (len(edges) + 1) + bins
    shape = BATCHES, 2, len(edges) + 1
    counts = np.bincount(cell.ravel(), minlength=BATCHES * 2 * (len(edges) + 1)).reshape(shape).astype(float)
    return jackknife(counts, auc, 0, 1), jackknife(counts, _hits, 0, 1)


def _hits(counts: Floats) -> float:
    return float(np.interp(FEW_ALARMS, FALSE_ALARMS, roc_curve(counts)))


HORIZONS = (1, 2, 3, 7, 14, 30)  # days after which it is told how well she does
DAYS = Bounds(1, HORIZONS[-1], "Days watched")
REPETITIONS = Bounds(40, 20_000, "Lives watched")
USUAL = 1000  # repetitions of either life


@dataclass(frozen=True, kw_only=True)
class Detections:
    """What has been watched so far."""

    secret: str
    house: int
    repetitions: int
    done: int  # days watched so far
    found: Mapping[tuple[str, AdversaryKind], Detection]  # by mechanism and adversary


def detect(
    scenario: Scenario,
    mechanism: str,
    secret: str,
    days: int,
    attacker: AdversaryKind,
    *,
    house: int | None = None,
    repetitions: int = USUAL,
    life: StreetDay | None = None,
    progress: Progress | None = None,
) -> Detection:
    """One observer of one mechanism. `progress` is told the fraction done and may raise to stop."""
    must_be_one_of("attacker", attacker, get_args(AdversaryKind))
    steps = detect_daily(
        scenario, secret, days, mechanisms=[mechanism], house=house, repetitions=repetitions,
        attackers=(attacker,), life=life,
    )  # fmt: skip
    for result in steps:
        if progress is not None:
            progress(result.done / days)
    return result.found[mechanism, attacker]


def detect_daily(
    scenario: Scenario,
    secret: str,
    days: int,
    *,
    mechanisms: Sequence[str] | None = None,
    attackers: Sequence[AdversaryKind] = get_args(AdversaryKind),
    house: int | None = None,
    repetitions: int = USUAL,
    life: StreetDay | None = None,
) -> Iterator[Detections]:
    """Every mechanism and observer, day by day: whoever stops keeps what there is; `life` has the days."""
    must_be_one_of("secret", secret, HYPOTHESES)
    must_be_within("days", days, DAYS)
    must_be_within("repetitions", repetitions, REPETITIONS)
    must_be_house("house", house, scenario.households)
    names = list(REGISTRY) if mechanisms is None else list(mechanisms)
    for name in names:
        must_be_one_of("mechanism", name, REGISTRY)
    longer = scenario.replace(days=days)
    known = market(longer, life or live(longer))
    number = largest_gap(known.life.street) if house is None else house
    watched = watched_house(known, number, HYPOTHESES[secret])
    widths = {name: width(known, REGISTRY[name], scenario.epsilon) for name in names}
    shared = Shared(watched, scenario.seed, repetitions)
    return _stretches(shared, widths, list(attackers), secret, number)


def detection_frame(found: Detections) -> "pd.DataFrame":
    """One row per rate, observer and horizon."""
    import pandas as pd

    return pd.DataFrame(
        [
            {"rate": name, "knows": KNOWLEDGE_OF[adversary], "days": days}
            | {"area": seen.area.value[i], "area_low": seen.area.low[i], "area_high": seen.area.high[i]}
            | {"hits": seen.hits.value[i], "hits_low": seen.hits.low[i], "hits_high": seen.hits.high[i]}
            for (name, adversary), seen in found.found.items()
            for i, days in enumerate(seen.days)
        ]
    )


def _stretches(
    shared: Shared, widths: Mapping[str, Floats], attackers: list[AdversaryKind], secret: str, number: int
) -> Iterator[Detections]:
    unlike = {b.tobytes(): b for b in widths.values()}  # mechanisms with the same noise show the same
    observers = {
        (key, adversary): Observer(shared.house, b, adversary, shared.count)
        for key, b in unlike.items()
        for adversary in attackers
    }
    found: dict[tuple[bytes, AdversaryKind], list[tuple[Estimate, Estimate]]] = {key: [] for key in observers}
    done: list[int] = []
    first = 0
    for day, seen in enumerate(shared.days(), start=1):
        horizon = day in HORIZONS or first + len(seen.used) == shared.house.steps
        done += [day] if horizon else []
        for key, observer in observers.items():
            score = observer.watch(seen, first)
            if horizon:
                found[key].append(judge(score))
        first += len(seen.used)
        yield Detections(
            secret=secret,
            house=number,
            repetitions=shared.count,
            done=day,
            found={
                (name, adversary): detection(done, found[b.tobytes(), adversary])
                for name, b in widths.items()
                for adversary in attackers
            },
        )


LOW, HIGH, _ = BOUNDS["epsilon"]
AREA = Bounds(0.501, 0.999, "Area to stay below")
WEEK = 7
FEW = 400  # lives watched at each budget
TRIES = 11  # halvings of the range of ln ε: to one per cent of ε


@dataclass(frozen=True, kw_only=True)
class DetectionBudget:
    """The largest budget per step that keeps the area below a target."""

    mechanism: str
    epsilon: float | None  # None: even the smallest allowed budget shows more; 0: it looks at no data
    area: float  # at that budget


def epsilon_for_detection(
    scenario: Scenario,
    mechanism: str,
    secret: str,
    area: float,
    attacker: AdversaryKind,
    *,
    days: int = WEEK,
    house: int | None = None,
    repetitions: int = FEW,
    life: StreetDay | None = None,
    progress: Progress | None = None,
) -> DetectionBudget:
    """`life`, where given, is of so many days; `progress` is told the fraction done and may raise to stop."""
    must_be_one_of("mechanism", mechanism, private())
    must_be_one_of("secret", secret, HYPOTHESES)
    must_be_within("area", area, AREA)
    must_be_within("days", days, DAYS)
    must_be_within("repetitions", repetitions, REPETITIONS)
    must_be_house("house", house, scenario.households)
    longer = scenario.replace(days=days)
    known = market(longer, life or live(longer))
    number = largest_gap(known.life.street) if house is None else house
    shared = Shared(watched_house(known, number, HYPOTHESES[secret]), scenario.seed, repetitions)
    if not REGISTRY[mechanism].reads_demand:
        return DetectionBudget(mechanism=mechanism, epsilon=0.0, area=0.5)
    areas = _Areas(known, shared, mechanism, attacker, progress)
    epsilon, found = _largest_below(areas.at, area)
    return DetectionBudget(mechanism=mechanism, epsilon=epsilon, area=found)


@dataclass
class _Areas:
    """The areas that were asked for, and how many."""

    known: Market
    shared: Shared
    mechanism: str
    attacker: AdversaryKind
    progress: Progress | None
    tried: int = 0

    def at(self, epsilon: float) -> float:
        area = area_after(self.known, self.shared, self.mechanism, self.attacker, epsilon)
        self.tried += 1
        if self.progress is not None:
            self.progress(self.tried / (TRIES + 2))
        return area


def _largest_below(area_at: Callable[[float], float], area: float) -> tuple[float | None, float]:
    """The largest allowed budget whose area stays below, and that area; None where every one's is larger."""
    kept = area_at(LOW)
    if kept > area:
        return None, kept
    if (largest := area_at(HIGH)) <= area:
        return HIGH, largest
    low, high = log(LOW), log(HIGH)
    for _ in range(TRIES):
        middle = (low + high) / 2
        now = area_at(exp(middle))
        low, high, kept = (middle, high, now) if now <= area else (low, middle, kept)
    return exp(low), kept


def area_after(
    known: Market, shared: Shared, mechanism: str, attacker: AdversaryKind, epsilon: float
) -> float:
    """The area after all days at one budget."""
    b = width(known, REGISTRY[mechanism], epsilon)
    observer = Observer(shared.house, b, attacker, shared.count)
    first = 0
    for seen in shared.days():
        score = observer.watch(seen, first)
        first += len(seen.used)
    return float(judge(score)[0].value)

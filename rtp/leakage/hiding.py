"""The budget that hides a stretch: at which ε the area under an observer's curve stays below a target.

More budget, less noise, a larger area, and all budgets see the same lives, crowd and unit noise, so the area
moves with ε alone and one bisection on ln ε finds where it passes the target.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log

from rtp.attack.choice import largest_gap
from rtp.attack.observer import Knowledge
from rtp.leakage.detection import judge
from rtp.leakage.observer import Observer
from rtp.leakage.secret import SECRETS
from rtp.leakage.shared import Shared, watched_house, width
from rtp.leakage.stretch import DAYS, REPETITIONS
from rtp.mechanisms import REGISTRY, private
from rtp.scenario import BOUNDS, Bounds, Scenario, must_be_house, must_be_one_of, must_be_within
from rtp.simulation import Market, live, market
from rtp.street.life import Life, Progress

LOW, HIGH, _ = BOUNDS["epsilon"]
AREA = Bounds(0.501, 0.999, "Area to stay below")
WEEK = 7
FEW = 400  # lives watched at each budget
TRIES = 11  # halvings of the range of ln ε: to one per cent of ε


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """The largest budget per step that keeps the area below a target."""

    mechanism: str
    epsilon: float | None  # None: even the smallest allowed budget shows more; 0: it looks at no data
    area: float  # at that budget


def epsilon_for_stretch(
    scenario: Scenario,
    mechanism: str,
    secret: str,
    area: float,
    attacker: Knowledge,
    *,
    days: int = WEEK,
    house: int | None = None,
    repetitions: int = FEW,
    life: Life | None = None,
    progress: Progress | None = None,
) -> Hidden:
    """`life`, where given, is of so many days; `progress` is told the fraction done and may raise to stop."""
    must_be_one_of("mechanism", mechanism, private())
    must_be_one_of("secret", secret, SECRETS)
    must_be_within("area", area, AREA)
    must_be_within("days", days, DAYS)
    must_be_within("repetitions", repetitions, REPETITIONS)
    must_be_house("house", house, scenario.households)
    longer = scenario.replace(days=days)
    known = market(longer, life or live(longer))
    number = largest_gap(known.life.street) if house is None else house
    shared = Shared(watched_house(known, number, SECRETS[secret]), scenario.seed, repetitions)
    if not REGISTRY[mechanism].reads_demand:
        return Hidden(mechanism=mechanism, epsilon=0.0, area=0.5)
    areas = _Areas(known, shared, mechanism, attacker, progress)
    epsilon, found = _largest_below(areas.at, area)
    return Hidden(mechanism=mechanism, epsilon=epsilon, area=found)


@dataclass
class _Areas:
    """The areas that were asked for, and how many."""

    known: Market
    shared: Shared
    mechanism: str
    attacker: Knowledge
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


def area_after(known: Market, shared: Shared, mechanism: str, attacker: Knowledge, epsilon: float) -> float:
    """The area after all days at one budget."""
    b = width(known, REGISTRY[mechanism], epsilon)
    observer = Observer(shared.house, b, attacker, shared.count)
    first = 0
    for seen in shared.days():
        score = observer.watch(seen, first)
        first += len(seen.used)
    return float(judge(score)[0].value)

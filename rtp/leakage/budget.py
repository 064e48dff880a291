"""The budget that keeps every moment within a leak, and what it costs.

More budget, less noise, more leak: for one house the root is found on the logarithm of ε. Over all houses:
solve for the one that leaks most, look who still leaks more at that budget, solve for the worst of those,
until nobody does. Households that respond to prices use less, so full use, taken here, is the worst case.

What a leak costs: error against the leak of a moment, where Trade-off draws it against ε.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rtp.core.types import Floats
from rtp.leakage.moment import Houses, Part, losses_at, parts_of, worst_model
from rtp.mechanisms import REGISTRY, Mechanism, private
from rtp.roots import root
from rtp.scenario import BOUNDS, Scenario, must_be_one_of, must_be_positive
from rtp.simulation import Market, live, market
from rtp.street.simulate import Progress, StreetDay
from rtp.tradeoff.expected import expected, scales

LOW, HIGH, _ = BOUNDS["epsilon"]
PRECISION = 1e-12  # of ln ε


@dataclass(frozen=True, kw_only=True)
class MomentBudget:
    """The largest budget per step at which no moment of any house leaks more than was asked for."""

    mechanism: str
    epsilon: float | None  # None: even the smallest budget leaks more; 0: it looks at no data
    leak: float  # the worst moment's, at that budget
    house: int  # whose it is; −1 where nobody loses anything
    rmsre: float  # the expected error that it costs


def epsilon_for_moment(
    scenario: Scenario, mechanism: str, leak: float, *, life: StreetDay | None = None
) -> MomentBudget:
    """The budget that keeps every moment within a leak, whole record and full use."""
    must_be_one_of("mechanism", mechanism, private())
    must_be_positive("leak", leak)
    street = _Street(market(scenario, life or live(scenario)), mechanism)
    if not REGISTRY[mechanism].reads_demand:
        return street.answer(0.0)
    if street.leaks(LOW).max() > leak:
        return street.answer(None)
    epsilon = HIGH
    while True:
        found = street.leaks(epsilon)
        if found.max() <= leak * (1 + 1e-9):
            return street.answer(epsilon)
        epsilon = _root(street, int(found.argmax()), leak, epsilon)


def worst_moments(known: Market, mechanism: Mechanism, epsilon: float, street: Iterable[Part]) -> Floats:
    """(n,): each house's worst moment at a budget, whole record and full use, under the worst model."""
    scale = mechanism.scale(known.at(epsilon)).scale
    b = scale / known.tariff.alpha if mechanism.reads_demand else np.full_like(scale, np.inf)
    worst = []
    for part in street:
        found = worst_model(part, losses_at(b, known.life.street, part.houses))
        worst.append(found.shift(found.whole.max(axis=0)))
    return np.concatenate(worst)


def _root(street: "_Street", house: int, target: float, too_much: float) -> float:
    """The budget at which one house leaks just so much."""
    only = street.only(house)

    def excess(log_epsilon: float) -> float:
        return float(np.log(street.leaks(float(np.exp(log_epsilon)), only)[0] / target))

    low, high = float(np.log(LOW)), float(np.log(too_much))
    return float(np.exp(root(excess, low, high, absolute=PRECISION, relative=0.0)))


class _Street:
    """One lived street under one mechanism."""

    def __init__(self, known: Market, mechanism: str) -> None:
        self.known, self.mechanism = known, REGISTRY[mechanism]
        self.houses = Houses(known.life)

    def only(self, house: int) -> Iterable[Part]:
        return list(parts_of(self.known.life, np.array([house])))

    def leaks(self, epsilon: float, some: Iterable[Part] | None = None) -> Floats:
        """(n,): each house's worst moment, of some or of all, under the worst model."""
        return worst_moments(self.known, self.mechanism, epsilon, some or self.houses)

    def answer(self, epsilon: float | None) -> MomentBudget:
        at = epsilon or LOW
        found = self.leaks(at)
        scale = scales(self.known, [self.mechanism], [at])[self.mechanism.name]
        return MomentBudget(
            mechanism=self.mechanism.name,
            epsilon=epsilon,
            leak=float(found.max()),
            house=int(found.argmax()) if found.max() > 0 else -1,
            rmsre=float(expected(self.known, self.mechanism, scale)[0]),
        )


BUDGETS = np.geomspace(0.01, 10.0, 13)
MANY = 5_000  # houses × days from which it is not drawn while one waits


@dataclass(frozen=True, kw_only=True)
class MomentLine:
    """One mechanism over the budgets, both (E,)."""

    leak: Floats  # of the worst moment of any house, by the whole record
    rmsre: Floats  # expected


@dataclass(frozen=True, kw_only=True)
class MomentPrice:
    epsilons: Floats  # (E,)
    lines: Mapping[str, MomentLine]


def price_of_a_moment(
    scenario: Scenario,
    epsilons: Sequence[float] | Floats,
    *,
    life: StreetDay | None = None,
    progress: Progress | None = None,
) -> MomentPrice:
    """The leak and the error of every mechanism that promises something, at every budget."""
    known = market(scenario, life or live(scenario))
    budgets, houses = np.asarray(epsilons, dtype=float), Houses(known.life)
    names = private()
    by_name = scales(known, [REGISTRY[name] for name in names], budgets)
    leaks: dict[object, Floats] = {}  # those that share a noise leak alike
    lines = {}
    for i, name in enumerate(names):
        mechanism = REGISTRY[name]
        key = (mechanism.scale, mechanism.reads_demand)
        if key not in leaks:
            leaks[key] = np.array([worst_moments(known, mechanism, e, houses).max() for e in budgets])
        lines[name] = MomentLine(leak=leaks[key], rmsre=expected(known, mechanism, by_name[name]))
        if progress is not None:
            progress((i + 1) / len(names))
    return MomentPrice(epsilons=budgets, lines=lines)


def joined(one: MomentPrice, other: MomentPrice) -> MomentPrice:
    """Both of the same day as one, from the smallest budget to the largest, each budget once."""
    epsilons, first = np.unique(np.concatenate([one.epsilons, other.epsilons]), return_index=True)
    lines = {
        name: MomentLine(
            leak=np.concatenate([line.leak, other.lines[name].leak])[first],
            rmsre=np.concatenate([line.rmsre, other.lines[name].rmsre])[first],
        )
        for name, line in one.lines.items()
    }
    return MomentPrice(epsilons=epsilons, lines=lines)

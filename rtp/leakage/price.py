"""What a leak costs: error against the leak of a moment, where Trade-off draws it against ε."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rtp.core.types import Floats
from rtp.leakage.chain import Houses
from rtp.leakage.target import worst_moments
from rtp.mechanisms import REGISTRY, private
from rtp.scenario import Scenario
from rtp.simulation import live, market
from rtp.street.life import Life, Progress
from rtp.tradeoff.expected import expected, scales

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
    life: Life | None = None,
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
        key = (mechanism.noise, mechanism.reads_demand)
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

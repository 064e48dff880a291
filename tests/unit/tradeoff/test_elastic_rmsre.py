"""Noisy rates that move demand: their distribution on nodes, by a slow twin and by refinement."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.core.types import Floats
from rtp.scenario import BOUNDS
from rtp.simulation import draw_day, market
from rtp.tariff import Tariff
from rtp.tradeoff import expected
from rtp.tradeoff.expected import elastic_rmsre

pytestmark = pytest.mark.slow

HIGHEST = BOUNDS["elasticity"].high
STREETS = {
    "elastic": PRESETS["elastic demand"],
    "clipped": Scenario(households=40, beta=1.0, elasticity=3.0, clip_at_zero=True),
    "tiny": Scenario(households=5, beta=1.0, elasticity=HIGHEST),
}


def all_pairs(tariff: Tariff, base: Floats, scale: Floats) -> float:
    """The same distribution for one budget, (T,), from every node to every other one, by the definition."""
    top = max(
        tariff.optimal(base).max() + expected.SCALES_BEYOND * scale.max(), tariff.reference * expected.APART
    )
    nodes = np.geomspace(tariff.reference, top, expected.RATE_NODES)
    weight = np.eye(expected.RATE_NODES)[0]
    total = 0.0
    for use, b in zip(base, scale, strict=True):
        rate = tariff.optimal(tariff.response(nodes) * use)
        squared = np.full_like(rate, 2 * b**2)
        if tariff.clip_at_zero and b:
            squared -= b * (rate + b) * np.exp(-rate / b)
        total += float(weight @ (squared / rate**2))
        ahead = nodes - rate[:, None]
        below = weight @ (np.maximum(ahead, 0) + (b / 2 * np.exp(-np.abs(ahead) / b) if b else 0.0))
        slope = np.concatenate([[0.0], np.diff(below) / np.diff(nodes), [1.0]])
        weight = np.maximum(np.diff(slope), 0.0)
    return float(np.sqrt(total / len(base)))


@pytest.mark.parametrize("name", STREETS)
def test_many_budgets_at_once_are_each_by_the_definition(name: str) -> None:
    """Noise that changes with the time of day and is missing at some steps too.

    A probability's rounding, 1e-16, is divided by gaps of a few thousandths of a scale, at 96 steps.
    """
    known = market(STREETS[name], draw_day(STREETS[name]))
    base = known.street_day.demand
    hour = np.linspace(0, 2 * np.pi, len(base))[:, None]
    scale = np.geomspace(1e-3, 1e3, 7) * np.maximum(0.5 + np.sin(hour), 0.0)
    slow = [all_pairs(known.tariff, base, column) for column in scale.T]
    np.testing.assert_allclose(elastic_rmsre(known.tariff, base[:, None], np.ones(1), scale), slow, rtol=1e-9)

"""Noisy rates that move demand: the law on nodes, by a slow twin and by refinement; widths between knots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Scenario
from rtp.core.types import Floats
from rtp.scenario import BOUNDS
from rtp.simulation import live, market
from rtp.tariff import Tariff
from rtp.tradeoff import chain
from rtp.tradeoff.chain import chain_rmsre, elastic_rmsre
from rtp.tradeoff.knots import knots_around
from tests.help.hourly import HOURLY

HIGHEST = BOUNDS["elasticity"].high
STREETS = {
    "elastic": PRESETS["elastic demand"],
    "clipped": Scenario(households=40, beta=1.0, elasticity=3.0, clip_at_zero=True),
    "tiny": Scenario(households=5, beta=1.0, elasticity=HIGHEST),
}


def all_pairs(tariff: Tariff, base: Floats, scale: Floats) -> float:
    """The same law for one budget, (T,), from every node to every other one, as the definition says."""
    top = max(tariff.optimal(base).max() + chain.TAIL * scale.max(), tariff.reference * chain.APART)
    nodes = np.geomspace(tariff.reference, top, chain.NODES)
    law = np.eye(chain.NODES)[0]
    total = 0.0
    for use, b in zip(base, scale, strict=True):
        rate = tariff.optimal(tariff.response(nodes) * use)
        squared = np.full_like(rate, 2 * b**2)
        if tariff.clip_at_zero and b:
            squared -= b * (rate + b) * np.exp(-rate / b)
        total += float(law @ (squared / rate**2))
        ahead = nodes - rate[:, None]
        below = law @ (np.maximum(ahead, 0) + (b / 2 * np.exp(-np.abs(ahead) / b) if b else 0.0))
        slope = np.concatenate([[0.0], np.diff(below) / np.diff(nodes), [1.0]])
        law = np.maximum(np.diff(slope), 0.0)
    return float(np.sqrt(total)) / len(base)


@pytest.mark.parametrize("name", STREETS)
def test_a_step_along_the_nodes_is_one_from_every_node_to_every_other(name: str) -> None:
    """Noise that changes with the time of day and is missing at some steps too.

    A law's rounding, 1e-16, is divided by gaps of a few thousandths of a scale, and there are 96 steps.
    """
    known = market(STREETS[name], live(STREETS[name]))
    base = known.life.demand
    hour = np.linspace(0, 2 * np.pi, len(base))[:, None]
    scale = np.geomspace(1e-3, 1e3, 7) * np.maximum(0.5 + np.sin(hour), 0.0)
    slow = [all_pairs(known.tariff, base, column) for column in scale.T]
    np.testing.assert_allclose(chain_rmsre(known.tariff, base, scale), slow, rtol=1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("elasticity", "accuracy"),
    [
        (PRESETS["elastic demand"].elasticity, {1e4: 5e-4, 1e3: 2e-4, 100.0: 1e-5, 10.0: 1e-5}),
        (HIGHEST, dict.fromkeys((1e4, 1e3, 10.0), 5e-4)),
    ],
)
def test_the_law_does_not_depend_on_its_nodes(
    elasticity: float, accuracy: dict[float, float], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Noise wider than a cell: its error falls with the square of the number of nodes, which tells what it
    is, to the accuracy NODES states.

    Twice the nodes divide a second-order error by 4, a first-order one by 2, a third-order one by 8: the
    ratio must be nearer to 4 than to those, in logarithms. Then what is left after 4n nodes is a third of the
    last change (Richardson).
    """
    scenario = PRESETS["elastic demand"].replace(elasticity=elasticity, seed=seed)
    known = market(scenario, live(scenario))
    scale = np.tile(list(accuracy), (scenario.steps, 1))
    errors = []
    for nodes in (chain.NODES, 2 * chain.NODES, 4 * chain.NODES):
        monkeypatch.setattr(chain, "NODES", nodes)
        errors.append(chain_rmsre(known.tariff, known.life.demand, scale))
    first, last = np.diff(errors, axis=0)
    assert np.all((2 * np.sqrt(2) < first / last) & (first / last < 4 * np.sqrt(2)))
    limit = errors[2] + last / 3
    assert np.all(np.abs(errors[0] / limit - 1) < list(accuracy.values()))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("elasticity", [PRESETS["elastic demand"].elasticity, HIGHEST])
def test_narrow_noise_follows_the_day_without_noise(elasticity: float, seed: int) -> None:
    """Noise much narrower than a cell, h of ln y: the law should be a point and is split between two nodes.

    Where that is next to the reference, the response bends there, by the elasticity, and its mean over two
    points h apart is off by h/4 of the bend at most. So is each rate, and RMSRE.
    """
    scenario = PRESETS["elastic demand"].replace(elasticity=elasticity, seed=seed)
    known = market(scenario, live(scenario))
    tariff, base, b = known.tariff, known.life.demand, 1e-4
    rates, response = [], 1.0
    for use in base.tolist():
        rates.append(tariff.rate(response * use))
        response = tariff.response(rates[-1])
    plain = np.sqrt(np.sum(2 * (b / np.array(rates)) ** 2)) / len(rates)
    cell = np.log(tariff.optimal(base).max() / tariff.reference) / (chain.NODES - 1)
    found = chain_rmsre(tariff, base, np.full((len(base), 1), b))
    np.testing.assert_allclose(found, plain, rtol=elasticity * cell / 4)


@pytest.mark.parametrize("name", HOURLY)
def test_a_width_between_two_knots_is_that_of_the_whole_computation(name: str) -> None:
    """Half-way between knots, where interpolation is worst; on every preset, at the highest elasticity."""
    half_way = 10 ** ((np.arange(-32, 33, 5) + 0.5) / chain.PER_DECADE)
    scenario = HOURLY[name].replace(households=min(PRESETS[name].households, 1000))
    life = live(scenario)
    for elasticity in {PRESETS[name].elasticity or HIGHEST, HIGHEST}:
        known = market(scenario.replace(elasticity=elasticity), life)
        scale = np.tile(half_way, (scenario.steps, 1))
        between, whole = (rmsre(known.tariff, life.demand, scale) for rmsre in (elastic_rmsre, chain_rmsre))
        np.testing.assert_allclose(between, whole, rtol=chain.INTERPOLATED)


def test_noise_that_changes_is_worked_out_beside_noise_that_does_not() -> None:
    known = market(STREETS["tiny"], live(STREETS["tiny"]))
    tariff, base = known.tariff, known.life.demand
    scale = np.ones((len(base), 3)) * [0.3, 0.0, 2.0]
    scale[40:, 2] = 1.0
    found = elastic_rmsre(tariff, base, scale)
    assert found[0] == elastic_rmsre(tariff, base, scale[:, :1])[0]
    np.testing.assert_array_equal(found[1:], chain_rmsre(tariff, base, scale[:, 1:]))


@given(
    st.lists(st.floats(-50, 50), min_size=1, max_size=8),
    st.sampled_from([4, 6]),
    st.lists(st.floats(-1, 1), min_size=4, max_size=4),
)
def test_knots_give_back_a_cubic_and_each_place_depends_on_itself_alone(
    places: list[float], points: int, terms: list[float]
) -> None:
    """Rounding: weights are below 1.3 in size and sum to 1; values are below 50³·4."""
    at = np.array(places)
    knots = knots_around(at, points)
    values = np.asarray(np.polyval(terms, knots.at), dtype=float)
    together = knots.between(np.stack([values, -values]))
    np.testing.assert_allclose(together, np.polyval(terms, at) * np.array([[1], [-1]]), atol=1e-9)
    assert len(knots.at) <= points * len(set(np.floor(at)))
    for place, value in zip(at, together[0], strict=True):
        alone = knots_around(np.array([place]), points)
        assert alone.between(np.asarray(np.polyval(terms, alone.at), dtype=float))[0] == value


def test_on_a_knot_no_other_one_is_asked_for() -> None:
    assert knots_around(np.array([3.0, -2.0]), 6).at.tolist() == [-2.0, 3.0]

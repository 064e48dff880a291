"""The exact outsider: against her slow obvious twin, and never weaker than the one in a normal crowd."""

from itertools import product

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import Group, Scenario
from rtp.attack.joint_filter import mixed_log_density
from rtp.core.types import Floats
from rtp.leakage.area import final_areas, roc_area
from rtp.leakage.budget import noise_scale
from rtp.leakage.exposed import candidates, most_exposed
from rtp.leakage.hypothesis import HYPOTHESES, WatchedHouse, draw_readings, watch_house
from rtp.leakage.joint_observer import JointObserver, together
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.probability.joint_use import joint_use
from rtp.probability.markov import Chains
from rtp.scenario import Law
from rtp.simulation import Market, draw_day, market
from tests.help.few import few

LAW = Law(edges=(0.0, 0.05, 0.7, 1.0), empty=(0.8, 0.2, 0.0), occupied=(0.0, 0.3, 0.7))
POINTS = Law(edges=(0.1, 0.1, 0.5, 1.0), empty=(0.6, 0.4, 0.0), occupied=(0.0, 0.5, 0.5))
FINE = 0.002  # of the twin's grid


def street(sizes: list[float], law: Law | None, seed: int = 0, households: int = 0) -> Market:
    """A group for every size, to which its law is stretched; a house of each unless there are more."""
    groups = tuple(
        Group(
            name=str(k),
            share=1 / len(sizes),
            occupied_min=size,
            occupied_max=size,
            empty_max=0.3 * size,
            law=law and law.replace(edges=tuple(edge * size for edge in law.edges)),
        )
        for k, size in enumerate(sizes)
    )
    plain = Scenario(households=households or len(sizes), step_minutes=60, seed=seed)
    model = plain.models[0]
    scenario = plain.replace(
        groups=groups, models=(model.replace(habits=model.habits * len(sizes)),), assumed_model=None
    )
    return market(scenario, draw_day(scenario))


def slow_masses(house: WatchedHouse, state: tuple[int, ...]) -> Floats:
    """Of what all use together: every house's use on a fine grid, convolved."""
    assert house.neighbours is not None
    masses = np.ones(1)
    houses = together(house.use, house.neighbours.use)
    for edges, mass in zip(houses.edges, houses.mass[np.array(state), np.arange(len(state))], strict=True):
        at = (np.arange(round(edges[-1] / FINE) + 1) + 0.5) * FINE
        own = np.zeros(len(at))
        for low, high, share in zip(edges, edges[1:], mass, strict=False):
            inside = (at > low) & (at <= high) if high > low else np.abs(at - low - FINE / 2) < FINE / 2
            own[inside] += share / max(inside.sum(), 1)
        masses = np.convolve(masses, own)
    return masses


def slow_density(total: float, b: float, masses: Floats) -> float:
    """Of what three houses use plus Lap(b)."""
    use = (np.arange(len(masses)) + 3 / 2) * FINE
    return float(masses @ np.exp(-np.abs(total - use) / b) / (2 * b))


def slow_log_likelihood(house: WatchedHouse, own: Chains, totals: Floats, b: Floats) -> float:
    """The forward recursion on all joint states, one step and one state at a time."""
    assert house.neighbours is not None
    chains, states = [own, *[house.neighbours.chains] * 2], list(product((0, 1), repeat=3))
    column, masses = [0, 0, 1], {s: slow_masses(house, s) for s in states}
    start = [chain.initial[c] for chain, c in zip(chains, column, strict=True)]
    prior = {s: np.prod([p if k else 1 - p for p, k in zip(start, s, strict=True)]) for s in states}
    total = 0.0
    for t, (x, scale) in enumerate(zip(totals.tolist(), b.tolist(), strict=True)):
        joint = {s: prior[s] * slow_density(x, scale, masses[s]) for s in states}
        total += np.log(sum(joint.values()))
        norm = sum(joint.values())
        if t + 1 < len(totals):
            moves = [
                np.array([[1 - arrive, arrive], [leave, 1 - leave]])
                for chain, c in zip(chains, column, strict=True)
                for leave, arrive in [(chain.leave[chain.row[t], c], chain.arrive[chain.row[t], c])]
            ]
            prior = {
                to: sum(
                    joint[s] / norm * np.prod([m[i, j] for m, i, j in zip(moves, s, to, strict=True)])
                    for s in states
                )
                for to in states
            }
    return float(total)


@pytest.mark.parametrize("law", few([LAW, None, POINTS], LAW))
def test_she_scores_as_the_full_recursion_with_convolved_densities(law: Law | None) -> None:
    house = watch_house(street([1.0, 0.4, 0.7], law), 0, HYPOTHESES["working hours"]).until(4)
    assert house.neighbours is not None
    b = np.array([0.3, 0.05, 0.1, 1.0])
    (seen,) = draw_readings(house, 1, 2)
    scores = JointObserver(house, house.neighbours, b, 2).watch(seen)
    rest = house.neighbours.expected_use[:, None, None]
    totals = seen.used + seen.crowd + rest + b[:, None, None] * seen.noise
    for truth, r in product((0, 1), (0, 1)):
        ordinary, secret = (slow_log_likelihood(house, own, totals[:, truth, r], b) for own in house.chains)
        assert scores[truth, r] == pytest.approx(secret - ordinary, abs=0.01)


@pytest.mark.parametrize("b", [0.0, 0.004, 0.3, 20.0])
def test_on_the_grid_a_density_is_the_mixture_of_uniforms(b: float) -> None:
    """Within what the grid widens it, and far outside, where it is no proof."""
    house = watch_house(street([1.0, 0.4, 0.7], LAW), 0, HYPOTHESES["holiday"])
    assert house.neighbours is not None
    houses = together(house.use, house.neighbours.use)
    x = np.array([-9.0, 0.31, 0.77, 1.13, 1.9, 30.0])
    found, exact = (
        joint_use(houses).log_density(x, np.full(6, b)),
        mixed_log_density(x, np.full(6, b), houses),
    )
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(exact))
    near = np.isfinite(exact) & (exact > exact.max(axis=1, keepdims=True) - 7)
    np.testing.assert_allclose(found[near], exact[near], atol=0.01)
    if b > 0:
        np.testing.assert_allclose(found[[0, 5]], exact[[0, 5]], rtol=1e-3, atol=0.01)


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(s, marks=pytest.mark.long) for s in range(2, 50))]
)
def test_she_is_never_weaker_than_in_a_normal_crowd(seed: int) -> None:
    """On random streets of 2 to 10 houses, from 0.1 to 10 kW, by more than the two intervals."""
    rng = default_rng(seed)
    houses = int(rng.integers(2, 11))
    sizes = np.exp(rng.uniform(np.log(0.1), np.log(10), min(houses, 8))).tolist()
    known = street(sizes, [LAW, POINTS, None][seed % 3], seed, houses)
    house = watch_house(known, int(rng.integers(houses)), HYPOTHESES["holiday"])
    b, count = noise_scale(known, REGISTRY[FEATURED], float(10 ** rng.uniform(-1, 2))), 200
    days = tuple(draw_readings(house, seed, count))
    assert house.neighbours is not None
    (normal,) = final_areas(house, b, ["outsider"], days, count, approximate=True)
    scores = JointObserver(house, house.neighbours, b, count).watch(days[0])
    drawn, exact = roc_area(scores), roc_area(scores, exact=True)
    reach = drawn.high - drawn.value
    assert drawn.value >= normal.value - reach - 1e-3
    assert abs(exact.value - drawn.value) <= 2 * reach + 0.01  # what was drawn plays no part
    (insider,) = final_areas(house, b, ["insider"], days, count)
    assert insider.high >= exact.low - 0.005


def test_the_most_exposed_house_has_the_largest_area() -> None:
    """Not always the largest gap: of two with the same, the one whose use scatters less."""
    known = street([1.0, 1.3, 0.9, 0.5], None)
    among = candidates(known.street_day.street, np.arange(4), 0.1)
    b, areas = noise_scale(known, REGISTRY[FEATURED], 1.0), {}
    for house in among:
        watched = watch_house(known, house, HYPOTHESES["holiday"])
        (areas[house],) = final_areas(watched, b, ["insider"], draw_readings(watched, 5, 800), 800)
    best = areas[most_exposed(known, 1.0, 0)]
    assert best.high >= max(area.value for area in areas.values())

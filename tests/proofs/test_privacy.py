"""The privacy inequality, exactly: |ln Pr[r̂ | M]/Pr[r̂ | M']| ≤ ε for all Blowfish neighbours, and no slack.

One checker (`worst_log_ratio`) passes the mechanisms and must catch bugs planted in them.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from numpy.random import default_rng

from rtp import Group, Habits, OccupancyModel, Scenario
from rtp.algorithm1 import all_states, neighbours
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY, NoiseScale, Public
from rtp.probability.laplace_uniform import density
from rtp.scenario import BOUNDS, PAPER_PERIODS, period
from rtp.simulation import draw_day, market
from tests.help import oracles
from tests.help.few import few
from tests.help.strategies import scenarios

EPSILONS = (0.1, 0.5, 1.0, 5.0)
EXACT, TIGHT = 1e-9, 1e-6  # ≤ ε up to rounding of the densities; = ε in the tail

TAIL = 30.0  # how many scales beyond the support the grid reaches; e⁻³⁰ is far from underflow
INSIDE = 150

Noisemaker = Callable[[Public], NoiseScale]


def worst_log_ratio(
    neighbours: Iterable[tuple[int, int, int]],
    *,
    occupied_bound: Floats,
    empty_bound: Floats,
    alpha: float,
    beta: float,
    scale: float,
    point_masses: bool = False,
) -> float:
    """sup over rates of |ln Pr[r̂ | M] − ln Pr[r̂ | M']| over pairs (M, M', the house they differ in).

    Consumption is uniform up to the bound of the state, or, with point masses, the house in question uses
    exactly its larger bound in one state and nothing in the other: all that Algorithm 1 assumes is the bound.
    No noise at all tells neighbours apart for sure.
    """
    pairs = list(neighbours)
    if not pairs:
        return 0.0
    if scale == 0:
        return np.inf
    b, total = scale / alpha, np.maximum(occupied_bound, empty_bound).sum()
    inside = np.linspace(0, total, INSIDE)
    beyond = np.linspace(0, TAIL * b, INSIDE // 3)[1:]
    rates = alpha * np.concatenate([-beyond, inside, total + beyond]) + beta
    demand = (rates - beta) / alpha
    states = all_states(len(occupied_bound))
    widths = [np.where(state, occupied_bound, empty_bound) for state in states]
    if not point_masses:
        used = sorted({state for first, second, _ in pairs for state in (first, second)})
        log = {state: np.log(density(demand, widths[state], b)) for state in used}
        return max(float(np.abs(log[first] - log[second]).max()) for first, second, _ in pairs)
    worst = 0.0
    for first, _, house in pairs:
        others = np.delete(widths[first], house)
        bound = max(occupied_bound[house], empty_bound[house])
        one, other = (np.log(density(demand - at, others, b)) for at in (0.0, bound))
        worst = max(worst, float(np.abs(one - other).max()))
    return worst


@cache
def street(seed: int, epsilon: float) -> tuple[Scenario, Public]:
    """Five houses, each its own group with random bounds; some are certain for parts of the day."""
    rng = default_rng(seed)
    houses = int(rng.integers(2, 6))
    groups = tuple(
        Group(
            name=f"House {i}", share=1 / houses, occupied_max=rng.uniform(0.2, 3), empty_max=rng.uniform(0, 2)
        )
        for i in range(houses)
    )
    strict = tuple(
        period(p.name, p.start, leave=float(rng.integers(2)), arrive=float(rng.integers(2)))
        for p in PAPER_PERIODS
    )
    habits = tuple(
        Habits(
            initial_occupied=rng.choice([0.0, 0.5]), periods=strict if rng.random() < 0.5 else PAPER_PERIODS
        )
        for _ in range(houses - 1)
    )
    scenario = Scenario(
        households=houses,
        epsilon=epsilon,
        alpha=float(rng.uniform(1.5, 4.0)),
        beta=5.0,
        groups=groups,
        models=(OccupancyModel(habits=(*habits, Habits())),),
        seed=seed,
    )
    return scenario, market(scenario, draw_day(scenario)).public


def protected_sets(public: Public) -> list[tuple[int, np.ndarray]]:
    """(a step, which houses are uncertain) for every different set of the day that is not empty."""
    sets = public.support_classes.both_states_possible[0][:, public.support_classes.of_house]
    first = np.sort(np.unique(sets, axis=0, return_index=True)[1])
    return [(int(step), sets[step]) for step in first if sets[step].any()]


def worst_over_the_day(
    scenario: Scenario, public: Public, noise: NoiseScale, *, point_masses: bool = False
) -> list[float]:
    """The worst log-ratio at one step of each different protected set; certain houses are where they must."""
    initial, period_of, leave, arrive = oracles.chances(scenario, public.street, 0)
    states = np.indices((2,) * scenario.households).reshape(scenario.households, -1).T
    told = []
    for step, uncertain in protected_sets(public):
        occupied = initial
        for p in period_of[:step]:
            occupied = occupied * (1 - np.diagonal(leave[p])) + (1 - occupied) * np.diagonal(arrive[p])
        certain = ~uncertain
        assert np.isin(occupied[certain], (0.0, 1.0)).all()
        told.append(
            worst_log_ratio(
                neighbours((states[:, certain] == occupied[certain]).all(axis=1)),
                occupied_bound=public.street.occupied_bound,
                empty_bound=public.street.empty_bound,
                alpha=public.tariff.alpha,
                beta=public.tariff.beta,
                scale=float(noise.scale[step, 0]),
                point_masses=point_masses,
            )
        )
    return told


def is_kept(scenario: Scenario, public: Public, noise: NoiseScale, *, point_masses: bool) -> bool:
    return (
        max(worst_over_the_day(scenario, public, noise, point_masses=point_masses))
        <= scenario.epsilon + EXACT
    )


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("seed", few(range(6), 0, 1))
def test_calibrated_keeps_the_promise_and_not_a_bit_more(seed: int, epsilon: float) -> None:
    scenario, public = street(seed, epsilon)
    for worst in worst_over_the_day(scenario, public, REGISTRY["calibrated"].scale(public)):
        assert worst <= epsilon + EXACT
        assert worst == pytest.approx(epsilon, abs=TIGHT)


@pytest.mark.long
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("seed", range(6))
def test_blowfish_keeps_the_promise_whatever_consumption_is_within_its_bound(
    seed: int, epsilon: float
) -> None:
    scenario, public = street(seed, epsilon)
    noise = REGISTRY["blowfish"].scale(public)
    assert is_kept(scenario, public, noise, point_masses=False)
    for worst in worst_over_the_day(scenario, public, noise, point_masses=True):
        assert worst <= epsilon + EXACT
        assert worst == pytest.approx(epsilon, abs=TIGHT)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_naive_keeps_the_promise_with_bounds_at_the_nominal_one(epsilon: float) -> None:
    scenario, public = street(1, epsilon)
    noise = REGISTRY["naive"].scale(public)
    assert is_kept(scenario, public, noise, point_masses=False)
    assert is_kept(scenario, public, noise, point_masses=True)


@pytest.mark.slow
@given(scenarios(max_households=3, max_models=1))
def test_promise_on_random_streets(scenario: Scenario) -> None:
    public = market(scenario, draw_day(scenario)).public
    assume(protected_sets(public))
    assert is_kept(scenario, public, REGISTRY["blowfish"].scale(public), point_masses=True)
    assert is_kept(scenario, public, REGISTRY["calibrated"].scale(public), point_masses=False)


@pytest.mark.parametrize("epsilon", [BOUNDS["epsilon"].low, BOUNDS["epsilon"].high])
def test_calibrated_is_exact_at_the_ends_of_the_budget(epsilon: float) -> None:
    """In the tail, where the ratio is worst, it is |ln m(u₁/b) − ln m(u₀/b)|: no density can underflow."""
    _, public = street(2, epsilon)
    noise = REGISTRY["calibrated"].scale(public)
    for step, houses in protected_sets(public):
        b = noise.scale[step, 0] / public.tariff.alpha
        y1, y0 = public.street.occupied_bound[houses] / b, public.street.empty_bound[houses] / b
        loss = np.abs((y1 + np.log(-np.expm1(-y1) / y1)) - (y0 + np.log(-np.expm1(-y0) / y0)))
        assert loss.max() == pytest.approx(epsilon, rel=1e-9)


def _too_small(make: Noisemaker) -> Noisemaker:
    def noise(public: Public) -> NoiseScale:
        honest = make(public)
        return replace(honest, scale=0.95 * honest.scale)

    return noise


def _min_for_max(make: Noisemaker) -> Noisemaker:
    """The smallest scale that any protected house asks for."""

    def noise(public: Public) -> NoiseScale:
        asks = np.array([make(_only(public, k)).scale for k in range(len(public.support_classes.members))])
        return replace(make(public), scale=np.where(asks > 0, asks, np.inf).min(axis=0))

    return noise


def _alpha_dropped(make: Noisemaker) -> Noisemaker:
    return lambda public: make(replace(public, tariff=replace(public.tariff, alpha=1.0)))


def _kappa_too_small(make: Noisemaker) -> Noisemaker:
    """The house that sets the noise is left out of κ."""

    def noise(public: Public) -> NoiseScale:
        setter = make(public).noise_setting_house[:, 0]
        uncertain = public.support_classes.both_states_possible.copy()
        for step, house in enumerate(setter):
            if house >= 0:
                uncertain[:, step, public.support_classes.of_house[house]] = False
        return make(
            replace(public, support_classes=replace(public.support_classes, both_states_possible=uncertain))
        )

    return noise


def _only(public: Public, kind: int) -> Public:
    """The same street with only one kind of house in κ."""
    uncertain = np.zeros_like(public.support_classes.both_states_possible)
    uncertain[..., kind] = public.support_classes.both_states_possible[..., kind]
    return replace(public, support_classes=replace(public.support_classes, both_states_possible=uncertain))


@pytest.mark.slow
@pytest.mark.parametrize("bug", [_too_small, _min_for_max, _alpha_dropped, _kappa_too_small])
@pytest.mark.parametrize(("mechanism", "point_masses"), [("blowfish", True), ("calibrated", False)])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_planted_bugs_are_caught(
    bug: Callable[[Noisemaker], Noisemaker], mechanism: str, point_masses: bool, epsilon: float
) -> None:
    scenario, public = street(0, epsilon)
    make = REGISTRY[mechanism].scale
    assert is_kept(scenario, public, make(public), point_masses=point_masses)
    assert not is_kept(scenario, public, bug(make)(public), point_masses=point_masses)


def test_uniform_consumption_alone_would_hide_a_scale_40_percent_too_small() -> None:
    """Why Blowfish is also checked with point masses."""
    scenario, public = street(0, 0.5)
    honest = REGISTRY["blowfish"].scale(public)
    shrunk = replace(honest, scale=0.6 * honest.scale)
    assert is_kept(scenario, public, shrunk, point_masses=False)
    assert not is_kept(scenario, public, shrunk, point_masses=True)


def test_post_processing_costs_nothing_because_filtered_uses_the_noise_of_calibrated() -> None:
    assert REGISTRY["filtered"].scale is REGISTRY["calibrated"].scale

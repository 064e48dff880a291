"""Slow twins, written differently from what they check: exact densities, state paths, house by house."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import factorial, prod

import mpmath
import numpy as np
from numpy.random import Generator

from rtp.core.time import STEPS_PER_DAY
from rtp.core.types import Floats, Ints
from rtp.scenario import Scenario
from rtp.simulation import street_spec
from rtp.street.draw import Street

DIGITS = 120


def density(x: float, widths: Sequence[float], b: float) -> mpmath.mpf:
    """Σ U(0, widthᵢ) + Lap(b) at x: inclusion–exclusion of the n-fold integral of Laplace's density.

    That integral is e^{y/b}·b^{n−1}/2 below 0; above, it is the falling branch integrated n times plus the
    polynomial that makes all derivatives meet at 0.
    """
    with mpmath.workdps(DIGITS):
        a = [mpmath.mpf(float(w)) for w in widths if w > 0]
        n, scale, at = len(a), mpmath.mpf(float(b)), mpmath.mpf(float(x))
        polynomial = [_coefficient(j, n, scale) for j in reversed(range(n))]
        total = mpmath.mpf(0)
        for chosen in product((0, 1), repeat=n):
            shifted = at - mpmath.fsum(w for w, c in zip(a, chosen, strict=True) if c)
            total += (-1) ** sum(chosen) * _integrated(shifted, polynomial, scale)
        return total / mpmath.fprod(a)


def _integrated(y: mpmath.mpf, polynomial: list[mpmath.mpf], b: mpmath.mpf) -> mpmath.mpf:
    n = len(polynomial)
    if y < 0:
        return mpmath.exp(y / b) * b ** (n - 1) / 2
    falling = (-b) ** n * mpmath.exp(-y / b) / (2 * b)
    return falling + mpmath.polyval(polynomial, y)


def _coefficient(j: int, k: int, b: mpmath.mpf) -> mpmath.mpf:
    """Of y^j in that polynomial for the k-fold integral."""
    return (b ** (k - j - 1) / 2 - (-b) ** (k - j) / (2 * b)) / mpmath.factorial(j)


def density_of_sum(x: float | Fraction, ranges: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """Of independent uniforms on ranges, at x: inclusion–exclusion in fractions."""
    widths = [high - low for low, high in ranges]
    above, n, total = Fraction(x) - sum(low for low, _ in ranges), len(ranges), Fraction(0)
    for left_out in product((0, 1), repeat=n):
        rest = above - sum(w for w, out in zip(widths, left_out, strict=True) if out)
        if rest > 0:
            total += (-1) ** sum(left_out) * rest ** (n - 1)
    return total / (factorial(n - 1) * prod(widths))


def chances(scenario: Scenario, street: Street, model: int) -> tuple[Floats, Ints, Floats, Floats]:
    """(initial (N,), period (96, N), leave (4, N), arrive (4, N)) of every house under one model."""
    n = scenario.households
    initial, period = np.empty(n), np.empty((STEPS_PER_DAY, n), dtype=np.intp)
    leave, arrive = np.empty((4, n)), np.empty((4, n))
    spec = street_spec(scenario)
    for block in spec.blocks:
        schedule = spec.schedules[model][block.group]
        initial[block.houses], period[:, block.houses] = schedule.initial, schedule.period[:, None]
        leave[:, block.houses], arrive[:, block.houses] = spec.transition_probabilities(street, model, block)
    return initial, period, leave, arrive


def matrices(scenario: Scenario, street: Street, model: int) -> Floats:
    """(T, N, 2, 2): every house's own transition matrix at every step."""
    _, period, leave, arrive = chances(scenario, street, model)
    houses = np.arange(scenario.households)
    out, back = leave[period, houses], arrive[period, houses]
    of_day = np.array([[1 - back, back], [out, 1 - out]]).transpose(2, 3, 0, 1)
    return np.tile(of_day, (scenario.days, 1, 1, 1))


def posterior_by_paths(
    initial: Floats, moves: Floats, likelihoods: Sequence[Sequence[mpmath.mpf]], houses: int
) -> list[list[mpmath.mpf]]:
    """Pr[joint state | all rates] at every step: path by path, no recursion over time."""
    states = list(product((0, 1), repeat=houses))
    weight = [[mpmath.mpf(0)] * len(states) for _ in likelihoods]
    for path in product(range(len(states)), repeat=len(likelihoods)):
        chance = mpmath.mpf(1)
        for h in range(houses):
            first = states[path[0]][h]
            chance *= float(initial[h]) if first else 1 - float(initial[h])
            for t in range(1, len(path)):
                chance *= float(moves[t - 1, h, states[path[t - 1]][h], states[path[t]][h]])
        for t, state in enumerate(path):
            chance *= likelihoods[t][state]
        for t, state in enumerate(path):
            weight[t][state] += chance
    return [[w / mpmath.fsum(now) for w in now] for now in weight]


def textbook_days(streets: Sequence[Scenario], street: Street, runs: int, rng: Generator) -> Floats:
    """(runs, T) demand of the same street on other days, one after the other, each lived as on its own of the
    `streets`: the textbook way, one transition at a time."""
    each = [chances(scenario, street, 0) for scenario in streets]
    houses = np.arange(streets[0].households)
    state = rng.random((runs, len(houses))) < each[0][0]
    demand = np.empty((runs, STEPS_PER_DAY * len(streets)))
    for step in range(demand.shape[1]):
        _, period, leave, arrive = each[step // STEPS_PER_DAY]
        bound = np.where(state, street.occupied_bound, street.empty_bound)
        demand[:, step] = (rng.random(state.shape) * bound).sum(axis=1)
        p, u = period[step % STEPS_PER_DAY], rng.random(state.shape)
        state = np.where(state, u >= leave[p, houses], u < arrive[p, houses])
    return demand

"""The paper's theorems beyond one step, and the places where the Paper screen says they are checked."""

import ast
from itertools import product

import numpy as np
import pytest
from numpy.random import default_rng

from rtp.algorithm1 import algorithm, all_states
from rtp.output.paper import PROOF, THEOREMS, notes
from tests.help.root import TESTS


@pytest.mark.parametrize(
    "named",
    [test for note in (*THEOREMS, PROOF, *notes()) for test in note.checks.values()],
)
def test_every_test_that_the_page_names_exists(named: str) -> None:
    """By its path below tests/, or the end of it where that is the path of one file only."""
    file, function = named.split("::")
    (path,) = TESTS.rglob(file)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert function in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


def test_equation_pr3_holds_as_corrected_and_not_as_printed() -> None:
    rng = default_rng(3)
    bound = rng.uniform(0.1, 3.0, 10_000)
    x, g = bound * rng.random(10_000), 4 * rng.standard_normal(10_000)
    middle = np.abs(g - (x - bound / 2))
    low, high = np.abs(g) - bound / 2, np.abs(g) + bound / 2
    assert (low - 1e-12 <= middle).all()
    assert (middle <= high + 1e-12).all()
    assert not ((high <= middle) & (middle <= low)).any()


def test_the_integrals_after_equation_pr3_need_the_absolute_value_of_g() -> None:
    """With |g| the two exponentials bound the density; with g, as printed, not where g < −u₁/2."""
    rng = default_rng(4)
    bound = rng.uniform(0.1, 3.0, 10_000)
    x, g = bound * rng.random(10_000), 4 * rng.standard_normal(10_000)
    density = np.exp(-np.abs(g - (x - bound / 2)))
    assert (np.exp(-(np.abs(g) + bound / 2)) <= density * (1 + 1e-12)).all()
    assert (density <= np.exp(-(np.abs(g) - bound / 2)) * (1 + 1e-12)).all()
    below = g < -bound / 2
    assert (np.exp(-(g + bound / 2))[below] > density[below]).all()


@pytest.mark.parametrize("epsilon", [0.3, 1.0])
@pytest.mark.parametrize("share", [1.0, 0.99, 0.6])
def test_a_whole_history_costs_the_sum_of_its_steps_and_more_with_less_noise(
    epsilon: float, share: float
) -> None:
    """Theorem 2 by brute force: every pair of histories of two houses that are neighbours at each step.

    A house uses exactly its bound or nothing, which is all that Algorithm 1 assumes. Then the histories reach
    ε·T, and with less than its noise they exceed it.
    """
    steps, bound = 3, np.array([1.0, 0.6])
    chain = np.tile([[0.7, 0.3], [0.2, 0.8]], (2, 1, 1))
    demand = all_states(2) @ bound
    worst = 0.0
    for rates in product((-3.0, 1.0, 5.0), repeat=steps):  # below every demand, inside, above
        seen = algorithm(
            epsilon=epsilon,
            alpha=1.0,
            beta=0.5,
            occupied_bound=bound,
            empty_bound=np.zeros(2),
            initial=[np.full(2, 0.5)],
            matrices=[[chain] * steps],
            published=rates,
        )
        by_step = [
            (step.models[0].neighbours, -np.abs(step.published - 0.5 - demand) / (share * step.scale))
            for step in seen
        ]
        for pairs in product(*(neighbours for neighbours, _ in by_step)):
            ratio = sum(
                abs(log[first] - log[second])
                for (first, second, _), (_, log) in zip(pairs, by_step, strict=True)
            )
            worst = max(worst, float(ratio))
    assert worst == pytest.approx(epsilon * steps / share)
    assert (worst <= epsilon * steps * (1 + 1e-12)) == (share == 1)

"""The paper's theorems beyond one step, and the places where the Paper screen says they are checked."""

import ast
from itertools import product

import numpy as np
import pytest
from numpy.random import default_rng

from pages.ui.paper.theorems import CORRECTION_TESTS, THEOREMS
from rtp.joint import algorithm
from tests.help.root import TESTS


@pytest.mark.parametrize(
    "named", [*CORRECTION_TESTS, *(test for theorem in THEOREMS for test in theorem.tests)]
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


@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_a_whole_history_costs_at_most_the_sum_of_its_steps(epsilon: float) -> None:
    """Theorem 2 by brute force: every pair of histories of two houses that are neighbours at each step."""
    steps, houses = 3, 2
    occupied, empty = np.array([1.0, 0.6]), np.array([0.05, 0.3])
    chain = np.tile([[0.7, 0.3], [0.2, 0.8]], (houses, 1, 1))
    worst = 0.0
    for rates in product((-40.0, 1.0, 45.0), repeat=steps):  # far below, inside, far above
        seen = algorithm(
            epsilon=epsilon,
            alpha=1.0,
            beta=0.5,
            occupied_bound=occupied,
            empty_bound=empty,
            initial=[np.full(houses, 0.5)],
            matrices=[[chain] * steps],
            published=rates,
        )
        by_step = [(step.models[0].neighbours, np.log(step.likelihood)) for step in seen]
        for pairs in product(*(neighbours for neighbours, _ in by_step)):
            for turned in product((1, -1), repeat=steps):
                ratio = sum(
                    sign * (log[first] - log[second])
                    for (first, second, _), (_, log), sign in zip(pairs, by_step, turned, strict=True)
                )
                worst = max(worst, float(ratio))
    assert worst <= epsilon * steps + 1e-9
    assert worst > epsilon  # one step's promise does not hold for a whole history

"""The paper's adversary on a few houses: exact, in logarithms, and at the end of the day."""

from itertools import product
from typing import get_args

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng
from scipy.optimize import brentq

from rtp import Scenario, simulate
from rtp.attack.adversary import AdversaryKind, Inference, posterior
from rtp.attack.joint_filter import joint_filter
from rtp.attack.observation import Observed
from rtp.core.stats import right_guesses
from rtp.core.types import Floats
from rtp.probability.markov import Chains
from rtp.probability.privacy_loss import privacy_loss
from rtp.street.simulate import replay_houses
from tests.help import oracles
from tests.unit.attack.streets import bare_street

STEPS = 5
OCCUPIED, EMPTY = np.array([0.9, 0.6]), np.array([0.1, 0.4])


def small(leave: Floats, arrive: Floats) -> tuple[Chains, Observed]:
    """Two houses and five rates, one of them not heard."""
    rng = default_rng(3)
    chains = Chains(
        initial=np.array([0.3, 0.6]),
        leave=leave[None],
        arrive=arrive[None],
        row=np.zeros(STEPS - 1, dtype=np.intp),
    )
    b = np.array([0.2, 0.1, np.inf, 0.3, 0.05])
    return chains, Observed(total=rng.uniform(0, 1.5, STEPS), b=b)


def by_paths(chains: Chains, seen: Observed, steps: int) -> Floats:
    """Pr[occupied] of both houses at each of these steps, given their rates: every path, added up."""
    states = list(product((0, 1), repeat=2))
    told = [
        [oracles.density(x, np.where(state, OCCUPIED, EMPTY).tolist(), b) for state in states]
        if np.isfinite(b)
        else [mpmath.mpf(1)] * 4
        for x, b in zip(seen.total[:steps].tolist(), seen.b[:steps].tolist(), strict=True)
    ]
    leave, arrive = chains.leave[0], chains.arrive[0]
    moves = np.array([[1 - arrive, arrive], [leave, 1 - leave]]).transpose(2, 0, 1)
    law = oracles.posterior_by_paths(chains.initial, np.stack([moves] * steps), told, 2)
    return np.asarray(np.array(law, dtype=float) @ np.array(states))


@pytest.mark.slow
@pytest.mark.parametrize("structural", [False, True])
def test_filter_and_smoother_are_the_sum_over_all_paths(structural: bool) -> None:
    """Both, with every chance between 0 and 1, and with a house that never arrives."""
    chains, seen = small(np.array([0.2, 0.1]), np.array([0.0 if structural else 0.3, 0.4]))
    so_far = [by_paths(chains, seen, steps)[-1] for steps in range(1, STEPS + 1)]
    among = bare_street(OCCUPIED, EMPTY), chains, np.arange(2), STEPS
    found = joint_filter(seen, *among, smoothing=False)
    np.testing.assert_allclose(found.belief, so_far, atol=1e-9)
    smoothed = joint_filter(seen, *among, smoothing=True)
    np.testing.assert_allclose(smoothed.belief, by_paths(chains, seen, STEPS), atol=1e-9)
    np.testing.assert_array_equal(smoothed.log_likelihood_ratio, found.log_likelihood_ratio)
    odds = np.log(found.belief / (1 - found.belief)) - np.log(found.prior / (1 - found.prior))
    np.testing.assert_allclose(found.log_likelihood_ratio, odds, atol=1e-9)


def tied(houses: int, epsilon: float, turn: float, rates: list[float]) -> Floats:
    """The evidence of each rate on each of some equal houses, ε spent on each: one stays, the others turn."""
    bounds = np.ones(houses), np.zeros(houses)
    b = brentq(lambda scale: float(privacy_loss(scale, *bounds).max()) - epsilon, 1e-3, 1e3)
    change = np.array([1 - turn, *[turn] * (houses - 1)])
    chains = Chains(
        initial=np.full(houses, 0.5),
        leave=change[None],
        arrive=change[None],
        row=np.zeros(len(rates) - 1, dtype=np.intp),
    )
    seen = Observed(total=np.array(rates), b=np.full(len(rates), b))
    among = bare_street(*bounds), chains, np.arange(houses), len(rates)
    return joint_filter(seen, *among, smoothing=False).log_likelihood_ratio


@pytest.mark.parametrize(
    ("houses", "epsilon", "turn", "rates", "times"),
    [
        (2, 1.0, 0.9999, [0.77], 1.22),
        (2, 8.0, 0.9999, [0.95], 1.76),
        (3, 8.0, 0.9999, [0.94, 0.91, 0.31], 1.80),
        (3, 12.0, 1 - 1e-6, [0.97, 0.94, 0.25], 1.89),
    ],
)
def test_how_far_beyond_what_is_promised_a_rate_was_found_to_go(
    houses: int, epsilon: float, turn: float, rates: list[float], times: float
) -> None:
    """Rates that a search found, each time the one that prepares the strongest next; the last is huge. With
    noise any rate can come. Of N houses no rate tells more than N·ε: two joint states differ in N at most."""
    evidence = np.abs(tied(houses, epsilon, turn, [*rates, 30.0]))
    assert times < evidence[-1].max() / epsilon < times + 0.02
    assert evidence[0].max() <= epsilon * (1 + 1e-9)  # of the first rate houses are still independent


@settings(max_examples=25)
@given(
    houses=st.integers(1, 4),
    epsilon=st.sampled_from([0.2, 1.0, 8.0]),
    turn=st.sampled_from([0.3, 0.998, 1 - 1e-6]),
    rates=st.lists(st.floats(-3, 6), min_size=1, max_size=8),
)
def test_no_rate_tells_more_than_the_promise_times_the_houses(
    houses: int, epsilon: float, turn: float, rates: list[float]
) -> None:
    evidence = np.abs(tied(houses, epsilon, turn, rates))
    assert evidence.max() <= houses * epsilon * (1 + 1e-6) + 1e-6
    assert evidence[0].max() <= epsilon * (1 + 1e-6) + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("adversary", ["outsider", "insider"])
def test_at_the_end_of_the_day_she_knows_more_of_every_moment_but_the_last(adversary: AdversaryKind) -> None:
    day = simulate(Scenario(households=5, days=3))
    occupied, _ = replay_houses(day.street_day.spec, day.street, range(5))
    so_far, whole = (posterior(day, "optimal", adversary=adversary, inference=h) for h in get_args(Inference))
    right = [right_guesses(each.belief, occupied).mean() for each in (so_far, whole)]
    loss = [-np.log(np.where(occupied, each.belief, 1 - each.belief)).mean() for each in (so_far, whole)]
    assert right[1] > right[0] + 0.005
    assert loss[1] < loss[0]
    ends = slice(95, None, 96)
    np.testing.assert_allclose(whole.belief[ends], so_far.belief[ends], atol=1e-12)

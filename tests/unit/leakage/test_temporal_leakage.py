"""The recursion of one moment's leak against brute force over all evidence and all state paths."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp

from rtp import PRESETS, Scenario
from rtp.core.types import Floats
from rtp.leakage.moment import Evidence, TemporalLeakage, temporal_leakage
from rtp.probability.markov import Chains, marginals
from rtp.simulation import street_spec

probability = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.01, 0.99))
bounded = st.one_of(st.floats(0.0, 3.0), st.floats(0.0, 150.0))


def chain(initial: float, leave: list[float], arrive: list[float]) -> Chains:
    """One house."""
    moves = np.reshape(leave, (-1, 1)), np.reshape(arrive, (-1, 1))
    return Chains(initial=np.array([initial]), leave=moves[0], arrive=moves[1], row=np.arange(len(leave)))


def leakage(house: Chains, lowest: Floats, highest: Floats) -> TemporalLeakage:
    """Its leakage, (T,), from the ends of each rate's evidence."""
    occupied, empty = marginals(house)
    ends = Evidence(lowest[:, None], highest[:, None])
    found = temporal_leakage(house, (occupied > 0) & (empty > 0), ends)
    return TemporalLeakage(found.so_far[:, 0], found.whole[:, 0])


def symmetric(house: Chains, loss: Floats) -> TemporalLeakage:
    return leakage(house, -loss, loss)


def brute_force(house: Chains, lowest: Floats, highest: Floats) -> tuple[Floats, Floats]:
    """(so far, whole record): the largest |shift| over all extremes of evidence, summed over all paths in
    logarithms, where no term cancels another."""
    steps = len(lowest)
    paths = np.array(list(product((0, 1), repeat=steps)))
    weight = np.where(paths[:, 0] == 1, house.initial[0], 1 - house.initial[0])
    for t in range(steps - 1):
        stays = np.where(paths[:, t] == 1, 1 - house.leave[t, 0], house.arrive[t, 0])
        weight = weight * np.where(paths[:, t + 1] == 1, stays, 1 - stays)
    evidence = np.array(list(product(*zip(lowest, highest, strict=True))))
    whole, so_far = np.zeros(steps), np.zeros(steps)
    for s in range(steps):
        likelihood, until = (evidence[:, :end] @ paths[:, :end].T for end in (steps, s + 1))
        whole[s], so_far[s] = _largest(likelihood, weight, paths[:, s]), _largest(until, weight, paths[:, s])
    return so_far, whole


def _largest(log_likelihood: Floats, weight: Floats, state: Floats) -> float:
    one, other = (weight * (state == k) for k in (1, 0))
    if one.sum() == 0 or other.sum() == 0:
        return 0.0  # the moment is certain
    posterior = logsumexp(log_likelihood, axis=1, b=one) - logsumexp(log_likelihood, axis=1, b=other)
    return float(np.abs(posterior - np.log(one.sum() / other.sum())).max())


@pytest.mark.slow
@given(data=st.data(), steps=st.integers(1, 8))
def test_the_recursion_is_brute_force_over_all_evidence_and_paths(data: st.DataObject, steps: int) -> None:
    transitions = st.lists(probability, min_size=steps - 1, max_size=steps - 1)
    house = chain(data.draw(probability), data.draw(transitions), data.draw(transitions))
    ends = st.lists(bounded, min_size=steps, max_size=steps)
    lowest, highest = -np.array(data.draw(ends)), np.array(data.draw(ends))
    found = leakage(house, lowest, highest)
    so_far, whole = brute_force(house, lowest, highest)
    np.testing.assert_allclose(found.so_far, so_far, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.whole, whole, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("bug", ["forward chain for the past", "own evidence twice", "one end for both"])
def test_a_planted_bug_is_caught(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain that is not its own reverse, and the mistakes that are easily made with it."""
    house = chain(0.3, [0.2, 0.05], [0.1, 0.4])
    lowest, highest = -np.array([0.2, 0.7, 0.1]), np.array([0.4, 0.5, 0.2])
    _, whole = brute_force(house, lowest, highest)
    np.testing.assert_allclose(leakage(house, lowest, highest).whole, whole, rtol=1e-12)
    if bug == "own evidence twice":
        found = leakage(house, lowest, highest).whole + highest
    elif bug == "one end for both":
        found = symmetric(house, np.maximum(-lowest, highest)).whole
    else:
        monkeypatch.setattr("rtp.leakage.moment.reverse", lambda chains: (chains.arrive, chains.leave))
        found = leakage(house, lowest, highest).whole
    assert np.abs(found / whole - 1).max() > 0.01


def paper_chain() -> Chains:
    schedule = street_spec(PRESETS["paper"].replace(habit_spread=0.0)).schedules[0][0]
    leave, arrive = schedule.leave[schedule.period][:-1], schedule.arrive[schedule.period][:-1]
    return chain(schedule.initial, leave.tolist(), arrive.tolist())


@pytest.mark.parametrize(
    ("epsilon", "worst", "step", "so_far"), [(0.5, 9.053, 10, 5.937), (0.05, 1.280, 63, 1.0607)]
)
def test_the_papers_day_at_its_stated_values(epsilon: float, worst: float, step: int, so_far: float) -> None:
    found = symmetric(paper_chain(), np.full(Scenario().steps, epsilon))
    assert round(float(found.whole.max()), 3) == worst
    assert int(found.whole.argmax()) == step
    assert float(found.so_far.max()) == pytest.approx(so_far, abs=5e-4)


def test_a_proof_travels_only_where_the_chain_leaves_no_other_way() -> None:
    never_moves = chain(0.5, [0.0, 0.0], [0.0, 0.0])
    moves = chain(0.5, [0.5, 0.2], [0.5, 0.3])
    losses = np.array([np.inf, 0.1, 0.1])
    assert np.isinf(symmetric(never_moves, losses).whole).all()
    assert np.isinf(symmetric(moves, losses).whole).tolist() == [True, False, False]
    assert symmetric(moves, losses).whole[1] < 0.3  # a half each way: it says nothing of the next

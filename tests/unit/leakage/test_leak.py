"""The recursion of one moment's leak against brute force over all evidence and all state paths."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Scenario
from rtp.core.types import Floats
from rtp.leakage.moment import Chain, Leak, every_step, handed_on, odds_handed_on
from rtp.leakage.moment import leak as raw_leak
from rtp.simulation import street_spec
from rtp.street.room import Room

chance = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.01, 0.99))


def chain(initial: float, leave: list[float], arrive: list[float]) -> Chain:
    """One house; what is certain stays exactly so."""
    occupied = [initial]
    for out, back in zip(leave, arrive, strict=True):
        now = occupied[-1]
        certain = {0.0: back, 1.0: 1 - out}
        occupied.append(certain.get(now, now * (1 - out) + (1 - now) * back))
    return Chain(
        occupied=np.array(occupied)[:, None],
        leave=np.reshape(leave, (-1, 1)),
        arrive=np.reshape(arrive, (-1, 1)),
        period=np.arange(len(leave)),
    )


def leak(house: Chain, losses: Floats) -> Leak:
    return raw_leak(house, house.links(Room()), every_step(losses)).shifts()


def brute_force(house: Chain, losses: Floats) -> tuple[Floats, Floats]:
    """(so far, whole record): the largest |shift| over all extremes of evidence, summed over all paths."""
    steps = len(losses)
    paths = np.array(list(product((0, 1), repeat=steps)))
    weight = np.where(paths[:, 0] == 1, house.occupied[0, 0], 1 - house.occupied[0, 0])
    for t in range(steps - 1):
        stays = np.where(paths[:, t] == 1, 1 - house.leave[t, 0], house.arrive[t, 0])
        weight = weight * np.where(paths[:, t + 1] == 1, stays, 1 - stays)
    signs = np.array(list(product((-1, 1), repeat=steps)))
    likelihood = np.exp((signs * losses / 2) @ (2 * paths - 1).T)  # (evidence, path)
    whole, so_far = np.zeros(steps), np.zeros(steps)
    for s in range(steps):
        until = np.exp((signs[:, : s + 1] * losses[: s + 1] / 2) @ (2 * paths[:, : s + 1] - 1).T)
        whole[s], so_far[s] = _largest(likelihood, weight, paths[:, s]), _largest(until, weight, paths[:, s])
    return so_far, whole


def _largest(likelihood: Floats, weight: Floats, state: Floats) -> float:
    one, other = (weight * (state == k) for k in (1, 0))
    if one.sum() == 0 or other.sum() == 0:
        return 0.0  # the moment is certain
    return float(
        np.abs(np.log(likelihood @ one / one.sum()) - np.log(likelihood @ other / other.sum())).max()
    )


@pytest.mark.slow
@given(data=st.data(), steps=st.integers(1, 8))
def test_the_recursion_is_brute_force_over_all_evidence_and_all_paths(
    data: st.DataObject, steps: int
) -> None:
    links = st.lists(chance, min_size=steps - 1, max_size=steps - 1)
    house = chain(data.draw(chance), data.draw(links), data.draw(links))
    losses = np.array(data.draw(st.lists(st.floats(0.0, 3.0), min_size=steps, max_size=steps)))
    found = leak(house, losses[:, None])
    so_far, whole = brute_force(house, losses)
    np.testing.assert_allclose(found.so_far[:, 0], so_far, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.whole[:, 0], whole, rtol=1e-9, atol=1e-9)


class ForwardChainForThePast(Chain):
    def _past(self, some: slice, moves: Floats) -> None:
        rows = self.period[some]
        moves[:, 0], moves[:, 1] = self.leave[rows], self.arrive[rows]


@pytest.mark.parametrize("bug", ["forward chain used for the past", "own evidence counted twice"])
def test_a_planted_bug_is_caught(bug: str) -> None:
    """A chain that is not its own reverse, and the two mistakes that are easily made with it."""
    house, losses = chain(0.3, [0.2, 0.05], [0.1, 0.4]), np.array([0.4, 0.7, 0.2])
    _, whole = brute_force(house, losses)
    np.testing.assert_allclose(leak(house, losses[:, None]).whole[:, 0], whole, rtol=1e-12)
    if bug == "own evidence counted twice":
        found = leak(house, losses[:, None]).whole[:, 0] + losses
    else:
        found = leak(
            ForwardChainForThePast(**{name: getattr(house, name) for name in Chain.__dataclass_fields__}),
            losses[:, None],
        ).whole[:, 0]
    assert np.abs(found / whole - 1).max() > 0.01


@given(data=st.data(), steps=st.integers(2, 30))
def test_with_and_without_logarithms_the_same(data: st.DataObject, steps: int) -> None:
    links = st.lists(chance, min_size=steps - 1, max_size=steps - 1)
    house = chain(data.draw(chance), data.draw(links), data.draw(links))
    losses = np.array(data.draw(st.lists(st.floats(0.0, 15.0), min_size=steps, max_size=steps)))[:, None]
    losses[(house.occupied == 0) | (house.occupied == 1)] = 0.0
    met = np.stack([np.arange(steps), np.arange(steps)[::-1]], axis=1)
    odds = odds_handed_on(house.links(Room()), np.exp(losses), np.expm1(losses), met)
    for direction, chances in enumerate((house.back(), house.ahead())):
        at = house.secret if direction == 0 else house.secret[::-1]  # elsewhere there is nothing to tell
        told, spent = odds[:, direction], losses if direction == 0 else losses[::-1]
        logarithms = handed_on(chances, spent).swapaxes(0, 1)
        for end in (0, 1):
            np.testing.assert_allclose(
                np.log1p(told[:, end])[at], logarithms[:, end][at], rtol=1e-9, atol=1e-12
            )


def test_losses_beyond_all_floats_are_no_proof() -> None:
    """Twice 5,000 on a house that never moves is 10,000, and not infinite."""
    assert leak(chain(0.5, [0.0], [0.0]), np.full((2, 1), 5000.0)).whole.tolist() == [[1e4], [1e4]]


def paper_chain() -> Chain:
    schedule = street_spec(PRESETS["paper"].replace(habit_spread=0.0)).schedules[0][0]
    leave, arrive = schedule.leave[schedule.period][:-1], schedule.arrive[schedule.period][:-1]
    return chain(schedule.initial, leave.tolist(), arrive.tolist())


@pytest.mark.parametrize(
    ("epsilon", "worst", "step", "so_far"), [(0.5, 9.053, 10, 5.937), (0.05, 1.280, 63, 1.0607)]
)
def test_the_papers_day_at_its_stated_values(epsilon: float, worst: float, step: int, so_far: float) -> None:
    found = leak(paper_chain(), np.full((Scenario().steps, 1), epsilon))
    assert round(float(found.whole.max()), 3) == worst
    assert int(found.whole.argmax()) == step
    assert float(found.so_far.max()) == pytest.approx(so_far, abs=5e-4)


def test_a_proof_travels_only_where_the_chain_leaves_no_other_way() -> None:
    never_moves = chain(0.5, [0.0, 0.0], [0.0, 0.0])
    moves = chain(0.5, [0.5, 0.2], [0.5, 0.3])
    losses = np.array([np.inf, 0.1, 0.1])[:, None]
    assert np.isinf(leak(never_moves, losses).whole).all()
    assert np.isinf(leak(moves, losses).whole[:, 0]).tolist() == [True, False, False]
    assert leak(moves, losses).whole[1, 0] < 0.3  # a half each way: the first moment says nothing of the next


def test_without_noise_where_the_state_is_certain_nothing_is_lost() -> None:
    certain_then_open = chain(1.0, [0.4, 0.4], [0.5, 0.5])
    found = leak(certain_then_open, np.array([np.inf, 0.2, 0.2])[:, None])
    assert found.whole[0, 0] == 0.0
    assert np.isfinite(found.whole).all()

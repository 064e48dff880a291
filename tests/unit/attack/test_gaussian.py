"""The joint Gaussian of a long street: Kalman's filter and smoother, and how much of the exact observer it
keeps.
"""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import stdtrit

from rtp import Group, Scenario, simulate
from rtp.attack.adversary import Inference, posterior
from rtp.attack.gaussian import RANK, gaussian_filter, gaussian_smooth, house_log_odds, score_and_curvature
from rtp.attack.observation import Observed, observe
from rtp.attack.scores import MIN_BELIEF, approximation_error, compare_beliefs, divergence
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY
from rtp.scenario import OccupancyModel
from rtp.simulation import Day
from rtp.street.simulate import replay_houses
from tests.unit.attack.streets import moving, street


@pytest.mark.parametrize(("variance", "b"), [(1.0, 0.0), (1.0, 0.01), (1.0, 0.05), (2.0, 0.7), (0.3, 9.0)])
def test_score_and_curvature_are_derivatives_of_the_log_density(variance: float, b: float) -> None:
    def log_f(d: float) -> float:
        if b == 0:
            return float(-(d**2) / 2 / variance)
        s = np.sqrt(variance)

        def term(z: float) -> float:
            return float(np.exp(-abs(d - s * z) / b - z * z / 2))

        ends = sorted({-8.0, 8.0, float(np.clip(d / s, -8, 8))})
        parts = pairwise(ends)
        return float(np.log(sum(quad(term, *part, epsabs=0, epsrel=1e-11)[0] for part in parts)))

    step = 1e-3 * np.sqrt(variance + 2 * b**2)
    for d in (-3.0, 0.1, 1.5):
        low, here, high = log_f(d - step), log_f(d), log_f(d + step)
        psi, w = score_and_curvature(d, variance, b)
        assert psi == pytest.approx((low - high) / (2 * step), rel=1e-4)
        assert w == pytest.approx((2 * here - low - high) / step**2, rel=2e-3)
        assert abs(psi) <= (1 / b if b else np.inf) * (1 + 1e-12)


def dense(day: Day, seen: Observed) -> tuple[list[Floats], list[Floats]]:
    """Kalman's filter with an N × N covariance, no noise on the rates, then Rauch, Tung and Striebel
    backwards from the end of each day: log-odds so far and of the whole day."""
    chains = day.street_day.spec.chains(day.street, 0)
    moves = list(chains.transitions())
    h = (day.street.occupied_bound - day.street.empty_bound) / 2
    p, mean, P = chains.initial, chains.initial, np.diag(chains.initial * (1 - chains.initial))
    ahead, filtered, priors = [], [], []
    u1, u0 = day.street.occupied_bound, day.street.empty_bound
    for step in range(day.scenario.steps):
        ahead.append((mean, P))
        chance = np.clip(mean, 0, 1)
        rest = (chance * u1**2 + (1 - chance) * u0**2).sum() / 12
        d = seen.total[step] - (day.street.empty_bound / 2 + h * mean).sum()
        gain = P @ h / (h @ P @ h + rest)
        mean, P = mean + gain * d, P - np.outer(gain, P @ h)
        filtered.append((mean, P))
        priors.append(p)
        if step == len(moves):
            break
        leave, arrive = moves[step]
        D = np.diag(1 - leave - arrive)
        mean = D @ mean + arrive
        P = D @ P @ D + np.diag(p * leave * (1 - leave) + (1 - p) * arrive * (1 - arrive))
        p = p * (1 - leave) + (1 - p) * arrive
    smoothed = filtered[-1:]
    for step in reversed(range(day.scenario.steps - 1)):
        if (step + 1) % 96 == 0:  # she judges a moment at the end of its day
            smoothed.insert(0, filtered[step])
            continue
        leave, arrive = moves[step]
        (m, P), (m_next, P_next) = filtered[step], ahead[step + 1]
        G = P @ np.diag(1 - leave - arrive) @ np.linalg.inv(P_next)
        later, P_later = smoothed[0]
        smoothed.insert(0, (m + G @ (later - m_next), P + G @ (P_later - P_next) @ G.T))
    said = [
        [
            house_log_odds(p, 1 - p, m - p, p * (1 - p) - np.diag(P))
            for p, (m, P) in zip(priors, states, strict=True)
        ]
        for states in (filtered, smoothed)
    ]
    return said[0], said[1]


def test_without_noise_it_is_kalmans_filter_and_the_smoother_of_rauch_tung_and_striebel() -> None:
    """The same estimates from an N × N covariance."""
    day = simulate(street("sticky", 15, 1.0, 2).replace(days=2))
    release = day.release["optimal"]
    seen = observe(REGISTRY["optimal"], day.market.public, release.rate, release.scale)
    among = day.street, day.street_day.spec.chains(day.street, 0), np.arange(15), 96
    filtered = gaussian_filter(seen, *among)
    so_far, whole = dense(day, seen)
    np.testing.assert_allclose(filtered.after, so_far, atol=1e-6)
    np.testing.assert_allclose(gaussian_smooth(filtered, *among), whole, atol=1e-6)


def test_one_house_of_many_is_smoothed_as_all_are() -> None:
    day = simulate(Scenario(households=150, days=2))
    every = posterior(day, "calibrated", inference="smoothing")
    one = posterior(day, "calibrated", inference="smoothing", house=140)
    np.testing.assert_allclose(one.belief[:, 0], every.belief[:, 140], atol=1e-12)
    assert np.abs(every.belief - posterior(day, "calibrated").belief).max() > 0.01


def test_the_second_day_carries_what_is_known_together_in_a_few_directions() -> None:
    """Third day: 192 columns are there and 96 are carried. On a sticky street little may be lost by that."""
    day = simulate(street("sticky", 14, 5.0, 3).replace(days=4))
    seen = observe(
        REGISTRY["optimal"], day.market.public, day.release["optimal"].rate, day.release["optimal"].scale
    )
    filtered = gaussian_filter(seen, day.street, day.street_day.spec.chains(day.street, 0), np.arange(14), 96)
    assert [len(morning.V) for morning in filtered.mornings] == [0, 96, RANK, RANK]
    expected, _ = dense(day, seen)  # all that is known is within 14 directions: nothing is lost
    np.testing.assert_allclose(filtered.after, expected, atol=1e-5)


# Each further house doubles the exact observer's work, so the longest streets are shared out: houses, seed.
LARGEST = {
    ("paper", "calibrated"): (9, 3),
    ("paper", "blowfish"): (9, 4),
    ("paper", "optimal"): (10, 0),
    ("sticky", "calibrated"): (9, 3),
    ("sticky", "blowfish"): (10, 0),
    ("sticky", "optimal"): (12, 5),
}


@pytest.mark.slow
@pytest.mark.parametrize("habits", ["paper", "sticky"])
@pytest.mark.parametrize(
    ("epsilon", "mechanism"), [(0.05, "calibrated"), (0.5, "blowfish"), (5.0, "optimal")]
)
def test_forced_onto_few_houses_it_keeps_most_of_what_the_exact_observer_gains(
    habits: str, epsilon: float, mechanism: str
) -> None:
    """Without luck: the log-loss she can expect given the rates. On no street is it worse than the model
    alone by more than a hundredth of what the rates tell."""
    gains, losses = [], []
    for houses, seed in ((8, 0), (8, 1), LARGEST[habits, mechanism]):
        day = simulate(street(habits, houses, epsilon, seed).replace(step_minutes=60))
        exact, forced = posterior(day, mechanism), posterior(day, mechanism, method="gaussian")
        gains.append(divergence(exact.belief, exact.model_only))
        losses.append(divergence(exact.belief, forced.belief))
    assert sum(losses) < 0.5 * sum(gains)
    assert all(loss <= 1.01 * gain for loss, gain in zip(losses, gains, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("inference", ["filtering", "smoothing"])
def test_on_sticky_streets_what_she_calls_eighty_percent_is_eighty_percent(inference: Inference) -> None:
    """In every tenth of her belief, within the scatter over independent days; see test_adversary."""
    days, houses = 16, 20
    off = np.zeros((days, 10))
    for d in range(days):
        day = simulate(street("sticky", houses, 2.0, d))
        found = posterior(day, "calibrated", inference=inference)
        states, _ = replay_houses(day.street_day.spec, day.street, range(houses))
        tenth = np.minimum((found.belief * 10).astype(int), 9)
        off[d] = np.bincount(tenth.ravel(), (states - found.belief).ravel(), 10)
    spread = np.maximum(off.std(axis=0, ddof=1), 1e-9) / np.sqrt(days)
    assert np.abs(off.mean(axis=0) / spread).max() < stdtrit(days - 1, 1 - 1e-4 / 2)


def test_the_judge_knows_the_exact_observer_from_one_who_knows_nothing() -> None:
    exact, model = np.array([[0.9, 0.2]]), np.array([[0.5, 0.5]])
    assert compare_beliefs(exact, exact, model) == (1.0, 0.0)
    assert compare_beliefs(exact, model, model).kept == 0
    assert compare_beliefs(exact, model, model).off == pytest.approx(0.35)
    reversed_beliefs = compare_beliefs(exact, 1 - exact, model).kept
    assert reversed_beliefs is not None
    assert reversed_beliefs < 0
    assert compare_beliefs(model, model, model).kept is None
    assert divergence(exact, model) == pytest.approx(
        np.mean([0.9 * np.log(1.8) + 0.1 * np.log(0.2), 0.2 * np.log(0.4) + 0.8 * np.log(1.6)])
    )


def test_certain_beliefs_diverge_by_no_more_than_a_float_holds() -> None:
    sure, wrong = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    assert divergence(sure, sure) == 0.0
    assert divergence(sure, wrong) == pytest.approx(-np.log(MIN_BELIEF), rel=1e-6)


def test_it_is_measured_on_a_few_houses_of_the_same_street() -> None:
    found = approximation_error(Scenario(households=1000), "blowfish")
    assert found.kept is not None
    assert 0.9 < found.kept < 1
    assert 0 < found.off < 0.01
    assert approximation_error(Scenario(households=1000), "forecast").kept is None


@pytest.mark.parametrize("chance", [0.5, 0.5 - 5e-10, 0.49])
def test_it_is_the_same_where_what_was_known_of_a_house_is_forgotten(chance: float) -> None:
    """Half of the houses keep nothing of what was known, next to nothing, or a little, of a morning step."""
    still, restless = moving(0.01), moving(chance)
    forgetting = still.replace(periods=(restless.periods[0], *still.periods[1:]))
    groups = (
        Group(name="Still", share=0.5, empty_max=0.1),
        Group(name="Forgetting", share=0.5, empty_max=0.1),
    )
    model = OccupancyModel(name="Both", habits=(still, forgetting))
    scenario = Scenario(households=12, days=2, seed=3, groups=groups, models=(model,), habit_spread=0.0)
    day = simulate(scenario)
    rates = day.release["optimal"]
    seen = observe(REGISTRY["optimal"], day.market.public, rates.rate, rates.scale)
    filtered = gaussian_filter(seen, day.street, day.street_day.spec.chains(day.street, 0), np.arange(12), 96)
    np.testing.assert_allclose(filtered.after, dense(day, seen)[0], atol=1e-6)

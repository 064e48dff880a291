"""The joint Gaussian of a long street: Kalman's filter and smoother, and how much of the exact observer it
keeps.
"""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from rtp import Scenario, simulate
from rtp.attack.adversary import Inference, observed_day, posterior
from rtp.attack.gaussian import RANK, gaussian_filter, gaussian_smooth, house_log_odds, score_and_curvature
from rtp.attack.observation import Observed
from rtp.core.types import Floats
from rtp.scenario import OccupancyModel
from rtp.simulation import Day
from tests.help.few import few
from tests.unit.attack.streets import assert_calibrated, moving, street


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
    assert score_and_curvature(0.3, 4e-12, 2.0)[0] == 1 / 2.0, "beside next to no crowd"


def divergence(exact: Floats, belief: Floats) -> float:
    """The mean of KL(exact ‖ belief): the log-loss that is given away."""
    q, p = (np.clip(each, 1e-12, 1 - 1e-12) for each in (exact, belief))
    return float((q * np.log(q / p) + (1 - q) * np.log((1 - q) / (1 - p))).mean())


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


@pytest.mark.parametrize("forgetting", [0.002, 0.49, 0.5])
def test_without_noise_it_is_kalmans_filter_and_the_smoother_of_rauch_tung_and_striebel(
    forgetting: float,
) -> None:
    """The same estimates from an N × N covariance, also where steps of the night keep little or nothing of
    what was known; from the third day on the largest directions are carried."""
    still, night = moving(0.002), moving(forgetting).periods[0]
    model = OccupancyModel(name="Night", habits=(still.replace(periods=(night, *still.periods[1:])),))
    day = simulate(street("sticky", 15, 1.0, 2).replace(days=4, models=(model,)))
    seen = observed_day(day, "optimal")
    among = day.street, day.street_day.spec.chains(day.street, 0), np.arange(15), 96
    filtered = gaussian_filter(seen, *among)
    assert [len(morning.V) for morning in filtered.mornings] == [0, 96, RANK, RANK]
    so_far, whole = dense(day, seen)
    np.testing.assert_allclose(filtered.after, so_far, atol=1e-5)
    np.testing.assert_allclose(gaussian_smooth(filtered, *among), whole, atol=1e-5)


def test_one_house_of_many_is_smoothed_as_all_are() -> None:
    day = simulate(Scenario(households=150, days=2))
    every = posterior(day, "calibrated", inference="smoothing")
    one = posterior(day, "calibrated", inference="smoothing", house=140)
    np.testing.assert_allclose(one.belief[:, 0], every.belief[:, 140], atol=1e-12)
    assert np.abs(every.belief - posterior(day, "calibrated").belief).max() > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("habits", few(["paper", "sticky"], "sticky"))
@pytest.mark.parametrize(
    ("epsilon", "mechanism"), [(0.05, "calibrated"), (0.5, "blowfish"), (5.0, "optimal")]
)
def test_forced_onto_few_houses_it_keeps_most_of_what_the_exact_observer_gains(
    habits: str, epsilon: float, mechanism: str
) -> None:
    """Without luck: the log-loss she can expect given the rates. On no street is it worse than the model
    alone by more than a hundredth of what the rates tell."""
    gains, losses = [], []
    for houses, seed in ((8, 0), (8, 1), (9, 3)):
        day = simulate(street(habits, houses, epsilon, seed).replace(step_minutes=60))
        exact, forced = posterior(day, mechanism), posterior(day, mechanism, method="gaussian")
        gains.append(divergence(exact.belief, exact.model_only))
        losses.append(divergence(exact.belief, forced.belief))
    assert sum(losses) < 0.5 * sum(gains)
    assert all(loss <= 1.01 * gain for loss, gain in zip(losses, gains, strict=True))


@pytest.mark.long
@pytest.mark.parametrize("inference", ["filtering", "smoothing"])
def test_on_sticky_streets_what_she_calls_eighty_percent_is_eighty_percent(inference: Inference) -> None:
    assert_calibrated(
        [street("sticky", 20, 2.0, seed) for seed in range(16)],
        lambda day: posterior(day, "calibrated", inference=inference),
    )

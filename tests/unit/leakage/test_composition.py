"""Ways to promise a day: published values of quilts and of temporal leakage, and what each way costs."""

from collections.abc import Callable

import numpy as np
import pytest
from mpmath import exp, mp, mpf, ncdf

from rtp import PRESETS, Scenario, ScenarioError, simulate
from rtp.core.formatting import plain
from rtp.leakage.budget import epsilon_for_moment, worst_moments
from rtp.leakage.composition import GAUSSIAN_DELTA, compositions, gaussian_mu, quilt_score, sensitivity
from rtp.leakage.moment import Evidence, propagate_leakage
from rtp.mechanisms import REGISTRY
from rtp.probability.markov import Chains
from rtp.simulation import draw_day, market
from tests.help.sentence import exactly

DAY = Scenario(households=30, habit_spread=0.0)


def chain(initial: float, matrix: list[list[float]], steps: int) -> Chains:
    (_, arrive), (leave, _) = matrix
    return Chains(
        initial=np.array([initial]),
        leave=np.array([[leave]]),
        arrive=np.array([[arrive]]),
        row=np.zeros(steps - 1, dtype=np.intp),
    )


@pytest.mark.parametrize(
    ("initial", "matrix", "published"),
    [(0.0, [[0.9, 0.1], [0.4, 0.6]], 13.0219), (0.1, [[0.8, 0.2], [0.3, 0.7]], 10.6402)],
)
def test_the_running_example_of_song_wang_and_chaudhuri(
    initial: float, matrix: list[list[float]], published: float
) -> None:
    """T = 100, ε = 1: σ = 13.0219 for θ₁ and 10.6402 for θ₂ (arXiv 1603.03977, Section 4.4.1)."""
    assert quilt_score(chain(initial, matrix, 100), 1.0) == pytest.approx(published, abs=5e-5)


def test_the_example_of_cao_yoshikawa_xiao_and_xiong() -> None:
    """Backward leakage of ten releases of 0.1 each under P = (0.8 0.2; 0 1) (ICDE 2017, Figure 3)."""
    published = [0.10, 0.18, 0.25, 0.30, 0.35, 0.39, 0.42, 0.45, 0.48, 0.50]
    arrive, leave = np.full((9, 1), 0.2), np.zeros((9, 1))  # Pr[S⁻ = 1 | S = 0] and Pr[S⁻ = 0 | S = 1]
    loss = np.full((10, 1), 0.1)
    past = propagate_leakage(arrive, leave, Evidence(-loss, loss))
    np.testing.assert_allclose((past.loss + loss)[:, 0], published, atol=0.005 + 1e-9)


def test_a_quilt_of_independent_moments_is_one_moment_and_of_a_fixed_one_all() -> None:
    assert quilt_score(chain(0.5, [[0.5, 0.5], [0.5, 0.5]], 50), 0.7) == pytest.approx(1 / 0.7)
    assert quilt_score(chain(0.5, [[1.0, 0.0], [0.0, 1.0]], 50), 0.7) == pytest.approx(50 / 0.7)
    assert quilt_score(chain(0.0, [[1.0, 0.0], [0.0, 1.0]], 50), 0.7) == 0.0


@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 48.0, 1e4])
def test_gaussian_noise_is_the_least_that_keeps_its_promise(epsilon: float) -> None:
    """δ of the analytic Gaussian mechanism in sixty digits (Balle and Wang 2018, Theorem 8)."""
    mp.dps = 60

    def delta(mu: float) -> mpf:
        half, rest = mpf(mu) / 2, mpf(epsilon) / mpf(mu)
        return ncdf(half - rest) - exp(mpf(epsilon)) * ncdf(-half - rest)

    mu = gaussian_mu(epsilon, GAUSSIAN_DELTA)
    assert float(delta(mu)) == pytest.approx(GAUSSIAN_DELTA, rel=1e-6)
    assert delta(1.01 * mu) > GAUSSIAN_DELTA


def test_gaussian_noise_for_a_total_of_one_is_that_of_balle_and_wang() -> None:
    """41.4 λ for 96 rates, where zCDP's conversion takes 52.4 λ."""
    assert np.sqrt(96) / gaussian_mu(1.0, GAUSSIAN_DELTA) == pytest.approx(41.4, abs=0.05)


def test_a_group_without_houses_needs_no_quilt() -> None:
    plain = Scenario(households=10, habit_spread=0.0)
    (group,), (model,) = plain.groups, plain.models
    still = tuple(
        period.model_copy(update={"matrix": ((1.0, 0.0), (0.0, 1.0))}) for period in model.habits[0].periods
    )
    nobody = model.habits[0].model_copy(update={"periods": still})
    both = plain.replace(
        groups=(
            group.model_copy(update={"share": 0.99}),
            group.model_copy(update={"name": "nobody", "share": 0.01}),
        ),
        models=(model.model_copy(update={"habits": (*model.habits, nobody)}),),
    )
    noise = [
        next(way.noise for way in compositions(s, 1.0) if way.name == "Markov quilt") for s in (plain, both)
    ]
    assert noise[0] == pytest.approx(noise[1], rel=1e-12)


@pytest.mark.parametrize("total", [1.0, 48.0])
def test_each_way_spends_the_total_and_errs_as_its_noise_says(total: float) -> None:
    known = market(DAY, draw_day(DAY))
    found = {way.name: way for way in compositions(DAY, total, street_day=known.street_day)}
    assert list(found) == [
        "Theorem 2",
        "Exact moment",
        "Markov quilt",
        "w-event",
        "Gaussian",
        "Forecast",
    ]
    moves = sensitivity(known)
    assert found["Theorem 2"].epsilon == total / 96
    assert found["w-event"].epsilon == total / 16
    assert found["Exact moment"].epsilon == epsilon_for_moment(DAY, "blowfish", total).epsilon
    by_hand = DAY.replace(epsilon=total / 96)
    assert found["Theorem 2"].rmsre == pytest.approx(simulate(by_hand).release["blowfish"].expected_rmsre)
    assert np.sqrt(96) * moves.max() / found["Gaussian"].noise == pytest.approx(
        gaussian_mu(total, GAUSSIAN_DELTA)
    )
    assert found["Theorem 2"].noise == pytest.approx(np.sqrt(2) * moves.max() * 96 / total)
    assert found["Forecast"].noise == 0.0
    # one moment is cheaper to hide than a history, and the exact bound than the quilt's
    assert found["Exact moment"].noise <= found["Markov quilt"].noise <= found["Theorem 2"].noise * (1 + 1e-9)
    assert found["Gaussian"].noise < found["Theorem 2"].noise


@pytest.mark.slow
def test_several_models_and_days_have_their_ways_too() -> None:
    scenario = PRESETS["unsure curator"].replace(households=20, days=2)
    assert all(np.isfinite(way.rmsre) for way in compositions(scenario, 5.0))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: compositions(DAY, 0.0), "total is 0.0; it must be a number from 0.001 to 10,000."),
        (lambda: compositions(DAY, float("nan")), "total is nan; it must be a number from 0.001 to 10,000."),
    ],
)
def test_bad_input_gets_one_sentence(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        call()


def test_each_way_says_what_it_does_not_cover() -> None:
    known = market(DAY, draw_day(DAY))
    found = {way.name: way for way in compositions(DAY, 1.0, street_day=known.street_day)}
    for name in ("Exact moment", "w-event"):
        way = found[name]
        assert way.epsilon is not None
        leak = worst_moments(known, REGISTRY["blowfish"], way.epsilon, any_use=True).max()
        assert leak > 1  # the total is not kept for any use, nor by the rates around the window
        assert way.hides.endswith(f"leaks {plain(float(leak))}")

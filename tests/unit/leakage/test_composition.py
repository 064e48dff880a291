"""Ways to promise a day: published values, what each costs; and the account of one day."""

from dataclasses import replace

import numpy as np
import pytest
from mpmath import exp, mp, mpf, ncdf
from numpy.random import default_rng

from rtp import Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.audit.exact import exact_loss
from rtp.leakage.composition import (
    GAUSSIAN_DELTA,
    compositions,
    gaussian_mu,
    privacy_account,
    quilt_score,
    sensitivity,
)
from rtp.leakage.moment import Evidence, propagate_leakage
from rtp.mechanisms import REGISTRY
from rtp.probability.markov import Chains
from rtp.simulation import draw_day, market
from rtp.street.simulate import replay_houses
from rtp.tradeoff.expected import expected, scales
from tests.help import oracles

PLAIN = Scenario(households=30, habit_spread=0.0)

DAY = simulate(Scenario(households=20))
BOOK = privacy_account(DAY, exact_loss(DAY, "blowfish"))


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


@pytest.mark.long
@pytest.mark.parametrize("total", [1.0, 48.0])
def test_each_way_spends_the_total_and_errs_as_its_noise_says(total: float) -> None:
    known = market(PLAIN, draw_day(PLAIN))
    found = {way.name: way for way in compositions(PLAIN, total, street_day=known.street_day)}
    moves = sensitivity(known)
    blowfish = REGISTRY["blowfish"]
    over_days = expected(known, blowfish, scales(known, [blowfish], [total / 96])["blowfish"])[0]
    assert found["Theorem 2"].rmsre == pytest.approx(over_days)
    assert np.sqrt(96) * moves.max() / found["Gaussian"].noise == pytest.approx(
        gaussian_mu(total, GAUSSIAN_DELTA)
    )
    assert found["Theorem 2"].noise == pytest.approx(np.sqrt(2) * moves.max() * 96 / total)
    assert found["Forecast"].noise == 0.0
    # one moment is cheaper to hide than a history, and the exact bound than the quilt's
    assert found["Exact moment"].noise <= found["Markov quilt"].noise <= found["Theorem 2"].noise * (1 + 1e-9)
    assert found["Gaussian"].noise < found["Theorem 2"].noise


@pytest.mark.slow
def test_no_ways_error_is_that_of_the_day_that_was_drawn() -> None:
    """Gaussian noise against a hundred lived days: its mean square, within five standard errors."""
    life = draw_day(PLAIN)
    lived = oracles.textbook_days([PLAIN], life.street, 100, default_rng(3))
    ways = [compositions(PLAIN, 1.0, street_day=replace(life, demand=demand)) for demand in lived[:2]]
    assert ways[0] == ways[1]
    known, found = market(PLAIN, life), {way.name: way for way in ways[0]}
    deviation = sensitivity(known) * np.sqrt(96) / gaussian_mu(1.0, GAUSSIAN_DELTA)
    days = np.array([np.mean((deviation / known.tariff.optimal(demand)) ** 2) for demand in lived])
    assert found["Gaussian"].rmsre ** 2 == pytest.approx(days.mean(), abs=5 * days.std() / 10)


def test_what_was_given_away_is_her_evidence_for_how_the_house_really_lived() -> None:
    """For its history against the opposite one: no rate gives away more than it can, and few that much."""
    evidence = posterior(DAY, "blowfish", adversary="insider", house=BOOK.house).log_likelihood_ratio[:, 0]
    occupied = replay_houses(DAY.street_day.spec, DAY.street, [BOOK.house])[0][:, 0]
    np.testing.assert_allclose(BOOK.given_away, np.cumsum(np.where(occupied, evidence, -evidence)))
    each, worst = np.diff(BOOK.given_away, prepend=0), np.diff(BOOK.at_worst, prepend=0)
    assert (np.abs(each) <= worst * (1 + 1e-9)).all()
    assert BOOK.given_away[-1] < BOOK.at_worst[-1] / 2
    assert BOOK.at_worst[-1] == pytest.approx(exact_loss(DAY, "blowfish").total.max(), rel=1e-12)

"""The outsider's densities out to their tails, and all she does, reading by reading, in plain numbers."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.core.types import Floats
from rtp.leakage.hypothesis import HYPOTHESES, WatchedDays, WatchedHouse, draw_readings, watch_house
from rtp.leakage.observer import (
    GRID,
    Observer,
    crowd_filter,
    house_llr,
    log_normal_laplace,
    mixture_log_density,
    outsider_log_likelihoods,
)
from rtp.probability.histogram import Histograms
from rtp.probability.laplace_uniform import uniform_log_density
from rtp.scenario import Group
from rtp.simulation import draw_day, market
from rtp.street.draw import Use

UNIFORM = Use(occupied_bound=np.array([6.0]), empty_bound=np.array([2.0]))
HISTOGRAM = Use(
    occupied_bound=np.array([6.0]),
    empty_bound=np.array([6.0]),
    distributions=Histograms(
        edges=np.array([[1.0, 2.0, 6.0]]), mass=np.array([[[0.75, 0.25]], [[0.0, 1.0]]])
    ),
)
# (from, width, mass) when occupied and when empty, and the mean of both means
PIECES = {
    "uniform": (UNIFORM, ((0.0, 6.0, 1.0),), ((0.0, 2.0, 1.0),), 2.0),
    "histogram": (HISTOGRAM, ((2.0, 4.0, 1.0),), ((1.0, 1.0, 0.75), (2.0, 4.0, 0.25)), 3.0625),
}


@pytest.mark.parametrize("name", PIECES)
@pytest.mark.parametrize("deviations", [-11.9, -3.0, 0.0, 0.4, 11.9])
def test_tables_hold_the_densities_to_the_ends_of_their_grid(name: str, deviations: float) -> None:
    """Lines between nodes 1/20 of a deviation apart leave at most 1/8 · 1/20², the curvature being 1."""
    use, occupied, empty, middle = PIECES[name]
    sigma, b = 0.5, 0.25
    deviation = np.sqrt(sigma**2 + 2 * b**2)
    y = np.array([middle + deviations * deviation])
    ours = outsider_log_likelihoods(y, sigma, b, use)
    for own, pieces in zip(ours, (occupied, empty), strict=True):
        direct = mixture_log_density(y, pieces, sigma, b)
        assert own[0] == pytest.approx(direct[0], abs=2 * (GRID[1] - GRID[0]) ** 2 * (deviation / b) ** 2)


def test_a_mixture_is_the_sum_of_its_parts_in_their_places() -> None:
    """Against a sum over fine pieces of the noise's own density."""
    fine = np.linspace(0, 1, 20_001)[:-1] + 0.5 / 20_000
    for y in (-1.0, 1.5, 4.0, 9.0):
        parts = [
            mass * np.exp(log_normal_laplace(y - low - width * fine, 0.5, 0.25)).mean()
            for low, width, mass in PIECES["histogram"][2]
        ]
        ours = mixture_log_density(np.array([y]), PIECES["histogram"][2], 0.5, 0.25)
        assert ours[0] == pytest.approx(np.log(sum(parts)), abs=1e-3)  # eight nodes over a kink


@pytest.mark.parametrize(("sigma", "b"), [(100.0, 1e-5), (0.01, 1e-9), (1e-3, 9e-8)])
def test_noise_far_below_the_crowd_leaves_it_normal(sigma: float, b: float) -> None:
    """Where the formula with both would lose all digits: σ²/2b² is 10¹³."""
    x = sigma * np.array([-3.0, 0.0, 1.5])
    normal = -(x**2) / (2 * sigma**2) - np.log(sigma * np.sqrt(2 * np.pi))
    np.testing.assert_allclose(log_normal_laplace(x, sigma, b), normal, rtol=1e-12)


def test_noise_is_felt_from_a_ten_thousandth_of_the_crowd_on() -> None:
    """Just above that both formulas agree to what is rounded off, and with much noise they do not."""
    x = np.array([0.3])
    normal = -(x**2) / 2 - np.log(np.sqrt(2 * np.pi))
    np.testing.assert_allclose(log_normal_laplace(x, 1.0, 1.01e-4), normal, atol=1e-7)
    assert log_normal_laplace(x, 1.0, 0.5)[0] < normal[0] - 0.1


@pytest.mark.parametrize("use", [UNIFORM, HISTOGRAM])
def test_without_a_crowd_she_sees_what_the_insider_sees(use: Use) -> None:
    y, b = np.array([[0.4, 1.7, 5.2]]), 0.8
    occupied, empty = outsider_log_likelihoods(y, 0.9e-9 * 6.0, b, use)
    insider = house_llr(y, np.zeros_like(y), np.array([b]), use)
    np.testing.assert_allclose(occupied - empty, insider, rtol=1e-9)
    if use is UNIFORM:
        np.testing.assert_allclose(occupied, uniform_log_density(y, np.array(b), np.array([6.0])))
    crowded, _ = outsider_log_likelihoods(y, 1.0, b, use)
    assert np.abs(crowded - occupied).max() > 0.01


def test_a_rate_with_infinite_noise_tells_an_insider_nothing() -> None:
    used, noise = np.full((2, 3), 5.5), np.full((2, 3), 0.25)
    ratio = house_llr(used, noise, np.array([np.inf, 2.0]), UNIFORM)
    assert ratio[0].tolist() == [0.0, 0.0, 0.0]
    at = np.array([5.5 + 2.0 * 0.25])
    direct = [uniform_log_density(at, np.array(2.0), np.array([u]))[0] for u in (6.0, 2.0)]
    np.testing.assert_allclose(ratio[1], direct[0] - direct[1], rtol=1e-9)


def two_groups() -> WatchedHouse:
    """The largest house of a street whose groups keep different hours, over two days."""
    scenario = PRESETS["mixed street"].replace(households=30, step_minutes=60, days=2)
    known = market(scenario, draw_day(scenario))
    return watch_house(known, int(known.street_day.street.bound.argmax()), HYPOTHESES["holiday"])


def slow_outsider(house: WatchedHouse, b: Floats, seen: list[WatchedDays], i: int, r: int) -> list[float]:
    """The score after each day of one repetition: textbook Bayes for the house, textbook Kalman beside it."""
    occupied, empty = (
        ((0.0, float(bound[0]), 1.0),) for bound in (house.use.occupied_bound, house.use.empty_bound)
    )
    means = [float(bound[0]) / 2 for bound in (house.use.empty_bound, house.use.occupied_bound)]
    (leave, arrive), filters = house.transitions(), crowd_filter(house.others, b)
    groups = len(house.others.demand)
    totals: list[list[float]] = []
    for way in range(2):
        p, total, crowd, step, after_days = float(house.initial()[way]), 0.0, [0.0] * groups, 0, []
        for day in seen:
            for used, others, noise in zip(day.used, day.crowd, day.noise, strict=True):
                if np.isfinite(b[step]):
                    F, K, deviation = filters[step]
                    crowd = [F[g] * crowd[g] for g in range(groups)]
                    rest = float(used[i, r] + others[i, r] + b[step] * noise[i, r]) - sum(crowd)
                    at = np.array([rest])
                    likely = [
                        float(np.exp(mixture_log_density(at, pieces, deviation, float(b[step])))[0])
                        for pieces in (empty, occupied)
                    ]
                    both = (1 - p) * likely[0] + p * likely[1]
                    total, p = total + float(np.log(both)), p * likely[1] / both
                    surprise = rest - (p * means[1] + (1 - p) * means[0])
                    crowd = [crowd[g] + K[g] * surprise for g in range(groups)]
                p = p * (1 - leave[step, way]) + (1 - p) * arrive[step, way]
                step += 1
            after_days.append(total)
        totals.append(after_days)
    return [secret - ordinary for ordinary, secret in zip(*totals, strict=True)]


def test_an_outsider_scores_as_her_slow_twin_does() -> None:
    """Tables round widths to four digits and draw lines between nodes: a few 10⁻³ in fifty readings."""
    house, count = two_groups(), 3
    b = np.linspace(0.2, 1.5, house.steps)
    b[5] = np.inf
    seen = list(draw_readings(house, 4, count))
    assert len(seen) == 2
    observer = Observer(house, b, "outsider", count)
    scores = [observer.watch(day) for day in seen]
    for truth in range(2):
        for r in range(count):
            twin = slow_outsider(house, b, seen, truth, r)
            np.testing.assert_allclose([own[truth, r] for own in scores], twin, atol=0.02)
            assert abs(twin[1]) > 0.05


def test_a_reading_that_refutes_a_hypothesis_does_so_for_good() -> None:
    """Without noise a use above the empty bound cannot be a holiday's; the ordinary life goes on."""
    scenario = Scenario(households=3, step_minutes=60, groups=(Group(occupied_max=5.0, empty_max=0.1),))
    known = market(scenario, draw_day(scenario))
    house = watch_house(known, 0, HYPOTHESES["holiday"])
    (seen,) = draw_readings(house, 1, 4)
    score = Observer(house, np.zeros(house.steps), "insider", 4).watch(seen)
    bound = float(house.use.empty_bound[0])
    refuted = np.asarray((seen.used > bound).any(axis=0))
    assert (score[refuted] == -np.inf).all()
    assert refuted[0].any()
    assert not refuted[1].any()
    assert (score[~refuted] > 0).all()

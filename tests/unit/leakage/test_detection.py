"""A stretch of days: the design's numbers, slow twins of both observers, little and much noise."""

from dataclasses import replace
from math import exp, log

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.attack.adversary import AdversaryKind
from rtp.core.types import Floats
from rtp.leakage.area import final_areas, roc_estimates
from rtp.leakage.budget import noise_scale
from rtp.leakage.detection import detect, detect_daily, epsilon_for_detection
from rtp.leakage.hypothesis import HYPOTHESES, WatchedDays, WatchedHouse, draw_readings, watch_house
from rtp.leakage.observer import (
    Observer,
    crowd_filter,
    house_llr,
    mixture_log_density,
    outsider_log_likelihoods,
)
from rtp.mechanisms import REGISTRY, private
from rtp.probability.histogram import Histograms
from rtp.probability.markov import Chains, propagate
from rtp.scenario import Group
from rtp.simulation import Market, draw_day, market
from rtp.street.draw import Use
from rtp.street.simulate import replay_houses

FEW = Scenario(households=40, step_minutes=60)
UNIFORM = Use(occupied_bound=np.array([6.0]), empty_bound=np.array([2.0]))
HISTOGRAM = Use(
    occupied_bound=np.array([6.0]),
    empty_bound=np.array([6.0]),
    distributions=Histograms(
        edges=np.array([[1.0, 2.0, 6.0]]), mass=np.array([[[0.75, 0.25]], [[0.0, 1.0]]])
    ),
)


def visible(known: Market) -> int:
    """The house that is nearest to using 0.9 when occupied and 0.1 when empty."""
    street = known.street_day.street
    return int(np.argmin((street.occupied_bound - 0.9) ** 2 + (street.empty_bound - 0.1) ** 2))


@pytest.mark.parametrize(("u", "sigma", "b"), [(0.9, 2.0, 1.5), (0.1, 0.7, 0.2), (0.0, 1.0, 3.0)])
@pytest.mark.parametrize("y", [-4.0, 0.3, 5.0])
def test_densities_are_those_of_direct_integration(u: float, sigma: float, b: float, y: float) -> None:
    """By midpoints, fine beside every width: both integrals of smooth functions but for one kink."""
    use = u * (np.arange(60) + 0.5) / 60
    z = 12 * sigma * (np.arange(-4_000, 4_000) + 0.5) / 4_000
    normal = np.exp(-(z**2) / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))
    laplace = [float(np.exp(-np.abs(y - x - z) / b) @ normal) for x in use]
    direct = np.mean(laplace) / (2 * b) * (z[1] - z[0])
    assert density(y, u, sigma, b) == pytest.approx(direct, rel=1e-4)
    pieces = ((0.0, u, 0.3), (0.5, 1.0, 0.7))
    parts = sum(mass * density(y - low, width, sigma, b) for low, width, mass in pieces)
    both = mixture_log_density(np.array([y]), pieces, sigma, b)
    assert np.exp(both[0]) == pytest.approx(parts, rel=1e-4)


def density(y: float, u: float, sigma: float, b: float) -> float:
    """Of U(0, u) + N(0, σ²) + Lap(b)."""
    return float(np.exp(mixture_log_density(np.array([y]), ((0.0, u, 1.0),), sigma, b))[0])


def slow_scores(
    house: WatchedHouse, b: Floats, seen: list[WatchedDays], adversary: AdversaryKind, truth: int, r: int
) -> float:
    """The score of one repetition after all days, reading by reading: textbook Bayes for the house and, for
    the outsider, textbook Kalman beside it."""
    bounds = [float(bound[0]) for bound in (house.use.empty_bound, house.use.occupied_bound)]
    (leave, arrive), filters = house.transitions(), crowd_filter(house.others, b)
    used, others, noise = (
        np.concatenate([getattr(day, name)[:, truth, r] for day in seen])
        for name in ("used", "crowd", "noise")
    )
    totals = []
    for way in range(2):
        p, total, crowd = float(house.initial()[way]), 0.0, np.zeros(len(house.others.demand))
        for t, scale in enumerate(b.tolist()):
            if np.isfinite(scale):
                reading = used[t] + scale * noise[t]
                if adversary == "insider":
                    likely = [uniform_laplace(reading, u, scale) for u in bounds]
                else:
                    F, K, deviation = filters[t]
                    crowd = F * crowd
                    rest = reading + others[t] - crowd.sum()
                    likely = [density(rest, u, deviation, scale) for u in bounds]
                both = (1 - p) * likely[0] + p * likely[1]
                total, p = total + log(both), p * likely[1] / both
                if adversary == "outsider":
                    crowd = crowd + K * (rest - (p * bounds[1] + (1 - p) * bounds[0]) / 2)
            p = p * (1 - leave[t, way]) + (1 - p) * arrive[t, way]
        totals.append(total)
    return totals[1] - totals[0]


def uniform_laplace(y: float, u: float, b: float) -> float:
    """The density of U(0, u) + Lap(b)."""
    below = [exp(x / b) / 2 if x < 0 else 1 - exp(-x / b) / 2 for x in (y, y - u)]
    return (below[0] - below[1]) / u


@pytest.mark.parametrize("secret", HYPOTHESES)
def test_the_insiders_area_is_that_of_an_independent_slow_twin(secret: str) -> None:
    known, count = market(FEW, draw_day(FEW)), 40
    house = watch_house(known, visible(known), HYPOTHESES[secret])
    b = noise_scale(known, REGISTRY["naive"], 2.0)
    b[5] = np.inf  # tells nothing
    seen = list(draw_readings(house, 4, count))
    ours = Observer(house, b, "insider", count).watch(seen[0])
    theirs = np.array(
        [[slow_scores(house, b, seen, "insider", truth, r) for r in range(count)] for truth in range(2)]
    )
    np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-9)
    pairs = np.sign(theirs[1][:, None] - theirs[0])
    assert float(roc_estimates(ours)[0].value) == pytest.approx((1 + pairs.mean()) / 2)


def test_an_outsider_scores_as_her_slow_twin_does() -> None:
    """Tables round widths to four digits and draw lines between nodes: a few 10⁻³ in fifty readings."""
    scenario, count = PRESETS["mixed street"].replace(households=30, step_minutes=60, days=2), 3
    known = market(scenario, draw_day(scenario))
    house = watch_house(known, int(known.street_day.street.bound.argmax()), HYPOTHESES["holiday"])
    b = np.linspace(0.2, 1.5, house.steps)
    b[5] = np.inf
    seen = list(draw_readings(house, 4, count))
    observer = Observer(house, b, "outsider", count)
    *_, scores = (observer.watch(day) for day in seen)
    for truth in range(2):
        for r in range(count):
            twin = slow_scores(house, b, seen, "outsider", truth, r)
            assert scores[truth, r] == pytest.approx(twin, abs=0.02)
            assert abs(twin) > 0.05


def test_readings_are_drawn_from_both_chains() -> None:
    """The mean use at every step, within five standard errors of 2,000 repetitions."""
    known, count = market(FEW, draw_day(FEW)), 2000
    house = watch_house(known, visible(known), HYPOTHESES["working hours"])
    (seen,) = draw_readings(house, 0, count)
    for truth, chain in enumerate(house.chains):
        within = 5 * seen.used[:, truth].std(axis=1) / np.sqrt(count)
        assert (np.abs(seen.used[:, truth].mean(axis=1) - _mean_use(house, chain)) <= within).all()


@pytest.mark.long
def test_a_crowd_of_real_houses_hides_as_much_as_the_normal_one() -> None:
    """The outsider's area where everyone else is lived house by house, on 200 streets alike but for luck."""
    scenario, count = Scenario(households=150), 200
    known = market(scenario, draw_day(scenario))
    house = watch_house(known, visible(known), HYPOTHESES["holiday"])
    b = noise_scale(known, REGISTRY["calibrated"], 2.0)
    others = np.delete(np.arange(150), visible(known))
    real = np.empty((96, 2, count))
    for i in range(2 * count):
        spec = replace(known.street_day.spec, seed=1000 + i)
        _, used = replay_houses(spec, known.street_day.street, others.tolist())
        real[:, i % 2, i // 2] = used.sum(axis=1)
    expected = known.street_day.true_moments.expected_demand - _mean_use(house, house.ordinary)
    (seen,) = draw_readings(house, 0, count)
    crowded = WatchedDays(used=seen.used, crowd=real - expected[:, None, None], noise=seen.noise)
    theirs = roc_estimates(Observer(house, b, "outsider", count).watch(crowded))[0]
    (ours,) = final_areas(house, b, ["outsider"], draw_readings(house, 0, 1500), 1500)
    assert abs(ours.value - float(theirs.value)) <= ours.high - ours.value + float(theirs.high - theirs.value)
    assert ours.value > 0.6


def _mean_use(house: WatchedHouse, chain: Chains) -> Floats:
    p, ((m0, m1), _) = propagate(chain)[:, 0], house.use.moments()
    return np.asarray(p * m1 + (1 - p) * m0)


def test_the_filter_of_the_crowd_is_that_of_all_readings_so_far() -> None:
    """The estimate's deviation after three steps against the normal law of all three, written out."""
    known = market(FEW, draw_day(FEW))
    others = known.street_day.true_moments
    b = np.full(FEW.steps, 0.7)
    F = others.lag1_covariance[0] / others.occupancy_variance[0]
    cross = np.diag(others.occupancy_variance[0, :3])
    for s, t in ((0, 1), (1, 2), (0, 2)):
        cross[s, t] = cross[t, s] = others.occupancy_variance[0, s] * np.prod(F[s:t])
    noise = np.diag(others.consumption_variance[0, :3] + 2 * 0.7**2)
    before = (cross + noise)[:2, :2]
    left = cross[2, 2] - cross[2, :2] @ np.linalg.solve(before, cross[:2, 2])
    deviation = crowd_filter(others, b)[2].deviation
    assert deviation**2 == pytest.approx(left + others.consumption_variance[0, 2], rel=1e-12)


@pytest.mark.slow
def test_areas_fall_to_a_half_reach_the_bare_curve_and_an_insider_sees_more() -> None:
    found = {
        epsilon: list(detect_daily(FEW.replace(epsilon=epsilon), "holiday", 1, repetitions=400))[-1].by_rate
        for epsilon in (1e-4, 1.0, 1e4)
    }
    for adversary in ("insider", "outsider"):
        for name in private():
            hidden = found[1e-4][name, adversary].area
            assert abs(hidden.value[-1] - 0.5) <= 1e-3 + 2 * (hidden.high[-1] - hidden.value[-1])
        for name in ("naive", "blowfish", "calibrated", "filtered"):
            bare = found[1e4]["optimal", adversary].area.value
            np.testing.assert_allclose(found[1e4][name, adversary].area.value, bare, atol=0.01)
            assert 0.5 < found[1.0][name, adversary].area.value[-1] <= bare[-1] + 0.01
    for name in REGISTRY:
        inside, outside = (found[1.0][name, adversary].area for adversary in ("insider", "outsider"))
        assert (inside.value >= outside.value - (outside.high - outside.value)).all()
    one, other = (found[1.0][name, "outsider"].area.value for name in ("filtered", "calibrated"))
    np.testing.assert_array_equal(one, other)  # what is done after the noise can be undone
    assert found[1.0]["forecast", "insider"].area.value.tolist() == [0.5]


@pytest.mark.slow
def test_the_budget_that_hides_a_stretch() -> None:
    hidden = epsilon_for_detection(FEW, "naive", "holiday", 0.7, "insider", days=2, repetitions=200)
    assert hidden.epsilon is not None
    for factor, below in ((1.0, True), (1.1, False)):
        scenario = FEW.replace(epsilon=hidden.epsilon * factor)
        area = detect(scenario, "naive", "holiday", 2, "insider", repetitions=200).area.value[-1]
        assert (area <= 0.7) == below
    assert hidden.area == pytest.approx(0.7, abs=0.02)
    assert hidden.interval[0] < hidden.area < hidden.interval[1]
    assert epsilon_for_detection(FEW, "forecast", "holiday", 0.7, "insider", days=1).epsilon == 0.0
    crowd = epsilon_for_detection(FEW, "naive", "holiday", 0.999, "outsider", days=1, repetitions=40)
    assert crowd.epsilon == 1e4


@pytest.mark.parametrize("use", [UNIFORM, HISTOGRAM])
def test_without_a_crowd_she_sees_what_the_insider_sees(use: Use) -> None:
    y, b = np.array([[0.4, 1.7, 5.2]]), 0.8
    occupied, empty = outsider_log_likelihoods(y, 0.9e-9 * 6.0, b, use)
    insider = house_llr(y, np.zeros_like(y), np.array([b]), use)
    np.testing.assert_allclose(occupied - empty, insider, rtol=1e-9)
    crowded, _ = outsider_log_likelihoods(y, 1.0, b, use)
    assert np.abs(crowded - occupied).max() > 0.01


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

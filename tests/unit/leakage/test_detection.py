"""A stretch of days: the design's numbers, an independent slow twin, the limits of little and much noise."""

from collections.abc import Callable
from dataclasses import replace
from math import exp, log

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import Scenario, ScenarioError
from rtp.attack.adversary import AdversaryKind
from rtp.core.stats import Range
from rtp.core.types import Floats
from rtp.leakage.budget import noise_scale
from rtp.leakage.detection import (
    _largest_below,
    detect,
    detect_daily,
    detection_frame,
    epsilon_for_detection,
    roc_estimates,
)
from rtp.leakage.hypothesis import HYPOTHESES, WatchedDays, WatchedHouse, draw_readings, watch_house
from rtp.leakage.observer import Observer, crowd_filter, log_uniform_normal_laplace
from rtp.mechanisms import REGISTRY, private
from rtp.probability.markov import propagate
from rtp.scenario import BOUNDS
from rtp.simulation import Market, draw_day, market
from rtp.street.moments import DemandMoments
from rtp.street.simulate import replay_houses
from tests.help.sentence import exactly

WEEK = Scenario(days=7)
FEW = Scenario(households=40, step_minutes=60)


@pytest.fixture(scope="module")
def known() -> Market:
    return market(WEEK, draw_day(WEEK))


def visible(known: Market) -> int:
    """The house that is nearest to using 0.9 when occupied and 0.1 when empty."""
    street = known.street_day.street
    return int(np.argmin((street.occupied_bound - 0.9) ** 2 + (street.empty_bound - 0.1) ** 2))


def areas(
    house: WatchedHouse, b: Floats, adversary: AdversaryKind, count: int
) -> dict[int, tuple[float, float]]:
    """By day: the area, and half of its interval."""
    observer, found = Observer(house, b, adversary, count), {}
    for day, seen in enumerate(draw_readings(house, 0, count), start=1):
        area = roc_estimates(observer.watch(seen))[0]
        found[day] = float(area.value), float(area.high - area.value)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("epsilon", "adversary", "forgetful", "day", "week"),
    [
        (0.5, "insider", False, 0.76, 0.97),
        (0.05, "insider", False, 0.54, 0.57),
        (0.5, "outsider", True, 0.58, 0.74),
        (None, "outsider", True, 0.61, 0.77),
    ],
)
def test_the_designs_numbers(
    known: Market, epsilon: float | None, adversary: AdversaryKind, forgetful: bool, day: float, week: float
) -> None:
    """Those of the outsider are for a crowd that is drawn afresh at every step; a real one goes on.

    The design gives two digits; both sides are sampled, so twice the interval is allowed.
    """
    house = watch_house(known, visible(known), HYPOTHESES["holiday"])
    if forgetful:
        house = replace(
            house, others=replace(house.others, lag1_covariance=np.zeros_like(house.others.lag1_covariance))
        )
    b = np.zeros(WEEK.steps) if epsilon is None else noise_scale(known, REGISTRY["blowfish"], epsilon)
    found = areas(house, b, adversary, 500)
    for days, stated in ((1, day), (7, week)):
        area, reach = found[days]
        assert abs(area - stated) <= 2 * reach + 0.005


@pytest.mark.parametrize(("u", "sigma", "b"), [(0.9, 2.0, 1.5), (0.1, 0.7, 0.2), (0.0, 1.0, 3.0)])
@pytest.mark.parametrize("y", [-4.0, 0.3, 5.0])
def test_densities_are_those_of_direct_integration(u: float, sigma: float, b: float, y: float) -> None:
    """By midpoints, fine beside every width: both integrals of smooth functions but for one kink."""
    use = u * (np.arange(60) + 0.5) / 60
    z = 12 * sigma * (np.arange(-4_000, 4_000) + 0.5) / 4_000
    normal = np.exp(-(z**2) / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))
    laplace = [float(np.exp(-np.abs(y - x - z) / b) @ normal) for x in use]
    direct = np.mean(laplace) / (2 * b) * (z[1] - z[0])
    assert np.exp(log_uniform_normal_laplace(np.array([y]), u, sigma, b))[0] == pytest.approx(
        direct, rel=1e-4
    )


def slow_twin(house: WatchedHouse, b: Floats, count: int) -> float:
    """The insider's area, life by life in plain numbers, of other lives and noise; all pairs are compared."""
    rng = default_rng(5)
    u, v = float(house.use.occupied_bound[0]), float(house.use.empty_bound[0])
    scores: tuple[list[float], list[float]] = ([], [])

    def below(y: float) -> float:
        return exp(y) / 2 if y < 0 else 1 - exp(-y) / 2

    def density(y: float, width: float, scale: float) -> float:
        return (below(y / scale) - below((y - width) / scale)) / width

    for truth, lived in enumerate(house.chains):
        for _ in range(count):
            state, readings = rng.random() < lived.initial[0], []
            for t in range(house.steps):
                readings.append(rng.uniform(0, u if state else v) + rng.laplace(scale=b[t]))
                if t < house.steps - 1:
                    out, back = lived.leave[lived.row[t], 0], lived.arrive[lived.row[t], 0]
                    state = rng.random() >= out if state else rng.random() < back
            likelihoods = [
                np.array([density(y, v, b[t]), density(y, u, b[t])]) for t, y in enumerate(readings)
            ]
            ratio = 0.0
            for sign, chain in ((-1, house.ordinary), (1, house.alternative)):
                weights = np.array([1 - chain.initial[0], chain.initial[0]])
                for t, likelihood in enumerate(likelihoods):
                    weights = weights * likelihood
                    ratio += sign * log(weights.sum())
                    weights = weights / weights.sum()
                    if t < house.steps - 1:
                        out, back = chain.leave[chain.row[t], 0], chain.arrive[chain.row[t], 0]
                        weights = weights @ np.array([[1 - back, back], [out, 1 - out]])
            scores[truth].append(ratio)
    ordinary, secret = map(np.array, scores)
    return float((secret[:, None] > ordinary).mean() + (secret[:, None] == ordinary).mean() / 2)


@pytest.mark.slow
@pytest.mark.parametrize("secret", HYPOTHESES)
def test_the_insiders_area_is_that_of_an_independent_slow_twin(secret: str) -> None:
    """Of a day at ε = 2; the variance of an area of n + n lives is at most area·(1 − area)/n."""
    scenario, count = FEW.replace(epsilon=2.0, step_minutes=15), 50
    known = market(scenario, draw_day(scenario))
    house = watch_house(known, visible(known), HYPOTHESES[secret])
    b = noise_scale(known, REGISTRY["naive"], 2.0)
    ours, reach = areas(house, b, "insider", 1000)[1]
    theirs = slow_twin(house, b, count)
    assert abs(ours - theirs) <= reach + 3 * np.sqrt(theirs * (1 - theirs) / count)
    assert theirs > 0.6  # there is something to tell


@pytest.mark.slow
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
    expected = known.street_day.true_moments.expected_demand - _own_mean(house)
    (seen,) = draw_readings(house, 0, count)
    crowded = WatchedDays(used=seen.used, crowd=real - expected[:, None, None], noise=seen.noise)
    theirs = roc_estimates(Observer(house, b, "outsider", count).watch(crowded))[0]
    ours, reach = areas(house, b, "outsider", 1500)[1]
    assert abs(ours - float(theirs.value)) <= reach + float(theirs.high - theirs.value)
    assert ours > 0.6


def _own_mean(house: WatchedHouse) -> Floats:
    p, ((m0, m1), _) = propagate(house.ordinary)[:, 0], house.use.moments()
    return np.asarray(p * m1 + (1 - p) * m0)


def starting_empty(initial: float) -> Scenario:
    """Houses that use nothing while they are empty, as nearly all are at first."""
    plain = Scenario(households=100, epsilon=1.0)
    habits = plain.models[0].habits[0].model_copy(update={"initial_occupied": initial})
    model = plain.models[0].model_copy(update={"habits": (habits,)})
    group = plain.groups[0].model_copy(update={"empty_max": 0.0})
    return plain.replace(groups=(group,), models=(model,))


def test_one_step_without_a_crowd_makes_no_insider_of_an_outsider() -> None:
    """Nobody's use is uncertain at the first step; a hundredth of doubt there changes next to nothing."""
    certain, nearly = (
        detect(starting_empty(initial), "blowfish", "holiday", 1, "outsider", repetitions=200).area
        for initial in (0.0, 0.01)
    )
    insider = detect(starting_empty(0.0), "blowfish", "holiday", 1, "insider", repetitions=200).area
    assert certain.value[0] == pytest.approx(nearly.value[0], abs=0.01)
    assert certain.high[0] < insider.low[0]


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


def test_readings_of_nothing_or_only_noise_move_no_estimate_of_the_crowd() -> None:
    nobody = DemandMoments(*np.zeros((5, 1, 2)))
    crowd = DemandMoments(*np.ones((5, 1, 2)))
    assert crowd_filter(nobody, np.zeros(2))[0].K == 0
    assert crowd_filter(crowd, np.full(2, np.inf))[0].K == 0
    assert crowd_filter(crowd, np.zeros(2))[0].K == 0.5


@pytest.mark.slow
def test_areas_fall_to_a_half_reach_the_bare_curve_and_an_insider_sees_more() -> None:
    found = {
        epsilon: list(detect_daily(FEW.replace(epsilon=epsilon), "holiday", 1, repetitions=400))[-1].by_rate
        for epsilon in (1e-4, 1.0, 1e4)
    }
    for adversary in ("insider", "outsider"):
        for name in private():
            hidden = found[1e-4][name, adversary].area
            assert abs(hidden.value[-1] - 0.5) <= 2 * (hidden.high[-1] - hidden.value[-1])
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


def test_a_target_out_of_reach_is_none_and_one_within_every_budget_the_largest() -> None:
    low, high, _ = BOUNDS["epsilon"]
    small, medium, large = (Range(area, area - 0.1, area + 0.1) for area in (0.5, 0.55, 0.8))
    assert _largest_below({low: large}.__getitem__, 0.6) == (None, large)
    assert _largest_below({low: small, high: medium}.__getitem__, 0.6) == (high, medium)


def test_a_stretch_can_be_stopped_and_its_horizons_are_those_reached() -> None:
    class Enough(Exception):
        pass

    def stop(done: float) -> None:
        if done > 0.5:
            raise Enough

    with pytest.raises(Enough):
        detect(FEW, "naive", "holiday", 4, "insider", repetitions=40, progress=stop)
    found = detect(FEW, "naive", "holiday", 4, "insider", repetitions=40)
    assert found.days == (1, 2, 3, 4)


def test_rows_have_the_areas_and_hits_of_every_horizon() -> None:
    *_, found = detect_daily(FEW, "holiday", 2, repetitions=40)
    frame = detection_frame(found)
    assert list(frame) == [
        "rate",
        "knows",
        "days",
        *("area", "area_low", "area_high"),
        *("hits", "hits_low", "hits_high"),
    ]
    assert len(frame) == 2 * len(found.by_rate)
    row = frame[(frame["rate"] == "naive") & (frame["knows"] == "others")].iloc[1]
    seen = found.by_rate["naive", "insider"]
    estimates = [each[1] for part in (seen.area, seen.hits) for each in (part.value, part.low, part.high)]
    assert row.tolist() == ["naive", "others", 2, *estimates]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: detect(FEW, "naive", "party", 1, "outsider"),
            "hypothesis is 'party'; it must be one of holiday, working hours, up at night.",
        ),
        (
            lambda: detect(FEW, "naive", "holiday", 0, "outsider"),
            "days is 0; it must be a whole number from 1 to 30.",
        ),
        (
            lambda: detect(FEW, "naive", "holiday", 31, "outsider"),
            "days is 31; it must be a whole number from 1 to 30.",
        ),
        (
            lambda: detect(FEW, "naive", "holiday", 1, "outsider", house=40),
            "house is 40; it must be a whole number from 0 to 39.",
        ),
        (
            lambda: detect(FEW, "none", "holiday", 1, "outsider"),
            f"mechanism is 'none'; it must be one of {', '.join(REGISTRY)}.",
        ),
        (
            lambda: epsilon_for_detection(FEW, "naive", "holiday", 0.5, "outsider"),
            "area is 0.5; it must be a number from 0.501 to 0.999.",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        call()

"""How well the observer does: curves, averages and intervals, and what must hold between mechanisms."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.stats import binom, t

from rtp import PRESETS, Scenario, ScenarioError
from rtp.attacker import roc
from rtp.attacker.success import DAYS, Attack, attack, attacks
from rtp.mechanisms import REGISTRY
from rtp.statistics import Estimate

SMALL = Scenario(households=5)
STREET = Scenario(households=40)


def test_area_is_the_chance_to_rank_a_pair_right() -> None:
    rng = default_rng(0)
    empty, occupied = rng.integers(0, 6, 40), rng.integers(2, 8, 30)
    counts = np.array([np.bincount(empty, minlength=9), np.bincount(occupied, minlength=9)], dtype=float)
    pairs = np.sign(occupied[:, None] - empty) / 2 + 0.5
    assert roc.area(counts) == pytest.approx(pairs.mean(), abs=1e-12)


def test_curve_counts_hits_at_every_false_alarm_rate() -> None:
    """Ten empty moments and ten occupied ones: the curve is a staircase whose corners can be counted."""
    empty, occupied = [0, 1, 2, 3, 4, 5, 6, 7, 8, 15], [9, 10, 11, 12, 13, 14, 16, 17, 18, 19]
    counts = np.zeros((2, 20))
    counts[0, empty] = counts[1, occupied] = 1
    found = dict(zip(roc.FALSE_ALARMS.round(2).tolist(), roc.curve(counts).tolist(), strict=True))
    assert found[0.1] == pytest.approx(1.0)
    assert found[0.05] == pytest.approx(
        0.4
    )  # four moments score above the false alarm; a tie is a straight line
    assert found[1.0] == 1.0
    assert roc.area(counts) == pytest.approx(0.94)


def test_where_nothing_can_be_told_apart_the_curve_is_the_diagonal() -> None:
    np.testing.assert_array_equal(roc.curve(np.zeros((2, 5))), roc.FALSE_ALARMS)
    assert roc.area(np.zeros((2, 5))) == 0.5
    one_bin = np.zeros((2, 5))
    one_bin[:, 2] = (30, 12)
    np.testing.assert_allclose(roc.curve(one_bin), roc.FALSE_ALARMS, atol=1e-12)
    assert roc.area(one_bin) == 0.5


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 2.0, 20.0])
def test_the_ceiling_is_what_randomised_response_reaches(epsilon: float) -> None:
    """An answer that is true with odds e^ε: the corner of its curve lies on the ceiling."""
    truthful = 1 / (1 + np.exp(-epsilon))
    ceiling = roc.ceiling(epsilon, np.array([0.0, 1 - truthful, 0.5, 1.0]))
    assert ceiling[0] == 0
    assert ceiling[1] == pytest.approx(truthful)
    assert ceiling[2] == pytest.approx(1 - np.exp(-epsilon) / 2)
    assert ceiling[3] == 1
    curve = roc.ceiling(epsilon, roc.FALSE_ALARMS)
    assert (np.diff(curve) >= -1e-12).all()
    assert (curve >= roc.FALSE_ALARMS - 1e-12).all()


def test_without_a_promise_the_ceiling_is_perfection() -> None:
    for epsilon in (1e4, np.inf):
        np.testing.assert_allclose(roc.ceiling(epsilon, np.array([0.0, 0.01, 1.0])), [0, 1, 1])


def test_of_a_mean_the_jackknife_is_students_interval() -> None:
    days = default_rng(1).normal(3, 2, size=12)
    counted = np.column_stack([days, np.ones(12)])
    found = roc.jackknife(counted, lambda total: total[0] / total[1])
    half = t.ppf(0.975, 11) * days.std(ddof=1) / np.sqrt(12)
    assert found.value == pytest.approx(days.mean())
    assert found.low == pytest.approx(days.mean() - half)
    assert found.high == pytest.approx(days.mean() + half)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """AUC of normal scores one apart is Φ(1/√2) = 0.76025; days of uneven size. 400 intervals at 95 %."""
    rng, trials = default_rng(2), 400
    edges = np.linspace(-5, 6, 400)
    covered = 0
    for _ in range(trials):
        days = np.array(
            [
                [np.histogram(rng.normal(side, 1, rng.integers(20, 60)), edges)[0] for side in (0, 1)]
                for _ in range(15)
            ],
            dtype=float,
        )
        found = roc.jackknife(days, roc.area)
        covered += bool(found.low <= 0.76025 <= found.high)
    assert binom.cdf(covered, trials, 0.95) > 1e-4
    assert binom.sf(covered - 1, trials, 0.98) > 1e-4


def test_one_day_has_no_interval() -> None:
    found = roc.jackknife(np.ones((1, 2)), lambda n: n[0] / n[1], 0, 1)
    assert [float(end) for end in (found.low, found.value, found.high)] == [0, 1, 1]


@pytest.fixture(scope="module")
def others() -> Attack:
    return attack(STREET, 20, knows="others")


@pytest.fixture(scope="module")
def model() -> Attack:
    return attack(SMALL, 20)


def test_every_mechanism_is_scored_with_its_interval(others: Attack, model: Attack) -> None:
    for result in (others, model):
        assert list(result.scores) == list(REGISTRY)
        assert result.days == 20
        for score in (*result.scores.values(), result.model):
            for name in ("auc", "accuracy", "log_loss", "advantage", "evidence_auc"):
                found: Estimate = getattr(score, name)
                assert found.low <= found.value <= found.high
            assert score.roc.value.shape == roc.FALSE_ALARMS.shape
            assert (np.diff(score.roc.value) >= -1e-12).all()
            assert (score.roc.low <= score.roc.value).all()


def test_the_forecast_gives_no_advantage_at_all(others: Attack, model: Attack) -> None:
    for result in (others, model):
        forecast = result.scores["forecast"]
        assert (
            forecast.advantage.value == forecast.auc_advantage.value == forecast.log_loss_advantage.value == 0
        )
        assert forecast.evidence_auc.value == 0.5
        np.testing.assert_array_equal(forecast.roc.value, result.model.roc.value)


def test_less_noise_is_a_better_attack(others: Attack) -> None:
    """Same days, same noise draws, and log-loss, which is a proper score."""
    loss = [float(others.scores[m].log_loss.value) for m in ("forecast", "blowfish", "calibrated", "optimal")]
    assert all(worse > better for worse, better in pairwise(loss))
    optimal = others.scores["optimal"]
    assert optimal.advantage.low > 0.05
    assert optimal.auc.low > others.model.auc.high


def test_knowing_the_others_is_the_stronger_attack() -> None:
    weak, strong = (attack(SMALL, 10, knows=k, mechanisms=["optimal"]) for k in ("model", "others"))
    assert strong.scores["optimal"].log_loss.high < weak.scores["optimal"].log_loss.low


def test_the_filter_hides_nothing_that_its_noise_does_not(others: Attack, model: Attack) -> None:
    for result in (others, model):
        filtered, calibrated = result.scores["filtered"], result.scores["calibrated"]
        assert filtered.log_loss.value == pytest.approx(calibrated.log_loss.value, abs=1e-6)


def test_no_evidence_curve_rises_above_the_ceiling(others: Attack, model: Attack) -> None:
    """Up to sampling: by no more than its own interval, at any of 101 points."""
    for result in (others, model):
        ceiling = roc.ceiling(result.scenario.epsilon, roc.FALSE_ALARMS)
        for name in ("naive", "blowfish", "calibrated", "filtered"):
            assert (result.scores[name].evidence_roc.low <= ceiling + 1e-9).all()
    assert (others.scores["optimal"].evidence_roc.low > roc.ceiling(0.5, roc.FALSE_ALARMS)).any()


def test_a_vast_budget_leaves_the_attack_of_the_unprotected_rate() -> None:
    result = attack(SMALL.replace(epsilon=1e4), 5, knows="others")
    optimal, blowfish = (result.scores[m] for m in ("optimal", "blowfish"))
    assert blowfish.accuracy.value == pytest.approx(float(optimal.accuracy.value), abs=0.01)
    assert blowfish.log_loss.value == pytest.approx(float(optimal.log_loss.value), abs=0.01)


def test_a_vanishing_budget_leaves_the_model_alone() -> None:
    """Log-odds move by T·ε = 0.0096 at most, and log-loss is 1-Lipschitz in log-odds."""
    result = attack(SMALL.replace(epsilon=1e-4), 5, mechanisms=["naive", "blowfish", "calibrated"])
    for score in result.scores.values():
        assert abs(score.log_loss_advantage.value) <= 96 * 1e-4


def test_days_are_new_and_reproducible() -> None:
    first, again = (attack(SMALL, 3, mechanisms=["blowfish"]) for _ in range(2))
    assert first.tallies["blowfish"][0].loss == again.tallies["blowfish"][0].loss
    losses = [day.loss for day in first.tallies["blowfish"]]
    assert len(set(losses)) == 3
    other = attack(SMALL.replace(independent_noise=True), 3, mechanisms=["blowfish", "naive"])
    assert other.tallies["blowfish"][0].loss != first.tallies["blowfish"][0].loss


def test_one_house_can_be_singled_out() -> None:
    result = attack(STREET, 4, knows="others", house=3)
    assert result.houses.tolist() == [3]
    assert result.model_tallies[0].moments == 96
    same = attack(STREET, 4, house=3, mechanisms=["blowfish"])
    assert same.model_tallies[0].right == result.model_tallies[0].right  # the same days, however she looks


def test_results_grow_day_by_day_so_that_stopping_keeps_them() -> None:
    growing = attacks(SMALL, 5, mechanisms=["optimal"])
    days = [next(growing).days, next(growing).days, next(growing).days]
    assert days == [1, 2, 3]
    told: list[float] = []
    attack(SMALL, 4, mechanisms=["optimal"], progress=told.append)
    assert told == [0.25, 0.5, 0.75, 1.0]


def test_several_days_in_the_scenario_are_attacked_one_at_a_time() -> None:
    assert attack(SMALL.replace(days=3), 2, mechanisms=["naive"]).scenario.days == 1


def test_a_street_with_several_groups_and_models() -> None:
    result = attack(PRESETS["unsure curator"].replace(households=30), 2, mechanisms=["blowfish"])
    assert 0.5 < result.scores["blowfish"].accuracy.value <= 1


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"days": 1}, "days"),
        ({"days": DAYS.high + 1}, "days"),
        ({"days": 3, "mechanisms": ["magic"]}, "mechanism"),
        ({"days": 3, "knows": "all"}, "knows"),
        ({"days": 3, "house": 5}, "house"),
    ],
)
def test_bad_input_is_refused_before_anything_runs(arguments: dict[str, object], field: str) -> None:
    with pytest.raises(ScenarioError, match=rf"^{field} is "):
        attacks(SMALL, **arguments)  # type: ignore[arg-type]

"""How well the observer does over many days, and what must hold between mechanisms."""

from dataclasses import replace
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import Inference, posterior
from rtp.attack.scores import FALSE_ALARMS, roc_ceiling
from rtp.attack.success import (
    Attack,
    Strongest,
    attack,
    attack_of_the_day,
    attacks,
    moment_summary,
    right_so_far,
    strongest,
)
from rtp.attack.words import strongest_words
from rtp.core.stats import Estimate
from rtp.core.types import Bools, Floats
from rtp.mechanisms import REGISTRY, NoiseScale, Public
from rtp.probability.markov import propagate
from rtp.simulation import draw_day
from rtp.street.simulate import replay_houses

SMALL = Scenario(households=5)
HOURLY = SMALL.replace(step_minutes=60)  # 32 joint states a step, of 24 steps
STREET = Scenario(households=40)


@pytest.fixture(scope="module")
def others() -> Attack:
    return attack(STREET, 20, adversary="insider")


@pytest.fixture(scope="module")
def model() -> Attack:
    return attack(HOURLY, 3)


@pytest.mark.slow
def test_every_mechanism_is_scored_with_its_interval(others: Attack, model: Attack) -> None:
    for result in (others, model):
        assert list(result.scores) == list(REGISTRY)
        assert result.days == (20 if result is others else 3)
        for score in (*result.scores.values(), result.model):
            for name in ("auc", "accuracy", "log_loss", "advantage", "evidence_auc"):
                found: Estimate = getattr(score, name)
                assert found.low <= found.value <= found.high
            assert score.roc.value.shape == FALSE_ALARMS.shape
            assert (np.diff(score.roc.value) >= -1e-12).all()
            assert (score.roc.low <= score.roc.value).all()


@pytest.mark.slow
def test_the_forecast_gives_no_advantage_at_all(others: Attack, model: Attack) -> None:
    for result in (others, model):
        forecast = result.scores["forecast"]
        assert forecast.advantage.value == 0
        assert forecast.auc.value == result.model.auc.value
        assert forecast.log_loss.value == result.model.log_loss.value
        assert forecast.evidence_auc.value == 0.5
        np.testing.assert_array_equal(forecast.roc.value, result.model.roc.value)


@pytest.mark.slow
def test_less_noise_is_a_better_attack(others: Attack) -> None:
    """Same days, same noise draws, and log-loss, which is a proper score.

    From the exact rate, knowing the others, she reads what a house used. More than it can use when empty,
    which happens with chance p·(1 − u₀/u₁), proves it occupied, also where the model says empty (p < ½); and
    the other way round. So much she gains at least.
    """
    loss = [float(others.scores[m].log_loss.value) for m in ("forecast", "blowfish", "calibrated", "optimal")]
    assert all(worse > better for worse, better in pairwise(loss))
    optimal = others.scores["optimal"]
    life = draw_day(STREET)
    occupied, empty = life.street.occupied_bound, life.street.empty_bound
    chance = propagate(life.spec.chains(life.street, 0, others.houses))
    proof = chance * np.maximum(1 - empty / occupied, 0), (1 - chance) * np.maximum(1 - occupied / empty, 0)
    assert optimal.advantage.low > np.mean(np.where(chance < 0.5, *proof)) > 0.04
    assert optimal.auc.low > others.model.auc.high


@pytest.mark.slow
def test_knowing_the_others_is_the_stronger_attack() -> None:
    weak, strong = (attack(SMALL, 6, adversary=k, mechanisms=["optimal"]) for k in ("outsider", "insider"))
    assert strong.scores["optimal"].log_loss.high < weak.scores["optimal"].log_loss.low


@pytest.mark.slow
def test_the_filter_hides_nothing_that_its_noise_does_not(others: Attack, model: Attack) -> None:
    """Undoing it costs rounding alone. A rate near 100 is known to 2⁻⁵² of it; a gain above 1/100 and a scale
    above 1/10 make that 1000 times as much in log-odds, 96 times a day; log-loss is 1-Lipschitz in them."""
    for result in (others, model):
        filtered, calibrated = result.scores["filtered"], result.scores["calibrated"]
        rounding = 96 * 1000 * 100 * 2**-52
        assert filtered.log_loss.value == pytest.approx(calibrated.log_loss.value, abs=rounding)


@pytest.mark.slow
def test_no_evidence_curve_rises_above_the_ceiling(others: Attack, model: Attack) -> None:
    """Up to sampling: by no more than its own interval, at any of 101 points."""
    for result in (others, model):
        ceiling = roc_ceiling(result.scenario.epsilon, FALSE_ALARMS)
        for name in ("naive", "blowfish", "calibrated", "filtered"):
            assert (result.scores[name].evidence_roc.low <= ceiling + 1e-9).all()
    assert (others.scores["optimal"].evidence_roc.low > roc_ceiling(0.5, FALSE_ALARMS)).any()


def test_a_vast_budget_leaves_the_attack_of_the_unprotected_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest budget and a million times less noise: b = u/10¹⁰ for the largest bound u.

    Knowing the others, she is told something else by noise only where consumption is within 30·b of 0, u₀ or
    u₁: at 2400 moments on a street whose smallest bound is above u/100 that happens with a chance below
    2400·3·30·100/10¹⁰ = 0.2 %. Elsewhere e⁻³⁰ of a density is at stake.
    """
    blowfish = REGISTRY["blowfish"]

    def faint(public: Public) -> NoiseScale:
        noise = blowfish.scale(public)
        return replace(noise, scale=1e-6 * noise.scale)

    monkeypatch.setitem(REGISTRY, "blowfish", replace(blowfish, scale=faint))
    vast, days = SMALL.replace(epsilon=1e4), 5
    street = draw_day(vast).street
    assert min(street.occupied_bound.min(), street.empty_bound.min()) > street.bound.max() / 100
    result = attack(vast, days, adversary="insider", mechanisms=["optimal", "blowfish"])
    moments = 0
    for exact, noisy in zip(result.binned["optimal"], result.binned["blowfish"], strict=True):
        assert noisy.right == exact.right
        assert noisy.loss == pytest.approx(exact.loss, abs=exact.moments * np.exp(-30))
        moments += exact.moments
    assert moments == 2400


@pytest.mark.slow
def test_a_vanishing_budget_leaves_the_model_alone() -> None:
    """Log-odds move by T·ε = 0.0096 at most, and log-loss is 1-Lipschitz in log-odds."""
    result = attack(SMALL.replace(epsilon=1e-4), 5, mechanisms=["naive", "blowfish", "calibrated"])
    for score in result.scores.values():
        assert abs(score.log_loss.value - result.model.log_loss.value) <= 96 * 1e-4


@pytest.mark.slow
def test_days_are_new_and_reproducible() -> None:
    first, again = (attack(HOURLY, 3, mechanisms=["blowfish"]) for _ in range(2))
    assert first.binned["blowfish"][0].loss == again.binned["blowfish"][0].loss
    losses = [day.loss for day in first.binned["blowfish"]]
    assert len(set(losses)) == 3
    other = attack(HOURLY.replace(independent_noise=True), 3, mechanisms=["blowfish", "naive"])
    assert other.binned["blowfish"][0].loss != first.binned["blowfish"][0].loss


def test_one_house_can_be_singled_out() -> None:
    result = attack(STREET, 4, adversary="insider", house=3)
    assert result.houses.tolist() == [3]
    assert result.model_binned[0].moments == 96
    same = attack(STREET, 4, house=3, mechanisms=["blowfish"])
    assert same.model_binned[0].right == result.model_binned[0].right  # the same days, however she looks


@pytest.mark.slow
def test_results_grow_day_by_day_so_that_stopping_keeps_them() -> None:
    growing = attacks(HOURLY, 5, mechanisms=["optimal"])
    days = [next(growing).days, next(growing).days, next(growing).days]
    assert days == [1, 2, 3]
    reported: list[float] = []
    attack(HOURLY, 4, mechanisms=["optimal"], progress=reported.append)
    assert reported == [0.25, 0.5, 0.75, 1.0]


def test_several_days_in_the_scenario_are_attacked_one_at_a_time() -> None:
    assert attack(SMALL.replace(days=3), 2, mechanisms=["naive"]).scenario.days == 1


def test_a_street_with_several_groups_and_models() -> None:
    result = attack(PRESETS["unsure curator"].replace(households=30), 2, mechanisms=["blowfish"])
    assert 0.5 < result.scores["blowfish"].accuracy.value <= 1


def guesses(belief: Floats, occupied: Bools) -> Floats:
    """1 where the likelier state is the true one, 0 where not, a half where neither is likelier."""
    return (1 + np.sign(belief - 0.5) * np.where(occupied, 1, -1)) / 2


def test_a_day_that_was_watched_is_an_attack_of_one_day() -> None:
    day = simulate(PRESETS["unsure curator"].replace(households=8))
    occupied, _ = replay_houses(day.street_day.spec, day.street, range(8))
    seen = [posterior(day, name) for name in ("optimal", "naive")]
    result = attack_of_the_day(day.scenario, seen, occupied)
    assert (result.days, result.adversary, result.houses.tolist()) == (1, "outsider", list(range(8)))
    assert list(result.scores) == ["optimal", "naive"]
    for found in seen:  # she believes the model that people live by
        right = guesses(found.by_model[0].belief, occupied).mean()
        assert result.scores[found.mechanism].accuracy.value == pytest.approx(right, rel=1e-12)
    alone = guesses(seen[0].by_model[0].model_only, occupied).mean()
    assert result.model.accuracy.value == pytest.approx(alone, rel=1e-12)


def test_right_so_far_counts_up_to_the_step() -> None:
    day = simulate(SMALL)
    occupied, _ = replay_houses(day.street_day.spec, day.street, range(5))
    seen = posterior(day, "optimal")
    for step in (0, 40, 95):
        hers, alone = right_so_far(seen, 2, occupied[:, 2], step)
        for share, belief in ((hers, seen.belief), (alone, seen.model_only)):
            right = guesses(belief[: step + 1, 2], occupied[: step + 1, 2])
            assert share == pytest.approx(right.mean(), rel=1e-12)


DAY = simulate(Scenario(households=5))
TRUTH = replay_houses(DAY.street_day.spec, DAY.street, range(5))[0]


@pytest.mark.parametrize("step", [0, 40, 95])
def test_a_moment_is_the_beliefs_and_the_day_so_far(step: int) -> None:
    seen = posterior(DAY, "calibrated")
    now = moment_summary(seen, 3, TRUTH[:, 3], step)
    assert now.occupied == TRUTH[step, 3]
    assert now.belief == seen.belief[step, 3]
    assert now.model_alone == seen.model_only[step, 3]
    so_far = seen.log_likelihood_ratio[: step + 1, 3]
    assert now.largest_evidence == max(abs(e) for e in so_far)
    right = [
        0.5 if b == 0.5 else float((b > 0.5) == t)
        for b, t in zip(seen.belief[: step + 1, 3], TRUTH[: step + 1, 3], strict=True)
    ]
    assert now.right == pytest.approx(np.mean(right), rel=1e-12)


def test_steps_at_which_the_rate_is_proof_are_counted() -> None:
    seen, private = (posterior(DAY, name, adversary="insider") for name in ("optimal", "blowfish"))
    counts = [moment_summary(seen, house, TRUTH[:, house], 95).proofs for house in range(5)]
    assert counts == [sum(np.isinf(e) for e in seen.log_likelihood_ratio[:, c]) for c in range(5)]
    assert max(counts) > 0
    assert moment_summary(private, 0, TRUTH[:, 0], 95).proofs == 0


def test_it_is_right_as_often_as_her_likelier_state_is_the_true_one() -> None:
    for scenario in (Scenario(households=30), PRESETS["unsure curator"].replace(households=12)):
        day = simulate(scenario)
        occupied, used = replay_houses(day.street_day.spec, day.street, range(scenario.households))
        seen = posterior(day, "optimal", adversary="insider", model=scenario.model_names[0])
        found = strongest(day)
        ties = (seen.model_only == 0.5).mean() / 2
        assert found.houses == scenario.households
        assert found.right == np.mean((seen.belief > 0.5) == occupied)
        assert abs(found.alone - np.mean((seen.model_only > 0.5) == occupied)) <= ties
        assert found.right > found.alone
        proved = (used > day.street.empty_bound) | (used > day.street.occupied_bound)
        assert found.right >= proved.mean()  # what only one state can use is proof of it


def test_one_house_of_a_long_street_is_attacked_alone() -> None:
    day = simulate(Scenario(households=3000))
    found = strongest(day, 17)
    occupied = replay_houses(day.street_day.spec, day.street, [17])[0]
    seen = posterior(day, "optimal", adversary="insider", house=17)
    assert found.houses == 1
    assert found.right == np.mean((seen.belief > 0.5) == occupied)


def test_at_the_end_of_the_day_it_is_stronger_still() -> None:
    day = simulate(Scenario(households=30))
    so_far, whole = (strongest(day, inference=inference) for inference in get_args(Inference))
    assert whole.right > so_far.right
    assert whole.alone == so_far.alone


def test_it_is_announced_before_it_is_chosen_and_told_once_it_is() -> None:
    found = Strongest(houses=1000, right=0.9402, alone=0.8181)
    knows, ends = (
        "She knows what everyone else used, and is",
        "From a private rate only the noise then hides a house.",
    )
    for chosen, begin in ((False, "If she knew what everyone else used, she would be"), (True, knows)):
        assert strongest_words(found, chosen) == (
            f"**The strongest attack.** {begin} right from the unprotected rate at **94.0%** of the moments "
            f"of all 1,000 houses, where the model alone is right at 81.8%. {ends}"
        )
    for houses, whose in ((1, "this house"), (2, "all 2 houses")):
        assert strongest_words(found._replace(houses=houses), True) == (
            f"**The strongest attack.** {knows} right from the unprotected rate at **94.0%** of the moments "
            f"of {whose}, where the model alone is right at 81.8%. {ends}"
        )

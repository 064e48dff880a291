"""Sentences about who is at work and what the limit leaves out: each holds a number of the street at hand."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.attack.scores import (
    FALSE_ALARMS,
    REFERENCE_DAYS,
    REFERENCE_HOUSES,
    ApproximationError,
    reference_scenario,
    roc_ceiling,
)
from rtp.attack.success import attack, attack_of_the_day
from rtp.attack.words import (
    MOST_EVER,
    TOGETHER,
    ceiling_words,
    crossing_words,
    limit_words,
    method_words,
    scores_frame,
)
from rtp.audit.exact import exact_losses
from rtp.audit.words import broken
from rtp.core.time import when
from rtp.street.simulate import replay_houses
from tests.help.hourly import HOURLY
from tests.unit.attack.streets import turning

ON_SMALL_STREETS = "How much more is computed exactly on streets of at most 12 houses."
FEW, MANY = simulate(Scenario(households=3)), simulate(Scenario(households=30))


def test_which_filter_is_at_work_and_how_far_it_was_measured_to_be_off() -> None:
    assert method_words(posterior(FEW, "naive")) == (
        "Her belief is exact: it follows from the joint distribution of all states of the street."
    )
    assert method_words(posterior(FEW, "naive", adversary="insider")) == (
        "Her belief is exact: knowing what everyone else used, each house is a chain of its own."
    )
    seen, unprotected = posterior(MANY, "naive"), posterior(MANY, "optimal")
    words = "Beyond 12 houses her belief is approximate: a joint Gaussian of all houses."
    assert method_words(seen) == words
    measured = f"{words} Measured against the exact filter on 8 houses of this kind over 2 days"
    found, nothing = ApproximationError(0.914, 0.0123), ApproximationError(None, 0.0)
    keeps = "she keeps 91% of what the rates reveal, and is off by 1.2% on average."
    assert method_words(seen, found, 0.5) == f"{measured} at ε = 0.5, {keeps}"
    assert method_words(unprotected, found, 0.5) == f"{measured}, {keeps}"  # no budget changes it
    assert method_words(seen, nothing) == (
        f"{measured} at ε = 0, these rates reveal next to nothing, and she is off by 0.0% on average."
    )
    assert method_words(seen, found, 0.5, has_distributions=True) == (
        "Her belief is approximate: a joint Gaussian of all houses, by the means and variances of their use. "
        "How far off it is, is measured on streets of uniform use only."
    )


def test_the_band_says_by_how_much_it_was_exceeded_where_that_is_computed() -> None:
    tied = simulate(turning(4, 1.0, 7))
    seen = posterior(tied, "calibrated")
    evidence = np.abs(seen.log_likelihood_ratio)
    step, house = divmod(int(evidence.argmax()), 4)
    most = float(evidence.max())
    assert limit_words(seen, tied.scenario) == (
        f"{TOGETHER} On this street the most was {most:.3f}, {most:.2f} times what is promised, about house "
        f"{house} at {when(step, 1)}; {MOST_EVER}"
    )
    certain = replace(seen, log_likelihood_ratio=np.where(evidence == most, -np.inf, evidence))
    assert limit_words(certain, tied.scenario) == (
        f"{TOGETHER} On this street the most was proof, about house {house} at {when(step, 1)}; {MOST_EVER}"
    )
    assert limit_words(posterior(MANY, "naive"), MANY.scenario) == f"{TOGETHER} {ON_SMALL_STREETS}"
    assert limit_words(posterior(FEW, "naive", adversary="insider"), FEW.scenario) == ""
    for without_promise in ("optimal", "forecast"):
        assert limit_words(posterior(FEW, without_promise), FEW.scenario) == ""


@pytest.mark.slow
def test_the_ceiling_says_it_too() -> None:
    result = attack(
        turning(4, 1.0, 7).replace(step_minutes=60), 2, mechanisms=["optimal", "blowfish", "calibrated"]
    )
    largest = {name: max(day.largest for day in days) for name, days in result.binned.items()}
    name = max(("blowfish", "calibrated"), key=largest.__getitem__)
    most = largest[name]
    assert ceiling_words(result) == (
        f"{TOGETHER} On this street the most was {most:.3f}, {most:.2f} times what is promised, by a "
        f"{name.title()} rate; {MOST_EVER}"
    )
    assert ceiling_words(replace(result, adversary="insider")) == ""
    assert ceiling_words(replace(result, method="gaussian")) == f"{TOGETHER} {ON_SMALL_STREETS}"
    only = {"optimal": result.binned["optimal"]}
    assert ceiling_words(replace(result, binned=only)) == TOGETHER


def test_curves_above_the_limit_are_named_with_whether_their_interval_reaches_down_to_it() -> None:
    """Four days of the unprotected rate prove more than ε, as one of them among silent days does not."""
    result = attack(Scenario(households=5), 4, adversary="insider", mechanisms=["optimal", "forecast"])
    clear, silent = result.binned["optimal"], result.binned["forecast"]
    leaking, lucky, kept = (
        replace(result, binned={"blowfish": days}) for days in (clear, [clear[0], *silent[1:]], silent)
    )
    hits, limit = leaking.scores["blowfish"].evidence_roc, roc_ceiling(0.5, FALSE_ALARMS)
    points = int((hits.low > limit + 1e-9).sum())
    assert points > 10
    assert crossing_words(leaking) == (
        f"Above the limit by more than the 95 % interval of the point: Blowfish (at {points} of 101 points). "
        "The audit checks the promise exactly."
    )
    assert crossing_words(lucky) == (
        "Above the limit, within their 95 % intervals: Blowfish. This proves no breach."
    )
    assert crossing_words(kept) == crossing_words(result) == ""  # nothing is promised of the unprotected one
    assert crossing_words(replace(lucky, days=1)) == (
        "Above the limit on this day: Blowfish. One day scatters around its average, so this proves no "
        "breach. The audit checks the promise exactly."
    )


@pytest.mark.parametrize("preset", HOURLY)
def test_the_attack_and_the_audit_agree_that_no_promise_is_broken(preset: str) -> None:
    day = simulate(HOURLY[preset].replace(households=5, epsilon=0.5))
    assert broken(exact_losses(day), {}) == []
    seen = [posterior(day, name) for name in ("blowfish", "calibrated")]
    occupied, _ = replay_houses(day.street_day.spec, day.street, seen[0].houses.tolist())
    words = crossing_words(attack_of_the_day(day.scenario, seen, occupied))
    assert ("Above the limit" in words) == ("this proves no breach" in words)


@pytest.mark.parametrize(
    ("epsilon", "nearest"),
    [(0.5, 0.5), (0.3, 0.2), (0.33, 0.5), (0.07, 0.05), (0.08, 0.1), (8.0, 10.0), (1e4, 1e4)],
)
def test_she_is_measured_at_a_budget_that_others_share(epsilon: float, nearest: float) -> None:
    small = reference_scenario(Scenario(households=1000, epsilon=epsilon))
    assert (small.households, small.days) == (REFERENCE_HOUSES, REFERENCE_DAYS)
    assert small.epsilon == pytest.approx(nearest, rel=1e-12)
    assert abs(np.log(small.epsilon / epsilon)) <= np.log(5 / 2) / 2 + 1e-12


def test_a_row_for_every_rate_and_one_for_the_model_with_intervals_over_days() -> None:
    result = attack(Scenario(households=4), 2, mechanisms=["naive", "optimal"])
    table = scores_frame(result, "belief")
    assert list(table.index) == ["Naive", "Optimal", "The model alone"]
    assert list(table.columns) == ["Right guesses", "Beyond the model", "Area", "Log-loss"]
    naive, model = result.scores["naive"], result.model
    assert table.loc["Naive", "Right guesses"] == (
        f"{naive.accuracy.value:.2%} ({naive.accuracy.low:.2%} – {naive.accuracy.high:.2%})"
    )
    assert table.loc["Naive", "Area"] == f"{naive.auc.value:.4f} ({naive.auc.low:.4f} – {naive.auc.high:.4f})"
    assert table.loc["The model alone", "Log-loss"] == (
        f"{model.log_loss.value:.4f} ({model.log_loss.low:.4f} – {model.log_loss.high:.4f})"
    )
    assert table.loc["The model alone", "Beyond the model"] == "+0.00% (+0.00% – +0.00%)"
    evidence = naive.evidence_auc
    assert scores_frame(result, "evidence").loc["Naive", "Area"] == (
        f"{evidence.value:.4f} ({evidence.low:.4f} – {evidence.high:.4f})"
    )
    assert scores_frame(replace(result, days=1), "belief").loc["Naive", "Area"] == f"{naive.auc.value:.4f}"

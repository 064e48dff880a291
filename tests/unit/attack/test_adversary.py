"""The observer: bounded by the promise, calibrated, and told in chances."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit

from rtp import PRESETS, Group, Scenario, ScenarioError, simulate
from rtp.attack.adversary import (
    BY_HORIZON,
    BY_KNOWLEDGE,
    KNOWLEDGE_OF,
    AdversaryKind,
    Posterior,
    column_of,
    largest_gap,
    ordered_columns,
    posterior,
    worst,
)
from rtp.attack.success import ATTACKED_DAYS, attacks
from rtp.mechanisms import REGISTRY
from rtp.scenario import must_be_house
from rtp.street.simulate import replay_houses
from tests.help.strategies import scenarios
from tests.unit.attack.streets import KNOWLEDGE

PRIVATE = ("naive", "blowfish", "calibrated", "filtered")
ROUNDING = 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_no_rate_tells_more_than_promised(preset: str) -> None:
    """Of one house to whom the others' use is known, or of the first rate: later ones find houses tied."""
    scenario = PRESETS[preset].replace(households=min(PRESETS[preset].households, 60))
    day = simulate(scenario)
    for mechanism in PRIVATE:
        for adversary in KNOWLEDGE:
            found = posterior(day, mechanism, adversary=adversary, model=scenario.models[0].name)
            covered = found.log_likelihood_ratio if adversary == "insider" else found.log_likelihood_ratio[0]
            assert np.abs(covered).max() <= scenario.epsilon * (1 + ROUNDING) + ROUNDING
            assert np.isfinite(found.belief).all()


def test_calibrated_noise_is_spent_to_the_limit_and_blowfish_noise_is_not() -> None:
    day = simulate(Scenario(households=300, epsilon=1.0))
    most = {m: np.abs(posterior(day, m, adversary="insider").log_likelihood_ratio).max() for m in PRIVATE}
    assert most["calibrated"] == pytest.approx(1.0, rel=1e-9)
    assert most["blowfish"] < 0.7


@pytest.mark.parametrize("adversary", KNOWLEDGE)
@pytest.mark.parametrize("mechanism", PRIVATE)
def test_with_a_vanishing_budget_the_model_is_all_she_knows(mechanism: str, adversary: AdversaryKind) -> None:
    """Transitions never widen a gap in log-odds and each rate adds ε at most, so after t steps it is t·ε."""
    scenario = Scenario(households=50, epsilon=1e-4)
    found = posterior(simulate(scenario), mechanism, adversary=adversary)
    odds = [np.log(p) - np.log1p(-p) for p in (found.belief, found.model_only)]
    allowed = scenario.epsilon * np.arange(1, scenario.steps + 1)[:, None]
    assert (np.abs(odds[0] - odds[1]) <= allowed + ROUNDING).all()


@pytest.mark.parametrize("mechanism", PRIVATE)
def test_with_a_vast_budget_she_sees_the_optimal_rate(mechanism: str) -> None:
    """Noise of width b blurs a smooth density in second order: b is 1e-4 here, and the street's 5."""
    day = simulate(Scenario(households=300, epsilon=1e4))
    unprotected, protected = posterior(day, "optimal"), posterior(day, mechanism)
    np.testing.assert_allclose(protected.belief, unprotected.belief, atol=1e-4)
    assert np.abs(unprotected.belief - unprotected.model_only).max() > 0.01


def test_the_forecast_tells_nothing() -> None:
    found = posterior(simulate(Scenario(households=30)), "forecast")
    assert (found.log_likelihood_ratio == 0).all()
    np.testing.assert_array_equal(found.belief, found.model_only)


def test_without_rates_she_expects_what_the_model_expects() -> None:
    day = simulate(PRESETS["mixed street"].replace(households=200, days=2))
    found = posterior(day, "naive")
    np.testing.assert_allclose(found.model_only.mean(axis=1), day.expected_occupancy, atol=1e-12)


def test_certain_houses_stay_certain_and_give_no_evidence() -> None:
    day = simulate(PRESETS["quiet night"].replace(households=40))
    found = posterior(day, "optimal")
    night = day.street_day.occupied == 0
    assert night.sum() > 10
    asleep = ~day.street_day.support_classes.protected[:, day.street_day.support_classes.of_house]
    assert (found.belief[asleep] == 0).all()
    assert (found.log_likelihood_ratio[asleep] == 0).all()
    assert ((found.belief[~asleep] > 0) & (found.belief[~asleep] < 1)).mean() > 0.9


@pytest.mark.parametrize("adversary", KNOWLEDGE)
def test_of_several_models_the_worst_is_one_of_them_all_day(adversary: AdversaryKind) -> None:
    """The one under which the rates move her furthest from what it says alone, wherever it stands in Θ."""
    day = simulate(PRESETS["unsure curator"].replace(households=40))
    found = posterior(day, "calibrated", adversary=adversary)
    assert [p.model for p in found.by_model] == [m.name for m in day.scenario.models]
    moved = [float(np.abs(p.belief - p.model_only).mean()) for p in found.by_model]
    one = found.by_model[moved.index(max(moved))]
    assert found.model == one.model
    for name in ("belief", "prior", "log_likelihood_ratio", "model_only"):
        np.testing.assert_array_equal(getattr(found, name), getattr(one, name))
    assert worst(found.by_model[::-1]).model == found.model
    only = posterior(day, "calibrated", adversary=adversary, model=day.scenario.models[1].name)
    np.testing.assert_array_equal(only.belief, found.by_model[1].belief)
    assert only.by_model == ()


def test_one_house_is_a_column_of_all() -> None:
    day = simulate(Scenario(households=30))
    for adversary in KNOWLEDGE:
        everyone = posterior(day, "blowfish", adversary=adversary)
        one = posterior(day, "blowfish", adversary=adversary, house=7)
        for name in ("belief", "prior", "log_likelihood_ratio", "model_only"):
            np.testing.assert_allclose(getattr(one, name)[:, 0], getattr(everyone, name)[:, 7], atol=1e-12)
        assert everyone.exposure.shape == (30,)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["optimal", "calibrated"])
@pytest.mark.parametrize("adversary", KNOWLEDGE)
def test_beliefs_are_calibrated(adversary: AdversaryKind, mechanism: str) -> None:
    """Of the moments she says 80 %, 80 % are occupied: in every tenth, within the scatter over days.

    Days are independent, moments are not: the mean over days of (occupied − belief), summed within a tenth,
    has a Student's t. Ten tenths tested at 1e-4 each raise a false alarm once in a thousand.
    """
    days, tenths = 16, 10
    off = np.zeros((days, tenths))
    for d in range(days):
        day = simulate(Scenario(households=60, seed=d))
        found = posterior(day, mechanism, adversary=adversary)
        states, _ = replay_houses(day.street_day.spec, day.street, range(60))
        tenth = np.minimum((found.belief * tenths).astype(int), tenths - 1)
        off[d] = np.bincount(tenth.ravel(), (states - found.belief).ravel(), tenths)
    t = off.mean(axis=0) / (off.std(axis=0, ddof=1) / np.sqrt(days))
    assert np.abs(t).max() < stdtrit(days - 1, 1 - 1e-4 / 2)


@pytest.mark.slow
def test_many_days_without_a_missing_number() -> None:
    """Ten days are 960 rates: more than a product of chances, or the columns of one day, can hold."""
    for houses, mechanism in ((2, "optimal"), (20, "calibrated")):
        day = simulate(Scenario(households=houses, days=10))
        for adversary in KNOWLEDGE:
            found = posterior(day, mechanism, adversary=adversary)
            assert found.belief.shape == (10 * 96, houses)
            assert ((found.belief >= 0) & (found.belief <= 1)).all()
            assert not np.isnan(found.log_likelihood_ratio).any()


@pytest.mark.parametrize("empty_max", [0.0, 1e-9])
def test_houses_that_use_nothing_when_empty(empty_max: float) -> None:
    day = simulate(Scenario(households=40, groups=(Group(empty_max=empty_max),)))
    for mechanism in ("optimal", "blowfish"):
        found = posterior(day, mechanism)
        assert ((found.belief >= 0) & (found.belief <= 1)).all()
    assert np.abs(found.log_likelihood_ratio).max() <= day.scenario.epsilon * (1 + ROUNDING)


def test_posterior_is_frozen() -> None:
    found = posterior(simulate(Scenario(households=3)), "naive")
    assert isinstance(found, Posterior)
    for name in ("model", "belief"):
        with pytest.raises(AttributeError):
            setattr(found, name, None)


@pytest.mark.slow
@settings(max_examples=12)
@given(
    scenario=scenarios(max_households=7, max_models=2),
    longer=st.booleans(),
    elasticity=st.sampled_from([0.0, 1.5]),
    clip=st.booleans(),
    mechanism=st.sampled_from(["optimal", *PRIVATE]),
)
def test_on_any_street_beliefs_are_chances_and_promises_hold(
    scenario: Scenario, longer: bool, elasticity: float, clip: bool, mechanism: str
) -> None:
    """On a few houses by the joint law, on more than a dozen by the Gaussian."""
    if longer:
        scenario = scenario.replace(households=14)
    day = simulate(scenario.replace(elasticity=elasticity, clip_at_zero=clip))
    for adversary in KNOWLEDGE:
        found = posterior(day, mechanism, adversary=adversary)
        assert ((found.belief >= 0) & (found.belief <= 1)).all()
        assert not np.isnan(found.log_likelihood_ratio).any()
        if mechanism in PRIVATE and adversary == "insider":
            assert np.abs(found.log_likelihood_ratio).max() <= scenario.epsilon + 1e-8


def test_beliefs_can_be_taken_away_as_a_table() -> None:
    day = simulate(Scenario(households=3, days=2))
    found = posterior(day, "naive")
    occupied, _ = replay_houses(day.street_day.spec, day.street, range(3))
    frame = found.frame(occupied)
    assert len(frame) == 2 * 96 * 3
    row = frame[(frame["day"] == 2) & (frame["time"] == "07:15") & (frame["house"] == 1)]
    assert row["belief"].tolist() == [found.belief[96 + 29, 1]]
    assert row["occupied"].tolist() == [occupied[96 + 29, 1]]
    assert row["model_alone"].tolist() == [found.model_only[96 + 29, 1]]
    assert row["belief_before_the_rate"].tolist() == [found.prior[96 + 29, 1]]
    assert row["log_evidence"].tolist() == [found.log_likelihood_ratio[96 + 29, 1]]
    assert list(frame) == [
        "house",
        "day",
        "time",
        "occupied",
        "model_alone",
        "belief_before_the_rate",
        "belief",
        "log_evidence",
    ]
    by_half_hours = found.frame(occupied, 30)
    assert by_half_hours["day"].tolist() == [1 + step // 48 for step in range(192)] * 3
    assert by_half_hours["time"].tolist()[46:50] == ["23:00", "23:30", "00:00", "00:30"]


def test_links_and_files_call_her_by_what_she_knows_and_how_far_she_looks() -> None:
    assert BY_KNOWLEDGE == {"model": "outsider", "others": "insider"}
    assert KNOWLEDGE_OF == {"outsider": "model", "insider": "others"}
    assert BY_HORIZON == {"so far": "filtering", "whole day": "smoothing"}


DAY = simulate(Scenario(households=14))


def test_the_largest_gap_is_between_the_two_bounds_of_one_house_whichever_is_larger() -> None:
    street = DAY.street
    gaps = [abs(a - b) for a, b in zip(street.occupied_bound, street.empty_bound, strict=True)]
    assert largest_gap(street) == gaps.index(max(gaps))
    assert street.empty_bound.argmax() != largest_gap(street) != street.empty_bound.argmin()


def test_a_column_is_that_of_the_house_or_of_the_most_exposed() -> None:
    every, one = posterior(DAY, "blowfish"), posterior(DAY, "blowfish", house=7)
    assert column_of(every, 7) == 7
    assert column_of(one, 7) == 0
    assert column_of(every, None) == list(every.exposure).index(max(every.exposure))


def test_houses_stand_by_exposure_or_by_number_and_can_be_cut_short() -> None:
    seen = posterior(DAY, "blowfish")
    order = ordered_columns(seen, by_exposure=True)
    assert sorted(order.tolist()) == list(range(14))
    assert (np.diff(seen.exposure[order]) <= 0).all()
    assert ordered_columns(seen, by_exposure=True, first=3).tolist() == order[:3].tolist()
    assert ordered_columns(seen, by_exposure=False, first=5).tolist() == [0, 1, 2, 3, 4]


def test_one_house_alone_is_the_same_without_the_others() -> None:
    day = simulate(PRESETS["unsure curator"].replace(households=8))
    seen = posterior(day, "blowfish")
    alone = seen.only(5)
    assert alone.houses.tolist() == [5]
    for one, all_houses in zip([alone, *alone.by_model], [seen, *seen.by_model], strict=True):
        for name in ("belief", "prior", "log_likelihood_ratio", "model_only"):
            np.testing.assert_array_equal(getattr(one, name)[:, 0], getattr(all_houses, name)[:, 5])
            assert not np.shares_memory(getattr(one, name), getattr(all_houses, name)), "nobody else is kept"
    assert alone.by_model


SMALL = Scenario(households=5)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"mechanism": "magic"},
            f"mechanism is 'magic'; it must be one of {', '.join(REGISTRY)}.",
        ),
        ({"adversary": "everyone"}, "adversary is 'everyone'; it must be one of outsider, insider."),
        ({"house": 20}, "house is 20; it must be a whole number from 0 to 19."),
        ({"house": -1}, "house is -1; it must be a whole number from 0 to 19."),
        ({"house": 1.0}, "house is 1.0; it must be a whole number from 0 to 19."),
        ({"model": "nobody's"}, 'model is "nobody\'s"; it must be one of As published.'),
    ],
)
def test_what_is_not_known_is_refused_in_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        posterior(simulate(Scenario(households=20)), **{"mechanism": "naive", **arguments})
    assert str(refused.value) == sentence


def test_refusing_a_house_of_a_large_street_costs_nothing() -> None:
    """No list of two million houses is made to say that there is no such house."""
    tracemalloc.start()
    with pytest.raises(ScenarioError) as refused:
        must_be_house("house", 2_000_000, 2_000_000)
    with pytest.raises(ScenarioError) as refused_attack:
        attacks(Scenario(households=2_000_000), 2, house=2_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
    sentence = "house is 2000000; it must be a whole number from 0 to 1,999,999."
    assert str(refused.value) == str(refused_attack.value) == sentence
    must_be_house("house", 1_999_999, 2_000_000)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"days": 1}, "days is 1; it must be a whole number from 2 to 1,000."),
        ({"days": 1001}, "days is 1001; it must be a whole number from 2 to 1,000."),
        ({"days": 2.0}, "days is 2.0; it must be a whole number from 2 to 1,000."),
        (
            {"mechanisms": ["naive", "magic"]},
            f"mechanism is 'magic'; it must be one of {', '.join(REGISTRY)}.",
        ),
        ({"adversary": "all"}, "adversary is 'all'; it must be one of outsider, insider."),
        ({"house": 5}, "house is 5; it must be a whole number from 0 to 4."),
    ],
)
def test_bad_input_is_refused_before_anything_runs(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        attacks(SMALL, **{"days": 3, **arguments})
    assert str(refused.value) == sentence


def test_the_ends_of_what_is_allowed_are_allowed() -> None:
    """Nothing runs before the first result is asked for."""
    assert (ATTACKED_DAYS.low, ATTACKED_DAYS.high) == (2, 1000)
    for days in (2, 1000):
        assert next(attacks(SMALL, days, house=4, mechanisms=["optimal"])).days == 1

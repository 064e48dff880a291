"""The observer: exact where exactness is possible, bounded by the promise, and calibrated."""

import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit

from rtp import PRESETS, Group, Scenario, ScenarioError, simulate
from rtp.arrays import Floats
from rtp.attacker.beliefs import chains_of
from rtp.attacker.evidence import alone
from rtp.attacker.observed import observe
from rtp.attacker.observer import Knowledge, Posterior, posterior, worst
from rtp.attacker.success import attacks
from rtp.joint import all_states, bayes, initial_law, likelihood, transition
from rtp.mechanisms import REGISTRY, filtered
from rtp.scenario import must_be_house
from rtp.simulation import Day
from rtp.street.days import households
from tests.help.strategies import scenarios

PRIVATE = ("naive", "blowfish", "calibrated", "filtered")
KNOWLEDGE: tuple[Knowledge, ...] = ("model", "others")
ROUNDING = 1e-9


def joint_beliefs(day: Day, mechanism: str, model: int = 0) -> Iterator[Floats]:
    """Pr[occupied] of every house by the filter on all 2^N states, straight from the published rates."""
    scenario, street, release = day.scenario, day.street, day.release[mechanism]
    chains = chains_of(day.life.spec, street, model, np.arange(scenario.households))
    states, law = all_states(scenario.households), initial_law(chains.initial)
    for step, g in enumerate(day.market.tariff.responses(release.rate).tolist()):
        seen = likelihood(
            float(release.rate[step]),
            alpha=scenario.alpha,
            beta=scenario.beta + scenario.alpha * scenario.inelastic_demand,
            scale=float(release.scale[step]),
            occupied_bound=g * street.occupied_bound,
            empty_bound=g * street.empty_bound,
        )
        law = bayes(law, seen)
        yield law @ states
        leave, arrive = chains.chances(step)
        law = law @ transition(np.array([[1 - arrive, arrive], [leave, 1 - leave]]).transpose(2, 0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["optimal", "blowfish"])
@pytest.mark.parametrize("houses", [1, 2, 5, 6])
def test_all_day_she_is_the_filter_on_all_joint_states(houses: int, mechanism: str) -> None:
    """The literal recursion of the paper, by the joint matrix and densities from another formula."""
    day = simulate(Scenario(households=houses, seed=3, step_minutes=60, alpha=1.7, inelastic_demand=3.0))
    exact = np.array(list(joint_beliefs(day, mechanism)))
    np.testing.assert_allclose(posterior(day, mechanism).belief, exact, rtol=0, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("knows", KNOWLEDGE)
@pytest.mark.parametrize("mechanism", ["optimal", "blowfish", "calibrated"])
def test_one_house_alone_is_followed_exactly_all_day(mechanism: str, knows: Knowledge) -> None:
    """With nobody else there is no joint law to forget, and both kinds of knowledge are the same."""
    for elasticity in (0.0, 2.0):
        day = simulate(
            Scenario(households=1, step_minutes=60, epsilon=2.0, beta=0.1, elasticity=elasticity, seed=4)
        )
        exact = np.array(list(joint_beliefs(day, mechanism)))
        found = posterior(day, mechanism, knows=knows)
        np.testing.assert_allclose(found.belief, exact, rtol=0, atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_no_rate_tells_more_than_promised(preset: str) -> None:
    """Of one house to whom the others' use is known, or of the first rate: later ones find houses tied."""
    scenario = PRESETS[preset].replace(households=min(PRESETS[preset].households, 60))
    day = simulate(scenario)
    for mechanism in PRIVATE:
        for knows in KNOWLEDGE:
            found = posterior(day, mechanism, knows=knows, model=scenario.models[0].name)
            covered = found.log_evidence if knows == "others" else found.log_evidence[0]
            assert np.abs(covered).max() <= scenario.epsilon * (1 + ROUNDING) + ROUNDING
            assert np.isfinite(found.belief).all()


def test_calibrated_noise_is_spent_to_the_limit_and_blowfish_noise_is_not() -> None:
    day = simulate(Scenario(households=300, epsilon=1.0))
    most = {m: np.abs(posterior(day, m, knows="others").log_evidence).max() for m in PRIVATE}
    assert most["calibrated"] == pytest.approx(1.0, rel=1e-9)
    assert most["blowfish"] < 0.7


@pytest.mark.parametrize("knows", KNOWLEDGE)
@pytest.mark.parametrize("mechanism", PRIVATE)
def test_with_a_vanishing_budget_the_model_is_all_she_knows(mechanism: str, knows: Knowledge) -> None:
    """Transitions never widen a gap in log-odds and each rate adds ε at most, so after t steps it is t·ε."""
    scenario = Scenario(households=50, epsilon=1e-4)
    found = posterior(simulate(scenario), mechanism, knows=knows)
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
    assert (found.log_evidence == 0).all()
    np.testing.assert_array_equal(found.belief, found.model_only)


def test_without_rates_she_expects_what_the_model_expects() -> None:
    day = simulate(PRESETS["mixed street"].replace(households=200, days=2))
    found = posterior(day, "naive")
    np.testing.assert_allclose(found.model_only.mean(axis=1), day.expected_occupancy, atol=1e-12)


@pytest.mark.parametrize("preset", ["paper", "mixed street", "unsure curator", "elastic demand"])
def test_the_filter_can_be_undone(preset: str) -> None:
    scenario = PRESETS[preset].replace(households=300, epsilon=0.3)
    scenario = scenario.replace(assumed_model=scenario.models[-1].name)
    day = simulate(scenario)
    release, public = day.release["filtered"], day.market.public
    g = public.tariff.responses(release.rate)
    noisy = filtered.undo(public, release.scale, release.rate, g)
    publish = filtered.publisher(public, release.scale.tolist())
    again = [publish(t, float(r), float(g[t]))[0] for t, r in enumerate(noisy)]
    np.testing.assert_allclose(again, release.rate, rtol=1e-12)
    if not scenario.elasticity:  # mechanisms share the day's noise: the noisy rate is the calibrated one
        np.testing.assert_allclose(noisy, day.release["calibrated"].rate, rtol=1e-9)
        first = scenario.models[0].name
        same = [posterior(day, m, model=first).belief for m in ("filtered", "calibrated")]
        np.testing.assert_allclose(same[0], same[1], atol=1e-7)


def test_certain_houses_stay_certain_and_give_no_evidence() -> None:
    day = simulate(PRESETS["quiet night"].replace(households=40))
    found = posterior(day, "optimal")
    night = day.life.occupied == 0
    assert night.sum() > 10
    asleep = ~day.life.kinds.protected[:, day.life.kinds.of_house]
    assert (found.belief[asleep] == 0).all()
    assert (found.log_evidence[asleep] == 0).all()
    assert ((found.belief[~asleep] > 0) & (found.belief[~asleep] < 1)).mean() > 0.9


@pytest.mark.parametrize("knows", KNOWLEDGE)
def test_of_several_models_the_worst_is_one_of_them_all_day(knows: Knowledge) -> None:
    """The one under which the rates move her furthest from what it says alone, wherever it stands in Θ."""
    day = simulate(PRESETS["unsure curator"].replace(households=40))
    found = posterior(day, "calibrated", knows=knows)
    assert [p.model for p in found.by_model] == [m.name for m in day.scenario.models]
    moved = [float(np.abs(p.belief - p.model_only).mean()) for p in found.by_model]
    one = found.by_model[moved.index(max(moved))]
    assert found.model == one.model
    for name in ("belief", "prior", "log_evidence", "model_only"):
        np.testing.assert_array_equal(getattr(found, name), getattr(one, name))
    assert worst(found.by_model[::-1]).model == found.model
    only = posterior(day, "calibrated", knows=knows, model=day.scenario.models[1].name)
    np.testing.assert_array_equal(only.belief, found.by_model[1].belief)
    assert only.by_model == ()


def test_one_house_is_a_column_of_all() -> None:
    day = simulate(Scenario(households=30))
    for knows in KNOWLEDGE:
        everyone = posterior(day, "blowfish", knows=knows)
        one = posterior(day, "blowfish", knows=knows, house=7)
        for name in ("belief", "prior", "log_evidence", "model_only"):
            np.testing.assert_allclose(getattr(one, name)[:, 0], getattr(everyone, name)[:, 7], atol=1e-12)
        assert everyone.exposure.shape == (30,)


def test_a_clipped_rate_is_the_event_of_being_at_most_zero() -> None:
    """Its evidence is a ratio of probabilities: E[e^{−X/b}] in the two states, whatever the others use."""
    day = simulate(Scenario(households=3, beta=0.0, epsilon=0.3, clip_at_zero=True, seed=1))
    rates, b = day.release["blowfish"].rate, day.release["blowfish"].scale[0]
    clipped = rates == 0
    assert clipped.sum() > 5
    used = (np.arange(100_000) + 0.5) / 100_000  # midpoints of U(0, 1)
    chance = [
        [np.exp(-used * bound / b).mean() for bound in bounds]
        for bounds in (day.street.occupied_bound, day.street.empty_bound)
    ]
    expected = np.log(chance[0]) - np.log(chance[1])
    found = posterior(day, "blowfish", knows="others").log_evidence[clipped]
    np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), atol=1e-8)
    one = simulate(day.scenario.replace(households=1))
    same = [posterior(one, "blowfish", knows=knows).log_evidence for knows in KNOWLEDGE]
    assert (one.release["blowfish"].rate == 0).any()
    np.testing.assert_allclose(same[0], same[1], atol=1e-8)


def test_knowing_the_others_she_reads_one_house_through_the_noise() -> None:
    day = simulate(Scenario(households=20))
    release = day.release["blowfish"]
    _, used = households(day.life.spec, day.street, range(20))
    others = day.life.demand[:, None] - used
    seen = (release.rate[:, None] - day.scenario.beta) / day.scenario.alpha - others
    expected = alone(seen, release.scale[:, None], day.street.occupied_bound, day.street.empty_bound)
    found = posterior(day, "blowfish", knows="others")
    np.testing.assert_allclose(found.log_evidence, expected, atol=1e-9)


def test_the_exact_rate_and_the_others_prove_presence() -> None:
    day = simulate(Scenario(households=20))
    states, used = households(day.life.spec, day.street, range(20))
    found = posterior(day, "optimal", knows="others")
    proved = used > day.street.empty_bound
    assert proved.any()
    assert (found.log_evidence[proved] == np.inf).all()
    assert (found.belief[proved] == 1).all()
    assert states[proved].all()


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["optimal", "calibrated"])
@pytest.mark.parametrize("knows", KNOWLEDGE)
def test_beliefs_are_calibrated(knows: Knowledge, mechanism: str) -> None:
    """Of the moments she says 80 %, 80 % are occupied: in every tenth, within the scatter over days.

    Days are independent, moments are not: the mean over days of (occupied − belief), summed within a tenth,
    has a Student's t. Ten tenths tested at 1e-4 each raise a false alarm once in a thousand.
    """
    days, tenths = 16, 10
    off = np.zeros((days, tenths))
    for d in range(days):
        day = simulate(Scenario(households=60, seed=d))
        found = posterior(day, mechanism, knows=knows)
        states, _ = households(day.life.spec, day.street, range(60))
        tenth = np.minimum((found.belief * tenths).astype(int), tenths - 1)
        off[d] = np.bincount(tenth.ravel(), (states - found.belief).ravel(), tenths)
    t = off.mean(axis=0) / (off.std(axis=0, ddof=1) / np.sqrt(days))
    assert np.abs(t).max() < stdtrit(days - 1, 1 - 1e-4 / 2)


@pytest.mark.slow
def test_many_days_without_a_missing_number() -> None:
    """Ten days are 960 rates: more than a product of chances, or the columns of one day, can hold."""
    for houses, mechanism in ((2, "optimal"), (20, "calibrated")):
        day = simulate(Scenario(households=houses, days=10))
        for knows in KNOWLEDGE:
            found = posterior(day, mechanism, knows=knows)
            assert found.belief.shape == (10 * 96, houses)
            assert ((found.belief >= 0) & (found.belief <= 1)).all()
            assert not np.isnan(found.log_evidence).any()


@pytest.mark.parametrize("empty_max", [0.0, 1e-9])
def test_houses_that_use_nothing_when_empty(empty_max: float) -> None:
    day = simulate(Scenario(households=40, groups=(Group(empty_max=empty_max),)))
    for mechanism in ("optimal", "blowfish"):
        found = posterior(day, mechanism)
        assert ((found.belief >= 0) & (found.belief <= 1)).all()
    assert np.abs(found.log_evidence).max() <= day.scenario.epsilon * (1 + ROUNDING)


def test_an_elastic_street_is_seen_through_its_response() -> None:
    """Undoing the response gives the street's full consumption plus noise, exactly."""
    day = simulate(PRESETS["elastic demand"].replace(households=50))
    for name in ("optimal", "naive", "filtered"):
        release, tariff = day.release[name], day.market.tariff
        seen = observe(REGISTRY[name], day.market.public, release.rate, release.scale)
        if name == "optimal":
            np.testing.assert_allclose(seen.total, day.life.demand, rtol=1e-9)
        g = tariff.responses(release.rate)
        np.testing.assert_allclose(seen.b * g * day.scenario.alpha, release.scale, rtol=1e-12)


def test_progress_is_told_and_may_stop() -> None:
    day = simulate(PRESETS["unsure curator"].replace(households=20))
    reported: list[float] = []
    posterior(day, "blowfish", progress=reported.append)
    assert reported == sorted(reported)
    assert reported[-1] == 1.0

    def stop(_: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        posterior(day, "blowfish", progress=stop)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"mechanism": "magic"},
            f"mechanism is 'magic'; it must be one of {', '.join(REGISTRY)}.",
        ),
        ({"knows": "everything"}, "knows is 'everything'; it must be one of model, others."),
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


def test_posterior_is_frozen() -> None:
    found = posterior(simulate(Scenario(households=3)), "naive")
    assert isinstance(found, Posterior)
    for name in ("model", "belief"):
        with pytest.raises(AttributeError):
            setattr(found, name, None)


def test_every_publisher_that_reads_demand_can_be_undone() -> None:
    for mechanism in REGISTRY.values():
        assert (mechanism.undo is not None) == (mechanism.publisher is not None and mechanism.reads_demand)


def test_two_houses_and_one_rate_by_hand() -> None:
    """Averaged over a grid of what the two used in each state."""
    day = simulate(Scenario(households=2, seed=9, epsilon=1.5))
    bounds = np.array([day.street.empty_bound, day.street.occupied_bound])
    b, x = day.release["blowfish"].scale[0], day.release["blowfish"].rate[0] - day.scenario.beta
    used = (np.arange(1000) + 0.5) / 1000  # midpoints: an error of about 1e-6
    chance = [
        [np.exp(-np.abs(x - used[:, None] * mine - used * other) / b).mean() for other in bounds[:, 1]]
        for mine in bounds[:, 0]
    ]
    empty, occupied = np.sum(chance, axis=1)  # both houses start at home with chance 0.5
    assert posterior(day, "blowfish").belief[0, 0] == pytest.approx(occupied / (empty + occupied), abs=1e-5)


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
    for knows in KNOWLEDGE:
        found = posterior(day, mechanism, knows=knows)
        assert ((found.belief >= 0) & (found.belief <= 1)).all()
        assert not np.isnan(found.log_evidence).any()
        if mechanism in PRIVATE and knows == "others":
            assert np.abs(found.log_evidence).max() <= scenario.epsilon + 1e-8


def test_beliefs_can_be_taken_away_as_a_table() -> None:
    day = simulate(Scenario(households=3, days=2))
    found = posterior(day, "naive")
    occupied, _ = households(day.life.spec, day.street, range(3))
    frame = found.frame(occupied)
    assert len(frame) == 2 * 96 * 3
    row = frame[(frame["day"] == 2) & (frame["time"] == "07:15") & (frame["house"] == 1)]
    assert row["belief"].tolist() == [found.belief[96 + 29, 1]]
    assert row["occupied"].tolist() == [occupied[96 + 29, 1]]
    assert row["model_alone"].tolist() == [found.model_only[96 + 29, 1]]
    assert row["belief_before_the_rate"].tolist() == [found.prior[96 + 29, 1]]
    assert row["log_evidence"].tolist() == [found.log_evidence[96 + 29, 1]]

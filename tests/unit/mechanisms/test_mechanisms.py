"""The mechanisms behind one registry: their scales, whom they protect, who sets the noise."""

import re
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Group, Habits, OccupancyModel, Scenario, simulate
from rtp.mechanisms import (
    FEATURED,
    NO_DATA,
    REGISTRY,
    UNPROTECTED,
    YARDSTICK,
    NoiseScale,
    Public,
    noise_scales,
    offered,
    private,
    register,
)
from rtp.mechanisms.base import Role, laplace_scale, largest, largest_protected
from rtp.mechanisms.calibrated import calibrate
from rtp.simulation import draw_day, market
from rtp.street.prior_marginals import SupportClasses
from tests.help.strategies import scenarios


def _public(scenario: Scenario) -> Public:
    return market(scenario, draw_day(scenario)).public


def _steeper(public: Public, factor: float) -> Public:
    tariff = public.tariff
    return replace(public, tariff=replace(tariff, alpha=factor * tariff.alpha))


def test_the_registry_names_each_mechanism_once_and_in_words() -> None:
    assert list(REGISTRY) == [
        "optimal",
        "naive",
        "blowfish",
        "calibrated",
        "filtered",
        "forecast",
        "threshold",
    ]
    for name, mechanism in REGISTRY.items():
        assert mechanism.name == name
        assert mechanism.promise.endswith(".")
        assert mechanism.label
        assert mechanism.relies_on
    assert "uniform" in REGISTRY["calibrated"].relies_on
    assert "bound" in REGISTRY["blowfish"].relies_on


def test_each_part_in_the_labs_sentences_is_played_by_one() -> None:
    assert (UNPROTECTED, YARDSTICK, FEATURED, NO_DATA) == ("optimal", "naive", "blowfish", "forecast")
    roles = [mechanism.role for mechanism in REGISTRY.values() if mechanism.role]
    assert sorted(roles) == sorted(get_args(Role))


def test_one_that_neglects_is_offered_where_there_is_something_to_neglect_or_it_is_chosen() -> None:
    all_but_threshold = [name for name in REGISTRY if name != "threshold"]
    assert offered(0.0) == offered(0.0, ["naive"]) == all_but_threshold
    assert offered(0.01) == offered(0.0, ["threshold"]) == list(REGISTRY)


def test_the_largest_house_of_those_protected_is_the_first_of_equals() -> None:
    """Three classes, the last one without a house: all open, then the last two, then the last."""
    open_ = np.array([[True, True, True], [False, True, True], [False, False, True]])
    classes = SupportClasses(
        of_house=np.array([0, 0, 1, 1]),
        members=(slice(0, 2), np.array([2, 3]), slice(4, 4)),
        count=np.array([2, 2, 0]),
        both_states_possible=open_[None],
    )
    value, house = largest(np.array([1.0, 3.0, 3.0, 2.0]), classes)
    assert (value.tolist(), house.tolist()) == ([3.0, 3.0, 0.0], [1, 2, -1])
    value, house = largest_protected(classes, value, house)
    assert (value.tolist(), house.tolist()) == ([3.0, 3.0, 0.0], [1, 2, -1])


def test_whoever_postprocesses_states_the_variance_of_its_error() -> None:
    for mechanism in REGISTRY.values():
        assert (mechanism.postprocess is None) == (mechanism.error_variance is None)


def test_no_two_mechanisms_look_alike() -> None:
    looks = [(mechanism.colour, mechanism.dash) for mechanism in REGISTRY.values()]
    assert len({colour for colour, _ in looks}) == len(looks)
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour, _ in looks)


def test_the_promise_follows_from_protection_and_data_read() -> None:
    promised = {name: mechanism.promised(0.25) for name, mechanism in REGISTRY.items()}
    assert promised == {
        "optimal": np.inf,
        "naive": 0.25,
        "blowfish": 0.25,
        "calibrated": 0.25,
        "filtered": 0.25,
        "forecast": 0.0,
        "threshold": 0.25,
    }
    assert private() == ["naive", "blowfish", "calibrated", "filtered", "forecast", "threshold"]
    noisy = [name for name, mechanism in REGISTRY.items() if mechanism.adds_noise]
    assert noisy == ["naive", "blowfish", "calibrated", "filtered", "threshold"]


def test_only_calibrated_noise_assumes_uniform_consumption() -> None:
    assert [name for name, m in REGISTRY.items() if m.assumes == "uniform"] == ["calibrated", "filtered"]
    assert [name for name, m in REGISTRY.items() if m.protects == "uncertain"] == [
        "blowfish",
        "calibrated",
        "filtered",
    ]


def test_a_shared_scale_is_solved_once() -> None:
    public = replace(_public(Scenario(households=20)), epsilon=np.array([0.1, 1.0]))
    solved: list[Public] = []

    def counted(public: Public) -> NoiseScale:
        solved.append(public)
        return REGISTRY["calibrated"].scale(public)

    twins = [replace(REGISTRY[name], scale=counted) for name in ("calibrated", "filtered")]
    scales = noise_scales([*twins, REGISTRY["naive"]], public)
    assert solved == [public]
    assert scales["calibrated"] is scales["filtered"]


@pytest.mark.parametrize("preset", ["paper", "mansions", "mixed street", "unsure curator", "quiet night"])
@pytest.mark.parametrize("negligible", [0.0, 0.05])
def test_the_scale_of_many_budgets_is_that_of_each(preset: str, negligible: float) -> None:
    public = _public(PRESETS[preset].replace(households=60, negligible=negligible))
    budgets = np.array([1e-4, 0.1, 1.0, 50.0])
    for name, together in noise_scales(REGISTRY.values(), replace(public, epsilon=budgets)).items():
        assert together.scale.shape == together.noise_setting_house.shape == (public.steps, len(budgets))
        for e, epsilon in enumerate(budgets.tolist()):
            alone = REGISTRY[name].scale(replace(public, epsilon=epsilon))
            np.testing.assert_allclose(together.scale[:, e], alone.scale, rtol=1e-12, err_msg=name)
            np.testing.assert_array_equal(together.protected, alone.protected)
            np.testing.assert_array_equal(together.noise_setting_house[:, e], alone.noise_setting_house)


def test_a_registered_mechanism_publishes_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTRY, "twin", REGISTRY["naive"])  # which takes it out again afterwards
    register(replace(REGISTRY["naive"], name="twin", role=None))
    day = simulate(Scenario(households=10))
    assert list(day.release)[-1] == private()[-1] == "twin"
    np.testing.assert_array_equal(day.release["twin"].rate, day.release["naive"].rate)


def test_naive_noise_follows_the_largest_nominal_bound() -> None:
    scenario = PRESETS["mansions"].replace(alpha=2.0, epsilon=0.25)
    noise = REGISTRY["naive"].scale(_public(scenario))
    np.testing.assert_array_equal(noise.scale, np.full(96, 2.0 * 5.0 / 0.25))
    assert (noise.protected == scenario.households).all()
    assert (noise.noise_setting_house == -1).all()


def test_naive_can_take_the_realised_bound_instead() -> None:
    scenario = Scenario(naive_bound="realised", households=50)
    public = _public(scenario)
    assert REGISTRY["naive"].scale(public).scale[0] == pytest.approx(public.street.bound.max() / 0.5)
    assert (
        REGISTRY["naive"].scale(public).scale[0]
        < REGISTRY["naive"].scale(_public(Scenario(households=50))).scale[0]
    )


def test_naive_knows_that_an_empty_house_may_use_more() -> None:
    scenario = Scenario(groups=(Group(occupied_max=1.0, empty_max=4.0),))
    assert REGISTRY["naive"].scale(_public(scenario)).scale[0] == 4.0 / 0.5


@pytest.mark.slow
@given(scenarios(max_households=30))
def test_blowfish_noise_is_that_of_the_largest_protected_house(scenario: Scenario) -> None:
    public = _public(scenario)
    noise, calibrated = REGISTRY["blowfish"].scale(public), REGISTRY["calibrated"].scale(public)
    each = scenario.alpha * calibrate(
        public.street.occupied_bound, public.street.empty_bound, scenario.epsilon
    )
    for step in range(0, scenario.steps, 5):
        houses = np.flatnonzero(public.support_classes.protected[step, public.support_classes.of_house])
        assert noise.protected[step] == calibrated.protected[step] == len(houses)
        if len(houses):
            largest = houses[np.argmax(public.street.bound[houses])]
            assert noise.noise_setting_house[step] == largest
            expected = scenario.alpha * public.street.bound[largest] / scenario.epsilon
            assert noise.scale[step] == pytest.approx(expected, rel=1e-14)
            assert calibrated.scale[step] == pytest.approx(each[houses].max(), rel=1e-9)
            assert calibrated.noise_setting_house[step] in houses
            assert each[calibrated.noise_setting_house[step]] == pytest.approx(each[houses].max(), rel=1e-9)
        else:
            assert noise.scale[step] == calibrated.scale[step] == 0
            assert noise.noise_setting_house[step] == calibrated.noise_setting_house[step] == -1


@pytest.mark.slow
@given(scenarios(max_households=30))
def test_noise_never_grows_from_naive_to_blowfish_to_calibrated(scenario: Scenario) -> None:
    day = simulate(scenario)
    naive, blowfish, calibrated = (day.release[n].scale for n in ("naive", "blowfish", "calibrated"))
    assert (blowfish <= naive * (1 + 1e-12)).all()
    assert (calibrated <= blowfish * (1 + 1e-12)).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["naive", "blowfish"])
@given(scenario=scenarios(max_households=10), factor=st.floats(0.01, 100))
def test_scale_is_linear_in_alpha_and_bounds_over_epsilon(
    name: str, scenario: Scenario, factor: float
) -> None:
    public, noise = _public(scenario), REGISTRY[name].scale
    reference = noise(public).scale
    np.testing.assert_allclose(noise(_steeper(public, factor)).scale, factor * reference, rtol=1e-12)
    np.testing.assert_allclose(
        noise(replace(public, epsilon=factor * public.epsilon)).scale, reference / factor, rtol=1e-12
    )
    larger = replace(
        public,
        nominal_bound=factor * public.nominal_bound,
        street=replace(
            public.street,
            occupied_bound=factor * public.street.occupied_bound,
            empty_bound=factor * public.street.empty_bound,
        ),
    )
    np.testing.assert_allclose(noise(larger).scale, factor * reference, rtol=1e-12)


@pytest.mark.slow
@given(scenario=scenarios(max_households=10), factor=st.floats(0.01, 100))
def test_calibrated_scale_is_linear_in_alpha_and_falls_with_epsilon(
    scenario: Scenario, factor: float
) -> None:
    public, noise = _public(scenario), REGISTRY["calibrated"].scale
    reference = noise(public).scale
    np.testing.assert_allclose(noise(_steeper(public, factor)).scale, factor * reference, rtol=1e-9)
    tighter = noise(replace(public, epsilon=(1 + factor) * public.epsilon)).scale
    assert ((tighter < reference) | (reference == 0)).all()


@pytest.mark.slow
@given(scenarios(max_households=10, max_models=3))
def test_the_protected_set_and_the_noise_grow_with_the_models(scenario: Scenario) -> None:
    fewer = scenario.replace(models=scenario.models[:1])
    one, all_ = _public(fewer), _public(scenario)
    for name in ("blowfish", "calibrated"):
        few, many = REGISTRY[name].scale(one), REGISTRY[name].scale(all_)
        assert (few.protected <= many.protected).all()
        assert (few.scale <= many.scale * (1 + 1e-12)).all()
    before = one.support_classes.protected[:, one.support_classes.of_house]
    after = all_.support_classes.protected[:, all_.support_classes.of_house]
    assert (before <= after).all()


@pytest.fixture(scope="module")
def forty() -> Public:
    """The paper's street with forty houses."""
    return _public(PRESETS["paper"].replace(households=40))


@given(seed=st.integers(0, 2**31))
def test_permuting_houses_changes_nothing_but_their_numbers(forty: Public, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(40)
    street = forty.street
    mixed = replace(
        forty,
        street=replace(
            street,
            occupied_bound=street.occupied_bound[order],
            empty_bound=street.empty_bound[order],
            habit_draws=street.habit_draws[order],
        ),
    )
    for name in ("naive", "blowfish", "calibrated"):
        here, there = REGISTRY[name].scale(forty), REGISTRY[name].scale(mixed)
        np.testing.assert_allclose(here.scale, there.scale, rtol=1e-12)
        np.testing.assert_array_equal(here.protected, there.protected)
        if name != "naive":
            np.testing.assert_array_equal(here.noise_setting_house, order[there.noise_setting_house])


def test_two_models_that_are_certain_but_disagree_protect_nothing() -> None:
    """The promise holds within each θ; it is said wherever a promise is shown."""
    still = Habits().periods[0].replace(matrix=((1.0, 0.0), (0.0, 1.0)), basis="step")
    periods = tuple(still.replace(name=p.name, start=p.start) for p in Habits().periods)
    models = tuple(
        OccupancyModel(name=name, habits=(Habits(initial_occupied=start, periods=periods),))
        for name, start in (("Away", 0.0), ("Home", 1.0))
    )
    release = simulate(Scenario(models=models, households=10)).release["blowfish"]
    assert (release.protected == 0).all()
    np.testing.assert_array_equal(release.rate, release.optimal)


@pytest.mark.parametrize("share", [0.01, 0.0])
def test_a_group_without_a_house_sets_no_noise(share: float) -> None:
    groups = (Group(name="Many", share=1 - share), Group(name="Palace", share=share, occupied_max=100.0))
    scenario = Scenario(households=3, groups=groups, models=(OccupancyModel(habits=(Habits(), Habits())),))
    for name in ("blowfish", "calibrated"):
        release = simulate(scenario).release[name]
        assert release.scale.max() <= 1.0 / 0.5
        assert (release.protected == 3).all()


def test_forecast_and_optimal_are_what_they_say() -> None:
    day = simulate(Scenario(households=100))
    optimal, forecast = day.release["optimal"], day.release["forecast"]
    np.testing.assert_array_equal(optimal.rate, optimal.optimal)
    assert optimal.rmsre == optimal.expected_rmsre == 0
    assert (optimal.protected == 0).all()
    np.testing.assert_allclose(forecast.rate, day.street_day.true_moments.expected_demand + 62.5, rtol=1e-12)
    assert not REGISTRY["forecast"].reads_demand
    assert (forecast.scale == 0).all()


def test_where_there_is_no_noise_nobody_sets_it() -> None:
    """Not even a protected house that never uses anything."""
    public = _public(Scenario(households=3))
    assert (laplace_scale(public, 0.0, protected=1, house=2).noise_setting_house == -1).all()
    assert (laplace_scale(public, 1.0, protected=1, house=2).noise_setting_house == 2).all()

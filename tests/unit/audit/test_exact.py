"""The audit, exactly: what every release gives away, house by house."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Group, Habits, Scenario, simulate
from rtp.attack.observation import uniform_llr
from rtp.audit.exact import exact_loss, exact_losses, noise_widths
from rtp.mechanisms import REGISTRY
from rtp.probability.privacy_loss import privacy_loss
from rtp.simulation import draw_day, publish_day


@pytest.mark.parametrize(
    ("epsilon", "empty", "scaled"),
    [
        (0.5, 0.0001, 0.53837),
        (0.5, 0.25, 0.42084),
        (0.5, 0.5, 0.30055),
        (1.0, 0.25, 0.45709),
        (1.0, 0.5, 0.33560),
    ],
)
def test_loss_at_the_calibrated_scale_is_the_budget(epsilon: float, empty: float, scaled: float) -> None:
    spent = privacy_loss(scaled / epsilon, np.array([1.0]), np.array([empty]))
    assert spent[0] == pytest.approx(epsilon, rel=2e-5)  # the scales are given to five digits


def test_loss_is_what_an_observer_of_one_house_can_learn_at_most() -> None:
    y = np.linspace(-5, 7, 4001)
    for b, u, v in ((0.3, 1.0, 0.2), (2.0, 0.4, 0.9), (0.05, 0.3, 0.31), (1.0, 1.0, 0.0)):
        learned = np.abs(uniform_llr(y, np.array(b), np.array(u), np.array(v))).max()
        assert privacy_loss(b, np.array([u]), np.array([v]))[0] == pytest.approx(learned, rel=1e-9)


def test_the_exact_rate_gives_everything_away_unless_there_is_nothing_to_tell() -> None:
    assert privacy_loss(0.0, np.array([1.0, 0.5]), np.array([0.3, 0.5])).tolist() == [np.inf, 0.0]
    spent = exact_loss(simulate(PRESETS["quiet night"].replace(households=30)), "optimal")
    certain = spent.house == -1
    assert 0 < certain.sum() < len(certain)
    assert (spent.spent[certain] == 0).all()
    assert (spent.spent[~certain] == np.inf).all()
    assert spent.promised == np.inf


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_promise_is_kept_at_every_step(preset: str) -> None:
    scenario = PRESETS[preset].replace(households=min(PRESETS[preset].households, 300))
    day = simulate(scenario)
    for name, spent in exact_losses(day).items():
        assert spent.kept, name
        promised = np.cumsum(np.full(scenario.steps, spent.promised))
        assert (spent.spent_so_far <= promised * (1 + 1e-9)).all()
        assert spent.spent_so_far[-1] == spent.total.max()


def test_calibrated_noise_spends_the_budget_on_the_house_that_sets_it() -> None:
    day = simulate(PRESETS["mixed street"].replace(households=200))
    spent, release = exact_loss(day, "calibrated"), day.release["calibrated"]
    protected = release.setter >= 0
    np.testing.assert_allclose(spent.spent[protected], day.scenario.epsilon, rtol=1e-9)
    np.testing.assert_array_equal(spent.house[protected], release.setter[protected])
    assert spent.setter == release.setter[spent.step]


def test_blowfish_noise_is_tight_for_a_house_that_uses_its_bound_or_nothing() -> None:
    day = simulate(PRESETS["mansions"].replace(households=200))
    spent = exact_loss(day, "blowfish")
    np.testing.assert_allclose(spent.any_use, day.scenario.epsilon, rtol=1e-12)
    assert spent.spent.max() < day.scenario.epsilon
    assert exact_loss(day, "calibrated").any_use.max() > day.scenario.epsilon


def test_post_processing_costs_nothing_and_the_forecast_spends_nothing() -> None:
    day = simulate(Scenario(households=100))
    np.testing.assert_array_equal(exact_loss(day, "filtered").spent, exact_loss(day, "calibrated").spent)
    forecast = exact_loss(day, "forecast")
    assert forecast.promised == forecast.spent.max() == forecast.any_use.max() == 0
    assert forecast.setter == -1


def test_a_dear_price_hides_people() -> None:
    """Households that save use less, and the same noise hides them better."""
    plain, elastic = (
        simulate(Scenario(households=100, elasticity=e, reference_rate=1.0)) for e in (0.0, 0.5)
    )
    assert exact_loss(elastic, "naive").spent[0] == exact_loss(plain, "naive").spent[0]
    assert (exact_loss(elastic, "naive").spent[1:] < exact_loss(plain, "naive").spent[1:] / 2).all()


def test_beside_a_reference_of_nothing_every_price_hides_everybody() -> None:
    """Everyone is away and power is free, so the reference rate is 0; a second model is not so sure.

    After a price above 0 nobody would use anything, so the next rate tells nothing about anyone.
    """
    usual = PRESETS["paper"].models[0]
    away = tuple(p.replace(matrix=((1.0, 0.0), (0.0, 1.0))) for p in usual.habits[0].periods)
    gone = usual.replace(name="Gone", habits=(Habits(initial_occupied=0.0, periods=away),))
    scenario = Scenario(
        households=40, beta=0.0, elasticity=1.0, groups=(Group(empty_max=0.0),), models=(gone, usual)
    )
    day = simulate(scenario)
    assert day.market.tariff.reference == 0
    release, spent = day.release["naive"], exact_loss(day, "naive")
    hidden = np.concatenate([[False], release.rate[:-1] > 0])
    assert 10 < hidden.sum() < len(hidden) - 10
    np.testing.assert_array_equal(noise_widths(day, "naive"), np.where(hidden, np.inf, release.scale))
    assert (spent.spent[hidden] == 0).all()
    assert (spent.house[hidden] == -1).all()
    assert (spent.spent[~hidden] > 0).all()
    assert spent.kept


@pytest.mark.parametrize("name", ["blowfish", "calibrated", "filtered"])
def test_noise_too_narrow_is_not_accepted(name: str) -> None:
    """By whatever use of energy the promise allows: to Blowfish, all of the bound or nothing."""
    day = simulate(Scenario(households=50))
    narrow = replace(day.release[name], scale=0.99 * day.release[name].scale)
    assert not exact_loss(replace(day, release={**day.release, name: narrow}), name).kept


def test_an_emptied_protected_set_fools_nobody() -> None:
    """The audit works out by itself whose state is open: with nobody protected the exact rate goes out."""
    scenario = Scenario(households=30)
    life = draw_day(scenario)
    nobody = replace(
        life.support_classes, both_states_possible=np.zeros_like(life.support_classes.both_states_possible)
    )
    found = exact_losses(publish_day(scenario, replace(life, support_classes=nobody)))
    guarding = [name for name in REGISTRY if REGISTRY[name].protects in ("uncertain", "likely")]
    assert [name for name, spent in found.items() if not spent.kept] == guarding
    assert np.isinf(found["blowfish"].spent).all()


def test_of_many_houses_that_lose_as_much_none_is_singled_out() -> None:
    day = simulate(Scenario(households=30))
    assert exact_loss(day, "optimal").losers == 30
    assert exact_loss(day, "calibrated").losers == 1
    assert exact_loss(day, "forecast").losers == 0


@pytest.mark.parametrize(("mechanism", "judged"), [("calibrated", "spent"), ("blowfish", "any_use")])
@pytest.mark.parametrize(("excess", "kept"), [(0.0, True), (5e-10, True), (2e-9, False)])
def test_a_promise_is_kept_up_to_rounding_by_the_use_it_allows(
    mechanism: str, judged: str, excess: float, kept: bool
) -> None:
    """One that assumes uniform use, by that; one that assumes a bound only, by any use within it."""
    found = exact_loss(simulate(Scenario(households=2, step_minutes=60)), mechanism)
    more = np.append(np.zeros(23), found.promised * (1 + excess))
    spent, any_use = (more, 2 * more) if judged == "spent" else (2 * more, more)
    assert replace(found, spent=spent, any_use=any_use).kept is kept

"""The audit: exact losses, the ledger, and an experiment that catches planted bugs and nothing else."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from rtp import PRESETS, Group, Habits, Scenario, ScenarioError, simulate
from rtp.attacker.evidence import alone
from rtp.audit.exact import account, accounts, widths
from rtp.audit.trial import CONFIDENCE, trial
from rtp.cli.main import main
from rtp.density.loss import worst_loss
from rtp.mechanisms import REGISTRY, Mechanism, Noise, Public
from rtp.simulation import live, market
from rtp.statistics import clopper_pearson

SEEDS = range(20)
PROTECTING = ("naive", "blowfish", "calibrated", "filtered")


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
    spent = worst_loss(scaled / epsilon, np.array([1.0]), np.array([empty]))
    assert spent[0] == pytest.approx(epsilon, rel=2e-5)  # the scales are given to five digits


def test_loss_is_what_an_observer_of_one_house_can_learn_at_most() -> None:
    y = np.linspace(-5, 7, 4001)
    for b, u, v in ((0.3, 1.0, 0.2), (2.0, 0.4, 0.9), (0.05, 0.3, 0.31), (1.0, 1.0, 0.0)):
        learned = np.abs(alone(y, np.array(b), np.array(u), np.array(v))).max()
        assert worst_loss(b, np.array([u]), np.array([v]))[0] == pytest.approx(learned, rel=1e-9)


def test_the_exact_rate_gives_everything_away_unless_there_is_nothing_to_tell() -> None:
    assert worst_loss(0.0, np.array([1.0, 0.5]), np.array([0.3, 0.5])).tolist() == [np.inf, 0.0]
    spent = account(simulate(PRESETS["quiet night"].replace(households=30)), "optimal")
    certain = spent.house == -1
    assert 0 < certain.sum() < len(certain)
    assert (spent.spent[certain] == 0).all()
    assert (spent.spent[~certain] == np.inf).all()
    assert spent.promised == np.inf


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_promise_is_kept_at_every_step(preset: str) -> None:
    scenario = PRESETS[preset].replace(households=min(PRESETS[preset].households, 300))
    day = simulate(scenario)
    for name, spent in accounts(day).items():
        assert spent.kept, name
        assert (spent.spent_so_far <= spent.promised_so_far * (1 + 1e-9)).all()
        assert spent.spent_so_far[-1] == spent.total.max()
    promised = accounts(day)["blowfish"]
    assert promised.promised_so_far[-1] == pytest.approx(scenario.steps * scenario.epsilon)


def test_calibrated_noise_spends_the_budget_on_the_house_that_sets_it() -> None:
    day = simulate(PRESETS["mixed street"].replace(households=200))
    spent, release = account(day, "calibrated"), day.release["calibrated"]
    protected = release.setter >= 0
    np.testing.assert_allclose(spent.spent[protected], day.scenario.epsilon, rtol=1e-9)
    np.testing.assert_array_equal(spent.house[protected], release.setter[protected])
    assert spent.setter == release.setter[spent.step]


def test_blowfish_noise_is_tight_for_a_house_that_uses_its_bound_or_nothing() -> None:
    day = simulate(PRESETS["mansions"].replace(households=200))
    spent = account(day, "blowfish")
    np.testing.assert_allclose(spent.any_shape, day.scenario.epsilon, rtol=1e-12)
    assert spent.spent.max() < day.scenario.epsilon
    assert account(day, "calibrated").any_shape.max() > day.scenario.epsilon


def test_post_processing_costs_nothing_and_the_forecast_spends_nothing() -> None:
    day = simulate(Scenario(households=100))
    np.testing.assert_array_equal(account(day, "filtered").spent, account(day, "calibrated").spent)
    forecast = account(day, "forecast")
    assert forecast.promised == forecast.spent.max() == forecast.any_shape.max() == 0
    assert forecast.setter == -1


def test_a_dear_price_hides_people() -> None:
    """Households that save use less, and the same noise hides them better."""
    plain, elastic = (
        simulate(Scenario(households=100, elasticity=e, reference_rate=1.0)) for e in (0.0, 0.5)
    )
    assert account(elastic, "naive").spent[0] == account(plain, "naive").spent[0]
    assert (account(elastic, "naive").spent[1:] < account(plain, "naive").spent[1:] / 2).all()


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
    release, spent = day.release["naive"], account(day, "naive")
    hidden = np.concatenate([[False], release.rate[:-1] > 0])
    assert 10 < hidden.sum() < len(hidden) - 10
    np.testing.assert_array_equal(widths(day, "naive"), np.where(hidden, np.inf, release.scale))
    assert (spent.spent[hidden] == 0).all()
    assert (spent.house[hidden] == -1).all()
    assert (spent.spent[~hidden] > 0).all()
    assert spent.kept


def test_noise_too_narrow_is_not_accepted() -> None:
    day = simulate(Scenario(households=50))
    narrow = replace(day.release["calibrated"], scale=0.99 * day.release["calibrated"].scale)
    assert not account(replace(day, release={**day.release, "calibrated": narrow}), "calibrated").kept


@pytest.mark.parametrize(("hits", "n"), [(0, 50), (1, 50), (25, 50), (50, 50), (137, 100_000)])
def test_clopper_pearson_is_the_exact_binomial_interval(hits: int, n: int) -> None:
    reference = binomtest(hits, n).proportion_ci(CONFIDENCE, method="exact")
    assert clopper_pearson(hits, n, CONFIDENCE) == pytest.approx((reference.low, reference.high), rel=1e-9)


# One mansion among small houses, α away from 1, everyone uncertain all day.
STREET = Scenario(
    households=12,
    epsilon=2.0,
    alpha=1.7,
    groups=(
        Group(name="Mansion", share=1 / 12, occupied_max=4.0, empty_max=0.5),
        Group(name="Houses", share=11 / 12),
    ),
    models=(PRESETS["paper"].models[0].replace(habits=PRESETS["paper"].models[0].habits * 2),),
    seed=3,
)
NARROWED = 0.95


def draws_needed(p: float, q: float, excess: float) -> int:
    """Releases per side for the bound to clear the promise by chance all but surely.

    The bound lies below ln(p/q) by one Clopper–Pearson half-width for each side, and scatters by the root of
    their sum of squares: at 4 standard errors 20 trials all clear it, but for one in a thousand. Half as many
    draws again allow for an event that is not the very best.
    """
    sides = np.sqrt([(1 - p) / p, (1 - q) / q])
    z = norm.isf((1 - CONFIDENCE) / 2)
    return int(1.5 * ((z * sides.sum() + 4 * np.hypot(*sides)) / excess) ** 2)


def point_draws(epsilon: float) -> int:
    """At the bound, r̂ exceeds its centre with chance 1/2; at nothing, with e^−ε of that."""
    spent = epsilon / NARROWED
    return draws_needed(0.5, 0.5 * np.exp(-spent), spent - epsilon)


def uniform_draws(public: Public, mechanism: Mechanism) -> int:
    """Above what the house can use: E[e^{(X − u)/b}]/2 in each state."""
    house = int(mechanism.noise(public).setter[0])
    b = NARROWED * mechanism.noise(public).scale[0] / public.tariff.alpha
    top, low = (float(side[house]) for side in (public.street.occupied_bound, public.street.empty_bound))
    p, q = (0.5 * b / u * (np.exp((u - top) / b) - np.exp(-top / b)) for u in (top, low))
    return draws_needed(p, q, np.log(p / q) - public.epsilon)


@pytest.fixture(scope="module")
def public() -> Public:
    return market(STREET, live(STREET)).public


@pytest.mark.slow
@pytest.mark.parametrize("name", PROTECTING)
def test_correct_noise_raises_no_alarm_in_twenty_trials(name: str, public: Public) -> None:
    life, mechanism = live(STREET), REGISTRY[name]
    uniform = mechanism.assumes == "uniform"
    n = uniform_draws(public, mechanism) if uniform else point_draws(STREET.epsilon)
    verdicts = [trial(STREET, mechanism, n=n, seed=seed, life=life) for seed in SEEDS]
    assert not [v for v in verdicts if v is None or v.broken]
    if name != "naive":  # whose noise is for the nominal bound, not for this street's largest
        assert min(v.lower_bound for v in verdicts if v) > 0.9 * STREET.epsilon


def narrowed(mechanism: Mechanism) -> Callable[[Public], Noise]:
    return lambda public: replace(mechanism.noise(public), scale=NARROWED * mechanism.noise(public).scale)


def scaled_for(pick: Callable[[Public], float]) -> Callable[[Public], Noise]:
    """Blowfish noise for another bound than the largest."""
    right = REGISTRY["blowfish"].noise
    return lambda public: replace(
        right(public), scale=np.full(public.steps, public.tariff.alpha * pick(public) / public.epsilon)
    )


BUGS = {
    "scale × 0.95": narrowed(REGISTRY["blowfish"]),
    "min for max": scaled_for(lambda public: float(public.street.bound.min())),
    "α dropped": scaled_for(lambda public: float(public.street.bound.max()) / public.tariff.alpha),
    "a house missing from κ": scaled_for(lambda public: float(np.sort(public.street.bound)[-2])),
}


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_found_twenty_times_of_twenty(bug: str, public: Public) -> None:
    life, broken = live(STREET), replace(REGISTRY["blowfish"], noise=BUGS[bug])
    spent = STREET.epsilon * REGISTRY["blowfish"].noise(public).scale[0] / broken.noise(public).scale[0]
    assert spent >= STREET.epsilon / NARROWED * (1 - 1e-12)  # so that the draws suffice
    n = point_draws(STREET.epsilon)
    verdicts = [trial(STREET, broken, n=n, seed=seed, life=life) for seed in SEEDS]
    assert all(v is not None and v.broken for v in verdicts)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["calibrated", "filtered"])
def test_calibrated_noise_a_twentieth_too_narrow_is_found_twenty_times_of_twenty(
    name: str, public: Public
) -> None:
    life, broken = live(STREET), replace(REGISTRY[name], noise=narrowed(REGISTRY["calibrated"]))
    n = uniform_draws(public, REGISTRY["calibrated"])
    verdicts = [trial(STREET, broken, n=n, seed=seed, life=life) for seed in SEEDS]
    assert all(v is not None and v.broken for v in verdicts)


def test_the_unprotected_rate_is_seen_through_at_once() -> None:
    verdict = trial(STREET, REGISTRY["optimal"], n=10_000)
    assert verdict is not None
    assert verdict.lower_bound > 7  # ln 10,000, less what ten thousand draws cannot tell from nothing
    assert not verdict.broken  # nothing was promised


def test_the_forecast_gives_nothing_away() -> None:
    verdict = trial(STREET, REGISTRY["forecast"], n=10_000)
    assert verdict is not None
    assert verdict.lower_bound == verdict.promised == 0


def test_with_everybody_certain_there_is_nothing_to_try() -> None:
    still = PRESETS["paper"].models[0].habits[0]
    frozen = still.replace(
        initial_occupied=1.0,
        periods=tuple(p.replace(matrix=((1.0, 0.0), (0.0, 1.0))) for p in still.periods),
    )
    model = PRESETS["paper"].models[0].replace(habits=(frozen,))
    assert trial(Scenario(households=5, models=(model,)), REGISTRY["blowfish"], n=1000) is None


def test_trials_repeat_and_report() -> None:
    reported: list[float] = []
    first = trial(STREET, REGISTRY["blowfish"], n=20_000, progress=reported.append)
    assert reported == [1.0]
    assert first == trial(STREET, REGISTRY["blowfish"], n=20_000)
    assert first != trial(STREET, REGISTRY["blowfish"], n=20_000, seed=99)
    with pytest.raises(ScenarioError) as refused:
        trial(STREET, REGISTRY["blowfish"], n=999)
    assert str(refused.value) == "n is 999; it must be a whole number from 1,000 to 100,000,000."


def test_the_command_prints_one_line_for_each_mechanism(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--n", "2000", "--set", "households=20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[2 : 2 + len(REGISTRY)]] == list(REGISTRY)
    assert lines[-1] == "No promise is broken."


def test_the_command_says_which_promise_is_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = replace(REGISTRY["blowfish"], noise=BUGS["min for max"])
    monkeypatch.setitem(REGISTRY, "blowfish", broken)
    assert main(["audit", "--n", "20000", "--set", "households=20", "--mechanism", "blowfish"]) == 1
    assert capsys.readouterr().out.endswith("Promise broken: blowfish.\n")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (["--n", "5"], "n is 5; it must be a whole number from 1,000 to 100,000,000."),
        (["--trial-seed", "-1"], "--trial-seed is -1; it must be a whole number from 0 to 2,147,483,647."),
        (["--preset", "none"], f"preset is 'none'; it must be one of {', '.join(PRESETS)}."),
    ],
)
def test_the_command_refuses_in_one_sentence(
    wrong: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", *wrong]) == 2
    assert capsys.readouterr() == ("", f"rtp: {sentence}\n")

"""The audit by experiment: planted faults are found, correct code is not blamed. A part of
`python -m benchmarks audit`, which runs twenty audits of every fault and three hundred of correct code."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.audit.trial import DEFAULT, WORLDS, Verdict, Verdicts, fresh_seeds, neighbouring_worlds, trial
from rtp.cli.main import main
from rtp.mechanisms import REGISTRY
from rtp.scenario import BOUNDS, Bounds
from rtp.simulation import day as publishing
from rtp.simulation import draw_day
from rtp.street.simulate import replay_houses
from tests.help.hourly import HOURLY
from tests.help.plants import FAULTS, NARROWED, NOISES, STREET, broken, planted

pytestmark = pytest.mark.slow

NARROW = f"scale × {NARROWED}"
PAIRS = [*(("blowfish", fault) for fault in FAULTS), ("filtered", NARROW)]
INNOCENT = ("blowfish", "calibrated")
FEW = 64  # releases: enough to see that nothing is blamed


@pytest.fixture(scope="module")
def audited() -> Verdicts:
    """One audit, at the default size, of all faults together and of correct mechanisms beside them."""
    faulty = [broken(REGISTRY[name], fault) for name, fault in PAIRS]
    with planted([*faulty, *(REGISTRY[name] for name in INNOCENT)]):
        return trial(STREET, seed=1)


@pytest.mark.long
@pytest.mark.parametrize(("name", "fault"), PAIRS)
def test_a_planted_fault_is_found(name: str, fault: str, audited: Verdicts) -> None:
    verdict = audited[f"{name}: {fault}"]
    assert verdict is not None
    assert verdict.broken
    first = {
        "no noise": "it adds no noise",
        "emptied protected set": "it adds no noise",
        "one draw for the whole day": "the same noise is used at 00:00 and again at 00:15",
        "noise of the release before": "the same noise is used again on another day, 200 times; first on ",
        "a seed of 256 values": "the same noise is used again on another day, ",
        "gaussian noise": "96",
        "bounded noise": "its rates prove a loss of ",
        "half the noise at noon": "at 12:00 its noise is ",
    }
    assert verdict.reasons[0].startswith(first.get(fault, "its noise is "))


SHAPES = ("no noise in one rate of twenty", "gaussian noise")
REPEATS = ("noise of the release before", "a seed of 256 values")


def test_noise_of_another_shape_or_another_day_is_found() -> None:
    with planted([broken(REGISTRY["blowfish"], fault) for fault in (*SHAPES, *REPEATS)]):
        verdicts = trial(STREET, n=96, seed=1)
    shapes, repeats = ([verdicts[f"blowfish: {fault}"] for fault in faults] for faults in (SHAPES, REPEATS))
    assert [v.distribution.proved for v in shapes if v] == [True, True]
    assert [v.repeats.pairs for v in repeats if v] == [48, 17]
    assert all(v.broken for v in verdicts.values() if v)


ALONE = {
    NARROW: "scale",
    "half the noise at noon": "scale at a step",
    "gaussian noise": "distribution",
    "one draw for the whole day": "two steps",
    "noise of the release before": "two days",
    "bounded noise": "a house told apart",
}


def proofs(verdict: Verdict) -> set[str]:
    """Which checks blame a mechanism."""
    found = {
        "scale": verdict.noise.proved,
        "scale at a step": bool(len(verdict.noise.steps)),
        "distribution": verdict.distribution.proved,
        "two steps": verdict.reuse.pair is not None,
        "two days": verdict.repeats.days is not None,
        "a house told apart": verdict.proved > verdict.promised,
    }
    return {check for check, proved in found.items() if proved}


def test_each_check_finds_a_fault_that_no_other_finds() -> None:
    with planted([broken(REGISTRY["blowfish"], fault) for fault in ALONE]):
        verdicts = trial(STREET.replace(epsilon=1.0), n=112, seed=2)
    found = {name.partition(": ")[2]: proofs(verdict) for name, verdict in verdicts.items() if verdict}
    assert found == {fault: {check} for fault, check in ALONE.items()}


@pytest.mark.long
def test_twenty_audits_of_twenty_find_what_four_checks_missed() -> None:
    """Of 1,600 days on hours, which have a quarter of the rates."""
    hourly = STREET.replace(step_minutes=60)
    for seed in range(20):
        with planted([broken(REGISTRY["blowfish"], fault) for fault in (*SHAPES, *REPEATS)]):
            verdicts = trial(hourly, n=1600, seed=seed)
        assert [name for name, verdict in verdicts.items() if verdict is None or not verdict.broken] == []


@pytest.mark.long
def test_three_hundred_audits_of_correct_code_blame_next_to_nobody() -> None:
    few = [preset.replace(households=10, days=1) for preset in HOURLY.values()]
    options: tuple[dict[str, object], ...] = (
        {},
        {"clip_at_zero": True, "epsilon": 0.05},
        {"elasticity": 1.0},
        {"independent_noise": True},
    )
    blamed = []
    for seed in range(300):
        scenario = few[seed % len(few)].replace(**options[seed // len(few) % len(options)])
        verdicts = trial(scenario, n=FEW, seed=seed)
        blamed += [(seed, v.mechanism, v.reasons) for v in verdicts.values() if v is not None and v.broken]
    assert len(blamed) <= 1, blamed


def test_no_two_days_of_an_audit_have_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn from so few that they would: two equal seeds have the same noise, and blame the innocent."""
    monkeypatch.setitem(BOUNDS, "seed", Bounds(0, 49, "Seed"))
    seeds = (scenario.seed for scenario in fresh_seeds(Scenario(), np.random.default_rng(0)))
    assert sorted(islice(seeds, 50)) == list(range(50))


@pytest.mark.long
def test_the_innocent_beside_them_are_not_blamed(audited: Verdicts) -> None:
    for name in INNOCENT:
        verdict = audited[name]
        assert verdict is not None
        assert not verdict.reasons, name
        assert abs(verdict.noise.ratio - 1) < 5 / np.sqrt(DEFAULT * STREET.steps)
        assert verdict.proved > 0.7 * STREET.epsilon


@pytest.mark.long
@pytest.mark.parametrize("epsilon", [0.05, 8.0])
def test_a_twentieth_too_narrow_is_found_at_any_budget(epsilon: float) -> None:
    """At ε = 0.05, and for uniform consumption at 8, no event shows it; the noise itself does."""
    with planted([broken(REGISTRY["calibrated"], NARROW)]):
        (verdict,) = trial(STREET.replace(epsilon=epsilon), seed=2).values()
    assert verdict is not None
    assert verdict.proved < epsilon
    assert verdict.broken
    assert verdict.noise.ratio == pytest.approx(NARROWED, abs=5 / np.sqrt(DEFAULT * STREET.steps))
    assert NARROWED < verdict.noise.detectable < 1  # and the audit says that it would
    assert epsilon < verdict.scale_loss < epsilon / NARROWED * 1.05


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [
        {"clip_at_zero": True, "epsilon": 0.05},
        {"independent_noise": True, "epsilon": 8.0},
        {"elasticity": 1.0, "epsilon": 0.2},
        {"habit_clip": "closed", "days": 2, "inelastic_demand": 10.0},
    ],
)
def test_correct_code_is_not_blamed_whatever_is_published(options: dict[str, object]) -> None:
    """Without any option: see the command below."""
    verdicts = trial(PRESETS["unsure curator"].replace(households=15, **options), n=FEW)
    assert not [v and v.reasons for v in verdicts.values() if v is None or v.broken]


@pytest.mark.long
def test_half_the_noise_is_found_behind_clipped_rates_and_a_price_response() -> None:
    for options in ({"clip_at_zero": True, "epsilon": 0.05}, {"elasticity": 1.0}):
        pairs = [("naive", "half the noise"), ("filtered", "half the noise")]
        with planted([broken(REGISTRY[name], fault) for name, fault in pairs]):
            for verdict in trial(PRESETS["paper"].replace(households=10, **options), n=FEW).values():
                assert verdict is not None
                assert verdict.noise.proved


def test_noise_missing_at_one_step_is_found_there() -> None:
    """As where a protected set is emptied at noon only."""
    right = REGISTRY["blowfish"].scale
    holed = replace(
        REGISTRY["blowfish"],
        scale=lambda public: replace(
            right(public), scale=np.where(np.arange(public.steps) == 48, 0.0, right(public).scale)
        ),
    )
    with planted([holed]):
        (verdict,) = trial(Scenario(households=20), n=FEW).values()
    assert verdict is not None
    assert verdict.reasons[0] == "at 12:00 its noise is 0 % of what the promise needs"


def test_fixed_noise_is_no_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten times as wide as is needed, and the same in every release."""
    fixed = 10 * np.random.default_rng(0).laplace(size=96)
    with planted([REGISTRY["blowfish"]]):
        monkeypatch.setattr(publishing, "unit_noise", lambda *_: {"blowfish": fixed})
        (verdict,) = trial(Scenario(households=20), n=FEW).values()
    assert verdict is not None
    assert not verdict.noise.proved
    assert verdict.reasons[-1].startswith("the same noise is used in every release at ")


def test_a_forecast_that_looks_at_demand_is_found_out() -> None:
    peeping = replace(REGISTRY["naive"], name="peeping", reads_demand=False, role=None)
    with planted([peeping]):
        (verdict,) = trial(Scenario(households=20, epsilon=8.0), n=FEW).values()
    assert verdict is not None
    assert verdict.promised == 0
    assert verdict.reasons[0].startswith("its rates prove a loss of ")


@pytest.mark.parametrize(("preset", "houses"), [("mixed street", 40), ("quiet night", 3)])
def test_neighbours_differ_in_one_open_house_and_in_nothing_else(preset: str, houses: int) -> None:
    """In a quiet night nobody's state is open; by day, of three, that of the first house."""
    scenario = PRESETS[preset].replace(households=houses)
    life = draw_day(scenario)
    near, kinds = neighbouring_worlds(scenario, life), life.support_classes
    if preset == "quiet night":
        assert {*near.house["uniform"].tolist()} == {-1, 0}
    _, used = replay_houses(life.spec, life.street, list(range(houses)))
    rng = np.random.default_rng(0)
    for shape, occupied in WORLDS:
        house = near.house[shape]
        steps = np.flatnonzero(house >= 0)
        assert kinds.protected[steps, kinds.of_house[house[steps]]].all()
        rest = used.sum(axis=1) - np.where(house >= 0, used[np.arange(96), house], 0.0)
        np.testing.assert_allclose(near.others[shape], rest, atol=1e-9)
        use = near.used(shape, occupied, rng)
        street = life.street
        top = street.bound if shape == "point" else street.occupied_bound if occupied else street.empty_bound
        assert (use <= top[house]).all()
        assert (use[house < 0] == 0).all()


def test_the_unprotected_rate_is_seen_through_at_once_and_breaks_nothing() -> None:
    """Ten thousand rates a side: ln 10,000, less what they cannot tell from nothing."""
    with planted([REGISTRY["optimal"], REGISTRY["forecast"]]):
        optimal, forecast = trial(Scenario(households=20)).values()
    assert optimal is not None
    assert forecast is not None
    assert optimal.proved > 6
    assert not optimal.broken  # nothing was promised
    assert forecast.proved == forecast.promised == 0


def test_with_everybody_certain_there_is_nothing_to_try() -> None:
    still = PRESETS["paper"].models[0].habits[0]
    frozen = still.replace(
        initial_occupied=1.0,
        periods=tuple(p.replace(matrix=((1.0, 0.0), (0.0, 1.0))) for p in still.periods),
    )
    model = PRESETS["paper"].models[0].replace(habits=(frozen,))
    verdicts = trial(Scenario(households=5, models=(model,)), n=FEW)
    tried = [name for name, verdict in verdicts.items() if verdict is not None]
    assert tried == [name for name in REGISTRY if REGISTRY[name].role == "yardstick"]  # it hides everyone


def test_trials_repeat_and_report() -> None:
    scenario, reported = Scenario(households=5), list[float]()
    with planted([REGISTRY["blowfish"]]):
        (first,) = trial(scenario, n=FEW, progress=reported.append).values()
        again, other = (trial(scenario, n=FEW, seed=seed)["blowfish"] for seed in (None, 99))
    assert reported == [(i + 1) / FEW for i in range(FEW)]
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.noise.ratio == again.noise.ratio != other.noise.ratio


@pytest.mark.long
def test_a_verdict_does_not_depend_on_how_many_releases_are_undone_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = Scenario(households=5, elasticity=1.0, clip_at_zero=True)
    found: list[Verdict | None] = []
    for batch in (3, FEW):
        monkeypatch.setattr("rtp.audit.trial.UNDONE_TOGETHER", batch)
        with planted([REGISTRY["filtered"]]):
            found += trial(scenario, n=FEW).values()
    one, other = found
    assert one is not None
    assert other is not None
    assert one.reuse == other.reuse
    assert one.proved == pytest.approx(other.proved, rel=1e-9)
    np.testing.assert_allclose(one.noise.by_step, other.noise.by_step, rtol=1e-9)


def test_the_command_prints_one_line_for_each_mechanism(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--n", "64", "--set", "households=20", "--set", "epsilon=0.0001"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "20 households, ε = 0.0001 per step"
    head = "rate promised spent house (bounds) over the day any use proved noise would find"
    assert lines[1].split() == head.split()
    assert lines[1].index("promised") + len("promised") == lines[4].index("0.0001") + len("0.0001")
    assert [line.split()[0] for line in lines[2 : 2 + len(REGISTRY)]] == list(REGISTRY)
    assert lines[4].split()[1] == "0.0001"
    assert "20 alike" in lines[2]
    assert lines[-1] == "No promise is broken."


def test_the_command_says_which_promise_is_broken_and_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = NOISES["min for max"](REGISTRY["blowfish"].scale)
    monkeypatch.setitem(REGISTRY, "blowfish", replace(REGISTRY["blowfish"], scale=noise))
    assert main(["audit", "--n", "64", "--set", "households=20", "--mechanism", "blowfish"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].startswith("blowfish: its noise is ")
    assert lines[-1] == "Promise broken: blowfish."


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (["--n", "5"], "n is 5; it must be a whole number from 64 to 100,000."),
        (["--n", "100"], "n is 100; it must be a multiple of 16."),
        (["--trial-seed", "-1"], "--trial-seed is -1; it must be a whole number from 0 to 2,147,483,647."),
        (["--preset", "none"], f"preset is 'none'; it must be one of {', '.join(PRESETS)}."),
    ],
)
def test_the_command_refuses_in_one_sentence(
    wrong: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", *wrong]) == 2
    assert capsys.readouterr() == ("", f"rtp: {sentence}\n")

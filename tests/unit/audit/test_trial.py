"""The audit by experiment: planted faults are found, correct code is not blamed. A part of
`python -m benchmarks audit`, which runs twenty audits of every fault and three hundred of correct code."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from rtp import Scenario
from rtp.audit.trial import DEFAULT, Verdict, Verdicts, fresh_seeds, trial
from rtp.mechanisms import REGISTRY
from rtp.scenario import BOUNDS, Bounds
from rtp.simulation import day as publishing
from tests.help.hourly import HOURLY
from tests.help.plants import FAULTS, NARROWED, STREET, broken, planted
from tests.unit.tradeoff.streets import certain_street

pytestmark = pytest.mark.slow

NARROW = f"scale × {NARROWED}"
PAIRS = [*(("blowfish", fault) for fault in FAULTS), ("filtered", NARROW)]
INNOCENT = ("blowfish", "calibrated")
FEW = 64  # releases: enough to see that nothing is blamed


ALONE = {  # faults, and the one check that finds each
    NARROW: "scale",
    "half the noise at noon": "scale at a step",
    "gaussian noise": "distribution",
    "one draw for the whole day": "two steps",
    "noise of the release before": "two days",
    "bounded noise": "a house told apart",
}
TOLD_BY = ALONE | {"no noise in one rate of twenty": "distribution", "a seed of 256 values": "two days"}


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
    assert TOLD_BY.get(fault, "scale") in proofs(verdict)


def test_each_check_finds_a_fault_that_no_other_finds() -> None:
    with planted([broken(REGISTRY["blowfish"], fault) for fault in ALONE]):
        verdicts = trial(STREET.replace(epsilon=1.0), n=112, seed=2)
    found = {name.partition(": ")[2]: proofs(verdict) for name, verdict in verdicts.items() if verdict}
    assert found == {fault: {check} for fault, check in ALONE.items()}
    assert all(verdict.broken for verdict in verdicts.values() if verdict)


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
        blamed += [(seed, name, proofs(v)) for name, v in verdicts.items() if v is not None and v.broken]
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
        assert not proofs(verdict), name
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


def test_fixed_noise_is_no_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten times as wide as is needed, and the same in every release."""
    fixed = 10 * np.random.default_rng(0).laplace(size=96)
    with planted([REGISTRY["blowfish"]]):
        monkeypatch.setattr(publishing, "unit_noise", lambda *_: {"blowfish": fixed})
        (verdict,) = trial(Scenario(households=20), n=FEW).values()
    assert verdict is not None
    assert not verdict.noise.proved
    assert verdict.reuse.pair is not None
    assert verdict.reuse.pair[0] == -1, "in every release"
    assert verdict.broken


def test_a_forecast_that_looks_at_demand_is_found_out() -> None:
    peeping = replace(REGISTRY["naive"], name="peeping", reads_demand=False, role=None)
    with planted([peeping]):
        (verdict,) = trial(Scenario(households=20, epsilon=8.0), n=FEW).values()
    assert verdict is not None
    assert verdict.promised == 0 < verdict.proved
    assert verdict.broken


def test_with_everybody_certain_there_is_nothing_to_try() -> None:
    verdicts = trial(certain_street().replace(households=5), n=FEW)
    tried = [name for name, verdict in verdicts.items() if verdict is not None]
    assert tried == [name for name in REGISTRY if REGISTRY[name].role == "yardstick"]  # it hides everyone

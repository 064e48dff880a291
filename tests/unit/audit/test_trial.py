"""The audit by experiment: planted faults are found, correct code is not blamed. `python -m benchmarks audit`
runs twenty audits of every fault and three hundred of correct code at full size."""

import doctest
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.audit import cheating
from rtp.audit.cheating import cheat, name_of, noise_that_follows_who_is_in
from rtp.audit.exact import exact_losses
from rtp.audit.trial import DEFAULT, Untried, Verdict, Verdicts, trial
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY, Mechanism
from rtp.output.audit import broken, flaws, proofs_frame
from rtp.simulation import Cheat
from rtp.street.simulate import StreetDay
from tests.help import cheating as faults
from tests.help.cheating import EVERY_FAULT
from tests.help.few import few
from tests.help.hourly import HOURLY
from tests.help.streets import CERTAIN, MANSION

pytestmark = pytest.mark.slow

HONEST = REGISTRY["blowfish"]
INNOCENT = ("blowfish", "calibrated")
FEW = 64  # releases: enough to see that nothing is blamed
OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"clip_at_zero": True, "epsilon": 0.05},
    {"elasticity": 1.0},
    {"independent_noise": True, "negligible": 0.05},
)


def nearly_repeated(honest: Mechanism) -> Mechanism:
    """Every day's noise is one of 256 sequences, and a hundred thousandth of its own."""
    few = faults.a_seed_of_256_values(honest)
    assert isinstance(few, Cheat)

    def spoil(unit: Floats, day: StreetDay) -> Floats:
        return few.spoil(unit, day) + 1e-5 * unit

    return cheat(honest, nearly_repeated, spoil)


def peeping(honest: Mechanism) -> Mechanism:
    """A forecast that looks at demand."""
    return replace(honest, name=f"{honest.name}: peeping", reads_demand=False, role=None)


ALONE = {  # faults, and the one check that finds each
    faults.a_twentieth_too_narrow: "scale",
    faults.half_the_noise_at_noon: "scale at a step",
    faults.gaussian_noise: "distribution",
    faults.one_sign_for_the_whole_day: "two steps",
    faults.signs_by_parity: "three steps",
    faults.sizes_mirrored_in_pairs: "sizes",
    nearly_repeated: "two days",
    faults.uniforms_of_16_bits: "values",
    faults.noise_centred_over_the_day: "sums",
    noise_that_follows_who_is_in: "secrets",
    peeping: "a house told apart",
}


def blamed(verdicts: Verdicts) -> Iterator[tuple[str, set[str]]]:
    """Who is blamed, and by which checks."""
    for name, verdict in verdicts.items():
        if isinstance(verdict, Verdict) and verdict.broken:
            yield name, {check for check, proved in verdict.proofs.items() if proved}


@pytest.mark.long
def test_every_fault_is_found_and_the_innocent_beside_them_are_not_blamed() -> None:
    """One audit of all together, at the default size."""
    innocent = [REGISTRY[name] for name in INNOCENT]
    verdicts = trial(
        MANSION, seed=1, mechanisms=[*innocent, *(make(HONEST) for make in EVERY_FAULT.values())]
    )
    assert {name for name, _ in blamed(verdicts)} == {f"{HONEST.name}: {name}" for name in EVERY_FAULT}
    for name in INNOCENT:
        verdict = verdicts[name]
        assert isinstance(verdict, Verdict)
        assert abs(verdict.noise.ratio - 1) < 5 / np.sqrt(DEFAULT * MANSION.steps)
        assert verdict.proved > 0.7 * MANSION.epsilon


def test_each_check_finds_a_fault_that_no_other_finds() -> None:
    made = [make(HONEST) for make in ALONE]
    verdicts = trial(MANSION.replace(epsilon=1.0), n=128, seed=2, mechanisms=made)
    found = {name.partition(": ")[2]: checks for name, checks in blamed(verdicts)}
    assert found == {name_of(fault): {check} for fault, check in ALONE.items()}
    assert len({flaws(verdict) for verdict in verdicts.values()} - {""}) == len(ALONE), (
        "each has words of its own"
    )
    exact = exact_losses(simulate(MANSION))
    assert broken(exact, {"naive": next(iter(verdicts.values()))}) == ["naive"]
    overspent = replace(exact["calibrated"], promised=0.1)
    assert broken(exact | {"calibrated": overspent}, {"blowfish": Untried.CERTAIN}) == ["calibrated"]


@pytest.mark.parametrize("audits", few([2, 100], 2))
def test_audits_of_correct_code_blame_nobody(audits: int) -> None:
    few = [preset.replace(households=10, days=1) for preset in HOURLY.values()]
    accused = []
    for seed in range(audits):
        scenario = few[seed % len(few)].replace(**OPTIONS[seed // 2 % len(OPTIONS)])
        accused += [(seed, *found) for found in blamed(trial(scenario, n=FEW, seed=seed))]
    assert not accused


def test_the_example_of_an_audit_of_ones_own_runs() -> None:
    assert doctest.testmod(cheating).failed == 0


@pytest.mark.long
@pytest.mark.parametrize("epsilon", [0.05, 8.0])
def test_a_twentieth_too_narrow_is_found_at_any_budget(epsilon: float) -> None:
    """At ε = 0.05, and for uniform consumption at 8, no event shows it; the noise itself does."""
    narrow = faults.a_twentieth_too_narrow(REGISTRY["calibrated"])
    (verdict,) = trial(MANSION.replace(epsilon=epsilon), seed=2, mechanisms=[narrow]).values()
    assert isinstance(verdict, Verdict)
    assert verdict.proved < epsilon
    assert verdict.broken
    assert verdict.noise.ratio == pytest.approx(0.95, abs=5 / np.sqrt(DEFAULT * MANSION.steps))
    assert 0.95 < verdict.noise.detectable < 1  # and the audit says that it would
    assert epsilon < verdict.scale_loss < epsilon / 0.95 * 1.05


def test_fixed_noise_is_no_noise() -> None:
    """Ten times as wide as is needed, and the same in every release."""
    fixed = 10 * np.random.default_rng(0).laplace(size=96)
    same = cheat(HONEST, faults.no_noise, lambda *_: fixed)
    (verdict,) = trial(Scenario(households=20), n=FEW, mechanisms=[same]).values()
    assert isinstance(verdict, Verdict)
    assert not verdict.noise.proved
    assert verdict.reuse.steps is not None
    assert verdict.reuse.steps[0] == -1, "in every release"
    assert verdict.broken


def test_what_is_smoothed_and_cannot_be_undone_is_not_judged() -> None:
    """A filter whose inverse is not known shows the demand of steps before: it may be honest, and is not said
    to be, nor that everybody is certain."""
    smooth = replace(REGISTRY["filtered"], name="smooth", invert=None)
    verdicts = trial(Scenario(households=5), n=FEW, mechanisms=[smooth, HONEST])
    assert verdicts["smooth"] is Untried.SMOOTHED
    assert flaws(verdicts["smooth"]) == "not tried: its smoothing cannot be undone"
    assert proofs_frame(verdicts)["Flaws"].tolist() == [flaws(verdicts["smooth"]), "none"]


def test_with_everybody_certain_there_is_nothing_to_try() -> None:
    verdicts = trial(CERTAIN.replace(households=5), n=FEW)
    tried = [name for name, verdict in verdicts.items() if verdict is not Untried.CERTAIN]
    assert tried == [name for name in REGISTRY if REGISTRY[name].role == "yardstick"]  # it hides everyone

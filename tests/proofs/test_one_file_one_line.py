"""A mechanism is one file and one line: registered, the whole lab has it and judges it rightly.

The file is a renamed copy of calibrated. The lab must say of it what it says of calibrated, and of a copy
with half the noise that its promise is broken. No other line of the lab is changed for it.
"""

import ast
import runpy
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pages.ui import cache, jobs
from rtp import Day, Scenario, simulate
from rtp.audit import exact_loss
from rtp.audit.possible import shape_of
from rtp.audit.trial import Verdict, trial
from rtp.mechanisms import REGISTRY, Mechanism, NoiseScale, Public, register
from tests.help.app import called_here
from tests.help.root import ROOT

pytestmark = pytest.mark.slow

FILE = '''
"""A copy of calibrated under another name."""

from rtp.mechanisms import calibrated
from rtp.mechanisms.base import Mechanism, NoiseScale, Public


def scale(public: Public) -> NoiseScale:
    return calibrated.scale(public)


MECHANISM = Mechanism(
    name="copycat",
    label="Copycat",
    promise="What calibrated promises.",
    relies_on="what calibrated relies on",
    colour="#c0504d",
    dash="dash",
    scale=scale,
    protects="uncertain",
    assumes="uniform",
)
'''
SCENARIO = Scenario(households=23, epsilon=2.0, seed=41)
RELEASES = 64  # the fewest that an audit takes


@pytest.fixture(scope="module")
def before() -> Day:
    """The day, before anyone has heard of the copy."""
    assert "copycat" not in REGISTRY
    return simulate(SCENARIO)


@pytest.fixture
def copycat(before: Day, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mechanism]:
    """One file and one line; whatever is registered is forgotten afterwards, by the pages' caches too. A
    worker would read the registry's own line, which is not written here."""
    monkeypatch.setattr(jobs, "call", called_here)
    path = tmp_path / "copycat.py"
    path.write_text(FILE, encoding="utf-8")
    mechanism: Mechanism = runpy.run_path(str(path))["MECHANISM"]
    known = set(REGISTRY)
    monkeypatch.setattr(cache, "KEPT", {weight: cache.slots(99) for weight in cache.KEPT})
    register(mechanism)
    yield mechanism
    for name in set(REGISTRY) - known:
        del REGISTRY[name]


@pytest.fixture
def halved(copycat: Mechanism) -> Mechanism:
    """The same with half the noise. The loss is convex in 1/b and 0 at 0, so this spends 2ε at least."""

    def half(public: Public) -> NoiseScale:
        noise = copycat.scale(public)
        return replace(noise, scale=noise.scale / 2)

    broken = replace(copycat, name="halved", label="Halved", scale=half)
    register(broken)
    return broken


def test_it_publishes_and_nothing_else_changes(copycat: Mechanism, before: Day) -> None:
    day = simulate(SCENARIO)
    one, other = day.release["copycat"], before.release["calibrated"]
    np.testing.assert_array_equal(one.rate, other.rate)
    assert (one.rmsre, one.expected_rmsre) == (other.rmsre, other.expected_rmsre)
    for name, release in before.release.items():
        np.testing.assert_array_equal(day.release[name].rate, release.rate)
    own_draws = SCENARIO.replace(independent_noise=True)
    apart = simulate(own_draws).release
    assert (apart["copycat"].rate != apart["calibrated"].rate).all()
    del REGISTRY["copycat"]
    for name, release in simulate(own_draws).release.items():
        np.testing.assert_array_equal(apart[name].rate, release.rate)
    assert {"copycat_rate", "copycat_scale", "copycat_protected"} <= set(day.frame())


def test_the_audit_judges_it(copycat: Mechanism, halved: Mechanism) -> None:
    """Exactly, and by experiment: from the 64 · 96 rates of the smallest one, half the noise is plain."""
    day = simulate(SCENARIO)
    kept, broken = exact_loss(day, "copycat"), exact_loss(day, "halved")
    assert kept.kept
    assert kept.promised == SCENARIO.epsilon
    assert kept.spent.max() == pytest.approx(SCENARIO.epsilon, rel=1e-9)
    assert not broken.kept
    assert broken.spent.max() >= 2 * SCENARIO.epsilon * (1 - 1e-9)
    proofs = trial(SCENARIO, n=RELEASES, street_day=day.street_day)
    for mechanism in (copycat, halved):
        proof = proofs[mechanism.name]
        assert isinstance(proof, Verdict)
        assert shape_of(mechanism) == "uniform"
        assert proof.broken == (mechanism is halved)
        assert proof.proved > SCENARIO.epsilon / 4  # neither is proved nothing of


def bare_names(source: str) -> set[str]:
    """The strings in a source that are a mechanism's name, and nothing more."""
    if not any(name in source for name in REGISTRY):
        return set()
    constants = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str) and value in REGISTRY}


def test_no_other_file_names_a_mechanism() -> None:
    files = [*ROOT.glob("rtp/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "app.py"]
    assert len(files) > 100
    own = {ROOT / "rtp" / "mechanisms" / f"{name}.py" for name in REGISTRY}
    assert own <= set(files)
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in files
        if path not in own
        for name in bare_names(path.read_text(encoding="utf-8"))
    }
    assert not found
    for path in own:
        assert bare_names(path.read_text(encoding="utf-8")) == {path.stem}

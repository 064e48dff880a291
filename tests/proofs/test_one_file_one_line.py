"""A mechanism is one file and one line: registered, the whole lab has it and judges it rightly.

The copy is calibrated under another name. The lab must say of it what it says of calibrated, and of a copy
with half the noise that its promise is broken. No other line of the lab is changed for it.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from pages.ui import cache, jobs
from rtp import Day, Scenario, simulate
from rtp.audit import exact_loss
from rtp.audit.trial import Verdict, trial
from rtp.mechanisms import REGISTRY, NoiseScale, Public, register
from tests.help.app import called_here
from tests.help.root import ROOT

pytestmark = pytest.mark.slow

SCENARIO = Scenario(households=23, epsilon=2.0, seed=41)
RELEASES = 64  # the fewest that an audit takes


@pytest.fixture(scope="module")
def before() -> Day:
    """The day, before anyone has heard of the copy."""
    assert "copycat" not in REGISTRY
    return simulate(SCENARIO)


@pytest.fixture(autouse=True)
def _copies(before: Day, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is registered is forgotten afterwards, by the pages' caches too; a worker would not know of it.
    Half the noise spends 2ε at least: the loss is convex in 1/b and 0 at 0."""
    honest = REGISTRY["calibrated"]

    def half(public: Public) -> NoiseScale:
        noise = honest.scale(public)
        return replace(noise, scale=noise.scale / 2)

    monkeypatch.setattr(jobs, "call", called_here)
    monkeypatch.setattr(cache, "KEPT", {weight: cache.slots(99) for weight in cache.KEPT})
    register(replace(honest, name="copycat", label="Copycat", colour="#c0504d", dash="dash"))
    register(replace(honest, name="halved", label="Halved", scale=half))
    yield
    for name in ("copycat", "halved"):
        REGISTRY.pop(name, None)


def test_it_publishes_and_nothing_else_changes(before: Day) -> None:
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
    without = simulate(own_draws).release
    for name in before.release:
        np.testing.assert_array_equal(apart[name].rate, without[name].rate)
    assert {"copycat_rate", "copycat_scale", "copycat_protected"} <= set(day.frame())


def test_the_audit_judges_it() -> None:
    """Exactly, and by experiment: from the 64 · 96 rates of the smallest one, half the noise is plain."""
    day = simulate(SCENARIO)
    kept, broken = exact_loss(day, "copycat"), exact_loss(day, "halved")
    assert (kept.kept, kept.promised, broken.kept) == (True, SCENARIO.epsilon, False)
    assert kept.spent.max() == pytest.approx(SCENARIO.epsilon, rel=1e-9)
    assert broken.spent.max() >= 2 * SCENARIO.epsilon * (1 - 1e-9)
    proofs = trial(SCENARIO, n=RELEASES, street_day=day.street_day)
    for name in ("copycat", "halved"):
        proof = proofs[name]
        assert isinstance(proof, Verdict)
        assert proof.broken == (name == "halved")
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
    own = {f"rtp/mechanisms/{name}.py": {name} for name in REGISTRY.keys() - {"copycat", "halved"}}
    named = {path.relative_to(ROOT).as_posix(): bare_names(path.read_text("utf-8")) for path in files}
    assert {path: names for path, names in named.items() if names} == own

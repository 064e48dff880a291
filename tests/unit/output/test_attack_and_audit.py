"""What is said of an attack and of an audit holds the numbers at hand, and nothing where there is none."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.audit.checks import DistributionTest, ScaleTest
from rtp.audit.exact import exact_losses
from rtp.audit.independence import IndependenceTest, RepeatTest, SecretTest, ValuesTest
from rtp.audit.trial import Untried, Verdict
from rtp.output.audit import broken, flaws

DAY = simulate(Scenario(households=20))
EXACT = exact_losses(DAY)
WIDE = ScaleTest(1.002, False, np.array([], dtype=int), 0.962, 0.65)
KEPT = Verdict(
    promised=0.5,
    proved=0.4321,
    noise=WIDE,
    distribution=DistributionTest(False, 0.0226),
    reuse=IndependenceTest(None, 0.51),
    parity=IndependenceTest(None, 0.55),
    sizes=IndependenceTest(None, 0.71),
    repeats=RepeatTest(None, 11_552.2),
    values=ValuesTest(False, 2.0**24.6),
    known_sum=False,
    secrets=SecretTest(None, 1.098),
    detectable_loss=0.762,
    scale_loss=0.52,
)
FLAWED = {
    "narrow": replace(KEPT, noise=WIDE._replace(ratio=0.48, proved=True)),
    "narrow at a step": replace(KEPT, noise=WIDE._replace(steps=np.array([48]))),
    "shape": replace(KEPT, distribution=DistributionTest(True, 0.0226)),
    "two steps": replace(KEPT, reuse=IndependenceTest((1, 48), 0.51)),
    "three steps": replace(KEPT, parity=IndependenceTest((1, 3, 48), 0.55)),
    "sizes": replace(KEPT, sizes=IndependenceTest((1, 48), 0.71)),
    "two days": replace(KEPT, repeats=RepeatTest((0, 1), 11_552.2)),
    "values": replace(KEPT, values=ValuesTest(True, 2.0**24.6)),
    "sum": replace(KEPT, known_sum=True),
    "secret": replace(KEPT, secrets=SecretTest("the house", 1.098)),
    "told apart": replace(KEPT, proved=0.6),
}


@pytest.mark.parametrize("flaw", FLAWED)
def test_each_flaw_has_words_of_its_own(flaw: str) -> None:
    words = flaws(FLAWED[flaw])
    assert words
    assert all(flaws(FLAWED[other]) != words for other in FLAWED if other != flaw)
    assert broken(EXACT, {"naive": FLAWED[flaw]}) == ["naive"]
    assert flaws(replace(FLAWED[flaw], promised=inf)) == "", "nothing was promised"


def test_a_promise_is_broken_exactly_or_by_experiment() -> None:
    assert flaws(KEPT) == flaws(replace(KEPT, proved=0.5)) == ""
    assert broken(EXACT, {"naive": KEPT, "blowfish": Untried.CERTAIN}) == []
    overspent = replace(EXACT["calibrated"], promised=0.4)
    assert broken(EXACT | {"calibrated": overspent}, {}) == ["calibrated"]

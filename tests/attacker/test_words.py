"""Sentences about who is at work and what the limit leaves out: each holds a number of the street at hand."""

from dataclasses import replace

import numpy as np

from rtp import Scenario, simulate
from rtp.attacker.judge import Judged, judge
from rtp.attacker.observer import posterior
from rtp.attacker.success import attack
from rtp.attacker.words import TOGETHER, ceiling_words, limit_words, method_words
from rtp.clock import when
from tests.attacker.streets import turning

FEW, MANY = simulate(Scenario(households=3)), simulate(Scenario(households=30))


def test_which_filter_is_at_work_and_how_far_it_was_measured_to_be_off() -> None:
    assert method_words(posterior(FEW, "naive"), None).startswith(
        "Her belief is exact: it follows from the joint"
    )
    assert "exact: knowing what everyone else used" in method_words(
        posterior(FEW, "naive", knows="others"), None
    )
    seen = posterior(MANY, "naive")
    found = judge(MANY.scenario, "naive")
    assert found.kept is not None
    words = method_words(seen, found)
    assert words.startswith(
        "Beyond 12 houses her belief is approximate: a joint Gaussian of all houses. Measured"
    )
    assert "on 8 houses of this kind over 2 days" in words
    assert f"keeps {found.kept:.0%} of what the rates give away, and is off by {found.off:.1%}" in words
    assert "tell next to nothing, and she is off by 0.0%" in method_words(seen, Judged(None, 0.0))


def test_the_band_says_by_how_much_it_was_exceeded_where_that_is_computed() -> None:
    tied = simulate(turning(4, 1.0, 7))
    seen = posterior(tied, "calibrated")
    evidence = np.abs(seen.log_evidence)
    step, house = divmod(int(evidence.argmax()), 4)
    most = float(evidence.max())
    assert limit_words(seen, tied.scenario) == (
        f"{TOGETHER} On this street the most was {most:.3f}, {most:.2f} times what is promised, about house "
        f"{house} at {when(step, 1)}."
    )
    assert limit_words(posterior(MANY, "naive"), MANY.scenario).endswith("on streets of at most 12 houses.")
    assert limit_words(posterior(FEW, "naive", knows="others"), FEW.scenario) == ""
    for without_promise in ("optimal", "forecast"):
        assert limit_words(posterior(FEW, without_promise), FEW.scenario) == ""


def test_the_ceiling_says_it_too() -> None:
    result = attack(turning(4, 1.0, 7), 2, mechanisms=["optimal", "blowfish", "calibrated"])
    largest = {name: max(day.largest for day in days) for name, days in result.tallies.items()}
    name = max(("blowfish", "calibrated"), key=largest.__getitem__)
    most = largest[name]
    assert (
        f"the most was {most:.3f}, {most:.2f} times what is promised, by a {name.title()} rate."
        in ceiling_words(result)
    )
    assert ceiling_words(replace(result, knows="others")) == ""
    assert ceiling_words(replace(result, method="gaussian")).endswith("on streets of at most 12 houses.")
    only = {"optimal": result.tallies["optimal"]}
    assert ceiling_words(replace(result, tallies=only)) == TOGETHER

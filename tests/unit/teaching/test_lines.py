"""What the Algorithm screen says: every number in its words is the engine's."""

import io
import re

import numpy as np
import pandas as pd
import pytest

from rtp import PRESETS, Scenario
from rtp.output.algorithm import LINE_FORMULAS, lines, step_words
from rtp.scenario.describe import origin
from rtp.scenario.export import to_csv
from rtp.teaching import stage as engine
from rtp.teaching.stage import Stage, open_stage, small_street


def taught(name: str = "paper", houses: int = 4, **changes: object) -> Stage:
    return open_stage(small_street(PRESETS[name].replace(**changes), houses), {})


def said(street: Stage, t: int, model: int = 0) -> dict[int, str]:
    return {line.number: line.value for line in lines(street, t, model)}


def numbers(text: str) -> list[float]:
    """All numbers of a text; a minus sign may stand apart."""
    found = re.findall(r"(?:− ?)?[\d,]*\.?\d+", text)
    return [float(n.replace(" ", "").replace("−", "-").replace(",", "")) for n in found]


@pytest.mark.parametrize(
    ("name", "t", "model"), [("paper", 0, 0), ("paper", 40, 0), ("unsure curator", 30, 1)]
)
def test_every_line_says_what_the_engine_did(name: str, t: int, model: int) -> None:
    street = taught(name)
    step, s = street.at(t), street.scenario
    own, text = step.models[model], said(street, t, model)
    assert len(text) == len(LINE_FORMULAS) == engine.LAST
    assert numbers(text[1])[0] == t + 1
    best = int(np.argmax(own.prior))
    assert numbers(text[3 if t == 0 else 4])[:2] == pytest.approx([int(f"{best:b}"), own.prior[best]], 1e-3)
    assert numbers(text[5]) == [own.possible.sum(), 16]
    assert numbers(text[6]) == [len(own.neighbours)]
    assert numbers(text[7]) == [house + 1 for house in own.protected]
    largest = max(own.protected, key=lambda h: street.street.bound[h])
    sensitivity = [s.alpha, street.street.bound[largest], largest + 1, own.sensitivity]
    assert numbers(text[8]) == pytest.approx(sensitivity, rel=1e-3)
    assert numbers(text[10])[0] == pytest.approx(max(m.sensitivity for m in step.models), rel=1e-3)
    demand, optimal = float(street.release.demand[t]), float(street.release.optimal[t])
    assert numbers(text[11]) == pytest.approx([s.alpha, demand, s.beta, optimal], abs=1e-4)
    drawn = abs(step.published - optimal)
    assert numbers(text[12])[:3] == pytest.approx([step.sensitivity, s.epsilon, step.scale], rel=1e-3)
    assert abs(numbers(text[12])[3]) == pytest.approx(drawn, abs=1e-4)
    assert numbers(text[13])[::2] == pytest.approx([optimal, step.published], abs=1e-4)
    assert numbers(text[14]) == pytest.approx([step.published], abs=1e-4)
    before, after = engine.occupied_probabilities(own.prior), engine.occupied_probabilities(own.posterior)
    most = int(np.argmax(np.abs(after - before)))
    assert numbers(text[15]) == pytest.approx([most + 1, before[most], after[most]], abs=1e-4)


def test_the_table_is_bayes_rule_and_survives_a_spreadsheet() -> None:
    street, where = taught(houses=3), origin(Scenario())
    table = pd.read_csv(io.StringIO(to_csv(engine.step_table(street, 50), where)))
    assert table.columns.tolist() == ["state", "possible", "prior", "Pr[r̂|state]", "posterior", *where]
    assert table["state"][[0, 1, 7]].tolist() == ["(0, 0, 0)", "(0, 0, 1)", "(1, 1, 1)"]
    joint = table["prior"] * table["Pr[r̂|state]"]
    np.testing.assert_allclose(table["posterior"], joint / joint.sum(), rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "epsilon"), [("paper", 0.5), ("mixed street", 2.0), ("elastic demand", 0.1), ("paper", 1e4)]
)
def test_the_promise_holds_for_every_rate_of_the_day(name: str, epsilon: float) -> None:
    """At the largest ε half of the likelihoods are too small for a float, and a ratio is e to thousands."""
    street = taught(name, 4, epsilon=epsilon)
    for t in range(96):
        pairs = engine.neighbouring_pairs(street.at(t))
        worst = engine.largest_log_ratio(street.at(t), pairs)
        assert worst <= epsilon * (1 + 1e-7)
        count, ratio, promised = numbers(step_words(street, street, t)[-1])
        assert count == len(pairs)
        assert ratio <= promised

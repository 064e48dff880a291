"""What the Algorithm screen says: every number in its words is the engine's."""

import io
import re

import numpy as np
import pandas as pd
import pytest

from rtp import PRESETS, House, Scenario
from rtp.algorithm1 import all_states
from rtp.core.tables import to_csv
from rtp.scenario import edit
from rtp.scenario.describe import origin
from rtp.teaching.consequences import (
    changes_words,
    definitions,
    factor_text,
    largest_log_ratio,
    privacy_words,
    promise_check_words,
    protected_by_any_model,
)
from rtp.teaching.experiments import experiments, reveal
from rtp.teaching.lines import (
    LAST,
    count_possible_states,
    lines,
    occupied_probabilities,
    state_index,
    step_table,
)
from rtp.teaching.moves import Move, Never
from rtp.teaching.stage import Stage, open_stage, opening, opening_words, small_street


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
    assert list(text) == list(range(1, LAST + 1))
    assert numbers(text[1])[:2] == [t + 1, 96]
    best = int(np.argmax(own.prior))
    assert f"with {own.prior[best]:.4g}" in text[3 if t == 0 else 4]
    assert t == 0 or f"state {best:04b}, with" in text[4]
    assert numbers(text[5]) == [own.possible.sum(), 16]
    assert numbers(text[6]) == [len(own.neighbours)]
    assert tuple(numbers(text[7])) == own.protected
    largest = max(own.protected, key=lambda h: street.street.bound[h])
    assert numbers(text[8])[:3] == pytest.approx([s.alpha, street.street.bound[largest], largest], rel=1e-3)
    assert numbers(text[8])[3] == pytest.approx(own.sensitivity, rel=1e-3)
    assert numbers(text[10])[0] == pytest.approx(max(m.sensitivity for m in step.models), rel=1e-3)
    demand, optimal = float(street.release.demand[t]), float(street.release.optimal[t])
    assert numbers(text[11]) == pytest.approx([s.alpha, demand, s.beta, optimal], abs=1e-4)
    assert numbers(text[12])[:3] == pytest.approx([step.sensitivity, s.epsilon, step.scale], rel=1e-3)
    drawn = step.published - optimal
    assert text[12].endswith(f"it drew {'−' if drawn < 0 else '+'} {abs(drawn):.4f}")
    assert text[13] == f"{optimal:,.4f} {'−' if drawn < 0 else '+'} {abs(drawn):.4f} = {step.published:,.4f}"
    assert text[14] == f"everyone sees {step.published:,.4f}"
    before, after = occupied_probabilities(own.prior), occupied_probabilities(own.posterior)
    most = int(np.argmax(np.abs(after - before)))
    assert numbers(text[15]) == pytest.approx([most, before[most], after[most]], abs=1e-4)


def test_the_lines_of_several_models_name_them_and_the_loudest() -> None:
    street = taught("unsure curator")
    loud = {t: [m.sensitivity for m in street.at(t).models] for t in range(96)}
    t = next(t for t, (early, owls) in loud.items() if early > owls)
    assert said(street, t, 0)[2] == "θ = Early birds, one of 2 models"
    assert said(street, t, 0)[9] == "then the same for Night owls"
    assert said(street, t, 1)[10].endswith("from Early birds")
    u = next(t for t, (early, owls) in loud.items() if owls > early)
    assert said(street, u, 0)[10].endswith("from Night owls")
    assert said(street, 95)[16] == "the day is over"


def test_a_rate_cut_at_zero_is_said_so() -> None:
    street = taught("tiny street", epsilon=0.05, clip_at_zero=True)
    cut = [t for t in range(96) if street.release.rate[t] == 0]
    assert cut
    assert min(rate for rate in street.release.rate if rate > 0) < 1
    for t, rate in enumerate(street.release.rate):
        tail = ", cut at 0" if t in cut else ""
        assert said(street, t)[14] == f"everyone sees {rate:,.4f}{tail}"
    assert numbers(said(street, cut[0])[13])[-1] < 0
    uncut = taught("tiny street", epsilon=0.05)
    assert said(uncut, cut[0])[14] == f"everyone sees −{abs(uncut.release.rate[cut[0]]):,.4f}"


def test_all_lines_of_a_step_to_the_letter() -> None:
    street = open_stage(small_street(PRESETS["paper"], 2), {1: Move(start=0)})
    assert list(said(street, 0).values()) == [
        "step 1 of 96, 00:00",
        "θ = As published, the only model",
        "the 2 likeliest of 4 states are equally likely, with 0.5 each",
        "from the second step on",
        "2 of 4 states are possible",
        "1 pair of possible states differs in one house",
        "house 0",
        "1 × 0.349 (house 0) = 0.349",
        "there is no other model",
        "0.349",
        "1 × 0.3210 + 62.5 = 62.8210",
        "scale 0.349 / 0.5 = 0.698; it drew − 0.6037",
        "62.8210 − 0.6037 = 62.2174",
        "everyone sees 62.2174",
        "house 0 moves most: occupied with 0.5 → 0.4855",
        "step 2, 00:15",
    ]
    later = said(street, 1)
    assert later[3] == "only at the first step"
    assert later[6] == "4 pairs of possible states differ in one house"
    assert [said(street, t)[16] for t in (94, 95)] == ["step 96, 23:45", "the day is over"]


def test_three_models_are_all_named() -> None:
    model = PRESETS["paper"].models[0]
    models = tuple(model.replace(name=name) for name in "ABC")
    text = said(open_stage(small_street(Scenario(models=models), 2), {}), 3, 1)
    assert text[2] == "θ = B, one of 3 models"
    assert text[9] == "then the same for A and C"
    assert text[10] == "0.6284, from A and B and C"


def test_the_table_is_bayes_rule_and_survives_a_spreadsheet() -> None:
    street, where = taught(houses=3), origin(Scenario())
    table = pd.read_csv(io.StringIO(to_csv(step_table(street, 50), where)))
    columns = ["state", "possible", "prior", "Pr[r̂|state]", "posterior", *where]
    assert table.columns.tolist() == columns
    assert table["state"][[0, 1, 7]].tolist() == ["(0, 0, 0)", "(0, 0, 1)", "(1, 1, 1)"]
    joint = table["prior"] * table["Pr[r̂|state]"]
    np.testing.assert_allclose(table["posterior"], joint / joint.sum(), rtol=1e-12)
    assert table["prior"].sum() == pytest.approx(1)
    two = step_table(taught("unsure curator"), 50)
    assert "posterior, Night owls" in two.columns
    assert (two.columns == "Pr[r̂|state]").sum() == 1


def test_only_an_exact_rate_is_called_exact() -> None:
    street = taught()
    asleep = Move(start=0, never=frozenset({Never(3, 0, 1)}))
    silent, t = open_stage(street.scenario, dict.fromkeys(range(4), asleep)), 8
    assert "exact rate" not in privacy_words(street, t)
    assert privacy_words(silent, t) == (
        "κ is empty: no house is uncertain, so λ = 0 and the exact rate "
        f"{silent.release.optimal[t]:,.4f} is published. As long as the models are right, nobody's state was "
        "a secret at this step, so no privacy is lost. But the price now gives away the street's exact "
        f"demand, {silent.release.demand[t]:.4f}, and a house that does what the models call impossible has "
        "no protection at all."
    )
    assert said(silent, t)[7] == "empty: no house is uncertain"
    assert said(silent, t)[8] == "0: there is nobody to protect"
    assert said(silent, t)[12] == "scale 0: no noise at all"
    assert (
        promise_check_words(silent, t) == "There are no neighbouring states, so there is nothing to promise."
    )
    scale = f"{street.at(t).scale:.4g}"
    assert changes_words(street, silent, t) == (
        "Against the street the stage opened on: houses 0, 1, 2 and 3 left κ and the noise fell from scale "
        f"{scale} to 0."
    )
    assert changes_words(silent, street, t) == (
        "Against the street the stage opened on: houses 0, 1, 2 and 3 joined κ and the noise grew from scale "
        f"0 to {scale}."
    )
    assert definitions(silent, t, 0)[3].here == "Here: 0 of those 32 pairs are neighbours; κ holds no house."


def test_models_that_are_certain_and_disagree_are_named() -> None:
    early, late = PRESETS["paper"].models[0], PRESETS["paper"].models[0].replace(name="Contrarian")
    awake = late.replace(habits=(late.habits[0].replace(initial_occupied=1.0),))
    asleep = {h: Move(start=0, model=0) for h in range(2)}
    split = open_stage(small_street(Scenario(models=(early, awake)), 2), asleep)
    assert not protected_by_any_model(split.at(0))
    agreed = open_stage(split.scenario, {h: Move(start=0) for h in range(2)})
    assert not protected_by_any_model(agreed.at(0))
    assert privacy_words(split, 0).removeprefix(privacy_words(agreed, 0)) == (
        " The models are each certain and disagree about houses 0 and 1: the rate can tell which of them is "
        "right, and the promise, which holds within each model, does not cover that."
    )
    assert "disagree" not in privacy_words(agreed, 0)


@pytest.mark.parametrize(
    ("name", "epsilon"), [("paper", 0.5), ("mixed street", 2.0), ("elastic demand", 0.1)]
)
def test_the_promise_holds_for_every_rate_of_the_day(name: str, epsilon: float) -> None:
    street = taught(name, 4, epsilon=epsilon)
    for t in range(96):
        step = street.at(t)
        pairs = sorted({(i, j) for model in step.models for i, j, _ in model.neighbours})
        assert largest_log_ratio(step, pairs) <= epsilon * (1 + 1e-7)
    worst = numbers(promise_check_words(street, 0))
    assert worst[0] == len({(i, j) for model in street.at(0).models for i, j, _ in model.neighbours})
    assert worst[1] <= worst[2]


def test_a_ratio_beyond_floats_is_said_as_a_power() -> None:
    """At a large ε half of the likelihoods are too small for a float, and a ratio is e to thousands."""
    street = taught(houses=2, epsilon=1e4)
    step = street.at(0)
    worst = largest_log_ratio(step, [(i, j) for i, j, _ in step.models[0].neighbours])
    assert (step.likelihood == 0).sum() == 2
    assert 1000 < worst <= 1e4
    assert f"this rate is at most e^{worst:.0f} times as likely" in promise_check_words(street, 0)
    assert promise_check_words(street, 0).endswith("the promise allows e^ε = e^10000.")


def test_equally_likely_states_are_not_called_the_likeliest() -> None:
    street = taught(houses=4)
    assert said(street, 0)[3] == "all 16 states are equally likely, with 0.0625 each"
    one_asleep = open_stage(street.scenario, {1: Move(start=0)})
    assert said(one_asleep, 0)[3] == "the 8 likeliest of 16 states are equally likely, with 0.125 each"
    assert said(street, 40)[4].startswith("likeliest state ")


def test_who_is_left_out_is_said() -> None:
    street = taught(houses=3)
    sure = open_stage(street.scenario, {1: Move(start=0, never=frozenset({Never(3, 0, 1)}))})
    largest = int(np.argmax(np.where([True, False, True], sure.street.bound, 0)))
    assert privacy_words(sure, 5) == (
        f"2 of 3 houses are protected. House {largest} (bound {sure.street.bound[largest]:.4g}) is the "
        "largest of them, so it sets the noise for all. Every model is certain about house 1: no noise is "
        "spent on it, and whoever does what the models call impossible is not covered by the promise."
    )
    kept = open_stage(street.scenario, {1: Move(start=0)})
    assert changes_words(street, kept, 5) == (
        "Against the street the stage opened on: κ stayed the same and the noise keeps its scale "
        f"{street.at(5).scale:.4g}."
    )


def test_a_factor_is_a_number_until_that_is_hard_to_read() -> None:
    told = [factor_text(log) for log in (0.5, 19.99, 20.0, 999.94, 1000.0, 12345.6)]
    assert told == ["1.649", "4.803e+08", "e^20", "e^999.9", "e^1000", "e^12346"]


def test_listed_houses_are_named_on_the_stage() -> None:
    """In every sentence, whoever sets the noise, leaves or joins."""
    listed = tuple(
        House(name=name, group="Households", occupied=use, empty=0.1)
        for name, use in (("Mill", 0.9), ("Inn", 0.5), ("Barn", 0.2))
    )
    small = small_street(edit.with_houses(PRESETS["paper"], listed), 3)
    opened = open_stage(small, opening(small))
    words = [opening_words(opened), privacy_words(opened, 0), *said(opened, 0).values()]
    words += [definition.here for definition in definitions(opened, 0, 0)]
    for experiment in experiments(opened):
        after = open_stage(small, experiment.moves)
        words += [experiment.question, reveal(experiment, opened, after).why]
        words.append(changes_words(opened, after, experiment.step))
    text = "\n".join(words)
    assert not re.search(r"[Hh]ouses? \d", text)
    assert "to leave out: Barn starts surely empty" in text
    assert "Mill (bound 0.9) is the largest of them" in text
    assert "Every model is certain about Barn:" in text
    assert "Mill sets the noise. Suppose" in text
    assert "Suppose Inn could use" in text
    assert "κ holds Mill and Inn." in text
    assert "Mill left κ and the noise fell from scale 1.8 to 1." in text


def test_states_are_numbered_in_the_order_of_the_algorithm() -> None:
    states = all_states(3)
    assert [state_index(row) for row in states.astype(bool)] == list(range(8))
    assert state_index(np.array([True, False])) == 2


def test_a_state_counts_where_some_model_thinks_it_possible() -> None:
    taught = open_stage(small_street(PRESETS["unsure curator"], 3), {})
    for step in (0, 30, 90):
        models = taught.at(step).models
        some = sum(any(model.possible[state] for model in models) for state in range(8))
        assert count_possible_states(taught.at(step)) == (some, 8)

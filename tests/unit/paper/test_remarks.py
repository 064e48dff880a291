"""Remarks around the paper: what each example computes, by another way."""

from itertools import pairwise, product

import numpy as np
import pytest

from rtp import PRESETS, simulate
from rtp.core.formatting import percent
from rtp.leakage.moment import Evidence, temporal_leakage
from rtp.output.words import LIMITS
from rtp.paper import remarks
from rtp.paper.remarks import (
    CAVEATS,
    CITATION,
    FORGETFUL,
    PRINTED_POSTERIOR,
    WINS,
    correlated_pair,
    group_privacy,
    moment_losses,
    notes,
    win_words,
)
from rtp.paper.reproduction import PAPER
from rtp.probability.markov import Chains
from rtp.simulation.setup import NOBODY_MOVES
from rtp.teaching.lines import LineNumber
from tests.help.root import ROOT

LIKE_ONE = np.array([0.5, 0.0, 0.0, 0.5])  # both empty, or both occupied


def note(title: str) -> str:
    return next(note.words for note in notes() if title in note.title)


def test_steps_as_one_group_need_t_times_the_noise() -> None:
    found = group_privacy()
    assert (found.each, found.total) == pytest.approx((PAPER.epsilon, PAPER.steps * PAPER.epsilon))
    assert found.group_scale == pytest.approx(PAPER.steps * found.scale)
    assert found.group_error == pytest.approx(PAPER.steps * found.error)
    # Two histories, always there and never: the log-ratio of all rates far below, by Laplace's density.
    always, never, rate = found.bound, 0.0, -50.0
    by_step = (abs(rate - always) - abs(rate - never)) / found.scale
    assert PAPER.steps * by_step == pytest.approx(found.total)
    assert PAPER.steps * by_step * found.scale / found.group_scale == pytest.approx(PAPER.epsilon)
    assert "can lose 0.5 to each naive rate and 48 to all 96" in note("group differential privacy")
    assert "noise of scale 192 instead of 2: an error of 117 %" in note("group differential privacy")


def test_a_house_twice_as_large_loses_twice_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    before, pair = group_privacy(), correlated_pair(LIKE_ONE)
    monkeypatch.setattr(remarks, "_LARGEST", 2.0)
    after = group_privacy()
    assert (after.bound, after.each, after.total) == (2.0, 2 * before.each, 2 * before.total)
    wider = correlated_pair(LIKE_ONE)  # the same two houses, on a grid that reaches twice as far
    assert (wider.right, wider.proof) == pytest.approx((pair.right, pair.proof), abs=1e-6)
    assert correlated_pair(np.full(4, 0.25)).scale == 2 * PAPER.alpha / PAPER.epsilon


def test_a_moment_loses_more_than_one_rate_less_than_all() -> None:
    found = moment_losses()
    assert found.independent == pytest.approx(PAPER.epsilon)
    assert found.still == pytest.approx(PAPER.epsilon * PAPER.steps)
    assert found.paper_habits == pytest.approx(9.053, abs=5e-4)  # as tests/unit/leakage has it
    assert found.step == 10
    assert "by 0.5 if each step forgot the one before, by 9.05 with the paper's habits (02:30)" in note(
        "composition"
    )


@pytest.mark.parametrize("matrix", [FORGETFUL, NOBODY_MOVES, ((0.9, 0.1), (0.3, 0.7))])
def test_what_a_moment_loses_is_the_worst_over_all_evidence(
    matrix: tuple[tuple[float, float], tuple[float, float]],
) -> None:
    """Four steps by brute force: every sign of every rate's evidence, every path of states."""
    steps, epsilon, start = 4, 0.5, np.array([0.4, 0.6])
    move = np.array(matrix)
    paths = list(product((0, 1), repeat=steps))
    prior = {p: start[p[0]] * np.prod([move[a, b] for a, b in pairwise(p)]) for p in paths}
    worst = np.zeros(steps)
    for signs in product((-epsilon, epsilon), repeat=steps):
        posterior = {p: prior[p] * np.exp(np.dot(signs, p)) for p in paths}
        for s in range(steps):
            odds = [
                sum(law[p] for p in paths if p[s]) / sum(law[p] for p in paths if not p[s])
                for law in (prior, posterior)
            ]
            worst[s] = max(worst[s], abs(np.log(odds[1] / odds[0])))
    house = Chains(
        initial=start[1:], leave=move[1:, :1], arrive=move[:1, 1:], row=np.zeros(steps - 1, dtype=np.intp)
    )
    loss = np.full((steps, 1), epsilon)
    found = temporal_leakage(house, loss > 0, Evidence(-loss, loss))
    assert found.whole[:, 0] == pytest.approx(worst)


def test_two_houses_that_share_one_state_are_not_protected() -> None:
    pair = correlated_pair(LIKE_ONE)
    assert (pair.protected, pair.scale) == (0, 0.0)
    # By hand: the sum is triangular on [0, 1] or [0, 2]; the denser one is 4x, then 4(1 − x), from 0.8 on x.
    assert pair.right == pytest.approx((0.5 + 0.42 + 0.18 + 0.5) / 2, abs=1e-6)
    assert pair.proof == pytest.approx(0.5, abs=1e-6)  # the sum of two uniforms exceeds 1
    apart = correlated_pair(np.full(4, 0.25))
    assert (apart.protected, apart.scale) == (2, PAPER.alpha / PAPER.epsilon)
    almost = correlated_pair(np.array([0.5 - 1e-9, 1e-9, 0.0, 0.5]))
    assert almost.protected == 2  # only exact zeros leave them unprotected
    words = note("together")
    assert "protects nobody, λ = 0" in words
    assert "right in 80 % of cases instead of 50 %" in words
    assert "proves so in 50 % of them" in words


def test_independent_houses_are_assumed_where_the_promise_is_said() -> None:
    assert any("independent houses" in limit for limit in LIMITS)
    covered = (ROOT / "README.md").read_text(encoding="utf-8").split("## What the promise does not cover")[1]
    assert "Houses are assumed to be independent" in covered.split("\n## ")[0]
    assert "The lab assumes independent houses" in note("together")


def test_the_printed_listing_numbers_no_return() -> None:
    """The listing's commands in the paper's source, to the posterior; algpseudocode counts all but Return."""
    listing = ["State", "For", *["State"] * 6, "EndFor", *["State"] * 4, "Return", "State"]
    assert sum(command != "Return" for command in listing) == PRINTED_POSTERIOR
    assert f"the posterior is line {PRINTED_POSTERIOR};" in note("lines")
    assert LineNumber.POSTERIOR == PRINTED_POSTERIOR + 1, "“return” has a number of its own here"


def test_the_paper_is_named_with_its_authors_and_linked() -> None:
    for name in ("GhoddousiBoroujeni", "Fay", "Dimitrakakis", "Kamgarpour"):
        assert name in CITATION
    assert CITATION.startswith("[Privacy of Real-Time Pricing in Smart Grid](https://")
    assert all("(Section" in caveat or "and Section" in caveat for caveat in CAVEATS)  # each says where


def test_blowfish_wins_on_the_street_that_is_pointed_to() -> None:
    scenario = PRESETS[WINS]
    release = simulate(scenario).release
    gain = release["naive"].expected_error / release["blowfish"].expected_error
    assert gain > 2
    dropping = sum(release["blowfish"].protected < scenario.households)
    assert 0 < dropping < scenario.steps
    errors = [percent(release[name].expected_error) for name in ("blowfish", "naive")]
    assert f"drops houses in {dropping} of {scenario.steps} steps" in win_words()
    assert f"an error of {errors[0]} where the naive mechanism's is {errors[1]}" in win_words()
    assert f"{gain:.1f} times as much" in win_words()

"""The audit as tables and sentences."""

from dataclasses import replace
from math import inf, nan

import numpy as np

from rtp import Scenario, simulate
from rtp.audit.checks import DistributionTest, IndependenceTest, RepeatTest, ScaleTest
from rtp.audit.exact import exact_losses
from rtp.audit.trial import Verdict, Verdicts
from rtp.audit.words import broken, loser, power_words, promise, proofs_frame, spent_frame
from tests.help.rows import row

DAY = simulate(Scenario(households=20))
EXACT = exact_losses(DAY)
WIDE = ScaleTest(
    ratio=1.002,
    by_step=np.ones(96),
    proved=False,
    steps=np.array([], dtype=int),
    detectable=0.962,
    detectable_at_a_step=0.65,
)


SHAPE = DistributionTest(size=0.4, share=0.335, expected=0.33, proved=False, detectable=0.0226)


def verdict(name: str, proved: float = 0.4, promised: float = 0.5) -> Verdict:
    return Verdict(
        mechanism=name,
        promised=promised,
        proved=proved,
        noise=WIDE,
        distribution=SHAPE,
        reuse=IndependenceTest(None, 0.51),
        repeats=RepeatTest(None, 0, 11_552.2),
        detectable_loss=0.762,
        scale_loss=0.52,
        scenario=Scenario(),
    )


def test_promises_in_words() -> None:
    assert [promise(0.25), promise(inf)] == ["0.25", "nothing"]


def test_what_is_spent_is_listed_with_the_house_that_loses_most() -> None:
    table = spent_frame(DAY, EXACT)
    assert list(table.columns) == ["Promised ε", "Spent", "By house (bounds)", "All day"]
    house = EXACT["calibrated"].setter
    bounds = f"{DAY.street.occupied_bound[house]:.3g} / {DAY.street.empty_bound[house]:.3g}"
    assert row(table, "Calibrated") == [
        "0.5",
        "0.5",
        f"{house} ({bounds})",
        f"{EXACT['calibrated'].spent_so_far[-1]:.3g}",
    ]
    assert row(table, "Forecast") == ["0", "0", "–", "0"]


def test_without_noise_no_house_is_blamed_for_what_all_lose() -> None:
    table = spent_frame(DAY, EXACT)
    assert row(table, "Optimal") == ["nothing", "∞", "20 alike", "∞"]
    assert loser(DAY, EXACT["optimal"]) == "20 alike"


def test_the_smallest_budget_is_not_written_as_nothing() -> None:
    day = simulate(Scenario(households=20, epsilon=1e-4))
    table = spent_frame(day, exact_losses(day))
    assert row(table, "Calibrated")[:2] == ["0.0001", "0.0001"]
    assert not (table.loc[["Naive", "Blowfish", "Filtered"]] == "0.000").to_numpy().any()


def test_what_was_found_is_listed_where_there_was_anything_to_try() -> None:
    silent = replace(
        verdict("forecast", 0.0, 0.0),
        noise=WIDE._replace(ratio=nan, detectable=0.0),
        reuse=IndependenceTest(None, inf),
    )
    table = proofs_frame({"naive": verdict("naive", 0.4321), "calibrated": None, "forecast": silent})
    assert row(table, "Naive") == [
        "0.5",
        "at least 0.432",
        "100.2 %",
        "noise below 96.2 %: a loss of 0.52",
        "none",
    ]
    assert row(table, "Forecast") == ["0", "at least 0", "–", "–", "none"]
    assert list(table.index) == ["Naive", "Forecast"]
    assert list(table.columns) == [
        "Promised ε",
        "Proved",
        "Noise found, of what is needed",
        "Would find",
        "Flaws",
    ]


def test_flaws_are_named() -> None:
    first = verdict("naive")
    cases: dict[str, Verdict] = {
        "its noise is 48 % of what the promise needs": replace(
            first, noise=WIDE._replace(ratio=0.48, proved=True)
        ),
        "it adds no noise": replace(
            first,
            noise=WIDE._replace(ratio=0.99e-6, proved=True),
            reuse=IndependenceTest((1, 48), 0.5),
        ),
        "its noise is 0.00011 % of what the promise needs": replace(
            first, noise=WIDE._replace(ratio=1.1e-6, proved=True)
        ),
        "at 12:00 its noise is 40 % of what the promise needs": replace(
            first,
            noise=WIDE._replace(
                steps=np.array([47, 48, 49]), by_step=np.where(np.arange(96) == 48, 0.4000001, 0.45)
            ),
        ),
        "the same noise is used at 00:15 and again at 12:00": replace(
            first, reuse=IndependenceTest((1, 48), 0.5)
        ),
        "the same noise is used in every release at 12:00": replace(
            first, reuse=IndependenceTest((-1, 48), 0.5)
        ),
        "38 % of its noise is within 0.4 of the scale that the promise needs, where Laplace noise has 33 %": (
            replace(first, distribution=SHAPE._replace(share=0.38, proved=True))
        ),
        "the same noise is used again on another day, 200 times; first on days 1 and 2 of the experiment": (
            replace(first, repeats=RepeatTest((0, 1), 200, 11_552.2))
        ),
        "its rates prove a loss of 0.6 where 0.5 is promised": replace(first, proved=0.6),
    }
    for words, flawed in cases.items():
        assert flawed.reasons == [words]
        assert flawed.broken
        assert not replace(flawed, promised=inf).broken  # nothing was promised
    assert not first.broken
    assert not replace(first, proved=0.5).broken
    fixed = replace(first, repeats=RepeatTest((0, 1), 200, 9.0), reuse=IndependenceTest((-1, 0), 0.5))
    assert fixed.reasons == ["the same noise is used in every release at 00:00"]
    two_days = replace(first, repeats=RepeatTest((3, 9), 1200, 9.0), reuse=IndependenceTest((0, 1), 0.5))
    assert two_days.reasons == [
        "the same noise is used again on another day, 1,200 times; first on days 4 and 10 of the experiment"
    ]
    three = replace(fixed, noise=WIDE._replace(ratio=0.48, proved=True), proved=0.6)
    assert row(proofs_frame({"naive": three}), "Naive")[-1] == (
        "its noise is 48 % of what the promise needs; the same noise is used in every release at 00:00; its "
        "rates prove a loss of 0.6 where 0.5 is promised"
    )


PUBLISHED = (
    "days published anew on 4 streets, in which the house that needs most noise is once in one state and "
    "once in the other. A mechanism that keeps its promise is blamed in at most 1 of 10,000 audits."
)


def test_the_power_and_the_false_alarms_are_said() -> None:
    assert power_words({"naive": verdict("naive"), "forecast": None}, 400) == (
        f"From 400 {PUBLISHED} In 99.9 % of audits it would find the noise that the table names, over all "
        "rates; at one step only, noise below 65 % of what is needed; 2.3 % of the rates too small: without "
        "noise, or with lighter tails than Laplace's; noise used at two steps in 51 % of the days; noise "
        "drawn from 11,552 sequences or fewer; and a loss of 0.762, from the rates alone, to a house that "
        "uses its bound or nothing."
    )
    assert power_words({"forecast": None}, 1600) == f"From 1,600 {PUBLISHED}"


def test_flaws_that_no_audit_so_small_would_find_are_named_as_such() -> None:
    few = replace(
        verdict("naive"),
        reuse=IndependenceTest(None, 1.001),
        distribution=SHAPE._replace(detectable=1.001),
        repeats=RepeatTest(None, 0, 0.999),
        detectable_loss=inf,
    )
    begin = (
        f"From 64 {PUBLISHED} In 99.9 % of audits it would find the noise that the table names, over all "
        "rates; at one step only, noise below 65 % of what is needed; "
    )
    assert power_words({"naive": few}, 64) == (
        f"{begin}no change of the noise's shape; no reuse at two steps; and no repeated days."
    )
    just = replace(
        few,
        reuse=IndependenceTest(None, 1.0),
        distribution=SHAPE._replace(detectable=1.0),
        repeats=RepeatTest(None, 0, 1.0),
    )
    assert power_words({"naive": just}, 64) == (
        f"{begin}100 % of the rates too small: without noise, or with lighter tails than Laplace's; noise "
        "used at two steps in 100 % of the days; and noise drawn from 1 sequences or fewer."
    )


def test_of_several_mechanisms_the_power_is_that_of_the_least_tested() -> None:
    """But for what one mechanism alone shows: its own width of noise, and a house told apart."""
    other = replace(
        verdict("blowfish"),
        noise=WIDE._replace(detectable_at_a_step=0.6),
        reuse=IndependenceTest(None, 0.6),
        distribution=SHAPE._replace(detectable=0.03),
        repeats=RepeatTest(None, 0, 9_000.0),
        detectable_loss=0.7,
    )
    alone = power_words({"blowfish": other}, 400)
    assert power_words({"naive": verdict("naive"), "blowfish": other}, 400) == alone
    assert power_words({"blowfish": other, "naive": verdict("naive")}, 400) == alone


def test_a_promise_is_broken_exactly_or_by_experiment() -> None:
    assert broken(EXACT, {}) == []
    kept: Verdicts = {"naive": verdict("naive", 0.5), "blowfish": None}
    assert broken(EXACT, kept) == []
    assert broken(EXACT, {"naive": verdict("naive", 0.5001)}) == ["Naive"]
    overspent = replace(EXACT["calibrated"], promised=0.4)
    assert broken(EXACT | {"calibrated": overspent}, kept) == ["Calibrated"]

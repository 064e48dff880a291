"""The audit as tables and sentences."""

from dataclasses import replace
from math import exp, inf

import pytest

from rtp import Scenario, simulate
from rtp.audit.exact import accounts
from rtp.audit.table import Verdicts, broken, factor, ledger_words, loss, promise, proofs_frame, spent_frame
from rtp.audit.trial import Verdict

DAY = simulate(Scenario(households=20))
EXACT = accounts(DAY)


def verdict(name: str, proved: float, promised: float = 0.5) -> Verdict:
    return Verdict(
        mechanism=name,
        promised=promised,
        lower_bound=proved,
        house=3,
        step=0,
        shape="point",
        n=1000,
        confidence=0.999,
    )


def test_losses_and_promises_in_words() -> None:
    assert [loss(0.5), loss(inf)] == ["0.500", "∞"]
    assert [promise(0.25), promise(inf)] == ["0.250", "nothing"]


def test_what_is_spent_is_listed_with_the_house_that_loses_most() -> None:
    table = spent_frame(DAY, EXACT)
    assert list(table.columns) == ["Promised ε", "Spent", "By house (bounds)", "All day"]
    house = EXACT["calibrated"].setter
    bounds = f"{DAY.street.occupied_bound[house]:.3g} / {DAY.street.empty_bound[house]:.3g}"
    assert list(table.loc["Calibrated"]) == [
        "0.500",
        "0.500",
        f"{house} ({bounds})",
        f"{EXACT['calibrated'].spent_so_far[-1]:.3f}",
    ]
    assert table.loc["Optimal", "Promised ε"] == "nothing"
    assert list(table.loc["Forecast"]) == ["0.000", "0.000", "–", "0.000"]


def test_what_was_proved_is_listed_where_there_was_anything_to_try() -> None:
    uniform = replace(verdict("calibrated", 0.41), shape="uniform")
    table = proofs_frame({"naive": verdict("naive", 0.4321), "calibrated": uniform, "forecast": None})
    assert list(table.loc["Naive"]) == ["0.500", "at least 0.4321", "3", "its bound or nothing"]
    assert table.loc["Calibrated", "It uses"] == "uniformly up to its bounds"
    assert list(table.index) == ["Naive", "Calibrated"]


def test_a_promise_is_broken_exactly_or_by_experiment() -> None:
    assert broken(EXACT, {}) == []
    kept: Verdicts = {"naive": verdict("naive", 0.5), "blowfish": None}
    assert broken(EXACT, kept) == []
    assert broken(EXACT, {"naive": verdict("naive", 0.5001)}) == ["Naive"]
    overspent = replace(EXACT["calibrated"], promised=0.4)
    assert broken(EXACT | {"calibrated": overspent}, kept) == ["Calibrated"]


def test_the_ledger_says_what_is_used_and_what_it_means() -> None:
    words = ledger_words(DAY, EXACT, 39)
    assert words.startswith("By 09:45, after 40 rates, **ε·t = 20** of ε·T = 48 is used.")
    assert f"really lost {EXACT['blowfish'].spent_so_far[39]:.3f}." in words
    assert f"$e^ε = {factor(0.5)}$" in words
    assert "All 96 rates together may shift the odds" in words
    assert f"$e^{{ε·T}} = {factor(48)}$" in words


@pytest.mark.parametrize(
    ("exponent", "words"),
    [
        (0.5, "1.65"),
        (9.2, f"{exp(9.2):.3g}"),
        (9.22, "1.0·10^{4}"),
        (24.0, "2.6·10^{10}"),
        (1e5, "2.8·10^{43429}"),
    ],
)
def test_powers_of_e_are_said_even_where_no_float_holds_them(exponent: float, words: str) -> None:
    assert factor(exponent) == words

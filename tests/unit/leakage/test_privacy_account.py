"""The privacy account: promised, at worst, really given away, and the worst moment."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.audit.exact import exact_loss
from rtp.core.formatting import plain
from rtp.leakage.composition import privacy_account
from rtp.leakage.moment import MAX_HOUSE_STEPS, moment_leakage
from rtp.leakage.words import account_words, factor
from rtp.street.simulate import replay_houses

DAY = simulate(Scenario(households=20))
BOOK = privacy_account(DAY, exact_loss(DAY, "blowfish"))


def test_the_account_is_of_the_house_that_can_lose_most() -> None:
    exact = exact_loss(DAY, "blowfish")
    assert BOOK.house == exact.total.argmax()
    assert BOOK.at_worst[-1] == pytest.approx(exact.total.max(), rel=1e-12)


def test_what_was_given_away_is_her_evidence_for_how_the_house_really_lived() -> None:
    """For its history against the opposite one: no rate gives away more than it can, and few that much."""
    evidence = posterior(DAY, "blowfish", adversary="insider", house=BOOK.house).log_likelihood_ratio[:, 0]
    occupied = replay_houses(DAY.street_day.spec, DAY.street, [BOOK.house])[0][:, 0]
    np.testing.assert_allclose(BOOK.given_away, np.cumsum(np.where(occupied, evidence, -evidence)))
    each, worst = np.diff(BOOK.given_away, prepend=0), np.diff(BOOK.at_worst, prepend=0)
    assert (np.abs(each) <= worst * (1 + 1e-9)).all()
    assert BOOK.given_away[-1] < BOOK.at_worst[-1] / 2


def test_a_step_at_which_the_house_is_certain_costs_nothing() -> None:
    day = simulate(PRESETS["quiet night"].replace(households=20))
    exact = exact_loss(day, "blowfish")
    book = privacy_account(day, exact)
    certain = exact.house == -1
    assert certain.any()
    for amount in (book.at_worst, book.given_away):
        assert (np.diff(amount, prepend=0)[certain] == 0).all()


def test_the_worst_moment_is_that_of_any_house_or_on_a_long_street_of_this_one() -> None:
    assert BOOK.moment.worst == moment_leakage(DAY, "blowfish").worst
    long = simulate(Scenario(households=MAX_HOUSE_STEPS // 96 + 1))
    book = privacy_account(long, exact_loss(long, "blowfish"))
    assert set(book.moment.house.tolist()) == {book.house}
    assert "The most exposed moment of that house is " in account_words(long, book, 0)


def test_the_account_says_what_is_used_and_what_it_means() -> None:
    words = account_words(DAY, BOOK, 39)
    assert words.startswith("By 09:45, after 40 rates, **ε·t = 20** of ε·T = 48 is used.")
    assert f"could have lost {plain(BOOK.at_worst[39])} at worst" in words
    given = f"to an insider, is {plain(BOOK.given_away[39])}"
    assert f"really revealed about it so far, {given}" in words
    assert f"can shift its log-odds by up to {plain(BOOK.moment.worst)}." in words
    assert f"$e^ε = {factor(0.5)}$" in words
    assert "All 96 rates together may shift the odds" in words
    assert f"$e^{{ε·T}} = {factor(48)}$" in words
    assert "The promise is about single rates" in words
    assert "single moments" not in words
    assert "really lost" not in words


def test_rates_that_mislead_and_days_that_tell_nothing_are_said() -> None:
    misled = replace(BOOK, given_away=-BOOK.at_worst)
    assert f"is {plain(-BOOK.at_worst[0])}: they mislead." in account_words(DAY, misled, 0)
    silent = privacy_account(DAY, exact_loss(DAY, "forecast"))
    assert silent.at_worst[-1] == silent.given_away[-1] == 0
    assert "These rates reveal no moment of any house." in account_words(DAY, silent, 0)


@pytest.mark.parametrize(
    ("exponent", "words"),
    [
        (1e-4, "1.0001"),
        (0.5, "1.65"),
        (9.2, "9,900"),
        (9.22, "1.0·10^{4}"),
        (24.0, "2.6·10^{10}"),
        (1e5, "2.8·10^{43429}"),
    ],
)
def test_powers_of_e_are_said_even_where_no_float_holds_them(exponent: float, words: str) -> None:
    assert factor(exponent) == words

"""Find the cheat: five sealed mechanisms, a vote on each, and the audit that names those that cheat.

What is under a letter is drawn by a number in the address. Until the audit has ended, the page holds nothing
of it but the rates.
"""

from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.session import button, lab
from pages.ui.show import chart
from pages.ui.widgets import segmented, url_segmented
from rtp.audit.trial import DEFAULT, Verdicts
from rtp.figures.sealed import VIEWS, sealed_figure
from rtp.output import audit as output
from rtp.teaching import sealed
from rtp.teaching.sealed import LAST_NUMBER, SEALED_LETTERS, Prices

NUMBER, VOTES, VIEW = "cheat:number", "cheat:votes", "cheat:view"
TITLE = "Find the cheat"


def draw() -> None:
    number = lab().setting(NUMBER, 1)
    st.markdown(output.QUESTION)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        view = url_segmented("Show", VIEWS, VIEW, hidden=True)
        button("Another five", "cheat:another", "casino", _another)
        st.caption("Grey: the optimal rate. All five have the same axes.")
    prices, result = _prices(number), st.empty()
    with st.grid(3, min_column_width=230):
        cards = [st.container(border=True) for _ in SEALED_LETTERS]
        with st.container(border=True):
            verdicts = _audit(number)
    if verdicts is not None:
        result.markdown(output.result_words(number, _votes(), verdicts))
    for each, card in zip(sealed.sealed(number), cards, strict=True):
        with card:
            _card(each, prices, view, verdicts)
    if verdicts is not None:
        st.markdown(output.WHY_EYES_ERR)
        st.caption(output.power_words(verdicts, DEFAULT))


def _votes() -> sealed.Votes:
    votes: sealed.Votes = lab().chosen(VOTES)
    return votes


def _another() -> None:
    lab().show(NUMBER, lab().setting(NUMBER, 1) % LAST_NUMBER + 1)
    lab().show(VOTES, {})


def _vote(letter: str, trusted: bool | None) -> None:
    if trusted is not None:
        lab().show(VOTES, {**_votes(), letter: trusted})


def _card(each: sealed.Sealed, prices: Prices, view: str, verdicts: Verdicts | None) -> None:
    """Its prices, and the vote; once the audit has ended, what it is."""
    letter, vote = each.letter, _votes().get(each.letter)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown(f"**{letter}**", width="content")
        if verdicts is None:
            options: list[bool | None] = [*output.VOTE]
            save, key = partial(_vote, letter), f"cheat:vote {letter}"
            segmented(f"Vote on {letter}", options, vote, _vote_words, save, key=key, hidden=True)
    chart(sealed_figure(prices, letter, view), key=f"sealed {letter}", card=False)
    if verdicts is not None:
        st.markdown("  \n".join(output.letter_words(each, verdicts[letter], vote)))


def _vote_words(trusted: bool | None) -> str:
    return "" if trusted is None else output.VOTE[trusted]


def _audit(number: int) -> Verdicts | None:
    """The audit, once all have been voted on."""
    st.markdown("**The audit**")
    if missing := output.missing_words(_votes()):
        st.caption(missing)
        return None

    def work(report: jobs.Report[Verdicts]) -> Verdicts:
        return jobs.call(sealed.audited, number, progress=report)

    hint = "Publishes the street many times more, and judges by the rates alone."
    job = jobs.run("cheat", cache.key_of(number), work, "Run the audit", hint)
    return None if job is None or job.running else job.result


@cache.shared()
def _prices(number: int) -> Prices:
    return sealed.prices(number)

"""Find the cheat: five sealed mechanisms, a vote on each, and the audit; alone, or with the phones of a room.

What is under a letter is drawn by a number in the address; until the audit has ended, the page holds nothing
of it but the rates.
"""

from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.classroom.play import pictures
from pages.ui.session import button, lab
from pages.ui.show import chart
from pages.ui.tour import STEP_NEXT
from pages.ui.widgets import segmented, url_segmented
from rtp.audit.trial import DEFAULT, Verdicts
from rtp.core.language import say
from rtp.figures.story import VIEWS, sealed_figure
from rtp.output import play as output
from rtp.output.audit import power_words
from rtp.play.seated import BallotTally
from rtp.teaching import sealed
from rtp.teaching.sealed import LAST_NUMBER, SEALED_LETTERS, Prices

NUMBER, VOTES, _VIEW = "cheat:number", "cheat:votes", "cheat:view"


def find_the_cheat() -> None:
    """Five sealed mechanisms, a vote on each, and the audit that names those that cheat."""
    number = lab().setting(NUMBER, 1)
    st.markdown(output.question())
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        view = url_segmented("Show", VIEWS, _VIEW, hidden=True)
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
        st.caption(power_words(verdicts, DEFAULT))


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
            words = output.VOTE | {None: ""}
            segmented(f"Vote on {letter}", options, vote, words.__getitem__, save, key=key, hidden=True)
    chart(sealed_figure(prices, letter, view), key=f"sealed {letter}", card=False)
    if verdicts is not None:
        st.markdown("  \n".join(output.letter_words(each, verdicts[letter], vote, prices)))


def _audit(number: int) -> Verdicts | None:
    """The audit, once all have been voted on."""
    st.markdown("**The audit**")
    if missing := output.missing_words(_votes()):
        st.caption(missing)
        return None

    def work(report: jobs.Report[Verdicts]) -> Verdicts:
        return jobs.call(sealed.audited, number, progress=report)

    hint = "Publishes the street many times more, and judges by the rates alone."
    key = cache.key_of(number)
    last: jobs.Job[Verdicts] | None = jobs.current("cheat")
    begun = last is not None and last.key == key
    with st.container(key=None if begun else STEP_NEXT):  # a clicker begins it, and does not stop it
        job = jobs.run("cheat", key, work, "Run the audit", hint)
    return None if job is None or job.running else job.result


def ballot(tally: BallotTally) -> None:
    """A vote of the phones, for all to see: the rates, then what is said of each, then the result."""
    prices, votes, told = _prices(tally.number), tally.majority(), {}
    if tally.audited:
        told = found(tally.number)
        st.markdown(output.result_words(tally.number, votes, _verdicts(tally.number)))
    else:
        st.markdown(output.question())
    if tally.counts is None:
        voted = pictures.count(tally.voted, tally.asked)
        st.html(pictures.state(voted, say("have voted on all five")))
    with st.grid(3, min_column_width=230):
        for each in sealed.sealed(tally.number):
            letter = each.letter
            with st.container(border=True):
                lead = letter
                if tally.counts is not None:
                    lead += f" {output.counted_words(*tally.counts[letter])}"
                if told and letter in votes:
                    lead += " ✓" if output.is_right(each, votes[letter]) else " ✗"
                st.html(pictures.lead(lead))
                chart(sealed_figure(prices, letter, VIEWS[-1]), key=f"sealed {letter}", card=False)
                if told:
                    st.markdown(told[letter])


def found(number: int) -> dict[str, str]:
    """What the audit tells a class that has voted, by letter; it takes some seconds, once for everybody."""
    verdicts, prices = _verdicts(number), _prices(number)
    five = sealed.sealed(number)
    return {each.letter: output.letter_words_in_class(each, verdicts[each.letter], prices) for each in five}


@cache.shared()
def _verdicts(number: int) -> Verdicts:
    return jobs.call(sealed.audited, number)


@cache.shared()
def _prices(number: int) -> Prices:
    return sealed.prices(number)

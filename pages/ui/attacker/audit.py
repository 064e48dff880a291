"""The promise audited: what is promised, what is spent, and what an experiment proves."""

from functools import partial

import streamlit as st

from pages.ui import jobs, pool
from pages.ui.attacker.controls import chosen_step
from pages.ui.cache import cached
from pages.ui.session import lab
from pages.ui.show import chart, items
from pages.ui.widgets import slider
from rtp.audit.exact import exact_losses
from rtp.audit.trial import DEFAULT, Verdicts, trial
from rtp.audit.words import broken, neglect_words, power_words, proofs_frame, spent_frame
from rtp.figures.attack import privacy_account_figure
from rtp.leakage.composition import privacy_account
from rtp.leakage.words import account_words
from rtp.mechanisms import FEATURED
from rtp.output.words import LIMITS
from rtp.simulation import Day

PUBLISHED = "attacker:published"
DAYS = (DEFAULT, 4 * DEFAULT, 16 * DEFAULT)  # published: each finds half the flaw of the one before


def audit(day: Day) -> None:
    """Exactly, by experiment, and added up over the day."""
    key = day.scenario.to_json(None)
    exact = cached("audit", key, partial(exact_losses, day), "Auditing every house …", weight="heavy")
    n, proved = _experiment(day, key)
    st.table(spent_frame(day, exact))
    st.caption(
        "Spent: the largest privacy loss of any house in one step, and the most that one loses all day; "
        "exact for consumption as modelled, uniform up to the bounds unless a law is given."
    )
    if neglected := neglect_words(day, exact):
        st.warning(neglected)
    if proved:
        st.table(proofs_frame(proved))
        st.caption(power_words(proved, n))
    if names := broken(exact, proved):
        st.error(f"Promise broken: {', '.join(names)}.")
    else:
        st.success("No promise is broken" + (", neither exactly nor by experiment." if proved else "."))
    st.markdown("**What the promise does not cover**\n" + items(LIMITS))
    st.subheader("The ledger", anchor=False)
    book = cached("ledger", key, partial(privacy_account, day, exact[FEATURED]))
    st.markdown(account_words(day, book, chosen_step(day.scenario, "Used so far, at")))
    chart(privacy_account_figure(day, exact, book), key="ledger")


def _experiment(day: Day, key: str) -> tuple[int, Verdicts]:
    """So many days published, and what they prove; nothing before they are."""
    chosen = lab().setting(PUBLISHED, DAYS[0])
    n = chosen if chosen in DAYS else DAYS[0]
    save = partial(lab().show, PUBLISHED)
    slider("Days published for the test", DAYS, n, "{:,}".format, save, key="published")
    job = jobs.run(
        "audit",
        f"{key} {n}",
        partial(_publish, day, n),
        "Put it to the test",
        "Days are published anew, as they reach the screen, and judged from outside.",
    )
    return n, (job.result if job is not None else None) or {}


def _publish(day: Day, n: int, report: jobs.Report[Verdicts]) -> Verdicts:
    return pool.call(trial, day.scenario, n=n, street_day=day.street_day, progress=partial(_report, report))


def _report(report: jobs.Report[Verdicts], fraction: float) -> None:
    report(fraction, {})

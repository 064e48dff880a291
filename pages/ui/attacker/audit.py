"""The promise audited: what is promised, what is spent, and what an experiment proves."""

from functools import partial

import streamlit as st

from pages.ui import jobs, view
from pages.ui.attacker.cursor import chosen_step
from pages.ui.cached import kept
from pages.ui.fields import slider
from pages.ui.show import chart
from rtp.audit.exact import accounts
from rtp.audit.table import Verdicts, broken, ledger_words, neglect_words, proofs_frame, spent_frame
from rtp.audit.trial import CONFIDENCE, trial
from rtp.figures.audit import ledger_figure
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day

RELEASES = (100_000, 1_000_000, 10_000_000)


def audit(day: Day) -> None:
    """Exactly, by experiment, and added up over the day."""
    key = day.scenario.to_json(None)
    exact = kept("audit", key, partial(accounts, day), "Auditing every house …")
    releases = view.fact("attacker:releases", RELEASES[1])
    n = releases.value
    slider("Releases per side", RELEASES, n, "{:,}".format, releases.commit, key="releases")
    job = jobs.run(
        "audit",
        f"{key} {n}",
        partial(_experiment, day, n),
        "Put it to the test",
        "Every mechanism as a black box, on two streets that differ in one house.",
    )
    proved = (job.result if job is not None else None) or {}
    st.table(spent_frame(day, exact))
    st.caption(
        "Spent: the largest privacy loss of any house in one step, and the most that one loses all day; "
        "exact for consumption uniform up to the bounds."
    )
    if neglected := neglect_words(day, exact):
        st.warning(neglected)
    if proved:
        st.table(proofs_frame(proved))
        st.caption(
            f"By {n:,} releases per side, at confidence {CONFIDENCE:.1%}, used as each promise assumes."
        )
    if names := broken(exact, proved):
        st.error(f"Promise broken: {', '.join(names)}.")
    else:
        st.success("No promise is broken" + (", neither exactly nor by experiment." if proved else "."))
    st.subheader("The ledger", anchor=False)
    st.markdown(ledger_words(day, exact, chosen_step(day.scenario, "Used so far, at")))
    chart(ledger_figure(day, exact), key="ledger")


def _experiment(day: Day, n: int, report: jobs.Report[Verdicts]) -> Verdicts:
    """Every mechanism in turn; those that are done are shown while the others run."""
    proved: Verdicts = {}
    for done, (name, mechanism) in enumerate(REGISTRY.items()):
        progress = partial(_report, report, proved, done)
        proved[name] = trial(day.scenario, mechanism, n=n, life=day.life, progress=progress)
    return proved


def _report(report: jobs.Report[Verdicts], proved: Verdicts, done: int, fraction: float) -> None:
    report((done + fraction) / len(REGISTRY), dict(proved))

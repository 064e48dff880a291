"""The audit: what is promised, what is spent, and what new days prove; the budget over the day."""

from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.cache import key_of, shared, weight_per_house
from pages.ui.session import lab
from pages.ui.show import chart, items, table
from pages.ui.widgets import slider
from rtp.audit.exact import ExactLoss, exact_losses
from rtp.audit.trial import DEFAULT, Verdicts, trial
from rtp.figures import style
from rtp.figures.attack import privacy_account_figure
from rtp.leakage.composition import PrivacyAccount, privacy_account
from rtp.mechanisms import FEATURED, offered
from rtp.output.attack import account_words, total_words
from rtp.output.audit import broken, neglect_words, power_words, proofs_frame, spent_frame
from rtp.output.words import LIMITS
from rtp.scenario import Scenario
from rtp.simulation import Day

_PUBLISHED = "paper:published"
DAYS = (DEFAULT, 4 * DEFAULT, 16 * DEFAULT)  # published: each finds half the flaw of the one before


def audit(scenario: Scenario) -> None:
    """What is promised, what is spent, and what new days prove; the budget over the day."""
    day = cache.day(scenario)
    names = offered(day.scenario.negligible)
    exact = {name: loss for name, loss in _exact(day).items() if name in names}
    first = st.container()
    table(spent_frame(day, exact))
    st.caption(
        "Spent: the largest privacy loss of any house in one step, and all day.",
        help="Exact for consumption as modelled, uniform up to the bounds unless a distribution is given.",
    )
    n, proved = _experiment(day)
    if neglected := neglect_words(day, exact):
        st.warning(neglected)
    proved = {name: verdict for name, verdict in proved.items() if name in names}
    if proved:
        table(proofs_frame(proved))
        st.caption(power_words(proved, n))
    if failed := broken(exact, proved):
        first.error(f"Promise broken: {', '.join(map(style.label, failed))}.")
    else:
        first.success("No promise is broken" + (", neither exactly nor by experiment." if proved else "."))
    with st.expander("What the promise does not cover", icon=":material/shield:"):
        st.markdown(items(LIMITS))
    st.header("The budget over the day", anchor=False)
    book = _account(day)
    st.markdown(account_words(day, book), help=total_words(day, book))
    chart(privacy_account_figure(day, exact, book), key="ledger")


@shared(weight=lambda day: weight_per_house(day.scenario), spinner="Auditing every house …")
def _exact(day: Day) -> dict[str, ExactLoss]:
    return exact_losses(day)


@shared()
def _account(day: Day) -> PrivacyAccount:
    return privacy_account(day, _exact(day)[FEATURED])


def _experiment(day: Day) -> tuple[int, Verdicts]:
    """So many days published, and what they prove; nothing before they are."""
    chosen = lab().setting(_PUBLISHED, DAYS[0])
    n = chosen if chosen in DAYS else DAYS[0]
    save = partial(lab().show, _PUBLISHED)
    slider("Days published for the test", DAYS, n, "{:,}".format, save, key="published")
    hint = "New days are published, and judged from the rates alone."
    job = jobs.run("audit", key_of(day, n), partial(_publish, day, n), "Put it to the test", hint)
    return n, job.result if job is not None and job.result is not None else {}


def _publish(day: Day, n: int, report: jobs.Report[Verdicts]) -> Verdicts:
    return jobs.call(trial, day.scenario, n=n, street_day=day.street_day, progress=report)

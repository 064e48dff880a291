"""The Attack screen's trials: how well she does over many days, and the audit of the promise."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from pages.ui import jobs, pins
from pages.ui.attack.observer import (
    JUDGES,
    JUDGING,
    Observer,
    beliefs,
    follows_all,
    judging,
    reporting,
    truth,
    which_filter,
)
from pages.ui.cache import key_of, shared, weight_per_house
from pages.ui.session import lab
from pages.ui.show import chart, items, lazy_expander, table
from pages.ui.widgets import slider, url_number, url_segmented
from rtp.attack.adversary import Posterior
from rtp.attack.scores import Score
from rtp.attack.success import ATTACKED_DAYS, Attack, attack_of_the_day, attacks
from rtp.audit.exact import ExactLoss, exact_losses
from rtp.audit.trial import DEFAULT, Verdicts, trial
from rtp.core.parallel import Progress
from rtp.figures import style
from rtp.figures.attack import CURVES, privacy_account_figure, roc_figure
from rtp.figures.style import PinMark
from rtp.leakage.composition import PrivacyAccount, privacy_account
from rtp.mechanisms import FEATURED, UNPROTECTED, offered
from rtp.output.attack import attack_words, ceiling_words, scores_frame
from rtp.output.audit import broken, neglect_words, power_words, proofs_frame, spent_frame
from rtp.output.leakage import account_words, total_words
from rtp.output.words import LIMITS
from rtp.simulation import Day

MANY_DAYS = 20
REDRAW = 2.0  # seconds between pictures while days are being attacked
PUBLISHED = "attacker:published"
DAYS = (DEFAULT, 4 * DEFAULT, 16 * DEFAULT)  # published: each finds half the flaw of the one before


def how_well(day: Day, observer: Observer) -> None:
    """Asked of one who believes the model that people live by."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        observer = judging(day.scenario, observer)
        count = int(url_number(ATTACKED_DAYS._replace(words="Days to watch"), MANY_DAYS, "attacker:days"))
        curve = url_segmented("Curves of", list(CURVES), "attacker:curve", CURVES.__getitem__)
    seen = _true_beliefs(day, observer)
    house = None if follows_all(day.scenario) else int(seen.houses[0])
    job = jobs.run(
        "attack",
        key_of(day, seen.adversary, seen.inference, house),
        partial(_attack, day, seen, house, count),
        f"Watch {count:,} days, every rate",
        "Until then: the day on screen, for the rate she sees and the optimal one.",
    )
    pinned = {mark: _score(other, observer) for mark, other in pins.days().items()}
    jobs.while_running(job, REDRAW, partial(_so_far, job, day, observer, curve, pinned))
    lazy_expander(JUDGES, partial(which_filter, day, seen), JUDGING)


def _true_beliefs(day: Day, observer: Observer) -> Posterior:
    return beliefs(day, observer._replace(model=day.scenario.model_names[0]))


def _attack(day: Day, seen: Posterior, house: int | None, count: int, report: jobs.Report[Attack]) -> Attack:
    adversary, inference = seen.adversary, seen.inference
    days = jobs.iterate(attacks, day.scenario, count, adversary=adversary, inference=inference, house=house)
    for result in days:
        report(result.days / count, result)
    return result


def _score(day: Day, observer: Observer) -> Score:
    """What she scores with the same rate on the day of a pinned scenario."""
    seen = _true_beliefs(day, observer._replace(house=None))
    return attack_of_the_day(day.scenario, [seen], truth(day, seen)).scores[seen.mechanism]


def _so_far(
    job: jobs.Job[Attack] | None, day: Day, observer: Observer, curve: str, pinned: Mapping[PinMark, Score]
) -> None:
    result = job.result if job is not None and job.result is not None else _on_screen(day, observer)
    chart(roc_figure(result, curve, pinned), key="roc")
    table(scores_frame(result, curve))
    limits = ceiling_words(result) if curve == "evidence" else ""
    st.caption(f"{attack_words(result, observer.inference)} {limits}".strip())


def _on_screen(day: Day, observer: Observer) -> Attack:
    """The day on screen as an attack of one day."""
    seen, optimal = (
        _true_beliefs(day, observer._replace(rate=rate)) for rate in (observer.rate, UNPROTECTED)
    )
    return attack_of_the_day(day.scenario, [optimal, seen], truth(day, seen))


def audit(day: Day) -> None:
    """Exactly, by experiment, and added up over the day."""
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
    st.subheader("The budget over the day", anchor=False)
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
    chosen = lab().setting(PUBLISHED, DAYS[0])
    n = chosen if chosen in DAYS else DAYS[0]
    save = partial(lab().show, PUBLISHED)
    slider("Days published for the test", DAYS, n, "{:,}".format, save, key="published")
    hint = "New days are published, and judged from the rates alone."
    job = jobs.run("audit", key_of(day, n), reporting(_publish, day, n), "Put it to the test", hint)
    return n, job.result.value if job is not None and job.result is not None else {}


def _publish(day: Day, n: int, progress: Progress) -> Verdicts:
    return jobs.call(trial, day.scenario, n=n, street_day=day.street_day, progress=progress)

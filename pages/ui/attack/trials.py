"""The Attack screen's trials: how well she does over many days, and the audit of the promise."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from pages.ui import jobs, pins
from pages.ui.attack.observer import (
    HORIZONS,
    Observer,
    beliefs,
    chosen_step,
    download,
    folded,
    follows_all,
    judging,
    truth,
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
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.attack import CURVES, privacy_account_figure, roc_figure
from rtp.figures.style import PinMark
from rtp.leakage.composition import PrivacyAccount, privacy_account
from rtp.mechanisms import FEATURED, UNPROTECTED, offered
from rtp.output.attack import KNOWS, ceiling_words, scores_frame
from rtp.output.audit import broken, neglect_words, power_words, proofs_frame, spent_frame
from rtp.output.leakage import account_words, total_words
from rtp.output.words import LIMITS
from rtp.simulation import Day

MANY_DAYS = 20
REDRAW = 2.0  # seconds between pictures while days are being attacked


def how_well(day: Day, observer: Observer) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        observer = judging(day.scenario, observer)
        count = int(url_number(ATTACKED_DAYS._replace(words="Days to watch"), MANY_DAYS, "attacker:days"))
        curve = url_segmented("Curves of", list(CURVES), "attacker:curve", CURVES.__getitem__)
    seen = beliefs(day, _true_model(day, observer))
    house = None if follows_all(day.scenario) else int(seen.houses[0])
    job = jobs.run(
        "attack",
        key_of(day, seen.adversary, seen.inference, house),
        partial(_attack, day, seen, house, count),
        f"Watch {count:,} days, every rate",
        "Until then: the day on screen, for the rate she sees and the optimal one.",
    )
    pinned = _pinned(observer)
    jobs.while_running(job, REDRAW, partial(_so_far, job, day, seen, curve, pinned))
    folded(day, seen)
    download(day, observer)


def _true_model(day: Day, observer: Observer) -> Observer:
    """How well she does is asked of one who believes the model that people live by."""
    return observer._replace(model=_first(day))


def _first(day: Day) -> str:
    return day.scenario.model_names[0]


def _attack(day: Day, seen: Posterior, house: int | None, count: int, report: jobs.Report[Attack]) -> Attack:
    adversary, inference = seen.adversary, seen.inference
    days = jobs.iterate(attacks, day.scenario, count, adversary=adversary, inference=inference, house=house)
    for result in days:
        report(result.days / count, result)
    return result


def _pinned(observer: Observer) -> dict[PinMark, Score]:
    """What she scores with the same rate on the day of every pinned scenario."""
    found = {}
    for mark, other in pins.days().items():
        seen = beliefs(other, _true_model(other, observer._replace(house=None)))
        found[mark] = attack_of_the_day(other.scenario, [seen], truth(other, seen)).scores[seen.mechanism]
    return found


def _so_far(
    job: jobs.Job[Attack] | None, day: Day, seen: Posterior, curve: str, pinned: Mapping[PinMark, Score]
) -> None:
    result = job.result if job is not None and job.result is not None else _on_screen(day, seen)
    chart(roc_figure(result, curve, pinned), key="roc")
    table(scores_frame(result, curve))
    if curve == "evidence" and (words := ceiling_words(result)):
        st.caption(words)
    st.caption(
        f"Days: {result.days}. Houses: {len(result.houses):,}. She knows {KNOWS[result.adversary]}, "
        f"uses {HORIZONS[seen.inference]}, and believes the habits that people live by"
        + (f"; in brackets, and as bands, {LEVEL_WORDS} intervals over days." if result.days > 1 else ".")
    )


def _on_screen(day: Day, seen: Posterior) -> Attack:
    """The day on screen as an attack of one day."""
    house = int(seen.houses[0])
    optimal = beliefs(day, Observer(UNPROTECTED, seen.adversary, house, seen.inference, _first(day)))
    return attack_of_the_day(day.scenario, [optimal, seen], truth(day, seen))


PUBLISHED = "attacker:published"
DAYS = (DEFAULT, 4 * DEFAULT, 16 * DEFAULT)  # published: each finds half the flaw of the one before


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
    lazy_expander("What the promise does not cover", _limits, ":material/shield:")
    st.subheader("The budget over the day", anchor=False)
    book = _account(day)
    step = chosen_step(day.scenario, "Used so far, at")
    st.markdown(account_words(day, book, step), help=total_words(day, book))
    chart(privacy_account_figure(day, exact, book), key="ledger")


def _limits() -> None:
    st.markdown(items(LIMITS))


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
    job = jobs.run(
        "audit",
        key_of(day, n),
        partial(_publish, day, n),
        "Put it to the test",
        "New days are published, and judged from the rates alone.",
    )
    return n, (job.result if job is not None else None) or {}


def _publish(day: Day, n: int, report: jobs.Report[Verdicts]) -> Verdicts:
    return jobs.call(trial, day.scenario, n=n, street_day=day.street_day, progress=report)

"""The Attacker screen's trials: what to try, each one click away; how well she does over many days; the audit
of the promise."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from pages.ui import jobs, pins
from pages.ui.attack.observer import (
    HORIZONS,
    KNOWLEDGE,
    Observer,
    beliefs,
    chosen_step,
    download,
    followed,
    follows_all,
    known,
    truth,
    which_filter,
)
from pages.ui.cache import key_of, shared, weight_per_house
from pages.ui.lab import Lab
from pages.ui.params import RATE
from pages.ui.screens import OVER_TIME
from pages.ui.session import lab
from pages.ui.show import chart, items, table
from pages.ui.sidebar import link_to
from pages.ui.widgets import slider, url_number, url_segmented
from rtp.attack.adversary import Inference, Posterior
from rtp.attack.scores import Score
from rtp.attack.success import ATTACKED_DAYS, Attack, Strongest, attack_of_the_day, attacks, strongest
from rtp.audit.exact import ExactLoss, exact_losses
from rtp.audit.trial import DEFAULT, Verdicts, trial
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.attack import CURVES, privacy_account_figure, roc_figure
from rtp.figures.style import PinMark
from rtp.leakage.composition import PrivacyAccount, privacy_account
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.output.attack import KNOWS, ceiling_words, scores_frame, strongest_words
from rtp.output.audit import broken, neglect_words, power_words, proofs_frame, spent_frame
from rtp.output.leakage import account_words
from rtp.output.words import LIMITS
from rtp.scenario import Scenario, edit
from rtp.simulation import Day

FEW = 5
BEFORE, RATE_BEFORE = "attacker:before", "attacker:rate before"
SHRINK = f"Let her see the unprotected rate of {FEW} houses only: how soon does she know who is at home?"
BACK = f"Which of {FEW} houses can still deny being at home? And what if she saw the calibrated rate?"


def shrink(scenario: Scenario) -> str:
    """The button, and the words that go with it."""
    here = lab()
    before: Scenario | None = here.memo.get(BEFORE) if scenario.households == FEW else None
    if before:
        st.button(
            f"Back to {before.households:,} houses",
            key="attacker:back",
            icon=":material/undo:",
            on_click=_back,
            args=(here,),
        )
        return BACK
    st.button(
        f"Shrink to {FEW} houses",
        key="attacker:shrink",
        icon=":material/compress:",
        on_click=_shrink,
        args=(here,),
        disabled=scenario.households <= FEW,
    )
    return SHRINK


def _shrink(here: Lab) -> None:
    if here.scenario.households <= FEW:  # a second click
        return
    here.memo[BEFORE], here.memo[RATE_BEFORE] = here.scenario, here.chosen(RATE)
    here.show(RATE, UNPROTECTED)
    here.change(edit.of_size, FEW)


def _back(here: Lab) -> None:
    """The houses as they were, listed ones too; whatever else was changed since stays."""
    if before := here.memo.pop(BEFORE, None):
        here.show(RATE, here.memo.pop(RATE_BEFORE))
        here.change(Scenario.replace, households=before.households, houses=before.houses)


@shared(apart_from=("epsilon",))
def _strongest(day: Day, house: int | None, inference: Inference) -> Strongest:
    return strongest(day, house, inference)


def try_this(day: Day, observer: Observer) -> None:
    house = followed(day, observer.house)
    found = _strongest(day, house, observer.inference)
    with st.container(horizontal=True):
        words = shrink(day.scenario)
        if observer.adversary == "outsider":
            _button("Let her know what everyone else used", ":material/bolt:", "others")
        elif "model" in known(day.scenario):
            _button("Back to the model only", ":material/undo:", "model")
    st.markdown(f"**Try this.** {words} {strongest_words(found)}")


def _button(words: str, icon: str, knows: str) -> None:
    st.button(words, key=f"strongest:{knows}", icon=icon, on_click=lab().show, args=(KNOWLEDGE, knows))


MANY_DAYS = 20
REDRAW = 2.0  # seconds between pictures while days are being attacked


def how_well(day: Day, observer: Observer) -> None:
    seen = beliefs(day, _true_model(day, observer))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        count = int(url_number(ATTACKED_DAYS._replace(words="Days to attack"), MANY_DAYS, "attacker:days"))
        curve = url_segmented("Curves of", list(CURVES), "attacker:curve", CURVES.__getitem__)
    house = None if follows_all(day.scenario) else int(seen.houses[0])
    job = jobs.run(
        "attack",
        key_of(day, seen.adversary, seen.inference, house),
        partial(_attack, day, seen, house, count),
        f"Attack {count:,} days, every rate",
        "Until then: the day on screen, for the rate she sees and the unprotected one.",
    )
    pinned = _pinned(observer)
    jobs.while_running(job, REDRAW, partial(_so_far, job, day, seen, curve, pinned))
    which_filter(day, seen)
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
    st.caption("This is of single moments. What lasts, such as a week away, shows in every rate and adds up.")
    link_to("Attack", "What a week reveals", tab=OVER_TIME)
    if curve == "evidence" and (words := ceiling_words(result)):
        st.caption(words)
    st.caption(
        f"Days: {result.days}. Houses: {len(result.houses):,}. She knows {KNOWS[result.adversary]}, "
        f"judges by {HORIZONS[seen.inference]}, and believes the model that people live by"
        + (f"; in brackets, and as bands, {LEVEL_WORDS} intervals over days." if result.days > 1 else ".")
    )


def _on_screen(day: Day, seen: Posterior) -> Attack:
    """The day on screen as an attack of one day."""
    house = int(seen.houses[0])
    unprotected = beliefs(day, Observer(UNPROTECTED, seen.adversary, house, seen.inference, _first(day)))
    return attack_of_the_day(day.scenario, [unprotected, seen], truth(day, seen))


PUBLISHED = "attacker:published"
DAYS = (DEFAULT, 4 * DEFAULT, 16 * DEFAULT)  # published: each finds half the flaw of the one before


def audit(day: Day) -> None:
    """Exactly, by experiment, and added up over the day."""
    exact = _exact(day)
    n, proved = _experiment(day)
    table(spent_frame(day, exact))
    st.caption(
        "Spent: the largest privacy loss of any house in one step, and the most that one loses all day; "
        "exact for consumption as modelled, uniform up to the bounds unless a distribution is given."
    )
    if neglected := neglect_words(day, exact):
        st.warning(neglected)
    if proved:
        table(proofs_frame(proved))
        st.caption(power_words(proved, n))
    if names := broken(exact, proved):
        st.error(f"Promise broken: {', '.join(map(style.label, names))}.")
    else:
        st.success("No promise is broken" + (", neither exactly nor by experiment." if proved else "."))
    st.markdown("**What the promise does not cover**\n" + items(LIMITS))
    st.subheader("The budget over the day", anchor=False)
    book = _account(day)
    st.markdown(account_words(day, book, chosen_step(day.scenario, "Used so far, at")))
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
    job = jobs.run(
        "audit",
        key_of(day, n),
        partial(_publish, day, n),
        "Put it to the test",
        "New days are published, and judged from the rates alone.",
    )
    return n, (job.result if job is not None else None) or {}


def _publish(day: Day, n: int, report: jobs.Report[Verdicts]) -> Verdicts:
    return jobs.call(trial, day.scenario, n=n, street_day=day.street_day, progress=partial(_report, report))


def _report(report: jobs.Report[Verdicts], fraction: float) -> None:
    report(fraction, {})

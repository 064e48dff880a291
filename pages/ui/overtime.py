"""The Over time screen: what rates tell of a moment, of a holiday, in a crowd, and over a whole day."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.params import RATE
from pages.ui.session import lab
from pages.ui.show import Point, chart, clickable, csv
from pages.ui.widgets import url_house, url_number, url_segmented, url_select
from rtp.attack.adversary import BY_KNOWLEDGE, KNOWLEDGE_OF, AdversaryKind
from rtp.core.formatting import percent, plain
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.leakage import (
    composition_figure,
    crowd_figure,
    detection_figure,
    moment_figure,
    price_figure,
)
from rtp.figures.style import Picture
from rtp.leakage.budget import BUDGETS, MAX_HOUSE_DAYS, price_of_a_moment
from rtp.leakage.composition import TOTAL, composition_frame, compositions
from rtp.leakage.crowd import USUAL_DELTA, noise_frame, noise_still_needed
from rtp.leakage.detection import (
    HORIZONS,
    REPETITIONS,
    WEEK,
    DetectionBudget,
    Detections,
    detect_daily,
    detection_frame,
    epsilon_for_detection,
)
from rtp.leakage.hypothesis import HYPOTHESES
from rtp.leakage.moment import MomentLeakage, giveaway, moment_frame, moment_leakage
from rtp.leakage.overview import Overview, overview
from rtp.leakage.words import WHO, crowd_words, moment_words, overview_frame, overview_words
from rtp.mechanisms import NO_DATA, REGISTRY, private
from rtp.metrics import ERROR_MEANS
from rtp.output.words import total_budget
from rtp.scenario import DEFAULT_PRESET, LIBRARY, Scenario, edit
from rtp.simulation import Day

HOUSE, TAB = "overtime:house", "overtime:tab"
FEW = 20
MOMENT, HOLIDAY, CROWD, DAY = "A moment", "A holiday", "The crowd", "A whole day"
SEEN = {MOMENT: "restless houses", HOLIDAY: DEFAULT_PRESET, CROWD: "whole town", DAY: "steady houses"}
PAPERS_HOLIDAY = "At the paper's own ε an insider sees a week's holiday."


class Watched(NamedTuple):
    rate: str
    house: int | None  # None: whichever loses most


def controls(scenario: Scenario) -> Watched:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rate = url_select("The rate", list(REGISTRY), RATE, style.label, width=190)
        return Watched(rate, _house(scenario))


def _house(scenario: Scenario) -> int | None:
    return url_house(
        HOUSE,
        scenario,
        empty="the worst off",
        help="Empty: of a moment the house that loses most, else the one whose use differs most.",
    )


def try_this() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Try this.**", width="content")
        st.button(
            "A tenth of the budget",
            icon=":material/lock:",
            on_click=_tenth,
            help="A moment is hidden much better. Is a holiday?",
        )
        st.button(
            f"A street of {FEW}",
            icon=":material/compress:",
            on_click=partial(lab().change, edit.of_size, FEW),
            help="The crowd is gone: an outsider sees almost as much as an insider.",
        )
        st.button(
            "Publish the forecast",
            icon=":material/visibility_off:",
            on_click=partial(lab().show, RATE, NO_DATA),
            help="It looks at no data: nothing can be learned. What that costs is under A whole day.",
        )


def _tenth() -> None:
    lab().set("epsilon", lab().scenario.epsilon / 10)


def streets_that_show_it() -> None:
    """A preset for each tab, which opens on it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Streets that show it.**", width="content")
        for tab, name in SEEN.items():
            st.button(
                f"{tab}: {name.capitalize()}",
                icon=":material/home_work:",
                on_click=partial(_show, tab, name),
                help=f"{PAPERS_HOLIDAY if tab == HOLIDAY else LIBRARY[name].look_at} It takes the place of "
                "your scenario; Undo brings that back.",
            )


def _show(tab: str, name: str) -> None:
    lab().open(LIBRARY[name].scenario, name)
    lab().show(TAB, tab)


def learned(day: Day, watched: Watched) -> None:
    found = _overview(day, watched)
    st.table(overview_frame(day.scenario, found))
    chosen = watched.house is not None
    st.caption(overview_words(day.scenario, found, watched.rate, chosen=chosen))


def _overview(day: Day, watched: Watched) -> Overview:
    scenario = day.scenario
    step = cache.moments(day, *watched).step % (scenario.steps // scenario.days)
    key = f"{scenario.to_json(None)} {watched.rate} {watched.house} {step}"
    return cache.cached("overview", key, partial(_made, day, watched, step))


def _made(day: Day, watched: Watched, step: int) -> Overview:
    longer = day.scenario.replace(days=WEEK)
    week = cache.street_day(longer)
    return jobs.call(overview, day.scenario, watched.rate, step, house=watched.house, week=week)


STEP = "overtime:step"


def moment(day: Day, watched: Watched) -> None:
    found = cache.moments(day, *watched)
    chosen: int | None = lab().chosen(STEP)
    step = found.step if chosen is None else min(chosen, day.scenario.steps - 1)
    bounded = REGISTRY[watched.rate].assumes == "bounded" and REGISTRY[watched.rate].adds_noise
    key = f"{day.scenario.to_json(None)} {watched}"
    make = partial(moment_leakage, day, *watched, any_use=True)
    any_use = cache.cached("any use", key, make) if bounded else None
    st.markdown(moment_words(day, found, any_use))
    drawn = cache.picture(partial(_picture, day, watched, found, step), "moment", key, step)
    clickable(drawn, "overtime:moment", _choose)
    st.caption(
        "**Click a time to see which rates give it away**: the bars say how much less could be learned about "
        "that moment without each of them. Exact for an insider, from the loss really spent on the house at "
        "each step, of several models the worst; each time shows the house that loses most then."
    )
    csv("Moments as CSV", partial(moment_frame, day, found), "moments.csv")
    _price(day)
    with st.expander("The formula", icon=":material/function:"):
        st.latex(r"g(x) = \ln\frac{a_1 e^x + 1 - a_1}{a_0 e^x + 1 - a_0}")
        st.markdown(
            "Each rate's evidence lies within ±e. What the rates before, or after, a moment say of its "
            "neighbour reaches it through g, with a₀ and a₁ the chances that the neighbour is occupied where "
            "the moment is empty, and where it is occupied. Past, own rate and future add up."
        )


def _picture(day: Day, watched: Watched, found: MomentLeakage, step: int) -> Picture:
    gives = giveaway(day, watched.rate, int(found.house[step]), step)
    return moment_figure(day, found, step, gives)


def _choose(point: Point) -> None:
    lab().show(STEP, int(point["customdata"][0]))


def _price(day: Day) -> None:
    section = st.expander(
        "What a leak costs", key="overtime:price", on_change="rerun", icon=":material/payments:"
    )
    if not section.open:
        return
    with section:
        if day.scenario.households * day.scenario.days > MAX_HOUSE_DAYS:
            st.caption(
                f"Drawn for streets of up to {MAX_HOUSE_DAYS:,} houses × days; the command line has no limit."
            )
            return
        key = day.scenario.replace(epsilon=1.0).to_json(None)
        make = partial(price_of_a_moment, day.scenario, BUDGETS, street_day=day.street_day)
        found = cache.cached("price", key, make, "Asking every budget …")
        chart(price_figure(found, day.scenario.steps, day.scenario.epsilon), "overtime:price figure")
        st.caption("Error against the leak of the worst moment, instead of ε: one point per budget.")


DELTAS = (1e-3, USUAL_DELTA, 1e-9)


def crowd(day: Day, watched: Watched) -> None:
    delta = url_segmented(
        "δ — how often the promise may fail", DELTAS, "overtime:delta", plain, default=USUAL_DELTA
    )
    key = f"{day.scenario.to_json(None)} {delta} {watched.house}"
    make = partial(jobs.call, noise_still_needed, day, day.scenario.epsilon, delta, house=watched.house)
    found = cache.cached("crowd", key, make, "Adding up the neighbours …")
    st.markdown(crowd_words(found))
    chart(crowd_figure(found, day.scenario.households), "overtime:crowd")
    house = day.scenario.house(found.house, capital=True)
    st.caption(
        f"{house} at {day.scenario.when(found.step)}, among neighbours drawn like this "
        "street's, as likely to be at home as the first model says before any rate is seen. For one rate, "
        "rounded up; over many rates an outsider learns more."
    )
    csv("The crowd as CSV", partial(noise_frame, found), "crowd.csv")
    with st.expander("The formula", icon=":material/function:"):
        st.latex(
            r"\delta(\varepsilon) = \max\left(\int \max(0, f_1 - e^\varepsilon f_0),\ "
            r"\int \max(0, f_0 - e^\varepsilon f_1)\right)"
        )
        st.markdown(
            "f₁ and f₀ are the densities of the rate where the house is occupied and where it is empty."
        )


SUM = "overtime:total"


def whole_day(day: Day) -> None:
    own = min(max(total_budget(day), TOTAL.low), TOTAL.high)
    total = url_number(
        TOTAL, own, SUM, width=240, help="At first what the rates of today add up to by Theorem 2: ε·T."
    )
    key = f"{day.scenario.replace(epsilon=1.0).to_json(None)} {total}"
    found = cache.cached(
        "ways",
        key,
        partial(compositions, day.scenario, total, street_day=day.street_day),
        "Asking every way …",
    )
    chart(composition_figure(found, total, day.scenario.steps), "overtime:ways")
    st.table(composition_frame(found, day.scenario.steps).set_index("Way"))
    st.caption(f"At full use, with noise for the houses that Algorithm 1 protects. {ERROR_MEANS}")
    csv("The ways as CSV", partial(composition_frame, found, day.scenario.steps), "ways.csv")
    with st.expander("The formulas", icon=":material/function:"):
        st.latex(
            r"\text{Theorem 2: } \varepsilon_t = \tfrac{\varepsilon}{T} \qquad "
            r"\text{w-event: } \varepsilon_t = \tfrac{\varepsilon}{w} \qquad "
            r"\text{quilt: } \tfrac{\text{card}}{\varepsilon - e} \qquad "
            r"\text{Gaussian: } \Phi(\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}) "
            r"- e^\varepsilon \Phi(-\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}) \le \delta"
        )
        st.markdown(
            "ε is the total of the day, T its steps, w those of the window. A quilt is two moments beyond "
            "which nothing more is told; card counts those between, e is what the quilt itself tells. "
            "μ is λ√T over the noise's deviation."
        )


REDRAW = 1.5  # seconds between pictures while days are being watched
LIVES = 300
QUICK = 100  # lives of either kind in the first picture
AREA = 0.6  # that the budget is asked to stay below


def holiday(day: Day, watched: Watched) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        secret = url_segmented("The secret", list(HYPOTHESES), "overtime:secret", _secret_words)
        who = [KNOWLEDGE_OF[adversary] for adversary in WHO]
        knows = BY_KNOWLEDGE[url_segmented("Seen by", who, "overtime:knows", _observer_words)]
        days = url_select("Days", list(HORIZONS), "overtime:days", str, default=WEEK, width=110)
        lives = int(url_number(REPETITIONS, LIVES, "overtime:lives"))
    job = jobs.run(
        "stretch",
        f"{day.scenario.to_json(None)} {secret} {days} {watched.house} {lives}",
        partial(_watch, day, secret, days, watched.house, lives),
        f"Watch for {days} days, every rate",
        f"{lives:,} ordinary lives and {lives:,} with the secret. Until then: one day, {QUICK} lives each.",
    )
    jobs.while_running(
        job, REDRAW, partial(_so_far, day.scenario, job, partial(_one_day, day, secret, watched.house), knows)
    )
    _hiding(day, watched, secret, knows)
    with st.expander("The formula", icon=":material/function:"):
        st.latex(
            r"\ln\Pr[\hat r^1, \dots, \hat r^T \mid \text{secret}] "
            r"- \ln\Pr[\hat r^1, \dots, \hat r^T \mid \text{ordinary}]"
        )
        st.markdown(
            "Her score: each likelihood is that of a hidden Markov chain, summed over all ways to live. The "
            "area is the chance that a life with the secret scores above an ordinary one; 50 % is guessing."
        )


def _secret_words(name: str) -> str:
    return HYPOTHESES[name].label


def _observer_words(knowledge: str) -> str:
    return _who_words(BY_KNOWLEDGE[knowledge])


def _who_words(knows: AdversaryKind) -> str:
    return f"an {knows}"


def _watch(
    day: Day, secret: str, days: int, house: int | None, lives: int, report: jobs.Report[Detections]
) -> Detections:
    every_day = jobs.iterate(detect_daily, day.scenario, secret, days, house=house, repetitions=lives)
    for result in every_day:
        report(result.done / days, result)
    return result


def _one_day(day: Day, secret: str, house: int | None) -> Detections:
    """A first picture, while nothing longer has been asked for."""
    key = f"{day.scenario.to_json(None)} {secret} {house}"
    (found,) = cache.cached("one day", key, partial(_watched, day, secret, house))
    return found


def _watched(day: Day, secret: str, house: int | None) -> list[Detections]:
    street = cache.street_day(day.scenario.replace(days=1))
    return list(detect_daily(day.scenario, secret, 1, house=house, repetitions=QUICK, street_day=street))


def _so_far(
    scenario: Scenario,
    job: jobs.Job[Detections] | None,
    first: Callable[[], Detections],
    knows: AdversaryKind,
) -> None:
    found = job.result if job is not None and job.result is not None else first()
    chart(detection_figure(found, knows), "overtime:detection")
    house = scenario.house(found.house, capital=True)
    st.caption(
        f"{house} is {HYPOTHESES[found.hypothesis].words}, or lives as the model says; seen by "
        f"{WHO[knows]}. Over {found.repetitions:,} lives of either kind, at full use; bands are "
        f"{LEVEL_WORDS} intervals. The outsider takes the others' sum as normal, which fits streets of some "
        "dozens of houses and more. Rates that differ only in what is done after the noise show the same."
    )
    csv("Detection as CSV", partial(detection_frame, found), "detection.csv")


def _hiding(day: Day, watched: Watched, secret: str, knows: AdversaryKind) -> None:
    rate = watched.rate
    if rate not in private():
        return
    job = jobs.run(
        "hiding",
        f"{day.scenario.replace(epsilon=1.0).to_json(None)} {secret} {rate} {knows} {watched.house}",
        partial(_hide, day, watched, secret, knows),
        "Find the ε that hides a week",
        f"So that {_who_words(knows)} of the {style.label(rate)} rates is right at most {AREA:.0%} of times.",
    )
    if job is None or job.result is None or job.running:
        return
    found = job.result
    if found.epsilon is None:
        st.markdown(f"Even the smallest budget leaves her right {percent(found.area, 2)} of the time.")
    else:
        low, high = (percent(end, 2) for end in found.interval)
        st.markdown(
            f"**ε = {plain(found.epsilon)}** per step keeps her at {percent(found.area, 2)} "
            f"({LEVEL_WORDS} interval: {low} to {high})."
        )


def _hide(
    day: Day, watched: Watched, secret: str, knows: AdversaryKind, report: jobs.Report[DetectionBudget | None]
) -> DetectionBudget:
    return jobs.call(
        epsilon_for_detection,
        day.scenario,
        watched.rate,
        secret,
        AREA,
        knows,
        house=watched.house,
        progress=partial(_told, report),
    )


def _told(report: jobs.Report[DetectionBudget | None], done: float) -> None:
    report(done, None)

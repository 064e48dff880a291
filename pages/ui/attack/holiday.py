"""The tab of a holiday, or of another secret that lasts: how surely rates show it, and which ε hides it."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.observer import Observer
from pages.ui.show import chart, csv
from pages.ui.widgets import url_number, url_segmented, url_select
from rtp.attack.adversary import AdversaryKind
from rtp.core.formatting import percent, plain
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.leakage import detection_figure
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
from rtp.leakage.overview import OBSERVERS
from rtp.mechanisms import private
from rtp.scenario import Scenario
from rtp.simulation import Day

REDRAW = 1.5  # seconds between pictures while days are being watched
HOUSES = 300
QUICK = 100  # houses of either kind in the first picture
AREA = 0.6  # that the budget is asked to stay below


def holiday(day: Day, watched: Observer) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        secret = url_segmented("The secret", list(HYPOTHESES), "overtime:secret", _secret_words)
        days = url_select("Days", list(HORIZONS), "overtime:days", str, default=WEEK, width=110)
        repetitions = int(url_number(REPETITIONS, HOUSES, "overtime:lives"))
    knows = watched.adversary
    job = jobs.run(
        "stretch",
        cache.key_of(day, secret, days, watched.house, repetitions),
        partial(_watch, day, secret, days, watched.house, repetitions),
        f"Watch for {days} days, every rate",
        f"{repetitions:,} ordinary houses and {repetitions:,} with the secret. Until then: one day, "
        f"{QUICK} of each.",
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
            "Her score. Each likelihood is that of a hidden Markov chain, summed over all histories. The "
            "area is the probability that a house with the secret scores above an ordinary one; 50 % is "
            "guessing."
        )


def _secret_words(name: str) -> str:
    return HYPOTHESES[name].label


def _watch(
    day: Day, secret: str, days: int, house: int | None, repetitions: int, report: jobs.Report[Detections]
) -> Detections:
    every_day = jobs.iterate(detect_daily, day.scenario, secret, days, house=house, repetitions=repetitions)
    for result in every_day:
        report(result.done / days, result)
    return result


@cache.shared()
def _one_day(day: Day, secret: str, house: int | None) -> Detections:
    """A first picture, while nothing longer has been asked for."""
    street = cache.street_day(day.scenario.replace(days=1))
    (found,) = detect_daily(day.scenario, secret, 1, house=house, repetitions=QUICK, street_day=street)
    return found


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
        f"{house} is {HYPOTHESES[found.hypothesis].words}, or keeps its habits; seen by {OBSERVERS[knows]}. "
        f"{found.repetitions:,} simulated houses of either kind. Bands: {LEVEL_WORDS} intervals.",
        help="At full use: a house uses its bound or nothing. The outsider takes the sum of the others as "
        "normal, which fits streets of some dozens of houses and more. Rates that differ only in what is "
        "done after the noise show the same.",
    )
    csv("Detection as CSV", partial(detection_frame, found), "detection.csv")


def _hiding(day: Day, watched: Observer, secret: str, knows: AdversaryKind) -> None:
    rate = watched.rate
    if rate not in private():
        return
    job = jobs.run(
        "hiding",
        cache.key_of(day, secret, rate, knows, watched.house, apart_from=("epsilon",)),
        partial(_hide, day, watched, secret, knows),
        "Find the ε that hides a week",
        f"So that an {knows} is right by the {style.label(rate)} rates at most {percent(AREA)} of the time.",
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
    day: Day,
    watched: Observer,
    secret: str,
    knows: AdversaryKind,
    report: jobs.Report[DetectionBudget],
) -> DetectionBudget:
    return jobs.call(
        epsilon_for_detection,
        day.scenario,
        watched.rate,
        secret,
        AREA,
        knows,
        house=watched.house,
        progress=report,
    )

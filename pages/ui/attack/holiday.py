"""The tab of a holiday, or of another secret that lasts: how surely rates show it, and which ε hides it."""

from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.observer import Observer, reporting
from pages.ui.show import chart, csv, lazy_expander
from pages.ui.widgets import url_number, url_segmented, url_select
from rtp.attack.adversary import AdversaryKind
from rtp.attack.joint_filter import is_exact
from rtp.core.formatting import percent
from rtp.core.parallel import Progress
from rtp.figures import style
from rtp.figures.leakage import detection_figure
from rtp.leakage.approximation import Approximation, crowd_approximation
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
from rtp.mechanisms import private
from rtp.output.leakage import detected_words, detection_words, hiding_words, outsider_words
from rtp.simulation import Day

REDRAW = 1.5  # seconds between pictures while days are being watched
HOUSES = 300
QUICK = 100  # houses of either kind in the first picture
AREA = 0.6  # that the budget is asked to stay below


def holiday(day: Day, watched: Observer) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        secret = url_segmented(
            "The secret", list(HYPOTHESES), "overtime:secret", lambda name: HYPOTHESES[name].label
        )
        days = url_select("Days", list(HORIZONS), "overtime:days", str, default=WEEK, width=110)
        repetitions = int(url_number(REPETITIONS, HOUSES, "overtime:lives"))
    job = jobs.run(
        "stretch",
        cache.key_of(day, secret, days, watched.house, repetitions),
        partial(_watch, day, secret, days, watched.house, repetitions),
        f"Watch for {days} days, every rate",
        f"{repetitions:,} ordinary houses and {repetitions:,} with the secret. Until then: one day, "
        f"{QUICK} of each.",
    )
    jobs.while_running(job, REDRAW, partial(_so_far, day, job, secret, watched))
    if watched.rate in private():
        _hiding(day, watched, secret)


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


def _so_far(day: Day, job: jobs.Job[Detections] | None, secret: str, watched: Observer) -> None:
    found = job.result if job is not None and job.result is not None else _one_day(day, secret, watched.house)
    chart(detection_figure(found, watched.adversary), "overtime:detection")
    if found.by_rate[watched.rate, watched.adversary].days:
        st.markdown(detected_words(found, watched.rate, watched.adversary))
    st.caption(
        detection_words(day.scenario, found, watched.adversary),
        help="At full use: a house uses its bound or nothing. Rates that differ only in what is done after "
        "the noise show the same.",
    )
    lazy_expander("How exact the outsider is", partial(_outsider, day, watched.private), ":material/rule:")
    csv("Detection as CSV", partial(detection_frame, found), "detection.csv")


def _outsider(day: Day, rate: str) -> None:
    few = is_exact(day.street)
    st.caption(outsider_words(day.scenario, None if few else _approximation(day, rate)))


@cache.shared(spinner="Measuring how exact she is …")
def _approximation(day: Day, rate: str) -> Approximation:
    return jobs.call(crowd_approximation, day.scenario, rate)


def _hiding(day: Day, watched: Observer, secret: str) -> None:
    rate, knows, house = watched.rate, watched.adversary, watched.house
    job = jobs.run(
        "hiding",
        cache.key_of(day, secret, rate, knows, house, apart_from=("epsilon",)),
        reporting(_hide, day, secret, rate, knows, house),
        "Find the ε that hides a week",
        f"So that an {knows} is right by the {style.label(rate)} rates at most {percent(AREA)} of the time.",
    )
    if job is not None and job.result is not None:
        st.markdown(hiding_words(job.result.value))


def _hide(
    day: Day, secret: str, rate: str, knows: AdversaryKind, house: int | None, progress: Progress
) -> DetectionBudget:
    return jobs.call(
        epsilon_for_detection, day.scenario, rate, secret, AREA, knows, house=house, progress=progress
    )

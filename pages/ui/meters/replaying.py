"""The feeder's own demand through every mechanism."""

from functools import partial

import streamlit as st

from pages.ui import jobs
from pages.ui.meters.bounds import stated
from pages.ui.meters.learning import habits_or_none
from pages.ui.meters.source import Held
from pages.ui.meters.watching import watching
from pages.ui.show import chart, csv
from pages.ui.widgets import url_pills, url_segmented, url_select
from rtp.figures import style
from rtp.figures.meters import replay_figure
from rtp.mechanisms import REGISTRY
from rtp.meters import Learned, Readings, Replay, replay
from rtp.meters.answer import moment_frame, promise_words, replay_frame, replay_words
from rtp.meters.replaying import SPANS, with_bounds
from rtp.metrics import ERROR_MEANS
from rtp.scenario import Scenario


def replaying(held: Held, scenario: Scenario) -> None:
    """At the scenario's ε and tariff; with the learned habits where there are any."""
    readings = held.readings
    job: jobs.Job[Learned | None] | None = jobs.current("learn")
    learned = habits_or_none(job.result if job is not None and job.key.startswith(held.key) else None)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        span = url_segmented("Replay", list(SPANS), "meters:span")
        days = min(SPANS[span] or readings.days, readings.days)
        starts = list(range(readings.days - days + 1))
        first = url_select("From", starts, "meters:day", readings.date, width=170) if len(starts) > 1 else 0
    street = with_bounds(scenario, learned, *stated("replay"))
    key = f"{held.key} {street.to_json(None)} {first} {days} {learned is not None}"
    run = jobs.run(
        "replay",
        key,
        partial(_replay, readings, street, learned, first, days),
        "Replay",
        f"{days:,} days at ε = {scenario.epsilon:g}; "
        + ("habits as learned." if learned else "habits of the scenario; learn them for a fair forecast."),
    )
    if run is not None and run.result is not None and not run.running:
        _shown(run.result, learned is not None or street.has_laws, key)


def _replay(
    readings: Readings,
    street: Scenario,
    learned: Learned | None,
    first: int,
    days: int,
    report: jobs.Report[Replay | None],
) -> Replay:
    return replay(readings, street, learned, first=first, days=days, progress=partial(_tell, report))


def _tell(report: jobs.Report[Replay | None], done: float) -> None:
    report(done, None)


def _shown(found: Replay, learned: bool, key: str) -> None:
    """What can be taken away stands first: what is announced below it is there to be taken."""
    csv("Replay as CSV", found.frame, "replay.csv")
    st.markdown(f"{replay_words(found)} {promise_words(learned)}")
    shown = url_pills("Rates", list(REGISTRY), "meters:shown", style.label)
    chart(replay_figure(found, list(reversed(shown))), "meters:rates")
    st.table(replay_frame(found))
    st.caption(f"{ERROR_MEANS} A bill is rate × power × hours, at the readings as cut.")
    watching(found, key, shown)
    st.subheader("The worst moment of any house", anchor=False)
    st.table(moment_frame(found))
    st.caption(
        "The most that all rates of the first four weeks, or of the span, tell an insider about one moment "
        "of one house: the shift of its log-odds."
    )

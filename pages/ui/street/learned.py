"""What readings teach: when somebody was in, how often that is right, and the habits of a street."""

from contextlib import suppress
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.ui import jobs, show
from pages.ui.session import button, lab
from pages.ui.show import chart, lazy_expander
from pages.ui.street.readings import LoadedReadings, stated
from pages.ui.widgets import url_segmented, url_select
from rtp.core.formatting import shown_name
from rtp.core.workers import partial_progress
from rtp.figures import meters as figures
from rtp.meters import Learned, Readings, learn, real_home
from rtp.meters.check import AtHome, Check, at_home, check
from rtp.meters.learned import LAW_CHOICES, periods_for, with_laws
from rtp.meters.learning import GROUPS, MAX_LEARNED_DAYS, RESAMPLES
from rtp.output import meters as words
from rtp.output.check import CHECK_MEANS, check_frame, hours_frame
from rtp.scenario import PAPER_PERIODS, OccupiedMeans, Period, Scenario, ScenarioError
from rtp.scenario.habits import HOME, MEANINGS, UP

AS_SHOWN = 0  # groups: as many as the readings show
MEANING = "meters:meaning"
LEARN_FROM = {False: "the readings alone", True: "the labels"}
_SHOWN_DAYS = 7
LEARNING = 0.8  # of the time; the rest is for when somebody was in
LEARN_HINTS: dict[OccupiedMeans, str] = {
    HOME: "Three states for every house: away, up, asleep.",
    UP: "Two states for every house: up and about, or away, asleep or quiet.",
}


def habits(loaded: LoadedReadings, scenario: Scenario) -> None:
    """What the readings tell of when somebody was in; the habits learned, and the street that they make."""
    asked = _asked(loaded, scenario)
    hint = f"From the last {MAX_LEARNED_DAYS} days. {LEARN_HINTS[asked.meaning]}"
    work, key = partial(_learn, loaded, asked), f"{loaded.key} {asked.text}"
    job = jobs.run("learn", key, work, "Learn habits", hint)
    if job is None or job.running or job.result is None:
        return
    readings, learned = loaded.readings, job.result
    home = loaded.home if loaded.home is not None and loaded.home.houses else None
    if home is not None:
        _home(home, learned)
    if loaded.check is not None:
        _checked(loaded.check)
    if learned.groups:
        chart(figures.profile_figure(learned), "meters:profile")
        _use(learned)
    else:
        st.info(words.NOTHING, icon=":material/info:")
    lazy_expander("How far to believe it", partial(_doubts, learned))
    lazy_expander("Every house", partial(_every_house, readings, learned), opened=not learned.groups)
    if learned.groups and home is None:
        chosen = lab().setting("meters:house", 0) != 0
        lazy_expander("Guessed occupancy of one house", partial(_decoded, readings, learned), opened=chosen)


class Asked(NamedTuple):
    """What is to be learned: which question, from what, in which periods and how many groups."""

    meaning: OccupiedMeans
    labels: bool  # whether labels are used, and not kept for judging
    periods: tuple[Period, ...]
    groups: int | None  # None: as many as the readings show

    @property
    def text(self) -> str:
        """What tells it from others."""
        return f"{self.groups or 0} {self.meaning} {self.labels} {[(p.name, p.start) for p in self.periods]}"


def _asked(loaded: LoadedReadings, scenario: Scenario) -> Asked:
    """As chosen. Labels of the real home judge unless they are asked for; those of a file are used."""
    labelled = loaded.readings.occupied is not None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        meaning = url_segmented("Occupied means", MEANINGS[::-1], MEANING)
        help = "Labels say when somebody was at home. What is learned without them can be judged by them."
        judge, names, options = loaded.name != real_home.HOME_NAME, LEARN_FROM.__getitem__, [False, True]
        if labelled:
            key = "meters:labels"
            labelled = url_segmented("Learn from", options, key, names, default=judge, help=help)
        counts = {n: str(n) for n in range(int(GROUPS.low), int(GROUPS.high) + 1)}
        counts = {AS_SHOWN: "as many as the readings show"} | counts
        groups = url_select(GROUPS.words, list(counts), "meters:groups", counts.__getitem__, width=260)
    own = scenario.models[0].habits[0].periods
    usual = [p.start for p in own] == [p.start for p in PAPER_PERIODS]
    return Asked(meaning, labelled, periods_for(meaning) if usual else own, groups or None)


def _learn(loaded: LoadedReadings, asked: Asked, report: jobs.Report[Learned]) -> Learned:
    """In a worker: habits; when somebody was in, by the readings alone; and how often that is right."""
    readings = loaded.readings if asked.labels else loaded.readings.without_labels()
    loaded.home = loaded.check = None
    options = {"meaning": asked.meaning, "progress": partial_progress(report, 0.0, LEARNING)}
    loaded.learned = jobs.call(learn, readings, asked.periods, asked.groups, **options)
    if asked.meaning == HOME:
        part = partial_progress(report, LEARNING, 1.0)
        loaded.home = jobs.call(at_home, loaded.readings, loaded.learned, progress=part)
    if loaded.home is not None and loaded.readings.occupied is not None:
        with suppress(ScenarioError):  # too little is labelled to judge by
            loaded.check = jobs.call(check, loaded.readings, loaded.home)
    return loaded.learned


def _home(found: AtHome, learned: Learned) -> None:
    """Readings, what is learned of them, and what was true, a week at a time; the readings alone of a house
    of which nothing is learned and nothing is known."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        house = 0
        if len(found.houses) > 1:
            names = list(map(shown_name, found.houses))
            house = url_select("House", range(len(names)), "meters:house", names.__getitem__, width=260)
        dates = [str(np.datetime64(found.first_date) + day) for day in range(found.days)]
        first = url_select("From", range(len(dates)), "meters:seen", dates.__getitem__, width=170)
    shown = found.labelled(house) or learned.tells_of(int(found.which[house]))
    chart(figures.home_figure(found, house, first, _SHOWN_DAYS, learned=shown), "meters:home")
    if not shown and learned.groups:
        st.caption(words.untold_words(found.houses[house]))


def _checked(found: Check) -> None:
    """How often it is right, against plain guesses; how sure it may be; hour by hour."""
    show.table(check_frame(found))
    st.caption(CHECK_MEANS)
    reliability = "meters:reliability"
    lazy_expander(
        "Is it as sure as it is right?", lambda: chart(figures.reliability_figure(found), reliability)
    )
    lazy_expander("Hour by hour", lambda: show.table(hours_frame(found)))


def _doubts(learned: Learned) -> None:
    for sentence in words.doubt_words(learned):
        st.markdown(sentence)
    if learned.groups:
        show.table(words.chances_frame(learned))
        st.caption(words.CHANCES_MEAN)
        chart(figures.use_distributions_figure(learned), "meters:laws")


def _every_house(readings: Readings, learned: Learned) -> None:
    chart(figures.average_days_figure(readings, learned), "meters:days")
    st.dataframe(words.houses_frame(readings, learned))
    st.caption(words.SURE_MEANS)


def _decoded(readings: Readings, learned: Learned) -> None:
    names = [shown_name(readings.houses[i]) for i in learned.which]
    house = url_select("House", range(len(names)), "meters:house", names.__getitem__, width=260)
    if not learned.tells_of(int(learned.which[house])):
        st.caption(words.untold_words(names[house]))
        return
    chart(figures.decoded_figure(readings, learned, house), "meters:decoded")


def _use(learned: Learned) -> None:
    occupied, empty = stated()
    use = url_segmented("Houses use", list(LAW_CHOICES), "meters:use", help=words.LAWS_MEAN)
    help = (
        f"{learned.all_houses:,} houses, {len(learned.groups)} groups, {1 + RESAMPLES} models: what was "
        "learned, and what other weeks would have taught. Undo brings the old street back."
    )

    def with_habits(scenario: Scenario) -> Scenario:
        street = learned.scenario(scenario, occupied, empty)
        return with_laws(street, learned) if LAW_CHOICES[use] else street

    button("Use this street", "meters:use street", "home_work", lab().change, with_habits, help=help)

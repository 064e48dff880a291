"""Habits learned from the readings: run, judge, look, and use them in the whole lab."""

from functools import partial

import streamlit as st

from pages.ui import jobs, pool
from pages.ui.meters.source import Held
from pages.ui.number import number_field
from pages.ui.session import lab
from pages.ui.show import chart
from pages.ui.widgets import url_number, url_segmented, url_select
from rtp.figures.meters import average_days_figure, decoded_figure, profile_figure, use_distributions_figure
from rtp.meters import Learned, Readings, learn
from rtp.meters.learned import FUSE, LAWS_MEAN, STANDBY, USES, laws_by_group, with_laws
from rtp.meters.learning import GROUPS, MAX_DAYS, RESAMPLES, decode
from rtp.meters.words import CHANCES_MEAN, LEAKS, chances_frame, held_out_frame, houses_frame, verdict
from rtp.scenario import BOUNDS, Period, Scenario, ScenarioError

NAME = "learn"
SHOWN_DAYS = 7
FIELDS = {
    "occupied_max": ("At most while occupied, kW", FUSE),
    "empty_max": ("At most while empty, kW", STANDBY),
}


def learned_habits(held: Held, scenario: Scenario) -> Learned | None:
    """The learned habits, once they are."""
    groups = int(url_number(GROUPS, 1, "meters:groups"))
    periods = scenario.models[0].habits[0].periods
    job = jobs.run(
        NAME,
        f"{held.key} {groups} {[(p.name, p.start) for p in periods]}",
        partial(_learn, held.readings, periods, groups),
        "Learn habits",
        f"A two-state chain for every house, from the last {MAX_DAYS} days; periods as in the scenario.",
    )
    return job.result if job is not None and not job.running else None


def _learn(
    readings: Readings, periods: tuple[Period, ...], groups: int, report: jobs.Report[Learned | None]
) -> Learned:
    return pool.call(learn, readings, periods, groups, progress=partial(_tell, report))


def _tell(report: jobs.Report[Learned | None], done: float) -> None:
    report(done, None)


def habits(held: Held, scenario: Scenario) -> None:
    learned = learned_habits(held, scenario)
    if learned is None:
        return
    for sentence in verdict(learned):
        st.markdown(sentence)
    chart(average_days_figure(held.readings, learned), "meters:days")
    st.dataframe(houses_frame(held.readings, learned))
    if not learned.counted:
        st.table(held_out_frame(learned))
    if not learned.groups:
        return
    chart(profile_figure(learned), "meters:profile")
    st.table(chances_frame(learned))
    st.caption(CHANCES_MEAN)
    _decoded(held.readings, learned)
    _use(learned)


def _decoded(readings: Readings, learned: Learned) -> None:
    names = [readings.houses[i] for i in learned.which]
    chosen = url_select(
        "Guessed occupancy of", list(range(len(names))), "meters:house", names.__getitem__, width=260
    )
    power, chance = decode(readings, learned, chosen)
    steps = SHOWN_DAYS * 24 * 60 // learned.minutes
    first = readings.first_day + (readings.days - min(learned.days, SHOWN_DAYS))
    chart(
        decoded_figure(power[-steps:], chance[-steps:], first, learned.minutes, names[chosen]),
        "meters:decoded",
    )
    st.caption(f"The last {SHOWN_DAYS} days. A guess, from the whole record of this house.")


def _use(learned: Learned) -> None:
    st.markdown("**Use these habits in the whole lab.** Bounds are yours to state:")
    occupied, empty = stated()
    use = url_segmented("Houses use", list(USES), "meters:use", help=LAWS_MEAN)
    if USES[use]:
        chart(use_distributions_figure(laws_by_group(learned)), "meters:laws")
    st.button(
        "Use this street",
        icon=":material/home_work:",
        on_click=lab().change,
        args=(_with_habits, learned, occupied, empty, USES[use]),
        help=f"{learned.all_houses:,} houses, {len(learned.groups)} groups, {1 + RESAMPLES} models: what was "
        "learned, and what other weeks would have taught. Undo brings the old street back.",
    )


def _with_habits(scenario: Scenario, learned: Learned, occupied: float, empty: float, laws: bool) -> Scenario:
    street = learned.scenario(scenario, occupied, empty)
    return with_laws(street, learned) if laws else street


def habits_or_none(learned: Learned | None) -> Learned | None:
    """Those that have groups to live in."""
    try:
        return learned if learned is not None and learned.models() else None
    except ScenarioError:
        return None


def stated(where: str = "learn") -> tuple[float, float]:
    """The bounds that the user states, never taken from the readings: (occupied, empty), in kW."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        values = [_field(where, name, *words) for name, words in FIELDS.items()]
    st.caption(LEAKS)
    return values[0], values[1]


def _field(where: str, name: str, words: str, first: float) -> float:
    setting = f"meters:{name}"
    value, save = lab().setting(setting, first), partial(lab().show, setting)
    number_field(words, value, save, BOUNDS[name], key=f"number:meters:{where}:{name}", width=230)
    return value

"""Meter readings from a file or a sample, the simulated street or the real home; what was read; and the
answer: their demand through every mechanism, its bills, and an observer at one house."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.session import button, lab
from pages.ui.show import chart, lazy_expander
from pages.ui.widgets import offered_rates, url_number, url_pills, url_segmented, url_select
from rtp.attack.adversary import BY_KNOWLEDGE, QUICK
from rtp.core.formatting import in_markdown, shown_name
from rtp.figures import meters as figures
from rtp.figures import style
from rtp.meters import (
    Answer,
    Learned,
    ObservedHouse,
    Readings,
    Replay,
    answer,
    read,
    real_home,
    watch,
)
from rtp.meters.answering import bills_frame
from rtp.meters.check import AtHome, Check
from rtp.meters.layout import ENERGY, UNITS
from rtp.meters.learned import FUSE, STANDBY
from rtp.meters.reading import SHIFT, ZONES
from rtp.meters.replaying import SPANS, well_read, with_bounds
from rtp.metrics import ERROR_MEANS
from rtp.output import meters as words
from rtp.output import replayed as replayed_words
from rtp.output.attack import KNOWS, METHODS
from rtp.output.check import check_words
from rtp.output.street_report import street_report
from rtp.scenario import BOUNDS, Scenario, ScenarioError

LOADED, LOADED_SAMPLE, UPLOAD = "meters:loaded", "meters:loaded sample", "upload:readings"
PUT_AWAY = "meters:put away"
_SAMPLE, HOME_SAMPLE, UNIT, ZONE = "meters:sample", "meters:home", "meters:unit", "meters:zone"
SHIFTED = "meters:shift"
SAMPLES = {False: "A simulated street", True: real_home.HOME_NAME}
OBSERVED = "meters:observed"
AS_WRITTEN = "as the file says"
WELL_READ = (
    "At first the last days that are as well read as any; if there are some, days that habits were not "
    "learned from."
)
HOME_SOURCE = (
    f"**{real_home.HOME_NAME}**: {real_home.SOURCE} "
    f"Licence: [{real_home.LICENCE}]({real_home.LICENCE_ADDRESS})."
)
_OCCUPIED = BOUNDS["occupied_max"]._replace(words="At most while occupied, kW")
_EMPTY = BOUNDS["empty_max"]._replace(words="At most while empty, kW")


@dataclass
class LoadedReadings:
    """Readings of this session, the text that tells them apart, and the habits last learned from them."""

    name: str
    key: str
    readings: Readings
    learned: Learned | None = None
    home: AtHome | None = None
    check: Check | None = None
    put_away: bool = False  # its file was taken away before this run


def source() -> LoadedReadings:
    """What is to be read, how, and what was read last; as long as nothing was, the sample."""
    here, verdict = lab(), st.container(key="meters:verdict")
    with st.container(border=True, horizontal=True, vertical_alignment="bottom"):
        file = st.file_uploader(
            f":material/lock: {words.PRIVATE}",
            type=["csv", "txt", "gz", "parquet"],
            key=UPLOAD,
            on_change=_chosen,
            help="A row for every house and time (house, time, kWh), or a column for every house. A time is "
            "the one at which its interval begins. A larger file may fit once it is gzipped.",
        )
        with st.popover("Unit and clock", icon=":material/tune:"):
            unit = url_select("Unit", [AS_WRITTEN, *UNITS], UNIT, width=230)
            zone = url_select("Times in UTC belong to", [AS_WRITTEN, *ZONES], ZONE, width=230)
            hours = range(int(SHIFT.low), int(SHIFT.high) + 1)
            shift = url_select(SHIFT.words, hours, SHIFTED, "{:+d}".format, default=0, width=230)
        sampled = here.extras.get(LOADED) is None or here.setting(_SAMPLE, False)
        if sampled:
            url_segmented("Sample", list(SAMPLES), HOME_SAMPLE, SAMPLES.__getitem__)
        else:
            button("Open the samples", "meters:samples", "science", here.show, _SAMPLE, True)
        if sampled and here.setting(HOME_SAMPLE, False):
            show.download("Home as CSV", real_home.text, "real_home.csv", "text/csv", "table")
        else:
            show.csv("Sample as CSV", real_home.sample_frame, "sample.csv")
    if file is not None and not here.setting(_SAMPLE, False):
        _read(file, *_said(unit, zone), shift)
    if file is None:
        _forget()
    own: LoadedReadings | None = here.extras.get(LOADED)  # also when the page was left and opened again
    if own is None or here.setting(_SAMPLE, False):
        own = _sample(here.setting(HOME_SAMPLE, False))
    found = words.verdicts_words(own.learned) if own.learned else words.read_words(own.readings)
    verdict.header(check_words(own.check) if own.check is not None else found, anchor=False)
    if own.name == real_home.HOME_NAME:
        st.caption(HOME_SOURCE)
    return own


def _said(unit: str, zone: str) -> tuple[str | None, str | None]:
    """What is chosen, None where it is to be as the file says."""
    return None if unit == AS_WRITTEN else unit, None if zone == AS_WRITTEN else zone


def _sample(home: bool) -> LoadedReadings:
    """The real home or the simulated street, with what this session learned from it."""
    name, make = (real_home.HOME_NAME, _home_readings) if home else (real_home.SAMPLE_NAME, _sample_readings)
    kept = lab().extras.setdefault(LOADED_SAMPLE, {})
    own: LoadedReadings = kept.setdefault(name, LoadedReadings(name, name, make()))
    return own


def _chosen() -> None:
    """Another file: the sample gives way to it. A file that is taken away is forgotten; not at once, because
    a browser also takes one away before it sends the next, which may be refused."""
    memo = lab().extras
    if show.uploaded(UPLOAD) is not None:
        lab().show(_SAMPLE, False)
    elif LOADED in memo:
        memo[PUT_AWAY] = memo.pop(LOADED)


def _forget() -> None:
    """No file came after the one that was taken away: at the second run without any it is gone."""
    away: LoadedReadings | None = lab().extras.get(PUT_AWAY)
    if away is not None and away.put_away:
        del lab().extras[PUT_AWAY]
    elif away is not None:
        away.put_away = True


@cache.shared(spinner="Drawing the sample …", weight="heavy")
def _sample_readings() -> Readings:
    return jobs.read(real_home.sample)


@cache.shared(spinner="Reading the home …", weight="heavy")
def _home_readings() -> Readings:
    return jobs.read(real_home.real_home)


def _read(file: show.Upload, unit: str | None, zone: str | None, shift: int) -> None:
    """In a worker, once, and held by the session alone; what cannot be read is said, and what was there
    before stays, by its own name."""
    key, memo, name = f"{file.file_id} {unit} {zone} {shift}", lab().extras, shown_name(file.name)
    if PUT_AWAY in memo:
        memo[LOADED] = replace(memo.pop(PUT_AWAY), put_away=False)
    if LOADED in memo and memo[LOADED].key == key:
        return
    bar = st.progress(0.0, label := f"Reading {in_markdown(name)} …")
    try:
        readings = jobs.read(
            read,
            file.getvalue(),
            unit=unit,
            zone=zone,
            shift=shift,
            progress=lambda done: bar.progress(done, label),
        )
        memo[LOADED] = LoadedReadings(file.name, key, readings)
    except ScenarioError as error:
        kept = memo[LOADED].name if LOADED in memo else SAMPLES[lab().setting(HOME_SAMPLE, False)]
        refused = f"{name} was not read: {error} What is shown is still {shown_name(kept)}."
        st.error(in_markdown(refused), icon=":material/error:")
    finally:
        bar.empty()


def report(loaded: LoadedReadings) -> None:
    """What was read, and what is done about what is wrong with it."""
    readings = loaded.readings
    span = f"{readings.date(0)} to {readings.date(readings.days - 1)}"
    unit = f"{readings.unit} per interval" if readings.unit in ENERGY else readings.unit
    st.caption(
        f"Mean use of a house, from {in_markdown(shown_name(loaded.name))}, {span}; read as {unit}, every "
        f"{readings.minutes} min."
    )
    chart(figures.feeder_figure(readings), "meters:feeder")
    lazy_expander("What was found", lambda: show.table(words.findings_frame(readings)))


def stated() -> tuple[float, float]:
    """The bounds that the user states, never taken from the readings: (occupied, empty), in kW."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        occupied = url_number(_OCCUPIED, FUSE, "meters:occupied_max", width=230)
        empty = url_number(_EMPTY, STANDBY, "meters:empty_max", width=230)
    st.caption(words.LEAKS)
    return occupied, empty


def answered(loaded: LoadedReadings, scenario: Scenario) -> None:
    """At the scenario's ε and tariff; with the learned habits where there are any. The real home comes with
    habits of other weeks and begins by itself: whoever opens it sees the same."""
    readings, home = loaded.readings, loaded.name == real_home.HOME_NAME
    learned = _home_habits() if home else loaded.learned
    learned = learned if learned is not None and learned.groups else None
    claim = st.container(key="meters:claim")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        span = url_segmented("Replay", list(SPANS), "meters:span")
        days = min(SPANS[span] or readings.days, readings.days)
        starts = range(readings.days - days + 1)
        first = read = _home_week(readings, days) if home else well_read(readings, days, learned)
        if len(starts) > 1:
            key, date = "meters:day", readings.date
            first = url_select("From", starts, key, date, default=read, width=170, help=WELL_READ)
    street = with_bounds(scenario, learned, *stated())
    key = cache.key_of(loaded.key, street, first, days, learned is not None)
    span = "One day" if days == 1 else f"{days:,} days"
    habits = "habits as learned." if learned else "habits of the scenario; learn them for a fair forecast."
    if home and learned is not None:
        habits = f"habits learned from {learned.span[0]} to {learned.span[1]}, without labels."

    def work(report: jobs.Report[Answer]) -> Answer:
        return jobs.call(answer, readings, street, learned, first=first, days=days, progress=report)

    hint = f"{span} at ε = {scenario.epsilon:g}; {habits}"
    run: jobs.Job[Answer] | None = jobs.run("replay", key, work, "Replay", hint, auto=home)
    if run is not None and run.result is not None and not run.running:
        claim.markdown(replayed_words.observer_words(run.result))
        _shown(loaded, run.result, street, key)


@cache.shared(spinner="Learning the home's habits …", weight="heavy")
def _home_habits() -> Learned:
    return jobs.call(real_home.habits)


def _home_week(readings: Readings, days: int) -> int:
    """The day from which the home is replayed at first."""
    return min(int((np.datetime64(real_home.WEEK) - readings.first_day).astype(int)), readings.days - days)


def _shown(loaded: LoadedReadings, result: Answer, street: Scenario, key: str) -> None:
    """What can be taken away stands first: what is announced below it is there to be taken."""
    replayed = result.replay
    with st.container(horizontal=True):
        show.csv("Replay as CSV", replayed.frame, "replay.csv", of=street)
        show.csv("Bills as CSV", partial(bills_frame, replayed), "bills.csv", of=street)
        source = real_home.NAMED if loaded.name == real_home.HOME_NAME else ""
        page = partial(street_report, loaded.readings, result, street, loaded.home, source)
        show.download("Report", page, "street.html", "text/html", "description")
    st.markdown(replayed_words.rates_words(replayed))
    offered = offered_rates(lab().scenario, "meters:shown")
    shown = list(url_pills("Rates", offered, "meters:shown", style.title))
    if result.observed.given:
        _observer(result, key, shown)
    chart(figures.replay_figure(replayed, shown[::-1]), "meters:rates")
    learned = result.learned is not None or street.has_laws
    lazy_expander("Every rate", partial(_every_rate, replayed, learned))
    lazy_expander("What each house would have paid", partial(_paid, replayed, shown))
    if not result.observed.given:
        chosen = lab().chosen("meters:watched") is not None
        lazy_expander("An observer at one house", partial(_observer, result, key, shown), opened=chosen)


def _every_rate(replayed: Replay, learned: bool) -> None:
    show.table(replayed_words.replay_frame(replayed))
    cut, promise = replayed_words.replay_words(replayed), replayed_words.promise_words(learned)
    st.caption(f"{ERROR_MEANS} {cut} {promise} {replayed_words.forecast_words(replayed)}")


def _paid(replayed: Replay, shown: list[str]) -> None:
    st.markdown(replayed_words.bills_words(replayed))
    if replayed.filled:
        st.caption("A ring is a house of whose readings some are filled in.")
    chart(figures.bills_figure(replayed, shown), "meters:bills")


def _observer(result: Answer, key: str, rates: Sequence[str]) -> None:
    """What she makes of the rates that are shown, at the house that shows most or at another."""
    found = result.replay
    names = list(map(shown_name, found.houses))
    most = found.houses.index(result.observed.name)
    houses = sorted(range(len(names)), key=most.__ne__)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        house = url_select("House", houses, "meters:watched", names.__getitem__, width=200)
        quick = len(names) * found.pieces[0].scenario.days <= QUICK
        known = ["others", "model"] if quick else ["others"]  # an outsider follows all houses
        told = {each: KNOWS[BY_KNOWLEDGE[each]] for each in known}
        knows = url_segmented("The observer knows", known, "meters:knows", told.__getitem__)
    if not rates:
        st.caption("Choose a rate to see what it reveals.")
        return
    observed = _observed(found, f"{key} {house} {knows} {list(rates)}", house, knows, rates)
    chart(figures.observed_figure(observed), "meters:watched")
    show.table(replayed_words.observed_frame(observed))
    method = METHODS[next(iter(observed.seen.values())).method]
    st.caption(f"{replayed_words.WORST_MEANS} {method}")


def _observed(found: Replay, key: str, house: int, knows: str, rates: Sequence[str]) -> ObservedHouse:
    """Kept by the session alone, as the readings are."""
    kept: tuple[str, ObservedHouse] | None = lab().extras.get(OBSERVED)
    if kept is None or kept[0] != key:
        with st.spinner("Reading every rate …"):
            kept = (key, watch(found, found.houses[house], knows=knows, mechanisms=rates))
        lab().extras[OBSERVED] = kept
    return kept[1]

"""Meter readings from a file or a sample: what was read, what is learned from them, and the answer: their own
demand through every mechanism, its bills, and an observer at one house."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.session import lab
from pages.ui.show import chart, lazy_expander
from pages.ui.widgets import offered_rates, url_number, url_pills, url_segmented, url_select
from rtp.attack.adversary import BY_KNOWLEDGE, QUICK
from rtp.core.formatting import in_markdown, shown_name
from rtp.figures import meters as figures
from rtp.figures import style
from rtp.meters import Answer, Learned, ObservedHouse, Readings, Replay, answer, learn, read, sample, watch
from rtp.meters.answering import bills_frame
from rtp.meters.layout import ENERGY, UNITS
from rtp.meters.learned import FUSE, STANDBY, USES, with_laws
from rtp.meters.learning import GROUPS, MAX_DAYS, RESAMPLES
from rtp.meters.reading import ZONES
from rtp.meters.replaying import SPANS, with_bounds
from rtp.metrics import ERROR_MEANS
from rtp.output import meters as words
from rtp.output.attack import KNOWS, method_words
from rtp.output.street_report import street_report
from rtp.scenario import BOUNDS, Period, Scenario, ScenarioError

LOADED, LOADED_SAMPLE, UPLOAD = "meters:loaded", "meters:loaded sample", "upload:readings"
SAMPLE, UNIT, ZONE = "meters:sample", "meters:unit", "meters:zone"
AS_WRITTEN = "as the file says"
OCCUPIED = BOUNDS["occupied_max"]._replace(words="At most while occupied, kW")
EMPTY = BOUNDS["empty_max"]._replace(words="At most while empty, kW")


@dataclass
class LoadedReadings:
    """Readings of this session, the text that tells them apart, and the habits last learned from them."""

    name: str
    key: str
    readings: Readings
    learned: Learned | None = None


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
        with st.popover("Unit and time zone", icon=":material/tune:"):
            unit = url_select("Unit", [AS_WRITTEN, *UNITS], UNIT, width=230)
            zone = url_select("Times in UTC belong to", [AS_WRITTEN, *ZONES], ZONE, width=230)
        if here.memo.get(LOADED) is not None and not here.setting(SAMPLE, False):
            show_sample = partial(here.show, SAMPLE, True)
            st.button("Open the sample", icon=":material/science:", on_click=show_sample)
        show.csv("Sample as CSV", sample.sample_frame, "sample.csv")
    if file is not None and not here.setting(SAMPLE, False):
        _read(file, *(None if each == AS_WRITTEN else each for each in (unit, zone)))
    own: LoadedReadings | None = here.memo.get(LOADED)  # also when the page was left and opened again
    if own is None or here.setting(SAMPLE, False):
        sampled = LoadedReadings(sample.NAME, "sample", _sample_readings())
        own = here.memo.setdefault(LOADED_SAMPLE, sampled)
    learned = own.learned
    found = words.verdicts_words(learned) if learned else words.read_words(own.readings)
    verdict.subheader(found, anchor=False)
    return own


def _chosen() -> None:
    """Another file: the sample gives way to it. A file that is taken away is forgotten."""
    if show.uploaded(UPLOAD) is None:
        lab().memo.pop(LOADED, None)
    else:
        lab().show(SAMPLE, False)


@cache.shared(spinner="Drawing the sample …", weight="heavy")
def _sample_readings() -> Readings:
    return jobs.read(sample.sample)


def _read(file: show.Upload, unit: str | None, zone: str | None) -> None:
    """In a worker, once, and held by the session alone; what cannot be read is said, and what was there
    before stays."""
    key, memo, name = f"{file.file_id} {unit} {zone}", lab().memo, shown_name(file.name)
    if LOADED in memo and memo[LOADED].key == key:
        return
    bar = st.progress(0.0, label := f"Reading {in_markdown(name)} …")
    try:
        readings = jobs.read(
            read, file.getvalue(), unit=unit, zone=zone, progress=lambda done: bar.progress(done, label)
        )
        memo[LOADED] = LoadedReadings(file.name, key, readings)
    except ScenarioError as error:
        st.error(in_markdown(f"{name} was not read: {error}"), icon=":material/error:")
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
        occupied = url_number(OCCUPIED, FUSE, "meters:occupied_max", width=230)
        empty = url_number(EMPTY, STANDBY, "meters:empty_max", width=230)
    st.caption(words.LEAKS)
    return occupied, empty


# What is learned

AS_SHOWN = 0  # groups: as many as the readings show


def habits(loaded: LoadedReadings, scenario: Scenario) -> None:
    """The habits that are learned from the readings, once they are, and the street that they make."""
    options = [AS_SHOWN, *range(int(GROUPS.low), int(GROUPS.high) + 1)]
    groups = url_select(
        GROUPS.words,
        options,
        "meters:groups",
        lambda each: str(each) if each else "as many as the readings show",
        width=260,
    )
    periods = scenario.models[0].habits[0].periods
    job = jobs.run(
        "learn",
        f"{loaded.key} {groups} {[(p.name, p.start) for p in periods]}",
        partial(_learn, loaded, periods, groups or None),
        "Learn habits",
        f"A two-state chain for every house, from the last {MAX_DAYS} days; periods as in the scenario.",
    )
    if job is None or job.running or job.result is None:
        return
    readings, learned = loaded.readings, job.result
    if learned.groups:
        chart(figures.profile_figure(learned), "meters:profile")
        _use(learned)
    lazy_expander("How far to believe it", partial(_doubts, learned))
    lazy_expander("Every house", partial(_every_house, readings, learned), opened=not learned.groups)
    if learned.groups:
        chosen = lab().setting("meters:house", 0) != 0
        lazy_expander("Guessed occupancy of one house", partial(_decoded, readings, learned), opened=chosen)


def _learn(
    loaded: LoadedReadings,
    periods: tuple[Period, ...],
    groups: int | None,
    report: jobs.Report[Learned],
) -> Learned:
    loaded.learned = jobs.call(learn, loaded.readings, periods, groups, progress=report)
    return loaded.learned


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


def _decoded(readings: Readings, learned: Learned) -> None:
    names = [shown_name(readings.houses[i]) for i in learned.which]
    house = url_select("House", range(len(names)), "meters:house", names.__getitem__, width=260)
    chart(figures.decoded_figure(readings, learned, house), "meters:decoded")


def _use(learned: Learned) -> None:
    occupied, empty = stated()
    use = url_segmented("Houses use", list(USES), "meters:use", help=words.LAWS_MEAN)
    st.button(
        "Use this street",
        key="meters:use street",
        icon=":material/home_work:",
        on_click=lab().change,
        args=(_with_habits, learned, occupied, empty, USES[use]),
        help=f"{learned.all_houses:,} houses, {len(learned.groups)} groups, {1 + RESAMPLES} models: what was "
        "learned, and what other weeks would have taught. Undo brings the old street back.",
    )


def _with_habits(scenario: Scenario, learned: Learned, occupied: float, empty: float, laws: bool) -> Scenario:
    street = learned.scenario(scenario, occupied, empty)
    return with_laws(street, learned) if laws else street


# The answer

OBSERVED = "meters:observed"


def answered(loaded: LoadedReadings, scenario: Scenario) -> None:
    """At the scenario's ε and tariff; with the learned habits where there are any."""
    readings = loaded.readings
    learned = loaded.learned if loaded.learned is not None and loaded.learned.groups else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        span = url_segmented("Replay", list(SPANS), "meters:span")
        days = min(SPANS[span] or readings.days, readings.days)
        starts = range(readings.days - days + 1)
        first = url_select("From", starts, "meters:day", readings.date, width=170) if len(starts) > 1 else 0
    street = with_bounds(scenario, learned, *stated())
    key = cache.key_of(loaded.key, street, first, days, learned is not None)
    run: jobs.Job[Answer | None] | None = jobs.run(
        "replay",
        key,
        lambda report: jobs.call(
            answer,
            readings,
            street,
            learned,
            first=first,
            days=days,
            progress=report,
        ),
        "Replay",
        f"{'One day' if days == 1 else f'{days:,} days'} at ε = {scenario.epsilon:g}; "
        + ("habits as learned." if learned else "habits of the scenario; learn them for a fair forecast."),
    )
    if run is not None and run.result is not None and not run.running:
        _shown(readings, run.result, street, key)


def _shown(readings: Readings, result: Answer, street: Scenario, key: str) -> None:
    """What can be taken away stands first: what is announced below it is there to be taken."""
    replayed = result.replay
    with st.container(horizontal=True):
        show.csv("Replay as CSV", replayed.frame, "replay.csv")
        show.csv("Bills as CSV", partial(bills_frame, replayed), "bills.csv")
        page = partial(street_report, readings, result, street)
        show.download("Report", page, "street.html", "text/html", "description")
    st.markdown(words.rates_words(replayed))
    offered = offered_rates(lab().scenario, "meters:shown")
    shown = list(url_pills("Rates", offered, "meters:shown", style.label))
    chart(figures.replay_figure(replayed, shown[::-1]), "meters:rates")
    learned = result.learned is not None or street.has_laws
    lazy_expander("Every rate", partial(_every_rate, replayed, learned))
    lazy_expander("What each house would have paid", partial(_paid, replayed, shown))
    chosen = lab().chosen("meters:watched") is not None
    lazy_expander("An observer at one house", partial(_observer, result, key, shown), opened=chosen)


def _every_rate(replayed: Replay, learned: bool) -> None:
    show.table(words.replay_frame(replayed))
    st.caption(f"{ERROR_MEANS} {words.replay_words(replayed)} {words.promise_words(learned)}")


def _paid(replayed: Replay, shown: list[str]) -> None:
    st.markdown(words.bills_words(replayed))
    chart(figures.bills_figure(replayed, shown), "meters:bills")


def _observer(result: Answer, key: str, rates: Sequence[str]) -> None:
    """What she makes of the rates that are shown, at the house that shows most or at another."""
    st.markdown(words.observer_words(result))
    found = result.replay
    names = list(map(shown_name, found.houses))
    most = found.houses.index(result.observed.name)
    houses = sorted(range(len(names)), key=most.__ne__)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        house = url_select("House", houses, "meters:watched", names.__getitem__, width=200)
        quick = len(names) * found.pieces[0].scenario.days <= QUICK
        known = ["others", "model"] if quick else ["others"]  # an outsider follows all houses
        knows = url_segmented("She knows", known, "meters:knows", lambda each: KNOWS[BY_KNOWLEDGE[each]])
    if not rates:
        st.caption("Choose a rate to see what it reveals.")
        return
    observed = _observed(found, f"{key} {house} {knows} {list(rates)}", house, knows, rates)
    chart(figures.observed_figure(observed), "meters:watched")
    show.table(words.observed_frame(observed))
    method = method_words(next(iter(observed.seen.values())).method)
    st.caption(f"{words.WORST_MEANS} {method}")


def _observed(found: Replay, key: str, house: int, knows: str, rates: Sequence[str]) -> ObservedHouse:
    """Kept by the session alone, as the readings are."""
    kept: tuple[str, ObservedHouse] | None = lab().memo.get(OBSERVED)
    if kept is None or kept[0] != key:
        with st.spinner("Reading every rate …"):
            kept = (key, watch(found, found.houses[house], knows=knows, mechanisms=rates))
        lab().memo[OBSERVED] = kept
    return kept[1]

"""Meter readings from a file or a sample: the verdict first, what was read, and what is learned from them."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.number import number_field
from pages.ui.session import lab
from pages.ui.show import chart, lazy_expander
from pages.ui.widgets import url_segmented, url_select
from rtp.core.formatting import in_markdown, shown_name
from rtp.figures import meters as figures
from rtp.meters import Learned, Readings, learn, read, sample
from rtp.meters.layout import ENERGY, UNITS
from rtp.meters.learned import FUSE, STANDBY, USES, laws_by_group, with_laws
from rtp.meters.learning import GROUPS, MAX_DAYS, RESAMPLES, decode
from rtp.meters.reading import ZONES
from rtp.output import meters as words
from rtp.scenario import BOUNDS, Period, Scenario, ScenarioError

LOADED, LOADED_SAMPLE, UPLOAD = "meters:loaded", "meters:loaded sample", "upload:readings"
SAMPLE, UNIT, ZONE = "meters:sample", "meters:unit", "meters:zone"
AS_WRITTEN = "as the file says"


@dataclass
class LoadedReadings:
    """Readings of this session, the text that tells them apart, and the habits last learned from them."""

    name: str
    key: str
    readings: Readings
    learned: Learned | None = None


def source() -> LoadedReadings:
    """What is to be read, how, and what was read last; as long as nothing was, the sample."""
    verdict = st.container(key="meters:verdict")
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
        if lab().memo.get(LOADED) is not None and not lab().setting(SAMPLE, False):
            show_sample = partial(lab().show, SAMPLE, True)
            st.button("Open the sample", icon=":material/science:", on_click=show_sample)
        show.csv("Sample as CSV", sample.sample_frame, "sample.csv")
    if file is not None and not lab().setting(SAMPLE, False):
        options = [None if each == AS_WRITTEN else each for each in (unit, zone)]
        _read(file, *options)
    own: LoadedReadings | None = lab().memo.get(LOADED)  # also when the page was left and opened again
    loaded = _sample() if own is None or lab().setting(SAMPLE, False) else own
    learned = loaded.learned
    with verdict:
        found = words.verdicts_words(learned) if learned else words.read_words(loaded.readings)
        st.subheader(found, anchor=False)
    return loaded


def _chosen() -> None:
    """Another file: the sample gives way to it. A file that is taken away is forgotten."""
    if show.uploaded(UPLOAD) is None:
        lab().memo.pop(LOADED, None)
    else:
        lab().show(SAMPLE, False)


def _sample() -> LoadedReadings:
    loaded: LoadedReadings = lab().memo.setdefault(
        LOADED_SAMPLE, LoadedReadings(sample.NAME, "sample", _sample_readings())
    )
    return loaded


@cache.shared(spinner="Drawing the sample …", weight="heavy")
def _sample_readings() -> Readings:
    return jobs.read(sample.sample)


def _read(file: show.Upload, unit: str | None, zone: str | None) -> None:
    """In a worker, once, and held by the session alone; what cannot be read is said, and what was there
    before stays."""
    key = f"{file.file_id} {unit} {zone}"
    loaded: LoadedReadings | None = lab().memo.get(LOADED)
    if loaded is not None and loaded.key == key:
        return
    bar = st.progress(0.0, label := f"Reading {in_markdown(shown_name(file.name))} …")

    def tell(done: float) -> None:
        bar.progress(done, label)

    try:
        readings = jobs.read(read, file.getvalue(), unit=unit, zone=zone, progress=tell)
        lab().memo[LOADED] = LoadedReadings(file.name, key, readings)
    except ScenarioError as error:
        st.error(
            in_markdown(f"{shown_name(file.name)} was not read: {error}"),
            icon=":material/error:",
        )
    finally:
        bar.empty()


def report(loaded: LoadedReadings) -> None:
    """What was read, and what is done about what is wrong with it."""
    readings = loaded.readings
    span = f"{readings.date(0)} to {readings.date(readings.days - 1)}"
    st.caption(f"Mean use of a house, from {in_markdown(shown_name(loaded.name))}, {span}.")
    show.chart(figures.feeder_figure(readings), "meters:feeder")
    lazy_expander(FOUND, partial(_found, readings))


def _found(readings: Readings) -> None:
    unit = f"{readings.unit} per interval" if readings.unit in ENERGY else readings.unit
    st.caption(f"Read as {unit}, every {readings.minutes} min.")
    show.table(words.findings_frame(readings))


FOUND, DOUBTS = "What was found", "How far to believe it"
EVERY_HOUSE, ONE_HOUSE = "Every house", "Guessed occupancy of one house"
SHOWN_DAYS = 7
AS_SHOWN = 0  # groups: as many as the readings show
FIELDS = {
    "occupied_max": ("At most while occupied, kW", FUSE),
    "empty_max": ("At most while empty, kW", STANDBY),
}


def learned_habits(loaded: LoadedReadings, scenario: Scenario) -> Learned | None:
    """The learned habits, once they are."""
    options = [AS_SHOWN, *range(int(GROUPS.low), int(GROUPS.high) + 1)]
    groups = url_select(GROUPS.words, options, "meters:groups", _groups_words, width=260)
    periods = scenario.models[0].habits[0].periods
    job = jobs.run(
        "learn",
        f"{loaded.key} {groups} {[(p.name, p.start) for p in periods]}",
        partial(_learn, loaded, periods, groups or None),
        "Learn habits",
        f"A two-state chain for every house, from the last {MAX_DAYS} days; periods as in the scenario.",
    )
    return job.result if job is not None and not job.running else None


def _groups_words(groups: int) -> str:
    return "as many as the readings show" if groups == AS_SHOWN else str(groups)


def _learn(
    loaded: LoadedReadings,
    periods: tuple[Period, ...],
    groups: int | None,
    report: jobs.Report[Learned],
) -> Learned:
    loaded.learned = jobs.call(learn, loaded.readings, periods, groups, progress=report)
    return loaded.learned


def habits(loaded: LoadedReadings, scenario: Scenario) -> None:
    learned = learned_habits(loaded, scenario)
    if learned is None:
        return
    if learned.groups:
        chart(figures.profile_figure(learned), "meters:profile")
        _use(learned)
    lazy_expander(DOUBTS, partial(_doubts, learned))
    lazy_expander(EVERY_HOUSE, partial(_every_house, loaded.readings, learned), opened=not learned.groups)
    if learned.groups:
        chosen = lab().setting("meters:house", 0) != 0
        lazy_expander(ONE_HOUSE, partial(_decoded, loaded.readings, learned), opened=chosen)


def _doubts(learned: Learned) -> None:
    for sentence in words.doubt_words(learned):
        st.markdown(sentence)
    if learned.groups:
        show.table(words.chances_frame(learned))
        st.caption(words.CHANCES_MEAN)
        chart(figures.use_distributions_figure(laws_by_group(learned)), "meters:laws")


def _every_house(readings: Readings, learned: Learned) -> None:
    chart(figures.average_days_figure(readings, learned), "meters:days")
    st.dataframe(words.houses_frame(readings, learned))


def _decoded(readings: Readings, learned: Learned) -> None:
    names = [shown_name(readings.houses[i]) for i in learned.which]
    chosen = url_select(
        "Guessed occupancy of", list(range(len(names))), "meters:house", names.__getitem__, width=260
    )
    power, chance = decode(readings, learned, chosen)
    steps = SHOWN_DAYS * 24 * 60 // learned.minutes
    first = readings.first_day + (readings.days - min(learned.days, SHOWN_DAYS))
    chart(
        figures.decoded_figure(power[-steps:], chance[-steps:], first, learned.minutes, names[chosen]),
        "meters:decoded",
    )
    st.caption(f"The last {SHOWN_DAYS} days. A guess, from the whole record of this house.")


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


def stated(where: str = "learn") -> tuple[float, float]:
    """The bounds that the user states, never taken from the readings: (occupied, empty), in kW."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        values = [_field(where, name, *field) for name, field in FIELDS.items()]
    st.caption(words.LEAKS)
    return values[0], values[1]


def _field(where: str, name: str, label: str, first: float) -> float:
    setting = f"meters:{name}"
    value, save = lab().setting(setting, first), partial(lab().show, setting)
    number_field(label, value, save, BOUNDS[name], key=f"number:meters:{where}:{name}", width=230)
    return value

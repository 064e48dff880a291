"""Where readings come from, and what was read: an upload or, until there is one, the sample.

Readings stay in the session.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import streamlit as st

from pages.ui import cache, show
from pages.ui.session import lab
from pages.ui.widgets import url_select
from rtp.core.formatting import percent
from rtp.core.parallel import Progress
from rtp.figures.meters import feeder_figure
from rtp.meters import Readings, read, sample
from rtp.meters.layout import ENERGY, UNITS
from rtp.meters.reading import ZONES
from rtp.meters.words import PRIVATE, findings_frame
from rtp.scenario import ScenarioError

HELD, UPLOAD = "meters:held", "upload:readings"
SAMPLE, UNIT, ZONE = "meters:sample", "meters:unit", "meters:zone"
AS_WRITTEN = "as the file says"


class Upload(Protocol):
    """What Streamlit gives of a file."""

    name: str
    file_id: str

    def getvalue(self) -> bytes: ...


@dataclass(frozen=True)
class Held:
    """Readings of this session, and the text that tells them apart."""

    name: str
    key: str
    readings: Readings


def source() -> Held:
    """What is to be read, how, and what was read last; as long as nothing was, the sample."""
    with st.container(border=True):
        st.markdown(f":material/lock: {PRIVATE}")
        file = st.file_uploader(
            f"Readings: CSV, gzipped CSV or Parquet, at most {st.get_option('server.maxUploadSize')} MB",
            type=["csv", "txt", "gz", "parquet"],
            key=UPLOAD,
            on_change=_chosen,
            help="A row for every house and time (house, time, kWh), or a column for every house. A time is "
            "the one at which its interval begins. A larger file may fit once it is gzipped.",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            unit, zone = _how()
            _offer_sample()
            show.csv("Sample as CSV", sample.sample_frame, "sample.csv")
    if lab().setting(SAMPLE, False):
        return _sample()
    if file is not None:
        options = [None if each == AS_WRITTEN else each for each in (unit, zone)]
        _read(file, *options)
    held: Held | None = lab().memo.get(HELD)  # also when the page was left and opened again
    return held or _sample()


def _how() -> tuple[str, str]:
    """What a file may leave open."""
    with st.popover("Unit and time zone", icon=":material/tune:"):
        unit = url_select("Unit", [AS_WRITTEN, *UNITS], UNIT, width=230)
        zone = url_select("Times in UTC belong to", [AS_WRITTEN, *ZONES], ZONE, width=230)
    return unit, zone


def _offer_sample() -> None:
    """Where something else is on the screen."""
    if lab().memo.get(HELD) is not None and not lab().setting(SAMPLE, False):
        st.button("Open the sample", icon=":material/science:", on_click=_open_sample)


def _chosen() -> None:
    """Another file: the sample gives way to it. A file that is taken away is forgotten."""
    if st.session_state[UPLOAD] is None:
        lab().memo.pop(HELD, None)
    else:
        lab().show(SAMPLE, False)


def _open_sample() -> None:
    lab().show(SAMPLE, True)


def _sample() -> Held:
    readings = cache.cached("sample readings", "", sample.sample, "Drawing the sample …", weight="heavy")
    return Held(sample.NAME, "sample", readings)


def _read(file: Upload, unit: str | None, zone: str | None) -> None:
    """Once, and held by the session alone; what cannot be read is said, and what was held before stays."""
    key = f"{file.file_id} {unit} {zone}"
    held: Held | None = lab().memo.get(HELD)
    if held is not None and held.key == key:
        return
    try:
        with _progress(f"Reading {file.name} …") as progress:
            readings = read(file.getvalue(), unit=unit, zone=zone, progress=progress)
        lab().memo[HELD] = Held(file.name, key, readings)
    except ScenarioError as error:
        st.error(f"{file.name} was not read: {error}", icon=":material/error:")


@contextmanager
def _progress(words: str) -> Iterator[Progress]:
    """A bar while something is read, gone when it is."""
    bar = st.progress(0.0, words)
    try:
        yield partial(_show, bar, words)
    finally:
        bar.empty()


class _Bar(Protocol):
    def progress(self, value: float, text: str) -> object: ...


def _show(bar: _Bar, words: str, done: float) -> None:
    bar.progress(done, words)


def report(held: Held) -> None:
    """What was read, and what is done about what is wrong with it."""
    readings = held.readings
    st.caption(f"From {held.name}, {readings.date(0)} to {readings.date(readings.days - 1)}.")
    unit = f"{readings.unit} per interval" if readings.unit in ENERGY else readings.unit
    with st.grid(4, min_column_width=125):
        usable = f"{int(readings.usable.sum()):,} to learn from"
        show.metric("Houses", f"{len(readings.houses):,}", beneath=usable)
        show.metric("Days", f"{readings.days:,}", beneath=f"from {readings.date(0)}")
        show.metric("Interval", f"{readings.minutes} min", beneath=unit)
        show.metric("Readings", percent(readings.present_share), beneath="of all steps")
    show.chart(feeder_figure(readings), "meters:feeder")
    st.table(findings_frame(readings))

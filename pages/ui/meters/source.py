"""Where readings come from: an upload, or the sample. They stay in the session."""

import hashlib
from dataclasses import dataclass

import streamlit as st

from pages.ui import cached, show, view
from pages.ui.remembered import from_list
from rtp.meters import Readings, read, sample
from rtp.meters.columns import UNITS
from rtp.meters.times import zones
from rtp.meters.words import PRIVATE
from rtp.scenario import ScenarioError

HELD, UPLOAD, PROBLEM = "meters:held", "upload:readings", "meters:problem"
SAMPLE, UNIT, ZONE = "meters:sample", "meters:unit", "meters:zone"
MOST_MB = 100
AS_WRITTEN = "as the file says"


@dataclass(frozen=True)
class Held:
    """Readings of this session, and the text that tells them apart."""

    name: str
    key: str
    readings: Readings


def source() -> Held | None:
    """What is to be read, how, and what was read last; nothing yet, or nothing readable, is None."""
    with st.container(border=True):
        st.markdown(f":material/lock: {PRIVATE}")
        file = st.file_uploader(
            f"Readings: CSV, gzipped CSV or Parquet, at most {MOST_MB} MB",
            type=["csv", "txt", "gz", "parquet"],
            key=UPLOAD,
            on_change=_forget,
            max_upload_size=MOST_MB,
            help="A row for every house and time (house, time, kWh), or a column for every house.",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            unit = from_list("Unit", [AS_WRITTEN, *UNITS], UNIT, width=170)
            zone = from_list("Times in UTC belong to", [AS_WRITTEN, *zones()], ZONE, width=230)
            st.button("Open the sample", icon=":material/science:", on_click=_open_sample)
            show.csv("Sample as CSV", sample.sample_frame, "sample.csv")
    if file is not None and not view.fact(SAMPLE, False).value:
        options = [None if each == AS_WRITTEN else each for each in (unit, zone)]
        return _uploaded(file.name, file.getvalue(), *options)
    return _sample() if view.fact(SAMPLE, False).value else None


def _forget() -> None:
    """Another file was chosen: the sample gives way to it."""
    if st.session_state[UPLOAD] is not None:
        view.put(SAMPLE, False)


def _open_sample() -> None:
    view.put(SAMPLE, True)


def _sample() -> Held:
    return Held(
        sample.NAME, "sample", cached.kept("sample readings", "", sample.sample, "Drawing the sample …")
    )


def _uploaded(name: str, data: bytes, unit: str | None, zone: str | None) -> Held | None:
    """Read once, and held by the session alone."""
    key = f"{hashlib.blake2b(data, digest_size=16).hexdigest()} {unit} {zone}"
    held: Held | None = st.session_state.get(HELD)
    if held is not None and held.key == key:
        return held
    try:
        with st.spinner(f"Reading {name} …"):
            held = Held(name, key, read(data, unit=unit, zone=zone))
    except ScenarioError as error:
        st.error(f"{name} was not read: {error}", icon=":material/error:")
        last: Held | None = st.session_state.get(HELD)
        return last
    st.session_state[HELD] = held
    return held


def stated_unit(held: Held) -> str:
    return (
        f"{held.readings.unit} in every interval" if held.readings.unit.endswith("h") else held.readings.unit
    )

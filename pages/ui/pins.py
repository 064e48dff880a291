"""Named scenarios on the screens: up to four pinned to compare with, each in the colour of its slot; the
dialog of all of them; and those that are saved in the browser."""

import json
from functools import partial
from itertools import islice

import streamlit as st

from pages.ui import browser, cache, show
from pages.ui.named import NOW, Line
from pages.ui.params import RATE
from pages.ui.session import button, lab
from pages.ui.widgets import text
from rtp.core.formatting import in_markdown, shown_name
from rtp.figures.style import PIN_COLOURS, PinMark
from rtp.output.attack import MEASURE
from rtp.output.report import side_by_side
from rtp.scenario import MAX_JSON_BYTES, ScenarioError
from rtp.scenario.edit import set_step_minutes
from rtp.scenario.share import MAX_PINS, MAX_SAVED, Named, free_slot, to_library
from rtp.simulation import Day

STORED = "rtp-privacy-lab.scenarios"  # where the browser keeps them
MAX_REPORT = 6_000_000  # characters: a browser keeps some five million for a site
NAME, UPLOAD = "saved:name", "upload:saved"


def controls() -> None:
    """Pin what is on screen; rename, load or unpin what is pinned. In front of a class only what there is."""
    if lab().presenting and not lab().pins:
        return
    full, already = free_slot(lab().pins) is None, lab().named.is_pinned(lab().scenario)
    help = f"Keep this run to compare with, here and on other pages; up to {MAX_PINS}."
    if full or already:
        help = f"{MAX_PINS} are pinned: unpin one first." if full else "This run is pinned already."
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        button("Pin this run", "pin:now", "keep", lab().pin, off=full or already, help=help)
        if (minutes := cache.other_interval(lab().scenario)) is not None and not lab().presenting:
            label = f"Compare with a price every {minutes} minutes"
            other = partial(set_step_minutes, lab().scenario, minutes)
            off = full or (bool(lab().pins) and lab().named.is_pinned(other()))
            help = "Pins the same street at that interval; ε is per step."
            button(label, "pin:interval", "schedule", lambda: lab().pin(other()), off=off, help=help)
        for line in lab().named.lines():
            if line.slot:
                _pinned(line, line.slot)


def _pinned(line: Line, slot: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall", width="content"):
        dot(slot)
        with st.popover(in_markdown(shown_name(line.name)), width="content"):
            rename = partial(lab().attempt, lab().named.rename, slot)
            text(line.name, rename, key=f"pin {slot}", label="Name of the pin")
            with st.container(horizontal=True):
                actions(line, "pin")


def actions(line: Line, place: str) -> bool:
    """What can be done with one of the list; gives whether the screen shows something else now."""
    named, key = line.named, f"{place}:#{line.slot}" if line.slot else f"{place}:{line.name}"
    changed = False
    if isinstance(named, Named):
        used, help = named.scenario == lab().scenario, "Make it the scenario in use"
        changed |= button(
            "Open", f"open:{key}", "", lab().open, named.scenario, named.preset, off=used, help=help
        )
        if line.slot:
            changed |= button("Unpin", f"unpin:{key}", "", lab().named.unpin, line.slot)
        else:
            off = lab().named.is_pinned(named.scenario) or free_slot(lab().pins) is None
            changed |= button("Pin", f"pin:{key}", "", lab().named.pin, named, off=off)
    if line.saved:
        button("Delete", f"delete:{key}", "", lab().named.delete, line.name)
    else:
        button("Save", f"save:{key}", "", lab().attempt, lab().named.save, named)
    return changed


def dot(slot: int) -> None:
    """The colour of a slot, for who sees it."""
    style = f"color:{PIN_COLOURS[slot - 1]};font-size:1.4rem"
    st.html(f'<span style="{style}" aria-hidden="true">●</span>', width="content")


def days() -> dict[PinMark, Day]:
    """The day of every pinned scenario, by how it is told apart."""
    return {
        PinMark(pinned.name, PIN_COLOURS[slot - 1]): cache.day(pinned.scenario)
        for slot, pinned in sorted(lab().pins.items())
    }


def texts() -> list[str]:
    """All that pictures of the pins depend on."""
    return [f"{slot} {pinned.to_text()}" for slot, pinned in sorted(lab().pins.items())]


def table(day: Day) -> None:
    """Which settings differ, and what comes of it; nothing where nothing is pinned."""
    pinned = days()
    if not pinned:
        return
    with st.expander("What differs, and the results", icon=":material/compare_arrows:", expanded=True):
        names, compared = [NOW, *(mark.name for mark in pinned)], [day, *pinned.values()]
        seen = cache.exposures("pins", [each.scenario for each in compared], ["moment"]) or ()
        show.table(side_by_side(names, compared, seen, lab().chosen(RATE)))
        st.caption(f"Errors in a typical step of each scenario's own day. {MEASURE[0]}")


def _mount(place: str) -> None:
    """Let the browser make the changes that are due and say what it holds; one such place on a screen."""
    said = browser.storage(
        key=f"saved:report:{place}",
        data={"key": STORED, "due": lab().named.due},
        on_report_change=lambda: None,  # a report is read here
        height=1,
    ).get("report")
    if said is not None:
        lab().named.hear(_read(said))


def _read(report: object) -> dict[str, str] | None:
    """What the browser holds; None where it keeps nothing, or says what nobody understands."""
    try:
        held = json.loads(report) if isinstance(report, str) and len(report) <= MAX_REPORT else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(held, dict):
        return None
    return {name: text for name, text in islice(held.items(), MAX_SAVED) if isinstance(text, str)}


@st.dialog("Saved scenarios", icon=":material/bookmarks:")
def dialog() -> None:
    _mount("dialog")
    named = lab().named
    st.markdown("Kept under a name in this browser, on this machine only; those pinned in the address.")
    if not named.kept:
        st.warning(
            "This browser stores nothing for the lab (a private window, or storage is blocked). What you "
            "save is lost when the page is closed: download it as a file.",
            icon=":material/cloud_off:",
        )
    keep_draft = partial(lab().extras.__setitem__, NAME)
    text(lab().extras.get(NAME, ""), keep_draft, key=NAME, label="Name for the scenario in use")
    button("Save", "saved:save", "bookmark_add", lab().attempt, _save)
    if message := lab().pop_message():
        st.error(in_markdown(message), icon=":material/error:")
    for line in named.lines():
        with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall"):
            name = f"**{in_markdown(shown_name(line.name))}**"
            if line.slot:
                dot(line.slot)
            if isinstance(line.named, ScenarioError):
                st.caption(f"{name} cannot be read: {in_markdown(str(line.named))}", width="stretch")
            else:
                st.markdown(name, width="stretch")
            if actions(line, "saved"):
                st.rerun()  # closes the dialog
    readable = named.readable()
    make, kind = partial(to_library, readable), "application/json"
    show.download("Download all", make, "scenarios.json", kind, "download", disabled=not readable)
    show.upload("Upload such a file", "json", UPLOAD, MAX_JSON_BYTES, partial(lab().attempt, named.load))


def _save() -> None:
    """Under the name that was typed."""
    name = lab().extras.get(NAME, "").strip()
    lab().named.save(Named(name=name, preset=lab().preset, scenario=lab().scenario))
    lab().extras[NAME] = ""


def offer() -> None:
    """On the plain address: what this browser has saved. Elsewhere its place: what moves up is made anew."""
    if lab().link():
        st.empty()
        return
    with st.container(key="offer"):
        _mount("offer")
        if named := lab().named.readable():
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.caption("Saved in this browser:", width="content")
                for each in named:
                    name, key = in_markdown(shown_name(each.name)), f"saved:offer:{each.name}"
                    button(name, key, "bookmark", lab().open, each.scenario, each.preset)

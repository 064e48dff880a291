"""Scenarios pinned to compare with: up to four, named, each in the colour of its slot on every screen."""

from functools import partial

import streamlit as st

from pages.ui import address, cached, presenter, state
from pages.ui.fields import text
from rtp.figures.style import PIN_COLOURS, PinMark
from rtp.output.comparison import INSIDER_WORDS, insider_result, side_by_side
from rtp.scenario import ScenarioError
from rtp.scenario.share import MAX_PINS, Named, free_name, free_slot, must_be_new_name
from rtp.simulation import Day

NOW = "Now"  # the column of the scenario in use


def controls() -> None:
    """Pin what is on screen; rename, load or unpin what is pinned. In front of a class only what there is."""
    held = address.pins()
    if presenter.on() and not held:
        return
    full, already = free_slot(held) is None, state.current() in [pin.scenario for pin in held.values()]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Pin this run",
            icon=":material/keep:",
            on_click=pin,
            disabled=full or already,
            help=f"{MAX_PINS} are pinned: unpin one first."
            if full
            else "This run is pinned already."
            if already
            else f"Keep this run to compare with, here and on other pages; up to {MAX_PINS}.",
        )
        for slot, pinned in sorted(held.items()):
            _pinned(slot, pinned)


def _pinned(slot: int, pinned: Named) -> None:
    colour = PIN_COLOURS[slot - 1]
    with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall", width="content"):
        st.html(f'<span style="color:{colour};font-size:1.4rem" aria-hidden="true">●</span>', width="content")
        with st.popover(pinned.name, width="content"):
            text(pinned.name, partial(rename, slot), key=f"pin {slot}", label="Name of the pin")
            with st.container(horizontal=True):
                st.button(
                    "Load",
                    key=f"pin:load:{slot}",
                    icon=":material/upload:",
                    on_click=state.replace,
                    args=(pinned.scenario, pinned.preset),
                    disabled=pinned.scenario == state.current(),
                    help="Make it the scenario in use",
                )
                st.button(
                    "Unpin", key=f"pin:drop:{slot}", icon=":material/keep_off:", on_click=unpin, args=(slot,)
                )


def pin() -> None:
    """Pin the scenario in use, once, under a name that says its preset and budget."""
    held, scenario = address.pins(), state.current()
    slot = free_slot(held)
    if slot is not None and scenario not in [each.scenario for each in held.values()]:
        stem = f"{state.preset().capitalize()}, ε {scenario.epsilon:g}"
        name = free_name(stem, [each.name for each in held.values()])
        _put({**held, slot: Named(name=name, preset=state.preset(), scenario=scenario)})


def unpin(slot: int) -> None:
    _put({other: pinned for other, pinned in address.pins().items() if other != slot})


def rename(slot: int, name: str) -> None:
    """Call a pin something else, or say why not."""
    held = address.pins()
    try:
        must_be_new_name(name, [each.name for other, each in held.items() if other != slot])
        _put({**held, slot: held[slot].replace(name=name)})
    except ScenarioError as error:
        state.refuse(str(error))


def _put(pins: dict[int, Named]) -> None:
    st.session_state[address.PINS] = pins


def days() -> dict[PinMark, Day]:
    """The day of every pinned scenario, by how it is told apart."""
    return {
        PinMark(pinned.name, PIN_COLOURS[slot - 1]): cached.day(pinned.scenario)
        for slot, pinned in sorted(address.pins().items())
    }


def texts() -> list[str]:
    """All that pictures of the pins depend on."""
    return [f"{slot} {pinned.to_text()}" for slot, pinned in sorted(address.pins().items())]


def table(day: Day) -> None:
    """Which settings differ, and what comes of it; nothing where nothing is pinned."""
    pinned = days()
    if not pinned:
        return
    with st.expander("What differs, and what comes of it", icon=":material/compare_arrows:", expanded=True):
        st.table(side_by_side([NOW, *(mark.name for mark in pinned)], [day, *pinned.values()], _attacked))
        st.caption(f"Errors in a typical step of each scenario's own day. {INSIDER_WORDS}")


def _attacked(day: Day) -> tuple[str, str]:
    """What the insider gets, found once a day: pins stay while ε and the view change."""
    return cached.kept("insider", day.scenario.to_json(None), partial(insider_result, day))

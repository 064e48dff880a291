"""The verdict above the tabs: how often each observer is right about a moment, a day, a week away."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.observer import Observer
from pages.ui.session import lab
from pages.ui.show import chart
from rtp.attack.adversary import largest_gap
from rtp.core.formatting import in_markdown
from rtp.figures.leakage import dimmed, verdict_figure
from rtp.leakage.overview import Overview, overview
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.output.leakage import crowd_hides, verdict_help, verdict_words
from rtp.scenario import LIBRARY, Scenario
from rtp.simulation import Day

SMALL = "tiny street"
LAST = "attack: last verdict"
REPETITIONS = 1600  # with each answer: 400 leave the verdict to luck


class Seen(NamedTuple):
    """What was found by rate, the optimal one first, and of which scenario."""

    scenario: Scenario
    found: Mapping[str, Overview]


def verdict(day: Day, observer: Observer) -> None:
    """Made beside the page; until it is there, the last one stays, dimmed."""
    asked = (day, observer.private, observer.house)
    cache.draw_when_made(_made, asked, partial(_draw, day.scenario, observer))


@cache.shared()
def _made(day: Day, private: str, house: int | None) -> Seen:
    """Of the house's most exposed moment, that of the private rate: without noise every one is."""
    watched = largest_gap(day.street) if house is None else house
    noisy = private if REGISTRY[private].adds_noise else FEATURED
    step = cache.moments(day, noisy, watched).step % day.scenario.steps_per_day
    found = {name: _overview(day, name, step, watched) for name in (UNPROTECTED, private)}
    return Seen(day.scenario, found)


def _key(day: Day, name: str, step: int, house: int) -> str:
    """Whoever sees a rate without noise sees the same at every ε."""
    apart_from = () if REGISTRY[name].adds_noise else ("epsilon",)
    return cache.key_of(day, name, step, house, apart_from=apart_from)


@cache.shared(key=_key)
def _overview(day: Day, name: str, step: int, house: int) -> Overview:
    return jobs.call(overview, day.scenario, name, step, house=house, repetitions=REPETITIONS)


def _draw(scenario: Scenario, observer: Observer, made: cache.Beside[Seen]) -> None:
    memo = lab().memo
    if made.problem:
        st.error(in_markdown(f"The observers could not be asked: {made.problem}"))
        return
    if made.value is not None:
        memo[LAST] = made.value
    seen: Seen = memo.get(LAST) or Seen(scenario, {})
    crowded = made.done and observer.adversary == "outsider" and crowd_hides(seen.found)
    claim, *way = st.columns([4, 1] if crowded else 1, vertical_alignment="center")
    with claim:
        if seen.found:
            words = verdict_words(seen.scenario, seen.found, observer.adversary)
            about = verdict_help(seen.scenario, seen.found[UNPROTECTED], chosen=observer.house is not None)
            st.markdown(f"### {words if made.done else f':gray[{words}]'}", help=about)
        else:
            st.markdown("### Watching a house for a week …")
    for place in way:
        place.button(
            "Tiny street",
            key="attack:small",
            icon=":material/compress:",
            on_click=lab().open,
            args=(LIBRARY[SMALL].scenario, SMALL),
            help="Five houses take the place of your street; Undo brings it back.",
        )
    drawn = verdict_figure(seen.found)
    chart(drawn if made.done else dimmed(drawn), "verdict")

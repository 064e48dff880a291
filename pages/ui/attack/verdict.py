"""The verdict above the tabs: how often each observer is right about a moment, a day, a week away."""

from collections.abc import Mapping

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.observer import Observer, find, key_of
from pages.ui.session import button, lab
from pages.ui.show import chart
from rtp.core.formatting import kept_together
from rtp.core.workers import Progress, partial_progress
from rtp.figures.leakage import dimmed, verdict_figure
from rtp.leakage.exposed import most_exposed_house
from rtp.leakage.overview import Overview, overview
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.output.leakage import crowd_hides, verdict_help, verdict_words
from rtp.scenario import LIBRARY
from rtp.simulation import Day

SMALL = "tiny street"
REPETITIONS = 1600  # with each answer: 400 leave the verdict to luck


def verdict(day: Day, observer: Observer) -> None:
    """The claim and its picture; until there are others, the last ones stay, dimmed."""
    claim, aside = st.columns([4, 1], vertical_alignment="center")
    with aside:
        answer = find("verdict", _seen, day, observer.private, observer.house)
    if answer is None:
        claim.markdown("## Watching a house for a week …")
        chart(verdict_figure({}), "verdict")
        return
    found, (of, _, house), old = answer
    words = kept_together(verdict_words(of.scenario, found, observer.adversary))
    about = verdict_help(of.scenario, found[UNPROTECTED], chosen=house is not None)
    claim.markdown(f"## {f':gray[{words}]' if old else words}", help=about)
    if not old and observer.adversary == "outsider" and crowd_hides(found):
        with aside:
            button(
                "Tiny street",
                "attack:small",
                "compress",
                lab().open,
                LIBRARY[SMALL].scenario,
                SMALL,
                help="Five houses take the place of your street; Undo brings it back.",
            )
    drawn = verdict_figure(found)
    chart(dimmed(drawn) if old else drawn, "verdict")


def _seen(day: Day, private: str, house: int | None, progress: Progress) -> Mapping[str, Overview]:
    """By rate, the optimal one first. Of the house's most exposed moment, that of the private rate: without
    noise every one is."""
    watched = _most_exposed(day) if house is None else house
    noisy = private if REGISTRY[private].adds_noise else FEATURED
    step = cache.moments(day, noisy, watched).step % day.scenario.steps_per_day
    return {
        name: _overview(day, name, step, watched, partial_progress(progress, half / 2, (half + 1) / 2))
        for half, name in enumerate((UNPROTECTED, private))
    }


@cache.shared()
def _most_exposed(day: Day) -> int:
    return jobs.call(most_exposed_house, day.scenario)


@cache.shared(key=lambda day, rate, step, house, progress: key_of(rate, day, step, house))
def _overview(day: Day, rate: str, step: int, house: int, progress: Progress | None) -> Overview:
    return jobs.call(
        overview, day.scenario, rate, step, house=house, repetitions=REPETITIONS, progress=progress
    )

"""The guided tour: where it stands, its sentence, its one picture, the way on. What it does is the lab's.

At a stop the tour takes the place of the screen, so that sentence and picture are whole on a beamer; the rest
of the screen comes on request. Back and Next stand first and always in the same place, and a clicker's keys
press them (`browser/lab.js`).
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.cache import exposures
from pages.ui.lab import Link
from pages.ui.params import TOUR
from pages.ui.session import lab
from rtp.core.stats import Range
from rtp.figures import story, style
from rtp.figures.style import Picture
from rtp.leakage.overview import Overview, overview
from rtp.mechanisms import FEATURED, MOST_ACCURATE, UNPROTECTED, YARDSTICK
from rtp.output.story import budgets_words
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.teaching.threat import Stake, Threat, right_share, stake, story_street, threat
from rtp.teaching.tour import LOOSE, STOPS
from rtp.tradeoff import Curve, curve

EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # at which the cost is drawn
WHOLE = "tour: whole screen"  # the number of the stop of which all is shown
STEP_WIDTH = 90  # pixels: none of them moves another
STEP_BACK, STEP_NEXT = "step-back", "step-next"  # what the keys of a clicker press
PUBLIC, PRIVATE = style.mark(UNPROTECTED).colour, style.mark(FEATURED).colour


def start() -> None:
    """The button that begins it."""
    if lab().tour is None:
        st.button(
            "New here: the story",
            icon=":material/auto_stories:",
            on_click=lab().go_to_stop,
            args=(1,),
            key="story:start",
        )


def is_told() -> bool:
    """Whether a stop's sentence and picture stand in place of the screen."""
    here = lab()
    if here.tour is None or here.screen != here.tour.stop.screen:
        return False
    return bool(here.memo.get(WHOLE) != here.tour.number)


def bar(scenario: Scenario, epsilon: Callable[[], None]) -> None:
    """At a stop: the way back and on, and the sentence, which is gone as soon as it may not hold; `epsilon`
    draws the control of the stop that lets it be moved."""
    here = lab()
    if here.tour is None:
        return
    own, last, number, stop = here.link(), len(STOPS), here.tour.number, here.tour.stop
    holds, moved = stop.is_about(scenario), stop.moves_epsilon and is_told()
    with st.container(border=True, key="story", gap="xsmall"):
        with st.container(horizontal=True, gap="small"):  # Next stays where it is, whatever stands beside it
            _way(max(number - 1, 1), "Back", "arrow_back", own, STEP_BACK, off=number == 1)
            _way(min(number + 1, last), "Next", "arrow_forward", own, STEP_NEXT, off=number == last)
            st.title(f"{number} of {last} · {stop.title}", anchor=False, width="stretch")
            if moved:
                with st.container(width=240):
                    epsilon()
            if here.screen != stop.screen:
                _way(number, f"Go to {stop.screen}", "arrow_forward", own, "story-way")
            if not holds:
                again = "The sentence of this stop is about its own scenario."
                st.button(
                    "Back to the story",
                    key="story:again",
                    on_click=here.go_to_stop,
                    args=(number,),
                    help=again,
                )
            kept = "Your own scenario is put aside and comes back at the end."
            st.button("End the story", on_click=here.leave_tour, key="story:end", help=kept)
        if holds:
            st.header(_two_budgets_words(scenario) if moved else stop.words, anchor=False)


def picture(scenario: Scenario) -> None:
    """The stop's one picture; the rest of its screen waits until it is asked for."""
    here = lab()
    if here.tour is None or not is_told():
        return
    show.chart(PICTURES[here.tour.number - 1](scenario), key="story-picture")
    st.button(
        "Show the whole screen",
        key="story:whole",
        icon=":material/unfold_more:",
        on_click=partial(here.memo.__setitem__, WHOLE, here.tour.number),
    )
    st.stop()


def _way(number: int, label: str, icon: str, own: Link, key: str, off: bool = False) -> None:
    """A link and not a button: the browser then has one entry of its history for every stop."""
    page, query = STOPS[number - 1].page, own | {TOUR: str(number)}
    drawn = f":material/{icon}:"
    with st.container(key=key, width=STEP_WIDTH if key in (STEP_BACK, STEP_NEXT) else "content"):
        st.page_link(page, label=label, icon=drawn, query_params=query, width="content", disabled=off)


@cache.shared(apart_from=("epsilon",), spinner="Reading every rate …")
def stake_of(day: Day, group: int | None) -> Stake:
    """What ε does not change of a house of that group."""
    return stake(day, group)


@cache.shared()
def threat_of(day: Day, group: int | None) -> Threat:
    """What is learned of it at the scenario's ε."""
    return jobs.call(threat, day, stake_of(day, group))


def _day(scenario: Scenario) -> tuple[Day, Stake]:
    """The day of a street, and what ε does not change of its house."""
    day = cache.day(scenario)
    return day, stake_of(day, 0)


def _public_price(scenario: Scenario) -> Picture:
    day, own = _day(story_street(scenario))
    return story.story_beliefs_figure(
        day, own, [story.Believed("By the optimal rate", own.unprotected, PUBLIC)], True
    )


def _habits(scenario: Scenario) -> Picture:
    day, own = _day(story_street(scenario))
    return story.story_beliefs_figure(
        day, own, [story.Believed(story.HABITS, own.guess, style.EXPECTED.colour)]
    )


def _observer(scenario: Scenario) -> Picture:
    day, own = _day(scenario.replace(days=1))
    return story.story_beliefs_figure(
        day,
        own,
        [
            story.Believed(story.HABITS, own.guess, style.EXPECTED.colour),
            story.Believed("By the optimal rate", own.unprotected, PUBLIC),
        ],
    )


def _two_budgets(scenario: Scenario) -> Picture:
    believed = []
    for epsilon in _compared(scenario):
        day, own = _day(story_street(scenario.replace(epsilon=epsilon)))
        believed.append(story.Believed(f"At ε = {epsilon:g}", threat_of(day, 0).private, PRIVATE))
    return story.story_beliefs_figure(day, own, believed)


def _two_budgets_words(scenario: Scenario) -> str:
    """The sentence above it, of the same numbers."""
    shares = {}
    for epsilon in _compared(scenario):
        day, own = _day(story_street(scenario.replace(epsilon=epsilon)))
        shares[epsilon] = right_share(threat_of(day, 0).private, own.occupied)
    return budgets_words(shares)


def _compared(scenario: Scenario) -> list[float]:
    """The loose ε, and the scenario's where that is another one."""
    return list(dict.fromkeys([LOOSE, scenario.epsilon]))


def _noise(scenario: Scenario) -> Picture:
    return story.story_noise_figure(cache.day(scenario.replace(days=1)))


def _cost(scenario: Scenario) -> Picture:
    return story.cost_figure(_curve(scenario), (YARDSTICK, FEATURED, MOST_ACCURATE), scenario.epsilon)


@cache.shared(apart_from=("epsilon",))
def _curve(scenario: Scenario) -> Curve:
    return curve(scenario, EPSILONS, street_day=cache.street_day(scenario))


def _over_time(scenario: Scenario) -> Picture:
    found = _overview(scenario)
    names = {"moment": "One moment, 18:00", "history": "A whole day", "holiday": "A week's holiday"}
    areas = {words: found.areas[name, "insider"] for name, words in names.items()}
    bars = {words: story.Bar(area.value, (area.high - area.low) / 2) for words, area in areas.items()}
    return story.shares_figure(bars, "An insider is right")


@cache.shared(spinner="Watching a house for a week …")
def _overview(scenario: Scenario) -> Overview:
    return jobs.call(overview, scenario, FEATURED, scenario.steps_per_day * 3 // 4)


def _recap(scenario: Scenario) -> Picture:
    found = {epsilon: exposures(scenario.replace(epsilon=epsilon)) for epsilon in _compared(scenario)}
    first = next(iter(found.values()))
    bars = {
        "Habits": _bar(first.habits, style.EXPECTED.colour),
        "Optimal rate": _bar(first.optimal, PUBLIC),
    }
    for epsilon, each in found.items():
        bars[f"Private rate, ε = {epsilon:g}"] = _bar(each.private, PRIVATE)
    return story.shares_figure(bars, "An observer is right")


def _bar(share: Range, colour: str) -> story.Bar:
    return story.Bar(share.value, share.high - share.value, colour)


PICTURES: tuple[Callable[[Scenario], Picture], ...] = (
    _public_price,
    _habits,
    _observer,
    _two_budgets,
    _noise,
    _noise,
    _cost,
    _over_time,
    _recap,
)

"""The guided tour: where it stands, its sentence, its one picture, the way on. What it does is the lab's.

At a stop the tour takes the place of the screen, so that sentence and picture are whole on a beamer; the rest
of the screen comes on request. Back and Next stand first and always in the same place, and a clicker's keys
press them (`browser/lab.js`).
"""

from collections.abc import Callable

import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.bend import Seen, bend, compared, known
from pages.ui.lab import Link
from pages.ui.params import TOUR
from pages.ui.screens import page
from pages.ui.session import button, lab
from rtp.core.formatting import kept_together
from rtp.core.types import Floats
from rtp.exposure import Exposure
from rtp.figures import story, style
from rtp.figures.story import Believed
from rtp.figures.style import Picture
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.output.exposure import SECRETS
from rtp.output.story import LOOKING, budgets_words
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.teaching.tour import LOOSE, STOPS, Stake, private_belief, stake, story_street

WHOLE = "tour: whole screen"  # the number of the stop of which all is shown
STEP_WIDTH = 90  # pixels: none of them moves another
STEP_BACK, STEP_NEXT = "step-back", "step-next"  # what the keys of a clicker press
PUBLIC, PRIVATE = style.mark(UNPROTECTED).colour, style.mark(FEATURED).colour


def start() -> None:
    """The button that begins it."""
    if lab().tour is None:
        button("New here: the story", "story:start", "auto_stories", lab().go_to_stop, 1, type="tertiary")


def is_told() -> bool:
    """Whether a stop's sentence and picture stand in place of the screen."""
    now = lab().tour
    return now is not None and lab().screen == now.stop.screen and lab().extras.get(WHOLE) != now.number


def bar(scenario: Scenario, epsilon: Callable[[], None]) -> None:
    """At a stop: the way back and on, and the sentence, which is gone as soon as it may not hold; `epsilon`
    draws the control of the stop that lets it be moved."""
    if (now := lab().tour) is None:
        return
    own, last, number, stop = lab().link(), len(STOPS), now.number, now.stop
    holds, moved = stop.is_about(scenario), stop.moves_epsilon and is_told()
    with st.container(border=True, key="story", gap="xsmall"):
        with st.container(horizontal=True, gap="small"):  # Next stays where it is, whatever stands beside it
            _way(max(number - 1, 1), "Back", "arrow_back", own, STEP_BACK, off=number == 1)
            _way(min(number + 1, last), "Next", "arrow_forward", own, STEP_NEXT, off=number == last)
            st.title(f"{number} of {last} · {stop.title}", anchor=False, width="stretch")
            if moved:
                with st.container(width=240):
                    epsilon()
            if lab().screen != stop.screen:
                _way(number, f"Go to {stop.screen}", "arrow_forward", own, "story-way")
            if not holds:
                help = "The sentence of this stop is about its own scenario."
                button("Back to the story", "story:again", "", lab().go_to_stop, number, help=help)
            help = "Your own scenario is put aside and comes back at the end."
            button("End the story", "story:end", "", lab().leave_tour, help=help)
        if holds:
            told = _two_budgets_words(scenario) if moved else stop.words
            st.header(kept_together(told), anchor=False)


def picture(scenario: Scenario) -> None:
    """The stop's one picture; the rest of its screen waits until it is asked for."""
    if (now := lab().tour) is None or not is_told():
        return
    show.chart(PICTURES[now.number - 1](scenario), key="story-picture")
    button("Show the whole screen", "story:whole", "unfold_more", lab().extras.__setitem__, WHOLE, now.number)
    st.stop()


def _way(number: int, label: str, icon: str, own: Link, key: str, off: bool = False) -> None:
    """A link and not a button: the browser then has one entry of its history for every stop."""
    way, query = page(STOPS[number - 1].page), own | {TOUR: str(number)}
    drawn = f":material/{icon}:"
    with st.container(key=key, width=STEP_WIDTH if key in (STEP_BACK, STEP_NEXT) else "content"):
        st.page_link(way, label=label, icon=drawn, query_params=query, width="content", disabled=off)


@cache.shared(apart_from=("epsilon",), spinner="Reading every rate …")
def _stake(day: Day) -> Stake:
    """What ε does not change of the street's house."""
    return stake(day)


@cache.shared()
def _private(day: Day) -> Floats:
    """What she believes of it at the scenario's ε."""
    return jobs.call(private_belief, day, _stake(day))


def _beliefs(street: Scenario, *sources: str, price: bool = False) -> Picture:
    """What an observer believes of the street's house, by habits or by the optimal rate."""
    day = cache.day(street)
    own = _stake(day)
    believed = {
        "habits": Believed(story.HABITS, own.guess, style.EXPECTED.colour),
        "rate": Believed("By the optimal rate", own.unprotected, PUBLIC),
    }
    return story.story_beliefs_figure(day, own, [believed[source] for source in sources], price)


def _public_price(scenario: Scenario) -> Picture:
    return _beliefs(story_street(scenario), "rate", price=True)


def _habits(scenario: Scenario) -> Picture:
    return _beliefs(story_street(scenario), "habits")


def _observer(scenario: Scenario) -> Picture:
    return _beliefs(scenario.replace(days=1), "habits", "rate")


def _at_budgets(scenario: Scenario) -> tuple[Day, Stake, dict[float, Floats]]:
    """What she believes of the house of two by the private rate, by ε."""
    days = {each: cache.day(story_street(scenario.replace(epsilon=each))) for each in _compared(scenario)}
    day = days[LOOSE]
    return day, _stake(day), {epsilon: _private(each) for epsilon, each in days.items()}


def _two_budgets(scenario: Scenario) -> Picture:
    day, own, beliefs = _at_budgets(scenario)
    believed = [Believed(f"At ε = {each:g}", belief, PRIVATE) for each, belief in beliefs.items()]
    return story.story_beliefs_figure(day, own, believed)


def _two_budgets_words(scenario: Scenario) -> str:
    """The sentence above it, of the same numbers."""
    _, own, beliefs = _at_budgets(scenario)
    right = {each: own.right(belief) for each, belief in beliefs.items()}
    return budgets_words(right, own.right(own.guess))


def _compared(scenario: Scenario) -> list[float]:
    """The loose ε, and the scenario's where that is another one."""
    return list(dict.fromkeys([LOOSE, scenario.epsilon]))


@cache.shared(apart_from=("epsilon",), spinner="Watching every house for a week …")
def _exposures(scenario: Scenario) -> dict[str, Exposure]:
    return {words: cache.exposure(scenario, secret, "insider") for secret, words in SECRETS.items()}


def _over_time(scenario: Scenario) -> Picture:
    found = _exposures(scenario)
    areas = {words: each.at(FEATURED, scenario.epsilon) for words, each in found.items()}
    return story.areas_figure(areas, "An insider tells, private rate")


@cache.shared(apart_from=("epsilon",), spinner=LOOKING)
def _known(scenario: Scenario) -> Seen:
    return known(scenario)


def _recap(scenario: Scenario) -> Picture:
    return bend(cache.day(scenario), compared(), _known(scenario))


Draw = Callable[[Scenario], Picture]
PICTURES: list[Draw] = [_public_price, _habits, _observer, _two_budgets, _over_time, _recap]

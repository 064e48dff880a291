"""The guided tour: how it is offered, where it stands, its sentence, its one picture, the way on.
What it does is the lab's.

At a stop the tour takes the place of the screen, so that sentence and picture are whole on a beamer. Back and
Next stand first and always in the same place, and a clicker's keys press them (`browser/lab.js`). What is
learned of the home takes a worker some seconds, once for everybody: the first stop is drawn without it, and
then has it made ready for the others.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.bend import Seen, bend, compared, known
from pages.ui.lab import Link
from pages.ui.params import LANGUAGE, TOUR
from pages.ui.screens import page
from pages.ui.session import button, lab
from pages.ui.widgets import span
from rtp.core.formatting import kept_together
from rtp.core.language import SOURCE, figure, say, speaking
from rtp.core.types import Floats
from rtp.figures import daytime, story, style
from rtp.figures.story import Believed
from rtp.figures.style import Picture
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.meters import Learned
from rtp.output import tour as output
from rtp.output.exposure import LOOKING
from rtp.scenario import DEFAULT_PRESET, PRESETS, Scenario
from rtp.teaching import home as teaching
from rtp.teaching.home import CROWD, LOOSE, STREETS, ByRate, Home, Span
from rtp.teaching.plan import PAGE, SCREEN, STOPS

OFFERED = "tour: offered"  # whether it still is, in this session
MARKED, CHOSEN, ANSWERED = "tour: marked", "tour: chosen", "tour: answered"  # of the first stop
STEP_WIDTH = 100  # pixels: none of them moves another
STEP_BACK, STEP_NEXT = "step-back", "step-next"  # what the keys of a clicker press
LEARNING = "Learning from the meter …"
FIRST_CHOICE: Span = (8, 18)  # o'clock on the first day, to begin with
PUBLIC, PRIVATE = style.mark(UNPROTECTED).colour, style.mark(FEATURED).colour
OWN = PRESETS[DEFAULT_PRESET]


def offer() -> None:
    """The line that begins it, for who is new here, until it was opened or sent away. Whoever came by a link
    with settings came for these."""
    if not lab().extras.setdefault(OFFERED, not lab().followed.address) or lab().presenting:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="offer-story"):
        st.markdown("**Is anybody home?**", width="content")
        button("Look at a real meter", "story:start", "electric_meter", _open, type="primary")
        button("Not now", "story:later", "close", _send_away, type="tertiary", help="Not now")


def start() -> None:
    """The way to it afterwards."""
    button("The story: is anybody home?", "story:open", "auto_stories", _open, type="tertiary")


def _open() -> None:
    _send_away()
    lab().go_to_stop(1)


def _send_away() -> None:
    lab().extras[OFFERED] = False


def is_told() -> bool:
    """Whether a stop's sentence and picture stand in place of the screen."""
    return lab().tour is not None and lab().screen == SCREEN


def _spoken() -> str:
    """The language that the address says."""
    return lab().setting(LANGUAGE, SOURCE)


def bar(scenario: Scenario, epsilon: Callable[[], None]) -> None:
    """At a stop: the way back and on, and the sentence, which is gone as soon as it may not hold; `epsilon`
    draws the control of the stop that lets it be moved."""
    with speaking(_spoken()):
        _bar(scenario, epsilon)


def _bar(scenario: Scenario, epsilon: Callable[[], None]) -> None:
    if (now := lab().tour) is None:
        return
    own, last, number, stop = lab().link(), len(STOPS), now.number, now.stop
    holds, moved = stop.is_about(scenario), stop.moves_epsilon and is_told()
    with st.container(border=True, key="story", gap="xsmall"):
        with st.container(horizontal=True, gap="small"):  # Next stays where it is, whatever stands beside it
            _way(max(number - 1, 1), say("Back"), "arrow_back", own, STEP_BACK, off=number == 1)
            _way(min(number + 1, last), say("Next"), "arrow_forward", own, STEP_NEXT, off=number == last)
            st.title(
                say("{n} of {all} · {title}", n=number, all=last, title=say(stop.title)),
                anchor=False,
                width="stretch",
            )
            if lab().screen != SCREEN:
                _way(number, say("Go to {screen}", screen=SCREEN), "arrow_forward", own, "story-way")
            if not holds:
                help = say("The sentence of this stop is about its own scenario.")
                button(say("Back to the story"), "story:again", "", lab().go_to_stop, number, help=help)
            help = say("Your own scenario is put aside and comes back at the end.")
            button(say("End the story"), "story:end", "", lab().leave_tour, help=help)
        if moved:
            epsilon()
        if holds and is_told():
            st.header(kept_together(TOLD[number - 1](scenario).words), anchor=False)


def picture(scenario: Scenario) -> None:
    """The stop's one picture, in place of the screen."""
    if lab().tour is not None and is_told():
        with speaking(_spoken()):
            _picture(scenario)
        st.stop()


def _picture(scenario: Scenario) -> None:
    if (now := lab().tour) is None:
        return
    told = TOLD[now.number - 1](scenario)
    selected = select if told.can_be_marked else None
    show.chart(told.picture, key="story-picture", card=False, selected=selected)
    if told.can_be_marked:
        _controls(teaching.home())
        _learned()
    if told.note:
        st.caption(told.note)


def _way(number: int, label: str, icon: str, own: Link, key: str, off: bool = False) -> None:
    """A button, and a link where it leads to another screen."""
    if lab().screen == SCREEN:
        button(label, key, icon, lab().go_to_stop, number, off=off, width=STEP_WIDTH)
        return
    drawn, query = f":material/{icon}:", own | {TOUR: str(number)}
    with st.container(key=key, width="content"):
        st.page_link(page(PAGE), label=label, icon=drawn, query_params=query, width="content", disabled=off)


class Told(NamedTuple):
    """A stop's sentence and picture, of the same numbers."""

    words: str
    picture: Picture
    note: str = ""
    can_be_marked: bool = False  # whether times can be marked on it


# What is known of the home


@cache.shared(spinner=LEARNING)
def _learned() -> Learned:
    return jobs.call(teaching.learned_home)


@cache.shared()
def _by_meter() -> Floats:
    return teaching.by_meter(_learned())


@cache.shared()
def _by_rate(epsilon: float | None = None, houses: int = 1, knows: str = "model") -> ByRate:
    """By the optimal rate, or by the private one at this ε."""
    rate = UNPROTECTED if epsilon is None else FEATURED
    street = OWN if epsilon is None else OWN.replace(epsilon=epsilon)
    return jobs.call(teaching.told_by_rate, _learned(), street, houses, rate, knows)


@cache.shared()
def _moved() -> float:
    """How much of what is believed in the crowd is this home's."""
    return jobs.call(teaching.moved_by_home, _learned(), OWN, CROWD)


def _right(told: ByRate) -> float:
    return teaching.home().believed_right(told.belief)


def _habits() -> float:
    return teaching.home().believed_right(_by_rate().habits)


def _beliefs(named: Mapping[str, ByRate], colour: str, rate: Floats | None = None) -> Picture:
    believed = [Believed(name, told.belief, colour) for name, told in named.items()]
    return story.beliefs_figure(teaching.home(), _by_rate().habits, believed, rate)


# Its stops


def _is_anybody_home(_: Scenario) -> Told:
    home, nobody = teaching.home(), _marked()
    if not lab().extras.get(ANSWERED):
        return Told(output.asked_words(home), story.meter_figure(home, nobody), "", True)
    belief = _by_meter()
    said = {say("You"): home.without(nobody)} if nobody else {}
    said |= {say("Usual hours"): home.usual, say("Observer"): belief >= 0.5}
    guessed = home.right(said[say("You")]) if nobody else None
    words = output.answered_words(home, guessed, home.believed_right(belief))
    return Told(words, story.answered_figure(home, said), output.judged_words(home), True)


def _a_price(_: Scenario) -> Told:
    told = _by_rate()
    drawn = _beliefs({say("By the rate"): told}, PUBLIC, told.optimal)
    return Told(output.price_words(_right(told), _habits()), drawn, output.alone_note(OWN))


def _noise(scenario: Scenario) -> Told:
    told = {each: _by_rate(each) for each in dict.fromkeys([LOOSE, scenario.epsilon])}
    drawn = _beliefs({f"ε = {figure(f'{each:g}')}": by for each, by in told.items()}, PRIVATE)
    right = {each: _right(by) for each, by in told.items()}
    return Told(output.noise_words(right, _habits()), drawn, output.noise_note())


def _houses_around(_: Scenario) -> Told:
    told = {houses: _by_rate(None, houses) for houses in STREETS}
    drawn = _beliefs({say("{n} houses", n=houses): by for houses, by in told.items()}, PUBLIC)
    right = {houses: _right(by) for houses, by in told.items()}
    return Told(output.street_words(right, _habits()), drawn, say(output.NEIGHBOURS))


def _crowd(_: Scenario) -> Told:
    outsider, insider = (_by_rate(None, CROWD, knows) for knows in ("model", "others"))
    drawn = _beliefs({say("{n} houses", n=CROWD): outsider, say("An insider"): insider}, PUBLIC)
    words = output.crowd_words(CROWD, _right(outsider), _right(insider))
    return Told(words, drawn, output.crowd_note(_moved()))


@cache.shared(apart_from=("epsilon",), spinner=LOOKING)
def _known(scenario: Scenario) -> Seen:
    return known(scenario)


def _your_street(scenario: Scenario) -> Told:
    return Told(say(output.YOURS_WORDS), bend(cache.day(scenario), compared(), _known(scenario)))


TOLD = (_is_anybody_home, _a_price, _noise, _houses_around, _crowd, _your_street)


# The first stop's marks


def _marked() -> list[Span]:
    """The times that were marked as empty, none beside another."""
    marked: list[Span] = lab().extras.get(MARKED, [])
    return marked


def mark(span: Span) -> None:
    """Mark one more; what is marked twice is marked."""
    home = teaching.home()
    lab().extras[MARKED] = daytime.stretches(~home.without([*_marked(), span]))


def select(point: show.Point) -> None:
    """Mark what was dragged over."""
    marked = point.get("range")
    ends = marked.get("x") if isinstance(marked, dict) else None
    try:
        start, stop = sorted(np.datetime64(str(end).replace(" ", "T"), "m") for end in ends or ())
    except (TypeError, ValueError):  # a script has sent what is no stretch of time
        return
    mark((teaching.home().step(start), teaching.home().step(stop)))


def _controls(home: Home) -> None:
    """The same by hand, and what comes of it."""
    if lab().extras.get(ANSWERED):
        button(say("Guess again"), "story:guess", "replay", _again)
        return
    hours = range(0, 24 * teaching.DAYS + 1)
    chosen: Span = lab().extras.get(CHOSEN, FIRST_CHOICE)
    with st.container(horizontal=True, vertical_alignment="bottom", key="story-guess"):
        with st.container(width="stretch"):
            label, save = (
                say("Or choose from when to when nobody was in"),
                partial(lab().extras.__setitem__, CHOSEN),
            )
            span(label, hours, chosen, partial(output.hour_words, home), save, key="story")
        button(say("Mark"), "story:mark", "ink_highlighter", _mark_chosen)
        button(say("Clear"), "story:clear", "", _clear, off=not _marked())
        button(say("Who is right?"), "story:answer", "visibility", _answer, type="primary")


def _mark_chosen() -> None:
    per_hour = 60 // teaching.home().minutes
    start, stop = lab().extras.get(CHOSEN, FIRST_CHOICE)
    mark((per_hour * start, per_hour * stop))


def _clear() -> None:
    lab().extras.pop(MARKED, None)


def _answer() -> None:
    lab().extras[ANSWERED] = True


def _again() -> None:
    _clear()
    lab().extras[ANSWERED] = False

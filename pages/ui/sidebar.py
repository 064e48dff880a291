"""The frame of every screen: title, menu, and the scenario's first controls; the rest are its `settings`, in
one section that opens. What belongs to a group, its habits and its bounds, is set on the Street screen.

In front of a class the sidebar is folded, and a bar stands in its place. What is left to do is what a teacher
does while everybody looks: move ε, draw another day, go to another screen. Files to take away wait until the
class is over. The one switch for that stands in the link.
"""

from collections.abc import Callable
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal

import streamlit as st

from pages.ui import browser, cache, guide, pins, session, share, tour
from pages.ui.lab import Lab, Link
from pages.ui.params import EPSILON_GRID
from pages.ui.screens import SCREENS, Screen, page
from pages.ui.session import button, lab
from pages.ui.show import lazy_expander
from pages.ui.widgets import Width, choice, field, number, segmented, select, slider, switch, text
from rtp.core.formatting import plain
from rtp.core.language import figure, say
from rtp.core.time import STEP_MINUTES
from rtp.output.words import edited, help_for
from rtp.scenario import BOUNDS, LABELS, LIBRARY, Scenario
from rtp.scenario.typed import shown
from rtp.scenario.units import price_paid, set_units, with_unit
from rtp.version import VERSION

_ENDS = "<div class='lab-ends'><span>← more private</span><span>more accurate →</span></div>"
UNUSED = "This screen does not use the scenario."
IN_THE_STORY = "The story has a scenario of its own; yours comes back at its end."


def begin(
    title: str,
    subtitle: str = "",
    *,
    titled: bool = True,
    bare: Callable[[Lab], bool] | None = None,
    uses_scenario: Callable[[Lab], bool] | None = None,
    first: Callable[[Scenario], None] | None = None,
) -> Scenario:
    """Set up the page, draw the sidebar or in its place the presenter's bar, and give the scenario in use; a
    screen that is not `titled` has a title of its own. A page is `bare` of all of these, and of its
    title, where that says so; the controls of the scenario stand there only where the screen `uses_scenario`,
    which is always unless it says when. What a screen draws `first` is drawn here, and sent before the
    sidebar: a change is seen the sooner. Where a street has to be drawn for it the sidebar does not wait."""
    st.set_page_config(page_title=f"{title} · RTP Privacy Lab", page_icon="⚡", layout="wide")
    scenario = session.begin(title)
    alone = bare is not None and bare(lab())
    with st.container(gap=None) if lab().presenting or alone else st.sidebar:
        browser.begin(lab().presenting)
    guide.bar(alone=alone)
    if alone:
        session.notices()
        return scenario
    unused = IN_THE_STORY if tour.is_told() else UNUSED if uses_scenario and not uses_scenario(lab()) else ""
    waits = first is not None and cache.street_day.known(scenario)
    if lab().presenting:
        if not (guide.step() and tour.is_told()):  # the lesson's bar is enough: the picture needs room
            _presenters_bar(title, scenario, used=not unused)
    else:
        if not waits:
            _sidebar(scenario, unused)
        if not unused:
            _at_the_thumb(scenario)
    if titled and not (lab().presenting or lab().tour):
        st.title(title, anchor=False)
        if subtitle:
            st.caption(subtitle, help=help_for(subtitle, scenario.occupied_means))
    tour.bar(scenario, partial(_epsilon, scenario))
    session.notices()
    tour.picture(scenario)
    if first:
        first(scenario)
    if waits and not lab().presenting:
        _sidebar(scenario, unused)
    return scenario


def _presenters_bar(title: str, scenario: Scenario, *, used: bool) -> None:
    """One row that stays in view: the screen's title (the story has its own), the way to others, presets, ε,
    another day, the end."""
    with st.container(horizontal=True, vertical_alignment="center", key="presenter"):
        if lab().tour is None:
            st.title(title, anchor=False, width="content")
        with st.popover("Screens", icon=":material/menu:"):
            menu()
        if used:
            _choose(170)
            with st.container(width=220):
                _epsilon(scenario)
            _draw()
        help = "End presenting: the sidebar comes back"
        button("End", "presenter:end", "close", lab().show, "presenting", False, help=help)


def _sidebar(scenario: Scenario, unused: str) -> None:
    """In the order of use. Sentences, which grow and shrink, stand last: they move no control."""
    with st.sidebar:
        menu()
        if unused:
            st.caption(unused)
        else:
            _choose()
            _main(scenario)
        _actions(scenario)
        if not unused:
            settings(scenario)
            chosen = LIBRARY[lab().preset]  # what to look at in it, or what was changed of it
            st.caption(_edited(lab().preset, chosen.scenario, scenario) or chosen.look_at)


_edited = cache.shared(key=cache.key_of_words)(edited)


def menu() -> None:
    """The way to every screen."""
    st.markdown(f"**⚡ RTP Privacy Lab** :small[:gray[{VERSION}]]")
    links = lab().links([screen.title for screen in SCREENS])
    with st.container(key="menu", gap=None):  # laid out by `lab.css`
        for group, screens in groupby(SCREENS, attrgetter("group")):
            with st.container(key=f"menu-{group.lower()}", gap=None):
                st.caption(group)
                for screen in screens:
                    _link(screen, screen.title, links[screen.title])


def _link(screen: Screen, label: str, query: Link) -> None:
    """With its query, or the browser would pass an address without."""
    st.page_link(page(screen.path), label=label, icon=screen.icon, query_params=query)


def _choose(width: Width = "stretch") -> None:
    key = "choice:preset"
    select("Preset", list(LIBRARY), lab().preset, str.capitalize, lab().open_preset, key=key, width=width)


def _actions(scenario: Scenario) -> None:
    """Take a change back; in one menu: redo it, keep the scenario, pass the view on."""
    same = scenario == LIBRARY[lab().preset].scenario
    with st.container(horizontal=True, gap="xsmall", key="actions"):
        _action("undo", "Undo", "undo", lab().undo, off=lab().at == 0)
        with st.popover("Menu", icon=":material/more_horiz:", width="stretch", key=MENU, on_change="rerun"):
            _choice("redo", "Redo", "redo", lab().redo, off=lab().at + 1 == len(lab().history))
            _choice("reset", "Reset to the preset", "restart_alt", lab().reset, off=same)
            if _choice("saved", "Saved scenarios", "bookmarks"):
                pins.dialog()
            if _choice("share", "Share this view", "share"):
                share.dialog()
            _choice(
                "present", "Present to a class", "present_to_all", partial(lab().show, "presenting", True)
            )


def _action(name: str, label: str, icon: str, act: Callable[[], None], *, off: bool = False) -> bool:
    return button(label, f"action:{name}", icon, act, off=off, width="stretch")


def _choice(
    name: str, label: str, icon: str, act: Callable[[], None] = lambda: None, *, off: bool = False
) -> bool:
    """One of the menu, which closes: a dialog would stand beneath it."""

    def close_and_act() -> None:
        session.close(MENU)
        act()

    return _action(name, label, icon, close_and_act, off=off)


def _epsilon(scenario: Scenario) -> None:
    help = say(
        "How much one published rate may reveal about one house: it shifts the odds by at most the factor "
        "e^ε."
    )
    _slide_epsilon(scenario, "epsilon", help=help)


def _slide_epsilon(scenario: Scenario, key: str, **look: Any) -> None:
    label, save = say(BOUNDS["epsilon"].words), partial(lab().set, "epsilon")
    # Shown to the last digit: two stops with one label are one to the browser.
    slider(label, EPSILON_GRID, scenario.epsilon, lambda each: figure(shown(each)), save, key=key, **look)


def _at_the_thumb(scenario: Scenario) -> None:
    """On a phone alone, whose sidebar is a drawer over the picture: ε above it, always in view."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="thumb"):
        st.markdown("**ε**", width="content")
        _slide_epsilon(scenario, "thumb", label_visibility="collapsed")


def _main(scenario: Scenario) -> None:
    with st.container(key="epsilon"):  # laid out by `lab.css`
        _epsilon(scenario)
        number("epsilon", scenario.epsilon, partial(lab().set, "epsilon"), label="ε")
        st.html(_ENDS)
    two_lines = bool(scenario.power_unit)  # of a label with its unit
    with st.grid(2, min_column_width=80, vertical_alignment="bottom" if two_lines else "top"):
        field("alpha", help="The optimal rate is r = αZ + β at demand Z.", quantity="slope")
        field("beta", help="The rate at no demand.", quantity="rate")
        field("households")
        field("seed", help="The same seed gives the same street, day and noise.")
    _draw("stretch")


def _draw(width: Literal["stretch", "content"] = "content") -> None:
    label = "New draw of the street"
    button(label, "action:new draw", "casino", _new_draw, width=width, help="Take the next seed")


def _new_draw() -> None:
    """The seed after the one in use when it is clicked: quick hands click twice before they are answered."""
    lab().set("seed", (lab().scenario.seed + 1) % (int(BOUNDS["seed"].high) + 1))


MORE, MENU = "More settings", "actions:menu"


def settings(scenario: Scenario) -> None:
    """The rest, in one section that opens."""
    lazy_expander(MORE, partial(_settings, scenario), ":material/tune:")


def _settings(scenario: Scenario) -> None:
    st.markdown("**Time**")
    segmented(
        LABELS["step_minutes"],
        STEP_MINUTES,
        scenario.step_minutes,
        str,
        lab().set_step_minutes,
        key="choice:step_minutes",
        help="Periods begin with the nearest step. Noise, errors, leaks over time and bills change.",
    )
    field("days")

    st.markdown("**Price**")
    left, right = st.columns(2, gap="small", vertical_alignment="bottom")
    with left:
        field("inelastic_demand", help="Demand that no household decides; it adds to Z.")
    with right:
        field("elasticity", help="η: after a high rate consumption falls as (r̂/r_ref)^(−η). 0 is none.")
    switch("clip_at_zero", help="Post-processing: the promise stands.")
    capped = "Higher ones are published as this; the promise stands."
    field("price_cap", quantity="rate", empty="none", help=capped)

    st.markdown("**Noise**")
    switch(
        "independent_noise", "Off: all mechanisms share the same draws, so that only the mechanisms differ."
    )
    choice("naive_bound")
    unlikely = "Threshold noise does not guard a house while one of its states is no likelier than this."
    field("negligible", help=unlikely)
    wrong = "Add models on the Street screen, then see what a wrong belief costs."
    choice("assumed_model", scenario.model_names, help=wrong)

    st.markdown("**Habits**")
    choice("occupied_means", help="In the paper who sleeps is not. Only words change.")
    field("habit_spread", help="How far personal habits scatter around the group's.")

    st.markdown("**Units**")
    power = "With kW consumption is power, and a bill is rate × power × hours."
    choice("power_unit", help=power, save=partial(_set_unit, "power_unit"))
    text(scenario.currency, partial(_set_unit, "currency"), key="currency", label=LABELS["currency"])
    if (paid := price_paid(scenario)) is not None:
        st.caption(f"Households pay about {with_unit(plain(paid), scenario, 'rate')}.")


def _set_unit(name: str, value: str | None) -> None:
    lab().change(set_units, **{name: value})

"""One house through the day: what she believes of it by the optimal and by a private rate, and what ε means.

A crowd hides everyone, so that on a long street nothing could be seen: at first she looks at one of two such
houses, on which all else is as in the scenario.
"""

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

from pages.ui import cache, clock, pins, show
from pages.ui.attack.observer import (
    JUDGES,
    JUDGING,
    Observer,
    beliefs,
    download,
    judging,
    truth,
    which_filter,
)
from pages.ui.session import lab
from pages.ui.widgets import segmented, url_select
from rtp.attack.adversary import Posterior
from rtp.attack.joint_filter import MAX_JOINT_HOUSES
from rtp.core.formatting import in_markdown
from rtp.core.types import Bools, Floats
from rtp.figures import style
from rtp.figures.attack import belief_figure
from rtp.figures.story import chances_figure
from rtp.figures.style import PinMark
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.output.attack import belief_words, house_words, limit_words
from rtp.output.leakage import worst_moment_words
from rtp.output.story import BELIEVER_WORDS, houses_words
from rtp.scenario import Scenario
from rtp.simulation import Day, street_key
from rtp.teaching import two_houses

OWN, GROUP = "attack:own", "story:group"
Pair = tuple[Posterior, Posterior]  # of one house, by the optimal and by a private rate


def one_house(scenario: Scenario, observer: Observer) -> None:
    """The optimal rate, and the private one that she is said to see."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        group = _group(scenario)
        observer = judging(scenario, observer)
    day = cache.day(scenario if group is None else two_houses.story_street(scenario, group))
    if group is not None:
        observer = observer._replace(house=two_houses.watched_house(day.street, 0))
    everyone = beliefs(day, observer)
    seen = everyone.of(observer.house)
    observer = observer._replace(house=int(seen.houses[0]), model=seen.model)
    optimal, private = (
        beliefs(day, observer._replace(rate=rate)).of(observer.house)
        for rate in (UNPROTECTED, observer.private)
    )
    pair, occupied = (optimal, private), truth(day, seen)[:, 0]
    pinned = _pinned(day, group, observer._replace(rate=observer.private))
    here: clock.DayClock = lab().extras.setdefault(
        "attacker:cursor", clock.DayClock("attacker:step", stride=2)
    )
    advance = partial(here.advance, day.scenario.steps - 1)
    clock.run(here, advance, partial(_at_a_moment, here, day, pair, occupied, pinned))
    show.lazy_expander(JUDGES, partial(_judged, day, seen, everyone, pair), JUDGING)
    download(day, observer)


def _group(scenario: Scenario) -> int | None:
    """Whose house is looked at among two houses; None where all of the street are there."""
    if scenario.households <= two_houses.STORY_HOUSES:
        return None
    own = lab().setting(OWN, scenario.households <= MAX_JOINT_HOUSES)
    words = {False: houses_words(two_houses.STORY_HOUSES), True: f"all {scenario.households:,}"}
    segmented("Street", [False, True], own, words.__getitem__, partial(lab().show, OWN), key=OWN)
    if own:
        return None
    names, first = [group.name for group in scenario.groups], two_houses.showing_group(scenario)
    if len(names) == 1:
        return first
    return names.index(url_select("A house of", names, GROUP, default=names[first], width=180))


def _pinned(day: Day, group: int | None, observer: Observer) -> dict[PinMark, Floats]:
    """Her belief about the same house in pinned scenarios that live the same day: elsewhere it is another."""
    same, others = {}, []
    for mark, other in pins.days().items():
        lived = other
        if group is not None:
            own = group if group < len(other.scenario.groups) else None
            lived = cache.day(two_houses.story_street(other.scenario, own))
        if street_key(lived.scenario) == street_key(day.scenario):
            same[mark] = beliefs(lived, observer).of(observer.house).belief[:, 0]
        else:
            others.append(mark.name)
    if others:
        st.caption(f"Not drawn, because their day is another one: {in_markdown(', '.join(others))}.")
    return same


def _judged(day: Day, seen: Posterior, everyone: Posterior, pair: Pair) -> None:
    """The house, how far the rates give it away, how exact she is, and what the promise allows her."""
    st.markdown(house_words(day, seen, everyone))
    promised = REGISTRY[seen.mechanism].promised(day.scenario.epsilon)
    largest = float(np.abs(everyone.log_likelihood_ratio).max())
    which_filter(day, seen, limit_words(seen.method, largest, promised))
    leak = cache.moments(day, pair[1].mechanism, int(seen.houses[0]))
    st.caption(f"{style.label(pair[1].mechanism)}: {worst_moment_words(leak, day.scenario)}")


def _at_a_moment(
    here: clock.DayClock, day: Day, pair: Pair, occupied: Bools, pinned: Mapping[PinMark, Floats]
) -> None:
    steps = day.scenario.steps
    with st.container(horizontal=True, vertical_alignment="center"):
        clock.play_button(here, partial(here.start, steps - 1), "attacker")
        step = clock.time_slider(here, "Time", "Time", steps, day.scenario.when)
    left, right = st.columns([3, 1], gap="small")
    with left:
        show.chart(belief_figure(day, pair, occupied, step, pinned), key="belief")
    with right:
        st.markdown(belief_words(day, pair, occupied, step))
        with st.container(border=True):
            drawn = chances_figure(day.scenario.epsilon)
            st.markdown("**What ε means**", help=BELIEVER_WORDS)
            st.image(drawn.svg, alt=drawn.words, width="content")

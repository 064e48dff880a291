"""One house through the day: what she believes of it by the optimal and by a private rate, and what ε means.

A crowd hides everyone, so that on a long street nothing could be seen: at first she looks at one of two such
houses, on which all else is as in the scenario.
"""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import cache, clock, pins, show
from pages.ui.attack.observer import (
    JUDGES,
    Observer,
    chosen_step,
    cursor,
    download,
    house_beliefs,
    judging,
    which_filter,
)
from pages.ui.session import lab
from pages.ui.widgets import segmented, url_select
from rtp.attack.adversary import Inference, OneHouse, Posterior
from rtp.attack.joint_filter import MAX_JOINT_HOUSES
from rtp.attack.success import moment_summary
from rtp.core.formatting import in_markdown, percent
from rtp.core.types import Bools, Floats
from rtp.figures import style
from rtp.figures.attack import belief_figure
from rtp.figures.story import dots_figure
from rtp.figures.style import PinMark
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.output.attack import chances_words, limit_words, use_words
from rtp.output.leakage import worst_moment_words
from rtp.output.story import BELIEVER_WORDS, houses_words, whole_percent
from rtp.scenario import Scenario
from rtp.simulation import Day, street_key
from rtp.street.simulate import replay_houses
from rtp.teaching import threat

OWN, GROUP = "attack:own", "story:group"
OLD = "Attacker"  # the screen of earlier versions, which always showed the whole street
SO_FAR: dict[Inference, str] = {"filtering": "so far", "smoothing": "up to here"}


class Scene(NamedTuple):
    """The street on which she looks: of two houses, the first of this group, or the scenario's own."""

    street: Scenario
    group: int | None = None

    @property
    def day(self) -> Day:
        return cache.day(self.street)

    def watched(self, day: Day, observer: Observer) -> Observer:
        """On two houses she looks at the one of the chosen group."""
        return (
            observer._replace(house=threat.watched_house(day.street, 0))
            if self.group is not None
            else observer
        )


def one_house(scenario: Scenario, observer: Observer) -> None:
    """The optimal rate, and the private one that she is said to see."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        scene = _scene(scenario)
        observer = judging(scenario, observer)
    day = scene.day
    observer = scene.watched(day, observer)
    found = house_beliefs(day, observer)
    seen = found.seen
    house = int(seen.houses[0])
    occupied = _truth(day, house)
    pair = _pair(day, observer, seen, house)
    pinned = _pinned(day, scene, observer._replace(rate=pair[1].mechanism, house=house))
    here, last = cursor(), day.scenario.steps - 1
    clock.run(here, partial(here.advance, last), partial(_at_a_moment, day, pair, occupied, pinned))
    show.lazy_expander(JUDGES, partial(_judged, day, found, pair), ":material/psychology:")
    download(day, observer)


def _scene(scenario: Scenario) -> Scene:
    """Two houses or all of them; and whose house, where there are several groups."""
    if scenario.households <= threat.STORY_HOUSES:
        return Scene(scenario)
    own = lab().setting(OWN, scenario.households <= MAX_JOINT_HOUSES or lab().came_by == OLD)
    words = {False: houses_words(threat.STORY_HOUSES), True: f"all {scenario.households:,}"}
    segmented("Street", [False, True], own, words.__getitem__, partial(lab().show, OWN), key=OWN)
    if own:
        return Scene(scenario)
    names = [group.name for group in scenario.groups]
    first = threat.showing_group(scenario)
    if len(names) > 1:
        first = names.index(url_select("A house of", names, GROUP, default=names[first], width=180))
    return Scene(threat.story_street(scenario, first), first)


def _two_houses(scenario: Scenario, group: int) -> Scenario:
    """Another scenario's; where it has no such group, of the one in which people show best."""
    return threat.story_street(scenario, group if group < len(scenario.groups) else None)


def _judged(day: Day, found: OneHouse, pair: tuple[Posterior, Posterior]) -> None:
    """The house, how far the rates give it away, how exact she is, and what the promise allows her."""
    seen, street = found.seen, day.street
    house = int(seen.houses[0])
    everyone = f"; over all {found.followed:,} houses by {percent(found.mean_exposure)}"
    st.markdown(
        f"**{day.scenario.house(house, capital=True)}** "
        f"({in_markdown(day.scenario.groups[street.group[house]].name)}) {use_words(street, house)}. "
        f"The {style.label(seen.mechanism)} rates shift her belief by {percent(seen.exposure[0])} on "
        f"average{everyone if found.followed > 1 else ''}."
        + (f" She believes the model **{in_markdown(seen.model)}**." if len(day.scenario.models) > 1 else "")
    )
    promised = REGISTRY[seen.mechanism].promised(day.scenario.epsilon)
    which_filter(day, seen, limit_words(seen.method, found.largest_evidence, promised))
    private = pair[1].mechanism
    leak = cache.moments(day, private, house)
    st.caption(f"{style.label(private)}: {worst_moment_words(leak, day.scenario)}")


@cache.shared(key=lambda day, house: f"{street_key(day.scenario)} {house}")
def _truth(day: Day, house: int) -> Bools:
    """(T,): when the house was occupied; no price changes it."""
    return replay_houses(day.street_day.spec, day.street, [house])[0][:, 0]


def _pair(day: Day, observer: Observer, seen: Posterior, house: int) -> tuple[Posterior, Posterior]:
    """The house from the optimal and from a private rate."""
    other = FEATURED if observer.rate == UNPROTECTED else UNPROTECTED
    beside = house_beliefs(day, observer._replace(rate=other, house=house, model=seen.model)).seen
    return (seen, beside) if observer.rate == UNPROTECTED else (beside, seen)


def _pinned(day: Day, scene: Scene, observer: Observer) -> dict[PinMark, Floats]:
    """Her belief about the same house in pinned scenarios that live the same day: elsewhere it is another."""
    same, others = {}, []
    for mark, other in pins.days().items():
        lived = other if scene.group is None else cache.day(_two_houses(other.scenario, scene.group))
        if street_key(lived.scenario) == street_key(day.scenario):
            same[mark] = house_beliefs(lived, observer).seen.belief[:, 0]
        else:
            others.append(mark.name)
    if others:
        st.caption(f"Not drawn, because their day is another one: {in_markdown(', '.join(others))}.")
    return same


def _at_a_moment(
    day: Day, pair: tuple[Posterior, Posterior], occupied: Bools, pinned: Mapping[PinMark, Floats]
) -> None:
    here, last = cursor(), day.scenario.steps - 1
    with st.container(horizontal=True, vertical_alignment="center"):
        clock.play_button(here, partial(here.start, last), "attacker")
        step = chosen_step(day.scenario, "Time")
    left, right = st.columns([3, 1], gap="small")
    with left:
        show.chart(belief_figure(day, pair, occupied, step, pinned), key="belief")
    with right:
        _metrics(day, pair, occupied, step)
        with st.container(border=True):
            _chances(day, pair[0], occupied, step)


def _metrics(day: Day, pair: tuple[Posterior, Posterior], occupied: Bools, step: int) -> None:
    """The moment, and the day so far: the truth, and what she makes of each rate."""
    so_far = SO_FAR[pair[1].inference]
    now = [moment_summary(seen, 0, occupied, step) for seen in pair]
    house = day.scenario.house(int(pair[0].houses[0]), capital=True)
    with st.grid(1, min_column_width=150):
        show.metric(
            f"{house} at {day.scenario.when(step)} is",
            "occupied" if now[0].occupied else "empty",
            f"by habits {whole_percent(now[0].model_alone)}",
            help=f"Habits alone are right at {whole_percent(now[0].right_alone)} of the moments {so_far}.",
        )
        for seen, each in zip(pair, now, strict=True):
            show.metric(
                f"Her belief by the {style.label(seen.mechanism).lower()} rate",
                f"{whole_percent(each.belief)} occupied",
                f"right {whole_percent(each.right)} {so_far}",
            )


def _chances(day: Day, seen: Posterior, occupied: Bools, step: int) -> None:
    """What ε means: how many of a hundred prices suggest that somebody is at home."""
    house, epsilon = int(seen.houses[0]), day.scenario.epsilon
    stake = threat.Stake(
        house=house, occupied=occupied, guess=seen.model_only[:, 0], unprotected=seen.belief[:, 0]
    )
    here = threat.beliefs_at(day, stake, step)
    rows = [(f"Worst case, ε = {epsilon:g}", threat.worst_case(epsilon))]
    if here is not None:
        name = day.scenario.house(house, capital=True)
        rows.insert(0, (f"{name}, {day.scenario.when(step)}", here))
    drawn = dots_figure(rows)
    st.markdown("**What ε means**", help=BELIEVER_WORDS)
    st.image(drawn.svg, alt=drawn.words, width="content")
    st.caption(chances_words(day.scenario, house, step, here))

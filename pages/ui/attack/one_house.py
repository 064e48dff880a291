"""One house through the day: what she believes of it by the optimal and by a private rate."""

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
)
from pages.ui.session import lab
from rtp.attack.adversary import Posterior
from rtp.core.formatting import in_markdown
from rtp.core.types import Bools, Floats
from rtp.figures import style
from rtp.figures.attack import belief_figure
from rtp.figures.style import PinMark
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.output.attack import METHODS, belief_words, house_words, limit_words
from rtp.output.leakage import worst_moment_words
from rtp.simulation import Day, street_key

Pair = tuple[Posterior, Posterior]  # of one house, by the optimal and by a private rate


def one_house(day: Day, observer: Observer) -> None:
    """The optimal rate, and the private one that she is said to see."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        observer = judging(day.scenario, observer)
    everyone = beliefs(day, observer)
    seen = everyone.of(observer.house)
    observer = observer._replace(house=int(seen.houses[0]), model=seen.model)
    optimal, private = (
        beliefs(day, observer._replace(rate=rate)).of(observer.house)
        for rate in (UNPROTECTED, observer.private)
    )
    pair, occupied = (optimal, private), truth(day, seen)[:, 0]
    pinned = _pinned(day, observer._replace(rate=observer.private))
    here: clock.DayClock = lab().extras.setdefault(
        "attacker:cursor", clock.DayClock("attacker:step", stride=2)
    )
    advance = partial(here.advance, day.scenario.steps - 1)
    clock.run(here, advance, partial(_at_a_moment, here, day, pair, occupied, pinned))
    show.lazy_expander(JUDGES, partial(_judged, day, seen, everyone, pair), JUDGING)
    download(day, observer)


def _pinned(day: Day, observer: Observer) -> dict[PinMark, Floats]:
    """Her belief about the same house in pinned scenarios that live the same day: elsewhere it is another."""
    same, others = {}, []
    for mark, other in pins.days().items():
        if street_key(other.scenario) == street_key(day.scenario):
            same[mark] = beliefs(other, observer).of(observer.house).belief[:, 0]
        else:
            others.append(mark.name)
    if others:
        st.caption(f"Not drawn, because their day is another one: {in_markdown(', '.join(others))}.")
    return same


def _judged(day: Day, seen: Posterior, everyone: Posterior, pair: Pair) -> None:
    """The house, how far the rates give it away, how exact she is, and what the promise allows her."""
    st.markdown(house_words(day, seen))
    promised = REGISTRY[seen.mechanism].promised(day.scenario.epsilon)
    largest = float(np.abs(everyone.log_likelihood_ratio).max())
    st.caption(f"{METHODS[seen.method]} {limit_words(seen.method, largest, promised)}".strip())
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

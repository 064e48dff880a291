"""One house through the day: what she believes of it by the optimal and by a private rate."""

from functools import partial

import numpy as np
import streamlit as st

from pages.ui import cache, pins, show
from pages.ui.attack.houses import HOUSE, moment
from pages.ui.attack.observer import Observer, beliefs, by_both_rates, truth
from pages.ui.session import button, lab
from rtp.attack.adversary import Posterior
from rtp.core.formatting import in_markdown
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.attack import belief_figure
from rtp.figures.style import PinMark
from rtp.mechanisms import REGISTRY
from rtp.output.attack import METHODS, belief_words, house_words, limit_words, worst_moment_words
from rtp.simulation import Day, street_key

Pair = tuple[Posterior, Posterior]  # of one house, by the optimal and by a private rate
DETAILS = "How exact this is, and what the promise allows"


def one_house(day: Day, observer: Observer) -> None:
    """The optimal rate, and the private one held against it; the line is where the windows' clock is."""
    everyone = by_both_rates(day, observer)
    optimal, private = (seen.of(observer.house) for seen in everyone)
    pair, scenario = (optimal, private), day.scenario
    occupied = truth(day, optimal)[:, 0]
    sentences = [belief_words(day, pair, occupied, step) for step in range(scenario.steps_per_day)]
    pinned = _pinned(day, observer._replace(model=private.model))
    with st.container(border=True, key="one-house"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(house_words(day, private), width="stretch")
            button("Close", "attacker:close", "close", lab().show, HOUSE, None, type="tertiary")
        drawn = belief_figure(day, pair, occupied, sentences, moment(scenario), pinned)
        show.chart(drawn, "belief", card=False)
        show.lazy_expander(DETAILS, partial(_details, day, everyone[1], pair), ":material/psychology:")


def _pinned(day: Day, observer: Observer) -> dict[PinMark, Floats]:
    """Her belief about the same house in pinned scenarios that live the same day: elsewhere it is another."""
    same, others = {}, []
    for mark, other in pins.days().items():
        if street_key(other.scenario) == street_key(day.scenario):
            seen = beliefs(other, observer._replace(rate=observer.private))
            same[mark] = seen.of(observer.house).belief[:, 0]
        else:
            others.append(mark.name)
    if others:
        st.caption(f"Not drawn, because their day is another one: {in_markdown(', '.join(others))}.")
    return same


def _details(day: Day, everyone: Posterior, pair: Pair) -> None:
    """How far the rates give the house away, how exact she is, and what the promise allows her."""
    seen = pair[1]
    promised = REGISTRY[seen.mechanism].promised(day.scenario.epsilon)
    largest = float(np.abs(everyone.log_likelihood_ratio).max())
    st.caption(f"{METHODS[seen.method]} {limit_words(seen.method, largest, promised)}".strip())
    leak = cache.moments(day, seen.mechanism, int(seen.houses[0]))
    st.caption(f"{style.title(seen.mechanism)} rate: {worst_moment_words(leak, day.scenario)}")

"""One house through the day, with a play button."""

from collections.abc import Mapping
from functools import partial
from math import isfinite

import streamlit as st

from pages.ui import pins, player
from pages.ui.attacker.controls import Watched
from pages.ui.attacker.cursor import chosen_step, cursor
from pages.ui.attacker.watch import download, watch, which_filter
from pages.ui.show import chart, metric
from rtp.arrays import Bools, Floats
from rtp.attacker.choice import column_of
from rtp.attacker.moment import moment, proofs
from rtp.attacker.observer import Horizon, Posterior
from rtp.attacker.words import limit_words
from rtp.audit.table import loss
from rtp.figures import style
from rtp.figures.attacker import belief_figure
from rtp.figures.style import PinMark
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day, life_key
from rtp.street.days import households

RIGHT: dict[Horizon, str] = {"so far": "Right so far", "whole day": "Right up to here"}


def one_house(day: Day, watched: Watched) -> None:
    seen = watch(day, watched)
    column = column_of(seen, watched.house)
    st.markdown(_who(day, seen, column))
    occupied = households(day.life.spec, day.street, [int(seen.houses[column])])[0][:, 0]
    pinned = _pinned(day, watched, int(seen.houses[column]))
    alone = seen.only(column)  # what an open page may draw again is kept with it: of one house only
    player.run(cursor(), day.scenario.steps - 1, partial(_at_a_moment, day, alone, occupied, pinned))
    st.caption(f"{which_filter(day, seen)} {limit_words(seen, day.scenario)}")
    download(day, watched)


def _who(day: Day, seen: Posterior, column: int) -> str:
    """The house, and how far the rates give it away, in words."""
    house, street = int(seen.houses[column]), day.street
    proved = proofs(seen, column)
    return (
        f"**House {house}** ({day.scenario.groups[street.group[house]].name}) uses up to "
        f"{street.occupied_bound[house]:.3g} when occupied and {street.empty_bound[house]:.3g} when empty. "
        f"The {style.label(seen.mechanism).lower()} rates move her belief by {seen.exposure[column]:.1%} on "
        f"average; over all {len(seen.houses):,} houses she follows by {seen.exposure.mean():.1%}."
        + (f" She believes the model **{seen.model}**." if len(day.scenario.models) > 1 else "")
        + (f" **At {proved} of {day.scenario.steps} steps the rate is proof.**" if proved else "")
    )


def _pinned(day: Day, watched: Watched, house: int) -> dict[PinMark, Floats]:
    """Her belief about the same house in pinned scenarios that live the same day: elsewhere it is another."""
    days = pins.days()
    same = {mark: other for mark, other in days.items() if _lives(other) == _lives(day)}
    if others := [mark.name for mark in days if mark not in same]:
        st.caption(f"Not drawn, because another day is lived there: {', '.join(others)}.")
    found = {mark: watch(other, watched._replace(house=house)) for mark, other in same.items()}
    return {mark: seen.belief[:, column_of(seen, house)].copy() for mark, seen in found.items()}


def _lives(day: Day) -> str:
    return life_key(day.scenario)


def _at_a_moment(day: Day, seen: Posterior, occupied: Bools, pinned: Mapping[PinMark, Floats]) -> None:
    here, last = cursor(), day.scenario.steps - 1
    with st.container(horizontal=True, vertical_alignment="center"):
        keys = ("attacker:play", "attacker:stop")
        player.play_button(here.playing, partial(here.play, last), here.stop, keys)
        step = chosen_step(day.scenario, "Time")
    _metrics(day, seen, occupied, step)
    chart(belief_figure(day, seen, 0, occupied, step, pinned), key="belief")


def _metrics(day: Day, seen: Posterior, occupied: Bools, step: int) -> None:
    """The moment, and the day so far, each beside what to compare it with."""
    now = moment(seen, 0, occupied, step)
    promised = REGISTRY[seen.mechanism].promised(day.scenario.epsilon)
    limit = f"promised: at most {promised:g}" if isfinite(promised) else "nothing is promised"
    with st.grid(4, min_column_width=150):
        metric("Truth", "occupied" if now.occupied else "empty", f"at {day.scenario.when(step)}")
        metric("She says", f"{now.belief:.1%} occupied", f"the model alone {now.model_alone:.1%}")
        metric(RIGHT[seen.horizon], f"{now.right:.1%}", f"the model alone {now.right_alone:.1%}")
        metric("Largest evidence", loss(now.largest_evidence), limit)

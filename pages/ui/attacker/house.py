"""What she makes of a house through the day, with a play button, and of every house of the street."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.ui import pins, player
from pages.ui.attacker.controls import Watched, chosen_step, cursor, follows_all, without_budget
from pages.ui.cache import cached, moments
from pages.ui.show import chart, csv, metric
from pages.ui.widgets import url_toggle
from rtp.attack.adversary import Inference, Posterior, column_of, largest_gap, ordered_columns, posterior
from rtp.attack.scores import approximation_error, reference_scenario
from rtp.attack.success import moment_summary
from rtp.attack.words import limit_words, method_words, use_words
from rtp.core.types import Bools, Floats
from rtp.figures import style
from rtp.figures.attack import FIRST, belief_figure, rate_name, street_figure
from rtp.figures.style import PinMark
from rtp.leakage.words import worst_moment_words
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.simulation import Day, street_key
from rtp.street.simulate import replay_houses

if TYPE_CHECKING:
    import pandas as pd


def watch(day: Day, watched: Watched) -> Posterior:
    rate, adversary, house, inference, model = watched
    model = model if model in day.scenario.model_names else None  # a pinned scenario may have others
    house = followed(day, house)
    noisy = REGISTRY[rate].adds_noise
    on = day.scenario.to_json(None) if noisy else without_budget(day.scenario)
    key = f"{on} {rate} {adversary} {house} {inference} {model}"
    asked = partial(posterior, day, rate, adversary=adversary, inference=inference, house=house, model=model)
    return cached("posterior", key, asked, "Reading every rate …", weight="heavy")


def followed(day: Day, house: int | None) -> int | None:
    """The one house she follows where the street is too long for all; None is all."""
    if follows_all(day.scenario):
        return None
    return largest_gap(day.street) if house is None else house


def which_filter(day: Day, seen: Posterior) -> str:
    """Which filter is at work and how far off it is, measured on a few houses of the same kind."""
    if seen.method != "gaussian" or day.street.distributions is not None:
        return method_words(seen, has_distributions=day.street.distributions is not None)
    small = reference_scenario(day.scenario)
    measure = partial(approximation_error, small, seen.mechanism, seen.inference)
    key = f"{small.to_json(None)} {seen.mechanism} {seen.inference}"
    found = cached("judged", key, measure, "Measuring how far off she is …", weight="heavy")
    return method_words(seen, found, small.epsilon)


def truth(day: Day, seen: Posterior) -> Bools:
    """(T, n): which of the houses she follows were occupied when."""
    return replay_houses(day.street_day.spec, day.street, seen.houses.tolist())[0]


def download(day: Day, watched: Watched) -> None:
    csv(
        "Beliefs as CSV",
        partial(_frame, day, watched),
        "beliefs.csv",
        help="Every house she follows, every step: truth, the model alone, her belief, the evidence.",
    )


def _frame(day: Day, watched: Watched) -> "pd.DataFrame":
    """Her beliefs are looked up, or made again: kept for every open page they would fill the memory."""
    seen = watch(day, watched)
    return seen.frame(truth(day, seen), day.scenario.step_minutes)


SO_FAR: dict[Inference, str] = {"filtering": "so far", "smoothing": "up to here"}


def one_house(day: Day, watched: Watched) -> None:
    """Two rates side by side: the unprotected one, and the private one that she is said to see."""
    seen = watch(day, watched)
    column = column_of(seen, watched.house)
    house = int(seen.houses[column])
    st.markdown(_who(day, seen, column))
    occupied = _truth(day, house)
    pair = _pair(day, watched, seen, house)
    pinned = _pinned(day, watched._replace(rate=pair[1].mechanism, house=house))
    player.run(cursor(), day.scenario.steps - 1, partial(_at_a_moment, day, pair, occupied, pinned))
    st.caption(f"{which_filter(day, seen)} {limit_words(seen, day.scenario)}")
    st.caption(_worst_moment(day, pair[1].mechanism, house))
    download(day, watched)


def _truth(day: Day, house: int) -> Bools:
    """(T,): when the house was occupied; no price changes it."""
    lived = partial(replay_houses, day.street_day.spec, day.street, [house])
    return cached("truth", f"{_lives(day)} {house}", lived)[0][:, 0]


def _who(day: Day, seen: Posterior, column: int) -> str:
    """The house, and how far the rates give it away, in words."""
    house, street = int(seen.houses[column]), day.street
    return (
        f"**{day.scenario.house(house, capital=True)}** "
        f"({day.scenario.groups[street.group[house]].name}) {use_words(street, house)}. "
        f"The {style.label(seen.mechanism).lower()} rates move her belief by {seen.exposure[column]:.1%} on "
        f"average{_all_houses(seen)}."
        + (f" She believes the model **{seen.model}**." if len(day.scenario.models) > 1 else "")
    )


def _all_houses(seen: Posterior) -> str:
    if len(seen.houses) == 1:
        return ""
    return f"; over all {len(seen.houses):,} houses she follows by {seen.exposure.mean():.1%}"


def _pair(day: Day, watched: Watched, seen: Posterior, house: int) -> tuple[Posterior, Posterior]:
    """The house alone, from the unprotected and from a private rate: an open page, which may draw them
    again, keeps no other house."""
    other = FEATURED if watched.rate == UNPROTECTED else UNPROTECTED
    beside = watch(day, watched._replace(rate=other, house=house, model=seen.model))
    first, second = (seen, beside) if watched.rate == UNPROTECTED else (beside, seen)
    return first.only(column_of(first, house)), second.only(column_of(second, house))


def _worst_moment(day: Day, mechanism: str, house: int) -> str:
    return f"{style.label(mechanism)}: {worst_moment_words(moments(day, mechanism, house), day.scenario)}"


def _pinned(day: Day, watched: Watched) -> dict[PinMark, Floats]:
    """Her belief about the same house in pinned scenarios that live the same day: elsewhere it is another."""
    days = pins.days()
    same = {mark: other for mark, other in days.items() if _lives(other) == _lives(day)}
    if others := [mark.name for mark in days if mark not in same]:
        st.caption(f"Not drawn, because another day is lived there: {', '.join(others)}.")
    found = {mark: watch(other, watched) for mark, other in same.items()}
    return {mark: seen.belief[:, column_of(seen, watched.house)].copy() for mark, seen in found.items()}


def _lives(day: Day) -> str:
    return street_key(day.scenario)


def _at_a_moment(
    day: Day, pair: tuple[Posterior, Posterior], occupied: Bools, pinned: Mapping[PinMark, Floats]
) -> None:
    here, last = cursor(), day.scenario.steps - 1
    with st.container(horizontal=True, vertical_alignment="center"):
        keys = ("attacker:play", "attacker:stop")
        player.play_button(here.playing, partial(here.play, last), here.stop, keys)
        step = chosen_step(day.scenario, "Time")
    _metrics(day, pair, occupied, step)
    chart(belief_figure(day, pair, occupied, step, pinned), key="belief")


def _metrics(day: Day, pair: tuple[Posterior, Posterior], occupied: Bools, step: int) -> None:
    """The moment, and the day so far: the truth, and what she makes of each rate."""
    exact, private = (moment_summary(seen, 0, occupied, step) for seen in pair)
    so_far = SO_FAR[pair[1].inference]
    with st.grid(3, min_column_width=150):
        metric(
            f"Truth at {day.scenario.when(step)}",
            "occupied" if private.occupied else "empty",
            f"model alone {private.model_alone:.1%}",
            help=f"The model alone is right at {private.right_alone:.1%} of the moments {so_far}.",
        )
        for seen, now in zip(pair, (exact, private), strict=True):
            metric(
                f"{rate_name(seen.mechanism)}: she says",
                f"{now.belief:.1%} occupied",
                f"right {now.right:.1%} {so_far}",
            )


def street(day: Day, watched: Watched) -> None:
    seen = watch(day, watched)
    n = len(seen.houses)
    with st.container(horizontal=True):
        by_exposure = url_toggle("Most exposed first", "attacker:sort", True)
        gain = url_toggle("Only what the rates added", "attacker:gain", help="Her belief less the model's")
        with_truth = url_toggle("Truth on top", "attacker:truth", True)
        every = n <= FIRST or url_toggle(f"All {n:,} houses", "attacker:all")
    columns = ordered_columns(seen, by_exposure=by_exposure, first=None if every else FIRST)
    chart(street_figure(day, seen, columns, truth(day, seen) if with_truth else None, gain), key="street")
    st.caption(which_filter(day, seen))
    download(day, watched)

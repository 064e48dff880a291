"""The Attacker screen: which rate she sees and what she knows; what she makes of a house through the day, and
of every house of the street."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.ui import cache, clock, jobs, pins
from pages.ui.cache import moments
from pages.ui.params import RATE
from pages.ui.session import lab
from pages.ui.show import chart, csv, metric
from pages.ui.widgets import offered_rates, url_house, url_segmented, url_select, url_toggle
from rtp.attack.adversary import (
    BY_HORIZON,
    BY_KNOWLEDGE,
    QUICK,
    AdversaryKind,
    Inference,
    OneHouse,
    Posterior,
    largest_gap,
    ordered_columns,
    posterior,
    posterior_of_one,
)
from rtp.attack.scores import ApproximationError, approximation_error, reference_scenario
from rtp.attack.success import moment_summary
from rtp.core.formatting import in_markdown
from rtp.core.types import Bools, Floats
from rtp.figures import style
from rtp.figures.attack import FIRST, belief_figure, rate_name, street_figure
from rtp.figures.style import PinMark
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.output.attack import KNOWS, limit_words, method_words, use_words
from rtp.output.leakage import worst_moment_words
from rtp.scenario import Scenario
from rtp.simulation import Day, street_key
from rtp.street.simulate import replay_houses

if TYPE_CHECKING:
    import pandas as pd

LONGEST = 100_000  # houses × days × models up to which she follows one house knowing the model only
HORIZONS: dict[Inference, str] = {"filtering": "the rates so far", "smoothing": "the whole day"}
WORST = "the worst"
HOUSE, KNOWLEDGE = "attacker:house", "attacker:knows"


class Observer(NamedTuple):
    """Who looks, at what, and how: as the controls say."""

    rate: str
    adversary: AdversaryKind
    house: int | None  # None: the most exposed
    inference: Inference
    model: str | None  # None: the worst


def controls(scenario: Scenario) -> Observer:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rate = url_select("The rate she sees", offered_rates(scenario, RATE), RATE, style.label, width=190)
        house = _house(scenario)
        knows = url_segmented(
            "She knows",
            known(scenario),
            KNOWLEDGE,
            _knows_words,
            help="The model is the habits and bounds of every house. Where she also knows everyone else's "
            "consumption, only the noise hides a house.",
        )
        horizon = url_segmented(
            "She judges by",
            list(BY_HORIZON),
            "attacker:horizon",
            _horizon_words,
            help="What she knows about a moment as it happens, or at the end of the day.",
        )
        model = _model(scenario)
    if not follows_all(scenario):
        st.caption(_one_house_only(scenario))
    return Observer(rate, BY_KNOWLEDGE[knows], house, BY_HORIZON[horizon], model)


def _model(scenario: Scenario) -> str | None:
    """The model she believes in, where there are several; None is the worst."""
    if len(scenario.models) == 1:
        return None
    chosen = url_select(
        "The model she believes",
        [WORST, *scenario.model_names],
        "attacker:model",
        width=190,
        help="The worst is the model under which the rates shift her beliefs most, on average over the day "
        "and the houses she follows.",
    )
    return None if chosen == WORST else chosen


def known(scenario: Scenario) -> list[str]:
    """What she may know, where there is time to follow it."""
    return list(BY_KNOWLEDGE) if size(scenario) <= LONGEST else ["others"]


def _knows_words(knows: str) -> str:
    return KNOWS[BY_KNOWLEDGE[knows]]


def _horizon_words(horizon: str) -> str:
    return HORIZONS[BY_HORIZON[horizon]]


def _one_house_only(scenario: Scenario) -> str:
    words = (
        f"Beyond {QUICK:,} houses × days × models she follows one house. Unless you choose one, its mean "
        "use differs most between its states."
    )
    if size(scenario) <= LONGEST:
        return words
    return f"{words} Beyond {LONGEST:,} she always knows everyone else's consumption."


def _house(scenario: Scenario) -> int | None:
    return url_house(
        HOUSE,
        scenario,
        empty="the most exposed",
        help="Empty: the house about which this rate reveals most.",
    )


def follows_all(scenario: Scenario) -> bool:
    return size(scenario) <= QUICK


def size(scenario: Scenario) -> int:
    return scenario.households * scenario.days * len(scenario.models)


def cursor() -> clock.DayClock:
    here: clock.DayClock = lab().memo.setdefault("attacker:cursor", clock.DayClock("attacker:step", stride=2))
    return here


def chosen_step(scenario: Scenario, label: str) -> int:
    return clock.time_slider(cursor(), label, label, scenario.steps, scenario.when)


READING = "Reading every rate …"


def _key(day: Day, observer: Observer) -> str:
    """Whoever sees a rate without noise sees the same at every ε."""
    apart_from = () if REGISTRY[observer.rate].adds_noise else ("epsilon",)
    believed = observer._replace(model=_believed(day, observer.model))
    return cache.key_of(day, believed, apart_from=apart_from)


def beliefs(day: Day, observer: Observer) -> Posterior:
    """Her beliefs about every house she follows."""
    return _posterior(day, observer._replace(house=followed(day, observer.house)))


@cache.shared(key=_key, spinner=READING)
def house_beliefs(day: Day, observer: Observer) -> OneHouse:
    """One house of them, at first the most exposed: a thousandth of what `beliefs` keeps. Made in a worker:
    other visitors need not wait for it."""
    believed = observer._replace(model=_believed(day, observer.model))
    return jobs.call(posterior_of_one, day, *believed, followed(day, observer.house))


@cache.shared(key=_key, spinner=READING, weight="heavy")
def _posterior(day: Day, observer: Observer) -> Posterior:
    rate, adversary, house, inference, model = observer
    return posterior(
        day,
        rate,
        adversary=adversary,
        inference=inference,
        house=followed(day, house),
        model=_believed(day, model),
    )


def _believed(day: Day, model: str | None) -> str | None:
    """The model she believes; a pinned scenario may have others."""
    return model if model in day.scenario.model_names else None


def followed(day: Day, house: int | None) -> int | None:
    """The one house she follows where the street is too long for all; None is all."""
    if follows_all(day.scenario):
        return None
    return largest_gap(day.street) if house is None else house


def which_filter(day: Day, seen: Posterior, more: str = "") -> None:
    """Which filter is at work and how far off it is, measured on a few houses of the same kind; and more.

    Where houses have distributions of use the exact one is too slow to measure it by.
    """
    if seen.method != "gaussian" or day.street.distributions is not None:
        st.caption(f"{method_words(seen.method)} {more}".strip())
        return
    small = reference_scenario(day.scenario)
    cache.draw_when_made(partial(_measured, small, seen), partial(_accuracy, small, seen, more))


def _measured(small: Scenario, seen: Posterior, patience: float) -> cache.Beside[ApproximationError]:
    return _judged.beside(patience, small, seen.mechanism, seen.inference)


@cache.shared()
def _judged(small: Scenario, mechanism: str, inference: Inference) -> ApproximationError:
    return jobs.call(approximation_error, small, mechanism, inference)


def _accuracy(small: Scenario, seen: Posterior, more: str, made: cache.Beside[ApproximationError]) -> None:
    st.caption(f"{method_words(seen.method, made.value, small.epsilon)} {more}".strip())


def truth(day: Day, seen: Posterior) -> Bools:
    """(T, n): which of the houses she follows were occupied when."""
    return replay_houses(day.street_day.spec, day.street, seen.houses.tolist())[0]


def download(day: Day, observer: Observer) -> None:
    csv(
        "Beliefs as CSV",
        partial(_frame, day, observer),
        "beliefs.csv",
        help="Every house she follows, every step: truth, the model alone, her belief, the evidence.",
    )


def _frame(day: Day, observer: Observer) -> "pd.DataFrame":
    """Her beliefs are looked up, or made again: kept for every open page they would fill the memory."""
    seen = beliefs(day, observer)
    return seen.frame(truth(day, seen), day.scenario.step_minutes)


SO_FAR: dict[Inference, str] = {"filtering": "so far", "smoothing": "up to here"}


def one_house(day: Day, observer: Observer) -> None:
    """Two rates side by side: the unprotected one, and the private one that she is said to see."""
    found = house_beliefs(day, observer)
    seen = found.seen
    house = int(seen.houses[0])
    st.markdown(_who(day, found))
    occupied = _truth(day, house)
    pair = _pair(day, observer, seen, house)
    pinned = _pinned(day, observer._replace(rate=pair[1].mechanism, house=house))
    here, last = cursor(), day.scenario.steps - 1
    clock.run(here, partial(here.advance, last), partial(_at_a_moment, day, pair, occupied, pinned))
    promised = REGISTRY[seen.mechanism].promised(day.scenario.epsilon)
    which_filter(day, seen, limit_words(seen.method, found.largest_evidence, promised))
    st.caption(_worst_moment(day, pair[1].mechanism, house))
    download(day, observer)


@cache.shared(key=lambda day, house: f"{_lives(day)} {house}")
def _truth(day: Day, house: int) -> Bools:
    """(T,): when the house was occupied; no price changes it."""
    return replay_houses(day.street_day.spec, day.street, [house])[0][:, 0]


def _who(day: Day, found: OneHouse) -> str:
    """The house, and how far the rates give it away, in words."""
    seen, street = found.seen, day.street
    house = int(seen.houses[0])
    return (
        f"**{day.scenario.house(house, capital=True)}** "
        f"({day.scenario.groups[street.group[house]].name}) {use_words(street, house)}. "
        f"The {style.label(seen.mechanism).lower()} rates shift her belief by {seen.exposure[0]:.1%} on "
        f"average{_all_houses(found)}."
        + (f" She believes the model **{seen.model}**." if len(day.scenario.models) > 1 else "")
    )


def _all_houses(found: OneHouse) -> str:
    if found.followed == 1:
        return ""
    return f"; over all {found.followed:,} houses her belief shifts by {found.mean_exposure:.1%}"


def _pair(day: Day, observer: Observer, seen: Posterior, house: int) -> tuple[Posterior, Posterior]:
    """The house from the unprotected and from a private rate."""
    other = FEATURED if observer.rate == UNPROTECTED else UNPROTECTED
    beside = house_beliefs(day, observer._replace(rate=other, house=house, model=seen.model)).seen
    return (seen, beside) if observer.rate == UNPROTECTED else (beside, seen)


def _worst_moment(day: Day, mechanism: str, house: int) -> str:
    return f"{style.label(mechanism)}: {worst_moment_words(moments(day, mechanism, house), day.scenario)}"


def _pinned(day: Day, observer: Observer) -> dict[PinMark, Floats]:
    """Her belief about the same house in pinned scenarios that live the same day: elsewhere it is another."""
    days = pins.days()
    same = {mark: other for mark, other in days.items() if _lives(other) == _lives(day)}
    if others := [mark.name for mark in days if mark not in same]:
        st.caption(f"Not drawn, because their day is another one: {in_markdown(', '.join(others))}.")
    return {mark: house_beliefs(other, observer).seen.belief[:, 0] for mark, other in same.items()}


def _lives(day: Day) -> str:
    return street_key(day.scenario)


def _at_a_moment(
    day: Day, pair: tuple[Posterior, Posterior], occupied: Bools, pinned: Mapping[PinMark, Floats]
) -> None:
    here, last = cursor(), day.scenario.steps - 1
    with st.container(horizontal=True, vertical_alignment="center"):
        clock.play_button(here, partial(here.start, last), "attacker")
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


def street(day: Day, observer: Observer) -> None:
    seen = beliefs(day, observer)
    n = len(seen.houses)
    with st.container(horizontal=True):
        by_exposure = url_toggle("Most exposed first", "attacker:sort", True)
        gain = url_toggle("Only what the rates added", "attacker:gain", help="Her belief minus the model's")
        with_truth = url_toggle("Truth on top", "attacker:truth", True)
        every = n <= FIRST or url_toggle(f"All {n:,} houses", "attacker:all")
    columns = ordered_columns(seen, by_exposure=by_exposure, first=None if every else FIRST)
    chart(street_figure(day, seen, columns, truth(day, seen) if with_truth else None, gain), key="street")
    which_filter(day, seen)
    download(day, observer)

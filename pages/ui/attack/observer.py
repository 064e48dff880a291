"""Who looks, at what, and what she believes of the houses: what the tabs of the Attack screen share."""

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.ui import cache, clock, jobs
from pages.ui.params import RATE
from pages.ui.session import lab
from pages.ui.show import chart, csv, lazy_expander
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
from rtp.core.types import Bools
from rtp.figures import style
from rtp.figures.attack import FIRST, street_figure
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.output.attack import KNOWS, method_words
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.street.simulate import replay_houses

if TYPE_CHECKING:
    import pandas as pd

LONGEST = 100_000  # houses × days × models up to which she follows one house knowing the habits only
HORIZONS: dict[Inference, str] = {"filtering": "past rates", "smoothing": "the full day"}
WORST, JUDGES = "the worst", "How she judges"
HOUSE, KNOWLEDGE = "attacker:house", "attacker:knows"


class Observer(NamedTuple):
    """Who looks, at what, and how: as the controls say."""

    rate: str
    adversary: AdversaryKind
    house: int | None  # None: the most exposed
    inference: Inference = "filtering"
    model: str | None = None  # None: the worst

    @property
    def private(self) -> str:
        """The rate that is held against the optimal one."""
        return FEATURED if self.rate == UNPROTECTED else self.rate


def controls(scenario: Scenario) -> Observer:
    """What all tabs share."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rate = url_select("The rate she sees", offered_rates(scenario, RATE), RATE, style.label, width=190)
        house = url_house(
            HOUSE,
            scenario,
            empty="the most exposed",
            help="Empty: the house about which most is revealed or, where that is not computed for all, "
            f"whose use differs most between its states.{_limits(scenario)}",
        )
        knows = url_segmented(
            "She knows",
            known(scenario),
            KNOWLEDGE,
            _knows_words,
            help="Habits and bounds of every house are public. Where she also knows what everyone else used, "
            "only the noise protects a house from her.",
        )
    return Observer(rate, BY_KNOWLEDGE[knows], house)


def judging(scenario: Scenario, observer: Observer) -> Observer:
    """How she judges, chosen in the row of controls that is open."""
    horizon = url_segmented(
        "She uses",
        list(BY_HORIZON),
        "attacker:horizon",
        _horizon_words,
        help="For a moment: the rates until then, or those of the whole day.",
    )
    return observer._replace(inference=BY_HORIZON[horizon], model=_model(scenario))


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


def _limits(scenario: Scenario) -> str:
    """What is not followed on a long street."""
    if follows_all(scenario):
        return ""
    words = f" Beyond {QUICK:,} houses × days × models she follows one house only."
    if size(scenario) <= LONGEST:
        return words
    return f"{words} Beyond {LONGEST:,} she always knows everyone else's use."


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
    asked = (small, seen.mechanism, seen.inference)
    cache.draw_when_made(_judged, asked, partial(_accuracy, small, seen, more))


def folded(day: Day, seen: Posterior, more: str = "") -> None:
    """The same, where one asks for it."""
    lazy_expander(JUDGES, partial(which_filter, day, seen, more), ":material/psychology:")


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
        help="Every house she follows, every step: truth, habits alone, her belief, the evidence.",
    )


def _frame(day: Day, observer: Observer) -> "pd.DataFrame":
    """Her beliefs are looked up, or made again: kept for every open page they would fill the memory."""
    seen = beliefs(day, observer)
    return seen.frame(truth(day, seen), day.scenario.step_minutes)


def street(day: Day, observer: Observer) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        observer = judging(day.scenario, observer)
        seen = beliefs(day, observer)
        n = len(seen.houses)
        by_exposure = url_toggle("Most exposed first", "attacker:sort", True)
        gain = url_toggle(
            "Only what the rates added", "attacker:gain", help="Her belief minus that of habits alone"
        )
        with_truth = url_toggle("Truth on top", "attacker:truth", True)
        every = n <= FIRST or url_toggle(f"All {n:,} houses", "attacker:all")
    columns = ordered_columns(seen, by_exposure=by_exposure, first=None if every else FIRST)
    chart(street_figure(day, seen, columns, truth(day, seen) if with_truth else None, gain), key="street")
    folded(day, seen)
    download(day, observer)

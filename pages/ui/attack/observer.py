"""What all of the Attack screen shares: who looks, at what, and what she believes of the houses."""

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.params import RATE
from pages.ui.session import lab
from pages.ui.show import csv
from pages.ui.widgets import offered_rates, url_house, url_segmented, url_select
from rtp.attack.adversary import (
    BY_HORIZON,
    BY_KNOWLEDGE,
    QUICK,
    AdversaryKind,
    Inference,
    Posterior,
    largest_gaps,
    posterior,
)
from rtp.core.types import Bools
from rtp.figures import style
from rtp.figures.attack import FIRST
from rtp.figures.windows import IN_A_LINE
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.output.attack import USES
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.street.simulate import replay_houses

if TYPE_CHECKING:
    import pandas as pd

LONGEST = 100_000  # houses × days × models up to which she follows some houses knowing the habits only
FEW = 100  # of them whose beliefs weigh little
WORST = "the worst"


class Observer(NamedTuple):
    """Who looks, at what, and how: as the controls say."""

    rate: str
    adversary: AdversaryKind
    house: int | None  # whose day is shown
    inference: Inference = "filtering"
    model: str | None = None  # None: the worst

    @property
    def private(self) -> str:
        """The rate that is held against the optimal one."""
        return FEATURED if self.rate == UNPROTECTED else self.rate


def controls(scenario: Scenario) -> Observer:
    """Who looks, and at what: above the picture, and the same for all that stands beneath it."""
    knows = url_segmented(
        "Observer",
        list(BY_KNOWLEDGE) if _size(scenario) <= LONGEST else ["others"],
        "attacker:knows",
        BY_KNOWLEDGE.__getitem__,
        help="An outsider knows the habits and bounds of every house, and reads the rates. An insider also "
        f"knows what everyone else used; beyond {LONGEST:,} houses × days × models only she is followed.",
    )
    rate = url_select("Rate", offered_rates(scenario, RATE), RATE, style.title, width=130)
    with st.popover("More", icon=":material/tune:"):
        horizon = url_segmented(
            "Reads",
            list(BY_HORIZON),
            "attacker:horizon",
            lambda horizon: USES[BY_HORIZON[horizon]],
            help="For a moment: the rates until then, or those of the whole day.",
        )
        house = url_house(
            "attacker:house",
            scenario,
            empty="click a window",
            help="The house whose day is shown, and of which the bars tell. Empty: none, and the bars tell "
            "of the worst. A second click on its window closes it.",
        )
        model = WORST
        if len(scenario.models) > 1:
            model = url_select(
                "Model believed",
                [WORST, *scenario.model_names],
                "attacker:model",
                help="The worst is the model under which the rates shift beliefs most, on average over the "
                "day and the houses that are followed.",
            )
    believed = None if model == WORST else model
    return Observer(rate, BY_KNOWLEDGE[knows], house, BY_HORIZON[horizon], believed)


def _size(scenario: Scenario) -> int:
    return scenario.households * scenario.days * len(scenario.models)


def shown_houses(day: Day, observer: Observer) -> list[int]:
    """Return the houses whose windows are shown: the same for every observer, rate and budget; one line of
    them in front of a class."""
    return largest_gaps(day.street, IN_A_LINE if lab().presenting else FIRST, observer.house)


def beliefs(day: Day, observer: Observer) -> Posterior:
    """Her beliefs about every house she follows: all, or those that are shown where the street is too long.
    The model she believes may be none of a pinned scenario's."""
    houses = None if _size(day.scenario) <= QUICK else tuple(shown_houses(day, observer))
    model = observer.model if observer.model in day.scenario.model_names else None
    return _posterior(day, observer.adversary, observer.rate, observer.inference, model, houses)


def by_both_rates(day: Day, observer: Observer) -> tuple[Posterior, Posterior]:
    """Her beliefs by the optimal rate, and by the private one that is held against it."""
    return (
        beliefs(day, observer._replace(rate=UNPROTECTED)),
        beliefs(day, observer._replace(rate=observer.private)),
    )


def key_of(rate: str, day: Day, *depends_on: object) -> str:
    """What is learned from a rate depends on: whoever sees one without noise sees the same at every ε."""
    apart_from = () if REGISTRY[rate].adds_noise else ("epsilon",)
    return cache.key_of(rate, day, *depends_on, apart_from=apart_from)


@cache.shared(
    key=lambda day, adversary, rate, *how: key_of(rate, day, rate, adversary, *how),
    spinner="Reading every rate …",
    weight=lambda day, *_: "light" if _size(day.scenario) <= FEW else "heavy",
)
def _posterior(
    day: Day,
    adversary: AdversaryKind,
    rate: str,
    inference: Inference,
    model: str | None,
    houses: tuple[int, ...] | None,
) -> Posterior:
    """Made in a worker: other visitors need not wait for it."""
    return jobs.call(
        posterior, day, rate, adversary=adversary, inference=inference, house=houses, model=model
    )


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

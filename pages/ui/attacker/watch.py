"""What she makes of every house, or of one where the street is too long to wait for."""

from functools import partial
from typing import TYPE_CHECKING

from pages.ui.attacker.controls import Watched, follows_all, without_budget
from pages.ui.cache import cached
from pages.ui.show import csv
from rtp.attack.adversary import Posterior, largest_gap, posterior
from rtp.attack.scores import approximation_error, reference_scenario
from rtp.attack.words import method_words
from rtp.core.types import Bools
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day
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

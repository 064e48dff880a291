"""What is slow to make and the same for everybody: made once, and kept.

A function under `shared` is called once for the same arguments. Its values are frozen and shared by all
sessions; the key is the text of its arguments, of a scenario its JSON. Streets are kept apart from their
prices, so that moving ε or the tariff draws no street again.

Why not `st.cache_resource`: it records what is shown while a value is made, a progress bar or another
spinner, and shows it again at every later use; and to find a value takes it longer, which Explore does a
dozen times whenever it is drawn.
"""

import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Generic, Literal, ParamSpec, TypeVar, get_args

import streamlit as st
from pydantic import BaseModel

from pages.ui import jobs
from rtp.core.formatting import percent
from rtp.core.language import spoken
from rtp.core.types import Floats
from rtp.core.workers import Progress, partial_progress
from rtp.exposure import Exposure, Observer, Secret
from rtp.exposure import exposure as find_exposure
from rtp.figures.style import Picture
from rtp.leakage.moment import MomentLeakage, moment_leakage
from rtp.money.bills import bills
from rtp.scenario import Scenario, edit
from rtp.simulation import Day, draw_day, publish_day, street_key
from rtp.street.simulate import StreetDay

Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")
Weight = Literal["light", "drawn", "heavy", "huge"]

MANY_HOUSES = 20_000  # house-days from which a street is long
OBSERVERS: tuple[Observer, ...] = get_args(Observer)
Told = dict[tuple[Secret, Observer], Exposure]
Asked = tuple[Scenario, Secret, Observer, float, Progress | None, int | None]
RAREST = 0.05  # an answer that habits leave likelier than that is a secret
NO_PART = ("epsilon", "days", "power_unit", "occupied_means", "currency")  # of a street's exposure
SLOW = 200_000  # house-days from which drawing takes long enough to show progress


@dataclass
class Slot:
    """Mutable: filled once. Who asks for the same waits, a failure is tried again by the next."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    filled: bool = False
    value: Any = None


def slots(most: int) -> Callable[[str, str], Slot]:
    """So many slots by kind and key; the one that was not used for the longest time goes first."""
    return lru_cache(maxsize=most)(lambda kind, key: Slot())


KEPT: dict[Weight, Callable[[str, str], Slot]] = {
    "light": slots(500),  # numbers and words, the days of ordinary streets: up to some hundred kilobytes each
    "drawn": slots(500),  # a scenario beside the one before it: so many that they would push out the numbers
    "heavy": slots(16),  # something for every house and step: some megabytes each
    "huge": slots(3),  # long streets: up to some hundred megabytes each
}
_finding = threading.Lock()  # two who ask for the same key at once are given one slot


def key_of(*depends_on: object, apart_from: Collection[str] = ()) -> str:
    """Return a text that differs where one of these does, apart from those fields of a scenario. What has
    no short and exact text is refused: two of them might be taken for one."""
    return " ".join(_text(each, apart_from) for each in depends_on)


def _text(value: object, apart_from: Collection[str]) -> str:
    if isinstance(value, Day):
        return _text(value.scenario, apart_from)
    if isinstance(value, BaseModel):
        return value.model_dump_json(exclude=set(apart_from) if isinstance(value, Scenario) else None)
    if isinstance(value, tuple | list):
        return f"({key_of(*value, apart_from=apart_from)})"
    if value is None or isinstance(value, str | int | float):
        return repr(value)
    raise TypeError(f"A {type(value).__name__} is no part of a key: say what it depends on.")


@dataclass(frozen=True)
class Shared(Generic[Arguments, Value]):
    """A function whose values are kept for everybody; `shared` says what its fields mean."""

    make: Callable[Arguments, Value]
    weight: Weight | Callable[..., Weight]
    spinner: str | None
    key: Callable[..., str] | None
    apart_from: Collection[str]

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        """What the function gives, called at most once for these arguments; the spinner turns meanwhile."""
        slot = self.slot(*args, **kwargs)
        with slot.lock:
            if not slot.filled:
                with st.spinner(self.spinner) if self.spinner else nullcontext():
                    slot.value = self.make(*args, **kwargs)
                slot.filled = True
            value: Value = slot.value
        return value

    def known(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> bool:
        """Whether it has been made for these arguments."""
        return self.slot(*args, **kwargs).filled

    def slot(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Slot:
        """Where the value for these arguments is kept."""
        weight = self.weight(*args, **kwargs) if callable(self.weight) else self.weight
        kind = f"{self.make.__module__}.{self.make.__qualname__}"
        if self.key is not None:
            text = self.key(*args, **kwargs)
        else:
            text = key_of(*args, *kwargs.items(), apart_from=self.apart_from)
        with _finding:
            return KEPT[weight](kind, text)


def shared(
    *,
    weight: Weight | Callable[..., Weight] = "light",
    spinner: str | None = None,
    key: Callable[..., str] | None = None,
    apart_from: Collection[str] = (),
) -> Callable[[Callable[Arguments, Value]], Shared[Arguments, Value]]:
    """Keep what a function gives for everybody: `spinner` turns while it is made, `key` says what it depends
    on where that is less than its arguments, `apart_from` names fields of a scenario that do not matter."""

    def decorate(make: Callable[Arguments, Value]) -> Shared[Arguments, Value]:
        return Shared(make, weight, spinner, key, apart_from)

    return decorate


def weight_per_house(scenario: Scenario, long: Weight = "heavy") -> Weight:
    """Of what has some numbers for every house: it weighs little but on long streets."""
    return long if scenario.households * scenario.days > MANY_HOUSES else "light"


@shared(weight=lambda scenario: weight_per_house(scenario, "huge"))
def day(scenario: Scenario) -> Day:
    """The scenario's day; the street is drawn only if it has not been drawn yet."""
    return publish_day(scenario, street_day(scenario))


@shared(weight=lambda scenario: weight_per_house(scenario, "huge"), key=street_key)
def street_day(scenario: Scenario) -> StreetDay:
    """The scenario's street and its day, before any price."""
    if scenario.households * scenario.days < SLOW:
        return draw_day(scenario)
    words = f"Drawing the day of {scenario.households:,} households …"
    bar = st.progress(0.0, words)
    shown = 0.0

    def report(done: float) -> None:
        nonlocal shown
        if done - shown >= 0.01:
            shown = done
            bar.progress(done, f"{words} {percent(done, 2)}")

    try:
        return draw_day(scenario, report)
    finally:
        bar.empty()


def exposure_key(
    scenario: Scenario,
    secret: Secret,
    observer: Observer,
    rarest: float = RAREST,
    progress: Progress | None = None,
    house: int | None = None,
) -> str:
    """What exposure depends on: no budget, and no price but where demand follows the rate or it is cut."""
    priced = scenario.elasticity or scenario.clip_at_zero or scenario.price_cap
    prices = () if priced else ("alpha", "beta", "price_range", "reference_rate", "inelastic_demand")
    return key_of(scenario, secret, observer, rarest, house, apart_from=(*NO_PART, *prices))


@shared(weight=lambda scenario, *_, **__: weight_per_house(scenario), key=exposure_key)
def exposure(
    scenario: Scenario,
    secret: Secret,
    observer: Observer,
    rarest: float = RAREST,
    progress: Progress | None = None,
    house: int | None = None,
) -> Exposure:
    """How often she tells the secret of the worst house, or of this one, by the width of the noise. It may
    have been found for another budget: tell `at` the scenario's own."""
    houses = None if house is None else [house]
    options = {"rarest": rarest, "houses": houses, "progress": progress}
    return jobs.call(find_exposure, scenario, secret, observer, **options)


def exposures(
    name: str, scenarios: Sequence[Scenario], secrets: Sequence[Secret], house: int | None = None
) -> list[Told] | None:
    """What either observer tells of these secrets on each street, or of one house there. It is found by a job
    of that name, which shows how far it is and can be stopped; None until all is known."""
    keys = [key for street in scenarios for key in _asked(street, secrets, house)]
    if not all(exposure.known(*key) for key in keys):
        text = " ".join(exposure_key(*key) for key in keys)
        job = jobs.run(name, text, partial(_look_for, keys), "Find who shows", auto=True)
        if job is None or job.state != "finished":
            return None
    return [known_exposures(street, secrets, house) for street in scenarios]


def known_exposures(scenario: Scenario, secrets: Sequence[Secret], house: int | None = None) -> Told:
    """What is known of these secrets on a street, or of one house there, without looking for more."""
    keys = _asked(scenario, secrets, house)
    return {(key[1], key[2]): exposure(*key) for key in keys if exposure.known(*key)}


def _asked(scenario: Scenario, secrets: Sequence[Secret], house: int | None) -> list[Asked]:
    return [(scenario, secret, who, RAREST, None, house) for secret in secrets for who in OBSERVERS]


def _look_for(keys: Sequence[Asked], report: jobs.Report[bool]) -> bool:
    """Find each, one after the other."""
    for number, (scenario, secret, observer, rarest, _, house) in enumerate(keys):
        part = partial_progress(report, number / len(keys), (number + 1) / len(keys))
        exposure(scenario, secret, observer, rarest, part, house)
    return True


other_interval = shared(apart_from=("epsilon", "alpha", "beta", "seed"))(edit.other_interval)


@shared()
def moments(day: Day, mechanism: str, house: int | None = None) -> MomentLeakage:
    """Every moment of a house, or of all; made in a worker, so that other visitors need not wait for it."""
    return jobs.call(moment_leakage, day, mechanism, house)


@shared(weight=lambda day: weight_per_house(day.scenario), spinner="Writing everybody's bill …")
def bills_of(day: Day) -> dict[str, Floats]:
    """Everybody's bill, by mechanism."""
    return bills(day)


def key_of_words(*depends_on: object) -> str:
    """The same of what is said: in another language it is another."""
    return key_of(spoken(), *depends_on)


@shared(weight="drawn", key=lambda make, *depends_on: key_of_words(*depends_on))
def picture(make: Callable[[], Picture], *depends_on: object) -> Picture:
    """A finished picture: whoever looks at the same scenario in the same language is sent the same one."""
    return make()

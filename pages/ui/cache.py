"""What is slow to make and the same for everybody: made once, and kept in Streamlit's cache.

A function under `shared` is called once for the same arguments. Its values are frozen and shared by all
sessions; the key is the text of its arguments, of a scenario its JSON. Streets are kept apart from their
prices, so that moving ε or the tariff draws no street again.

What `st.cache_resource` keeps is a slot for each key, which is filled here and not within the cached
function: there Streamlit would record what is shown meanwhile, a progress bar or another spinner, and show it
again at every later use.
"""

import inspect
import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial, update_wrapper
from typing import Any, Generic, Literal, NamedTuple, ParamSpec, Protocol, TypeVar

import streamlit as st
from pydantic import BaseModel

from pages.ui import jobs
from pages.ui.session import fragment
from rtp.figures.style import Picture
from rtp.leakage.budget import BUDGETS, MomentPrice, price_of_a_moment
from rtp.leakage.moment import MomentLeakage, moment_leakage
from rtp.money.bills import Bills, bills
from rtp.scenario import Scenario
from rtp.simulation import Day, draw_day, publish_day, street_key
from rtp.street.simulate import StreetDay
from rtp.teaching.exposure import exposure

LOG = logging.getLogger(__name__)
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")
Weight = Literal["light", "heavy", "huge"]

MANY_HOUSES = 20_000  # house-days from which a street is huge
ONE_BESIDE = threading.Lock()
PATIENCE, POLL = 0.15, 1.0  # seconds that a page waits for what is made beside it, and between two looks
FORGOTTEN = 5.0  # seconds after which nobody looks for what is to be made beside the page
RETRY = 10.0  # seconds until what failed is tried again; twice as long after every further failure
SLOW = 200_000  # house-days from which drawing takes long enough to show progress


@dataclass
class Slot:
    """Mutable: filled once. Who asks for the same waits, a failure is tried again by the next."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    filled: bool = False
    value: Any = None
    asked: float = 0.0  # when it was last looked for, of what is made beside the page
    failures: int = 0  # of it
    again: float = 0.0  # when it may be tried again after a failure


@st.cache_resource(max_entries=500, show_spinner=False)
def _light(kind: str, key: str) -> Slot:
    """Numbers, words and pictures, and the days of ordinary streets: up to some hundred kilobytes each."""
    return Slot()


@st.cache_resource(max_entries=32, show_spinner=False)
def _heavy(kind: str, key: str) -> Slot:
    """Something for every house and step: some megabytes each."""
    return Slot()


@st.cache_resource(max_entries=3, show_spinner=False)
def _huge(kind: str, key: str) -> Slot:
    """Long streets: up to some hundred megabytes each."""
    return Slot()


SLOTS = {"light": _light, "heavy": _heavy, "huge": _huge}


class HasDone(Protocol):
    """What is made beside the page, in one piece or in several."""

    @property
    def done(self) -> bool: ...


Making = TypeVar("Making", bound=HasDone)


class Beside(NamedTuple, Generic[Value]):
    """What is made beside the page: whether it is done and, unless it failed, what came of it."""

    done: bool
    value: Value | None


def key_of(*depends_on: object, apart_from: Collection[str] = ()) -> str:
    """Return a text that differs where one of these does, apart from those fields of a scenario. What has
    no short and exact text is refused: two of them might be taken for one."""
    return " ".join(_text(each, apart_from) for each in depends_on)


def _text(value: object, apart_from: Collection[str]) -> str:
    if isinstance(value, Day):
        return _text(value.scenario, apart_from)
    if isinstance(value, Scenario):
        same = {name: Scenario.model_fields[name].default for name in apart_from}
        return (value.replace(**same) if same else value).to_json(None)
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    if isinstance(value, tuple | list):
        return f"({key_of(*value, apart_from=apart_from)})"
    if value is None or isinstance(value, str | int | float):
        return repr(value)
    raise TypeError(f"A {type(value).__name__} is no part of a key: say what it depends on.")


class Shared(Generic[Arguments, Value]):
    """A function whose values are kept for everybody."""

    def __init__(
        self,
        make: Callable[Arguments, Value],
        weight: Weight | Callable[..., Weight],
        spinner: str | None,
        key: Callable[..., str] | None,
        apart_from: Collection[str],
    ) -> None:
        update_wrapper(self, make)
        self._make, self._spinner, self._key, self._apart_from = make, spinner, key, apart_from
        self._weight, self._signature = weight, inspect.signature(make)
        self._kind = f"{make.__module__}.{make.__qualname__}"

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        """What the function gives, called at most once for these arguments; the spinner turns meanwhile."""
        weight = self._weight(*args, **kwargs) if callable(self._weight) else self._weight
        slot = SLOTS[weight](self._kind, self._text(*args, **kwargs))
        with slot.lock:
            if not slot.filled:
                with st.spinner(self._spinner) if self._spinner else nullcontext():
                    slot.value = self._make(*args, **kwargs)
                slot.filled = True
            value: Value = slot.value
        return value

    def beside(self, patience: float, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Beside[Value]:
        """The same on a thread of its own: the page does not wait, or only so many seconds. A failure is done
        for a while, so that no page goes on asking; whoever asks later has it tried again."""
        slot = _light(self._kind, self._text(*args, **kwargs))
        slot.asked = time.monotonic()
        if not slot.filled and slot.asked >= slot.again and slot.lock.acquire(blocking=False):
            in_thread(partial(_fill, slot, partial(self._make, *args, **kwargs)))
        if not slot.filled and patience and slot.lock.acquire(timeout=patience):
            slot.lock.release()
        return Beside(slot.filled or time.monotonic() < slot.again, slot.value)

    def _text(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> str:
        if self._key is not None:
            return self._key(*args, **kwargs)
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return key_of(*bound.arguments.values(), apart_from=self._apart_from)


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


def draw_when_made(ask: Callable[[float], Making], draw: Callable[[Making], None]) -> None:
    """Draw what is made beside the page. Until it is done, it is drawn without it and looked for again."""
    made = ask(PATIENCE)
    if made.done:
        draw(made)
    else:
        fragment(partial(_look_again, ask, draw), POLL)


def _look_again(ask: Callable[[float], Making], draw: Callable[[Making], None]) -> None:
    made = ask(0.0)
    draw(made)
    if made.done:
        st.rerun()


def in_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, daemon=True).start()


def _fill(slot: Slot, make: Callable[[], object]) -> None:
    """One after the other, so that pages which need a worker at once find one. Whoever has moved on is not
    waited for: a class that moves faster than the workers leaves no work behind. The server's log says why
    something failed."""
    with ONE_BESIDE:
        try:
            if time.monotonic() - slot.asked < FORGOTTEN:
                slot.value = make()
                slot.filled = True
        except Exception:
            LOG.exception("What was to be made beside a page failed.")
            slot.again = time.monotonic() + RETRY * 2**slot.failures
            slot.failures += 1
        finally:
            slot.lock.release()


def _many(scenario: Scenario) -> bool:
    return scenario.households * scenario.days > MANY_HOUSES


def _weight(scenario: Scenario) -> Weight:
    return "huge" if _many(scenario) else "light"


def weight_per_house(scenario: Scenario) -> Weight:
    """Of what has some numbers for every house: it weighs little but on long streets."""
    return "heavy" if _many(scenario) else "light"


@shared(weight=_weight)
def day(scenario: Scenario) -> Day:
    """The scenario's day; the street is drawn only if it has not been drawn yet."""
    return publish_day(scenario, street_day(scenario))


@shared(weight=_weight, key=street_key)
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
            bar.progress(done, f"{words} {done:.0%}")

    try:
        return draw_day(scenario, report)
    finally:
        bar.empty()


def _exposed(scenario: Scenario, group: int | None = None) -> str:
    """An observer sees through the tariff, unless demand follows the price or the price is cut."""
    follows = scenario.elasticity or scenario.clip_at_zero
    return key_of(scenario, group, apart_from=("seed", *(() if follows else ("alpha", "beta"))))


exposures = shared(key=_exposed)(exposure)


@shared()
def moments(day: Day, mechanism: str, house: int | None = None) -> MomentLeakage:
    """Every moment of a house, or of all; made in a worker, so that other visitors need not wait for it."""
    return jobs.call(moment_leakage, day, mechanism, house)


@shared(apart_from=("epsilon",), spinner="Computing every budget …")
def moment_prices(day: Day) -> MomentPrice:
    """What the most exposed moment costs at the budgets that are the same for everybody."""
    return price_of_a_moment(day.scenario, BUDGETS, street_day=day.street_day)


@shared(weight=lambda day: weight_per_house(day.scenario), spinner="Writing everybody's bill …")
def bills_of(day: Day) -> Mapping[str, Bills]:
    """Everybody's bill, by mechanism."""
    return bills(day)


@shared(key=lambda make, *depends_on: key_of(*depends_on))
def picture(make: Callable[[], Picture], *depends_on: object) -> Picture:
    """A finished picture: whoever looks at the same scenario is sent the same one."""
    return make()

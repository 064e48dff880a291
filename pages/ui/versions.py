"""What a widget shows, by versions: the lab's value changes, a widget's never does.

The browser sends *all* widget values with every change. A widget that the app had just given another value
therefore comes back with its old one while the user goes on elsewhere, looks changed, and would put the old
value back. The cure is that no widget is ever given another value: its key carries a **version**, and when
the value is no longer what the widget shows, the next version begins, a new widget whose default is the
value. A version remembers what its widget is known to show. Whatever else arrives is the user's, also from
the version before, which the browser has until it hears of the next one.

No browser sends what its widget cannot show, but a script may: a number for a text, an option that nobody
offers. A version reads what arrives, and what it cannot read is not saved. The value stays, so the next
version, which shows it, begins.

Why not Streamlit's own `bind="query-params"`: a bound change replaces the entry of the browser's history, so
that Back would pass over it; setting all parameters at once drops the bound ones; and one fact in two widgets
(ε as slider and typed) would still need all of this. `persist_state` keeps a second copy of what the lab has.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from pages.ui.session import lab, watch

VERSIONS = "widget versions"
UNREADABLE = "A control was sent what it cannot show. It keeps its value."

Value = TypeVar("Value")
Save = Callable[[Value], None]
Read = Callable[[object], Value]  # what arrived, as a value; raises ValueError where it is none


def as_text(sent: object) -> str:
    if not isinstance(sent, str):
        raise ValueError
    return sent


def as_switch(sent: object) -> bool:
    if not isinstance(sent, bool):
        raise ValueError
    return sent


def one_among(options: Sequence[Value]) -> Read[Value]:
    """The option itself, and not what equals it: True is 1 to Python."""
    return lambda sent: options[options.index(sent)]


def some_among(options: Sequence[Value]) -> Read[list[Value]]:
    def read(sent: object) -> list[Value]:
        if not isinstance(sent, list):
            raise ValueError
        return [options[options.index(each)] for each in sent]

    return read


@dataclass
class WidgetVersion(Generic[Value]):
    """Mutable; of a name the last one counts."""

    key: str
    first: Value  # the value when the version began
    shown: Value  # what the widget is known to show
    save: Save[Value]
    read: Read[Value]

    def changed(self) -> None:
        """Save what the widget shows, where that is not what it was known to show; say what is no value."""
        sent = st.session_state.get(self.key, self.shown)
        if sent == self.shown:
            return
        self.shown = sent
        try:
            value = self.first if sent == self.first else self.read(sent)
        except ValueError:
            lab().refused = UNREADABLE
        else:
            self.save(value)


def versioned(name: str, value: Value, save: Save[Value], read: Read[Value]) -> WidgetVersion[Value]:
    """The version of a widget that shows this value now; give the widget its key and `changed`."""
    versions: dict[str, WidgetVersion[Any]] = st.session_state.setdefault(VERSIONS, {})
    version = versions.get(name)
    if version is None or version.shown != value:
        number = 0
        if version is not None:
            number = 1 + int(version.key.rpartition(":")[2])
            watch(f"{name} before", version.changed)
        version = versions[name] = WidgetVersion(f"{name}:{number}", value, value, save, read)
        watch(name, version.changed)
    version.save, version.read = save, read
    return version

"""What a widget shows, by versions: the lab's value changes, a widget's never does.

The browser sends *all* widget values with every change. A widget that the app had just given another value
therefore comes back with its old one while the user goes on elsewhere, looks changed, and would put the old
value back. The cure is that no widget is ever given another value: its key carries a **version**, and when
the value is no longer what the widget shows, the next version begins, a new widget whose default is the
value. A version remembers what its widget is known to show. Whatever else arrives is the user's, also from
the version before, which the browser has until it hears of the next one.

A run can be broken off wherever it calls Streamlit, so also in the callback of a widget, and the callback of
a change is called once. At the start of every run each widget's value is therefore compared with what it was
known to show, and differences are saved: nothing depends on a callback being called to its end.

What a widget leaves behind is dropped when it is no longer drawn: Streamlit has no value then for its key.

Why not Streamlit's own `bind="query-params"`: a bound change replaces the entry of the browser's history, so
that Back would pass over it; setting all parameters at once drops the bound ones; and one fact in two widgets
(ε as slider and typed) would still need all of this. `persist_state` keeps a second copy of what the lab has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

VERSIONS, REMEMBERED, _FIRST = "widget versions", "beside widgets", "first version"

Value = TypeVar("Value")
Save = Callable[[Value], None]


@dataclass
class WidgetVersion(Generic[Value]):
    """Mutable; of a name the last one counts, and the one before it."""

    key: str
    first: Value  # the value when the version began
    shown: Value  # what the widget is known to show
    save: Save[Value]
    before: WidgetVersion[Value] | None = None

    @property
    def number(self) -> int:
        return int(self.key.rpartition(":")[2])

    @property
    def is_drawn(self) -> bool:
        """Whether the last whole run of the page drew it, or the version before it."""
        return self.key in st.session_state or (self.before is not None and self.before.is_drawn)

    def changed(self) -> None:
        """Save what the widget shows, where that is not what it was known to show."""
        sent = st.session_state.get(self.key, self.shown)
        if sent != self.shown:
            self.shown = sent
            self.save(sent)


def versioned(name: str, value: Value, save: Save[Value]) -> WidgetVersion[Value]:
    """The version of a widget that shows this value now; give the widget its key and `changed`."""
    versions = _versions()
    version = versions.get(name)
    if version is None or version.shown != value:
        number = st.session_state.get(_FIRST, 0) if version is None else version.number + 1
        if version is not None:
            version.before = None
        version = versions[name] = WidgetVersion(f"{name}:{number}", value, value, save, version)
    version.save = save
    return version


def remembered(name: str, make: Callable[[], Value]) -> Value:
    """What else is known of a widget for as long as it is drawn, made when it is drawn first."""
    every: dict[str, Any] = st.session_state.setdefault(REMEMBERED, {})
    if name not in every:
        every[name] = make()
    known: Value = every[name]
    return known


def collect() -> None:
    """Save all differences; a widget that is not on the screen has none."""
    for version in list(_versions().values()):
        version.changed()
        if version.before is not None:
            version.before.changed()


def forget() -> None:
    """Drop the widgets that the last whole run did not draw. One of the same name that is drawn later begins
    with a number that none had: the browser may still send what an old one showed."""
    for name, version in list(_versions().items()):
        if not version.is_drawn:
            _drop(name, version)


def renew(kind: str) -> None:
    """Begin all widgets whose names begin so anew: what the browser still tells of the old ones counts for
    nothing."""
    for name, version in list(_versions().items()):
        if name.startswith(kind):
            _drop(name, version)


def _drop(name: str, version: WidgetVersion[Any]) -> None:
    st.session_state[_FIRST] = max(st.session_state.get(_FIRST, 0), version.number + 1)
    st.session_state.get(REMEMBERED, {}).pop(name, None)
    del _versions()[name]


def _versions() -> dict[str, WidgetVersion[Any]]:
    versions: dict[str, WidgetVersion[Any]] = st.session_state.setdefault(VERSIONS, {})
    return versions

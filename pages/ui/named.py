"""The named scenarios of a session: one list, some pinned to compare, some saved. Nothing of Streamlit.

What is pinned stands in the address, what is saved in the browser's own storage, which survives session and
server; both as the text of `Named`. Windows of one browser share its storage, so single entries are changed
there, never the list: a change is made here at once, and is due until the browser holds it. Where the browser
keeps nothing it stays due, and the session has all of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rtp.scenario import Scenario, ScenarioError
from rtp.scenario.describe import short_name
from rtp.scenario.share import Named, free_name, free_slot, from_library, must_be_new_name

NOW = "Now"  # what the scenario in use is called beside its pins, and so no pin


class Line(NamedTuple):
    """One of the list."""

    name: str
    named: Named | ScenarioError  # or why it cannot be read
    slot: int | None  # where it is pinned
    saved: bool


@dataclass
class NamedScenarios:
    """Mutable; one per session."""

    pins: dict[int, Named] = field(default_factory=dict)  # by slot
    saved: dict[str, str] = field(default_factory=dict)  # texts by name
    due: dict[str, str | None] = field(default_factory=dict)  # changes by name; None: delete
    kept: bool = True  # whether the browser keeps what is saved

    def lines(self) -> list[Line]:
        """The list: those pinned in the order of their slots, then the others as they were saved."""
        lines = [
            Line(pin.name, pin, slot, self.saved.get(pin.name) == pin.to_text())
            for slot, pin in sorted(self.pins.items())
        ]
        done = {line.name for line in lines if line.saved}
        return lines + [_line(name, text) for name, text in self.saved.items() if name not in done]

    def readable(self) -> list[Named]:
        return [line.named for line in self.lines() if isinstance(line.named, Named)]

    # Pinned to compare

    def pin(self, named: Named) -> None:
        """Pin it in the first free slot, unless the same scenario is pinned already."""
        slot = free_slot(self.pins)
        if slot is not None and not self.is_pinned(named.scenario):
            self.pins = {**self.pins, slot: named}

    def is_pinned(self, scenario: Scenario) -> bool:
        return scenario in [pin.scenario for pin in self.pins.values()]

    def pin_new(self, scenario: Scenario, preset: str) -> None:
        """Pin it under a name that says what differs from the preset."""
        name = free_name(short_name(scenario, preset), self._names())
        self.pin(Named(name=name, preset=preset, scenario=scenario))

    def unpin(self, slot: int) -> None:
        self.pins = {other: pin for other, pin in self.pins.items() if other != slot}

    def rename(self, slot: int, name: str) -> None:
        """Call a pin something else, and what is saved of it."""
        before = self.pins[slot]
        must_be_new_name(name, {NOW, *self._names()} - {before.name})
        after = before.replace(name=name)
        self.pins = {**self.pins, slot: after}
        if self.saved.get(before.name) == before.to_text():
            self._change(before.name, None)
            self._change(name, after.to_text())

    # Saved in the browser

    def save(self, named: Named) -> None:
        """Save it under its name, unless another scenario has that."""
        if self.saved.get(named.name) != named.to_text():
            must_be_new_name(named.name, self.saved)
            self._change(named.name, named.to_text())

    def delete(self, name: str) -> None:
        self._change(name, None)

    def load(self, file: str, content: bytes) -> None:
        """Save what a file holds; a name that is taken by another scenario is left alone, and said."""
        taken = []
        try:
            several = from_library(content)
        except ScenarioError as error:
            raise ScenarioError(file, f"was not loaded: {error}") from None
        for each in several:
            try:
                self.save(each)
            except ScenarioError:
                taken.append(f"“{each.name}”")
        if taken:
            names = ", ".join(taken)
            raise ScenarioError("Another scenario", f"is saved as {names}: delete it first, then load again.")

    def hear(self, held: Mapping[str, str] | None) -> None:
        """What the browser holds, or None; what it has not heard of yet stays due."""
        self.kept = held is not None
        if held is not None:
            self.due = {name: text for name, text in self.due.items() if held.get(name) != text}
            changed = {**held, **self.due}
            self.saved = {name: text for name, text in changed.items() if text is not None}

    def _change(self, name: str, text: str | None) -> None:
        self.due[name] = text
        self.saved = {other: kept for other, kept in self.saved.items() if other != name}
        if text is not None:
            self.saved[name] = text

    def _names(self) -> set[str]:
        return {*(pin.name for pin in self.pins.values()), *self.saved}


def _line(name: str, text: str) -> Line:
    """One that is saved only."""
    try:
        return Line(name, Named.from_text(text), None, saved=True)
    except ScenarioError as error:
        return Line(name, error, None, saved=True)

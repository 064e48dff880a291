"""Pins: up to four scenarios kept to compare with, each in a slot of its own, which gives its colour."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from rtp.scenario.named import MARK, Named
from rtp.scenario.refusal import ScenarioError

MOST_PINS = 4
LONGEST = 2000  # characters of a query that browsers, mails and messages pass on whole

Pins = Mapping[int, Named]  # by their slot, from 1: it gives the colour


class PinsRead(NamedTuple):
    pins: Pins
    damaged: tuple[ScenarioError, ...]


def slot_name(slot: int) -> str:
    """The link's parameter for a slot."""
    return f"pin{slot}"


PIN_NAMES = {slot_name(slot): slot for slot in range(1, MOST_PINS + 1)}


def pins_to_link(pins: Pins, used: int) -> dict[str, str]:
    """The pins as parameters of a link of which so many characters are used; what would make it too long
    to travel is there with its name only."""
    link: dict[str, str] = {}
    for slot, pin in sorted(pins.items()):
        whole = pin.to_text()
        used += len(urlencode({slot_name(slot): whole}))
        link[slot_name(slot)] = whole if used <= LONGEST else pin.name
    return link


def read_pins(link: Mapping[str, str], held: Pins) -> PinsRead:
    """The pins of a link. A name alone stands for what was too long: whoever holds it keeps it."""
    pins: dict[int, Named] = {}
    damaged = []
    for parameter, slot in PIN_NAMES.items():
        if (text := link.get(parameter)) is None:
            continue
        if slot in held and text in (held[slot].name, held[slot].to_text()):
            pins[slot] = held[slot]
            continue
        if MARK not in text:
            damaged.append(ScenarioError(parameter, "was too long for a link, which has its name only."))
            continue
        try:
            pins[slot] = Named.from_text(text)
        except ScenarioError as error:
            damaged.append(ScenarioError(parameter, f"is damaged: {error}"))
    return PinsRead(pins, tuple(damaged))


def free_slot(pins: Pins) -> int | None:
    return next((slot for slot in PIN_NAMES.values() if slot not in pins), None)

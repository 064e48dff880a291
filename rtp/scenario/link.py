"""A scenario as the query of a link.

A link says which preset a scenario starts from and what differs: numbers and words as they are, groups and
models compressed. Whatever a link or file says is validated like everything else: `from_link` refuses a link
at its first fault, `read_link` keeps what can be read and says what cannot.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from rtp.scenario.houses import House
from rtp.scenario.model import Scenario
from rtp.scenario.paths import sentence
from rtp.scenario.presets import DEFAULT_PRESET, PRESETS, preset_named
from rtp.scenario.reading import MAX_JSON_BYTES, JsonObject
from rtp.scenario.refusal import ScenarioError, field_words

PACKED = "street"  # the link's key for what is too long to read
NESTED = ("groups", "models")
HOUSES = "houses"  # the field with those that are listed
LISTED = "listed"  # the link's key for it
LONGEST_HOUSES = 2000  # characters up to which they travel in a link; beyond, only their number and mark
MISSING = re.compile(r"(\d+)-([0-9a-f]{8})")
NAMED = 3  # unknown parameters that are named; of the others the number is told
PRESET = "preset"
NAMES = frozenset(
    {PRESET, PACKED, LISTED, *Scenario.model_fields} - {HOUSES}
)  # of all parameters that a link may have


Held = Mapping[str, tuple[House, ...]]  # lists of houses by their marks
NONE_HELD: Held = MappingProxyType({})


class Reading(NamedTuple):
    """What could be read of a link."""

    preset: str
    scenario: Scenario
    damaged: tuple[ScenarioError, ...]  # one for each parameter that is not in force
    unknown: tuple[str, ...]  # names that the lab does not know


def differences(scenario: Scenario, preset: str) -> JsonObject:
    """The fields, as JSON values, in which a scenario differs from its preset."""
    theirs, ours = PRESETS[preset], scenario.model_dump(mode="json")
    changed = [name for name in Scenario.model_fields if getattr(scenario, name) != getattr(theirs, name)]
    return {name: ours.get(name, getattr(scenario, name)) for name in changed}  # defaults may be left out


def to_link(
    scenario: Scenario, preset: str = DEFAULT_PRESET, longest: float = LONGEST_HOUSES
) -> dict[str, str]:
    """The query parameters that stand for this scenario; a list of houses that would need more than the
    longest text is there with its number and mark only."""
    changed = differences(scenario, preset)
    listed = changed.pop(HOUSES, None) is not None
    nested = {name: changed.pop(name) for name in NESTED if name in changed}
    link = {} if preset == DEFAULT_PRESET else {PRESET: preset}
    link |= {name: _text(value) for name, value in changed.items()}
    if nested:
        link[PACKED] = _packed(nested)
    if listed and scenario.houses is not None:
        link[LISTED] = _listed(scenario.houses, longest)
    return link


@lru_cache(maxsize=8)
def _listed(houses: tuple[House, ...], longest: float) -> str:
    whole = _packed({HOUSES: [house.model_dump(mode="json") for house in houses]})
    return whole if len(whole) <= longest else mark(houses)


def mark(houses: Sequence[House]) -> str:
    """How many houses are listed, and what tells this list from others."""
    return f"{len(houses)}-{zlib.crc32(repr(tuple(houses)).encode()):08x}"


def _packed(data: JsonObject) -> str:
    packed = zlib.compress(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def from_link(link: Mapping[str, str], held: Held = NONE_HELD) -> tuple[str, Scenario]:
    """(preset, scenario) from query parameters; refuses in one sentence. `held` are lists of houses that are
    at hand, by their marks."""
    preset = link.get(PRESET, DEFAULT_PRESET)
    start = preset_named(preset)
    data: JsonObject = {}
    for name in link:
        data |= _said(link, name, held)
    return preset, start.replace(**data)


def read_link(link: Mapping[str, str], held: Held = NONE_HELD) -> Reading:
    """All of a link that can be read; never refuses.

    Parameters are taken one by one, the street first because others lean on it (a belief names one of its
    models), and again as long as that helps: what is left is damaged, and everything else is in force.
    """
    unknown = tuple(name for name in link if name not in NAMES)
    known = {name: text for name, text in link.items() if name in NAMES}
    try:
        return Reading(*from_link(known, held), (), unknown)
    except ScenarioError:
        return _read_each(known, unknown, held)


def _read_each(link: Mapping[str, str], unknown: tuple[str, ...], held: Held) -> Reading:
    faults: dict[str, ScenarioError] = {}
    preset = link.get(PRESET, DEFAULT_PRESET)
    try:
        scenario = preset_named(preset)
    except ScenarioError as error:
        faults[PRESET] = error
        preset, scenario = DEFAULT_PRESET, PRESETS[DEFAULT_PRESET]
    left = sorted(link.keys() - {PRESET}, key=lambda name: name != PACKED)
    tried: list[str] = []
    while left != tried:
        tried = left
        for name in tried:
            try:
                scenario = scenario.replace(**_said(link, name, held))
                faults.pop(name, None)
            except ScenarioError as error:
                faults[name] = error
        left = [name for name in tried if name in faults]
    return Reading(preset, scenario, tuple(faults.values()), unknown)


def damage_words(damaged: Sequence[ScenarioError]) -> str:
    """What of a link is not in force, and why; nothing where all is."""
    parts = "A part of this link is" if len(damaged) == 1 else f"{len(damaged)} parts of this link are"
    return f"{parts} damaged; all the rest is in force. {' '.join(map(sentence, damaged))}" if damaged else ""


def unknown_words(unknown: Sequence[str]) -> str:
    """Which parameters of a link mean nothing here; nothing where all do."""
    names = [field_words(name) for name in unknown[:NAMED]]
    more = [f"{len(unknown) - NAMED} more"] if len(unknown) > NAMED else []
    return f"Unknown in this link, and ignored: {', '.join(names + more)}." if unknown else ""


def _said(link: Mapping[str, str], name: str, held: Held) -> JsonObject:
    """What one parameter says about the scenario."""
    if name == PRESET:
        return {}
    if name == LISTED:
        return _houses(link[name], held)
    return _unpack(link[name], PACKED, NESTED) if name == PACKED else {name: _value(link[name])}


def _houses(text: str, held: Held) -> JsonObject:
    if text in held:
        return {HOUSES: held[text]}
    if missing := MISSING.fullmatch(text):
        raise ScenarioError(
            LISTED,
            f"houses are missing: a list of {int(missing[1]):,} is too long for a link. Until their table "
            "or the scenario's file is loaded, as many are drawn between the same bounds.",
        )
    return _unpack(text, LISTED, (HOUSES,))


def _text(value: object) -> str:
    """Words as they are, unless they read as something else (a model named 2019); the rest as JSON."""
    return value if isinstance(value, str) and _value(value) == value else json.dumps(value)


def _value(text: str) -> object:
    """A number, true, false, null or a quoted text as JSON reads it; otherwise the words themselves."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, list | dict) else value


def _unpack(packed: str, name: str, fields: Sequence[str]) -> JsonObject:
    try:
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        inflate = zlib.decompressobj()
        text = inflate.decompress(raw, MAX_JSON_BYTES)
        if not inflate.eof:
            raise ValueError("cut off or too long")
        data = json.loads(text)
    except (ValueError, binascii.Error, zlib.error, RecursionError):
        raise ScenarioError(name, "is damaged; copy the whole link again.") from None
    if not isinstance(data, dict) or not set(data) <= set(fields):
        raise ScenarioError(name, f"holds something else than {' and '.join(fields)}.")
    return data

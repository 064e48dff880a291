"""A scenario as the query of a link.

A link says which preset a scenario starts from and what differs: numbers and words as they are, groups and
models compressed. Whatever a link or file says is validated like everything else: `from_link` refuses a link
at its first fault, `read_link` keeps what can be read and says what cannot.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rtp.scenario.model import Scenario
from rtp.scenario.paths import sentence
from rtp.scenario.presets import DEFAULT_PRESET, PRESETS, preset_named
from rtp.scenario.reading import MAX_JSON_BYTES, JsonObject
from rtp.scenario.refusal import ScenarioError, field_words

PACKED = "street"  # the link's key for what is too long to read
NESTED = ("groups", "models")
NAMED = 3  # unknown parameters that are named; of the others the number is told
PRESET = "preset"
NAMES = frozenset({PRESET, PACKED, *Scenario.model_fields})  # of all parameters that a link may have


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


def to_link(scenario: Scenario, preset: str = DEFAULT_PRESET) -> dict[str, str]:
    """The query parameters that stand for this scenario."""
    changed = differences(scenario, preset)
    nested = {name: changed.pop(name) for name in NESTED if name in changed}
    link = {} if preset == DEFAULT_PRESET else {PRESET: preset}
    link |= {name: _text(value) for name, value in changed.items()}
    if nested:
        packed = zlib.compress(json.dumps(nested, separators=(",", ":")).encode(), 9)
        link[PACKED] = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return link


def from_link(link: Mapping[str, str]) -> tuple[str, Scenario]:
    """(preset, scenario) from query parameters; refuses in one sentence."""
    preset = link.get(PRESET, DEFAULT_PRESET)
    start = preset_named(preset)
    data: JsonObject = {}
    for name in link:
        data |= _said(link, name)
    return preset, start.replace(**data)


def read_link(link: Mapping[str, str]) -> Reading:
    """All of a link that can be read; never refuses.

    Parameters are taken one by one, the street first because others lean on it (a belief names one of its
    models), and again as long as that helps: what is left is damaged, and everything else is in force.
    """
    unknown = tuple(name for name in link if name not in NAMES)
    known = {name: text for name, text in link.items() if name in NAMES}
    try:
        return Reading(*from_link(known), (), unknown)
    except ScenarioError:
        return _read_each(known, unknown)


def _read_each(link: Mapping[str, str], unknown: tuple[str, ...]) -> Reading:
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
                scenario = scenario.replace(**_said(link, name))
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


def _said(link: Mapping[str, str], name: str) -> JsonObject:
    """What one parameter says about the scenario."""
    if name == PRESET:
        return {}
    return _unpack(link[name]) if name == PACKED else {name: _value(link[name])}


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


def _unpack(packed: str) -> JsonObject:
    try:
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        inflate = zlib.decompressobj()
        text = inflate.decompress(raw, MAX_JSON_BYTES)
        if not inflate.eof:
            raise ValueError("cut off or too long")
        data = json.loads(text)
    except (ValueError, binascii.Error, zlib.error, RecursionError):
        raise ScenarioError(PACKED, "is damaged; copy the whole link again.") from None
    if not isinstance(data, dict) or not set(data) <= set(NESTED):
        raise ScenarioError(PACKED, f"holds something else than {' and '.join(NESTED)}.")
    return data

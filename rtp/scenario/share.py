"""A scenario as the query of a link; under a name; pinned beside others.

**Links.** A link says which preset a scenario starts from and what differs: numbers and words as they are,
groups and models compressed. Whatever a link or file says is validated like everything else: of a link what
can be read is kept, and what cannot is said. Lengths are checked first, and every part is read once: no link
takes long, whatever stands in it.

**Names.** A named scenario is a short text, the same in links and in the browser's storage: the name, a
question mark, and the scenario's own link. The alphabet of names has no question mark, so the first one ends
the name. A file of several has them as JSON that a person can read.

**Pins.** Up to four named scenarios to compare with, each in a slot of its own, which gives its colour.
"""

import base64
import json
import re
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from math import inf
from types import MappingProxyType
from typing import Annotated, NamedTuple, Self
from urllib.parse import parse_qsl, urlencode

from pydantic import Field, model_validator

from rtp.core.formatting import distinct
from rtp.scenario.consumption import House, house_list_id
from rtp.scenario.describe import origin_words
from rtp.scenario.fields import sentence, value_from_text
from rtp.scenario.model import LAB_KEY, Groups, Houses, Models, Scenario
from rtp.scenario.presets import DEFAULT_PRESET, PRESETS, preset_named
from rtp.scenario.validation import (
    MAX_JSON_BYTES,
    Frozen,
    JsonObject,
    ScenarioError,
    field_words,
    must_be_one_of,
    read_object,
)
from rtp.version import VERSION

PRESET = "preset"
PACKED = "street"  # the link's key for what is too long to read
NESTED = ("groups", "models")  # the fields it holds
LISTED = "listed"  # the link's key for houses that are listed
HOUSES_FIELD = "houses"  # their field
LINK_NAMES = frozenset(
    {PRESET, PACKED, LISTED, *Scenario.model_fields} - {HOUSES_FIELD}
)  # all parameters of a link
MAX_HOUSES_LENGTH = 2000  # characters of listed houses in a link; of longer lists it has the checksum
MAX_LINK_LENGTH = 2000  # characters of a query that mails and messages pass on whole
MAX_QUERY_LENGTH = 8000  # characters of a query that servers take
MAX_PACKED_LENGTH = 4 * MAX_JSON_BYTES // 3  # characters of a parameter that is compressed
MAX_TEXT_LENGTH = 4000  # characters of a parameter that is not compressed
MAX_PARAMETERS = 100  # of a named scenario: a newer lab may have some more
MAX_SAVED = 200  # scenarios in a file, and in a browser
MAX_UNKNOWN_NAMES = 3  # unknown parameters that are named; the others are counted
MAX_PINS = 4
NAME_END = "?"
DAMAGED = "is damaged; copy the whole link again."
CHECKSUM = re.compile(r"(\d{1,8})-[0-9a-f]{8}")  # of houses that are too many for a link
LIBRARY_KEY = "scenarios"  # of a file of several

HouseLists = Mapping[str, tuple[House, ...]]  # by their checksums, as `house_list_id` gives them
NO_LISTS: HouseLists = MappingProxyType({})


def changed_fields(scenario: Scenario, preset: str) -> JsonObject:
    """The fields, as plain values, in which a scenario differs from its preset."""
    theirs, ours = PRESETS[preset], scenario.model_dump()
    changed = [name for name in Scenario.model_fields if getattr(scenario, name) != getattr(theirs, name)]
    return {name: ours.get(name, getattr(scenario, name)) for name in changed}  # defaults may be left out


def to_link(
    scenario: Scenario, preset: str = DEFAULT_PRESET, longest: float = MAX_HOUSES_LENGTH
) -> dict[str, str]:
    """The query parameters that stand for this scenario.

    Of a list of houses that needs more than the longest text there are only its number and checksum.
    """
    changed = changed_fields(scenario, preset)
    changed.pop(HOUSES_FIELD, None)
    nested = {name: changed.pop(name) for name in NESTED if name in changed}
    link = {} if preset == DEFAULT_PRESET else {PRESET: preset}
    link |= {name: _text(name, value) for name, value in changed.items()}
    if nested:
        link[PACKED] = _pack(nested)
    if scenario.houses is not None:
        link[LISTED] = _packed_houses(scenario.houses, longest)
    return link


@lru_cache(maxsize=8)
def _packed_houses(houses: tuple[House, ...], longest: float) -> str:
    packed = _pack({HOUSES_FIELD: [house.model_dump() for house in houses]})
    return packed if len(packed) <= longest else house_list_id(houses)


def _pack(data: JsonObject) -> str:
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def _inflate(packed: str, name: str) -> bytes:
    """The JSON text of what is compressed, no longer than one may be."""
    try:
        if len(packed) > MAX_PACKED_LENGTH:
            raise ValueError
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        inflate = zlib.decompressobj()
        text = inflate.decompress(raw, MAX_JSON_BYTES)
        if not inflate.eof:
            raise ValueError  # it is cut off, or too long
        return text
    except (ValueError, zlib.error):
        raise ScenarioError(name, DAMAGED) from None


def _unpack(packed: str, name: str, fields: Collection[str]) -> JsonObject:
    text = _inflate(packed, name)
    try:
        data = read_object(text)
    except ScenarioError:
        raise ScenarioError(name, DAMAGED) from None
    if not set(data) <= set(fields):
        raise ScenarioError(name, f"holds something else than {' and '.join(fields)}.")
    return data


def _text(name: str, value: object) -> str:
    """Words as they are, unless they read as something else (a model named 2019); the rest as JSON."""
    return value if isinstance(value, str) and _value(name, value) == value else json.dumps(value)


def _value(name: str, text: str) -> object:
    """A number, true, false, null or a quoted text; otherwise the words themselves."""
    value = value_from_text(name, text)
    return text if isinstance(value, list | dict) and name != "price_range" else value


class LinkReading(NamedTuple):
    """What could be read of a link."""

    preset: str
    scenario: Scenario
    damaged: tuple[ScenarioError, ...]  # one for each parameter that is not in force
    unknown: tuple[str, ...]  # names that the lab does not know


def read_link(link: Mapping[str, str], lists: HouseLists = NO_LISTS) -> LinkReading:
    """All of a link that can be read; never refuses.

    Where parameters cannot be taken together they are taken one by one, the street first because others
    depend on it (`assumed_model` names one of its models), and again as long as that helps: what is left is
    damaged, and everything else in force. `lists` are the lists of houses at hand.
    """
    unknown = tuple(name for name in link if name not in LINK_NAMES)
    link = {name: text for name, text in link.items() if name in LINK_NAMES}
    faults: dict[str, ScenarioError] = {}
    preset = link.pop(PRESET, DEFAULT_PRESET)
    try:
        scenario = preset_named(preset)
    except ScenarioError as error:
        faults[PRESET] = error
        preset, scenario = DEFAULT_PRESET, PRESETS[DEFAULT_PRESET]
    parts: dict[str, JsonObject] = {}
    for name, text in link.items():
        try:
            parts[name] = _parameter(name, text, lists)
        except ScenarioError as error:
            faults[name] = _alone(error)
    try:
        scenario = scenario.replace(**{field: part[field] for part in parts.values() for field in part})
        return LinkReading(preset, scenario, tuple(faults.values()), unknown)
    except ScenarioError:
        pass
    left, tried = sorted(parts, key=lambda name: name != PACKED), list[str]()
    while left != tried:
        tried = left
        for name in tried:
            try:
                scenario = scenario.replace(**parts[name])
                faults.pop(name, None)
            except ScenarioError as error:
                faults[name] = _alone(error)
        left = [name for name in tried if name in faults]
    return LinkReading(preset, scenario, tuple(faults.values()), unknown)


class _Street(Frozen):
    """What is compressed in a link, each part valid by itself."""

    groups: Groups | None = None
    models: Models | None = None
    houses: Houses | None = None


def _parameter(name: str, text: str, lists: HouseLists) -> JsonObject:
    """The fields that one parameter of a link sets."""
    if name not in (PACKED, LISTED):
        must_be_short(name, text)
        return {name: _value(name, text)}
    if name == LISTED and text in lists:
        return {HOUSES_FIELD: lists[text]}
    if name == LISTED and (missing := CHECKSUM.fullmatch(text)):
        raise ScenarioError(
            LISTED,
            f"houses are missing: a list of {int(missing[1]):,} is too long for a link. Until their table "
            "or the scenario's file is loaded, as many are drawn between the same bounds.",
        )
    data = _unpack(text, name, NESTED if name == PACKED else (HOUSES_FIELD,))
    street = _Street(**data)
    return {field: getattr(street, field) for field in data}


def must_be_short(name: str, text: str) -> None:
    """Refuse what is longer than any number, word or list of names, before it is read."""
    if len(text) > MAX_TEXT_LENGTH:
        raise ScenarioError(name, f"has {len(text):,} characters; at most {MAX_TEXT_LENGTH:,} are read.")


def _alone(error: ScenarioError) -> ScenarioError:
    """The same without its traceback, which would hold on to all that was read."""
    return ScenarioError(error.path, error.problem)


def damage_words(damaged: Sequence[ScenarioError]) -> str:
    """What of a link is not in force, and why; nothing where all is."""
    parts = "A part of this link is" if len(damaged) == 1 else f"{len(damaged)} parts of this link are"
    return f"{parts} damaged; all the rest is used. {' '.join(map(sentence, damaged))}" if damaged else ""


def unknown_words(unknown: Sequence[str]) -> str:
    """Which parameters of a link mean nothing here; nothing where all do."""
    names = [field_words(name) for name in unknown[:MAX_UNKNOWN_NAMES]]
    if len(unknown) > MAX_UNKNOWN_NAMES:
        names.append(f"{len(unknown) - MAX_UNKNOWN_NAMES} more")
    return f"Unknown in this link, and ignored: {', '.join(names)}." if unknown else ""


# A scenario's name may have a colon, which the name of a group or model, a part of an address, may not.
ScenarioName = Annotated[str, Field(strict=True, max_length=40, pattern=r"^[^\W_][\w '().,:&/+-]*$")]


class Named(Frozen):
    """A scenario, the preset it differs from, and what somebody calls it."""

    name: ScenarioName
    preset: Annotated[str, Field(strict=True)] = DEFAULT_PRESET
    scenario: Scenario = Scenario()

    @model_validator(mode="after")
    def _check(self) -> Self:
        must_be_one_of("preset", self.preset, PRESETS)
        return self

    def to_text(self) -> str:
        return f"{self.name}{NAME_END}{urlencode(to_link(self.scenario, self.preset, inf))}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The scenario of such a text; refuses in one sentence what is not whole."""
        name, _, query = text.partition(NAME_END)
        try:
            parameters = parse_qsl(query, keep_blank_values=True, max_num_fields=MAX_PARAMETERS)
        except ValueError:
            raise ScenarioError(name, f"has more than {MAX_PARAMETERS} parameters.") from None
        reading = read_link(dict(parameters))
        if reading.damaged:
            raise reading.damaged[0]
        if reading.unknown:
            raise ScenarioError(name, "was saved by a newer lab; this one does not know all of it.")
        return cls(name=name, preset=reading.preset, scenario=reading.scenario)


def free_name(stem: str, taken: Iterable[str]) -> str:
    """The stem or, where that is taken, as much of it as leaves room for a number that tells them apart."""
    names = set(taken)
    return stem if stem not in names else distinct([*names, stem[:34]])[-1]


def must_be_new_name(name: str, taken: Iterable[str]) -> None:
    if name in set(taken):
        raise ScenarioError("The name", f"{name!r} is taken; each may be used once.")


def to_library(scenarios: Sequence[Named]) -> str:
    """A file of several; each says where it comes from, which is ignored when it is read."""
    several = [
        {LAB_KEY: origin_words(each.scenario), **each.model_dump(), "scenario": each.scenario.to_object()}
        for each in scenarios
    ]
    return json.dumps({LAB_KEY: VERSION, LIBRARY_KEY: several}, indent=2)


def from_library(text: str | bytes) -> list[Named]:
    """The scenarios of such a file; refuses the whole of it in one sentence."""
    several = read_object(text).get(LIBRARY_KEY)
    if not isinstance(several, list) or not all(isinstance(each, dict) for each in several):
        raise ScenarioError("The file", f"holds no list of {LIBRARY_KEY}.")
    if len(several) > MAX_SAVED:
        raise ScenarioError("The file", f"holds {len(several):,} scenarios; at most {MAX_SAVED} are read.")
    for each in several:
        each.pop(LAB_KEY, None)
    return [Named(**each) for each in several]


Pins = Mapping[int, Named]  # by their slots, from 1
PIN_NAMES = {f"pin{slot}": slot for slot in range(1, MAX_PINS + 1)}  # a link's parameters


class PinsReading(NamedTuple):
    """What could be read of a link's pins."""

    pins: Pins
    damaged: tuple[ScenarioError, ...]


def pins_to_link(pins: Pins, link: Mapping[str, str]) -> dict[str, str]:
    """The pins as parameters that are added to a link; one that would make it too long for servers is there
    with its name only."""
    texts: dict[str, str] = {}
    for parameter, slot in PIN_NAMES.items():
        if slot in pins:
            whole = texts | {parameter: pins[slot].to_text()}
            fits = len(urlencode({**link, **whole})) <= MAX_QUERY_LENGTH
            texts = whole if fits else texts | {parameter: pins[slot].name}
    return texts


def read_pins(link: Mapping[str, str], held: Pins) -> PinsReading:
    """The pins of a link. A name alone stands for what was too long: whoever holds it keeps it."""
    pins: dict[int, Named] = {}
    damaged, length = [], 0
    for parameter, slot in PIN_NAMES.items():
        if (text := link.get(parameter)) is None:
            continue
        length += len(text)
        if length > MAX_QUERY_LENGTH:
            most = f"makes the pins longer than the {MAX_QUERY_LENGTH:,} characters that are read."
            damaged.append(ScenarioError(parameter, most))
        elif slot in held and text == held[slot].name:
            pins[slot] = held[slot]
        elif NAME_END not in text:
            damaged.append(ScenarioError(parameter, "was too long for a link, which has its name only."))
        else:
            try:
                pins[slot] = Named.from_text(text)
            except ScenarioError as error:
                damaged.append(ScenarioError(parameter, f"is damaged: {error}"))
    return PinsReading(pins, tuple(damaged))


def free_slot(pins: Pins) -> int | None:
    return next((slot for slot in PIN_NAMES.values() if slot not in pins), None)

"""A scenario under a name: as a short text for links and the browser's storage, as a file of several.

The text is the name, a question mark, and the scenario's own link: only what differs from its preset. The
alphabet of names has no question mark, so the first one ends the name.
"""

import json
from collections.abc import Iterable, Sequence
from math import inf
from typing import Annotated, Self
from urllib.parse import parse_qsl, urlencode

from pydantic import Field, model_validator

from rtp.scenario.frozen import Frozen, Name
from rtp.scenario.link import read_link, to_link
from rtp.scenario.model import LAB_KEY, Scenario
from rtp.scenario.origin import origin_words
from rtp.scenario.presets import DEFAULT_PRESET, PRESETS
from rtp.scenario.reading import read_object
from rtp.scenario.refusal import ScenarioError, must_be_one_of
from rtp.version import VERSION

MARK = "?"  # ends the name
LIBRARY_KEY = "scenarios"  # of a file of several


class Named(Frozen):
    """A scenario, the preset it is told apart from, and what somebody calls it."""

    name: Name
    preset: Annotated[str, Field(strict=True)] = DEFAULT_PRESET
    scenario: Scenario = Scenario()

    @model_validator(mode="after")
    def _check(self) -> Self:
        must_be_one_of("preset", self.preset, PRESETS)
        return self

    def to_text(self) -> str:
        return f"{self.name}{MARK}{urlencode(to_link(self.scenario, self.preset, inf))}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Refuses in one sentence what is not whole."""
        name, _, query = text.partition(MARK)
        reading = read_link(dict(parse_qsl(query, keep_blank_values=True)))
        if reading.damaged:
            raise reading.damaged[0]
        if reading.unknown:
            raise ScenarioError(name, "was saved by a newer lab; this one does not know all of it.")
        return cls(name=name, preset=reading.preset, scenario=reading.scenario)


def free_name(stem: str, taken: Iterable[str]) -> str:
    """The stem, or with the first number that tells it from those taken."""
    names = set(taken)
    numbered = (f"{stem[:34]} ({n})" for n in range(2, len(names) + 3))
    return stem if stem not in names else next(name for name in numbered if name not in names)


def must_be_new_name(name: str, taken: Iterable[str]) -> None:
    if name in set(taken):
        raise ScenarioError("The name", f"{name!r} is taken; each may be used once.")


def to_library(scenarios: Sequence[Named]) -> str:
    """A file of several; each says where it comes from, which is passed over when it is read."""
    several = [each.model_dump(mode="json") | {LAB_KEY: origin_words(each.scenario)} for each in scenarios]
    return json.dumps({LAB_KEY: VERSION, LIBRARY_KEY: several}, indent=2)


def from_library(text: str | bytes) -> list[Named]:
    """The scenarios of such a file; refuses the whole of it in one sentence."""
    data = read_object(text)
    several = data.get(LIBRARY_KEY)
    if not isinstance(several, list) or not all(isinstance(each, dict) for each in several):
        raise ScenarioError("The file", f"holds no list of {LIBRARY_KEY}.")
    return [Named(**{key: each[key] for key in each if key != LAB_KEY}) for each in several]

"""A scenario as the query of a link.

A link says which preset a scenario starts from and what differs: numbers and words as they are, groups and
models compressed. Whatever a link or file says is validated like everything else.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping

from rtp.scenario.model import Scenario
from rtp.scenario.presets import DEFAULT_PRESET, PRESETS, preset_named
from rtp.scenario.reading import MAX_JSON_BYTES, JsonObject
from rtp.scenario.refusal import ScenarioError

PACKED = "street"  # the link's key for what is too long to read
NESTED = ("groups", "models")


def differences(scenario: Scenario, preset: str) -> JsonObject:
    """The fields, as JSON values, in which a scenario differs from its preset."""
    ours, theirs = scenario.model_dump(mode="json"), PRESETS[preset].model_dump(mode="json")
    return {name: value for name, value in ours.items() if value != theirs[name]}


def to_link(scenario: Scenario, preset: str = DEFAULT_PRESET) -> dict[str, str]:
    """The query parameters that stand for this scenario."""
    changed = differences(scenario, preset)
    nested = {name: changed.pop(name) for name in NESTED if name in changed}
    link = {} if preset == DEFAULT_PRESET else {"preset": preset}
    link |= {name: _text(value) for name, value in changed.items()}
    if nested:
        packed = zlib.compress(json.dumps(nested, separators=(",", ":")).encode(), 9)
        link[PACKED] = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return link


def from_link(link: Mapping[str, str]) -> tuple[str, Scenario]:
    """(preset, scenario) from query parameters; refuses in one sentence."""
    preset = link.get("preset", DEFAULT_PRESET)
    start = preset_named(preset)
    data = {name: _value(text) for name, text in link.items() if name not in ("preset", PACKED)}
    if PACKED in link:
        data |= _unpack(link[PACKED])
    return preset, start.replace(**data)


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

"""JSON that anyone may have written: read with care, refused in one sentence."""

import json
import reprlib
from typing import Any

from rtp.scenario.refusal import ScenarioError, refusal

MAX_JSON_BYTES = 1_000_000

JsonObject = dict[str, Any]


def read_object(text: str | bytes) -> JsonObject:
    """A JSON object from text."""
    size = len(text.encode(errors="replace") if isinstance(text, str) else text)
    if size > MAX_JSON_BYTES:
        raise ScenarioError("The file", f"has {size:,} bytes; at most {MAX_JSON_BYTES:,} are read.")
    try:
        data = json.loads(text, object_pairs_hook=_no_twice)
    except ScenarioError:
        raise
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ScenarioError("The text", f"is not JSON that can be read: {why}.") from None
    if not isinstance(data, dict):
        raise refusal("The JSON", data, "be an object")
    return data


def _no_twice(pairs: list[tuple[str, object]]) -> JsonObject:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ScenarioError(reprlib.repr(twice), "appears twice in one JSON object; it must appear once.")
    return result

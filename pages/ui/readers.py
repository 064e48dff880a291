"""How a link's parameters that say what a screen shows are read: a value, or one sentence that refuses."""

import json
from collections.abc import Callable, Collection

from rtp.scenario import Bounds, must_be_one_of, must_be_within, refusal

Reader = Callable[[str, str], object]  # (name of the parameter, its text) → value
LONGEST = 80  # characters of words
SEPARATOR = "."  # between several; no name of theirs has one


def to_text(value: object) -> str:
    if isinstance(value, list | tuple):
        return SEPARATOR.join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)


def whole(low: int, high: int) -> Reader:
    return within(Bounds(low, high, ""))


def within(bounds: Bounds) -> Reader:
    def read(name: str, text: str) -> object:
        value = _json(text)
        must_be_within(name, value, bounds)
        return value

    return read


def one_of(options: Collection[str]) -> Reader:
    def read(name: str, text: str) -> object:
        must_be_one_of(name, text, options)
        return text

    return read


def some_of(options: Collection[str]) -> Reader:
    """Some of the options, or none, in their own order."""

    def read(name: str, text: str) -> object:
        chosen = text.split(SEPARATOR) if text else []
        for each in chosen:
            must_be_one_of(name, each, options)
        return [each for each in options if each in chosen]

    return read


def flag(name: str, text: str) -> object:
    value = _json(text)
    if not isinstance(value, bool):
        raise refusal(name, text, "be true or false")
    return value


def words(name: str, text: str) -> object:
    """One of what only the screen knows; what it does not know gives way to its first."""
    if not 0 < len(text) <= LONGEST:
        raise refusal(name, text, f"have 1 to {LONGEST} characters")
    return text


def _json(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value

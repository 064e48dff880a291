"""The language in which a sentence is said: English, or another one by its catalogue.

A sentence stands in English where it belongs, with named places for its values; the catalogues of the
standard `gettext` (`rtp/locale/<language>/LC_MESSAGES/rtp.po`) find its translation by that English. `python
-m scripts.catalogues` collects the sentences of the source: what is said by `say` and `say_many`, or is
`noted` to be said later. Without a choice nothing is looked up, so English is what the source says.

Who draws for one reader says in whose language: `with speaking("de"): …`. Numbers follow: their decimal and
thousands signs are the language's.
"""

import gettext
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

SOURCE = "en"
LANGUAGES = {SOURCE: "English", "de": "Deutsch", "fr": "Français", "es": "Español"}
LOCALE, DOMAIN = Path(__file__).parents[1] / "locale", "rtp"
_SIGNS = {  # for the comma between thousands, and for the decimal point
    "de": str.maketrans({",": ".", ".": ","}),
    "fr": str.maketrans({",": "\u202f", ".": ","}),
    "es": str.maketrans({",": "\u202f", ".": ","}),
}
Value = TypeVar("Value")
_spoken: ContextVar[str] = ContextVar("language", default=SOURCE)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within it all is said in this language."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def spoken() -> str:
    """Return the language that is spoken."""
    return _spoken.get()


def said_in(language: str, make: Callable[..., Value], *args: Any) -> Value:
    """Return what is made of these, all of it said in a language: for a process that speaks another."""
    with speaking(language):
        return make(*args)


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    if language == SOURCE:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, LOCALE, [language])


def say(sentence: str, **values: object) -> str:
    """Return the sentence in the language that is spoken, with its values."""
    return _filled(_catalogue(_spoken.get()).gettext(sentence), values)


def say_many(one: str, many: str, n: int, **values: object) -> str:
    """Return the sentence about `n` of something, which is its value {n}, too."""
    return _filled(_catalogue(_spoken.get()).ngettext(one, many, n), {"n": n} | values)


def noted(sentence: str) -> str:
    """Return the sentence as it is, for the catalogues: it is said later."""
    return sentence


def figure(number: str) -> str:
    """Return a number that is written the English way, with the signs of the language that is spoken."""
    return number.translate(_SIGNS.get(_spoken.get(), {}))


def _filled(sentence: str, values: dict[str, object]) -> str:
    """Return it with its values: of numbers the shortest form."""
    return sentence.format(**{name: _written(value) for name, value in values.items()})


def _written(value: object) -> object:
    if isinstance(value, int):
        return figure(f"{value:,}")
    return figure(f"{value:g}") if isinstance(value, float) else value

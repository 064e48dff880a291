"""The catalogues hold every sentence of the source, whole, and numbers follow the language."""

from functools import cache
from string import Formatter

import pytest

from rtp.core.formatting import percent
from rtp.core.language import LANGUAGES, SOURCE, figure, say, say_many, speaking
from scripts.catalogues import Catalogue, compiled, path, read, sentences

OTHERS = sorted(LANGUAGES.keys() - {SOURCE})


def places(sentence: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(sentence)} - {None}


def catalogue(language: str) -> Catalogue:
    return read(path(language, "po").read_text(encoding="utf-8"))


@cache
def said_by_the_source() -> set[tuple[str, ...]]:
    return {entry.forms for entry in sentences()}


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_is_whole_and_compiled(language: str) -> None:
    """`python -m scripts.catalogues` brings it up to the source."""
    own = catalogue(language)
    assert own.keys() == said_by_the_source() | {("",)}
    assert [ids for ids, said in own.items() if not all(map(str.strip, said))] == []
    assert path(language, "mo").read_bytes() == compiled(own)


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_places_and_the_emphasis_of_its_sentence(language: str) -> None:
    for ids, said in catalogue(language).items():
        for english, translated in zip(ids, said, strict=True):
            if english:
                assert places(translated) == places(english), translated
                assert translated.count("**") == english.count("**"), translated


def test_sentences_plurals_and_numbers_follow_the_language() -> None:
    def shown(language: str) -> tuple[str, ...]:
        with speaking(language):
            points = [say_many("{n} point", "{n} points", n) for n in (0, 1, 2)]
            return (
                *points,
                percent(0.125),
                figure("1,234.5"),
                say("Round {number}: {rate}", number=2, rate=0.5),
            )

    before = shown(SOURCE)
    assert shown("de") == ("0 Punkte", "1 Punkt", "2 Punkte", "12,5 %", "1.234,5", "Runde 2: 0,5")
    assert shown("fr")[:5] == ("0 point", "1 point", "2 points", "12,5 %", "1\u202f234,5")
    assert shown(SOURCE) == before == ("0 points", "1 point", "2 points", "12.5 %", "1,234.5", "Round 2: 0.5")

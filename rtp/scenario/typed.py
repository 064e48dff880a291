"""Numbers as people type them: understood exactly, or refused with the reason; never another number.

A decimal point or comma (`0.1`, `0,1`), powers of ten (`1e4`), spaces between groups of three digits
(`10 000`), fractions (`1/2`) and percent (`1 %`) are understood. What a second reader could take for another
number is refused: `1,500`, and in a whole-number field every point or comma, since `10.000` is ten to one
and ten thousand to another.

`shown` writes a number as short as it can be so that `parse` gives back exactly the same one.
"""

import re
from decimal import Decimal
from fractions import Fraction

from rtp.scenario.validation import Bounds, ScenarioError, must_be_within

MAX_TYPED_LENGTH = 60  # characters of a number that anyone means
_MINUS = str.maketrans({"−": "-", "–": "-", "﹣": "-", "－": "-"})
_SPACES = re.compile(r"[\s']+")  # an apostrophe groups digits in Switzerland
_NUMBER = re.compile(r"[+-]?(\d{1,3}( \d{3})+|\d+)?([.,]\d*)?(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)", re.ASCII)
_STARTS = re.compile(r"[+-]?[.,]?\d", re.ASCII)  # not with a power of ten
_THOUSANDS = re.compile(r"\d{1,3}(?:[,.' ]\d{3})+", re.ASCII)
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)


def parse(text: str, bounds: Bounds, *, percents: bool = False) -> float:
    """The number that was typed, within bounds; a whole one where they are whole. Where percents are asked
    for, 1 and 1 % are the same."""
    meant = _number(text, bounds, percents)
    if bounds.whole and meant.denominator != 1:
        raise _refused(text, bounds, "is no whole number")
    if bounds.whole and abs(meant) <= bounds.high:
        value: float = int(meant)
    else:
        value = _nearest(meant)
    if value == 0 != meant:
        raise _refused(text, bounds, "is closer to 0 than a computer can say")
    must_be_within(bounds.words, value, bounds)
    return value


def parse_count(text: str, bounds: Bounds, *, percents: bool = False) -> float:
    """The number that was typed where no fraction is meant, so that 3,100 and 3.100 are thousands."""
    thousands = _THOUSANDS.fullmatch(text.strip())
    return parse(re.sub(r"\D", "", text) if thousands else text, bounds, percents=percents)


def parse_hour(text: str, bounds: Bounds, *, percents: bool = False) -> float:
    """An hour of the day, as on a clock (7:15) or as a number (7.25)."""
    clock = _CLOCK.fullmatch(text.strip())
    if clock is None:
        return parse(text, bounds, percents=percents)
    hour = int(clock[1]) + int(clock[2]) / 60
    must_be_within(bounds.words, hour, bounds)
    return hour


def shown(value: float) -> str:
    """The number as short as it can be; without a power of ten where that is no longer than a field."""
    if isinstance(value, int):
        return str(value)
    text = repr(value)
    if "e" not in text:
        return text.removesuffix(".0")
    return format(Decimal(text), "f") if 1e-7 <= abs(value) < 1e16 else text


def _number(text: str, bounds: Bounds, percents: bool) -> Fraction:
    if len(text) > MAX_TYPED_LENGTH:
        raise _refused(text, bounds, "is too long for a number")
    tidy = _SPACES.sub(" ", text.translate(_MINUS)).strip()
    percent = tidy.endswith("%")
    top, slash, bottom = tidy.removesuffix("%").partition("/")
    meant = _plain(top.strip(), text, bounds)
    if slash:
        divisor = _plain(bottom.strip(), text, bounds)
        if divisor == 0:
            raise _refused(text, bounds, "divides by 0")
        meant /= divisor
    return meant / 100 if percent and not percents else meant


def _plain(part: str, text: str, bounds: Bounds) -> Fraction:
    part = re.sub(r"^([+-]) ", r"\1", part)
    if not (_NUMBER.fullmatch(part) or _GROUPED.fullmatch(part)) or not _STARTS.match(part):
        raise _refused(text, bounds, "is not a number that can be read")
    if bounds.whole and re.search("[.,]", part):
        raise _refused(
            text, bounds, "has a point or comma, which some read as a fraction and some as thousands"
        )
    if _GROUPED.fullmatch(part):
        raise _refused(text, bounds, "could mean thousands or a fraction; write a point, or no separator")
    return Fraction(part.replace(" ", "").replace(",", "."))


def _nearest(meant: Fraction) -> float:
    try:
        return float(meant)
    except OverflowError:
        return float("inf") if meant > 0 else float("-inf")


def _refused(text: str, bounds: Bounds, why: str) -> ScenarioError:
    typed = text if len(text) <= MAX_TYPED_LENGTH else f"{text[: MAX_TYPED_LENGTH - 1]}…"
    return ScenarioError(bounds.words, f"stays as it was: “{typed}” {why}.")

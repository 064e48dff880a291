"""How numbers and names are written where people read them: plain decimals, percents, and names as text.

No powers of ten: 0.001457 and not 1.457e-03. Only the Paper page quotes RMSRE the way the paper prints it.
Charts write the same digits with d3's rounded decimals: `PLAIN` is its format for what `plain` writes.

A name that somebody else wrote, of a file or of a house in readings, may hold anything. `shown_name` makes it
one short line. Sentences of the lab are Markdown, so there, in labels and in cells of tables it also goes
through `in_markdown`; a terminal and an HTML page take such a sentence through `plain_parts`.
"""

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from math import isfinite

from rtp.core.language import figure

PERCENT_DIGITS = 3  # significant digits of a percent
PLAIN = f",.{PERCENT_DIGITS}~r"  # as d3 says it
NAME_SHOWN = 60  # letters of a name that are shown
JOINER = "\u2060"  # takes no room, and parts what would be read as one


def plain(value: float, digits: int = PERCENT_DIGITS) -> str:
    """A number in so many significant digits, without powers of ten, trailing zeros or a sign before zero; in
    the language that is spoken."""
    if not isfinite(value):
        return str(value).replace("inf", "∞")
    return figure(f"{Decimal(f'{value:z.{digits - 1}e}').normalize():,f}")


def percent(share: float, digits: int = PERCENT_DIGITS) -> str:
    """A fraction as a percentage: 0.0012 %, 1.23 %, 45 %, 230 %."""
    return f"{plain(100 * share, digits)} %"


def whole_percent(share: float) -> str:
    """A fraction in whole percent: 45 %."""
    return f"{100 * share:.0f} %"


def unbroken(number: str) -> str:
    """A number that no line break can split."""
    return number.replace(" ", "\u00a0").replace("-", "\u2011")


def kept_together(words: str) -> str:
    """Words in which no line ends before a percent sign or within ε = 0.5 or 95 ± 1 %."""
    return re.sub(r" (?=[%=±])|(?<=[=±]) ", "\u00a0", words)


def change(share: float) -> str:
    """By how much more or less, with its sign: −46.9 %."""
    return f"{share:+z,.1%}".replace("%", " %").replace("-", "−")


def printable(text: str) -> str:
    """The text on one line, control characters escaped: a screen shows them and does not obey them."""
    hidden = ("C", "Zl", "Zp")  # also what turns the direction, and what has no width
    return "".join(ascii(c)[1:-1] if unicodedata.category(c).startswith(hidden) else c for c in text)


def shown_name(name: str) -> str:
    """A name that somebody else wrote, on one line and cut short."""
    text = " ".join(printable(name).split())
    return text if len(text) <= NAME_SHOWN else f"{text[: NAME_SHOWN - 1]}…"


def distinct(labels: Iterable[str]) -> list[str]:
    """The labels, a repeated one with a number: what looks the same is taken for the same."""
    taken: dict[str, None] = {}
    for label in labels:
        unique, number = label, 1
        while unique in taken:
            number += 1
            unique = f"{label} ({number})"
        taken[unique] = None
    return list(taken)


# Streamlit makes links, emoji, icons and arrows also of what is escaped, so these are parted.
_PARTED = re.compile(r"(?<=:)(?=[^\s\d]|\d+:)|(?<=@)|(?<=www)(?=\.)|(?<=[-<>=~])(?=[-<>=~])", re.IGNORECASE)
_MARKED = re.compile(
    r"[\\`*\[\]<>~$#]|(?<![^\W_])_|_(?![^\W_])|:(?=[^\s\d]|\d+:)|&(?=[#\w])"
    r"|^\d+[.)](?=\s|$)|^[-+](?=[\s\u2060]|$)"
)


def in_markdown(text: str) -> str:
    """What somebody else wrote, for Markdown as Streamlit reads it: it stands there as it is."""
    return _MARKED.sub(lambda m: f"{m[0][:-1]}\\{m[0][-1]}", _PARTED.sub(JOINER, printable(text)))


def plain_parts(sentence: str) -> list[str]:
    """The texts of a sentence whose only Markdown is **bold**, by turns normal and bold."""
    return re.sub(rf"\\(.)|(\*\*)|{JOINER}", lambda m: m[1] or ("\n" if m[2] else ""), sentence).split("\n")

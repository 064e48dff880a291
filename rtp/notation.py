"""How numbers are written where people read them: plain decimals, percents, an error with its RMSRE beneath.

No powers of ten: 0.001457 and not 1.457e-03. Only the Paper page quotes RMSRE the way the paper prints it.
Charts write the same digits with d3's rounded decimals: `PLAIN` is its format for what `plain` writes.
"""

from decimal import Decimal
from math import isfinite
from typing import NamedTuple

from rtp.metrics import typical_error

DIGITS = 3  # significant digits of a percent
RMSRE_DIGITS = 4
PLAIN = f",.{DIGITS}~r"  # as d3 says it

ERROR_AXIS = "Error, % of the rate in a typical step"
ERROR_MEANS = (
    "The error says by how much of its value the rate is off in a typical step, however many days are run: "
    "the root of the mean of ((r̂ − r)/r)² over all steps. RMSRE, as the paper prints it, is "
    "(1/T)·√Σ((r̂ − r)/r)²: the same error divided by √T, T being the number of steps."
)


class ErrorLines(NamedTuple):
    """An error in two lines."""

    percent: str
    rmsre: str


def plain(value: float, digits: int = DIGITS) -> str:
    """A number in so many significant digits, without powers of ten and without trailing zeros."""
    if not isfinite(value):
        return str(value).replace("inf", "∞")
    return f"{Decimal(f'{value:.{digits - 1}e}').normalize():,f}"


def percent(share: float, digits: int = DIGITS) -> str:
    """A fraction as a percentage: 0.0012 %, 1.23 %, 45 %, 230 %."""
    return f"{plain(100 * share, digits)} %"


def change(share: float) -> str:
    """By how much more or less, with its sign: -46.9 %."""
    return f"{share:+z,.1%}".replace("%", " %")


def signed(value: float, digits: int = 6) -> str:
    """A difference of numbers, with its sign; what only rounding left of it is none."""
    rounded = round(value, 9) + 0.0  # no negative zero
    return f"{'' if rounded < 0 else '+'}{plain(rounded, digits)}"


def error_lines(rmsre: float, steps: int) -> ErrorLines:
    """An error, given as printed: the percentage of a typical step, and RMSRE to stand beneath it."""
    return ErrorLines(percent(typical_error(rmsre, steps)), f"RMSRE {plain(rmsre, RMSRE_DIGITS)}")

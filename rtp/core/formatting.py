"""How numbers are written where people read them: plain decimals and percents.

No powers of ten: 0.001457 and not 1.457e-03, but for probabilities next to nothing: 10⁻⁹. Only the Paper page
quotes RMSRE the way the paper prints it.
Charts write the same digits with d3's rounded decimals: `PLAIN` is its format for what `plain` writes.
"""

from decimal import Decimal
from math import isfinite

DIGITS = 3  # significant digits of a percent
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PLAIN = f",.{DIGITS}~r"  # as d3 says it


def plain(value: float, digits: int = DIGITS) -> str:
    """A number in so many significant digits, without powers of ten, trailing zeros or a sign before zero."""
    if not isfinite(value):
        return str(value).replace("inf", "∞")
    return f"{Decimal(f'{value:z.{digits - 1}e}').normalize():,f}"


def power_of_ten(value: float) -> str:
    """A tiny number as a power of ten: 10⁻⁹, 2·10⁻⁶."""
    digits, _, exponent = f"{value:.1e}".partition("e")
    factor = "" if float(digits) == 1 else f"{float(digits):g}·"
    return f"{factor}10{str(int(exponent)).translate(_RAISED)}"


def percent(share: float, digits: int = DIGITS) -> str:
    """A fraction as a percentage: 0.0012 %, 1.23 %, 45 %, 230 %."""
    return f"{plain(100 * share, digits)} %"


def change(share: float) -> str:
    """By how much more or less, with its sign: -46.9 %."""
    return f"{share:+z,.1%}".replace("%", " %")


def signed(value: float) -> str:
    """A difference of numbers, with its sign; what only rounding left of it is none."""
    rounded = round(value, 9)
    return f"{'' if rounded < 0 else '+'}{plain(rounded, 6)}"

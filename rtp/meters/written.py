"""How a file writes its numbers: the decimal sign, and what parts thousands.

`1,234` is one and a bit to a German and over a thousand to an American. What decides is how all numbers of
the file are written together: thousands come in groups of three digits that do not begin with 0, and numbers
below a thousand stand beside them without a sign. What may still be both is refused.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from rtp.meters.layout import NUMBER
from rtp.scenario import ScenarioError

NO_VALUE = ["", " ", "-", "--", "?", "NA", "N/A", "n/a", "N.A.", "#N/A", "NaN", "nan", "null", "Null", "NULL"]
NO_VALUE += ["None", "none", "missing", "k.A.", "nd", "n.d.", "***", "#NUM!", "#VALUE!"]
CLEAR_SIGNS = ("'", "’", " ", "\u00a0", "\u2009", "\u202f")  # that part thousands, and are never decimal
SIGN = r"[.,'’\s]"
FITTING = 0.95  # of the cells with a sign are in groups of three, where it parts thousands
BELOW = 0.01  # of all numbers have no sign and are not 0, where some are below a thousand


class NumberFormat(NamedTuple):
    """How numbers are written."""

    decimal: str
    grouping: str  # what parts thousands; "" where nothing does
    doubt: str = ""  # that numbers may have thousands' signs all the same, unless use would be too large

    def read(self, column: pa.Array) -> pa.Array:
        """Return the numbers that texts say."""
        texts = trimmed(column)
        if self.grouping:
            grouped = pc.match_substring_regex(texts, grouped_by(self.grouping))
            other = pc.and_(pc.match_substring(texts, self.grouping), pc.invert(grouped))
            if pc.any(other).as_py():
                text = pc.filter(texts, other)[0].as_py()[:40]
                problem = f"{text!r} is in other groups than of three digits, as others are."
                raise ScenarioError("The number", problem)
            texts = pc.replace_substring(texts, self.grouping, "")
        return pc.cast(pc.replace_substring(texts, self.decimal, "."), pa.float64())


def trimmed(column: pa.Array) -> pa.Array:
    """Return texts without spaces around them, null where they stand for no value."""
    texts = pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.is_in(texts, pa.array(NO_VALUE)), None, texts)


def grouped_by(sign: str) -> str:
    """Return what a number matches whose thousands are parted by a sign."""
    decimal = {",": r"\.", ".": ","}.get(sign, "[.,]")
    return rf"^[-+]?[1-9]\d{{0,2}}({re.escape(sign)}\d{{3}})+({decimal}\d*)?$"


def has_signs(column: pa.Array) -> bool:
    """Return whether a number of a column of texts has a decimal sign or parted thousands."""
    return bool(pc.any(pc.match_substring_regex(trimmed(column), rf"\d{SIGN}|{SIGN}\d")).as_py())


def number_format(cells: Sequence[str], delimiter: str) -> NumberFormat:
    """Return how the numbers among some cells are written, in a file whose columns are parted so; refused
    where it can be both."""
    numbers, doubt = [cell for cell in map(str.strip, cells) if NUMBER.match(cell)], ""
    plain = sum(cell.lstrip("+-").isdigit() and int(cell) != 0 for cell in numbers)
    for sign in (*CLEAR_SIGNS, ",", "."):
        own = [cell for cell in numbers if sign in cell]
        fitting = [cell for cell in own if re.match(grouped_by(sign), cell)]
        if not own or len(fitting) < FITTING * len(own):
            continue
        decimal = next((other for other in ".," if any(other in each for each in own) and other != sign), "")
        several = any(cell.count(sign) > 1 for cell in fitting)
        below = plain >= BELOW * len(numbers)
        quoted = sign == delimiter
        if sign in CLEAR_SIGNS or decimal or several or (quoted and below):
            return NumberFormat(decimal or {",": ".", ".": ","}.get(sign, "."), sign)
        text = fitting[0]
        doubt = f"{text!r} may be {text.replace(sign, '')} or {text.replace(sign, '.')}; write numbers "
        doubt += "without thousands' signs."
        if below or quoted:
            raise ScenarioError("The number", doubt)
    return NumberFormat("," if any("," in cell for cell in numbers) else ".", "", doubt)

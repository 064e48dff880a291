"""A published number beside ours, with the verdict that follows from the two.

A published number *agrees* where it lies, within the rounding of its last digit, in the range that holds 95 %
of our days. It is *explained* where it does not, but does in the range of a stated other reading, which is
computed as well. Otherwise it is *open*.
"""

from dataclasses import dataclass
from typing import Literal

from rtp.paper.published import Printed
from rtp.paper.reproduction import say
from rtp.statistics import Range

Verdict = Literal["agrees", "explained", "open"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One published number beside ours."""

    section: str
    quantity: str
    published: str
    ours: Range
    form: str  # the format of our numbers
    verdict: Verdict
    why: str

    def value(self) -> str:
        return say(self.ours.value, self.form)

    def range(self) -> str:
        """The 95 % range over days; empty where nothing varies."""
        low, high = (say(end, self.form) for end in (self.ours.low, self.ours.high))
        return "" if self.ours.low == self.ours.high else f"{low} to {high}"


def verdict(value: float, half_unit: float, ours: Range, otherwise: Range | None = None) -> Verdict:
    """Does a published value, known to half a unit of its last digit, lie in our range, or another's?"""
    slack = half_unit * (1 + 1e-9)
    if ours.covers(value, slack):
        return "agrees"
    return "explained" if otherwise is not None and otherwise.covers(value, slack) else "open"


def row(
    section: str,
    quantity: str,
    number: Printed,
    ours: Range,
    form: str,
    why: str,
    otherwise: Range | None = None,
) -> Row:
    """`otherwise` is the range of another reading of the paper."""
    return Row(
        section=section,
        quantity=quantity,
        published=number.text,
        ours=ours,
        form=form,
        verdict=verdict(number.value, number.half_unit, ours, otherwise),
        why=why,
    )

"""A published number beside ours, with the verdict that follows from the two.

A published number *agrees* where it lies, to half a unit of its last printed digit, in the range that holds
95 % of our days. It is *explained* where it does not, but a stated reason is computed that leads from the one
to the other. Otherwise it is *open*. `JUDGED` states the tolerance and the reason of every section. Only what
came out of a computation is counted: a setting was put in, and the paper's own arithmetic proves nothing.
"""

from dataclasses import dataclass
from typing import Literal

from rtp.core.stats import LEVEL_WORDS, Range
from rtp.paper.published import Printed
from rtp.paper.reproduction import say

Verdict = Literal["agrees", "explained", "open"]
Kind = Literal["computed", "setting", "arithmetic"]

_AGREES = (
    f"A number agrees if it lies, to half a unit of its last printed digit, in the range of {LEVEL_WORDS} of "
    "our days"
)
JUDGED = {
    "Results": f"{_AGREES}; it is explained if the luck of one day, computed, reaches it.",
    "Figures": (
        f"{_AGREES}; it is explained if it does once our curves are blurred as the picture blurs, by one "
        "weight, fitted to Figure 2a."
    ),
    "Habits": (
        f"{_AGREES}; it is explained if our range holds what the published chance becomes, computed from it "
        "alone, once households differ and no chance falls below 0 or rises above 1."
    ),
    "Settings": "A setting agrees if ours is equal. All are put in, none is computed, so none is counted.",
}
SECTIONS = tuple(JUDGED)


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
    kind: Kind = "computed"

    def value(self) -> str:
        return say(self.ours.value, self.form)

    def range(self) -> str:
        """The 95 % range over days; empty where nothing varies."""
        low, high = (say(end, self.form) for end in (self.ours.low, self.ours.high))
        return "" if self.ours.low == self.ours.high else f"{low} to {high}"


def lies_in(number: Printed, span: Range) -> bool:
    """Does a published number, known to half a unit of its last digit, lie in a range?"""
    return span.covers(number.value, number.half_unit * (1 + 1e-9))


def verdict(number: Printed, ours: Range, *, explained: bool = False) -> Verdict:
    """`explained` is whether a computed reason leads from the published number to ours."""
    if lies_in(number, ours):
        return "agrees"
    return "explained" if explained else "open"


def row(
    section: str,
    quantity: str,
    number: Printed,
    ours: Range,
    form: str,
    why: str,
    *,
    explained: bool = False,
    kind: Kind = "computed",
) -> Row:
    return Row(
        section=section,
        quantity=quantity,
        published=number.text,
        ours=ours,
        form=form,
        verdict=verdict(number, ours, explained=explained),
        why=why,
        kind=kind,
    )

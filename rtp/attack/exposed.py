"""Why the rates tell most about this house, as far as the street explains it.

What a rate says about a house grows with its *gap* |u₁ − u₀|, by which its state moves the demand, and with
how *open* the model alone leaves its state: p(1 − p), averaged over the day. Their product is the gain of a
linear estimate (`gaussian`), and so the first reason for her belief to move. What neither explains is how
this day went.
"""

from typing import NamedTuple

import numpy as np

from rtp.attack.observer import Posterior
from rtp.core.types import Floats
from rtp.street.draw import Street


class Place(NamedTuple):
    """Where a house stands among those she follows; 1 is the first."""

    exposure: int
    gap: int
    gap_and_openness: int
    of: int
    more_while_empty: bool
    uniform: bool  # whether use is, so that the gap is that of the bounds


def place(seen: Posterior, column: int, street: Street) -> Place:
    (empty, occupied), _ = street.moments()
    gap = np.abs(occupied - empty)[seen.houses]
    openness = (seen.model_only * (1 - seen.model_only)).mean(axis=0)
    house = seen.houses[column]
    return Place(
        exposure=_rank(seen.exposure, column),
        gap=_rank(gap, column),
        gap_and_openness=_rank(gap * openness, column),
        of=len(seen.houses),
        more_while_empty=bool(empty[house] > occupied[house]),
        uniform=street.distributions is None,
    )


def _rank(values: Floats, column: int) -> int:
    return 1 + int(np.count_nonzero(values > values[column]))


def use_words(street: Street, house: int) -> str:
    """How much a house uses in either state: at most or, by a law of its own, on average."""
    if street.distributions is None:
        most = street.occupied_bound[house], street.empty_bound[house]
        return f"uses up to {most[0]:.3g} when occupied and {most[1]:.3g} when empty"
    (empty, occupied), _ = street.moments(slice(house, house + 1))
    return f"uses {occupied[0]:.3g} on average when occupied and {empty[0]:.3g} when empty"


def _apart(found: Place) -> str:
    return "bounds" if found.uniform else "mean uses"


def why_words(found: Place) -> str:
    """Why this house, in a sentence or two."""
    return " ".join(part for part in (_exposed(found), _while_empty(found)) if part)


def _exposed(found: Place) -> str:
    if found.of == 1:
        return ""
    if found.exposure > 1:
        return (
            f"Of {found.of:,} houses it is number {found.exposure:,} by what the rates tell about it, and "
            f"number {found.gap:,} by how far its two {_apart(found)} are apart."
        )
    return f"Why this one of {found.of:,}: {_reason(found)}"


def _reason(found: Place) -> str:
    if found.gap == 1:
        return (
            f"no other house's two {_apart(found)} are as far apart, so its coming and going moves the "
            "demand most."
        )
    further = f"only {found.gap - 1:,} of them have bounds further apart"
    if found.gap_and_openness == 1:
        return f"{further}, and their habits leave less open whether somebody is at home."
    return f"{further}; the rest is how this day went."


def _while_empty(found: Place) -> str:
    return (
        "It uses more while empty: a high rate speaks for nobody at home." if found.more_while_empty else ""
    )

"""The reproduction as tables and sentences: published against ours, and what the paper leaves open."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rtp.core.stats import LEVEL_WORDS, middle
from rtp.mechanisms import REGISTRY
from rtp.paper import published
from rtp.paper.alternatives import Headline, OptionOutcome
from rtp.paper.comparison import JUDGED, ComparisonRow, reading_range
from rtp.paper.reproduction import MECHANISMS, PaperDays, range_text

if TYPE_CHECKING:
    import pandas as pd

VERDICTS = {"agrees": "✓ agrees", "explained": "≈ explained", "open": "? open"}
NOT_COMPUTED = {"setting": "= set so", "arithmetic": "= theirs"}


def verdict_of(row: ComparisonRow) -> str:
    """A number that was put in is not said to agree: it is equal, or open."""
    if row.kind == "computed" or row.verdict == "open":
        return VERDICTS[row.verdict]
    return NOT_COMPUTED[row.kind]


def verdict_words(rows: Sequence[ComparisonRow]) -> str:
    """How the numbers that were computed compare, and how many were not."""
    computed = [row for row in rows if row.kind == "computed"]
    counts = {name: sum(row.verdict == name for row in computed) for name in VERDICTS}
    settings = [row for row in rows if row.kind == "setting"]
    equal, arithmetic = sum(row.verdict == "agrees" for row in settings), len(rows) - len(computed)
    return (
        f"Of {len(computed)} published numbers that the lab computes {counts['agrees']} agree with ours, "
        f"{counts['explained']} are explained by a computed reason; open: {counts['open']}. Not counted: "
        f"{len(settings)} settings, put in as published ({equal} equal), and "
        f"{arithmetic - len(settings)} that follows from the paper's own numbers."
    )


def narrow_frame(rows: Sequence[ComparisonRow]) -> "pd.DataFrame":
    """The table in four columns that a phone can hold: numbers stay whole, words wrap."""
    import pandas as pd

    return pd.DataFrame(
        {
            "Quantity": [row.quantity for row in rows],
            "Published": [unbroken(row.published) for row in rows],
            f"Ours ({LEVEL_WORDS} of days)": [_ours(row) for row in rows],
            "Verdict": [unbroken(verdict_of(row)) for row in rows],
        }
    )


def _ours(row: ComparisonRow) -> str:
    value = unbroken(row.value())
    if not row.range():
        return value
    return f"{value} ({' to '.join(unbroken(end) for end in row.range().split(' to '))})"


def unbroken(number: str) -> str:
    """A number that no line break can split."""
    return whole_exponents(number).replace(" ", "\u00a0").replace("-", "\u2011")


def whole_exponents(text: str) -> str:
    """Text in which no line break can split 1.089e-3."""
    return re.sub(r"e-(?=\d)", "e\u2011", text)


def comparison_frame(rows: Sequence[ComparisonRow]) -> "pd.DataFrame":
    """The table to take away."""
    import pandas as pd

    return pd.DataFrame(
        {
            "Quantity": [row.quantity for row in rows],
            "Published": [row.published for row in rows],
            "Ours": [row.value() for row in rows],
            f"{LEVEL_WORDS} of days": [row.range() for row in rows],
            "Verdict": [verdict_of(row) for row in rows],
            "Judged by": [JUDGED[row.section] for row in rows],
            "Why": [row.why for row in rows],
        }
    )


def alternatives_frame(outcomes: Sequence[OptionOutcome]) -> "pd.DataFrame":
    """Ours once, then a row per other answer; what does not exist has no numbers."""
    import pandas as pd

    ours = next(o for o in outcomes if o.ours)
    chosen = {o.choice.name: o.option.name for o in outcomes if o.ours}
    rows = [{"Answer": "as we chose", **_numbers(ours.headline), "Left open": "", "We chose": ""}]
    rows += [
        {
            "Answer": o.option.name,
            **_numbers(o.headline),
            "Left open": o.choice.name,
            "We chose": chosen[o.choice.name],
        }
        for o in outcomes
        if not o.ours
    ]
    return pd.DataFrame(rows)


def _numbers(given: Headline | None) -> dict[str, float | str | None]:
    names = [REGISTRY[name].label for name in MECHANISMS]
    if given is None:
        return {**dict.fromkeys(names), "Naive above Blowfish": "does not exist"}
    return {
        **dict(zip(names, given.errors, strict=True)),
        "Naive above Blowfish": range_text(given.excess, ".1%"),
        "Steps dropping": given.dropping,
        "To 2a": given.occupancy_rmse,
        "To 2b": given.consumption_rmse,
    }


def picture_words(days: PaperDays) -> str:
    """At how many steps the published curves lie in the range of ours, as read and within the error."""
    _, occupancy, consumption = published.figure2()
    inside = [
        int(np.sum((low <= theirs) & (theirs <= high)))
        for range_of in (middle, reading_range)
        for theirs, ours in ((occupancy, days.occupancy), (consumption, days.consumption))
        for low, high in [range_of(ours)]
    ]
    return (
        f"The published curves lie in the {LEVEL_WORDS} range of {len(days):,} of our days at {inside[0]} "
        f"(2a) and {inside[1]} (2b) of {len(occupancy)} steps. They were read off a picture in which "
        f"a thin line is {published.READING_STEPS:g} of a step wide: within that it is {inside[2]} and "
        f"{inside[3]}."
    )

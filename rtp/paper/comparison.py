"""Published against ours, number by number, each with the verdict that follows from the two.

A published number *agrees* where it lies, to half a unit of its last printed digit, in the range that holds
95 % of our days. It is *explained* where it does not, but a stated reason is computed that leads from the one
to the other. Otherwise it is *open*. `JUDGED` states the tolerance and the reason of every section. Only what
came out of a computation is counted: a setting was put in, and the paper's own arithmetic proves nothing.

*Habits.* The paper gives the probability P that something happens at some point during a period of n steps,
per step p = 1 − (1 − P)^(1/n), and lets households differ by Gaussian noise. A probability cannot leave
[0, 1], and that over the period is not linear in p; so the mean over the houses is not P but

    E[1 − (1 − p_σ)^n],    p_σ = p + σ·N(0, 1), kept inside (0, 1).

That mean is computed from the published number and σ alone. Where ours differs from the published number, it
must be that: with any other habits the row is open.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from rtp.core.stats import LEVEL_WORDS, Range, middle, spread
from rtp.core.time import STEPS_PER_DAY, STEPS_PER_HOUR, hhmm
from rtp.core.types import Floats
from rtp.paper import published
from rtp.paper.choices import NOISE_QUESTION
from rtp.paper.published import Printed
from rtp.paper.reproduction import MECHANISMS, PAPER, PaperDays, as_printed, range_text
from rtp.street.schedule import INTERIOR

if TYPE_CHECKING:
    import pandas as pd

Agreement = Literal["agrees", "explained", "open"]
Kind = Literal["computed", "setting", "arithmetic"]
VERDICTS = {"agrees": "✓ agrees", "explained": "≈ explained", "open": "? open"}
NOT_COMPUTED = {"setting": "= set so", "arithmetic": "= theirs"}

_AGREES = (
    f"A number agrees if it lies, to half a unit of its last printed digit, in the range of {LEVEL_WORDS} of "
    "our days"
)
JUDGED = {
    "Results": f"{_AGREES}; it is explained if the range of single days, computed, reaches it.",
    "Figures": (
        f"{_AGREES}; it is explained if it lies in the range that our curves have within "
        f"{published.READING_STEPS:g} of a step: a thin line is that wide in print, and no reading is surer."
    ),
    "Habits": (
        f"{_AGREES}; it is explained if our range holds what the published chance becomes, computed from it "
        "alone, once households differ and no chance falls below 0 or rises above 1."
    ),
    "Settings": "A setting agrees if ours is equal. All are put in, none is computed, so none is counted.",
}


@dataclass(frozen=True)
class ComparisonRow:
    """One published number beside ours."""

    section: str
    quantity: str
    number: Printed
    ours: Range
    form: str  # the format of our numbers
    why: str
    explained: bool = False  # whether a computed reason leads from the published number to ours
    kind: Kind = "computed"

    @property
    def verdict(self) -> Agreement:
        if lies_in(self.number, self.ours):
            return "agrees"
        return "explained" if self.explained else "open"

    @property
    def verdict_text(self) -> str:
        """A number that was put in is not said to agree: it is equal, or open."""
        if self.kind == "computed" or self.verdict == "open":
            return VERDICTS[self.verdict]
        return NOT_COMPUTED[self.kind]

    def value(self) -> str:
        return as_printed(self.ours.value, self.form)

    def range(self) -> str:
        """The 95 % range over days; empty where nothing varies."""
        return "" if self.ours.low == self.ours.high else range_text(self.ours, self.form)


def lies_in(number: Printed, span: Range) -> bool:
    """Does a published number, known to half a unit of its last digit, lie in a range?"""
    return span.covers(number.value, number.half_unit)


def exactly(value: float) -> Range:
    """A number that does not vary over days."""
    return Range(value, value, value)


def table(days: PaperDays) -> list[ComparisonRow]:
    """Every number of the paper's simulation section."""
    return [*results(days), *figures(days), *habits(days), *settings()]


def results(days: PaperDays) -> list[ComparisonRow]:
    naive, blowfish = (spread(days.errors(name)) for name in MECHANISMS[:2])
    own, one_day = spread(days.expected_excess()), spread(days.excess())
    why = (
        "Ours is the average over the noise. One day with independent noise gives anything from "
        f"{range_text(one_day, '.0%')}."
    )
    quotient = published.NAIVE_RMSRE / published.BLOWFISH_RMSRE - 1
    result, one_days = partial(ComparisonRow, "Results"), "One day's RMSRE."
    explained = lies_in(published.EXCESS, one_day)
    theirs = "Arithmetic on the paper's own numbers."
    return [
        result("RMSRE, Blowfish", published.BLOWFISH, blowfish, ".3e", one_days),
        result("RMSRE, naive", published.NAIVE, naive, ".3e", one_days),
        result("Naive error above Blowfish's", published.EXCESS, own, ".2%", why, explained),
        result(
            "The same, from the two printed errors",
            published.EXCESS,
            exactly(quotient),
            ".2%",
            theirs,
            kind="arithmetic",
        ),
        _dropping(days),
    ]


def _dropping(days: PaperDays) -> ComparisonRow:
    """The claim that houses are dropped and the noise is smaller for it "in some time steps"."""
    dropping, smaller = spread(days.dropping), spread(days.smaller)
    below = as_printed(1 - float(days.scale[:, 1].mean() / days.scale[:, 0].mean()), ".2%")
    some = Printed(f"some of {STEPS_PER_DAY}", (STEPS_PER_DAY + 1) / 2, (STEPS_PER_DAY - 1) / 2)  # from 1 on
    why = (
        f"Its noise is smaller at {smaller.value:.0f} steps, by {below}, dropped houses or not: the "
        f"naive noise covers the nominal maximum, and the largest of {PAPER.households:,} drawn bounds "
        f"is {days.largest_bound.mean():.4f} on average. A reading of the paper that would make it smaller "
        f"in some steps leaks: see “{NOISE_QUESTION}” under Choices."
    )
    quantity = "Steps in which Blowfish drops houses and needs less noise"
    return ComparisonRow("Results", quantity, some, dropping, ".0f", why)


def figures(days: PaperDays) -> list[ComparisonRow]:
    """Figures 2a and 2b where the day and its periods begin, and at the last step; read off the picture."""
    _, occupancy, consumption = published.figure2()
    begins = [round(start.value) * STEPS_PER_HOUR for start in published.PERIOD_STARTS.values()]
    rows = []
    for name, theirs, ours in (
        ("2a, mean occupancy", occupancy, days.occupancy),
        ("2b, mean consumption", consumption, days.consumption),
    ):
        low, high = reading_range(ours)
        for step in (0, *begins, STEPS_PER_DAY - 1):
            number = Printed(f"{theirs[step]:.4f}", float(theirs[step]), 0.5e-4)
            own = spread(ours[:, step])
            read = Range(own.value, float(low[step]), float(high[step]))
            why = (
                f"Read off a picture: within {published.READING_STEPS:g} of a step, a thin line's width, "
                f"ours lies between {read.low:.4f} and {read.high:.4f}."
            )
            quantity = f"{name} at {hhmm(step / STEPS_PER_HOUR)}"
            rows.append(ComparisonRow("Figures", quantity, number, own, ".4f", why, lies_in(number, read)))
    return rows


def reading_range(curves: Floats) -> tuple[Floats, Floats]:
    """The ends, (T,), of the range of 95 % of our days' curves (n, T) within the error of a reading in time.

    Between two steps a curve is taken to be a straight line, so its extremes within the error are at its ends
    or at the step itself.
    """
    off = published.READING_STEPS
    longer = np.pad(curves, ((0, 0), (1, 1)), mode="edge")
    before, after = ((1 - off) * curves + off * other for other in (longer[:, :-2], longer[:, 2:]))
    near = np.stack([curves, before, after])
    return middle(near.min(axis=0))[0], middle(near.max(axis=0))[1]


def settings() -> list[ComparisonRow]:
    """What the paper sets and we set the same."""
    group, starts = PAPER.groups[0], {p.name: p.start for p in PAPER.models[0].habits[0].periods}
    scale = published.ALPHA.value * published.OCCUPIED_MAX.value / published.EPSILON.value
    pairs: list[tuple[str, Printed, float]] = [
        ("Households N", published.HOUSEHOLDS, PAPER.households),
        ("Time steps T", published.STEPS, PAPER.steps),
        ("Hours simulated", published.HOURS_SIMULATED, PAPER.steps / STEPS_PER_HOUR),
        ("Steps per hour", published.STEPS_AN_HOUR, STEPS_PER_HOUR),
        ("Models in Θ", published.MODELS, len(PAPER.models)),
        ("Different transition matrices", published.MATRICES, len(starts)),
        *((f"{name} starts at hour", hour, starts[name]) for name, hour in published.PERIOD_STARTS.items()),
        ("u_max, occupied", published.OCCUPIED_MAX, group.occupied_max),
        ("u_max, empty", published.EMPTY_MAX, group.empty_max),
        ("Privacy budget ε", published.EPSILON, PAPER.epsilon),
        ("Price slope α", published.ALPHA, PAPER.alpha),
        ("Base price β", published.BETA, PAPER.beta),
        (
            "Naive noise scale α·u_max/ε",
            Printed(f"{scale:g}", scale, 0.0),
            PAPER.alpha * max(group.occupied_max, group.empty_max) / PAPER.epsilon,
        ),
    ]
    setting = partial(ComparisonRow, "Settings", form="g", why="Set, not measured.", kind="setting")
    return [
        setting(quantity, number._replace(half_unit=0.0), exactly(float(value)))
        for quantity, number, value in pairs
    ]


_QUANTILES = 4000


def habits(days: PaperDays) -> list[ComparisonRow]:
    """The chance of something happening at some point during a period, mean over the houses."""
    steps = PAPER.models[0].habits[0].steps()
    rows = []
    for p, (period, numbers) in enumerate(published.PERIOD_PROBABILITIES.items()):
        for kind, (verb, number) in enumerate(zip(_verbs(period), numbers, strict=True)):
            mean = mean_over_spread(number, steps[p], PAPER.habit_spread)
            ours = spread(days.period_probabilities[:, p, kind])
            why = (
                f"Households differ by ±{PAPER.habit_spread:g} per step, and a chance cannot fall below 0: "
                f"so the published {number.text} become {as_printed(mean, '.2%')} on average."
            )
            quantity = f"{period}: chance to {verb}"
            rows.append(ComparisonRow("Habits", quantity, number, ours, ".2%", why, ours.covers(mean)))
    return rows


def mean_over_spread(number: Printed, steps: int, sd: float) -> float:
    """What a chance over a period becomes, mean over many houses that differ by `sd` per step."""
    from scipy.special import ndtri

    per_step = -np.expm1(np.log1p(-number.value) / steps)
    normal = ndtri((np.arange(_QUANTILES) + 0.5) / _QUANTILES)
    return float(np.mean(1 - (1 - np.clip(per_step + sd * normal, INTERIOR, 1 - INTERIOR)) ** steps))


def _verbs(period: str) -> tuple[str, str]:
    leave = "go to sleep" if period == "Night" else "leave"
    return leave, {"Morning": "wake up", "Night": "get up"}.get(period, "come home")


def verdict_words(rows: Sequence[ComparisonRow]) -> str:
    """How the numbers that were computed compare."""
    computed = [row for row in rows if row.kind == "computed"]
    counts = {name: sum(row.verdict == name for row in computed) for name in VERDICTS}
    return (
        f"Of {len(computed)} published numbers {counts['agrees']} agree with ours, {counts['explained']} are "
        f"explained; open: {counts['open']}."
    )


def not_counted_words(rows: Sequence[ComparisonRow]) -> str:
    """How many numbers the verdict does not count, and why."""
    settings = [row for row in rows if row.kind == "setting"]
    equal = sum(row.verdict == "agrees" for row in settings)
    arithmetic = sum(row.kind == "arithmetic" for row in rows)
    return (
        f"Not counted: {len(settings)} settings, put in as published ({equal} equal), and {arithmetic} that "
        "follows from the paper's own numbers."
    )


def narrow_frame(rows: Sequence[ComparisonRow]) -> "pd.DataFrame":
    """The table in four columns that a phone can hold: numbers stay whole, words wrap."""
    import pandas as pd

    return pd.DataFrame(
        {
            "Quantity": [row.quantity for row in rows],
            "Published": [unbroken(row.number.text) for row in rows],
            f"Ours ({LEVEL_WORDS} of days)": [_ours(row) for row in rows],
            "Verdict": [unbroken(row.verdict_text) for row in rows],
        }
    )


def _ours(row: ComparisonRow) -> str:
    value = unbroken(row.value())
    if not row.range():
        return value
    return f"{value} ({' to '.join(unbroken(end) for end in row.range().split(' to '))})"


def unbroken(number: str) -> str:
    """A number that no line break can split."""
    return number.replace(" ", "\u00a0").replace("-", "\u2011")


def whole_exponents(text: str) -> str:
    """Text in which no line break can split 1.089e-3."""
    return re.sub(r"e-(?=\d)", "e\u2011", text)


def comparison_frame(rows: Sequence[ComparisonRow]) -> "pd.DataFrame":
    """The table to take away."""
    import pandas as pd

    return pd.DataFrame(
        {
            "Quantity": [row.quantity for row in rows],
            "Published": [row.number.text for row in rows],
            "Ours": [row.value() for row in rows],
            f"{LEVEL_WORDS} of days": [row.range() for row in rows],
            "Verdict": [row.verdict_text for row in rows],
            "Judged by": [JUDGED[row.section] for row in rows],
            "Why": [row.why for row in rows],
        }
    )


def reading_error_words(days: PaperDays) -> str:
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

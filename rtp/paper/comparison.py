"""The paper's day simulated many times over, and published against ours, number by number.

A published number *agrees* where it lies, to half a unit of its last printed digit, in the range that holds
95 % of our days. It is *explained* where it does not, but a stated reason is computed that leads from the one
to the other. Otherwise it is *open*. Only results are counted: a setting was put in, so were the habits, of
which ours are what becomes of them, and the paper's own arithmetic proves nothing. How many results agree
depends a little on the days that were drawn: the interval is the bootstrap's, of days drawn with replacement
from ours. The sentences are made in `rtp.output.paper`.

*Habits.* The paper gives the probability P that something happens at some point during a period of n steps,
per step p = 1 − (1 − P)^(1/n), and lets households differ by Gaussian noise. A probability cannot leave
[0, 1], and that over the period is not linear in p; so the mean over the houses is not P but

    E[1 − (1 − p_σ)^n],    p_σ = p + σ·N(0, 1), kept inside (0, 1).

That mean is computed from the published number and σ alone. Where ours differs from the published number, it
must be that: with any other habits the row is open.

*What one run can and cannot show.* The paper reports one run. Each of our days draws everything anew (street,
occupancy, consumption and, independently for every mechanism, noise), so the spread over days is how far one
reported number scatters. On average over the noise, an error is the expected RMSRE of that day's street and
demand, in closed form.

How often two runs of the *same* mechanism differ by a given percentage is estimated over all pairs of days,
a U-statistic: with hᵢ the share of the other days that differ from day i by so much, it is the mean of h, and
its variance is 4·Var(h)/n to first order (Hoeffding).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Literal

import numpy as np

from rtp.core.random import Stream, random_generator
from rtp.core.stats import Range, middle, normal_width, spread
from rtp.core.time import STEPS_PER_DAY, STEPS_PER_HOUR, hhmm
from rtp.core.types import Floats
from rtp.mechanisms import blowfish, calibrated, naive
from rtp.paper import published
from rtp.paper.published import Printed
from rtp.scenario import BOUNDS, PRESETS, Scenario
from rtp.simulation import Day, simulate
from rtp.street.schedule import INTERIOR, personal_habits

PAPER = PRESETS["paper"].replace(independent_noise=True)  # our choice; see `choices`
MECHANISMS = tuple(module.MECHANISM.name for module in (naive, blowfish, calibrated))
FIRST_DAYS = 40  # simulated at once, to have something to show
MANY_DAYS = 500
MAX_DAYS = 5000


@dataclass(frozen=True, kw_only=True)
class PaperDays:
    """Numbers of many days, one row per day; columns of mechanisms are in the order of MECHANISMS."""

    rmsre: Floats  # (n, 3) of the day as drawn, as the paper prints it
    expected: Floats  # (n, 3) on average over the noise
    scale: Floats  # (n, 3) the noise scale's mean over the day
    smaller: Floats  # (n,) steps in which Blowfish's scale is below the naive one
    dropping: Floats  # (n,) steps in which Blowfish protects fewer than all houses
    largest_bound: Floats  # (n,) of all houses drawn
    period_probabilities: Floats  # (n, 4, 2): to (leave, arrive) at some point during it, mean over houses
    occupancy: Floats  # (n, T)
    consumption: Floats  # (n, T)

    def __len__(self) -> int:
        return len(self.rmsre)

    def errors(self, mechanism: str) -> Floats:
        """The one-day RMSREs of a mechanism, (n,)."""
        return np.asarray(self.rmsre[:, MECHANISMS.index(mechanism)])

    def excess(self) -> Floats:
        """By which fraction the naive error is above Blowfish's on each day, (n,)."""
        return np.asarray(self.rmsre[:, 0] / self.rmsre[:, 1] - 1)

    def expected_excess(self) -> Floats:
        """The same fraction of the errors on average over the noise, (n,)."""
        return np.asarray(self.expected[:, 0] / self.expected[:, 1] - 1)


def many_days(
    scenario: Scenario, count: int, progress: Callable[[float, PaperDays], None] | None = None
) -> PaperDays:
    """The days of `count` consecutive seeds. `progress` gets the fraction done and the days so far.

    It may raise to stop.
    """
    rows: dict[str, Floats] = {}
    days = None
    for k in range(count):
        seed = (scenario.seed + k) % (int(BOUNDS["seed"].high) + 1)
        for name, numbers in measure_day(simulate(scenario.replace(seed=seed))).items():
            if k == 0:
                rows[name] = np.empty((count, *numbers.shape))
            rows[name][k] = numbers
        days = PaperDays(**{name: array[: k + 1] for name, array in rows.items()})
        if progress is not None:
            progress((k + 1) / count, days)
    if days is None:
        raise ValueError(f"count is {count}; it must be at least 1.")
    return days


def measure_day(day: Day) -> dict[str, Floats]:
    """One row of every array in `PaperDays`."""
    releases = [day.release[name] for name in MECHANISMS]
    by_naive, by_blowfish, _ = releases
    return {
        "rmsre": np.array([printed_rmsre(r.error, day.scenario.steps) for r in releases]),
        "expected": np.array([printed_rmsre(r.expected_error, day.scenario.steps) for r in releases]),
        "scale": np.array([r.scale.mean() for r in releases]),
        "smaller": np.array(float(np.sum(by_blowfish.scale < by_naive.scale))),
        "dropping": np.array(float(np.sum(by_blowfish.protected < day.scenario.households))),
        "largest_bound": np.array(day.street.bound.max()),
        "period_probabilities": mean_period_probabilities(day),
        "occupancy": day.occupancy,
        "consumption": day.consumption,
    }


def printed_rmsre(error: float, steps: int) -> float:
    """Return an error as the paper prints it, (1/T)·√Σ((r̂ − r)/r)²: its 1/T stands outside the root, so it is
    the root mean square over √T."""
    return error / sqrt(steps)


def mean_period_probabilities(day: Day) -> Floats:
    """(4, 2) by period: Pr[(leave, arrive) at some point during it], mean over the first group."""
    spec, steps = day.street_day.spec, np.array(day.scenario.models[0].habits[0].steps())
    draws = day.street.habit_draws[day.street.group == 0]
    leave, arrive = personal_habits(spec.schedules[0][0], draws, spec.habit_spread)
    return np.column_stack([(1 - (1 - p) ** steps[:, None]).mean(axis=1) for p in (leave, arrive)])


def probability_apart(values: Floats, excess: float) -> Range:
    """Pr[the larger of two runs is `excess` or more above the smaller], and its 95 % interval."""
    n = len(values)
    if n < 2:
        raise ValueError(f"values has {n} entries; a pair needs two.")
    ordered = np.sort(values)
    above = n - np.searchsorted(ordered, ordered * (1 + excess), side="left")
    below = np.searchsorted(ordered, ordered / (1 + excess), side="right")
    share = (above + below) / (n - 1)
    error = normal_width() * 2 * float(share.std(ddof=1)) / n**0.5
    mean = float(share.mean())
    return Range(mean, max(mean - error, 0.0), min(mean + error, 1.0))


def rmse(ours: Floats, theirs: Floats) -> float:
    """Root mean square distance of two curves."""
    return float(np.sqrt(np.mean((ours - theirs) ** 2)))


def as_printed(value: float, form: str) -> str:
    """A number the way the paper prints them: 1.089e-3, 5.5 %; what rounds to nothing has no sign."""
    text = format(value, f"z{form}").replace("e-0", "e-").replace("%", " %")
    return f"−{text[1:]}" if text.startswith("-") else text


def range_text(span: Range, form: str) -> str:
    """The two ends of a range."""
    return f"{as_printed(span.low, form)} to {as_printed(span.high, form)}"


Section = Literal["Results", "Figures", "Habits", "Settings"]
Agreement = Literal["agrees", "explained", "open"]
# What ours is: one day's, an average over the noise, read at a step, a chance over a period; or not computed.
RowBasis = Literal["one day", "average", "dropping", "reading", "habits", "arithmetic", "setting"]


@dataclass(frozen=True)
class ComparisonRow:
    """One published number beside ours."""

    section: Section
    quantity: str
    number: Printed
    ours: Range
    form: str  # the format of our numbers
    basis: RowBasis
    reason: tuple[float, ...] = ()  # the numbers that lead from the published one to ours
    explained: bool = False  # whether they do
    outcomes: Floats | None = None  # of every one of our days, (n,), where it is a result

    @property
    def verdict(self) -> Agreement:
        if lies_in(self.number, self.ours):
            return "agrees"
        return "explained" if self.explained else "open"

    @property
    def is_result(self) -> bool:
        """Whether it came out of a computation, and was not put in."""
        return self.outcomes is not None

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


BOOTSTRAPS = 200  # of the days, for an interval


def agreeing(rows: Sequence[ComparisonRow]) -> Range:
    """Return how many results agree, and in which range that lies, by the days that happen to be drawn."""
    found = [row for row in rows if row.is_result]
    outcomes = np.column_stack([row.outcomes for row in rows if row.outcomes is not None])  # (n, results)
    rng, days = random_generator(PAPER.seed, Stream.PAPER_RESAMPLES), len(outcomes)
    counts = []
    for _ in range(BOOTSTRAPS):
        ends = np.column_stack(middle(outcomes[rng.integers(days, size=days)])).tolist()
        counts.append(
            sum(
                lies_in(row.number, Range(low, low, high))
                for row, (low, high) in zip(found, ends, strict=True)
            )
        )
    own = sum(row.verdict == "agrees" for row in found)
    low, high = middle(np.array(counts))
    return Range(own, min(round(float(low)), own), max(round(float(high)), own))


def results(days: PaperDays) -> list[ComparisonRow]:
    naive, blowfish = (days.errors(name) for name in MECHANISMS[:2])
    own, one_day = days.expected_excess(), spread(days.excess())
    quotient = exactly(published.NAIVE_RMSRE / published.BLOWFISH_RMSRE - 1)
    explained = lies_in(published.EXCESS, one_day)
    # The claim that houses are dropped and the noise is smaller for it "in some time steps": from 1 on.
    some = Printed(f"some of {STEPS_PER_DAY}", (STEPS_PER_DAY + 1) / 2, (STEPS_PER_DAY - 1) / 2)
    below = 1 - float(days.scale[:, 1].mean() / days.scale[:, 0].mean())
    smaller = float(days.smaller.mean()), below, float(days.largest_bound.mean())
    claim = "Steps in which Blowfish drops houses and needs less noise"
    row = partial(ComparisonRow, "Results")
    return [
        row("RMSRE, Blowfish", published.BLOWFISH, spread(blowfish), ".3e", "one day", outcomes=blowfish),
        row("RMSRE, naive", published.NAIVE, spread(naive), ".3e", "one day", outcomes=naive),
        row(
            "Naive error relative to Blowfish",
            published.EXCESS,
            spread(own),
            ".2%",
            "average",
            one_day,
            explained,
            own,
        ),
        row("The same, from the two printed errors", published.EXCESS, quotient, ".2%", "arithmetic"),
        row(claim, some, spread(days.dropping), ".0f", "dropping", smaller, outcomes=days.dropping),
    ]


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
            outcomes = ours[:, step]
            own = spread(outcomes)
            read = Range(own.value, float(low[step]), float(high[step]))
            quantity, explained = f"{name} at {hhmm(step / STEPS_PER_HOUR)}", lies_in(number, read)
            rows.append(
                ComparisonRow("Figures", quantity, number, own, ".4f", "reading", read, explained, outcomes)
            )
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
        ("Models in Θ", published.MODEL_COUNT, len(PAPER.models)),
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
    setting = partial(ComparisonRow, "Settings", form="g", basis="setting")
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
            reason = PAPER.habit_spread, mean
            quantity, explained = f"{period}: chance to {verb}", ours.covers(mean)
            rows.append(ComparisonRow("Habits", quantity, number, ours, ".2%", "habits", reason, explained))
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


def steps_inside(theirs: Floats, ends: tuple[Floats, Floats]) -> int:
    """Return at how many steps a published curve (T,) lies between the two ends of a range."""
    low, high = ends
    return int(np.sum((low <= theirs) & (theirs <= high)))

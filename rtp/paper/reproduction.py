"""The paper's day, simulated many times over: what one run can and cannot show.

The paper reports one run. Each of our days draws everything anew (street, occupancy, consumption and,
independently for every mechanism, noise), so the spread over days is how far one reported number scatters.
On average over the noise, an error is the expected RMSRE of that day's street and demand, in closed form.

How often two runs of the *same* mechanism differ by a given percentage is estimated over all pairs of days,
a U-statistic: with hᵢ the share of the other days that differ from day i by so much, it is the mean of h, and
its variance is 4·Var(h)/n to first order (Hoeffding).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from rtp.core.stats import Range, normal_width
from rtp.core.types import Floats
from rtp.mechanisms import blowfish, calibrated, naive
from rtp.scenario import BOUNDS, PRESETS, Scenario
from rtp.simulation import Day, simulate
from rtp.street.schedule import personal_habits

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
    return format(value, f"z{form}").replace("e-0", "e-").replace("%", " %")


def range_text(span: Range, form: str) -> str:
    """The two ends of a range."""
    return f"{as_printed(span.low, form)} to {as_printed(span.high, form)}"

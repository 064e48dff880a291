"""What the numbers of the Decide screen say: what happens to money, and how sure a what-if map is."""

from rtp.core.formatting import plain
from rtp.core.stats import LEVEL_WORDS
from rtp.money.summary import Summary
from rtp.scenario import Scenario
from rtp.scenario.units import more_or_less
from rtp.sweep.measures import shown_unit
from rtp.sweep.whatif import Map

MAX_DIFFERENCES = 3  # that a sentence names
BARE_UNITS = "Money is in the scenario's units, a rate times a step's consumption."


def profit_words(summary: Summary, scenario: Scenario) -> str:
    """Return what the utility earns more or less."""
    return more_or_less(0.0 - summary.loss.value, scenario)


def money_basis(summary: Summary, scenario: Scenario) -> str:
    """Return what the means and ranges of money come from, and its unit where the scenario states none."""
    units = "" if scenario.currency or scenario.power_unit else f" {BARE_UNITS}"
    means = "Means are computed" if summary.exact else f"Means are those of {summary.spans.count} repetitions"
    weeks = "A month is 30/7 weeks, weekends included. " if scenario.has_weekends else ""
    return (
        f"{means}. {LEVEL_WORDS} of repetitions on the same street, with other occupancy and noise, fall "
        f"into the range. {weeks}Bills are followed for {len(summary.spans.weight):,} households spread over "
        f"the street.{units}"
    )


def certainty_words(found: Map, measure: str, mechanism: str | None = None) -> str:
    """Return how many days every point averages, and its widest interval, of one or of all mechanisms."""
    few, many = (end(part.days for part in found.parts.values()) for end in (min, max))
    widest = plain(found.widest(measure, mechanism), 2) + shown_unit(measure)
    return (
        f"Every point is the mean of {few if few == many else f'{few} to {many}'} simulated days; its "
        f"{LEVEL_WORDS} interval is at most ± {widest}."
    )


def misfit_words(found: Map, scenario: Scenario) -> str:
    """Return in what the scenario is not the one that was varied; empty where it is one of the map's."""
    rows = found.misfit(scenario)
    texts = [f"{row.setting}: {row.values[0]} there, {row.values[1]} now" for row in rows[:MAX_DIFFERENCES]]
    more = [f"{len(rows) - MAX_DIFFERENCES} more"] if len(rows) > MAX_DIFFERENCES else []
    return "; ".join([*texts, *more])

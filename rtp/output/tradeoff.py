"""What the numbers of the Decide screen say: which ε an error needs, what happens to money, and how sure a
what-if map is.
"""

from typing import NamedTuple

from rtp.core.formatting import percent, plain
from rtp.core.stats import LEVEL_WORDS, Range
from rtp.core.types import Frame, data_frame
from rtp.mechanisms import REGISTRY, Mechanism
from rtp.money.summary import Summary
from rtp.scenario import Scenario
from rtp.scenario.units import amount, bare_amount, more_or_less
from rtp.sweep.measures import shown_unit
from rtp.sweep.whatif import Map
from rtp.tradeoff.curves import Budget, Budgets, most_private, most_private_with_data

MAX_DIFFERENCES = 3  # that a sentence names
PROFIT = "At these rates: r̂·Z − J(Z), the negative of what the generator minimises."
BARE_UNITS = "Money is in the scenario's units, a rate times a step's consumption."
WORST_TENTH = "The tenth of the households whose bill rises most, on average."
PAYING_MORE = "At the published rates instead of the optimal ones, on average."
MISMATCH = "Serving a demand that the published rate does not fit: Σ(r̂ − r)²/2α, never negative."


def needed(budget: Budget) -> str:
    """Return the ε that an error needs, in two or three words."""
    if budget.epsilon is None:
        return "out of reach"
    if budget.exact:
        return "optimal rate"
    return f"ε = {plain(budget.epsilon, 4)}" if budget.epsilon else "no budget"


def budget_words(budget: Budget, target: float) -> str:
    """Return the same in a sentence; the target is an RMSRE."""
    label, goal = REGISTRY[budget.mechanism].label, percent(target)
    if budget.epsilon is None:
        return f"{label} cannot reach an RMSRE of {goal}: its least is {percent(budget.rmsre)}."
    if budget.exact:
        return f"{label} publishes the optimal rate: no house is uncertain."
    return f"{label} reaches an RMSRE of {goal} with {needed(budget)}."


def answer_headline(reached: Budgets, target: float) -> str:
    """Return who reaches the error with the smallest ε."""
    best, reading = most_private(reached.values()), most_private_with_data(reached.values())
    error = percent(target)
    for budget in reached.values():
        if budget.exact:
            return budget_words(budget, target)
    if best is None:
        return f"No rate reaches an RMSRE of {error} with any ε."
    aim = f"For an RMSRE of {error}"
    without = f"**{REGISTRY[best.mechanism].label}** needs no data at all."
    if reading is None:
        return f"{aim}, {without}"
    label, epsilon = REGISTRY[reading.mechanism].label, plain(reading.epsilon or 0.0)
    private = f"**{label}** is the most private choice: **ε = {epsilon}**."
    return f"{aim}, {private}" if best is reading else f"{aim}, {without} With data, {private}"


def assumption(mechanism: Mechanism) -> str:
    """Return what an ε relies on, in a few words: two of them compare only where these are the same."""
    if not mechanism.reads_demand:
        return "without data"
    if mechanism.neglects:
        return "for likely states only"
    if mechanism.assumes == "uniform":
        return "if use is as modelled"
    return "holds for any observer" if mechanism.protects == "everyone" else "for possible states only"


def profit_words(summary: Summary, scenario: Scenario) -> str:
    """Return what the utility earns more or less."""
    return more_or_less(0.0 - summary.loss.value, scenario)


class Card(NamedTuple):
    """A number, between what it lies, and what it is."""

    label: str
    value: str
    spread: str | None
    help: str


def money_cards(summary: Summary, scenario: Scenario) -> list[Card]:
    """Return what a rate changes for the utility and for its customers."""
    bills, less = summary.bills, summary.loss
    mean, low, high = (amount(0.0 - value, scenario) for value in summary.mean_loss)
    sure = f"exactly {mean}" if summary.exact else f"{mean} ({LEVEL_WORDS} interval {high} to {low})"
    earned = f"Against the optimal rates. On average {sure}."
    level = f"The mean bill at optimal rates is {amount(bills.bill, scenario)}."

    def card(label: str, shown: Range, help: str) -> Card:
        return Card(label, amount(shown.value, scenario), _between(shown.low, shown.high), help)

    return [
        card("Generator's profit", summary.profit, PROFIT),
        Card("The utility earns", profit_words(summary, scenario), _between(-less.high, -less.low), earned),
        card("Cost of the mismatch", summary.mismatch, MISMATCH),
        card("Bill, mean change", bills.mean, level),
        card("Bill, worst tenth", bills.worst, WORST_TENTH),
        Card("Households that pay more", percent(bills.paying_more, 2), None, PAYING_MORE),
    ]


def _between(low: float, high: float) -> str:
    return f"{LEVEL_WORDS}: {bare_amount(low)} to {bare_amount(high)}"


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


def group_frame(summary: Summary, scenario: Scenario) -> Frame:
    """Return a row for each group that has houses: how its bills change."""
    return data_frame(
        {
            name: {
                "Houses": f"{of.houses:,}",
                "Mean bill at optimal rates": amount(of.bill, scenario),
                "Mean change": amount(of.mean.value, scenario),
                "Mean change, %": percent(of.relative),
                "Worst tenth": amount(of.worst.value, scenario),
                "Pay more": percent(of.paying_more),
            }
            for name, of in summary.groups.items()
        }
    ).T


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

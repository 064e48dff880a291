"""What an accepted error asks for, in words: budgets, and who beats looking at no data."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from rtp.core.formatting import plain
from rtp.core.types import Floats
from rtp.mechanisms import NO_DATA, REGISTRY, Mechanism, private
from rtp.metrics import error_lines, printed_rmsre
from rtp.scenario import BOUNDS, Bounds, Scenario
from rtp.street.simulate import StreetDay
from rtp.tradeoff.curves import Curve
from rtp.tradeoff.target import Budget, epsilon_for, most_private

TARGETS = Bounds(1e-10, 1e8, "I can accept this error (%)")  # that can be asked for
# What an error may be drawn against, in words.
AGAINST = {"ε": "ε per step", "moment": "the leak of a moment"}
FIRST_TARGET = 10.0  # percent, where the scenario's own error is no number to start from

Budgets = Mapping[str, Budget]  # by mechanism


def budgets(
    scenario: Scenario, target: float, street_day: StreetDay, scanned: Mapping[str, Floats]
) -> Budgets:
    """What every mechanism that promises something needs to reach that error; `scanned` is from `scan`."""
    return {
        name: epsilon_for(scenario, name, target, street_day=street_day, scanned=scanned[name])
        for name in private()
    }


def first_target(error: float) -> float:
    """The percentage to ask for at first, of an error that is expected in a typical step: in two digits."""
    own = 100 * error
    return float(f"{own:.2g}") if isfinite(own) and own > 0 else FIRST_TARGET


def target_rmsre(percentage: float, steps: int) -> float:
    """An accepted percentage of the rate in a typical step as the RMSRE that `epsilon_for` asks for."""
    return printed_rmsre(percentage / 100, steps)


def no_data_level(curve: Curve) -> float | None:
    """The error of looking at no data; None where it is no number to compare with."""
    level = float(curve.lines[NO_DATA].expected[0])
    return level if isfinite(level) and level > 0 else None


def beaten_by(reached: Budgets) -> str:
    """From which budgets on looking at data is better, given what reaching that level asks for."""
    beaten = ", ".join(
        f"{REGISTRY[name].label} {_from(budget.epsilon)}"
        for name, budget in reached.items()
        if REGISTRY[name].reads_demand
    )
    return f"It is beaten by: {beaten}."


def _from(epsilon: float | None) -> str:
    if epsilon is None:
        return "never"
    return "always" if epsilon == BOUNDS["epsilon"].low else f"from ε = {plain(epsilon)}"


def needed(budget: Budget) -> str:
    if budget.epsilon is None:
        return "out of reach"
    if budget.exact:
        return "exact rate"
    return f"ε = {plain(budget.epsilon, 4)}" if budget.epsilon else "no budget"


def footing(mechanism: Mechanism) -> str:
    """What an ε rests on, in a few words: two of them compare only where these are the same."""
    if not mechanism.reads_demand:
        return "without data"
    if mechanism.neglects:
        return "for likely states"
    if mechanism.assumes == "uniform":
        return "for modelled use"
    return "for any belief" if mechanism.protects == "everyone" else "by models’ word"


def footings() -> list[str]:
    """The same at length, for every mechanism that promises something."""
    mechanisms = [REGISTRY[name] for name in private()]
    return [f"**{m.label}** ({footing(m)}). {m.promise} It relies on {m.relies_on}." for m in mechanisms]


@dataclass(frozen=True, kw_only=True)
class Answer:
    best: Budget | None  # the smallest ε of all
    reading: Budget | None  # the smallest of those that look at data
    words: str


def answer(reached: Budgets, target: float, steps: int) -> Answer:
    """Who reaches the error with the smallest ε, on which footing, and who with the best on another one."""
    best = most_private(reached.values())
    reading = most_private(b for b in reached.values() if b.epsilon)
    error = error_lines(target, steps)
    words = [f"To miss the optimal rate by {error.percent} of its value in a typical step ({error.rmsre}):"]
    if best is None and not any(b.exact for b in reached.values()):
        words.append("no mechanism gets there with any allowed budget.")
    if best is not None and best is not reading:
        words.append(f"the most privacy is with **{REGISTRY[best.mechanism].label}**. {best.words}")
    if reading is not None:
        words += _of_those_that_look(reached, reading, first=reading is best)
    words += [budget.words for budget in reached.values() if budget.exact]
    return Answer(best=best, reading=reading, words=" ".join(words))


def _of_those_that_look(reached: Budgets, smallest: Budget, first: bool) -> list[str]:
    """The smallest ε, and the smallest of every other footing: these are unlike promises."""
    mechanism = REGISTRY[smallest.mechanism]
    words = ["the smallest ε is" if first else "Of those that look at data, the smallest ε is"]
    words.append(f"**{mechanism.label}**’s. {smallest.words} It relies on {mechanism.relies_on}.")
    others: dict[str, list[Budget]] = {}
    for name, budget in reached.items():
        if budget.epsilon and not budget.exact and footing(REGISTRY[name]) != footing(mechanism):
            others.setdefault(footing(REGISTRY[name]), []).append(budget)
    least = {rests_on: most_private(budgets) for rests_on, budgets in others.items()}
    others_best = [
        f"{rests_on}, **{REGISTRY[budget.mechanism].label}** at {needed(budget)}"
        for rests_on, budget in least.items()
        if budget is not None
    ]
    return [*words, f"On another footing: {'; '.join(others_best)}."] if others_best else words

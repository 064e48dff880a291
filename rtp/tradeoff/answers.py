"""What an accepted error asks for, in words: budgets, and who beats looking at no data."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from rtp.arrays import Floats
from rtp.mechanisms import NO_DATA, REGISTRY, private
from rtp.metrics import printed_rmsre
from rtp.notation import error_lines, plain
from rtp.scenario import BOUNDS, Bounds, Scenario
from rtp.street.life import Life
from rtp.tradeoff.curves import Curve
from rtp.tradeoff.target import Budget, epsilon_for, most_private

TARGETS = Bounds(1e-10, 1e8, "I can accept this error (%)")  # that can be asked for
FIRST_TARGET = 10.0  # percent, where the scenario's own error is no number to start from

Budgets = Mapping[str, Budget]  # by mechanism


def budgets(scenario: Scenario, target: float, life: Life, scanned: Mapping[str, Floats]) -> Budgets:
    """What every mechanism that promises something needs to reach that error; `scanned` is from `scan`."""
    return {name: epsilon_for(scenario, name, target, life=life, scanned=scanned[name]) for name in private()}


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


def beaten_by(found: Budgets) -> str:
    """From which budgets on looking at data is better, given what reaching that level asks for."""
    beaten = ", ".join(
        f"{REGISTRY[name].label} {_from(budget.epsilon)}"
        for name, budget in found.items()
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
    return f"ε = {plain(budget.epsilon, 4)}" if budget.epsilon else "no budget"


@dataclass(frozen=True, kw_only=True)
class Answer:
    best: Budget | None  # the most private of all
    reading: Budget | None  # the most private of those that look at data
    words: str


def answer(found: Budgets, target: float, steps: int) -> Answer:
    """Who reaches the error with the most privacy."""
    best = most_private(found.values())
    reading = most_private(b for b in found.values() if b.epsilon)
    error = error_lines(target, steps)
    words = f"To miss the optimal rate by {error.percent} of its value in a typical step ({error.rmsre}): "
    if best is None:
        words += "no mechanism gets there with any allowed budget."
    else:
        words += f"the most privacy is with **{REGISTRY[best.mechanism].label}**. {best.words} "
        if reading is not None and reading is not best:
            words += f"Of those that look at data: {reading.words}"
    return Answer(best=best, reading=reading, words=words)

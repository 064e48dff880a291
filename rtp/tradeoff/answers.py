"""The price of privacy, asked from the other end: which budget an error asks for, and who beats looking at no
data, in numbers and in words.

Solved on the logarithms of both, where noise in proportion to 1/ε makes a straight line.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.types import Floats
from rtp.mechanisms import NO_DATA, REGISTRY, Mechanism, private
from rtp.metrics import error_lines, printed_rmsre, typical_error
from rtp.scenario import BOUNDS, Bounds, Scenario, must_be_one_of, must_be_positive
from rtp.simulation import draw_day, market
from rtp.street.simulate import StreetDay
from rtp.tradeoff.curves import Curve
from rtp.tradeoff.expected import expected, scales

TARGETS = Bounds(1e-10, 1e8, "I can accept this error (%)")  # that can be asked for
# What an error may be drawn against, in words.
AGAINST = {"ε": "ε per step", "moment": "the leak of a moment"}
FIRST_TARGET = 10.0  # percent, where the scenario's own error is no number to start from
USABLE_DIGITS = 3  # of a budget that one types or reads aloud
SCANNED = 33  # budgets at which a filter's error is computed before its root is sought between two of them


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The smallest budget that reaches an error, and the answer in words."""

    mechanism: str
    epsilon: float | None  # None: no allowed budget does; 0: it looks at no data
    words: str
    exact: bool = False  # at any budget: no house is uncertain, so it adds no noise and promises nothing


def epsilon_for(
    scenario: Scenario,
    mechanism: str,
    rmsre: float,
    *,
    street_day: StreetDay | None = None,
) -> Budget:
    """The smallest budget at which a mechanism's expected RMSRE is at most `rmsre`: the inverse of
    `Line.expected`.

    A filter's error need not fall with every increase of the budget (a wrong belief, a lucky day), so it is
    looked at over the whole range first.
    """
    must_be_one_of("mechanism", mechanism, private())
    must_be_positive("rmsre", rmsre)
    chosen = REGISTRY[mechanism]
    context = market(scenario, street_day or draw_day(scenario))

    def error(epsilons: Floats) -> Floats:
        return expected(context, chosen, scales(context, [chosen], epsilons)[mechanism])

    return _answer(chosen, rmsre, error, scenario.steps)


def usable_epsilon(epsilon: float) -> float:
    """A budget in as many digits as matter, rounded up: a larger one has no larger error."""
    unit = 10.0 ** (floor(log10(epsilon)) + 1 - USABLE_DIGITS)
    return float(f"{ceil(epsilon / unit * (1 - 1e-12)) * unit:.{USABLE_DIGITS}g}")


def most_private(budgets: Iterable[Budget]) -> Budget | None:
    """The one with the smallest ε among those that reach the error; one that hides nothing spends none."""
    reached = [(b.epsilon, i, b) for i, b in enumerate(budgets) if b.epsilon is not None and not b.exact]
    return min(reached)[2] if reached else None


def _answer(mechanism: Mechanism, target: float, error: Callable[[Floats], Floats], steps: int) -> Budget:
    """The smallest budget whose error, a function of budgets (E,), is at most the target."""
    low, high, _ = BOUNDS["epsilon"]
    label, goal = mechanism.label, f"an expected error of {percent(typical_error(target, steps))}"

    def budget(epsilon: float | None, words: str, *, exact: bool = False) -> Budget:
        return Budget(mechanism=mechanism.name, epsilon=epsilon, words=f"{label} {words}", exact=exact)

    scanned = np.geomspace(low, high, 2 if mechanism.postprocess is None else SCANNED)
    if not mechanism.reads_demand:
        scanned = scanned[:1]  # the same error at all
    errors = error(scanned)
    reached = errors <= target
    first_error, last_error = (percent(typical_error(float(errors[at]), steps)) for at in (0, -1))
    if not mechanism.reads_demand:
        if reached[0]:
            return budget(0.0, f"reaches {goal} with no budget at all: it looks at no data.")
        return budget(None, f"cannot reach {goal}: without looking at data its error is {first_error}.")
    if not reached.any():
        return budget(
            None,
            f"cannot reach {goal}: even with the largest budget, {high:,g}, its error is {last_error}.",
        )
    first = int(np.argmax(reached))
    if errors[0] == 0:
        words = "publishes the exact rate whatever ε is: no house is uncertain, so there is nothing to hide."
        return budget(low, words, exact=True)
    if first == 0:
        return budget(
            low,
            f"reaches {goal} even with the smallest budget, ε = {low:g}, where its error is {first_error}.",
        )
    epsilon = _root(target, error, scanned[first - 1 : first + 1])
    return budget(epsilon, f"reaches {goal} with ε = {plain(epsilon, 4)} per step.")


def _root(target: float, error: Callable[[Floats], Floats], bracket: Floats) -> float:
    """Where the error equals the target, between two budgets: the first misses it, the second reaches it."""
    from scipy.optimize import brentq

    def excess(log_epsilon: float) -> float:
        return float(np.log(np.maximum(error(np.exp([log_epsilon]))[0] / target, 1e-300)))

    missed, met = (float(end) for end in np.log(bracket))
    if excess(missed) <= 0:  # e^ln ε rounds, and a filter's error is flat where it hardly looks at data
        return float(bracket[0])
    if excess(met) >= 0:
        return float(bracket[1])
    return float(np.clip(np.exp(brentq(excess, missed, met, xtol=1e-15, rtol=1e-15)), *bracket))


Budgets = Mapping[str, Budget]  # by mechanism


def budgets(scenario: Scenario, target: float, street_day: StreetDay) -> Budgets:
    """What every mechanism that promises something needs to reach that error."""
    return {name: epsilon_for(scenario, name, target, street_day=street_day) for name in private()}


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


def relies_on(mechanism: Mechanism) -> str:
    """What an ε relies on, in a few words: two of them compare only where these are the same."""
    if not mechanism.reads_demand:
        return "without data"
    if mechanism.neglects:
        return "for likely states"
    if mechanism.assumes == "uniform":
        return "for modelled use"
    return "for any belief" if mechanism.protects == "everyone" else "for possible states"


def assumptions(names: Iterable[str]) -> list[str]:
    """The same at length, for each of these mechanisms."""
    mechanisms = [REGISTRY[name] for name in names]
    return [f"**{m.label}** ({relies_on(m)}). {m.promise} It relies on {m.relies_on}." for m in mechanisms]


@dataclass(frozen=True, kw_only=True)
class BudgetAnswer:
    best: Budget | None  # the smallest ε of all
    reading: Budget | None  # the smallest of those that look at data
    headline: str
    words: str


def budget_answer(reached: Budgets, target: float, steps: int) -> BudgetAnswer:
    """Who reaches the error with the smallest ε, what that relies on, and the smallest under other
    assumptions."""
    best = most_private(reached.values())
    reading = most_private(b for b in reached.values() if b.epsilon)
    words = [budget.words for budget in reached.values() if budget.exact]
    if reading is not None:
        words = _of_those_that_look(reached, reading) + words
    headline = _headline(reached, best, reading, error_lines(target, steps).percent)
    return BudgetAnswer(best=best, reading=reading, headline=headline, words=" ".join(words))


def _headline(reached: Budgets, best: Budget | None, reading: Budget | None, error: str) -> str:
    exact = [REGISTRY[b.mechanism].label for b in reached.values() if b.exact]
    if exact:
        return f"**{exact[0]}** publishes the exact rate: no house is uncertain."
    if best is None:
        return f"No rate gets within {error} of the optimal rate with any ε."
    aim = f"To miss the optimal rate by {error} in a typical step"
    if reading is None:
        return f"{aim}, **{REGISTRY[best.mechanism].label}** needs no data at all."
    label, epsilon = REGISTRY[reading.mechanism].label, plain(reading.epsilon or 0.0)
    smallest = f"**{label}** needs the smallest ε: **{epsilon}**."
    if best is reading:
        return f"{aim}, {smallest}"
    return f"{aim}, **{REGISTRY[best.mechanism].label}** needs no data at all. With data, {smallest}"


def _of_those_that_look(reached: Budgets, smallest: Budget) -> list[str]:
    """What the smallest ε relies on, and the smallest under other assumptions: these are unlike promises."""
    mechanism = REGISTRY[smallest.mechanism]
    words = [f"{mechanism.label} relies on {mechanism.relies_on}."]
    others: dict[str, list[Budget]] = {}
    for name, budget in reached.items():
        if budget.epsilon and not budget.exact and relies_on(REGISTRY[name]) != relies_on(mechanism):
            others.setdefault(relies_on(REGISTRY[name]), []).append(budget)
    least = {rests_on: most_private(budgets) for rests_on, budgets in others.items()}
    others_best = [
        f"{rests_on}, **{REGISTRY[budget.mechanism].label}** at {needed(budget)}"
        for rests_on, budget in least.items()
        if budget is not None
    ]
    return [*words, f"Under other assumptions: {'; '.join(others_best)}."] if others_best else words

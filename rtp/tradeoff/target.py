"""The price of privacy, asked from the other end: which budget an error asks for.

Solved on the logarithms of both, where noise in proportion to 1/ε makes a straight line.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY, Mechanism, private
from rtp.metrics import typical_error
from rtp.scenario import BOUNDS, Scenario, must_be_one_of, must_be_positive
from rtp.simulation import draw_day, market
from rtp.street.simulate import StreetDay
from rtp.tradeoff.expected import expected, scales, today

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
    given_today: bool = False,
    street_day: StreetDay | None = None,
    scanned: Floats | None = None,
) -> Budget:
    """The smallest budget at which a mechanism's expected RMSRE is at most `rmsre`.

    It inverts `Line.expected`, or, given today's demand, `Line.today`. A filter's error need not fall with
    every increase of the budget (a wrong belief, a lucky day), so it is looked at over the whole range first;
    `scanned` may be given where that has been done, by `scan`.
    """
    must_be_one_of("mechanism", mechanism, private())
    must_be_positive("rmsre", rmsre)
    chosen = REGISTRY[mechanism]
    context = market(scenario, street_day or draw_day(scenario))
    average = today if given_today else expected

    def error(epsilons: Floats) -> Floats:
        return average(context, chosen, scales(context, [chosen], epsilons)[mechanism])

    first = error(_range_of(chosen)) if scanned is None else scanned
    return _answer(chosen, rmsre, error, first, scenario.steps)


def scan(scenario: Scenario, street_day: StreetDay) -> dict[str, Floats]:
    """By mechanism: the expected error over the whole range of budgets, whatever the target."""
    context = market(scenario, street_day)
    chosen = [REGISTRY[name] for name in private()]
    return {m.name: expected(context, m, scales(context, [m], _range_of(m))[m.name]) for m in chosen}


def _range_of(mechanism: Mechanism) -> Floats:
    """The budgets that are looked at first; one that reads no data has the same error at all."""
    low, high, _ = BOUNDS["epsilon"]
    budgets = np.geomspace(low, high, 2 if mechanism.postprocess is None else SCANNED)
    return budgets if mechanism.reads_demand else budgets[:1]


def most_private(budgets: Iterable[Budget]) -> Budget | None:
    """The one with the smallest ε among those that reach the error; one that hides nothing spends none."""
    reached = [(b.epsilon, i, b) for i, b in enumerate(budgets) if b.epsilon is not None and not b.exact]
    return min(reached)[2] if reached else None


def _answer(
    mechanism: Mechanism, target: float, error: Callable[[Floats], Floats], errors: Floats, steps: int
) -> Budget:
    """`errors` are those of the budgets that are looked at first."""
    low, high, _ = BOUNDS["epsilon"]
    label, goal = mechanism.label, f"an expected error of {percent(typical_error(target, steps))}"

    def answer(epsilon: float | None, words: str) -> Budget:
        return Budget(mechanism=mechanism.name, epsilon=epsilon, words=f"{label} {words}")

    scanned = _range_of(mechanism)
    reached = errors <= target
    first_error, last_error = (percent(typical_error(float(errors[at]), steps)) for at in (0, -1))
    if not mechanism.reads_demand:
        if reached[0]:
            return answer(0.0, f"reaches {goal} with no budget at all: it looks at no data.")
        return answer(None, f"cannot reach {goal}: without looking at data its error is {first_error}.")
    if not reached.any():
        return answer(
            None,
            f"cannot reach {goal}: even with the largest budget, {high:,g}, its error is {last_error}.",
        )
    first = int(np.argmax(reached))
    if first == 0 and errors[0] == 0:
        words = "publishes the exact rate whatever ε is: no house is uncertain, so there is nothing to hide."
        return Budget(mechanism=mechanism.name, epsilon=low, words=f"{label} {words}", exact=True)
    if first == 0:
        return answer(
            low,
            f"reaches {goal} even with the smallest budget, ε = {low:g}, where its error is {first_error}.",
        )
    epsilon = _root(target, error, scanned[first - 1 : first + 1])
    return answer(epsilon, f"reaches {goal} with ε = {plain(epsilon, 4)} per step.")


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
    return float(np.exp(brentq(excess, missed, met, xtol=1e-15, rtol=1e-15)))

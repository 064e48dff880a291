"""The price of privacy, asked from the other end: which budget an error asks for.

Solved on the logarithms of both, where noise in proportion to 1/ε makes a straight line.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

import numpy as np

from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY, Mechanism, private
from rtp.scenario import BOUNDS, Bounds, Scenario, must_be_one_of, must_be_positive
from rtp.simulation import draw_day, market
from rtp.street.simulate import StreetDay
from rtp.tradeoff.expected import expected, scales

TARGETS = Bounds(1e-10, 1e8, "Accepted RMSRE (%)")  # that can be asked for
FIRST_TARGET = 10.0  # percent, where the scenario's own error is no number to start from
USABLE_DIGITS = 3  # of a budget that one types or reads aloud
SCANNED = 33  # budgets at which a filter's error is computed before its root is sought between two of them


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The smallest budget that reaches an error."""

    mechanism: str
    epsilon: float | None  # None: no allowed budget does; 0: it looks at no data
    rmsre: float  # expected at that budget; where none reaches the error, at the largest
    exact: bool = False  # at any budget: no house is uncertain, so it adds no noise and promises nothing


def epsilon_for(
    scenario: Scenario,
    mechanism: str,
    rmsre: float,
    *,
    street_day: StreetDay | None = None,
) -> Budget:
    """Return the smallest budget at which a mechanism's expected RMSRE is at most `rmsre`.

    The inverse of `ErrorLine.expected`. The error is an average over days, so the street counts and its day
    does not. A filter's error need not fall with every increase of the budget (a wrong belief), so it is
    looked at over the whole range first.

    Parameters
    ----------
    scenario : Scenario
        The street and its tariff.
    mechanism : str
        A private one, by its name.
    rmsre : float
        The error that is accepted, as a fraction of the rate in a typical step.
    street_day : StreetDay, optional
        Where the day has been simulated already.

    Returns
    -------
    Budget

    Examples
    --------
    >>> import rtp
    >>> from rtp.tradeoff import epsilon_for
    >>> street = rtp.Scenario(households=20)
    >>> blowfish = epsilon_for(street, "blowfish", 0.1).epsilon
    >>> calibrated = epsilon_for(street, "calibrated", 0.1).epsilon
    >>> calibrated < blowfish
    True
    """
    must_be_one_of("mechanism", mechanism, private())
    must_be_positive("rmsre", rmsre)
    chosen = REGISTRY[mechanism]
    context = market(scenario, street_day or draw_day(scenario))

    def error(epsilons: Floats) -> Floats:
        return expected(context, chosen, scales(context, [chosen], epsilons)[mechanism])

    return _answer(chosen, rmsre, error)


def usable_epsilon(epsilon: float, *, up: bool = True) -> float:
    """A budget in three digits: rounded up its error is no larger, rounded down it hides no less."""
    unit = 10.0 ** (floor(log10(epsilon)) + 1 - USABLE_DIGITS)
    digits = ceil(epsilon / unit * (1 - 1e-12)) if up else floor(epsilon / unit * (1 + 1e-12))
    return float(f"{digits * unit:.{USABLE_DIGITS}g}")


def most_private(budgets: Iterable[Budget]) -> Budget | None:
    """The one with the smallest ε among those that reach the error; one that hides nothing spends none."""
    reached = [(b.epsilon, i, b) for i, b in enumerate(budgets) if b.epsilon is not None and not b.exact]
    return min(reached)[2] if reached else None


def most_private_with_data(budgets: Iterable[Budget]) -> Budget | None:
    """The same among those that look at data."""
    return most_private(b for b in budgets if b.epsilon)


def _answer(mechanism: Mechanism, target: float, error: Callable[[Floats], Floats]) -> Budget:
    """The smallest budget whose error, a function of budgets (E,), is at most the target."""
    low, high, _ = BOUNDS["epsilon"]

    def budget(epsilon: float | None, rmsre: float, *, exact: bool = False) -> Budget:
        return Budget(mechanism=mechanism.name, epsilon=epsilon, rmsre=float(rmsre), exact=exact)

    scanned = np.geomspace(low, high, 2 if mechanism.postprocess is None else SCANNED)
    if not mechanism.reads_demand:
        scanned = scanned[:1]  # the same error at all
    errors = error(scanned)
    reached = errors <= target
    if not reached.any():
        return budget(None, errors[-1])
    if not mechanism.reads_demand:
        return budget(0.0, errors[0])
    first = int(np.argmax(reached))
    if first == 0:
        return budget(low, errors[0], exact=errors[0] == 0)
    return budget(_root(target, error, scanned[first - 1 : first + 1]), target)


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

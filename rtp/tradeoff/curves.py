"""The price of privacy: which error a budget buys, and which budget an error asks for.

`cost` is the error to expect of a day's noise, and between which errors 95 % of days like this one lie: the
noise alone is drawn again, on the same street and demand, so it takes O(days·T) whatever the number of
households. All streets and mechanisms share the same unit noise: their differences are their own.

The way back, `epsilon_for`, is solved on the logarithms of both, where noise in proportion to 1/ε makes a
straight line.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, log10

import numpy as np

from rtp import metrics
from rtp.core.random import Stream, random_generator
from rtp.core.stats import Range, middle
from rtp.core.types import Floats
from rtp.mechanisms import FEATURED, MOST_ACCURATE, REGISTRY, YARDSTICK, Mechanism, private
from rtp.scenario import (
    BOUNDS,
    Bounds,
    Scenario,
    must_be_one_of,
    must_be_positive,
)
from rtp.simulation import Day, draw_day, market
from rtp.simulation.publish import publish
from rtp.street.simulate import StreetDay
from rtp.tradeoff.expected import expected, scales, today

COST_DAYS = 400  # that the range of a cost comes from
NOISE_SEED = 0  # of the sampled noise, whatever the scenario's


@lru_cache(maxsize=4)
def noise_days(steps: int) -> Floats:
    """(T, days) unit Laplace draws, shared by all streets and mechanisms."""
    return random_generator(NOISE_SEED, Stream.CURVE_NOISE).laplace(size=(steps, COST_DAYS))


def cost(day: Day, names: Sequence[str] = (YARDSTICK, FEATURED, MOST_ACCURATE)) -> dict[str, Range]:
    """Return what each rate misses the optimal one by in a typical step, as a fraction of it.

    It is the root of the mean square over the noise, given the day's demand, with the range that holds 95 %
    of days of other noise.

    Parameters
    ----------
    day : Day
        A simulated day.
    names : sequence of str
        Mechanisms.

    Returns
    -------
    dict of str to Range

    Examples
    --------
    >>> import rtp
    >>> from rtp.tradeoff import cost
    >>> found = cost(rtp.simulate(rtp.Scenario(households=100)), ["naive", "blowfish"])
    >>> [f"{found[name].value:.1%}" for name in found]
    ['3.5%', '3.4%']
    """
    unit, result = noise_days(day.scenario.steps), {}
    for name in names:
        mechanism, scale = REGISTRY[name], day.release[name].scale
        days = publish(mechanism, day.market.public, day.street_day.demand, unit, scale)
        off = metrics.expected_rmsre((days.rate - days.optimal) ** 2, days.optimal)
        with np.errstate(invalid="ignore"):  # relative to a rate of zero all days are infinitely off
            low, high = np.nan_to_num(middle(off), nan=np.inf, posinf=np.inf).tolist()
        result[name] = Range(float(today(day.market, mechanism, scale[:, None])[0]), low, high)
    return result


def errors(day: Day, names: Sequence[str], epsilons: Sequence[float]) -> dict[str, Floats]:
    """Return by mechanism what `cost` gives as its value at each of many budgets, (E,)."""
    noise = scales(day.market, [REGISTRY[name] for name in names], epsilons)
    return {name: today(day.market, REGISTRY[name], noise[name]) for name in names}


TARGETS = Bounds(1e-10, 1e8, "Accepted RMSRE (%)")  # that can be asked for
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

    The inverse of `expected`, which is an average over days, so the street counts and its day
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

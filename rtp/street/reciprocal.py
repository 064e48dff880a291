"""E[1/r] and E[1/r²] of the optimal rate at every step, over the days that people may live.

Houses are independent, so the transform E[e^{−uZ}] of demand is the product of the houses' own, each the
mixture of its two states by the probability to be occupied then. The means follow from

    E[1/rᵏ] = ∫₀^∞ s^{k−1}·E[e^{−sr}] ds,    r = αZ + c,

by the trapezoidal rule in ln s, whose error falls faster than any power of its step: no distribution is taken
for another, however few houses there are and however skewed their use is.
"""

import numpy as np

from rtp.core.types import Floats
from rtp.probability.markov import propagate
from rtp.street.draw import Use
from rtp.street.simulate import StreetDay

_MOST_HOUSE_STEPS = 2_000_000  # beyond which demand is as good as normal, and this takes long
_FIRST, _STEP = -16.0, 0.4  # of ln s, beside that of the mean rate
_LAST, _NOTHING = 25.0, 1e-6  # of ln s, and what is beyond it where there is a mean
_FADED = 40.0  # where e^{−sc} is nothing
_TOGETHER = 16  # houses whose transforms are multiplied before a logarithm is taken: none underflows
_AT_ONCE = 2**21  # numbers


def mean_reciprocals(day: StreetDay, alpha: float, least: float) -> tuple[Floats, Floats] | None:
    """Return E[1/r] and E[1/r²], (T,) each, of r = α·Z + `least`: infinite where r may be so near to 0 that
    there is no mean, as where `least` is 0 and two houses may use next to nothing.

    None of long streets, and where r may be negative.
    """
    if least < 0 or day.spec.steps * day.spec.households > _MOST_HOUSE_STEPS:
        return None
    scale = alpha * float(day.true_moments.expected_demand.mean()) + least
    if scale == 0:
        return None
    last = min(np.log(_FADED * scale / least), _LAST) if least > 0 else _LAST
    ln_s = np.arange(_FIRST, last + _STEP, _STEP)
    s = np.exp(ln_s) / scale
    log_transform = np.zeros((day.spec.steps, len(s)))
    block = max(_AT_ONCE // log_transform.size // _TOGETHER, 1) * _TOGETHER
    for first in range(0, day.spec.households, block):
        houses = np.arange(first, min(first + block, day.spec.households))
        occupied = propagate(day.spec.chains(day.street, 0, houses))
        empty_of, occupied_of = transforms(day.street.only(houses), alpha * s)
        for start in range(0, len(houses), _TOGETHER):
            some = slice(start, start + _TOGETHER)
            own = empty_of[some] + occupied[:, some, None] * (occupied_of[some] - empty_of[some])
            with np.errstate(divide="ignore"):
                log_transform += np.log(own.prod(axis=1))
    inside = _STEP * np.exp(log_transform - s * least)
    one, two = inside @ s, inside @ s**2
    none = inside[:, -1] * s[-1] ** 2 > _NOTHING * two
    return np.where(none, np.inf, one), np.where(none, np.inf, two)


def transforms(use: Use, u: Floats) -> tuple[Floats, Floats]:
    """Return E[e^{−uX}] of houses' use when empty and when occupied, (n, U) each."""
    if use.distributions is None:
        return _uniform(np.multiply.outer(use.empty_bound, u)), _uniform(
            np.multiply.outer(use.occupied_bound, u)
        )
    distinct, of_house = use.distributions.distinct
    total = np.zeros((*distinct.mass.shape[:2], len(u)))
    for k, width in enumerate(np.diff(distinct.edges, axis=1).T):
        bin_ = np.exp(-np.multiply.outer(distinct.edges[:, k], u)) * _uniform(np.multiply.outer(width, u))
        total += distinct.mass[:, :, k, None] * bin_
    empty, occupied = total[:, of_house]
    return empty, occupied


def _uniform(x: Floats) -> Floats:
    """(1 − e^{−x})/x, that of a uniform variable."""
    return np.where(x > 0, -np.expm1(-x) / np.where(x > 0, x, 1.0), 1.0)

"""What a published rate shows once everything public is undone, and what that says of a single house.

The filter, the tariff and the price response are public, so a rate shows x = Z + Lap(b), the street's
consumption with noise. A rate clipped at 0 counts as one at 0: consumption is positive, so every noisy rate
below carries the same log-likelihood ratio. (A filtered rate clipped at 0 is taken as 0 too; that is an
approximation: the filter's state is lost behind it.) A rate at its cap says only that the noisy one is no
lower; that much is not counted.

An insider, who knows what everyone else used, sees y = X + Lap(b), one house's consumption plus noise. Her
log-likelihood ratio ln Pr[y | occupied] − ln Pr[y | empty] has a closed form; for uniform use it is constant
outside [0, max(u₁, u₀)], at two limits, of which `calibrated` holds the larger at ε. A street with
consumption distributions of its own has theirs.
"""

from dataclasses import dataclass

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.mechanisms import Mechanism, Public
from rtp.probability.laplace_uniform import log_ratio, uniform_log_density
from rtp.street.draw import Street, Use


@dataclass(frozen=True, kw_only=True)
class Observed:
    """The street's consumption as rates show it, Z + Lap(b), both (T,); b is infinite where they do not."""

    total: Floats
    b: Floats

    @property
    def informative(self) -> Bools:
        return np.isfinite(self.b)


def observe(mechanism: Mechanism, public: Public, rate: Floats, scale: Floats) -> Observed:
    """Return what the rates show, with filter, tariff and price response undone."""
    if not mechanism.reads_demand:
        return Observed(total=np.zeros_like(rate), b=np.full_like(rate, np.inf))
    tariff = public.tariff
    response = tariff.responses(rate)
    noisy = rate if mechanism.invert is None else mechanism.invert(public, scale, rate, response)
    demand = tariff.demand(noisy)
    rounding = 1e-15 * ((np.abs(noisy) + tariff.beta) / tariff.alpha + tariff.inelastic_demand)
    demand = np.where((scale == 0) & (np.abs(demand) <= rounding), 0.0, demand)
    moved = response > 0  # a price so dear that nobody uses anything shows nothing
    divisor = np.where(moved, response, 1.0)
    read = moved & (rate < tariff.cap)
    return Observed(total=demand / divisor, b=np.where(read, tariff.in_demand(scale) / divisor, np.inf))


def insider_llr(observed: Observed, street: Street, demand: Floats, houses: Ints, used: Floats) -> Floats:
    """Return each rate's log-likelihood ratio on each house, (T, n), for one who knows all others' use."""
    informative = observed.informative
    noise = np.where(informative & (observed.b > 0), observed.total - demand, 0.0)
    b = np.where(informative, observed.b, 1.0)[:, None]
    y = used + noise[:, None]
    ratio = use_llr(y, b, street.only(houses))
    ratio[~informative] = 0.0
    return ratio


def use_llr(y: Floats, b: Floats, use: Use) -> Floats:
    """Return the log-likelihood ratio of what houses use plus Lap(b), (L, n) with b (L, 1)."""
    if use.distributions is not None:
        return use.distributions.log_likelihood_ratio(y, b)
    return uniform_llr(y, b, use.occupied_bound, use.empty_bound)


def uniform_llr(y: Floats, b: Floats, occupied_bound: Floats, empty_bound: Floats) -> Floats:
    """Return the log-likelihood ratio of y = X + Lap(b) for a house of uniform use; arguments broadcast."""
    return log_ratio(uniform_log_density(y, b, occupied_bound), uniform_log_density(y, b, empty_bound))

"""What a published rate shows, once everything public is undone: the filter, the tariff, the price response.

A rate clipped at 0 is to the observer one at 0: consumption is positive, so every noisy rate below carries
the same evidence. (A filtered rate clipped at 0 is taken as 0 too; that is an approximation: the filter's
state is lost behind it.)
"""

from dataclasses import dataclass

import numpy as np

from rtp.core.types import Bools, Floats
from rtp.mechanisms import Mechanism, Public


@dataclass(frozen=True, kw_only=True)
class Observed:
    """The street's consumption as rates show it, Z + Lap(b), both (T,); b is infinite where they do not."""

    total: Floats
    b: Floats

    @property
    def heard(self) -> Bools:
        return np.isfinite(self.b)


def observe(mechanism: Mechanism, public: Public, rate: Floats, scale: Floats) -> Observed:
    """Undo filter, tariff and price response."""
    if not mechanism.reads_demand:
        return Observed(total=np.zeros_like(rate), b=np.full_like(rate, np.inf))
    tariff = public.tariff
    response = tariff.responses(rate)
    noisy = rate if mechanism.invert is None else mechanism.invert(public, scale, rate, response)
    demand = (noisy - tariff.beta) / tariff.alpha - tariff.inelastic_demand
    rounding = 1e-15 * ((np.abs(noisy) + tariff.beta) / tariff.alpha + tariff.inelastic_demand)
    demand = np.where((scale == 0) & (np.abs(demand) <= rounding), 0.0, demand)
    moved = response > 0  # a price so dear that nobody uses anything shows nothing
    divisor = np.where(moved, response, 1.0)
    return Observed(total=demand / divisor, b=np.where(moved, scale / tariff.alpha / divisor, np.inf))

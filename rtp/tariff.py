"""From demand to rate, cost and back.

The generator minimises J(Z) − rZ with J(Z) = α/2·Z² + βZ + γ, so the optimal rate is r = αZ + β
(the paper's equation (1)). Inelastic demand D adds to Z. Where demand is power, a rate is paid for power ×
hours; without units it is paid once a step.
"""

from dataclasses import dataclass

import numpy as np

from rtp.core.types import Floats


@dataclass(frozen=True, kw_only=True)
class Tariff:
    """How demand becomes a rate, and a rate the next step's demand."""

    alpha: float
    beta: float
    inelastic_demand: float
    elasticity: float
    reference: float | Floats  # one, or one for each of many days
    clip_at_zero: bool
    cap: float = np.inf  # that no published rate is above
    hours: float = 1.0  # for which a step's demand is paid: a step's length where demand is power

    def rate(self, demand: Floats) -> Floats:
        """The optimal rate at this demand, inelastic demand included."""
        return self.alpha * demand + self.beta

    def optimal(self, household_demand: Floats) -> Floats:
        """The optimal rate where households use this much and others add the inelastic demand."""
        return self.rate(household_demand + self.inelastic_demand)

    def demand(self, rate: Floats) -> Floats:
        """The households' demand that this rate is optimal for."""
        return (rate - self.beta) / self.alpha - self.inelastic_demand

    def in_demand(self, scale: Floats) -> Floats:
        """The scale of noise on rates, in the unit of demand."""
        return scale / self.alpha

    def cost(self, demand: Floats, gamma: float = 0.0) -> Floats:
        """What generating this demand costs."""
        return self.alpha / 2 * demand**2 + self.beta * demand + gamma

    def response(self, previous_rate: Floats) -> Floats:
        """By how much every household scales its consumption after seeing the last published rate.

        min(1, (r̂/r_ref)^(−η)): a dear price saves, a cheap one does not add, so the bounds still hold.
        """
        if self.elasticity == 0:
            return np.ones_like(previous_rate)
        # Beside a reference of 0 every price is too dear: the limit.
        limit = np.where(previous_rate > 0, np.inf, 0.0)
        dear = np.divide(previous_rate, self.reference, out=limit, where=np.not_equal(self.reference, 0))
        return np.asarray(np.maximum(dear, 1.0) ** -self.elasticity)

    def responses(self, rate: Floats) -> Floats:
        """How households scaled their consumption at every step, given the rates they saw."""
        return np.concatenate([np.ones_like(rate[:1]), self.response(rate[:-1])])

    @property
    def limits(self) -> tuple[float, float]:
        """What a published rate is at least and at most."""
        return (0.0 if self.clip_at_zero else -np.inf), self.cap

    @property
    def is_cut(self) -> bool:
        """Whether a published rate may be another than the mechanism's."""
        return self.clip_at_zero or self.cap < np.inf

    def published(self, rate: Floats) -> Floats:
        """The rate as it leaves the house: never negative where nobody may be paid to consume, nor above a
        cap."""
        return np.clip(rate, *self.limits) if self.is_cut else rate

"""From demand to rate, cost and back.

The generator minimises J(Z) − rZ with J(Z) = α/2·Z² + βZ + γ, so the optimal rate is r = αZ + β
(the paper's equation (1)). Inelastic demand D adds to Z.
"""

from typing import TypeVar

import numpy as np

from rtp.occupancy import Floats

Number = TypeVar("Number", float, Floats)


def rate(demand: Number, alpha: float, beta: float) -> Number:
    """The optimal rate at this demand."""
    return alpha * demand + beta


def cost(demand: Floats, alpha: float, beta: float, gamma: float = 0.0) -> Floats:
    """What generating this demand costs."""
    return alpha / 2 * demand**2 + beta * demand + gamma


def response(previous_rate: Number, reference: float, elasticity: float) -> Number:
    """By how much every household scales its consumption after seeing the last published rate.

    min(1, (r̂/r_ref)^(−η)): a dear price saves, a cheap one does not add, so the bounds still hold.
    """
    if isinstance(previous_rate, float):
        if elasticity == 0 or previous_rate <= reference:
            return 1.0
        # beside a reference of nothing every price is too dear: the limit
        return float((previous_rate / reference) ** -elasticity) if reference else 0.0
    if elasticity == 0:
        return np.ones_like(previous_rate)
    if reference == 0:
        return np.where(previous_rate > 0, 0.0, 1.0)
    return np.asarray(np.maximum(previous_rate / reference, 1.0) ** -elasticity)


def not_negative(rate: Number) -> Number:
    """The published rate where nobody may be paid to consume."""
    return max(rate, 0.0) if isinstance(rate, float) else np.maximum(rate, 0.0)


def reference_rate(expected_demand: Floats, alpha: float, beta: float) -> float:
    """The default reference: the mean expected optimal rate."""
    return float(np.mean(rate(expected_demand, alpha, beta)))

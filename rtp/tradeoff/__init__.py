"""Which error a budget buys, and which budget an error needs."""

from rtp.tradeoff.curves import Budget, Curve, ErrorLine, cost, curve, epsilon_for, most_private

__all__ = ["Budget", "Curve", "ErrorLine", "cost", "curve", "epsilon_for", "most_private"]

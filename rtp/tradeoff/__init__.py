"""Which error a budget buys, and which budget an error needs."""

from rtp.tradeoff.answers import Budget, epsilon_for, most_private
from rtp.tradeoff.curves import Curve, ErrorLine, cost, curve

__all__ = ["Budget", "Curve", "ErrorLine", "cost", "curve", "epsilon_for", "most_private"]

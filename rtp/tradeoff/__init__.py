"""Which error a budget buys, and which budget an error needs."""

from rtp.tradeoff.curves import Budget, cost, epsilon_for

__all__ = ["Budget", "cost", "epsilon_for"]

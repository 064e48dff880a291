"""A Kalman filter of the street's demand, with one state per group.

State x: per group, how far the demand of the occupied houses is from what the model expects
(`DemandMoments`). With independent houses it is a linear chain whose variance V at every step is
`occupancy_variance` and whose covariance C with the next step is `lag1_covariance`:

    x⁺ = F·x + w,  F = C/V, diagonal,  Var w = Q = V⁺ − F²·V

A noisy rate, in the unit of demand, measures their sum: z = h·(Σx + c) + v with the price response h, the
consumption's own deviation c (Var c = `consumption_variance`) and the noise v (Var v = 2b²/α²). Innovation
variance S = h²·(ΣP + Var c) + Var v, gain K = h·P·1/S. Of an innovation the share (S − Var v)/S is demand.

Plain arithmetic, group by group: the same lines serve one day's numbers and arrays of many days'. Arrays of
one would do for both, and take several times as long for one day (`python -m benchmarks filter`).
"""

from collections.abc import Sequence
from functools import reduce
from operator import add, mul
from typing import Generic

import numpy as np

from rtp.core.types import Floats
from rtp.street.moments import DemandMoments
from rtp.tariff import Number


def chain(outlook: DemandMoments) -> tuple[Floats, Floats]:
    """F, (G, T), and Q, (G, T − 1), from each step to the next."""
    presence = outlook.occupancy_variance
    F = np.divide(outlook.lag1_covariance, presence, out=np.zeros_like(presence), where=presence > 0)
    return F, np.maximum(presence[:, 1:] - F[:, :-1] ** 2 * presence[:, :-1], 0.0)


# What one step does with its measurement: by group, what is kept of the state before (F) and how far the
# innovation moves it (K); and the share of the innovation that is demand, and not noise.
Gain = tuple[list[float], list[Number], Number]


class Covariance(Generic[Number]):
    """P of the filter's state, carried from step to step; it gives the gain of each. Steps go in order."""

    def __init__(self, outlook: DemandMoments, noise_variance: Sequence[Number]) -> None:
        kept: Floats
        added: Floats
        kept, added = chain(outlook)
        self.FF = np.einsum("gt,ht->tgh", kept, kept).tolist()
        self.F: list[list[float]] = [[1.0] * len(outlook.occupancy_variance), *kept.T.tolist()]
        self.Q = added.T.tolist()
        self.consumption = outlook.consumption_variance.sum(axis=0).tolist()
        self.noise_variance: Sequence[Number] = noise_variance
        self.P: list[list[Number]] = np.diag(outlook.occupancy_variance[:, 0]).tolist()

    def gain(self, step: int, response: Number) -> Gain[Number]:
        """Predict P to this step, take the gain, and update P by the measurement."""
        if len(self.P) == 1:
            return self._gain_of_one(step, response)
        P = self.P
        if step:
            P = [list(map(mul, *rows)) for rows in zip(self.FF[step - 1], P, strict=True)]
            for g, new in enumerate(self.Q[step - 1]):
                P[g][g] = P[g][g] + new
        PH = [reduce(add, row) for row in P]
        demand_variance = response * response * (reduce(add, PH) + self.consumption[step])
        S = demand_variance + self.noise_variance[step]
        certain = S == 0  # no noise and nothing to guess: what is seen is the demand
        S = S + certain
        per_variance = response / S
        K = [per_variance * ph for ph in PH]
        lost = [response * k for k in K]
        self.P = [[p - ph * k for p, k in zip(row, lost, strict=True)] for ph, row in zip(PH, P, strict=True)]
        return self.F[step], K, demand_variance / S + certain

    def _gain_of_one(self, step: int, response: Number) -> Gain[Number]:
        """The same where there is one group: plain numbers instead of lists take a third of the time."""
        ((P,),) = self.P
        if step:
            P = self.FF[step - 1][0][0] * P + self.Q[step - 1][0]
        demand_variance = response * response * (P + self.consumption[step])
        S = demand_variance + self.noise_variance[step]
        certain = S == 0
        S = S + certain
        K = response * P / S
        self.P[0][0] = P - response * P * K
        return self.F[step], [K], demand_variance / S + certain


def of_one_group(
    outlook: DemandMoments, R: list[float], mean: list[float], measured: list[float]
) -> tuple[list[float], list[float]]:
    """The filtered measurement and the share of its innovation that is demand, at every step: the same where
    there is one group and no price response, in one loop, which takes a sixth of the time."""
    kept, added = chain(outlook)
    F, Q = [1.0, *kept[0, :-1].tolist()], [0.0, *added[0].tolist()]
    x, P = 0.0, float(outlook.occupancy_variance[0, 0])
    filtered, shares = [], []
    for f, q, consumption, r, m, z in zip(
        F, Q, outlook.consumption_variance[0].tolist(), R, mean, measured, strict=True
    ):
        x *= f
        P = f * f * P + q
        demand_variance = P + consumption
        S = demand_variance + r
        share, K = (demand_variance / S, P / S) if S else (1.0, 0.0)
        expected = x + m
        innovation = z - expected
        filtered.append(expected + share * innovation)
        shares.append(share)
        x += K * innovation
        P -= P * K
    return filtered, shares

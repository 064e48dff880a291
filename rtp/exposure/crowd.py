"""A house in a crowd that is taken as normal: its state followed beside an estimate of everybody else.

Who is at home elsewhere changes slowly: per group a linear chain with the model's variance and its covariance
with the next step, x⁺ = F·x + w (`rtp.probability.kalman`). Given a house's state s a reading y is its use in
that state, plus the others' expected demand and deviation Σx, plus what they use given who is at home, taken
as normal, plus Laplace noise. With f_s the density of use, normal deviation and noise at the distance from
what is expected, ψ_s = −(ln f_s)′ and I = E[ψ²],

    Pr[s | y] ∝ f_s·Pr[s],    x̂_s ← x̂_s + P·1·ψ_s,    P ← P − I·P·1·1ᵀ·P,

which is Kalman's update where noise is Gaussian and reads Laplace noise for what it is (Masreliez, 1975). The
estimate is kept for each state of the house, and mixed as the state moves (an interacting multiple model,
Blom and Bar-Shalom, 1988), so that what the house uses is not taken for the crowd's. A reading that is cut
counts with the probability beyond, and ψ with that of its logarithm's slope.

That the others' deviation is normal is an approximation: scores are measured on days that real houses live.
"""

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Floats, Ints
from rtp.exposure.neighbours import UNCUT, Cut, Singles
from rtp.exposure.secrets import Ways
from rtp.probability.kalman import state_space
from rtp.probability.laplace_uniform import log_ratio
from rtp.street.draw import Use
from rtp.street.schedule import DemandMoments

NODES = 512
ROUNDING = 0.05  # of the logarithm of a variance
SPAN = 20.0  # standard deviations that they cover
REACH = 6.0  # of them, beyond which a reading tells no more
FAINTEST = 1e-13
TINY = 1e-300
LEAST = np.float32(1e-37)


class NormalCrowd:
    """An outsider of one house: tables of ln f_s and ψ_s, (tables, nodes, 4), for every step and width one
    whose spread of the crowd is the step's but for its rounding."""

    exact = False

    def __init__(
        self, own: Use, others: DemandMoments, widths: Floats, shape: Floats, cut: Cut = UNCUT
    ) -> None:
        self.mean, self.cut = others.expected_demand, cut
        self.F, Q = state_space(others.occupancy_variance, others.lag1_covariance)
        white = np.maximum(others.consumption_variance.sum(axis=0), 0.0)
        mean, variance = own.moments()
        self.middle = float(mean.mean())
        own_variance = float((variance + (mean - self.middle) ** 2).max())
        total = np.sqrt(others.variance.max() + own_variance + 2 * (shape.max() * widths) ** 2 + TINY)
        self.spacing = SPAN * total / NODES  # (W,)
        t = np.multiply.outer(2 * np.pi / (NODES * self.spacing), np.arange(NODES // 2 + 1))
        waves = np.stack([np.stack(own.characteristic(row))[:, 0] for row in t])  # (W, 2, nodes)
        turn = self.middle - NODES / 2 * self.spacing
        waves = np.conj(waves * np.exp(-1j * t * turn[:, None])[:, None])
        P = np.zeros((len(widths), self.F.shape[1], self.F.shape[1]))
        of: dict[tuple[float, int, int], int] = {}
        tables: list[Singles] = []
        information = np.empty(0)
        self.PH, self.table = [], np.empty((len(shape), len(widths)), dtype=np.int32)
        for step, part in enumerate(shape.tolist()):
            P = self.F[step][:, None] * P * self.F[step] + np.diag(Q[step])
            PH = P.sum(axis=2)
            spread = np.maximum(PH.sum(axis=1) + white[step], self.spacing**2)
            rounded = np.rint(np.log(spread) / ROUNDING).astype(int)
            keys = [(part, *key) for key in enumerate(rounded.tolist())]
            if new := [key for key in keys if key not in of]:
                of |= {key: len(of) + n for n, key in enumerate(new)}
                w = np.array([key[1] for key in new])
                damp = np.exp(-np.minimum(np.exp(rounded[w] * ROUNDING)[:, None] * t[w] ** 2 / 2, 700.0))
                damp /= 1 + (part * widths[w][:, None] * t[w]) ** 2
                density = np.fft.irfft(waves[w] * damp[:, None], NODES, axis=2) / self.spacing[w, None, None]
                density = np.maximum(density, FAINTEST * density.max(axis=(1, 2), keepdims=True))
                slope = -np.gradient(np.log(density), axis=2) / self.spacing[w, None, None]
                inside = slice(int(NODES * (0.5 - REACH / SPAN)), int(NODES * (0.5 + REACH / SPAN)))
                weight = (density * slope**2)[..., inside].sum(axis=2) * self.spacing[w, None]
                information = np.concatenate([information, weight.mean(axis=1)])
                tables.append(np.concatenate([density, slope], axis=1).transpose(0, 2, 1).astype(np.float32))
            self.table[step] = [of[key] for key in keys]
            P = P - information[self.table[step], None, None] * PH[:, :, None] * PH[:, None]
            self.PH.append(PH.astype(np.float32))
        self.tables = np.ascontiguousarray(np.concatenate(tables))
        self.beyond = [self._beyond(np.array([w for _, w, _ in of]), above) for above in (False, True)]

    def _beyond(self, width: Ints, above: bool) -> Singles:
        """Return the same tables of readings that are cut at a node, and count with what lies beyond it."""
        if not np.isfinite(self.cut[above]):
            return np.zeros((0, NODES, 4), dtype=np.float32)
        density = self.tables[..., :2].astype(float)
        total = density.sum(axis=1, keepdims=True)
        below = (np.cumsum(density, axis=1) - density / 2) / total
        mass = np.maximum(1 - below if above else below, FAINTEST)
        slope = density / total / self.spacing[width, None, None] / mass
        cut = np.concatenate([mass, slope if above else -slope], axis=2)
        return np.ascontiguousarray(cut, dtype=np.float32)

    def scores(self, ways: Ways, readings: Floats, now: slice) -> Floats:
        """Return ln Pr[readings | the second way] − ln Pr[readings | the first], (W, B).

        Readings are (T, W, B), at some of the widths.
        """
        spacing = self.spacing[now]
        shape = (2, *readings.shape[1:])
        p = np.stack([1 - ways.initial, ways.initial])[:, :, None, None] * np.ones((2, *shape))
        p = p.astype(np.float32)
        estimate = np.zeros((self.F.shape[1], *p.shape), dtype=np.float32)  # (G, own state, way, W, B)
        moves = [each.astype(np.float32) for each in (ways.leave, ways.arrive)]
        fading, centre = self.F.astype(np.float32), (self.mean + self.middle)[:, None, None]
        scaled = ((readings - centre) / spacing[:, None] + NODES / 2).astype(np.float32)
        per_node = (1 / spacing).astype(np.float32)[:, None]
        far = np.float32(NODES / 2 - REACH / SPAN * NODES), np.float32(NODES / 2 + REACH / SPAN * NODES)
        log_likelihood = np.zeros(shape)
        states = np.arange(2, dtype=np.int32).reshape(2, 1, 1, 1)
        for t, reading in enumerate(readings):
            estimate *= fading[t][:, None, None, None, None]
            place = np.clip(scaled[t] - estimate.sum(axis=0) * per_node, *far)
            below = place.astype(np.int32)
            share = place - below.astype(np.float32)
            below += (self.table[t][now] * NODES)[:, None]
            below *= 4
            below += states
            likely, slope = _read(self.tables, below, share)
            for table, hit in zip(self.beyond, (reading <= self.cut[0], reading >= self.cut[1]), strict=True):
                if hit.any():
                    mass, rise = _read(table, below, share)
                    likely, slope = np.where(hit, mass, likely), np.where(hit, rise, slope)
            p *= likely
            total = p.sum(axis=0)
            total = np.maximum(total, LEAST)
            log_likelihood += np.log(total)
            p /= total
            estimate += self.PH[t][now].T[:, None, None, :, None] * slope
            if t + 1 < len(readings):
                leave, arrive = (each[t][:, None, None] for each in moves)
                stay, left = p[1] * (1 - leave), p[1] * leave
                come, out = p[0] * arrive, p[0] * (1 - arrive)
                p = np.stack([out + left, come + stay])
                safe = np.maximum(p, LEAST)
                estimate = np.stack(
                    [
                        (out * estimate[:, 0] + left * estimate[:, 1]) / safe[0],
                        (come * estimate[:, 0] + stay * estimate[:, 1]) / safe[1],
                    ],
                    axis=1,
                )
        ordinary, secret = log_likelihood
        return log_ratio(secret, ordinary)


def _read(table: Singles, below: NDArray[np.int32], share: Singles) -> tuple[Singles, Singles]:
    """Return the first two columns of a table, or the last two, between the nodes below and above."""
    flat, result = table.ravel(), []
    for column in (0, 2):
        at = below + np.int32(column)
        value = flat.take(at)
        value += share * (flat.take(at + np.int32(4)) - value)
        result.append(value)
    return result[0], result[1]

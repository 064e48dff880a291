"""The expected error of noisy rates that move the demand of the next step.

Demand answers the last published rate y, so the optimal rate r and with it the next published one,
r + Lap(b), depend on the past through y alone: a Markov chain on the line. Its law is carried from step to
step on nodes: hat functions on a geometric grid above the reference rate, where households respond; the
reference and one node below it take all the rest, where the response is 1.

A hat's chance under r + Lap(b) follows from C(y) = E[(y − r̂)₊] = (y − r)₊ + b/2·e^{−|y − r|/b}, whose slope
between two nodes is the chance to be below, in their mean; it is the change of that slope at the node. The
first term splits the chance of r between the two nodes beside it. For the second, e^{−|y − r|/b}
multiplies on the way from r to y: what comes from below is, at every node, what came to the node before times
e^{−gap/b}, plus what starts in between; likewise from above. So a step takes O(K), not all K² pairs.
"""

from functools import lru_cache

import numpy as np

from rtp import metrics
from rtp.core.types import Bools, Floats, Ints
from rtp.tariff import Tariff
from rtp.tradeoff.knots import knots_around

NODES = 48  # of the published rate's law: RMSRE to 1e-5 on the elastic preset, at the extremes to 5e-4 and,
# for noise narrower than a cell h of ln y, to elasticity·h/4 on days whose rate passes next to the reference
TAIL = 25.0  # scales beyond the largest rate that the law is carried to: e^−25 is left out
LOST = 60.0  # scales beyond which e^−x makes no difference; numbers next to the smallest are slow
PER_DECADE, POINTS = 8, 6  # widths that are worked out, and that one between them is interpolated from
INTERPOLATED = 1e-4  # by which that is off at most, on every preset at the highest elasticity
APART = 1 + 1e-6  # nodes must differ, even where no rate ever comes near them


def elastic_rmsre(tariff: Tariff, base: Floats, scale: Floats) -> Floats:
    """(E,) for scales (T, E): `chain_rmsre`; where noise is as wide all day, interpolated over its width.

    Error and width then differ by a factor that is smooth in ln b, whoever asks for that noise.
    """
    even = steady(scale)
    result = np.full(scale.shape[1], np.inf)
    if not even.all():
        result[~even] = chain_rmsre(tariff, base, scale[:, ~even])
    if even.any():
        width = scale[0, even]
        knots = knots_around(PER_DECADE * np.log10(width), POINTS)
        factor = _per_width(tariff, base.tobytes(), knots.at.tobytes())
        if np.all(np.isfinite(factor)):  # else a rate is zero, and all are infinitely off
            result[even] = width * np.exp(knots.between(np.log(factor)))
    return result


@lru_cache(maxsize=4)  # whoever seeks a root asks for the same knots again and again
def _per_width(tariff: Tariff, base: bytes, knots: bytes) -> Floats:
    demand, width = np.frombuffer(base), 10 ** (np.frombuffer(knots) / PER_DECADE)
    return chain_rmsre(tariff, demand, np.tile(width, (len(demand), 1))) / width


def steady(scale: Floats) -> Bools:
    """(E,): whether the noise of (T, E) is as wide all day, and there is one."""
    return np.asarray((scale[0] > 0) & np.all(scale == scale[0], axis=0))


def chain_rmsre(tariff: Tariff, base: Floats, scale: Floats) -> Floats:
    """(E,) for scales (T, E): the root of RMSRE's mean square, given the base demand, (T,)."""
    nodes, per_log = _nodes(tariff, tariff.optimal(base).max() + TAIL * scale.max(axis=0))
    response, noise = tariff.response(nodes), Noise(nodes, scale[0])
    law = np.zeros_like(nodes)
    law[0] = 1.0
    total = np.zeros(scale.shape[1])
    for use, b in zip(base.tolist(), scale, strict=True):
        rate = tariff.optimal(response * use)
        total += _relative_error(law, rate, b, tariff.clip_at_zero)
        if not np.array_equal(b, noise.scale):
            noise = Noise(nodes, b)
        cell = (np.log(np.maximum(rate / tariff.reference, 1.0)) * per_log).astype(np.intp)
        cell += rate >= tariff.reference
        law = noise.added(law, rate, np.minimum(cell, NODES - 1))
    return np.sqrt(total) / len(base)


def _nodes(tariff: Tariff, top: Floats) -> tuple[Floats, Floats]:
    """(K, E), one below the reference, the others from there to the top; (E,) how many to a unit of ln y."""
    ratio = np.maximum(top / tariff.reference, APART)
    grid = tariff.reference * ratio ** np.linspace(0, 1, NODES)[:, None]
    below = min(tariff.rate(tariff.inelastic_demand), tariff.reference / APART)
    return np.vstack([np.full_like(ratio, below), grid]), (NODES - 1) / np.log(ratio)


def _relative_error(law: Floats, rate: Floats, b: Floats, clip_at_zero: bool) -> Floats:
    """(E,): the squared relative error that one step expects."""
    relative = metrics.relative(metrics.laplace_squared_error(b, rate, clip_at_zero), rate)
    if not np.all(rate):  # what cannot be does not count, even where it would be infinite
        relative = np.where(law == 0, 0.0, relative)
    return np.asarray(np.einsum("ke,ke->e", law, relative))


class Noise:
    """Lap(b) on nodes, (K, E), for scales b, (E,)."""

    def __init__(self, nodes: Floats, b: Floats) -> None:
        self.nodes, self.scale = nodes, b
        gap = np.diff(nodes, axis=0)
        self.per_scale = -1 / np.where(b > 0, b, 1.0)
        self.slope = b / 2 / gap
        kept = self._faded(gap)
        size = round(np.sqrt(len(nodes)))  # rows of a block
        both = np.pad(np.hstack([kept, kept[::-1]]), ((1, -len(nodes) % size), (0, 0)))
        self.kept = both.reshape(-1, size, both.shape[1])  # of the row before, upward and downward
        self.handed_on = np.cumprod(self.kept, axis=1)  # of the last row of the block before

    def added(self, law: Floats, rate: Floats, cell: Ints) -> Floats:
        """The law of rate + Lap(b), the rate's being given: each lies between the nodes cell and cell + 1."""
        columns = law.shape[1]
        low = cell * columns + np.arange(columns)
        high = low + columns
        above, below = rate - self.nodes.take(low), self.nodes.take(high) - rate
        part = law * (above / (above + below))
        result = self._at_nodes(low, law - part) + self._at_nodes(high, part)
        flow = np.zeros_like(self.kept).reshape(-1, 2 * columns)
        flow[: len(law), :columns] = self._at_nodes(high, law * self._faded(below))
        flow[: len(law), columns:] = self._at_nodes(low, law * self._faded(above))[::-1]
        self._accumulate(flow)
        faded = flow[: len(law), :columns] + flow[: len(law)][::-1, columns:]
        slope = self.slope * np.diff(faded, axis=0)
        result[:-1] += slope
        result[1:] -= slope
        return np.maximum(result, 0.0)

    def _faded(self, distance: Floats) -> Floats:
        """e^{−distance/b}."""
        return np.exp(np.maximum(distance * self.per_scale, -LOST))

    def _at_nodes(self, at: Ints, weights: Floats) -> Floats:
        sums = np.bincount(at.ravel(), weights.ravel(), self.nodes.size)
        return np.asarray(sums, dtype=float).reshape(self.nodes.shape)

    def _accumulate(self, flow: Floats) -> None:
        """In place: to what starts at every row comes what is kept of the row before.

        First within all blocks at once, then what each block hands on to the next.
        """
        blocks = flow.reshape(self.kept.shape)
        for row in range(1, blocks.shape[1]):
            blocks[:, row] += blocks[:, row - 1] * self.kept[:, row]
        for block in range(1, len(blocks)):
            blocks[block] += blocks[block - 1, -1] * self.handed_on[block]

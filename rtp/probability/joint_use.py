"""What a few houses use together in every joint state, on a grid, and its density with Laplace noise.

The distribution of a sum is the convolution of the houses' own, so its Fourier transform is the product of
theirs: one for every joint state, in counting order, house 0 first. The grid's nodes reach from 0 to the most
that all can use. An amount between two nodes is shared between them so that its mean stays: a house's mass at
a node is the second difference of the integral of its distribution function, divided by the spacing h.
Nothing is ever negative, point masses included, and the sum's variance grows by h²/6 a house.

The mass of a node then counts as spread evenly over the cell around it. With noise of scale b and
q = e^{−h/b} the density at node j is exactly

    f_j = ( m_j·(1 − √q) + √q·(1 − q)/2·Σ_{i≠j} m_i·q^{|i − j| − 1} )/h,

whose sums follow from node to node; without noise q is 0 and f_j = m_j/h. In between it is taken as a line.
Beyond what a joint state can use its density falls by e^{−distance/b}, which is taken in logarithms: an
underflow is no proof. Beyond both ends of the grid that is so for all states alike: a rate there tells of
them what one at the end tells.
"""

from dataclasses import dataclass

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.probability.histogram import Histograms

MASSES = 2**22  # nodes × joint states: what a worker's memory bears
MOST_NODES = 2**13
TOLERANCE = 1e-9  # of the largest demand: what sums of floats lose
ROUNDED = 1e-15  # of the largest mass: what a Fourier transform rounds


@dataclass(frozen=True, kw_only=True)
class JointUse:
    """The sum of what N houses use, on J nodes."""

    spacing: float
    mass: Floats  # (J, 2^N): each joint state's adds up to 1
    lowest: Floats  # (2^N,) the least and the most that is possible
    highest: Floats
    first: Ints  # (2^N,) the nodes between which there is mass
    last: Ints

    def density(self, b: float) -> Floats:
        """Return the density of the sum plus Lap(b) at every node, (J, 2^N)."""
        h, m = self.spacing, self.mass
        if b == 0:
            return np.asarray(m / h)
        root, gap = np.exp(-h / b / 2), -np.expm1(-h / b)
        beside = root * gap / 2 / h
        result = -np.expm1(-h / b / 2) / h * m
        for density, masses in ((result, m), (result[::-1], m[::-1])):
            passed = np.zeros(m.shape[1])
            for j in range(1, len(m)):
                passed *= root * root
                passed += masses[j - 1]
                density[j] += beside * passed
        return np.asarray(result)

    def log_density(self, x: Floats, b: Floats) -> Floats:
        """Return the log-density of the sum plus Lap(b) at every x, both (L,), under every joint state,
        (L, 2^N). With noise no state is impossible; without, one that cannot reach x is."""
        result = np.empty((len(x), self.mass.shape[1]))
        states = np.arange(self.mass.shape[1])
        for scale in np.unique(b).tolist():
            here = b == scale
            density, at = self.density(scale), x[here, None]
            below, share = self.place(x[here])
            value = density[below] * (1 - share) + density[below + 1] * share
            if scale == 0:
                rounding = TOLERANCE * self.highest.max()
                reached = (at >= self.lowest - rounding) & (at <= self.highest + rounding)
                result[here] = np.log(value, out=np.full_like(value, -np.inf), where=reached & (value > 0))
                continue
            over, under = at - self.last * self.spacing, self.first * self.spacing - at
            value = np.where(over > 0, density[self.last, states], value)
            value = np.where(under > 0, density[self.first, states], value)
            result[here] = np.log(value) - np.maximum(np.maximum(over, under), 0.0) / scale
        return result

    def place(self, x: Floats) -> tuple[Ints, Floats]:
        """Return the node below every x, (L,), and the share of the next one, (L, 1); of x beyond an end
        those of the end."""
        at = np.clip(x / self.spacing, 0.0, len(self.mass) - 1)
        below = np.minimum(at.astype(np.intp), len(self.mass) - 2)
        return below, (at - below)[:, None]


def joint_use(houses: Histograms, most_nodes: int = MOST_NODES) -> JointUse:
    """Return what these houses use together."""
    n = len(houses.edges)
    nodes = min(MASSES >> n, most_nodes)
    possible = houses.mass > 0  # (2, n, bins)
    least = np.where(possible, houses.edges[:, :-1], np.inf).min(axis=2)
    most = np.where(possible, houses.edges[:, 1:], -np.inf).max(axis=2)
    lowest, highest = np.zeros(1), np.zeros(1)
    for own_least, own_most in zip(least.T, most.T, strict=True):
        lowest, highest = np.add.outer(lowest, own_least).ravel(), np.add.outer(highest, own_most).ravel()
    spacing = max(float(highest.max()), 1e-300) / (nodes - n - 2)
    first = np.maximum((lowest / spacing).astype(np.intp), 0)
    last = np.minimum((highest / spacing).astype(np.intp) + n + 1, nodes - 1)
    wave = np.ones((1, nodes // 2 + 1), dtype=complex)
    for own in np.fft.rfft(node_masses(houses, spacing, nodes), axis=-1).transpose(1, 0, 2):
        wave = (wave[:, None] * own).reshape(-1, nodes // 2 + 1)
    mass = np.fft.irfft(wave, nodes, axis=1).T
    place = np.arange(nodes)[:, None]
    mass = np.maximum(mass, ROUNDED * mass.max(axis=0)) * ((place >= first) & (place <= last))
    return JointUse(
        spacing=spacing,
        mass=np.ascontiguousarray(mass / mass.sum(axis=0)),
        lowest=lowest,
        highest=highest,
        first=first,
        last=last,
    )


def node_masses(houses: Histograms, spacing: float, nodes: int) -> Floats:
    """Return what of each house's use is put on every node, (2, n, J)."""
    at = spacing * np.arange(-1, nodes + 1)
    integral = np.zeros((2, len(houses.edges), nodes + 2))
    for k, width in enumerate(np.diff(houses.edges, axis=1)[:, :, None].transpose(1, 0, 2)):
        beyond = np.maximum(at - houses.edges[:, k, None], 0.0)
        ramp = beyond**2 / np.where(width > 0, 2 * width, 1.0)
        integral += houses.mass[:, :, k, None] * np.where(beyond < width, ramp, beyond - width / 2)
    return np.asarray(np.diff(integral, n=2, axis=2) / spacing)

"""What an observer makes of the rates of a very small street, exactly and in a few milliseconds.

It is the paper's adversary, as in `rtp.attack.joint_filter`: the joint law of all 2^n states, moved by the
houses' habits and weighed by each rate's density. On two or three houses the whole day's densities are had
at once, the Kronecker product of the houses' matrices is a small matrix, and chances serve in place of their
logarithms: a change of ε is answered while the slider moves. `rtp.attack` is the slow twin in the tests.

    forward    lawₜ ∝ f(rate t | S)·priorₜ,         priorₜ₊₁ = Mₜᵀ·lawₜ
    backward   laterₜ = Mₜ·(f(rate t+1 | S)·laterₜ₊₁),   Pr[Sₜ | all rates] ∝ lawₜ·laterₜ
"""

from collections.abc import Sequence
from functools import reduce
from itertools import product

import numpy as np

from rtp.attack.beliefs import Chains
from rtp.attack.observation import Observed
from rtp.core.types import Floats
from rtp.probability.histogram import Histograms
from rtp.probability.laplace_uniform import density
from rtp.street.draw import Street


def states(houses: int) -> Floats:
    """(2^n, n): 1 where a house is occupied, in counting order, house 0 first."""
    return np.array(list(product((0.0, 1.0), repeat=houses)))


def beliefs(seen: Observed, street: Street, chains: Chains) -> Floats:
    """(T, n): Pr[occupied | all rates of the day] of every house."""
    likelihood, moves = densities(seen, street), transitions(chains, len(seen.total))
    occupied = states(len(street.group))
    law = np.prod(np.where(occupied > 0, chains.initial, 1 - chains.initial), axis=1)
    laws = np.empty_like(likelihood)
    for step, (likely, matrix) in enumerate(zip(likelihood, moves, strict=True)):
        laws[step] = law = _normalised(law * likely, law)
        law = law @ matrix
    later = np.ones_like(law)
    for step in reversed(range(len(likelihood))):
        laws[step] *= later
        if step:
            later = moves[step - 1] @ _normalised(likelihood[step] * later, later)
    return np.asarray(laws @ occupied / laws.sum(axis=1, keepdims=True))


def _normalised(weights: Floats, without: Floats) -> Floats:
    """To sum to one; a rate that nothing explains teaches nothing."""
    total = weights.sum()
    return weights / total if total > 0 else without


def densities(seen: Observed, street: Street) -> Floats:
    """(T, 2^n): of what each rate shows, under every joint state; 1 where it shows nothing."""
    if street.distributions is not None:
        return _by_laws(seen, street.distributions)
    occupied = states(len(street.group))
    widths = np.where(occupied > 0, street.occupied_bound, street.empty_bound)
    found = np.ones((len(seen.total), len(occupied)))
    for b in np.unique(seen.b[seen.informative]).tolist():
        steps = seen.b == b
        found[steps] = np.column_stack([density(seen.total[steps], w, b) for w in widths])
    return found


def _by_laws(seen: Observed, laws: Histograms) -> Floats:
    """The same where use has other laws: of every choice of one bin for each house, weighed."""
    houses = np.arange(len(laws.edges))
    joint = states(len(houses)).astype(np.intp)
    found = np.ones((len(seen.total), len(joint)))
    found[seen.informative] = 0.0
    for bins in product(range(laws.mass.shape[2]), repeat=len(houses)):
        weights = laws.mass[joint, houses, bins].prod(axis=1)
        if not weights.any():
            continue
        low, high = laws.edges[houses, bins], laws.edges[houses, np.add(bins, 1)]
        for b in np.unique(seen.b[seen.informative]).tolist():
            steps = seen.b == b
            one = density(seen.total[steps] - low.sum(), high - low, b)
            found[steps] += one[:, None] * weights
    return found


def transitions(chains: Chains, steps: int) -> Sequence[Floats]:
    """From each step to the next, (2^n, 2^n): rows from, columns to. Steps of the same habits share one."""
    made: dict[bytes, Floats] = {}
    found = []
    for step in range(steps):
        leave, arrive = chains.chances(step)
        key = leave.tobytes() + arrive.tobytes()
        if key not in made:
            each = np.array([[1 - arrive, arrive], [leave, 1 - leave]]).transpose(2, 0, 1)
            made[key] = np.asarray(reduce(np.kron, each))
        found.append(made[key])
    return found

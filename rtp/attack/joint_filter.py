"""The paper's adversary on a street of up to a dozen houses: the joint law of all 2^N states, exactly.

A state is a row of 0 (empty) and 1 (occupied), house 0 first, in counting order. The law is kept as
logarithms: a state that the rates make unlikely beyond what a float holds is still not impossible, so only
what truly is impossible counts as proof.

    filter     Pr[Sᵗ | rates up to t]   ∝ Pr[rate t | Sᵗ]·Pr[Sᵗ | rates before]       (the paper's (2), (3))
    smoother   Pr[Sᵗ | rates of the day] ∝ Pr[Sᵗ | rates up to t]·βᵗ,  βᵗ = E[Pr[rate t+1 | Sᵗ⁺¹]·βᵗ⁺¹ | Sᵗ]

The joint matrix is the Kronecker product of the houses', so one step of the chain is one 2×2 step per house.
The evidence of a rate on house i is ln Pr[rate | Sᵢ = 1, rates before] − ln Pr[rate | Sᵢ = 0, rates before].
Given the rates before, houses are not independent: knowing one tells of the others, so this can exceed the
promised ε, which compares streets that differ in one house only.
"""

import numpy as np

from rtp.attack.beliefs import Beliefs, Chains
from rtp.attack.observation import Observed
from rtp.core.types import Bools, Floats
from rtp.probability.laplace_uniform import JointDensity
from rtp.street.simulate import Progress

MAX_HOUSES = 12  # houses
SMALL = 1e-250  # a sum in which digits may have been lost to underflow


def follow_jointly(
    seen: Observed,
    density: JointDensity,
    chains: Chains,
    keep: Bools,
    *,
    smoothing: bool = False,
    progress: Progress | None = None,
) -> Beliefs:
    """Her beliefs about the houses to keep, by the joint law of all."""
    steps = len(seen.total)
    kept = Beliefs(*(np.empty((steps, int(keep.sum()))) for _ in range(3)))
    law = initial(chains.initial)
    laws, explained = [], []
    for step in range(steps):
        before = marginals(law)
        likelihood = (
            density.log_at(float(seen.total[step]), float(seen.b[step])) if seen.informative[step] else 0.0
        )
        law, learned = bayes(law, np.broadcast_to(likelihood, law.shape))
        after = marginals(law)
        kept.prior[step], kept.belief[step] = _chance(before)[keep], _chance(after)[keep]
        kept.log_likelihood_ratio[step] = (_odds_gained(before, after) if learned else np.zeros(len(keep)))[
            keep
        ]
        if smoothing:
            laws.append(law)
            explained.append(likelihood if learned else 0.0)
            if (step + 1) % chains.steps_per_day == 0 or step + 1 == steps:
                first = step + 1 - len(laws)
                kept.belief[first : step + 1] = _smoothed(laws, explained, chains, first)[:, keep]
                laws, explained = [], []
        law = move(law, *chains.chances(step))
        if progress is not None:
            progress((step + 1) / steps)
    return kept


def _smoothed(laws: list[Floats], explained: list[Floats | float], chains: Chains, first: int) -> Floats:
    """(steps, n): Pr[occupied] given all rates of these steps, backwards from the last."""
    result = np.empty((len(laws), len(chains.initial)))
    later: Floats = np.zeros_like(laws[0])
    for i in reversed(range(len(laws))):
        result[i] = _chance(marginals(laws[i] + later))
        if i:
            later = expect(later + explained[i], *chains.chances(first + i - 1))
            later -= later.max()
    return result


def initial(occupied: Floats) -> Floats:
    """The log-law of independent houses."""
    law = np.zeros(1)
    for p in occupied.tolist():
        law = np.add.outer(law, _log(np.array([1 - p, p]))).ravel()
    return law


def bayes(law: Floats, likelihood: Floats) -> tuple[Floats, bool]:
    """The law given the rate, and whether there is one: a rate that nothing explains teaches nothing."""
    joint = law + likelihood
    top = joint.max()
    if not np.isfinite(top):
        return law, False
    return joint - (top + np.log(np.exp(joint - top).sum())), True


def marginals(law: Floats) -> Floats:
    """(N, 2): ln Pr[Sᵢ = empty], ln Pr[Sᵢ = occupied]; the law need not sum to one."""
    top = law.max()
    weights = np.exp(law - top)
    houses = len(law).bit_length() - 1
    sums = np.array([weights.reshape(2**house, 2, -1).sum(axis=(0, 2)) for house in range(houses)])
    result: Floats = top + _log(sums)
    for house, state in zip(*np.nonzero(sums < SMALL), strict=True):  # beside the others next to nothing
        mine = law.reshape(2**house, 2, -1)[:, state]
        own = max(float(mine.max()), -1e300)
        result[house, state] = own + _log(np.exp(mine - own).sum(keepdims=True).ravel())[0]
    return result


def move(law: Floats, leave: Floats, arrive: Floats) -> Floats:
    """One step ahead, house by house."""
    return _by_house(law, [[1 - arrive, leave], [arrive, 1 - leave]])


def expect(values: Floats, leave: Floats, arrive: Floats) -> Floats:
    """ln E[e^values of the next step | the state now]."""
    return _by_house(values, [[1 - arrive, arrive], [leave, 1 - leave]])


def _by_house(law: Floats, matrix: list[list[Floats]]) -> Floats:
    """Each house's own 2×2 matrix applied along its axis, in logarithms."""
    for house, ((a, b), (c, d)) in enumerate(_log(np.array(matrix)).transpose(2, 0, 1).tolist()):
        now = law.reshape(2**house, 2, -1)
        empty, occupied, ahead = now[:, 0], now[:, 1], np.empty_like(now)
        np.logaddexp(empty + a, occupied + b, out=ahead[:, 0])
        np.logaddexp(empty + c, occupied + d, out=ahead[:, 1])
        law = ahead.ravel()
    return law


def _chance(log_marginals: Floats) -> Floats:
    """Pr[occupied]."""
    empty, occupied = log_marginals.T
    return np.asarray(np.exp(occupied - np.logaddexp(empty, occupied)))


def _odds_gained(before: Floats, after: Floats) -> Floats:
    """The evidence on every house; 0 where its state was certain anyway."""
    uncertain = np.isfinite(before).all(axis=1)
    gained = np.zeros(len(before))
    gained[uncertain] = (after[:, 1] - after[:, 0])[uncertain] - (before[:, 1] - before[:, 0])[uncertain]
    return gained


def _log(values: Floats) -> Floats:
    """ln, with −∞ for exactly 0."""
    return np.log(values, out=np.full_like(values, -np.inf), where=values > 0)

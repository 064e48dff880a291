"""A chain followed in blocks, all blocks side by side: for long records of few houses.

A filter goes step by step, and every step of a few houses takes as long as its calls. Products of matrices
can be taken in any order (a scan; Blelloch, 1990): within each of √T blocks the products from its first step
on, one step of all blocks at once, and then from block to block. That multiplies matrices where the filter
multiplies vectors, K times the work, in 2√T calls for T.

A row of a product is what follows from one state. Rows fade at different speeds, so each is kept with its sum
as a logarithm.
"""

from math import ceil, isqrt

import numpy as np

from rtp.core.types import Floats

LONG, FEW = 256, 8  # steps and houses: of more houses, or fewer steps, the filter takes no longer


def is_long(weight: Floats) -> bool:
    """Return whether it pays to follow these, (T, K, K, n), in blocks."""
    return len(weight) >= LONG and weight.shape[3] <= FEW


def in_blocks(weight: Floats) -> Floats:
    """Return weights (T, K, K, n) as (step of the block, block, n, K, K), the last block filled up."""
    steps, states = weight.shape[:2]
    length = max(isqrt(steps), 1)
    whole = np.empty((ceil(steps / length) * length, weight.shape[3], states, states))
    whole[:steps] = weight.transpose(0, 3, 1, 2)
    whole[steps:] = np.eye(states)
    return np.ascontiguousarray(whole.reshape(-1, length, *whole.shape[1:]).swapaxes(0, 1))


def forward_in_blocks(first: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return Pr[state at t | observations up to t], (T, K, n), and Pr[each observation | those before it],
    (T, n), from joint weights, as `rtp.probability.hmm.forward` does step by step."""
    blocks = in_blocks(weight)
    product, faded = blocks.copy(), np.empty(blocks.shape[:-1])
    so_far = np.zeros(blocks.shape[1:-1])
    for step in range(len(blocks)):
        if step:
            product[step] = product[step - 1] @ blocks[step]
        total = product[step].sum(axis=-1)
        none = total <= 0
        product[step] /= np.where(none, 1.0, total)[..., None]
        so_far = so_far + np.where(none, -np.inf, np.log(np.where(none, 1.0, total)))
        faded[step] = so_far
    evidence = np.empty((len(weight) + 1, first.shape[1]))
    evidence[0] = first.sum(axis=0)
    now = (first / evidence[0]).T  # (n, K)
    starts = np.empty((blocks.shape[1], *now.shape))
    for block, (last, scale) in enumerate(zip(product[-1], faded[-1], strict=True)):
        starts[block] = now
        now = _after(now, last, scale)
    states = np.empty((len(weight) + 1, *first.shape))
    states[0] = starts[0].T
    after = _after(starts, product, faded).swapaxes(0, 1)
    states[1:] = after.reshape(-1, *after.shape[2:])[: len(weight)].swapaxes(1, 2)
    evidence[1:] = np.einsum("tin,tijn->tn", states[:-1], weight)
    return states, evidence


def _after(states: Floats, product: Floats, faded: Floats) -> Floats:
    """Return the states (…, K) after products whose rows have faded so far."""
    kept = np.where(states > 0, faded, -np.inf)
    share = states * np.exp(kept - kept.max(axis=-1, keepdims=True))
    after = (share[..., None, :] @ product)[..., 0, :]
    return np.asarray(after / after.sum(axis=-1, keepdims=True))


def backward_in_blocks(scaled: Floats) -> Floats:
    """Return what later observations say of every state, (T, K, n), from joint weights over the evidence."""
    blocks = in_blocks(scaled)
    for step in reversed(range(len(blocks) - 1)):
        blocks[step] = blocks[step] @ blocks[step + 1]
    _, count, houses, states, _ = blocks.shape
    ends = np.ones((count + 1, houses, states))
    for block in reversed(range(count)):
        ends[block] = (blocks[0, block] @ ends[block + 1][..., None])[..., 0]
    whole = (blocks @ ends[1:, ..., None])[..., 0].swapaxes(0, 1)
    result = np.ones((len(scaled) + 1, states, houses))
    result[:-1] = whole.reshape(-1, houses, states)[: len(scaled)].swapaxes(1, 2)
    return result

"""Two ways to live, as likely as they make what is seen: the forward pass over the house's state and theirs.

The likelihood of a record under either way is Π over steps of Σ over states of Pr[reading | states]·Pr[states
| readings before]; the score is the difference of the logarithms. Arrays are (way, width, record, own state,
others' state).
"""

import numpy as np

from rtp.core.types import Floats
from rtp.exposure.others import Others
from rtp.exposure.secrets import Ways
from rtp.probability.laplace_uniform import log_ratio


def scores(ways: Ways, others: Others, readings: Floats) -> Floats:
    """Return ln Pr[readings | the second way] − ln Pr[readings | the first], (W, B), of readings (T, W, B)."""
    own = np.stack([1 - ways.initial, ways.initial], axis=1)
    start = np.multiply.outer(own, others.initial)[:, None, None]
    shape = (2, *readings.shape[1:], *start.shape[-2:])
    states = np.broadcast_to(start, shape).astype(np.float32)
    log_likelihood = np.zeros(shape[:3])
    for t, reading in enumerate(readings):
        states *= others.likelihood(t, reading)
        total = states.sum(axis=(3, 4), dtype=np.float64)
        with np.errstate(divide="ignore"):
            log_likelihood += np.log(total)
        states /= np.where(total > 0, total, 1.0)[..., None, None]
        if t + 1 < len(readings):
            states = others.move(states, t)
            leave, arrive = (e[t].astype(np.float32)[:, None, None, None] for e in (ways.leave, ways.arrive))
            empty, occupied = states[..., 0, :], states[..., 1, :]
            states = np.stack(
                [empty * (1 - arrive) + occupied * leave, empty * arrive + occupied * (1 - leave)], axis=3
            )
    first, second = log_likelihood
    return log_ratio(second, first)

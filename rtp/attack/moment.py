"""One house at one moment: what is true, what she says, and how she has done so far."""

from typing import NamedTuple

import numpy as np

from rtp.attack.observer import Posterior
from rtp.attack.success import right_so_far
from rtp.core.types import Bools


class Moment(NamedTuple):
    occupied: bool
    belief: float  # Pr[occupied] after this step's rate
    model_alone: float  # with no rate at all
    right: float  # share of the moments so far at which the likelier state was the true one
    right_alone: float  # the same by the model alone
    largest_evidence: float  # of any rate so far; infinite where one was proof
    proofs: int  # rates so far that left no doubt


def moment(seen: Posterior, column: int, occupied: Bools, step: int) -> Moment:
    """`occupied` is the house's truth, (T,)."""
    right, right_alone = right_so_far(seen, column, occupied, step)
    so_far = seen.log_evidence[: step + 1, column]
    return Moment(
        occupied=bool(occupied[step]),
        belief=float(seen.belief[step, column]),
        model_alone=float(seen.model_only[step, column]),
        right=right,
        right_alone=right_alone,
        largest_evidence=float(np.abs(so_far).max()),
        proofs=int(np.isinf(so_far).sum()),
    )


def proofs(seen: Posterior, column: int) -> int:
    """At how many steps the rate leaves no doubt about the house."""
    return int(np.isinf(seen.log_evidence[:, column]).sum())

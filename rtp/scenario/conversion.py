"""From chances over a whole period to chances per step, and back.

The paper states the chance that something happens *at some point during* a period of n steps. Taken as n
independent tries, the per-step chance is 1 − (1 − p)^(1/n) ("geometric"); read as an n-step transition
matrix, it is the n-th matrix root ("root"). That one has the eigenvalue (1 − leave − arrive)^(1/n): where
leave + arrive > 1 no real one for even n, and for odd n one whose matrix may still leave [0, 1].
"""

import numpy as np

from rtp.scenario.habits import Period

ROUNDING = 1e-12


def step_chances(part: Period, steps: int, conversion: str = "geometric") -> tuple[float, float]:
    """(leave, arrive) per step for a period of `steps` steps."""
    leave, arrive = part.leave, part.arrive
    if part.basis == "step":
        return leave, arrive
    if conversion == "root":
        return _root(leave, arrive, steps)
    return _per_step(leave, steps), _per_step(arrive, steps)


def period_chances(leave: float, arrive: float, steps: int) -> tuple[float, float]:
    """The inverse of the geometric conversion: the chance of at least one success in `steps` tries."""
    return _over_period(leave, steps), _over_period(arrive, steps)


def other_step(leave: float, arrive: float, ratio: float, conversion: str) -> tuple[float, float]:
    """Chances per step at a step that is `ratio` times as long, of habits that stay the same."""
    if conversion == "root":
        return _root(leave, arrive, 1 / ratio)
    return _over_period(leave, ratio), _over_period(arrive, ratio)


def _root(leave: float, arrive: float, steps: float) -> tuple[float, float]:
    rooted = root(leave, arrive, steps)
    if rooted is None:
        raise ValueError(
            f"leave + arrive = {leave + arrive:.6g} has no stochastic root over {steps:g} steps."
        )
    return rooted


def _per_step(chance: float, steps: int) -> float:
    return 1.0 if chance == 1 else float(-np.expm1(np.log1p(-chance) / steps))


def _over_period(chance: float, steps: float) -> float:
    return 1.0 if chance == 1 else float(-np.expm1(np.log1p(-chance) * steps))


def root(leave: float, arrive: float, steps: float) -> tuple[float, float] | None:
    """The n-th root of a 2×2 stochastic matrix, where there is a stochastic one: same stationary law.

    `steps` need not be whole: 1/2 is the square. Below 0 an eigenvalue has only odd roots and whole powers.
    """
    eigenvalue = 1 - (leave + arrive)
    if abs(eigenvalue) < ROUNDING:  # 0.7 + 0.3 must mean 1: the 32nd root of a rounding error is 0.3
        eigenvalue = 0.0
    if eigenvalue == 1:
        return leave, arrive
    rooted = abs(eigenvalue) ** (1 / steps)
    if eigenvalue < 0:
        odd, whole_power = 1 in (steps % 2, 1 / steps % 2), 1 / steps % 1 == 0
        if not (odd or whole_power):
            return None
        rooted = -rooted if odd else rooted
    factor = (1 - rooted) / (leave + arrive)
    if max(leave, arrive) * factor > 1 + ROUNDING:
        return None
    return min(leave * factor, 1.0), min(arrive * factor, 1.0)

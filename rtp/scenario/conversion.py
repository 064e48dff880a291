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
        rooted = root(leave, arrive, steps)
        if rooted is None:
            total = leave + arrive
            raise ValueError(f"leave + arrive = {total:.6g} has no stochastic root over {steps} steps.")
        return rooted
    return _per_step(leave, steps), _per_step(arrive, steps)


def period_chances(leave: float, arrive: float, steps: int) -> tuple[float, float]:
    """The inverse of the geometric conversion: the chance of at least one success in `steps` tries."""
    return _over_period(leave, steps), _over_period(arrive, steps)


def _per_step(chance: float, steps: int) -> float:
    return 1.0 if chance == 1 else float(-np.expm1(np.log1p(-chance) / steps))


def _over_period(chance: float, steps: int) -> float:
    return 1.0 if chance == 1 else float(-np.expm1(np.log1p(-chance) * steps))


def root(leave: float, arrive: float, steps: int) -> tuple[float, float] | None:
    """The n-th root of a 2×2 stochastic matrix, where there is a stochastic one: same stationary law."""
    eigenvalue = 1 - (leave + arrive)
    if abs(eigenvalue) < ROUNDING:  # 0.7 + 0.3 must mean 1: the 32nd root of a rounding error is 0.3
        eigenvalue = 0.0
    if eigenvalue == 1:
        return leave, arrive
    if eigenvalue < 0 and steps % 2 == 0:
        return None
    rooted = np.copysign(abs(eigenvalue) ** (1 / steps), eigenvalue)
    factor = float(1 - rooted) / (leave + arrive)
    if max(leave, arrive) * factor > 1 + ROUNDING:
        return None
    return min(leave * factor, 1.0), min(arrive * factor, 1.0)

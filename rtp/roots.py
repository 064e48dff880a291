"""Where a function of one number is zero, between two ends at which its signs differ.

Chandrupatla's method (Advances in Engineering Software 28, 1997): the next point comes from a parabola
through the last three, x as a function of f, wherever that is sure to lie between the ends; else from the
middle. With ξ = (x₁ − x₂)/(x₃ − x₂) and φ = (f₁ − f₂)/(f₃ − f₂), the parabola is monotone between x₁ and x₂
if φ² < ξ and (1 − φ)² < 1 − ξ. (`scipy.optimize` would do as well; loading it takes 24 MB of every server.)
"""

from collections.abc import Callable

MOST = 200  # points; halving alone needs about sixty


def root(f: Callable[[float], float], low: float, high: float, *, absolute: float, relative: float) -> float:
    """To within absolute + relative·|x|, or as close as floats are."""
    x1, f1, x2, f2 = low, f(low), high, f(high)
    if f1 * f2 > 0:
        raise ValueError(f"no change of sign between {low:g} and {high:g}")
    share = 0.5  # of the way from x₁ to x₂
    for _ in range(MOST):
        best, least = (x1, f1) if abs(f1) < abs(f2) else (x2, f2)
        width, enough = x2 - x1, absolute + relative * abs(best)
        if least == 0 or abs(width) <= enough:
            break
        edge = min(enough / abs(width) / 2, 0.5)  # no point closer to an end than matters
        x = x1 + min(max(share, edge), 1 - edge) * width
        fx = f(x)
        if (fx > 0) == (f1 > 0):
            x1, f1, x3, f3 = x, fx, x1, f1
        else:
            x1, f1, x2, f2, x3, f3 = x, fx, x1, f1, x2, f2
        share = _share(x1, f1, x2, f2, x3, f3)
    return best


def _share(x1: float, f1: float, x2: float, f2: float, x3: float, f3: float) -> float:
    """How far from x₁ to x₂ the parabola is zero; a half where it does not serve."""
    if f3 in (f1, f2) or f1 == f2:
        return 0.5
    xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
    if phi**2 >= xi or (1 - phi) ** 2 >= 1 - xi:
        return 0.5
    return f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)

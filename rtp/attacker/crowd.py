"""What one rate tells about every house of a large street: Pr[x | Sᵢ] for all houses at once.

The observer sees x = Z + Lap(b), where Z = Σ Xⱼ is the street's consumption, so f(x) = E[g(Z)] with g(z) the
density of Laplace noise at x − z. She gives each house j chances p (occupied) and q (empty).

1. On a window of length R that Z does not leave, g is a Fourier series with nodes t_k = 2πk/R and closed-form
   coefficients ĝ_k, so f = Σ ĝ_k·φ(t_k), φ = Π φⱼ the characteristic function of Z. Only Z must fit in the
   window (Bernstein's inequality says how long that is), not the noise: a few dozen nodes serve any b, 0 too.
2. φⱼ = p·φ(u₁t) + q·φ(u₀t) is a mixture of uniforms. A house is left out by division or, where its φⱼ comes
   close to a zero, by multiplying the others. With Dᵢ = Σ ĝ_k·(φ(u₁t) − φ(u₀t))·Π_{j≠i} φⱼ the likelihoods of
   house i are f + q·Dᵢ (occupied) and f − p·Dᵢ (empty): one division and one sum over nodes for all houses.
3. If x is far from what her beliefs expect (a wrong model), f is far below the terms of its sum. Then all
   laws are tilted to make x typical (see `tilt`) and Dᵢ/f is computed there: nothing underflows, however far.

The series ends where its terms are below rounding. If they never are (next to nobody uses anything, or only
two or three houses do) a Gaussian ends it: the observer then reads demand to one part in `FINEST` of the
window. Evidence beyond ±ln `ROUNDING` is not resolved and stays there.
"""

from collections.abc import Callable

import numpy as np

from rtp.arrays import Floats
from rtp.attacker.characteristic import Complexes, Tables, chunk, coefficients, others
from rtp.attacker.tilt import Crowd, Tilted, towards, upright
from rtp.density.loss import log_mean_exp_signed
from rtp.street.draw import BLOCK, Result, each_block

ROUNDING = 1e-15
NEGLIGIBLE = 30.0  # −ln of what counts as nothing
GOOD_ENOUGH = 1e-8  # relative error accepted where the nodes do not suffice for less
NODES = 2048  # at most
BLURRED = 1024  # where a Gaussian ends the series
FINEST = 2 * np.pi * BLURRED * 4 / 5 / np.sqrt(2 * NEGLIGIBLE)
FAR = 4.5  # standard deviations from which x counts as untypical
NEAR_ZERO = 0.05  # of |φⱼ|: division by less would cost digits


def evidence(
    crowd: Crowd, x: float, b: float, tables: Tables, otherwise: Callable[[], Floats] | None = None
) -> Floats:
    """ln Pr[x | occupied] − ln Pr[x | empty] for every house.

    Where the series has no end, `otherwise` is asked if there is such a way, and a Gaussian ends it if not.
    """
    if b > 0 and not 0 < x < crowd.support:  # only noise explains it, and it does so house by house
        lean = np.copysign(1 / b, x - crowd.support / 2)
        occupied, empty = (log_mean_exp_signed(lean * u) for u in (crowd.occupied_bound, crowd.empty_bound))
        return occupied - empty
    if b == 0 and x <= 0:  # nobody used anything, which only a state of width 0 explains
        towards_occupied = (crowd.occupied_bound == 0).astype(float) - (crowd.empty_bound == 0)
        return np.where(towards_occupied == 0, 0.0, np.copysign(np.inf, towards_occupied))
    if b == 0 and x >= crowd.most:  # no state that is left explains it
        return np.zeros_like(crowd.occupied)
    law = upright(crowd)
    if abs(x - law.mean) > FAR * np.sqrt(law.variance + 2 * b**2):
        law = towards(crowd, x, b)
    complete = not _lumpy(crowd, law)
    if complete:
        total, apart, complete = _series(crowd, law, x, b, tables, cut=False)
    if not complete and otherwise is not None:
        return otherwise()
    if not complete:
        total, apart, _ = _series(crowd, law, x, b, tables, cut=True)
    if total <= 0:
        return np.zeros_like(apart)
    floor = ROUNDING * (total + np.abs(apart))
    occupied = np.maximum(total + crowd.empty * apart, floor)
    return np.log(occupied) - np.log(np.maximum(total - crowd.occupied * apart, floor))


def _lumpy(crowd: Crowd, law: Tilted) -> bool:
    """Whether all houses together may well use next to nothing: no number of nodes resolves that."""
    finest = _window(crowd, law)[1] / FINEST
    none = law.occupied * (crowd.occupied_bound < finest) + law.empty * (crowd.empty_bound < finest)
    return bool(none.prod() > ROUNDING)


def _series(
    crowd: Crowd, law: Tilted, x: float, b: float, tables: Tables, cut: bool
) -> tuple[float, Floats, bool]:
    """f and every Dᵢ, up to one common factor, and whether the terms left out are negligible."""
    start, length = _window(crowd, law)
    nodes, blur = (BLURRED, length / FINEST) if cut else (NODES, 0.0)
    if cut:  # what is blurred spills over the ends
        start, length = start - length / 8, length * 5 / 4
    length = 2 ** (np.ceil(8 * np.log2(length)) / 8)  # few lengths, so that tables serve again
    spacing = float(2 * np.pi / length)
    total, apart = 0.0, np.zeros_like(law.occupied)
    count = chunk(len(apart))
    for first in range(0, nodes, count):
        t = spacing * np.arange(first, first + count, dtype=float)
        weight = coefficients(t, x, b, law.s, start, length) * np.exp(-((blur * t) ** 2) / 2)
        terms, parts, largest = _terms(law, t, weight, crowd.widest, first, spacing, tables)
        total += terms
        apart += parts
        last = largest[-count // 4 :].max()
        if last <= 100 * ROUNDING * total:
            return total, apart, True
    return total, apart, last * NODES <= GOOD_ENOUGH * total


def _window(crowd: Crowd, law: Tilted) -> tuple[float, float]:
    """(start, length) of where the street's consumption is, whichever state any one house is in."""
    slack = NEGLIGIBLE * crowd.widest / 3
    reach = slack + np.sqrt(slack**2 + 2 * NEGLIGIBLE * law.variance) + crowd.widest
    start, end = max(law.mean - reach, 0.0), min(law.mean + reach, crowd.support)
    return start, end - start


def _terms(
    law: Tilted, t: Floats, weight: Complexes, widest: float, first: int, spacing: float, tables: Tables
) -> tuple[float, Floats, Floats]:
    """What the nodes t add to f and to every Dᵢ, and the largest |term| of any house at each node."""
    houses = [slice(a, a + BLOCK) for a in range(0, len(law.occupied), BLOCK)]

    def own(i: int) -> Complexes:
        empty, swing = tables.at(i, first, spacing, law.s)
        factors: Complexes = law.occupied[houses[i], None] * swing
        factors += empty
        return factors

    kept = own(0)

    def product(i: int) -> Complexes:
        return np.asarray((own(i) if i else kept).prod(axis=0))

    products = np.array(_each(product, len(houses)))
    elsewhere = weight * others(products)

    def without(i: int) -> tuple[Floats, Floats]:
        factors, swing = own(i) if i else kept, _swing(law, houses[i], *tables.at(i, first, spacing, law.s))
        rest = elsewhere[i] * products[i]
        smallest = np.full(len(t), np.cos(1.0))  # of |φⱼ| where u·t ≤ 2: no phase is further from the middle
        wide = t * widest > 2
        if wide.any():
            smallest[wide] = np.abs(factors[:, wide]).min(axis=0)
        weak = smallest < NEAR_ZERO
        if not weak.any():
            np.divide(swing, factors, out=factors)
            return _real_dot(factors, rest), np.abs(rest) / smallest
        inner = products[i] / np.where(weak, 1.0, factors)
        inner[:, weak] = others(factors[:, weak])
        return _real_dot(inner * swing, elsewhere[i]), np.abs(elsewhere[i]) * np.abs(inner).max(axis=0)

    parts = _each(without, len(houses))
    total = float((weight * products.prod(axis=0)).real.sum())
    return total, np.concatenate([apart for apart, _ in parts]), np.max([most for _, most in parts], axis=0)


def _each(work: Callable[[int], Result], blocks: int) -> list[Result]:
    """work(0), work(1), …; most streets are a single block."""
    return [work(0)] if blocks == 1 else list(each_block(work, blocks))


def _swing(law: Tilted, houses: slice, empty: Complexes, swing: Complexes) -> Complexes:
    """What being occupied changes in φⱼ; under a tilt each state weighs with its ratio."""
    if law.s == 0:
        return swing
    ratio_1, ratio_0 = law.occupied_ratio[houses, None], law.empty_ratio[houses, None]
    return np.asarray(ratio_1 * swing + (ratio_1 - ratio_0) * empty)


def _real_dot(rows: Complexes, column: Complexes) -> Floats:
    """Re(rows @ column), on real numbers and one thread: the arrays are too small for more."""
    return np.asarray(np.einsum("nk,k->n", rows.view(np.float64), column.conj().view(np.float64)))

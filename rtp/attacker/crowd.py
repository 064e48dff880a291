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
from functools import lru_cache
from itertools import pairwise
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rtp.attacker.tilt import Crowd, Tilted, log_mean_exp, towards, upright
from rtp.occupancy import Floats
from rtp.street import BLOCK, Result, each_block

Complexes = NDArray[np.complex128]
Numbers = TypeVar("Numbers", Floats, Complexes)
Table = Callable[[int, int, float, float], tuple[Complexes, Complexes]]


class Hear(Protocol):
    def __call__(
        self, crowd: Crowd, x: float, b: float, otherwise: Callable[[], Floats] | None = None
    ) -> Floats: ...


ROUNDING = 1e-15
NEGLIGIBLE = 30.0  # −ln of what counts as nothing
GOOD_ENOUGH = 1e-8  # relative error accepted where the nodes do not suffice for less
NODES = 2048  # at most
BLURRED = 1024  # where a Gaussian ends the series
CHUNK = 16  # nodes added before looking whether the series has ended; on small streets eight times as many
SMALL = 128  # houses
FINEST = 2 * np.pi * BLURRED * 4 / 5 / np.sqrt(2 * NEGLIGIBLE)
FAR = 4.5  # standard deviations from which x counts as untypical
NEAR_ZERO = 0.05  # of |φⱼ|: division by less would cost digits
TABLES = 128  # of characteristic functions kept, half a megabyte each


def listener(occupied_bound: Floats, empty_bound: Floats) -> Hear:
    """`evidence` for a street of these bounds; it remembers characteristic functions from step to step."""
    table = tables(occupied_bound, empty_bound)
    return lambda crowd, x, b, otherwise=None: evidence(crowd, x, b, table, otherwise)


def tables(occupied_bound: Floats, empty_bound: Floats) -> Table:
    """(block, first node, spacing, tilt) → φ(u₀t) and φ(u₁t) − φ(u₀t) of the block's houses, (n, chunk)."""
    count = chunk(len(occupied_bound))

    @lru_cache(maxsize=TABLES)
    def table(block: int, first: int, spacing: float, s: float) -> tuple[Complexes, Complexes]:
        houses = slice(block * BLOCK, (block + 1) * BLOCK)
        t = spacing * np.arange(first, first + count, dtype=float)
        empty = uniform(empty_bound[houses], t, s)
        return empty, uniform(occupied_bound[houses], t, s) - empty

    return table


def chunk(houses: int) -> int:
    return CHUNK if houses > SMALL else 8 * CHUNK


def evidence(
    crowd: Crowd, x: float, b: float, table: Table, otherwise: Callable[[], Floats] | None = None
) -> Floats:
    """ln Pr[x | occupied] − ln Pr[x | empty] for every house.

    Where the series has no end, `otherwise` is asked if there is such a way, and a Gaussian ends it if not.
    """
    if b > 0 and not 0 < x < crowd.support:  # only noise explains it, and it does so house by house
        lean = np.copysign(1 / b, x - crowd.support / 2)
        return log_mean_exp(lean * crowd.occupied_bound) - log_mean_exp(lean * crowd.empty_bound)
    if b == 0 and x <= 0:  # nobody used anything, which only a state of width 0 explains
        told = (crowd.occupied_bound == 0).astype(float) - (crowd.empty_bound == 0)
        return np.where(told == 0, 0.0, np.copysign(np.inf, told))
    if b == 0 and x >= crowd.most:  # no state that is left explains it
        return np.zeros_like(crowd.occupied)
    law = upright(crowd)
    if abs(x - law.mean) > FAR * np.sqrt(law.variance + 2 * b**2):
        law = towards(crowd, x, b)
    complete = not _lumpy(crowd, law)
    if complete:
        total, apart, complete = _series(crowd, law, x, b, table, cut=False)
    if not complete and otherwise is not None:
        return otherwise()
    if not complete:
        total, apart, _ = _series(crowd, law, x, b, table, cut=True)
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
    crowd: Crowd, law: Tilted, x: float, b: float, table: Table, cut: bool
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
        terms, parts, largest = _terms(law, t, weight, crowd.widest, first, spacing, table)
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


def coefficients(t: Floats, x: float, b: float, s: float, start: float, length: float) -> Complexes:
    """Fourier coefficients, on the window, of Laplace's density at x − z, times e^{−sz}; up to a factor.

    Nodes run over t ≥ 0 only, so all but the first count twice.
    """
    end = start + length
    kink = min(max(x, start), end)  # seen from outside the density is one exponential, wherever x is
    wave = np.where(t > 0, 2.0, 1.0) * np.exp(-1j * t * kink)
    if b > 0:
        wave *= _decay(1 / b - s, -t, kink - start) + _decay(1 / b + s, t, end - kink)
    return np.asarray(wave)


def _decay(rate: float, turn: Floats, length: float) -> Complexes:
    """∫₀^length e^{−(rate + i·turn)·y} dy."""
    z = (rate + 1j * turn) * length
    return np.asarray(length * np.divide(-np.expm1(-z), z, out=np.ones_like(z), where=z != 0))


def _terms(
    law: Tilted, t: Floats, weight: Complexes, widest: float, first: int, spacing: float, table: Table
) -> tuple[float, Floats, Floats]:
    """What the nodes t add to f and to every Dᵢ, and the largest |term| of any house at each node."""
    houses = [slice(a, a + BLOCK) for a in range(0, len(law.occupied), BLOCK)]

    def own(i: int) -> Complexes:
        empty, swing = table(i, first, spacing, law.s)
        factors: Complexes = law.occupied[houses[i], None] * swing
        factors += empty
        return factors

    kept = own(0)
    products = np.array(_each(lambda i: (own(i) if i else kept).prod(axis=0), len(houses)))
    elsewhere = weight * others(products)

    def without(i: int) -> tuple[Floats, Floats]:
        factors, swing = own(i) if i else kept, _swing(law, houses[i], *table(i, first, spacing, law.s))
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


def uniform(width: Floats, t: Floats, s: float = 0.0) -> Complexes:
    """Characteristic functions of U(0, width), tilted by e^{sX}, at equally spaced nodes t: (n, len(t)).

    e^{ia}·sin(a)/a with a = ut/2; under a tilt e^{ia}·(cos a + i·coth(us/2)·sin a)/(1 + it/s).
    """
    half = np.maximum(width, 1e-200) / 2
    wave = np.empty((len(t), len(width)), dtype=complex)
    wave[0] = np.exp(1j * half * t[0])
    turn = np.exp(1j * half * (t[1] - t[0]))
    for before, after in pairwise(wave):  # angles add up by multiplication, which is cheaper than sines
        np.multiply(before, turn, out=after)
    if s:
        ellipse = wave.real + 1j * (wave.imag / np.tanh(half * s))
        wave *= ellipse / (1 + 1j * t / s)[:, None]
    else:
        ratio = wave.imag / half
        ratio /= np.where(t > 0, t, 1.0)[:, None]
        ratio[t == 0] = 1.0
        wave *= ratio
    return np.ascontiguousarray(wave.T)


def others(factors: Numbers) -> Numbers:
    """For each entry along the first axis the product of all the others, without division."""
    result = np.ones_like(factors)
    np.cumprod(factors[:-1], axis=0, out=result[1:])
    result[:-1] *= np.cumprod(factors[:0:-1], axis=0)[::-1]
    return result

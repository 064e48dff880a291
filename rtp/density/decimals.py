"""The narrow form in as many decimal digits as it takes, where floats cancel almost everything."""

from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from math import factorial, prod

from rtp.arrays import Floats


def in_decimals(y: float, a: Floats, b: float) -> float:
    """The narrow form at one point inside the support; twice the digits until twenty of them survive."""
    digits = 50
    while True:
        with localcontext(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN):
            scale, widths = Decimal(b), [Decimal(width) for width in a.tolist()]
            terms = [(Decimal(float(y)), _growth(Decimal(float(y)), scale), 1)]
            for width in widths:
                fall = _growth(-width, scale)
                terms += [(point - width, growth * fall, -sign) for point, growth, sign in terms]
            values = [sign * _narrow_decimal(p, len(a), scale, growth) for p, growth, sign in terms]
            value = sum(values, Decimal(0))
            if value > max(values).scaleb(20 - digits):
                return float(value / prod(widths, start=Decimal(1)))
        digits *= 2


def _growth(y: Decimal, b: Decimal) -> Decimal:
    return (y / b).exp() if b else Decimal(1)


def _narrow_decimal(y: Decimal, n: int, b: Decimal, growth: Decimal) -> Decimal:
    power = y ** (n - 1) / factorial(n - 1) if y > 0 and n > 0 else Decimal(0)
    if b == 0:
        return power
    if n > 1:
        return power + b * b * _narrow_decimal(y, n - 2, b, growth)
    tail = (growth if y < 0 else 1 / growth) / 2
    return tail / b if n == 0 else abs(power - tail)

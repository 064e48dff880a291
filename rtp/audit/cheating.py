"""Mechanisms that cheat: each is made from an honest one by a fault, and an audit is to find it.

`FAULTS` has the faults by name; what each does wrong is its docstring. A mechanism that only takes the wrong
scale is a mechanism like any other. One that spoils its noise is a `Cheat`: its curator looks at what no
mechanism is given, or draws noise as it should not. *Find the cheat* draws from these.

A mechanism of one's own is audited in the same way. The first below believes that three quarters of the noise
will do, the one beside it rounds its noise.

Examples
--------
>>> from dataclasses import replace
>>> from rtp import Scenario
>>> from rtp.audit.cheating import noise_rounded_to_a_tenth
>>> from rtp.audit.trial import trial
>>> from rtp.mechanisms import REGISTRY
>>> honest = REGISTRY["blowfish"]
>>> def scale(public):
...     right = honest.scale(public)
...     return replace(right, scale=0.75 * right.scale)
>>> mine = replace(honest, name="mine", scale=scale)
>>> verdicts = trial(Scenario(households=5), n=64, mechanisms=[mine, noise_rounded_to_a_tenth(honest)])
>>> [verdict.broken for verdict in verdicts.values()]
[True, True]
"""

from collections.abc import Callable
from dataclasses import fields

import numpy as np

from rtp.core.types import Floats
from rtp.mechanisms import Mechanism
from rtp.simulation import Cheat
from rtp.street.simulate import StreetDay

Fault = Callable[[Mechanism], Mechanism]  # the mechanism that has it


def name_of(fault: Fault) -> str:
    """Return by what name a fault is known."""
    return fault.__name__.replace("_", " ")


def cheat(honest: Mechanism, fault: Fault, spoil: Callable[[Floats, StreetDay], Floats]) -> Mechanism:
    """Return a copy named "<mechanism>: <fault>" whose unit noise is spoiled before it is used."""
    same = {field.name: getattr(honest, field.name) for field in fields(Mechanism)}
    return Cheat(**same | {"name": f"{honest.name}: {name_of(fault)}", "role": None}, spoil=spoil)


def half_the_noise(honest: Mechanism) -> Mechanism:
    """Its noise is half as wide as it says."""
    return cheat(honest, half_the_noise, lambda unit, _: unit / 2)


def noise_repeated_every_other_day(honest: Mechanism) -> Mechanism:
    """Every other day it uses the noise of the day before."""
    before: list[Floats] = []

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        if before and len(before[0]) == len(unit):
            return before.pop()
        before[:] = [unit]
        return unit

    return cheat(honest, noise_repeated_every_other_day, spoil)


def no_noise_in_one_rate_of_twenty(honest: Mechanism) -> Mechanism:
    """One rate of twenty, at random, is the optimal one."""

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        return np.where(np.abs(unit) * 1e9 % 20 < 1, 0.0, unit)

    return cheat(honest, no_noise_in_one_rate_of_twenty, spoil)


def noise_that_follows_who_is_in(honest: Mechanism) -> Mechanism:
    """Its noise is the wider the more houses are occupied, up to twice as wide."""

    def spoil(unit: Floats, day: StreetDay) -> Floats:
        return unit * (1 + day.occupied / day.spec.households)

    return cheat(honest, noise_that_follows_who_is_in, spoil)


def noise_rounded_to_a_tenth(honest: Mechanism) -> Mechanism:
    """Its noise is rounded to a tenth of its scale, so that a rate's last digits are the demand's."""
    return cheat(honest, noise_rounded_to_a_tenth, lambda unit, _: np.round(unit, 1))


FAULTS: dict[str, Fault] = {
    name_of(make): make
    for make in (
        half_the_noise,
        noise_repeated_every_other_day,
        no_noise_in_one_rate_of_twenty,
        noise_that_follows_who_is_in,
        noise_rounded_to_a_tenth,
    )
}

"""Mechanisms that cheat, or are wrong: each is made from an honest one, and an audit is to find it.

`PLANTS` has them by name; what each does wrong is its docstring. A mechanism that only takes the wrong scale
is a mechanism like any other. One that spoils its noise is a `Cheat`: its curator looks at what no mechanism
is given, or draws noise as it should not.

A mechanism of one's own is audited in the same way. The first below believes that three quarters of the noise
will do, the one beside it rounds its noise.

Examples
--------
>>> from dataclasses import replace
>>> from rtp import Scenario
>>> from rtp.audit.plants import noise_rounded_to_a_tenth
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
from dataclasses import fields, replace

import numpy as np

from rtp.core.types import Floats
from rtp.mechanisms import Mechanism, NoiseScale, Public
from rtp.simulation import Cheat
from rtp.street.simulate import StreetDay

Plant = Callable[[Mechanism], Mechanism]


def name_of(plant: Plant) -> str:
    """Return by what name a plant is known."""
    return plant.__name__.replace("_", " ")


def cheat(honest: Mechanism, plant: Plant, spoil: Callable[[Floats, StreetDay], Floats]) -> Mechanism:
    """Return a copy named "<mechanism>: <plant>" whose unit noise is spoiled before it is used."""
    same = {field.name: getattr(honest, field.name) for field in fields(Mechanism)}
    return Cheat(**same | {"name": f"{honest.name}: {name_of(plant)}", "role": None}, spoil=spoil)


def quantile(unit: Floats) -> Floats:
    """Return where Laplace noise stands among all of it, from 0 to 1."""
    return np.where(unit < 0, np.exp(-np.abs(unit)) / 2, 1 - np.exp(-np.abs(unit)) / 2)


def laplace(uniform: Floats) -> Floats:
    """Return the Laplace noise that stands there."""
    return np.asarray(np.sign(uniform - 0.5) * -np.log(2 * np.minimum(uniform, 1 - uniform)))


def no_noise(honest: Mechanism) -> Mechanism:
    """It publishes the optimal rate."""
    return cheat(honest, no_noise, lambda unit, _: 0 * unit)


def half_the_noise(honest: Mechanism) -> Mechanism:
    """Its noise is half as wide as it says."""
    return cheat(honest, half_the_noise, lambda unit, _: unit / 2)


def half_the_noise_at_noon(honest: Mechanism) -> Mechanism:
    """Its noise is half as wide as it says at one step of the day."""

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        return np.where(np.arange(len(unit)) == len(unit) // 2, unit / 2, unit)

    return cheat(honest, half_the_noise_at_noon, spoil)


def no_noise_in_one_rate_of_twenty(honest: Mechanism) -> Mechanism:
    """One rate of twenty, at random, is the optimal one."""

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        return np.where(np.abs(unit) * 1e9 % 20 < 1, 0.0, unit)

    return cheat(honest, no_noise_in_one_rate_of_twenty, spoil)


def one_draw_for_the_whole_day(honest: Mechanism) -> Mechanism:
    """It draws its noise once a day and adds it to every rate."""
    return cheat(honest, one_draw_for_the_whole_day, lambda unit, _: np.full_like(unit, unit[0]))


def one_sign_for_the_whole_day(honest: Mechanism) -> Mechanism:
    """All the noise of a day is positive, or all of it negative."""

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        return np.where(unit[0] > 0, np.abs(unit), -np.abs(unit))

    return cheat(honest, one_sign_for_the_whole_day, spoil)


def noise_repeated_every_other_day(honest: Mechanism) -> Mechanism:
    """Every other day it uses the noise of the day before."""
    before: list[Floats] = []

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        if before and len(before[0]) == len(unit):
            return before.pop()
        before[:] = [unit]
        return unit

    return cheat(honest, noise_repeated_every_other_day, spoil)


def a_seed_of_256_values(honest: Mechanism) -> Mechanism:
    """A day's noise is one of 256 sequences."""

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        return np.random.default_rng(int(abs(unit[0]) * 1e9) % 256).laplace(size=len(unit))

    return cheat(honest, a_seed_of_256_values, spoil)


def gaussian_noise(honest: Mechanism) -> Mechanism:
    """Its noise has the mean size of Laplace noise, and the tails of Gauss's."""
    from scipy.special import ndtri

    return cheat(honest, gaussian_noise, lambda unit, _: np.sqrt(np.pi / 2) * ndtri(quantile(unit)))


def bounded_noise(honest: Mechanism) -> Mechanism:
    """Its noise is two and a half times as large on average, and ends: what lies beyond proves a state."""
    return cheat(honest, bounded_noise, lambda unit, _: 5 * (2 * quantile(unit) - 1))


def a_tail_cut_at_99_percent(honest: Mechanism) -> Mechanism:
    """The hundredth of its noise that is largest never comes."""

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        return laplace(0.5 + 0.99 * (quantile(unit) - 0.5))

    return cheat(honest, a_tail_cut_at_99_percent, spoil)


def noise_rounded_to_a_tenth(honest: Mechanism) -> Mechanism:
    """Its noise is rounded to a tenth of its scale, so that a rate's last digits are the demand's."""
    return cheat(honest, noise_rounded_to_a_tenth, lambda unit, _: np.round(unit, 1))


def uniforms_of_16_bits(honest: Mechanism) -> Mechanism:
    """Its noise is made of random numbers with 16 bits, so that few values of demand explain a rate."""

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        return laplace((np.floor(quantile(unit) * 2**16) + 0.5) / 2**16)

    return cheat(honest, uniforms_of_16_bits, spoil)


def noise_centred_over_the_day(honest: Mechanism) -> Mechanism:
    """The noise of a day adds up to nothing, so that its rates add up to the day's demand."""
    return cheat(honest, noise_centred_over_the_day, lambda unit, _: unit - unit.mean())


def twice_the_noise_while_the_largest_is_in(honest: Mechanism) -> Mechanism:
    """Its noise doubles while the largest house is occupied, which a large error then proves."""

    def spoil(unit: Floats, day: StreetDay) -> Floats:
        states = day.states_of(np.array([day.street.bound.argmax()]))
        return unit if states is None else unit * np.where(states[:, 0], 2.0, 1.0)

    return cheat(honest, twice_the_noise_while_the_largest_is_in, spoil)


def noise_that_follows_who_is_in(honest: Mechanism) -> Mechanism:
    """Its noise is the wider the more houses are occupied, up to twice as wide."""

    def spoil(unit: Floats, day: StreetDay) -> Floats:
        return unit * (1 + day.occupied / day.spec.households)

    return cheat(honest, noise_that_follows_who_is_in, spoil)


def noise_that_follows_demand(honest: Mechanism) -> Mechanism:
    """Its noise is the wider the higher demand is, up to three times as wide at the day's peak."""

    def spoil(unit: Floats, day: StreetDay) -> Floats:
        low, high = float(day.demand.min()), float(day.demand.max())
        return unit * (1 + 2 * (day.demand - low) / (high - low or 1.0))

    return cheat(honest, noise_that_follows_demand, spoil)


def wrong_scale(honest: Mechanism, plant: Plant, scale: Callable[[Public], NoiseScale]) -> Mechanism:
    """Return a copy named "<mechanism>: <plant>" with another scale."""
    return replace(honest, name=f"{honest.name}: {name_of(plant)}", scale=scale, role=None)


def times(honest: Mechanism, plant: Plant, factor: Callable[[Public], float]) -> Mechanism:
    """Return a copy with the scale that is right, so many times."""

    def scale(public: Public) -> NoiseScale:
        right = honest.scale(public)
        return replace(right, scale=factor(public) * right.scale)

    return wrong_scale(honest, plant, scale)


def a_twentieth_too_narrow(honest: Mechanism) -> Mechanism:
    """Its scale is 95 % of what the promise needs."""
    return times(honest, a_twentieth_too_narrow, lambda _: 0.95)


def smallest_bound_for_largest(honest: Mechanism) -> Mechanism:
    """It takes the smallest house for the largest."""
    return times(
        honest,
        smallest_bound_for_largest,
        lambda public: float(public.street.bound.min() / public.street.bound.max()),
    )


def alpha_forgotten(honest: Mechanism) -> Mechanism:
    """It adds noise for demand to a rate, and forgets that a rate is α times demand."""
    return times(honest, alpha_forgotten, lambda public: 1 / public.tariff.alpha)


def nobody_protected(honest: Mechanism) -> Mechanism:
    """It takes everyone's state for certain."""

    def scale(public: Public) -> NoiseScale:
        classes = public.support_classes
        none = replace(classes, both_states_possible=np.zeros_like(classes.both_states_possible))
        return honest.scale(replace(public, support_classes=none))

    return wrong_scale(honest, nobody_protected, scale)


def largest_house_left_out(honest: Mechanism) -> Mechanism:
    """It forgets the largest house."""

    def scale(public: Public) -> NoiseScale:
        street = public.street
        kept = np.where(np.arange(len(street.bound)) == street.bound.argmax(), 0.0, 1.0)
        occupied, empty = kept * street.occupied_bound, kept * street.empty_bound
        return honest.scale(
            replace(public, street=replace(street, occupied_bound=occupied, empty_bound=empty))
        )

    return wrong_scale(honest, largest_house_left_out, scale)


PLANTS: dict[str, Plant] = {
    name_of(make): make
    for make in (
        no_noise,
        half_the_noise,
        half_the_noise_at_noon,
        no_noise_in_one_rate_of_twenty,
        one_draw_for_the_whole_day,
        one_sign_for_the_whole_day,
        noise_repeated_every_other_day,
        a_seed_of_256_values,
        gaussian_noise,
        bounded_noise,
        a_tail_cut_at_99_percent,
        noise_rounded_to_a_tenth,
        uniforms_of_16_bits,
        noise_centred_over_the_day,
        twice_the_noise_while_the_largest_is_in,
        noise_that_follows_who_is_in,
        noise_that_follows_demand,
        a_twentieth_too_narrow,
        smallest_bound_for_largest,
        alpha_forgotten,
        nobody_protected,
        largest_house_left_out,
    )
}


DESCRIPTIONS = {name: str(plant.__doc__) for name, plant in PLANTS.items()}  # what each does wrong

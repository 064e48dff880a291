"""Mechanisms that cheat in more ways than a class is shown: an audit is to find every one."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rtp.audit.cheating import FAULTS, Fault, cheat, name_of
from rtp.core.types import Floats
from rtp.mechanisms import Mechanism, NoiseScale, Public
from rtp.street.simulate import StreetDay


def quantile(unit: Floats) -> Floats:
    """Return where Laplace noise stands among all of it, from 0 to 1."""
    return np.where(unit < 0, np.exp(-np.abs(unit)) / 2, 1 - np.exp(-np.abs(unit)) / 2)


def laplace(uniform: Floats) -> Floats:
    """Return the Laplace noise that stands there."""
    return np.asarray(np.sign(uniform - 0.5) * -np.log(2 * np.minimum(uniform, 1 - uniform)))


def no_noise(honest: Mechanism) -> Mechanism:
    """It publishes the optimal rate."""
    return cheat(honest, no_noise, lambda unit, _: 0 * unit)


def half_the_noise_at_noon(honest: Mechanism) -> Mechanism:
    """Its noise is half as wide as it says at one step of the day."""

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        return np.where(np.arange(len(unit)) == len(unit) // 2, unit / 2, unit)

    return cheat(honest, half_the_noise_at_noon, spoil)


def one_draw_for_the_whole_day(honest: Mechanism) -> Mechanism:
    """It draws its noise once a day and adds it to every rate."""
    return cheat(honest, one_draw_for_the_whole_day, lambda unit, _: np.full_like(unit, unit[0]))


def one_sign_for_the_whole_day(honest: Mechanism) -> Mechanism:
    """All the noise of a day is positive, or all of it negative."""

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        return np.where(unit[0] > 0, np.abs(unit), -np.abs(unit))

    return cheat(honest, one_sign_for_the_whole_day, spoil)


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


def noise_that_follows_demand(honest: Mechanism) -> Mechanism:
    """Its noise is the wider the higher demand is, up to three times as wide at the day's peak."""

    def spoil(unit: Floats, day: StreetDay) -> Floats:
        low, high = float(day.demand.min()), float(day.demand.max())
        return unit * (1 + 2 * (day.demand - low) / (high - low or 1.0))

    return cheat(honest, noise_that_follows_demand, spoil)


def wrong_scale(honest: Mechanism, fault: Fault, scale: Callable[[Public], NoiseScale]) -> Mechanism:
    """Return a copy named "<mechanism>: <fault>" with another scale."""
    return replace(honest, name=f"{honest.name}: {name_of(fault)}", scale=scale, role=None)


def times(honest: Mechanism, fault: Fault, factor: Callable[[Public], float]) -> Mechanism:
    """Return a copy with the scale that is right, so many times."""

    def scale(public: Public) -> NoiseScale:
        right = honest.scale(public)
        return replace(right, scale=factor(public) * right.scale)

    return wrong_scale(honest, fault, scale)


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


def sizes_mirrored_in_pairs(honest: Mechanism) -> Mechanism:
    """Where the noise of one step is large that of the next is small, and their signs are free: what the two
    are together hardly varies."""

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        mirrored = unit.copy()
        pairs = len(unit) // 2
        first = 2 * np.abs(quantile(unit[0 : 2 * pairs : 2]) - 0.5)  # where its size stands among all sizes
        mirrored[1 : 2 * pairs : 2] = np.sign(unit[1 : 2 * pairs : 2]) * -np.log(first)
        return mirrored

    return cheat(honest, sizes_mirrored_in_pairs, spoil)


def signs_by_parity(honest: Mechanism) -> Mechanism:
    """Every third sign is the product of the two before it: any two of them are free."""

    def spoil(unit: Floats, _: StreetDay) -> Floats:
        third = np.abs(unit)
        third[2::3] *= np.sign(unit[0 : len(unit) - 2 : 3] * unit[1 : len(unit) - 1 : 3])
        return np.where(np.arange(len(unit)) % 3 == 2, third, unit)

    return cheat(honest, signs_by_parity, spoil)


EVERY_FAULT: dict[str, Fault] = FAULTS | {
    name_of(make): make
    for make in (
        no_noise,
        half_the_noise_at_noon,
        one_draw_for_the_whole_day,
        one_sign_for_the_whole_day,
        a_seed_of_256_values,
        gaussian_noise,
        bounded_noise,
        a_tail_cut_at_99_percent,
        uniforms_of_16_bits,
        noise_centred_over_the_day,
        twice_the_noise_while_the_largest_is_in,
        noise_that_follows_demand,
        a_twentieth_too_narrow,
        smallest_bound_for_largest,
        alpha_forgotten,
        nobody_protected,
        largest_house_left_out,
        sizes_mirrored_in_pairs,
        signs_by_parity,
    )
}

"""Mechanisms with a fault planted in them, or in the path that publishes their rates."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

import numpy as np
from numpy.random import SeedSequence
from scipy.special import ndtri

from rtp import PRESETS, Group, Scenario
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY, Mechanism, NoiseScale, Public
from rtp.simulation import day as publishing
from rtp.simulation import unit_noise

# One mansion among small houses, α away from 1, everyone uncertain all day.
STREET = Scenario(
    households=12,
    epsilon=2.0,
    alpha=1.7,
    groups=(
        Group(name="Mansion", share=1 / 12, occupied_max=4.0, empty_max=0.5),
        Group(name="Houses", share=11 / 12),
    ),
    models=(PRESETS["paper"].models[0].replace(habits=PRESETS["paper"].models[0].habits * 2),),
    seed=3,
)
NARROWED = 0.95
Draw = Callable[[Floats, Sequence[Floats]], Floats]  # of a day's unit noise, and that of the days before


def quantile(unit: Floats) -> Floats:
    """Where Laplace noise stands among all of it, from 0 to 1."""
    return np.where(unit < 0, np.exp(-np.abs(unit)) / 2, 1 - np.exp(-np.abs(unit)) / 2)


def gaussian(unit: Floats) -> Floats:
    """Gaussian noise with the mean size of Laplace's."""
    return np.asarray(np.sqrt(np.pi / 2) * ndtri(quantile(unit)))


def bounded(unit: Floats) -> Floats:
    """Uniform noise two and a half times as large on average: what lies beyond its ends proves a state."""
    return 5 * (2 * quantile(unit) - 1)


def half_at_noon(unit: Floats) -> Floats:
    return np.where(np.arange(len(unit)) == len(unit) // 2, unit / 2, unit)


def of_256(unit: Floats) -> Floats:
    """One of 256 sequences, which the day's own noise chooses."""
    return np.random.default_rng(int(abs(unit[0]) * 1e9) % 256).laplace(size=len(unit))


DRAWS: dict[str, Draw] = {  # faults of the path
    "no noise": lambda unit, _: 0 * unit,
    "half the noise": lambda unit, _: unit / 2,
    "one draw for the whole day": lambda unit, _: np.full_like(unit, unit[0]),
    "noise of the release before": lambda unit, before: before[-1] if len(before) % 2 else unit,
    "no noise in one rate of twenty": lambda unit, _: np.where(np.abs(unit) * 1e9 % 20 < 1, 0.0, unit),
    "gaussian noise": lambda unit, _: gaussian(unit),
    "bounded noise": lambda unit, _: bounded(unit),
    "half the noise at noon": lambda unit, _: half_at_noon(unit),
    "a seed of 256 values": lambda unit, _: of_256(unit),
}


Noise = Callable[[Public], NoiseScale]


def times(factor: Callable[[Public], float]) -> Callable[[Noise], Noise]:
    """The noise that is right, so many times."""
    return lambda right: lambda public: replace(right(public), scale=factor(public) * right(public).scale)


def believing(change: Callable[[Public], Public]) -> Callable[[Noise], Noise]:
    """The noise that would be right for another street."""
    return lambda right: lambda public: right(change(public))


def nobody_uncertain(public: Public) -> Public:
    classes = public.support_classes
    none = np.zeros_like(classes.both_states_possible)
    return replace(public, support_classes=replace(classes, both_states_possible=none))


def without_the_largest(public: Public) -> Public:
    street = public.street
    kept = np.where(np.arange(len(street.bound)) == street.bound.argmax(), 0.0, 1.0)
    occupied, empty = kept * street.occupied_bound, kept * street.empty_bound
    return replace(public, street=replace(street, occupied_bound=occupied, empty_bound=empty))


NOISES = {
    "emptied protected set": believing(nobody_uncertain),
    f"scale × {NARROWED}": times(lambda _: NARROWED),
    "min for max": times(lambda public: float(public.street.bound.min() / public.street.bound.max())),
    "α dropped": times(lambda public: 1 / public.tariff.alpha),
    "a house dropped": believing(without_the_largest),
}
FAULTS = (*DRAWS, *NOISES)


def broken(mechanism: Mechanism, fault: str) -> Mechanism:
    """A copy named "<mechanism>: <fault>"; faults of the path need `planted`, too."""
    noise = NOISES[fault](mechanism.scale) if fault in NOISES else mechanism.scale
    return replace(mechanism, name=f"{mechanism.name}: {fault}", scale=noise, role=None)


@contextmanager
def planted(faulty: Sequence[Mechanism], *, alone: bool = True) -> Iterator[None]:
    """The lab publishes these too, or nothing else."""
    known = dict(REGISTRY)
    if alone:
        REGISTRY.clear()
    REGISTRY.update({mechanism.name: mechanism for mechanism in faulty})
    before: dict[str, list[Floats]] = {}

    def faulty_noise(root: SeedSequence, steps: int, independent: bool) -> dict[str, Floats]:
        result = unit_noise(root, steps, independent)
        for name in result:
            if (fault := name.partition(": ")[2]) in DRAWS:
                days = before.setdefault(name, [])
                result[name] = DRAWS[fault](result[name], days)
                days.append(result[name])
        return result

    try:
        with patch.object(publishing, "unit_noise", faulty_noise):
            yield
    finally:
        REGISTRY.clear()
        REGISTRY.update(known)

"""Mechanisms with a fault planted in them, or in the path that publishes their rates."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

import numpy as np
from numpy.random import SeedSequence

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
DRAWS: dict[str, Callable[[Floats], Floats]] = {  # faults of the path: what becomes of a day's unit noise
    "no noise": lambda unit: 0 * unit,
    "half the noise": lambda unit: unit / 2,
    "one draw for the whole day": lambda unit: np.full_like(unit, unit[0]),
}


def narrowed(right: Callable[[Public], NoiseScale]) -> Callable[[Public], NoiseScale]:
    return lambda public: replace(right(public), scale=NARROWED * right(public).scale)


def emptied(right: Callable[[Public], NoiseScale]) -> Callable[[Public], NoiseScale]:
    def noise(public: Public) -> NoiseScale:
        nobody = replace(
            public.support_classes,
            both_states_possible=np.zeros_like(public.support_classes.both_states_possible),
        )
        return right(replace(public, support_classes=nobody))

    return noise


def smallest_for_largest(right: Callable[[Public], NoiseScale]) -> Callable[[Public], NoiseScale]:
    def noise(public: Public) -> NoiseScale:
        bound = public.street.bound
        return replace(right(public), scale=right(public).scale * bound.min() / bound.max())

    return noise


def without_slope(right: Callable[[Public], NoiseScale]) -> Callable[[Public], NoiseScale]:
    return lambda public: replace(right(public), scale=right(public).scale / public.tariff.alpha)


def house_dropped(right: Callable[[Public], NoiseScale]) -> Callable[[Public], NoiseScale]:
    """The largest one is overlooked."""

    def noise(public: Public) -> NoiseScale:
        street = public.street
        kept = np.where(np.arange(len(street.bound)) == street.bound.argmax(), 0.0, 1.0)
        occupied, empty = kept * street.occupied_bound, kept * street.empty_bound
        return right(replace(public, street=replace(street, occupied_bound=occupied, empty_bound=empty)))

    return noise


NOISES = {
    "emptied protected set": emptied,
    f"scale × {NARROWED}": narrowed,
    "min for max": smallest_for_largest,
    "α dropped": without_slope,
    "a house dropped": house_dropped,
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
    try:
        with patch.object(publishing, "unit_noise", _faulty_noise):
            yield
    finally:
        REGISTRY.clear()
        REGISTRY.update(known)


def _faulty_noise(root: SeedSequence, steps: int, independent: bool) -> dict[str, Floats]:
    right = unit_noise(root, steps, independent)
    return {
        name: DRAWS[fault](unit) if (fault := name.partition(": ")[2]) in DRAWS else unit
        for name, unit in right.items()
    }

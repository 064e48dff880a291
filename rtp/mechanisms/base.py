"""What a mechanism is.

It answers two questions from public knowledge alone: how wide must the Laplace noise be at every step; and,
step by step, which rate to publish given the noisy one and everything published before. It never sees more
than that, so whatever the second answer does is post-processing and the promise of the first stands.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rtp.occupancy import Floats, Ints
from rtp.outlook import Outlook
from rtp.pricing import Number
from rtp.street import Kinds, Street


class Publisher(Protocol):
    """(step, noisy rate, price response) → (rate to publish, variance of its error as the publisher sees it).

    Steps are taken in order. Rates are one day's number, or an array of many days' at once.
    """

    def __call__(self, step: int, noisy: Number, response: Number, /) -> tuple[Number, Number]: ...


@dataclass(frozen=True, kw_only=True)
class Public:
    """What curator and public know before the day: never a household's state or consumption."""

    epsilon: float
    alpha: float
    beta: float
    inelastic_demand: float
    nominal_bound: float
    street: Street
    kinds: Kinds
    outlook: Outlook  # of the model that filter and forecast believe in

    @property
    def steps(self) -> int:
        return int(self.kinds.uncertain.shape[1])


@dataclass(frozen=True, kw_only=True)
class Noise:
    """The Laplace noise of every step: how wide, for how many houses, and because of which one."""

    scale: Floats
    protected: Ints
    setter: Ints  # −1 where no house sets it


@dataclass(frozen=True, kw_only=True)
class Mechanism:
    """One way to publish. `publisher` is None where the noisy rate is published as it is."""

    name: str
    label: str
    promise: str
    relies_on: str
    noise: Callable[[Public], Noise]
    publisher: Callable[[Public, Floats], Publisher] | None = None
    # (public, how people really live, scale, price response) → variance of a publisher's error at every step
    error_variance: Callable[[Public, Outlook, Floats, Floats], Floats] | None = None
    # (public, scale, published rates, price response) → the noisy rates, as anyone can work them out
    undo: Callable[[Public, Floats, Floats, Floats], Floats] | None = None
    reads_demand: bool = True


def constant_noise(public: Public, scale: float, protected: int, setter: int = -1) -> Noise:
    steps = public.steps
    return Noise(
        scale=np.full(steps, scale), protected=np.full(steps, protected), setter=np.full(steps, setter)
    )


def largest(values: Floats, kinds: Kinds) -> tuple[Floats, Ints]:
    """The largest value within each kind, and the house that has it (−1 in an empty kind)."""
    value, house = np.zeros(len(kinds.members)), np.full(len(kinds.members), -1)
    for k, members in enumerate(kinds.members):
        if kinds.count[k]:
            house[k] = nth_house(members, int(np.argmax(values[members])))
            value[k] = values[house[k]]
    return value, house


def nth_house(members: slice | Ints, n: int) -> int:
    return members.start + n if isinstance(members, slice) else int(members[n])


def noise_for_protected(public: Public, scale: Floats, house: Ints) -> Noise:
    """At each step the widest scale that any kind with a protected house asks for; arguments are (K,)."""
    kinds = public.kinds
    protected = kinds.protected
    asked = np.where(protected & (house >= 0), scale, 0.0)
    widest = asked.argmax(axis=1)
    chosen = asked[np.arange(len(asked)), widest]
    return Noise(
        scale=chosen, protected=protected @ kinds.count, setter=np.where(chosen > 0, house[widest], -1)
    )

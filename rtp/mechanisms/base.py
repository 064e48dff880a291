"""What a mechanism is.

It answers two questions from public knowledge alone: how wide must the Laplace noise be at every step; and,
step by step, which rate to publish given the noisy one and everything published before. It never sees more
than that, so whatever the second answer does is post-processing and the promise of the first stands.

All that is special about a mechanism stands in its own file: what it promises and to whom, what it assumes,
how it looks in a chart, which part it plays in the lab's sentences.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.street.draw import Street
from rtp.street.moments import DemandMoments
from rtp.street.prior_marginals import PriorMarginals, SupportClasses
from rtp.tariff import Number, Tariff

# uncertain: houses with two possible states; likely: those of them with two that are not negligible
Protects = Literal["nobody", "everyone", "uncertain", "likely"]
Consumption = Literal["bounded", "uniform"]
Role = Literal["unprotected", "yardstick", "featured", "no data"]


class Publisher(Protocol[Number]):
    """(step, noisy rate, price response) → (rate to publish, variance of its error as the publisher sees it).

    Steps are taken in order. Rates are one day's number, or an array of many days' at once.
    """

    def __call__(self, step: int, noisy: Number, response: Number, /) -> tuple[Number, Number]: ...


class MakePublisher(Protocol):
    """(public knowledge, the Laplace scale of every step) → a publisher for one run through those steps."""

    def __call__(self, public: "Public", scale: Sequence[Number], /) -> Publisher[Number]: ...


@dataclass(frozen=True, kw_only=True)
class Public:
    """What curator and public know before the day: never a household's state or consumption."""

    epsilon: float | Floats  # one budget, or many, (E,)
    tariff: Tariff
    nominal_bound: float
    negligible: float  # the probability of a state that one mechanism does not guard
    street: Street
    kinds: SupportClasses
    beforehand: PriorMarginals  # what the models say of every house
    outlook: DemandMoments  # of the model that filter and forecast believe in

    @property
    def steps(self) -> int:
        return int(self.kinds.both_states_possible.shape[1])


@dataclass(frozen=True, kw_only=True)
class NoiseScale:
    """The Laplace scale of every step, for how many houses, and because of which one.

    One budget, (T,), or E of them, (T, E).
    """

    scale: Floats
    protected: Ints  # (T,) whatever the budget
    setter: Ints  # −1 where no house sets it


@dataclass(frozen=True, kw_only=True)
class Mechanism:
    """One way to publish. `publisher` is None where the noisy rate is published as it is."""

    name: str
    label: str
    promise: str
    relies_on: str
    colour: str  # stands out at least 3:1 on the light and on the dark background
    dash: str
    scale: Callable[[Public], NoiseScale]
    protects: Protects
    assumes: Consumption = "bounded"  # of consumption, for the promise to hold
    reads_demand: bool = True
    role: Role | None = None  # in the lab's sentences and first pictures
    postprocess: MakePublisher | None = None
    # (public, scale, noisy rates) → what the publisher gives at all steps, where no price changes demand
    whole_day: Callable[[Public, Floats, Floats], tuple[Floats, Floats]] | None = None
    # (public, how people really live, scale, price response) → variance of a publisher's error at every step
    error_variance: Callable[[Public, DemandMoments, Floats, Floats], Floats] | None = None
    # (public, scale, price response), (T, E) → the variance that noise adds to a publisher's rates, where
    # that is faster than sending it one impulse per step
    carried_noise: Callable[[Public, Floats, Floats], Floats] | None = None
    # (public, scale, published rates, price response) → the noisy rates, as anyone can work them out, of one
    # day or many: all but the first are (T,) or (T, days)
    invert: Callable[[Public, Floats, Floats, Floats], Floats] | None = None

    @property
    def adds_noise(self) -> bool:
        return self.reads_demand and self.protects != "nobody"

    @property
    def neglects(self) -> bool:
        """Whether its promise may leave out houses that Algorithm 1 protects."""
        return self.protects == "likely"

    def covers(self, public: Public) -> Iterator[Bools]:
        """(N,) at every step: the open houses that the promise, if there is one, is about."""
        if self.neglects and public.negligible > 0:
            return public.beforehand.protected_sets(public.negligible)
        return (row[public.kinds.of_house] for row in public.kinds.protected)

    def promised(self, epsilon: float) -> float:
        """The largest privacy loss per step that it promises; infinite where nothing is promised."""
        if self.protects == "nobody":
            return np.inf
        return epsilon if self.reads_demand else 0.0


def noise_scales(mechanisms: Iterable[Mechanism], public: Public) -> dict[str, NoiseScale]:
    """Every mechanism's noise scale, by name; those that share a `scale` share its result."""
    solved: dict[Callable[[Public], NoiseScale], NoiseScale] = {}
    by_name = {}
    for mechanism in mechanisms:
        if mechanism.scale not in solved:
            solved[mechanism.scale] = mechanism.scale(public)
        by_name[mechanism.name] = solved[mechanism.scale]
    return by_name


def laplace_scale(
    public: Public, sensitivity: float | Floats, protected: int | Ints, setter: int | Ints = -1
) -> NoiseScale:
    """Sensitivity over ε, at every step and budget: the Laplace mechanism (Dwork et al. 2006)."""
    scale = np.divide.outer(np.broadcast_to(sensitivity, public.steps), public.epsilon)
    house = np.reshape(setter, (-1, *[1] * (scale.ndim - 1)))
    return NoiseScale(
        scale=scale,
        protected=np.broadcast_to(protected, public.steps),
        setter=np.where(scale > 0, house, -1),
    )


def largest(values: Floats, kinds: SupportClasses) -> tuple[Floats, Ints]:
    """The largest value within each kind, and the house that has it (−1 in an empty kind)."""
    value, house = np.zeros(len(kinds.members)), np.full(len(kinds.members), -1)
    for k, members in enumerate(kinds.members):
        if kinds.count[k]:
            house[k] = nth_house(members, int(np.argmax(values[members])))
            value[k] = values[house[k]]
    return value, house


def nth_house(members: slice | Ints, n: int) -> int:
    return members.start + n if isinstance(members, slice) else int(members[n])


def largest_protected(kinds: SupportClasses, value: Floats, house: Ints) -> tuple[Floats, Ints]:
    """At each step the largest value of any kind with a protected house, and its house (−1: none).

    Values and houses are (K, …), by kind; both results are (T, …).
    """
    shape = (len(kinds.protected), *value.shape[1:])
    largest, whose = np.zeros(shape), np.full(shape, -1)
    for k in np.flatnonzero(kinds.count):
        protected = kinds.protected[:, k].reshape(-1, *[1] * (value.ndim - 1))
        larger = protected & (value[k] > largest)
        largest, whose = np.where(larger, value[k], largest), np.where(larger, house[k], whose)
    return largest, whose

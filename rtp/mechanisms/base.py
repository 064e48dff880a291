"""What a mechanism is.

It answers two questions from public knowledge alone: how wide must the Laplace noise be at every step; and,
step by step, which rate to publish given the noisy one and everything published before. It never sees more
than that, so whatever the second answer does is post-processing and the promise of the first stands.

All that is special about a mechanism stands in its own file: what it promises and to whom, what it assumes,
how it looks in a chart, which part it plays in the lab's sentences.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.street.draw import Street
from rtp.street.prior_marginals import ProtectedSet, SupportClasses
from rtp.street.schedule import DemandMoments
from rtp.tariff import Tariff

# uncertain: houses with two possible states; likely: those of them with two that are not negligible
Protects = Literal["nobody", "everyone", "uncertain", "likely"]
Consumption = Literal["bounded", "uniform"]
Role = Literal["unprotected", "yardstick", "featured", "no data", "most accurate"]


@dataclass(frozen=True, kw_only=True)
class Public:
    """What curator and public know before the day: never a household's state or consumption.

    Nor anything that a day could be drawn again from, a seed or the specification of the draw.

    Attributes
    ----------
    epsilon : ndarray
        The budgets per step, (E,): one, or many at once.
    tariff : Tariff
        α, β and what else turns demand into a rate.
    nominal_bound : float
        The largest bound of any group.
    street : Street
        The houses' groups and bounds.
    support_classes : SupportClasses
        Houses that agree on what is possible, and when.
    covered : ProtectedSet or None
        The houses with two states that are not negligible; None where nothing is.
    moments : DemandMoments
        Of demand, by the model that filter and forecast assume.

    Examples
    --------
    >>> import rtp
    >>> public = rtp.simulate(rtp.PRESETS["tiny street"]).market.public
    >>> public.steps, public.epsilon.tolist()
    (96, [0.5])
    >>> hasattr(public, "seed")
    False
    """

    epsilon: Floats  # (E,) budgets
    tariff: Tariff
    nominal_bound: float
    street: Street
    support_classes: SupportClasses  # houses that agree on what is possible
    covered: ProtectedSet | None  # houses with two states that are not negligible; None: nothing is
    moments: DemandMoments  # of demand at full use, by the model that filter and forecast assume

    @property
    def steps(self) -> int:
        return int(self.support_classes.both_states_possible.shape[1])


@dataclass(frozen=True, kw_only=True)
class NoiseScale:
    """The Laplace scale of every step, for how many houses, and because of which one.

    Parameters
    ----------
    scale : ndarray
        (T, E), at every budget.
    protected : ndarray
        How many houses are protected, (T,), whatever the budget.
    noise_setting_house : ndarray
        Which one sets the noise, (T, E); −1 where none does.

    Examples
    --------
    >>> import rtp
    >>> from rtp.mechanisms import REGISTRY
    >>> public = rtp.simulate(rtp.Scenario(households=20)).market.public
    >>> noise = REGISTRY["naive"].scale(public)
    >>> bool(noise.scale[0, 0] == public.nominal_bound / public.epsilon[0])
    True
    """

    scale: Floats  # (T, E)
    protected: Ints  # (T,) whatever the budget
    noise_setting_house: Ints  # (T, E), −1 where none does


class ErrorMoments(NamedTuple):
    """How the error r̂ − r of a published rate varies, around its mean."""

    variance: Floats  # (T, …)
    covariance: Floats  # (G, T, …) with each group's demand


@dataclass(frozen=True, kw_only=True)
class Mechanism:
    """One way to publish. Rates are (T, …): one day, or many at once along the last axes.

    Parameters
    ----------
    name, label : str
        What it is called in code and links, and on screens.
    promise, relies_on : str
        Sentences about what it promises, and what that relies on.
    colour, dash : str
        How its line is drawn; the colour stands out at least 3 : 1 on light and on dark.
    scale : callable
        Takes what is public to the `NoiseScale`.
    protects : {"nobody", "everyone", "uncertain", "likely"}
        Whom it promises something: "uncertain" are houses with two possible states, "likely" those of them
        with two that are not negligible.
    assumes : {"bounded", "uniform"}
        Of consumption, for the promise to hold.
    reads_demand : bool
        Whether it looks at any data.
    role : str or None
        The part it plays in the lab's sentences and first pictures.
    postprocess : callable or None
        Takes (public, steps, scale, noisy rates, price response, state) to (rates to publish, their errors'
        variance as the assumed model has it, state). The steps come in order, as many at once as are known,
        with the state that the ones before gave, None at first; no rate may depend on a later one. None:
        the noisy rate is published as it is.
    invert : callable or None
        Takes (public, scale, published rates, price response) to the noisy rates, as anyone can work them
        out.
    error_moments : callable or None
        Takes (public, moments, scale, price response) to the moments of the published rates' errors where
        demand varies as those moments say, and not as the assumed model has it.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from rtp import PRESETS
    >>> from rtp.mechanisms import REGISTRY
    >>> from rtp.simulation import draw_day, publish_day
    >>> naive = REGISTRY["naive"]
    >>> def scale(public):
    ...     whole = naive.scale(public)
    ...     return replace(whole, scale=2 * whole.scale)
    >>> careful = replace(naive, name="careful", scale=scale)
    >>> tiny = PRESETS["tiny street"]
    >>> day = publish_day(tiny, draw_day(tiny), [naive, careful])
    >>> float(day.release["careful"].scale[0] / day.release["naive"].scale[0])
    2.0
    """

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
    postprocess: Callable[[Public, slice, Floats, Floats, Floats, Any], tuple[Floats, Floats, Any]] | None = (
        None
    )
    invert: Callable[[Public, Floats, Floats, Floats], Floats] | None = None
    error_moments: Callable[[Public, DemandMoments, Floats, Floats], ErrorMoments] | None = None

    @property
    def adds_noise(self) -> bool:
        return self.reads_demand and self.protects != "nobody"

    @property
    def neglects(self) -> bool:
        """Whether its promise may leave out houses that Algorithm 1 protects."""
        return self.protects == "likely"

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
    public: Public, sensitivity: float | Floats, protected: int | Ints, house: int | Ints = -1
) -> NoiseScale:
    """Sensitivity over ε, at every step and budget: the Laplace mechanism (Dwork et al. 2006)."""
    scale = np.divide.outer(np.broadcast_to(sensitivity, public.steps), public.epsilon)
    return NoiseScale(
        scale=scale,
        protected=np.broadcast_to(protected, public.steps),
        noise_setting_house=np.where(scale > 0, np.reshape(house, (-1, 1)), -1),
    )


def largest(values: Floats, classes: SupportClasses) -> tuple[Floats, Ints]:
    """The largest value within each class, and the house that has it (−1 in an empty one)."""
    value, house = np.zeros(len(classes.members)), np.full(len(classes.members), -1)
    for k, members in enumerate(classes.members):
        if classes.count[k]:
            house[k] = members.start + np.argmax(values[members])
            value[k] = values[house[k]]
    return value, house


def largest_protected(classes: SupportClasses, value: Floats, house: Ints) -> tuple[Floats, Ints]:
    """At each step the largest value of any class of protected houses, and its house (−1: none).

    Values and houses are (K, …), by class; both results are (T, …).
    """
    shape = (len(classes.protected), *value.shape[1:])
    largest, whose = np.zeros(shape), np.full(shape, -1)
    for k in np.flatnonzero(classes.count):
        protected = classes.protected[:, k].reshape(-1, *[1] * (value.ndim - 1))
        larger = protected & (value[k] > largest)
        largest, whose = np.where(larger, value[k], largest), np.where(larger, house[k], whose)
    return largest, whose

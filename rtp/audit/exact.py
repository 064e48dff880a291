"""Is the promise kept? Exactly: what each release really gives away, house by house.

Laplace noise of scale b on the street's demand leaves |ln m(u₁/b) − ln m(u₀/b)| to learn about a house that
uses U(0, u₁) when occupied and U(0, u₀) when empty, m(y) = (e^y − 1)/y. It is the supremum over all rates,
and reached outside the range of possible demand (`rtp.probability.privacy_loss`). Without noise it is
infinite where the bounds differ. A house that is certain under every model has nothing to lose; what a house
whose two states are possible loses although the promise leaves it out is stated apart. Which houses these are
the audit works out by itself. Price response g shrinks both bounds. What a publisher
does afterwards is post-processing: it gives away what its noise does or, if it reads no demand, nothing.

A promise that assumes no more than a bound must hold for a house that uses its bound or nothing, where the
loss is g·u/b; one that assumes uniform consumption, for that. Where houses have other distributions of use
the loss is the supremum of their log-ratio (`rtp.probability.histogram`).

Over the day losses add up, house by house: T releases spend up to T·ε (Theorem 2).

**Which states are possible**, and how much noise a promise therefore needs: the audit's own answers. It asks
no mechanism whom it protects and shares no code with them: it has its own copy of the chain, in the slow and
obvious way. A house's possible states are a set, and from step to step every state in it leads to those that
the house's own transition probabilities allow: the very ones that the street is simulated by. Houses of one
group whose probabilities are 0 or 1 in the same places have the same sets, so one of them is followed for
all. Of several models one under which both states are possible is enough. Where a promise leaves out houses
whose states are not both likely, their probabilities are followed one step at a time, both states apart.

How wide Laplace noise must be follows from the definition. Where consumption may be anything within a bound
u, the loss is at most u/b, so b = max u/ε. Where it is uniform, b is where the largest |ln m(u₁/b) − ln
m(u₀/b)| of any house equals ε: that loss lies between gap/(2b) and gap/b, gap = |u₁ − u₀|. Where use has
other distributions it is where the supremum of their log-ratio does (`rtp.probability.histogram`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.mechanisms import REGISTRY, Mechanism
from rtp.probability.histogram import Histograms
from rtp.probability.privacy_loss import privacy_loss, privacy_loss_any_use
from rtp.scenario import Scenario, must_be_one_of
from rtp.simulation import Day
from rtp.street.draw import Street, StreetSpec
from rtp.street.simulate import StreetDay

Sets = Iterator[tuple[Bools, Bools]]  # when, (T,), and who, (N,)
# a house uses its bound or nothing; or as modelled, up to the bound of its state or by its distribution
Shape = Literal["point", "uniform"]
MARGIN = 1e-9  # by which a probability must exceed the threshold: rounding decides nothing
MAX_EXCESS, MIN_SCALE = 1e6, 1e-9  # an excess that is large enough to steer by, and a scale that is no noise
_SLACK = 0.01  # by which the bracket is wider than it has to be, for rounding


@dataclass(frozen=True, kw_only=True)
class PossibleStates:
    """Which houses may be in either state at each step, under some model."""

    house_class: Ints  # (N,) the number of each house's class
    both: Bools  # (T, classes)

    def at(self, step: int) -> Bools:
        """(N,)"""
        return np.asarray(self.both[step][self.house_class])

    def sets(self) -> Sets:
        """Every set of houses that is ever uncertain together."""
        rows, of_step = np.unique(self.both, axis=0, return_inverse=True)
        for i, row in enumerate(rows):
            yield of_step.ravel() == i, row[self.house_class]


def possible_states(street_day: StreetDay) -> PossibleStates:
    """Return where both states of each house are possible."""
    spec, street = street_day.spec, street_day.street
    house_class = np.empty(spec.households, dtype=np.intp)
    classes: dict[tuple[int, bytes], int] = {}
    both: list[Bools] = []
    for block in spec.blocks:
        moves = [
            np.array(spec.transition_probabilities(street, model, block))
            for model in range(len(spec.schedules))
        ]
        stacked = np.array(moves).reshape(-1, len(block)).T
        where = (stacked > 0).astype(np.int8) + (stacked >= 1)  # 0, 1 or neither, house by house
        rows, first, of_house = np.unique(where, axis=0, return_index=True, return_inverse=True)
        for row, house in zip(rows, first.tolist(), strict=True):
            if classes.setdefault((block.group, row.tobytes()), len(both)) == len(both):
                both.append(_under_some_model(spec, block.group, [m[:, :, house] for m in moves]))
        number = np.array([classes[block.group, row.tobytes()] for row in rows])
        house_class[block.houses] = number[of_house.ravel()]
    return PossibleStates(house_class=house_class, both=np.stack(both, axis=1))


def _under_some_model(spec: StreetSpec, group: int, moves: list[Floats]) -> Bools:
    """(T,) of one house, from its leave and arrive probabilities, (2, periods) under each model."""
    result = np.zeros(spec.steps, dtype=bool)
    for model, (leave, arrive) in enumerate(m.tolist() for m in moves):
        schedule = spec.schedules[model][group]
        result |= both_possible(schedule.initial, schedule.period.tolist(), leave, arrive, spec.steps)
    return result


def both_possible(
    initial: float, period: list[int], leave: list[float], arrive: list[float], steps: int
) -> list[bool]:
    """Return whether both states of one house are possible under one model, step by step."""
    states = {state for state, probability in ((0, 1 - initial), (1, initial)) if probability > 0}
    result = []
    for step in range(steps):
        result.append(len(states) == 2)
        p = period[step % len(period)]
        moves = {(0, 0): 1 - arrive[p], (0, 1): arrive[p], (1, 0): leave[p], (1, 1): 1 - leave[p]}
        states = {end for (start, end), probability in moves.items() if start in states and probability > 0}
    return result


def protected_houses(
    mechanism: Mechanism, scenario: Scenario, street_day: StreetDay, possible: PossibleStates
) -> Iterator[Bools]:
    """Yield the houses that the promise is about, (N,), step by step: all whose two states are possible, or
    only while both are likely."""
    if mechanism.neglects and scenario.negligible > 0:
        yield from both_likely(street_day, scenario.negligible)
    else:
        yield from (possible.at(step) for step in range(street_day.spec.steps))


def both_likely(street_day: StreetDay, threshold: float) -> Bools:
    """Return whether under some model both states are likelier than that, before any rate, (T, N)."""
    spec = street_day.spec
    result = np.zeros((spec.steps, spec.households), dtype=bool)
    for block in spec.blocks:
        for model, schedules in enumerate(spec.schedules):
            schedule = schedules[block.group]
            leave, arrive = spec.transition_probabilities(street_day.street, model, block)
            empty, occupied = (np.full(len(block), p) for p in (1 - schedule.initial, schedule.initial))
            for step in range(spec.steps):
                both = np.minimum(empty, occupied) > threshold * (1 + MARGIN)
                result[step, block.houses] |= both
                p = schedule.period[step % len(schedule.period)]
                left, arrived = occupied * leave[p], empty * arrive[p]
                empty, occupied = empty + left - arrived, occupied + arrived - left
    return result


class RequiredNoise(NamedTuple):
    """The noise that a promise needs; arrays are (T,)."""

    scale: Floats  # of noise on demand; 0 where nobody must be hidden
    house: Ints  # who needs it; −1 where nobody does


def shape_of(mechanism: Mechanism) -> Shape:
    """Return how houses use energy at worst, within what the mechanism's promise assumes."""
    return "uniform" if mechanism.assumes == "uniform" else "point"


def required_scale(
    mechanism: Mechanism, scenario: Scenario, street_day: StreetDay, possible: PossibleStates
) -> RequiredNoise:
    """Return the noise that the promise needs, in the unit of consumption; none where nothing is promised."""
    steps, sets = np.arange(scenario.steps), possible.sets()
    if not mechanism.adds_noise:
        sets = iter(())
    elif mechanism.protects == "everyone":
        sets = iter([(steps >= 0, np.ones_like(possible.house_class, dtype=bool))])
    elif mechanism.neglects and scenario.negligible > 0:
        likely = both_likely(street_day, scenario.negligible)
        sets = ((steps == step, who) for step, who in enumerate(likely))
    return noise_for_sets(sets, street_day, scenario.epsilon, shape_of(mechanism))


def noise_for_sets(sets: Sets, street_day: StreetDay, epsilon: float, shape: Shape) -> RequiredNoise:
    """Return the noise that hides every house of a set while it is to be hidden."""
    scale, house = np.zeros(street_day.spec.steps), np.full(street_day.spec.steps, -1)
    for when, who in sets:
        scale[when], house[when] = widest_noise(street_day.street, who, epsilon, shape)
    return RequiredNoise(scale, house)


def widest_noise(street: Street, who: Bools, epsilon: float, shape: Shape) -> tuple[float, int]:
    """Return the noise that some houses need, and the house that needs it."""
    houses = np.flatnonzero(who)
    if not len(houses):
        return 0.0, -1
    if shape == "point":
        house = int(houses[street.bound[houses].argmax()])
        return float(street.bound[house]) / epsilon, house
    if street.distributions is not None:
        b = _scale_by_distribution(street.distributions.only(houses), epsilon)
        return b, int(houses[street.loss(b, houses).argmax()]) if b else -1
    gap = np.abs(street.occupied_bound[houses] - street.empty_bound[houses])
    houses = houses[gap >= gap.max() / 2]  # nobody else can lose most, as a loss is gap/(2b) to gap/b
    bounds = street.occupied_bound[houses], street.empty_bound[houses]
    b = _scale_by_bounds(*bounds, epsilon)
    return b, int(houses[privacy_loss(b, *bounds).argmax()]) if b else -1


def _scale_by_bounds(occupied_bound: Floats, empty_bound: Floats, epsilon: float) -> float:
    from scipy.optimize import brentq

    gap = float(np.abs(occupied_bound - empty_bound).max())
    if gap == 0:
        return 0.0

    def excess(b: float) -> float:
        return float(privacy_loss(b, occupied_bound, empty_bound).max() / epsilon - 1)

    low, high = (1 - _SLACK) * gap / (2 * epsilon), (1 + _SLACK) * gap / epsilon
    return float(brentq(excess, low, high, xtol=1e-14 * low, rtol=1e-14))


def _scale_by_distribution(distributions: Histograms, epsilon: float) -> float:
    """Between 0, where a reading itself may tell no more, and u/ε."""
    from scipy.optimize import brentq

    if distributions.loss(0.0).max() <= epsilon:
        return 0.0

    def excess(b: float) -> float:
        return min(float(distributions.loss(b).max()) / epsilon - 1, MAX_EXCESS)

    high = (1 + _SLACK) * float(distributions.edges[:, -1].max()) / epsilon
    return float(brentq(excess, MIN_SCALE * high, high, xtol=1e-14 * high, rtol=1e-14))


def loss_at_share(
    share: float, mechanism: Mechanism, scenario: Scenario, street_day: StreetDay, possible: PossibleStates
) -> float:
    """Return what noise of a share of what is needed gives away, at worst."""
    if shape_of(mechanism) == "point":
        return scenario.epsilon / share
    scale, house = required_scale(mechanism, scenario, street_day, possible)
    widest = int(scale.argmax())
    if scale[widest] == 0:
        return 0.0
    return float(street_day.street.loss(share * float(scale[widest]), house[widest : widest + 1])[0])


LOSS_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class ExactLoss:
    """What one mechanism spends over the day. Losses are in the unit of ε; arrays are (T,) unless said.

    Attributes
    ----------
    mechanism : str
        Which one it is.
    promised : float
        Per step; infinite where nothing is promised.
    spent : ndarray
        The largest loss of any house.
    house, alike : ndarray
        Whose it is, the first of them (−1 where nobody loses anything), and how many lose that much.
    any_use : ndarray
        The largest loss were consumption anything within its bound.
    neglected : ndarray
        The largest loss of any house with two possible states that the promise leaves out.
    spent_so_far : ndarray
        The most that any one house has lost since the start.
    total : ndarray
        Each house's loss over the day, (N,).

    Examples
    --------
    >>> import rtp
    >>> from rtp.audit import exact_loss
    >>> spent = exact_loss(rtp.simulate(rtp.PRESETS["tiny street"]), "calibrated")
    >>> spent.promised, round(float(spent.spent.max()), 6)
    (0.5, 0.5)
    """

    mechanism: str
    promised: float  # per step; infinite where nothing is promised
    spent: Floats  # the largest loss of any house
    house: Ints  # whose it is, the first of them; −1 where nobody loses anything
    alike: Ints  # how many houses lose that much
    neglected: Floats  # the largest loss of any house with two possible states that the promise leaves out
    any_use: Floats  # the largest loss were consumption anything within its bound
    spent_so_far: Floats  # the most that any one house has lost since the start
    total: Floats  # (N,) each house's loss over the day

    @property
    def step(self) -> int:
        """When most is spent."""
        return int(self.spent.argmax())

    @property
    def setter(self) -> int:
        """The house closest to the limit, or −1."""
        return int(self.house[self.step])

    @property
    def losers(self) -> int:
        """How many houses are as close to it."""
        return int(self.alike[self.step])

    @property
    def kept(self) -> bool:
        """Whether no step spends more than promised, rounding aside, on whatever use the promise allows."""
        worst = self.spent if REGISTRY[self.mechanism].assumes == "uniform" else self.any_use
        return bool(worst.max() <= self.promised * (1 + LOSS_ROUNDING))


def noise_widths(day: Day, mechanism: str) -> Floats:
    """Return the noise's scale in the unit of consumption at full use, (T,); infinite where demand plays no
    part."""
    tariff, release = day.market.tariff, day.release[mechanism]
    if not REGISTRY[mechanism].reads_demand:
        return np.full_like(release.scale, np.inf)
    response = tariff.responses(release.rate)
    moved = response > 0
    return np.where(moved, tariff.in_demand(release.scale) / np.where(moved, response, 1.0), np.inf)


def exact_loss(day: Day, mechanism: str, possible: PossibleStates | None = None) -> ExactLoss:
    """Return what a mechanism spends at every step of the day, exactly.

    Parameters
    ----------
    day : Day
        A simulated day.
    mechanism : str
        The one that is audited, by name.
    possible : PossibleStates, optional
        Where it has been worked out.

    Returns
    -------
    ExactLoss

    Examples
    --------
    >>> import rtp
    >>> from rtp.audit import exact_loss
    >>> day = rtp.simulate(rtp.PRESETS["tiny street"])
    >>> spent = exact_loss(day, "blowfish")
    >>> bool((spent.spent <= spent.promised).all())
    True
    """
    must_be_one_of("mechanism", mechanism, day.release)
    street, possible = day.street, possible or possible_states(day.street_day)
    steps, houses = day.scenario.steps, day.scenario.households
    spent, neglected, any_use, so_far = (np.zeros(steps) for _ in range(4))
    house, alike = np.full(steps, -1), np.zeros(steps, dtype=int)
    total = np.zeros(houses)
    at_scale: dict[float, Floats] = {}  # of the last scale: most steps have the same
    scales = noise_widths(day, mechanism).tolist()
    promised_to = protected_houses(REGISTRY[mechanism], day.scenario, day.street_day, possible)
    for step, (b, protected) in enumerate(zip(scales, promised_to, strict=True)):
        if b not in at_scale:
            at_scale = {b: street.loss(b)}
        losses = np.where(possible.at(step), at_scale[b], 0.0)
        total = total + losses
        so_far[step], neglected[step] = total.max(), np.where(protected, 0.0, losses).max()
        losses = np.where(protected, losses, 0.0)
        spent[step] = losses.max()
        if spent[step] > 0:
            house[step], alike[step] = losses.argmax(), np.count_nonzero(losses == spent[step])
        any_use[step] = privacy_loss_any_use(b, np.where(protected, street.bound, 0.0)).max()
    return ExactLoss(
        mechanism=mechanism,
        promised=REGISTRY[mechanism].promised(day.scenario.epsilon),
        spent=spent,
        house=house,
        alike=alike,
        neglected=neglected,
        any_use=any_use,
        spent_so_far=so_far,
        total=total,
    )


def exact_losses(day: Day) -> dict[str, ExactLoss]:
    """Return what every mechanism spends, by name."""
    possible = possible_states(day.street_day)
    return {name: exact_loss(day, name, possible) for name in day.release}

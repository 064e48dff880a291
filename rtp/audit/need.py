"""How wide the noise must be for a promise to hold, and which house it is needed for: the audit's own sum.

Without the mechanism's help: whom it must hide is worked out by `uncertain`, and how wide Laplace noise must
be for that follows from the definition. Where consumption may be anything within a bound u, the loss is at
most u/b, so b = max u/ε. Where it is uniform, b is where the largest |ln m(u₁/b) − ln m(u₀/b)| of any house
equals ε, found by bracketing: that loss lies between gap/(2b) and gap/b, gap = |u₁ − u₀|. Where use has other
laws it is where the supremum of their log-ratio does (`rtp.probability.histogram`).
"""

from typing import Literal, NamedTuple

import numpy as np

from rtp.audit.uncertain import Uncertain, covered_sets
from rtp.core.types import Bools, Floats, Ints
from rtp.mechanisms import Mechanism
from rtp.probability.histogram import Histograms
from rtp.probability.privacy_loss import privacy_loss
from rtp.roots import root
from rtp.scenario import Scenario
from rtp.street.draw import Street
from rtp.street.simulate import StreetDay

# a house uses its bound or nothing; or as modelled, up to the bound of its state or by its law
Shape = Literal["point", "uniform"]
LARGEST, SMALLEST = 1e6, 1e-9  # an excess that is large enough to steer by, and a scale that is no noise
SLACK = 0.01  # by which the bracket is wider than it has to be, for rounding


class Need(NamedTuple):
    """Arrays are (T,)."""

    scale: Floats  # of noise on demand; 0 where nobody must be hidden
    house: Ints  # who needs it; −1 where nobody does


def shape_of(mechanism: Mechanism) -> Shape:
    """How houses use energy at worst, within what the mechanism's promise assumes."""
    return "uniform" if mechanism.assumes == "uniform" else "point"


def need(mechanism: Mechanism, scenario: Scenario, life: StreetDay, open_: Uncertain) -> Need:
    """What the mechanism's promise takes, in the unit of consumption; nothing where it promises nothing."""
    epsilon, street = scenario.epsilon, life.street
    scale, house = np.zeros(scenario.steps), np.full(scenario.steps, -1)
    if not mechanism.adds_noise:
        return Need(scale, house)
    if mechanism.protects == "everyone":
        scale[:], house[:] = widest(
            street, np.ones_like(open_.alike, dtype=bool), epsilon, shape_of(mechanism)
        )
        return Need(scale, house)
    for when, who in covered_sets(mechanism.neglects, scenario.negligible, life, open_):
        scale[when], house[when] = widest(street, who, epsilon, shape_of(mechanism))
    return Need(scale, house)


def widest(street: Street, who: Bools, epsilon: float, shape: Shape) -> tuple[float, int]:
    """The noise that some houses need, and the one that needs it."""
    houses = np.flatnonzero(who)
    if not len(houses):
        return 0.0, -1
    if shape == "point":
        house = int(houses[street.bound[houses].argmax()])
        return float(street.bound[house]) / epsilon, house
    if street.distributions is not None:
        b = _root_of_laws(street.distributions.only(houses), epsilon)
        return b, int(houses[street.loss(b, houses).argmax()]) if b else -1
    gap = np.abs(street.occupied_bound[houses] - street.empty_bound[houses])
    houses = houses[gap >= gap.max() / 2]  # nobody else can lose most, as a loss is gap/(2b) to gap/b
    bounds = street.occupied_bound[houses], street.empty_bound[houses]
    b = _root(*bounds, epsilon)
    return b, int(houses[privacy_loss(b, *bounds).argmax()]) if b else -1


def _root(occupied_bound: Floats, empty_bound: Floats, epsilon: float) -> float:
    gap = float(np.abs(occupied_bound - empty_bound).max())
    if gap == 0:
        return 0.0

    def excess(b: float) -> float:
        return float(privacy_loss(b, occupied_bound, empty_bound).max() / epsilon - 1)

    ends = (1 - SLACK) * gap / (2 * epsilon), (1 + SLACK) * gap / epsilon
    return root(excess, *ends, absolute=1e-14 * ends[0], relative=1e-14)


def _root_of_laws(laws: Histograms, epsilon: float) -> float:
    """The same where use has other laws: between 0, where a reading itself may tell no more, and u/ε."""
    if laws.loss(0.0).max() <= epsilon:
        return 0.0

    def excess(b: float) -> float:
        return min(float(laws.loss(b).max()) / epsilon - 1, LARGEST)

    high = (1 + SLACK) * float(laws.edges[:, -1].max()) / epsilon
    return root(excess, SMALLEST * high, high, absolute=1e-14 * high, relative=1e-14)


def loss_at(
    share: float, mechanism: Mechanism, scenario: Scenario, life: StreetDay, open_: Uncertain
) -> float:
    """What noise of a share of what is needed gives away, at worst."""
    if shape_of(mechanism) == "point":
        return scenario.epsilon / share
    street, (scale, house) = life.street, need(mechanism, scenario, life, open_)
    widest_at = int(scale.argmax())
    if scale[widest_at] == 0:
        return 0.0
    who = house[widest_at : widest_at + 1]
    b = share * float(scale[widest_at])
    return float(street.loss(b, who)[0])

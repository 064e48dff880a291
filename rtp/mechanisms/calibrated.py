"""The smallest Laplace scale that keeps the same promise as Algorithm 1, for consumption as modelled.

A house uses U(0, u₁) when occupied and U(0, u₀) when empty. Noise of scale b leaves |ln m(u₁/b) − ln m(u₀/b)|
to learn about it, m(y) = (e^y − 1)/y; `rtp.probability.privacy_loss` has the proof. It falls as b grows; b_h
is where it equals ε. For a house with a distribution of its own `rtp.probability.histogram` computes what is
left, and b_h.

Price response g ≤ 1 shrinks both bounds, which only lowers the loss, so the scale holds with it too.
"""

from functools import lru_cache

import numpy as np

from rtp.core.language import noted
from rtp.core.types import Floats, Ints
from rtp.mechanisms.base import Mechanism, NoiseScale, Public, largest_protected
from rtp.probability.histogram import Histograms
from rtp.probability.privacy_loss import log_mean_exp, log_mean_exp_slope

MAX_REMEMBERED = 100_000  # masses of a street's histograms whose scale is remembered


def calibrate(occupied_bound: Floats, empty_bound: Floats, epsilon: float | Floats) -> Floats:
    """b_h of every house: the root of privacy_loss = ε, by Newton in s = 1/b; 0 where the bounds are equal.

    Budgets (E, 1) give (E, n).

    As a function of s the loss is increasing and convex and at least |u₁ − u₀|·s/2, so starting at
    s = 2ε/|u₁ − u₀| every step moves down towards the root and none overshoots.
    """
    high, low = np.maximum(occupied_bound, empty_bound), np.minimum(occupied_bound, empty_bound)
    differs = high > low
    high, low = np.where(differs, high, 1.0), np.where(differs, low, 0.0)
    s = 2 * epsilon / (high - low)
    both = np.array([high, low]).reshape(2, *[1] * (s.ndim - 1), -1)
    done = np.zeros(s.shape, dtype=bool)
    for _ in range(60):
        loss, slope = log_mean_exp(both * s), both * log_mean_exp_slope(both * s)
        step = (loss[0] - loss[1] - epsilon) / (slope[0] - slope[1])
        s -= np.where(done, 0.0, step)  # so that nobody's root depends on who else is solved for
        done |= np.abs(step) <= 3e-8 * s  # what is left is at most a sixth of its square: below rounding
        if done.all():
            break
    return np.where(differs, 1 / s, 0.0)


def widest(occupied_bound: Floats, empty_bound: Floats, epsilons: Floats) -> tuple[Floats, Ints]:
    """max_h b_h at every budget and the house that needs it, both (E,), solving for few houses only.

    The loss grows with the larger bound and falls with the smaller one, as m does with its argument, and so
    does b_h: no house with a smaller larger bound and a larger smaller one can set the noise. What is left,
    the front, is a handful of houses. Nor can one whose bounds differ by less than half as much as another's,
    because b_h lies between |u₁ − u₀|/2ε and |u₁ − u₀|/ε; nor one whose larger bound is below that of the
    house whose bounds differ most, because ln m is convex: the same difference loses less lower down.
    """
    high, low = np.maximum(occupied_bound, empty_bound), np.minimum(occupied_bound, empty_bound)
    gap = high - low
    largest = int(np.argmax(gap))
    if gap[largest] == 0:
        return np.zeros(len(epsilons)), np.full(len(epsilons), largest)
    rivals = np.flatnonzero((high >= high[largest]) & (gap >= gap[largest] / 2))
    rivals = rivals[np.lexsort((low[rivals], -high[rivals]))]  # from the largest bound down
    lowest = np.minimum.accumulate(low[rivals])
    front = rivals[np.append(True, lowest[1:] < lowest[:-1])]
    b = calibrate(high[front], low[front], epsilons[:, None])
    nth = b.argmax(axis=1)
    return b[np.arange(len(b)), nth], front[nth]


def widest_of_histograms(distributions: Histograms, epsilons: Floats) -> tuple[Floats, Ints]:
    """The same for consumption with any distribution: see `rtp.probability.histogram`.

    The loss falls as noise grows, so a house that loses at most ε under another's noise needs no more: from
    the house that can use most on, only those that lose more are solved for. It is remembered: every day
    that is published on a street, and every rate with this noise, asks for it again.
    """
    edges, mass = distributions.edges, distributions.mass
    if mass.size > MAX_REMEMBERED:
        return _widest_of_histograms(distributions, epsilons)
    return _remembered(edges.tobytes(), mass.tobytes(), (mass.shape[1], mass.shape[2]), epsilons.tobytes())


@lru_cache(maxsize=64)
def _remembered(edges: bytes, mass: bytes, shape: tuple[int, int], epsilons: bytes) -> tuple[Floats, Ints]:
    houses, bins = shape
    distributions = Histograms(
        edges=np.frombuffer(edges).reshape(houses, bins + 1), mass=np.frombuffer(mass).reshape(2, *shape)
    )
    found = _widest_of_histograms(distributions, np.frombuffer(epsilons))
    for each in found:
        each.flags.writeable = False
    return found


def _widest_of_histograms(distributions: Histograms, epsilons: Floats) -> tuple[Floats, Ints]:
    house = np.full(len(epsilons), int(distributions.edges[:, -1].argmax()))
    widest_house = house.copy()
    b, left = np.full(len(epsilons), -1.0), np.arange(len(epsilons))  # budgets that are not settled
    while len(left):
        own = np.empty(len(left))
        for each in np.unique(house[left]).tolist():
            mine = house[left] == each
            own[mine] = distributions.only(np.array([each])).scale(epsilons[left[mine]])[:, 0]
        more = own > b[left]  # elsewhere all that it lost more was rounding
        left = left[more]
        b[left], widest_house[left] = own[more], house[left]
        loss = distributions.losses(b[left])
        house[left] = loss.argmax(axis=1)
        left = left[loss.max(axis=1) > epsilons[left]]
    return b, widest_house


def scale(public: Public) -> NoiseScale:
    """α·max over the protected houses of b_h, at every step."""
    street, classes, epsilons = public.street, public.support_classes, public.epsilon
    b = np.zeros((len(classes.members), len(epsilons)))
    house = np.full(b.shape, -1)
    for k, members in enumerate(classes.members):
        if classes.count[k]:
            if street.distributions is not None:
                b[k], nth = widest_of_histograms(street.distributions.only(members), epsilons)
            else:
                b[k], nth = widest(street.occupied_bound[members], street.empty_bound[members], epsilons)
            house[k] = members.start + nth
    largest, noise_setting_house = largest_protected(classes, public.tariff.alpha * b, house)
    return NoiseScale(
        scale=largest, protected=classes.protected_houses, noise_setting_house=noise_setting_house
    )


MECHANISM = Mechanism(
    name="calibrated",
    label=noted("Calibrated"),
    promise="The same promise as the private rate, with the smallest Laplace noise that keeps it.",
    relies_on="consumption being as modelled, uniform unless a distribution is given, where the private rate "
    "relies only on the bound",
    colour="#00936b",
    dash="dashdot",
    scale=scale,
    protects="uncertain",
    assumes="uniform",
)

"""Is the promise kept? Exactly: what each release really gives away, house by house.

Laplace noise of scale b on the street's demand leaves |ln m(u₁/b) − ln m(u₀/b)| to learn about a house that
uses U(0, u₁) when occupied and U(0, u₀) when empty, m(y) = (e^y − 1)/y. It is the supremum over all rates,
and reached outside the range of possible demand (`rtp.probability.privacy_loss`). Without noise it is
infinite where the bounds differ. A house that is certain under every model has nothing to lose; what a house
whose two states are possible loses although the promise leaves it out is stated apart. Which houses these are
the audit works out by itself (`rtp.audit.possible`). Price response g shrinks both bounds. What a publisher
does afterwards is post-processing: it gives away what its noise does or, if it reads no demand, nothing.

A promise that assumes no more than a bound must hold for a house that uses its bound or nothing, where the
loss is g·u/b; one that assumes uniform consumption, for that. Where houses have other distributions of use
the loss is the supremum of their log-ratio (`rtp.probability.histogram`).

Over the day losses add up, house by house: T releases spend up to T·ε (Theorem 2).
"""

from dataclasses import dataclass

import numpy as np

from rtp.audit.possible import PossibleStates, possible_states, protected_houses
from rtp.core.types import Floats, Ints
from rtp.mechanisms import REGISTRY
from rtp.probability.privacy_loss import privacy_loss_any_use
from rtp.scenario import must_be_one_of
from rtp.simulation import Day

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

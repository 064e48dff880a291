"""Is the promise kept? Exactly: what each release really gives away, house by house.

Laplace noise of scale b on the street's demand leaves |ln m(u₁/b) − ln m(u₀/b)| to learn about a house that
uses U(0, u₁) when occupied and U(0, u₀) when empty, m(y) = (e^y − 1)/y. It is the supremum over all rates,
and reached outside the range of possible demand (`rtp.density.loss`). Without noise it is infinite
where the bounds differ. A house that is certain under every model has nothing to lose; what an open house
loses that the promise leaves out is told apart. Price response g shrinks both bounds. What a publisher does
afterwards is post-processing: it gives away what its noise does or, if it reads no demand, nothing.

Over the day losses add up, house by house: T releases spend up to T·ε (Theorem 2).
"""

from dataclasses import dataclass

import numpy as np

from rtp.arrays import Floats, Ints
from rtp.density.loss import worst_loss, worst_loss_any_use
from rtp.mechanisms import REGISTRY
from rtp.scenario import must_be_one_of
from rtp.simulation import Day


@dataclass(frozen=True, kw_only=True)
class Account:
    """What one mechanism spends over the day. Losses are in the unit of ε; arrays are (T,) unless said."""

    mechanism: str
    promised: float  # per step; infinite where nothing is promised
    spent: Floats  # the largest loss of any house
    house: Ints  # whose it is; −1 where nobody loses anything
    neglected: Floats  # the largest loss of any open house that the promise leaves out
    any_shape: Floats  # what it could be were consumption anything within its bound, not uniform
    promised_so_far: Floats  # ε·t
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
    def kept(self) -> bool:
        """Whether no step spends more than promised, rounding aside."""
        return bool(self.spent.max() <= self.promised * (1 + 1e-9))


def widths(day: Day, mechanism: str) -> Floats:
    """(T,): the noise's scale in the unit of consumption at full use; infinite where demand plays no part."""
    tariff, release = day.market.tariff, day.release[mechanism]
    if not REGISTRY[mechanism].reads_demand:
        return np.full_like(release.scale, np.inf)
    response = tariff.responses(release.rate)
    moved = response > 0
    return np.where(moved, release.scale / tariff.alpha / np.where(moved, response, 1.0), np.inf)


def account(day: Day, mechanism: str) -> Account:
    """Every step of the day, exactly."""
    must_be_one_of("mechanism", mechanism, day.release)
    street, kinds = day.street, day.life.kinds
    steps, houses = day.scenario.steps, day.scenario.households
    spent, neglected, any_shape, so_far = (np.zeros(steps) for _ in range(4))
    house = np.full(steps, -1)
    total = np.zeros(houses)
    known: dict[float, Floats] = {}
    scales, covers = widths(day, mechanism).tolist(), REGISTRY[mechanism].covers(day.market.public)
    for step, (b, covered) in enumerate(zip(scales, covers, strict=True)):
        if b not in known:
            known = {b: worst_loss(b, street.occupied_bound, street.empty_bound)}
        losses = np.where(kinds.protected[step][kinds.of_house], known[b], 0.0)
        total = total + losses
        so_far[step], neglected[step] = total.max(), np.where(covered, 0.0, losses).max()
        losses = np.where(covered, losses, 0.0)
        spent[step] = losses.max()
        house[step] = losses.argmax() if spent[step] > 0 else -1
        any_shape[step] = worst_loss_any_use(b, np.where(covered, street.bound, 0.0)).max()
    promised = REGISTRY[mechanism].promised(day.scenario.epsilon)
    return Account(
        mechanism=mechanism,
        promised=promised,
        spent=spent,
        house=house,
        neglected=neglected,
        any_shape=any_shape,
        promised_so_far=np.cumsum(np.full(steps, promised)),
        spent_so_far=so_far,
        total=total,
    )


def accounts(day: Day) -> dict[str, Account]:
    return {name: account(day, name) for name in day.release}

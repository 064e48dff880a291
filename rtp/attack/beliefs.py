"""One chance per house, carried through the day: the paper's prior and posterior recursion, (2) and (3).

The prior of a step follows from the last posterior by the house's own matrix, the posterior from the prior
by the evidence of the rate. Both chances, to be occupied and to be empty, are carried, so that neither is
lost in the other's rounding and exactly 0 still means impossible. Of a house on its own, `look_back` adds
what the later rates of the day say: with y the evidence of the next rate and of all after it, they shift the
log-odds by ln[(1 − ℓ)eʸ + ℓ] − ln[a·eʸ + 1 − a].
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.street.draw import Street, StreetSpec
from rtp.street.simulate import Progress

LARGEST = 700.0  # in log-odds, beyond which a chance is 0 or 1 to a float


@dataclass(frozen=True, kw_only=True)
class Chains:
    """How some houses come and go under one model."""

    initial: Floats  # (n,)
    leave: Floats  # (P, n)
    arrive: Floats  # (P, n)
    group: Ints  # (n,)
    period: Ints  # (G, C), over a cycle of a day or a week
    steps_per_day: int

    @cached_property
    def common(self) -> list[int | None]:
        """The period of every step of the cycle; None where groups keep different hours."""
        same = (self.period == self.period[0]).all(axis=0)
        return [p if shared else None for p, shared in zip(self.period[0].tolist(), same, strict=True)]

    def chances(self, step: int) -> tuple[Floats, Floats]:
        """(leave, arrive) from this step to the next, both (n,)."""
        step %= self.period.shape[1]
        period = self.common[step]
        if period is not None:
            return self.leave[period], self.arrive[period]
        of_house, houses = self.period[self.group, step], np.arange(len(self.group))
        return self.leave[of_house, houses], self.arrive[of_house, houses]

    def of(self, keep: Bools) -> "Chains":
        """The same of some of the houses."""
        if keep.all():
            return self
        mine = {name: getattr(self, name)[..., keep] for name in ("initial", "leave", "arrive", "group")}
        return replace(self, **mine)


class Beliefs(NamedTuple):
    """What she holds of some houses, step by step; arrays are (T, n)."""

    belief: Floats  # Pr[occupied | rates so far], or of the whole day
    prior: Floats  # the same before the step's own rate
    log_likelihood_ratio: Floats  # of the step's rate; 0 where the state is certain anyway


def chains_of(spec: StreetSpec, street: Street, model: int, houses: Ints) -> Chains:
    schedules = spec.schedules[model]
    chances = [spec.transition_probabilities(street, model, block) for block in spec.blocks]
    group = street.group[houses].astype(np.intp)
    return Chains(
        initial=np.array([schedule.initial for schedule in schedules])[group],
        leave=np.concatenate([leave for leave, _ in chances], axis=1)[:, houses],
        arrive=np.concatenate([arrive for _, arrive in chances], axis=1)[:, houses],
        group=group,
        period=np.array([schedule.period for schedule in schedules]),
        steps_per_day=spec.steps_per_day,
    )


def follow(log_likelihood_ratio: Floats, chains: Chains, progress: Progress | None = None) -> Beliefs:
    """Her beliefs from each rate's evidence on each house, (T, n). Certain houses give no evidence."""
    kept = Beliefs(
        np.empty_like(log_likelihood_ratio), np.empty_like(log_likelihood_ratio), log_likelihood_ratio.copy()
    )
    up, down = np.exp(np.minimum(log_likelihood_ratio, 0.0)), np.exp(-np.maximum(log_likelihood_ratio, 0.0))
    occupied, empty = chains.initial, 1 - chains.initial
    steps, told = len(log_likelihood_ratio), np.any(log_likelihood_ratio != 0, axis=1)
    for step in range(steps):
        kept.prior[step] = occupied
        if occupied.min() <= 0 or empty.min() <= 0:
            certain = (occupied <= 0) | (empty <= 0)
            kept.log_likelihood_ratio[step, certain], up[step, certain], down[step, certain] = 0.0, 1.0, 1.0
            told[step] = kept.log_likelihood_ratio[step].any()
        if told[step]:
            one, other = occupied * up[step], empty * down[step]
            total = one + other
            occupied, empty = one / total, other / total
        kept.belief[step] = occupied
        occupied, empty = move(occupied, empty, *chains.chances(step))
        if progress is not None:
            progress((step + 1) / steps)
    for chances in (kept.belief, kept.prior):  # two chances may add up to a little more than one
        np.minimum(chances, 1.0, out=chances)
    return kept


def look_back(beliefs: Beliefs, chains: Chains) -> Floats:
    """Of houses that are each a chain of their own: Pr[occupied | all rates of the day], (T, n)."""
    result = beliefs.belief.copy()
    later = np.zeros_like(result[0])
    for step in reversed(range(len(result) - 1)):
        y = np.clip(later + beliefs.log_likelihood_ratio[step + 1], -LARGEST, LARGEST)
        leave, arrive = chains.chances(step)
        end_of_day = (step + 1) % chains.steps_per_day == 0
        later = np.zeros_like(y) if end_of_day else _toward(leave, arrive, y)
        occupied = result[step]
        uncertain = (occupied > 0) & (occupied < 1)
        result[step] = np.where(uncertain, bayes(occupied, 1 - occupied, later)[0], occupied)
    return result


def _toward(leave: Floats, arrive: Floats, y: Floats) -> Floats:
    """What the odds e^y of the next state say of this one, as log-odds."""
    up, down = np.exp(np.minimum(y, 0.0)), np.exp(-np.maximum(y, 0.0))
    tiny = np.exp(-LARGEST)  # a state that cannot be, of a house that is not in it
    stay = np.log(np.maximum((1 - leave) * up + leave * down, tiny))
    return np.asarray(stay - np.log(np.maximum(arrive * up + (1 - arrive) * down, tiny)))


def model_only(chains: Chains, steps: int) -> Floats:
    """(T, n): Pr[occupied] with no rate at all."""
    chance = np.empty((steps, len(chains.initial)))
    occupied, empty = chains.initial, 1 - chains.initial
    for step in range(steps):
        chance[step] = occupied
        occupied, empty = move(occupied, empty, *chains.chances(step))
    return np.minimum(chance, 1.0, out=chance)


def move(occupied: Floats, empty: Floats, leave: Floats, arrive: Floats) -> tuple[Floats, Floats]:
    """One step ahead."""
    return occupied * (1 - leave) + empty * arrive, empty * (1 - arrive) + occupied * leave


def bayes(occupied: Floats, empty: Floats, log_likelihood_ratio: Floats) -> tuple[Floats, Floats]:
    """The paper's equation (3) for single houses."""
    one = occupied * np.exp(np.minimum(log_likelihood_ratio, 0.0))
    other = empty * np.exp(-np.maximum(log_likelihood_ratio, 0.0))
    return one / (one + other), other / (one + other)

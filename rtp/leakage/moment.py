"""One moment: was this house occupied at 14:00? How far the rates so far, and the whole record, can tell.

A rate's promise is ε per step, and Theorem 2 adds the steps up to ε·T. What they can do to the odds of one
moment is far less, because neighbouring moments forget: temporal privacy leakage (Cao, Yoshikawa, Xiao and
Xiong, ICDE 2017), which is tight for two states and takes O(T) a house.

One house under one model is a chain S¹, …, Sᵀ. Each rate's log-likelihood ratio, ln Pr[r̂ | 1] − ln Pr[r̂ | 0],
lies between two ends that follow from its noise; the insider, who knows what everyone else used, sees no
more than that. Given Sˢ past and future are independent, so the largest shift of the log-odds of Sˢ is the
past's plus the step's own plus the future's. Of the log-likelihood ratio x of a neighbour a step makes

    g(x) = ln (a₁eˣ + 1 − a₁) − ln (a₀eˣ + 1 − a₀)

with a_k = Pr[S⁺ = 1 | S = k], and for the past the reversed chain's Pr[S⁻ = 1 | S = k], by Bayes under the
model. g is monotone, so the extremes travel: the neighbour's lowest shift with its rate's lowest ratio, and
the highest with the highest; where a₁ < a₀ they swap.

A moment whose state the model is certain of has nothing to lose. The leak is infinite where a rate without
noise proves the state, and where such a proof at another moment leaves the chain no other way.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp
from typing import NamedTuple

import numpy as np

from rtp.audit.exact import noise_widths
from rtp.core.types import Bools, Floats, Frame, Ints, data_frame
from rtp.mechanisms import REGISTRY
from rtp.probability.markov import MAX_LOG_ODDS, Chains, reverse
from rtp.probability.privacy_loss import privacy_loss_any_use
from rtp.scenario import Bounds, must_be_house, must_be_one_of, must_be_within
from rtp.simulation import Day
from rtp.street.draw import Street
from rtp.street.simulate import StreetDay

MAX_HOUSE_STEPS = 100_000  # houses × steps that are worked on at once


class Evidence(NamedTuple):
    """The least and the largest log-likelihood ratio of each step's rate about each house, (T, n) each."""

    lowest: Floats
    highest: Floats

    @property
    def loss(self) -> Floats:
        """The privacy loss: the larger of both, (T, n)."""
        return np.maximum(-self.lowest, self.highest)


class TemporalLeakage(NamedTuple):
    """The largest shift of every moment's log-odds, either way; (T, n) each."""

    so_far: Floats  # by the rates up to and including the moment's own
    whole: Floats  # by the whole record


@dataclass(frozen=True, kw_only=True)
class MomentLeakage:
    """The leakage of every moment for the house that loses most then, (T,); of several models the worst.

    Attributes
    ----------
    so_far, whole : ndarray
        By the rates up to and including the moment's own, and by the whole record.
    so_far_house, house : ndarray
        Whose it is.
    step : int
        The moment that can leak most.
    worst : float
        What leaks there.
    theorem_2 : float
        What the promise of single rates adds up to: ε·T.
    mechanism : str
        Whose rates these are.
    houses : int
        Among how many the worst was looked for.

    Examples
    --------
    >>> import rtp
    >>> from rtp.leakage.moment import moment_leakage
    >>> found = moment_leakage(rtp.simulate(rtp.Scenario(households=10)), "blowfish")
    >>> bool((found.so_far <= found.whole + 1e-12).all()), found.theorem_2
    (True, 48.0)
    """

    mechanism: str
    so_far: Floats
    whole: Floats
    so_far_house: Ints  # whose it is
    house: Ints
    houses: int  # among how many
    theorem_2: float  # what the promise of single rates adds up to: ε·T

    @property
    def step(self) -> int:
        """The moment that can leak most."""
        return int(self.whole.argmax())

    @property
    def worst(self) -> float:
        return float(self.whole.max())


def moment_leakage(
    day: Day, mechanism: str, house: int | None = None, *, promised: bool = False, any_use: bool = False
) -> MomentLeakage:
    """Return how far all rates together can shift the odds of every moment, of one house or the worst of all.

    It is exact for use as the scenario has it, uniform up to the bounds unless stated otherwise.

    Parameters
    ----------
    day : Day
        A simulated day.
    mechanism : str
        Whose rates are read.
    house : int, optional
        One house, counted from 0; the worst of all without.
    promised : bool
        As if every rate spent its ε.
    any_use : bool
        For whatever use is within the bounds.

    Returns
    -------
    MomentLeakage

    Examples
    --------
    >>> import rtp
    >>> from rtp.leakage.moment import moment_leakage
    >>> street = rtp.Scenario(households=10, habit_spread=0)
    >>> day = rtp.simulate(street)
    >>> round(moment_leakage(day, "blowfish", promised=True).worst, 3)  # one rate may tell 0.5
    9.053
    """
    must_be_one_of("mechanism", mechanism, day.release)
    must_be_house("house", house, day.scenario.households)
    everyone = np.arange(day.scenario.households) if house is None else np.array([house])
    steps = np.arange(day.scenario.steps)
    worst = TemporalLeakage(np.full(len(steps), -1.0), np.full(len(steps), -1.0))
    whose = np.zeros((2, len(steps)), dtype=np.intp)
    for houses in house_blocks(everyone, len(steps)):
        leakage = worst_model(
            day.street_day, houses, step_evidence(day, mechanism, houses, promised, any_use)
        )
        for most, owner, values in zip(worst, whose, leakage, strict=True):
            column = values.argmax(axis=1)
            value = values[steps, column]
            owner[value > most] = houses[column[value > most]]
            np.maximum(most, value, out=most)
    return MomentLeakage(
        mechanism=mechanism,
        so_far=worst.so_far,
        whole=worst.whole,
        so_far_house=whose[0],
        house=whose[1],
        houses=len(everyone),
        theorem_2=REGISTRY[mechanism].promised(day.scenario.epsilon) * len(steps),
    )


def even_guess(leak: float) -> float:
    """Return the probability that an even guess about a moment can become."""
    return 1 / (1 + exp(-leak))


def leakage_by_mechanism(day: Day, mechanisms: Sequence[str], house: int) -> dict[str, MomentLeakage]:
    """Return `moment_leakage` of one house under several mechanisms, in one pass over the steps."""
    copies = np.full(len(mechanisms), house)  # one for each mechanism
    evidence = [step_evidence(day, name, copies[:1]) for name in mechanisms]
    ends = Evidence(*(np.concatenate(each, axis=1) for each in zip(*evidence, strict=True)))
    so_far, whole = worst_model(day.street_day, copies, ends)
    owner = np.full(day.scenario.steps, house)
    return {
        name: MomentLeakage(
            mechanism=name,
            so_far=so_far[:, m],
            whole=whole[:, m],
            so_far_house=owner,
            house=owner,
            houses=1,
            theorem_2=REGISTRY[name].promised(day.scenario.epsilon) * day.scenario.steps,
        )
        for m, name in enumerate(mechanisms)
    }


def moment_frame(day: Day, leakage: MomentLeakage) -> Frame:
    """Return one row per step: the leak so far and by the whole record, and whose it is."""
    return data_frame(
        {
            "time": [day.scenario.when(step) for step in range(day.scenario.steps)],
            "so_far": leakage.so_far,
            "so_far_house": leakage.so_far_house,
            "whole_record": leakage.whole,
            "whole_record_house": leakage.house,
        }
    )


def giveaway(day: Day, mechanism: str, house: int, step: int) -> Floats:
    """Return by how much the leak of this moment falls without each step's rate, (T,), under the worst model.

    Without noise anywhere near, what falls is a difference of infinities, and is given as none.
    """
    must_be_one_of("mechanism", mechanism, day.release)
    must_be_house("house", house, day.scenario.households)
    must_be_within("step", step, Bounds(0, day.scenario.steps - 1, "Step"))
    steps = day.scenario.steps
    copies = np.full(steps + 1, house)  # all rates but one for each copy; the last has all
    evidence = step_evidence(day, mechanism, copies)
    for end in evidence:
        end[np.arange(steps), np.arange(steps)] = 0.0
    leak = worst_model(day.street_day, copies, evidence).whole[step]
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nan_to_num(leak[-1] - leak[:-1], nan=0.0, posinf=np.inf))


def step_evidence(
    day: Day, mechanism: str, houses: Ints, promised: bool = False, any_use: bool = False
) -> Evidence:
    """Return what each step's rate can say about each house, as spent or as promised."""
    if promised:
        loss = np.full((day.scenario.steps, len(houses)), REGISTRY[mechanism].promised(day.scenario.epsilon))
        return Evidence(-loss, loss)
    return noise_evidence(noise_widths(day, mechanism), day.street, houses, any_use)


def noise_evidence(b: Floats, street: Street, houses: Ints, any_use: bool = False) -> Evidence:
    """Return what rates with noise of these scales, (T,) in the unit of consumption, can say.

    With `any_use` a house may use its bound in one state and nothing in the other, the worst there is.
    """
    if any_use:
        loss = np.array([privacy_loss_any_use(scale, street.bound[houses]) for scale in b.tolist()])
        return Evidence(-loss, loss)
    scales, of_step = np.unique(b, return_inverse=True)
    lowest, highest = zip(*(street.llr_range(float(scale), houses) for scale in scales), strict=True)
    return Evidence(np.array(lowest)[of_step], np.array(highest)[of_step])


def house_blocks(houses: Ints, steps: int) -> Iterator[Ints]:
    """Return as many houses at a time as memory bears."""
    size = max(MAX_HOUSE_STEPS // steps, 1)
    return (houses[first : first + size] for first in range(0, len(houses), size))


def worst_model(street_day: StreetDay, houses: Ints, evidence: Evidence) -> TemporalLeakage:
    """Return the leakage of every moment of some houses under the worst of the models."""
    classes = street_day.support_classes
    by_model = [
        temporal_leakage(street_day.spec.chains(street_day.street, model, houses), possible, evidence)
        for model, possible in enumerate(classes.both_states_possible[:, :, classes.of_house[houses]])
    ]
    return TemporalLeakage(*(np.max(each, axis=0) for each in zip(*by_model, strict=True)))


def temporal_leakage(chains: Chains, both_states_possible: Bools, evidence: Evidence) -> TemporalLeakage:
    """Return the leakage of every moment of n houses; where the state is certain, (T, n), there is none."""
    lowest, highest = (np.where(both_states_possible, end, 0.0) for end in evidence)
    own = Evidence(lowest, highest)
    past = propagate_leakage(*reverse(chains), own)
    ahead = chains.arrive[chains.row[::-1]], chains.leave[chains.row[::-1]]
    future = propagate_leakage(*ahead, Evidence(lowest[::-1], highest[::-1]))
    so_far = Evidence(past.lowest + lowest, past.highest + highest)
    whole = Evidence(so_far.lowest + future.lowest[::-1], so_far.highest + future.highest[::-1])
    return TemporalLeakage(*(np.where(both_states_possible, each.loss, 0.0) for each in (so_far, whole)))


def propagate_leakage(arrive: Floats, leave: Floats, evidence: Evidence) -> Evidence:
    """Return how far, at most, the rates of all steps before each one shift its log-odds, (T, n).

    `arrive` and `leave`, (T − 1, n), are Pr[S = 1 | S⁺ = 0] and Pr[S = 0 | S⁺ = 1] of each step and the one
    that comes after it, in whichever direction time is walked.
    """
    lowest, highest = np.zeros_like(evidence.lowest), np.zeros_like(evidence.highest)
    occupied, empty = np.stack([arrive, 1 - leave]), np.stack([1 - arrive, leave])
    for t in range(len(arrive)):
        down = _neighbour_shift(-(lowest[t] + evidence.lowest[t]), empty[:, t], occupied[:, t])
        up = _neighbour_shift(highest[t] + evidence.highest[t], occupied[:, t], empty[:, t])
        lowest[t + 1], highest[t + 1] = np.minimum(down, up), np.maximum(down, up)
    return Evidence(lowest, highest)


def _neighbour_shift(size: Floats, favoured: Floats, other: Floats) -> Floats:
    """Return g(x), (n,), for |x| = size ≥ 0 in favour of one state of the neighbour.

    `favoured` and `other`, (2, n), are the probabilities of that state and of the other one where S = 0 and
    where S = 1. All is divided by e^size; beyond what e^−size can hold, only a state that is impossible on
    one side leaves more to say.
    """
    within = np.minimum(size, MAX_LOG_ODDS)
    empty, occupied = favoured + other * np.exp(-within)
    shift = np.where(size > 0, np.log(occupied / empty), 0.0)
    if size.max(initial=0.0) > MAX_LOG_ODDS:
        impossible = favoured == 0
        shift[impossible[0] & ~impossible[1]] += (size - within)[impossible[0] & ~impossible[1]]
        shift[impossible[1] & ~impossible[0]] -= (size - within)[impossible[1] & ~impossible[0]]
    return shift

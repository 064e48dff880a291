"""How well does the observer do? Many days on one street, every mechanism, the same states and use for all.

The street and its model stay; states, consumption and noise are drawn afresh each day, so that days are
independent. She believes the true model; her advantage is what she gains over someone who knows the model too
and sees no rate.

The strongest attack is an insider's on the optimal rate: one subtraction leaves what a single house used.
A promise must hold against this insider: with noise the subtraction leaves the house's use and the noise.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, get_args

import numpy as np
from numpy.random import SeedSequence

from rtp.attack.adversary import (
    AdversaryKind,
    Inference,
    InsiderKnowledge,
    Method,
    Posterior,
    make_adversary,
    method_for,
)
from rtp.attack.observation import observe
from rtp.attack.scores import BinnedScores, Score, bin_scores, right_guesses, score_days
from rtp.core.random import Stream, seed_of
from rtp.core.types import Bools, Floats, Ints
from rtp.core.workers import Progress
from rtp.mechanisms import REGISTRY, noise_scales
from rtp.scenario import Bounds, Scenario, must_be_house, must_be_one_of, must_be_within
from rtp.simulation import draw_day, market, unit_noise
from rtp.simulation.publish import publish
from rtp.street.draw import Street, StreetSpec
from rtp.street.simulate import replay_blocks

ATTACKED_DAYS = Bounds(2, 1000, "Days to attack")


@dataclass(frozen=True, kw_only=True)
class Attack:
    """The days so far, counted.

    Attributes
    ----------
    scores : dict of str to Score
        By mechanism: how often she is right, with its interval, and her curve.
    model : Score
        The guess that sees no rate.
    largest_evidence : dict of str to float
        Of any rate about any house, by mechanism.
    days : int
        How many days were attacked.
    scenario : Scenario
        The street.
    adversary, method : str
        Who attacks, and how.
    houses : ndarray
        Which houses were attacked.
    binned, model_binned : sequences of BinnedScores
        The counts of every day, by mechanism, and of the guess that sees no rate.

    Examples
    --------
    >>> import rtp
    >>> from rtp.attack import attack
    >>> found = attack(rtp.PRESETS["tiny street"], 2, mechanisms=["blowfish"])
    >>> found.days, list(found.scores)
    (2, ['blowfish'])
    """

    scenario: Scenario
    adversary: AdversaryKind
    method: Method
    houses: Ints
    days: int
    binned: Mapping[str, Sequence[BinnedScores]]
    model_binned: Sequence[BinnedScores]

    @cached_property
    def scores(self) -> dict[str, Score]:
        return {name: score_days(days, self.model_binned) for name, days in self.binned.items()}

    @cached_property
    def largest_evidence(self) -> dict[str, float]:
        """Of any rate about any house, by mechanism."""
        return {name: max(day.largest for day in days) for name, days in self.binned.items()}

    @cached_property
    def model(self) -> Score:
        return score_days(self.model_binned, self.model_binned)


def attack(
    scenario: Scenario,
    days: int,
    *,
    mechanisms: Sequence[str] | None = None,
    adversary: AdversaryKind = "outsider",
    inference: Inference = "filtering",
    house: int | None = None,
    progress: Progress | None = None,
) -> Attack:
    """Return how often an observer is right, over so many days drawn anew.

    Parameters
    ----------
    scenario : Scenario
        The street.
    days : int
        How many days are drawn, published and attacked.
    mechanisms : sequence of str, optional
        Whose rates she reads; all without.
    adversary : {"outsider", "insider"}
        Whether she knows the model only, or everybody else's use as well.
    inference : {"filtering", "smoothing"}
        Whether she has the rates so far, or those of the whole day.
    house : int, optional
        One house, counted from 0.
    progress : callable, optional
        Called with the fraction done; may raise to stop.

    Returns
    -------
    Attack

    Examples
    --------
    >>> import rtp
    >>> from rtp.attack import attack
    >>> found = attack(rtp.PRESETS["tiny street"], 4, mechanisms=["optimal", "blowfish"])
    >>> print(*(f"{name} {score.accuracy.value:.0%}" for name, score in found.scores.items()))
    optimal 83% blowfish 80%
    """
    for result in attacks(
        scenario, days, mechanisms=mechanisms, adversary=adversary, inference=inference, house=house
    ):
        if progress is not None:
            progress(result.days / days)
    return result


def attacks(
    scenario: Scenario,
    days: int,
    *,
    mechanisms: Sequence[str] | None = None,
    adversary: AdversaryKind = "outsider",
    inference: Inference = "filtering",
    house: int | None = None,
) -> Iterator[Attack]:
    """Yield the attack day by day: each result holds all days so far, so whoever stops keeps those."""
    must_be_within("days", days, ATTACKED_DAYS)
    must_be_one_of("adversary", adversary, get_args(AdversaryKind))
    must_be_one_of("inference", inference, get_args(Inference))
    must_be_house("house", house, scenario.households)
    names = list(REGISTRY) if mechanisms is None else list(mechanisms)
    for name in names:
        must_be_one_of("mechanism", name, REGISTRY)
    houses = np.arange(scenario.households) if house is None else np.array([house])
    return _attacks(scenario.replace(days=1), days, names, adversary, inference, houses)


def _attacks(
    scenario: Scenario,
    days: int,
    names: list[str],
    adversary: AdversaryKind,
    inference: Inference,
    houses: Ints,
) -> Iterator[Attack]:
    simulated = draw_day(scenario)
    spec, street, public = simulated.spec, simulated.street, market(scenario, simulated).public
    noises = noise_scales([REGISTRY[name] for name in names], public)
    watching = make_adversary(spec, street, 0, houses, method_for(adversary, street), inference)
    alone = watching.model_only
    binned: dict[str, list[BinnedScores]] = {name: [] for name in names}
    model_binned: list[BinnedScores] = []
    for day, seed in enumerate(seed_of(scenario.seed, Stream.ATTACKED_DAYS).spawn(days)):
        day_seed, noise_seed = seed.spawn(2)
        demand, occupied, used = _simulate_again(spec, street, houses, day_seed)
        insider = InsiderKnowledge(demand, used) if adversary == "insider" else None
        units = unit_noise(noise_seed, scenario.steps, scenario.independent_noise)
        for name in names:
            scale = noises[name].scale[:, 0]
            rate = publish(REGISTRY[name], public, demand, units[name], scale).rate
            observed = observe(REGISTRY[name], public, rate, scale)
            binned[name].append(bin_scores(occupied, *watching.infer(observed, insider)))
        model_binned.append(bin_scores(occupied, alone, alone, np.zeros_like(alone)))
        yield Attack(
            scenario=scenario,
            adversary=adversary,
            method=watching.method,
            houses=houses,
            days=day + 1,
            binned={name: tuple(counted) for name, counted in binned.items()},
            model_binned=tuple(model_binned),
        )


def attack_of_the_day(
    scenario: Scenario, seen: Sequence[Posterior], occupied: Bools, judged: Bools | None = None
) -> Attack:
    """Return one day's attack from her beliefs by one or several rates; she believes the true model.

    With the moments at which she is judged, (T,), it is an attack of as many days as have one.
    """
    true_model = [next(iter(each.by_model), each) for each in seen]
    alone = true_model[0].model_only
    moments = [np.arange(len(occupied))]
    if judged is not None:
        by_day = judged.reshape(-1, scenario.steps_per_day)
        moments = [np.flatnonzero(day) + k * len(day) for k, day in enumerate(by_day) if day.any()]

    def counted(belief: Floats, prior: Floats, evidence: Floats) -> list[BinnedScores]:
        return [bin_scores(occupied[at], belief[at], prior[at], evidence[at]) for at in moments]

    return Attack(
        scenario=scenario,
        adversary=seen[0].adversary,
        method=seen[0].method,
        houses=seen[0].houses,
        days=len(moments),
        binned={p.mechanism: counted(p.belief, p.prior, p.log_likelihood_ratio) for p in true_model},
        model_binned=counted(alone, alone, np.zeros_like(alone)),
    )


def right_so_far(seen: Posterior, column: int, occupied: Bools, step: int) -> tuple[float, float]:
    """Return the share of moments up to a step at which the likelier state was the true one, by her
    belief and by the model alone. `occupied` is the house's truth, (T,)."""
    now = slice(step + 1)
    hers, alone = (
        right_guesses(occupied[now], belief[now, column]) / (step + 1)
        for belief in (seen.belief, seen.model_only)
    )
    return hers, alone


class MomentSummary(NamedTuple):
    """One house at one moment: what is true, what she believes, and how she has done so far."""

    occupied: bool
    belief: float  # Pr[occupied] after this step's rate
    model_alone: float  # with no rate at all
    right: float  # share of the moments so far at which the likelier state was the true one
    right_alone: float  # the same by the model alone
    largest_evidence: float  # of any rate so far; infinite where one was proof
    proofs: int  # rates so far that left no doubt


def moment_summary(seen: Posterior, column: int, occupied: Bools, step: int) -> MomentSummary:
    """Return what is true and believed of a house at a step; `occupied` is the house's truth, (T,)."""
    right, right_alone = right_so_far(seen, column, occupied, step)
    so_far = seen.log_likelihood_ratio[: step + 1, column]
    return MomentSummary(
        occupied=bool(occupied[step]),
        belief=float(seen.belief[step, column]),
        model_alone=float(seen.model_only[step, column]),
        right=right,
        right_alone=right_alone,
        largest_evidence=float(np.abs(so_far).max()),
        proofs=int(np.isinf(so_far).sum()),
    )


def _simulate_again(
    spec: StreetSpec, street: Street, houses: Ints, seed: SeedSequence
) -> tuple[Floats, Bools, Floats]:
    """Return another day on the same street: demand (T,), and some houses' states and use (T, n)."""
    shape = (spec.steps, len(houses))
    demand, states, used = np.zeros(spec.steps), np.empty(shape, dtype=bool), np.empty(shape)
    for block, chunks in replay_blocks(spec, street, seed):
        here = (houses >= block.start) & (houses < block.stop)
        columns = houses[here] - block.start
        for now, occupied, consumption in chunks:
            demand[now] += consumption.sum(axis=1)
            states[now, here], used[now, here] = occupied[:, columns], consumption[:, columns]
    return demand, states, used

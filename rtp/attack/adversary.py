"""What an adversary infers about each house from the published rates (the paper's Section II).

She knows a model θ and every house's bounds, and undoes all that is public (`observation`). There are two:

* the *insider* also knows what everyone else used, the worst case that differential privacy guards against. A
  house is then a hidden Markov chain of its own, and her belief is exact;
* the *outsider* knows the model only: exactly, by the joint distribution of all states, on a street of up to
  `MAX_JOINT_HOUSES` houses ("joint", the paper's adversary); approximately, by a joint Gaussian, on a longer
  one ("gaussian").

She filters (a moment is judged by the rates up to it) or smooths (by all rates of its day). With several
models in Θ each gives a belief of its own; the worst is that of the model under which the rates move her
beliefs furthest from what that model alone says, on average over the day and the houses she follows. It is
one model's belief from the first step to the last.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from rtp.attack.gaussian import gaussian_filter, gaussian_smooth
from rtp.attack.joint_filter import Beliefs, is_exact, joint_filter
from rtp.attack.observation import Observed, insider_llr, observe
from rtp.core.time import PAPER_STEP, hhmm, steps_per_day
from rtp.core.types import Bools, Floats, Frame, Ints, data_frame
from rtp.mechanisms import REGISTRY
from rtp.probability.markov import (
    MAX_LOG_ODDS,
    Chains,
    Filtered,
    forward_filter,
    propagate,
    smooth,
    update,
)
from rtp.scenario import must_be_house, must_be_one_of
from rtp.simulation import Day
from rtp.street.draw import Street, StreetSpec

AdversaryKind = Literal["outsider", "insider"]
Inference = Literal["filtering", "smoothing"]
Method = Literal["insider", "joint", "gaussian"]

# What links, files and `meters.watch` call them.
BY_KNOWLEDGE: dict[str, AdversaryKind] = {"model": "outsider", "others": "insider"}
BY_HORIZON: dict[str, Inference] = {"so far": "filtering", "whole day": "smoothing"}

QUICK = 2_000  # houses × days × models that she follows while one waits


def method_for(adversary: AdversaryKind, street: Street) -> Method:
    """Return the strongest method that there is time for."""
    if adversary == "insider":
        return "insider"
    return "joint" if is_exact(street) else "gaussian"


class InsiderKnowledge(NamedTuple):
    """What an insider has beyond the rates."""

    demand: Floats  # (T,)
    used: Floats  # (T, n): of the houses she follows; she knows the demand less this


@dataclass(frozen=True, kw_only=True)
class Adversary:
    """She follows some houses of a street, taking one model for true."""

    method: Method
    inference: Inference
    street: Street
    houses: Ints  # those she follows
    chains: Chains  # of all houses or, as an insider, of those she follows
    steps_per_day: int

    @cached_property
    def model_only(self) -> Floats:
        """(T, n): Pr[occupied] of the houses she follows with no rate at all."""
        return propagate(self._own)

    @cached_property
    def _own(self) -> Chains:
        return self.chains if self.method == "insider" else self.chains.select(self.houses)

    def infer(self, observed: Observed, insider: InsiderKnowledge | None) -> Beliefs:
        """Return her beliefs over the rates; `insider` is what an insider needs."""
        smoothing = self.inference == "smoothing"
        if not observed.informative.any():
            return Beliefs(self.model_only, self.model_only, np.zeros_like(self.model_only))
        if insider is not None:
            ratio = insider_llr(observed, self.street, insider.demand, self.houses, insider.used)
            result, filtered = self._filter(ratio)
            return result._replace(belief=self._smooth(filtered)) if smoothing else result
        where = self.street, self.chains, self.houses, self.steps_per_day
        if self.method == "joint":
            return joint_filter(observed, *where, smoothing=smoothing)
        estimate = gaussian_filter(observed, *where)
        result, _ = self._filter(estimate.after - estimate.before)
        if not smoothing:
            return result
        later = gaussian_smooth(estimate, *where) - estimate.after
        later = np.clip(later, -MAX_LOG_ODDS, MAX_LOG_ODDS)
        return result._replace(belief=update(result.belief, 1 - result.belief, later)[0])

    def _filter(self, ratio: Floats) -> tuple[Beliefs, Filtered]:
        """Each house as a chain of its own. Certain houses give no evidence."""
        filtered = forward_filter(self._own, ratio)
        certain = (filtered.prior == 0) | (filtered.prior == 1)
        return Beliefs(filtered.posterior, filtered.prior, np.where(certain, 0.0, ratio)), filtered

    def _smooth(self, filtered: Filtered) -> Floats:
        """Pr[occupied | all rates of the moment's day], (T, n)."""
        days = []
        for first in range(0, self.chains.steps, self.steps_per_day):
            day = slice(first, min(first + self.steps_per_day, self.chains.steps))
            chains = self._own.between(day.start, day.stop, filtered.prior[first])
            days.append(smooth(chains, Filtered(filtered.prior[day], filtered.posterior[day])))
        return np.concatenate(days)


def make_adversary(
    spec: StreetSpec, street: Street, model: int, houses: Ints, method: Method, inference: Inference
) -> Adversary:
    """Return the adversary who follows these houses under that model."""
    return Adversary(
        method=method,
        inference=inference,
        street=street,
        houses=houses,
        chains=spec.chains(street, model, houses if method == "insider" else slice(None)),
        steps_per_day=spec.steps_per_day,
    )


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """What she believes of some houses under one model. Arrays are (T, n).

    Attributes
    ----------
    houses : ndarray
        Which ones, (n,).
    belief : ndarray
        Pr[occupied | rates so far], or of the whole day.
    prior : ndarray
        The same before the step's own rate.
    log_likelihood_ratio : ndarray
        ln Pr[rate | occupied] − ln Pr[rate | empty]; 0 where the state is certain.
    model_only : ndarray
        Pr[occupied] with no rate at all.
    shift : ndarray
        How far the rates move her belief from the model's, on average over the day, (n,).
    by_model : tuple of Posterior
        One for each θ, where this is the worst of several.
    mechanism, model : str
        Whose rates she saw, and the θ that she believes in.
    adversary : {"outsider", "insider"}
        Whether she knows the model only, or everybody else's use too.
    inference : {"filtering", "smoothing"}
        Whether she judges by the rates so far, or by the whole day's.
    method : {"insider", "joint", "gaussian"}
        How: exactly as an insider, exactly over all houses at once, or with the others' sum as normal.

    Examples
    --------
    >>> import rtp
    >>> from rtp.attack import posterior
    >>> found = posterior(rtp.simulate(rtp.PRESETS["tiny street"]), "blowfish", house=0)
    >>> bool(((found.belief >= 0) & (found.belief <= 1)).all()), found.houses.tolist()
    (True, [0])
    """

    mechanism: str
    adversary: AdversaryKind
    method: Method
    inference: Inference
    model: str
    houses: Ints  # (n,)
    belief: Floats  # Pr[occupied | rates so far], or of the whole day
    prior: Floats  # before the step's own rate
    log_likelihood_ratio: Floats  # ln Pr[rate | occupied] − ln Pr[rate | empty]; 0 where the state is certain
    model_only: Floats  # Pr[occupied] with no rate at all
    by_model: tuple["Posterior", ...] = ()  # one for each θ, where this is the worst of several

    @property
    def shift(self) -> Floats:
        """(n,): how far the rates move her belief from the model's, on average over the day."""
        return np.asarray(np.abs(self.belief - self.model_only).mean(axis=0))

    def only(self, column: int) -> "Posterior":
        """The same of one house alone, as a copy: the others need not be kept for it."""
        arrays = ("belief", "prior", "log_likelihood_ratio", "model_only")
        return replace(
            self,
            houses=self.houses[[column]],
            by_model=tuple(part.only(column) for part in self.by_model),
            **{name: getattr(self, name)[:, [column]] for name in arrays},
        )

    def of(self, house: int | None) -> "Posterior":
        """The same of one house, without one of that about which the rates move her most."""
        return self.only(int((self.shift if house is None else self.houses == house).argmax()))

    def frame(self, occupied: Bools, step_minutes: int = PAPER_STEP) -> Frame:
        """One row per house and step; `occupied`, (T, n), is the truth."""
        steps, n = self.belief.shape
        step = np.arange(steps)
        columns = {
            "occupied": occupied.astype(int),
            "model_alone": self.model_only,
            "belief_before_the_rate": self.prior,
            "belief": self.belief,
            "log_evidence": self.log_likelihood_ratio,
        }
        return data_frame(
            {
                "house": np.repeat(self.houses, steps),
                "day": np.tile(step // steps_per_day(step_minutes) + 1, n),
                "time": [hhmm(s * step_minutes / 60) for s in step.tolist()] * n,
            }
            | {name: values.T.ravel() for name, values in columns.items()}
        )


def posterior(
    day: Day,
    mechanism: str,
    *,
    adversary: AdversaryKind = "outsider",
    inference: Inference = "filtering",
    house: int | Sequence[int] | None = None,
    model: str | None = None,
    method: Method | None = None,
) -> Posterior:
    """Return her belief about one house, some, or all, over the day.

    Parameters
    ----------
    day : Day
        A simulated day.
    mechanism : str
        Whose rates she reads.
    adversary : {"outsider", "insider"}
        Whether she knows the model only, or everybody else's use as well.
    inference : {"filtering", "smoothing"}
        Whether she has the rates so far, or those of the whole day.
    house : int or sequence of int, optional
        The house, or some, counted from 0; all of them without.
    model : str, optional
        The model of Θ that she believes in; without, that of the worst.
    method : str, optional
        Forces one that is not the strongest.

    Returns
    -------
    Posterior

    Examples
    --------
    >>> import rtp
    >>> from rtp.attack import posterior
    >>> day = rtp.simulate(rtp.PRESETS["tiny street"])
    >>> optimal, private = (posterior(day, name, house=0).shift[0] for name in ("optimal", "blowfish"))
    >>> bool(optimal > private)
    True
    """
    names = day.scenario.model_names
    must_be_one_of("mechanism", mechanism, day.release)
    must_be_one_of("adversary", adversary, get_args(AdversaryKind))
    must_be_one_of("inference", inference, get_args(Inference))
    must_be_one_of("model", model, [None, *names])
    some = range(day.scenario.households) if house is None else [house] if isinstance(house, int) else house
    for each in some if house is not None else ():
        must_be_house("house", each, day.scenario.households)
    houses = np.array(some)
    observed = observed_day(day, mechanism)
    insider = (
        InsiderKnowledge(day.street_day.demand, day.street_day.use_of(houses))
        if adversary == "insider"
        else None
    )
    chosen = range(len(names)) if model is None else [names.index(model)]
    results: list[Posterior] = []
    for m in chosen:
        method = method or method_for(adversary, day.street)
        who = make_adversary(day.street_day.spec, day.street, m, houses, method, inference)
        results.append(
            Posterior(
                mechanism=mechanism,
                adversary=adversary,
                method=method,
                inference=inference,
                model=names[m],
                houses=houses,
                **who.infer(observed, insider)._asdict(),
                model_only=who.model_only,
            )
        )
    return results[0] if len(results) == 1 else worst(results)


def observed_day(day: Day, mechanism: str) -> Observed:
    """Return what a mechanism's rates of the day show."""
    release = day.release[mechanism]
    return observe(REGISTRY[mechanism], day.market.public, release.rate, release.scale)


def worst(posteriors: Sequence[Posterior]) -> Posterior:
    """Return that of the model under which the rates move her beliefs furthest; of equals the first."""
    most = max(posteriors, key=lambda each: float(each.shift.mean()))
    return replace(most, by_model=tuple(posteriors))


def largest_gaps(street: Street, first: int, always: int | None = None) -> list[int]:
    """Return the first so many houses by how much their mean use differs between their states, which then
    show in the demand; lowest number first, and one that is among them `always`."""
    (empty, occupied), _ = street.moments()
    order = np.argsort(-np.abs(occupied - empty), kind="stable")[:first].tolist()
    if always is not None and always not in order:
        order[-1] = always
    return sorted(order)

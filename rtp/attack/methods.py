"""Which observer is at work, and her beliefs over the rates of a day.

* "alone": she knows what everyone else used, the worst case that differential privacy guards against. A house
  is then a hidden Markov chain of its own, and her belief is exact.
* "joint": she knows the model only, on a street of up to `MOST` houses of uniform use: the paper's adversary,
  exactly.
* "gaussian": the same on a longer street, or one with other laws of use, approximately; `judge` measures how
  far off where use is uniform.

Two horizons: the rates so far, or all rates of the day that the moment belongs to.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from rtp.attack.beliefs import Beliefs, Chains, chains_of, follow, look_back, model_only
from rtp.attack.course import Course
from rtp.attack.evidence import evidence_alone
from rtp.attack.gaussian import GaussianFilter
from rtp.attack.joint_filter import MOST, follow_jointly
from rtp.attack.observed import Observed
from rtp.attack.smoother import smooth
from rtp.core.types import Floats, Ints
from rtp.probability.laplace_uniform import JointDensity
from rtp.street.draw import Street, StreetSpec
from rtp.street.simulate import Progress

Knowledge = Literal["model", "others"]
Method = Literal["alone", "joint", "gaussian"]
Horizon = Literal["so far", "whole day"]
QUICK = 2_000  # houses × days × models that she follows while one waits


def method_for(knows: Knowledge, street: Street) -> Method:
    """The strongest that there is time for."""
    if knows == "others":
        return "alone"
    return "joint" if len(street.group) <= MOST and street.distributions is None else "gaussian"


class Known(NamedTuple):
    """What she has beyond the rates if she knows what everyone else used."""

    demand: Floats  # (T,)
    used: Floats  # (T, n): of the houses she watches; she knows the demand less this


@dataclass(frozen=True, kw_only=True)
class Watcher:
    """She watches some houses of a street, taking one model for true."""

    method: Method
    horizon: Horizon
    street: Street
    houses: Ints  # those she watches
    chains: Chains  # of those she tracks: all houses or, alone, the ones she watches
    steps: int

    @cached_property
    def _density(self) -> JointDensity:
        return JointDensity(self.street.occupied_bound, self.street.empty_bound)

    @cached_property
    def _course(self) -> Course:
        return Course(self.street, self.chains, self.steps)

    @cached_property
    def model_only(self) -> Floats:
        """(T, n): Pr[occupied] of the houses she watches with no rate at all."""
        mine = np.isin(np.arange(len(self.chains.group)), self.houses)
        return model_only(self.chains if self.method == "alone" else self.chains.of(mine), self.steps)

    def watch(self, seen: Observed, known: Known | None = None, progress: Progress | None = None) -> Beliefs:
        """Her beliefs over the rates; `known` is needed where she is alone with a house."""
        whole_day = self.horizon == "whole day"
        if known is not None:
            alone = evidence_alone(seen, self.street, known.demand, self.houses, known.used)
            found = follow(alone, self.chains, progress)
            return found._replace(belief=look_back(found, self.chains)) if whole_day else found
        keep = np.isin(np.arange(len(self.street.group)), self.houses)
        if not seen.heard.any():  # without any rate houses stay independent
            return follow(np.zeros((len(seen.total), len(self.houses))), self.chains.of(keep), progress)
        if self.method == "joint":
            return follow_jointly(
                seen, self._density, self.chains, keep, whole_day=whole_day, progress=progress
            )
        gaussian = GaussianFilter(seen, self._course, keep)
        said = gaussian.run(progress)
        found = follow(said.after - said.before, self.chains.of(keep))
        return found._replace(belief=smooth(gaussian, said.after, found.belief)) if whole_day else found


def watcher(
    spec: StreetSpec, street: Street, model: int, houses: Ints, method: Method, horizon: Horizon
) -> Watcher:
    tracked = houses if method == "alone" else np.arange(spec.households)
    return Watcher(
        method=method,
        horizon=horizon,
        street=street,
        houses=houses,
        chains=chains_of(spec, street, model, tracked),
        steps=spec.steps,
    )

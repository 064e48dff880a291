"""Two houses that come and go together, on the stage of Algorithm 1: whom it leaves out, and what that costs.

The promise is about joint states that differ in one house, and Algorithm 1 adds noise for the houses in which
two possible ones do. If everybody knows that houses a and b are always both in or both out, no two possible
states differ in one of them alone, so neither is ever in κ: told of the link, the algorithm protects neither.
Not told, it adds noise for the larger of them; but their demand changes by up to u_a + u_b at once, and a
rate may shift the log-odds of "both in" by ε·(u_a + u_b)/max(u_a, u_b). Noise as for one house with the bound
u_a + u_b keeps the promise for both.

What an observer learns is exact: Bayes' rule on all joint states, with the noise that was really added.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.types import Floats
from rtp.mechanisms import Mechanism, NoiseScale, Public, blowfish
from rtp.probability.markov import marginals
from rtp.probability.privacy_loss import privacy_loss_any_use
from rtp.scenario import Scenario
from rtp.simulation import publish_day
from rtp.teaching.stage import (
    STAGE_MECHANISM,
    Stage,
    follow,
    occupied_probabilities,
    open_stage,
    opening,
    protected_by_any_model,
    small_street,
    told_of,
)

Noise = Literal["told", "not told", "both"]  # of the link: Algorithm 1 told of it, not told, noise for both
SURE_BELIEF = 0.95  # the belief from which an observer counts as sure


@dataclass(frozen=True, kw_only=True)
class LinkedDay:
    """What one way to add noise does about two linked houses; arrays are (T,)."""

    rate: Floats
    scale: Floats
    loss: Floats  # the most a rate gives away about the two, whatever they use within their bounds
    error: float  # what the rate is off in a typical step, on average
    belief: Floats  # Pr[both in] from the rates so far

    @property
    def sure(self) -> int:
        """At how many steps she is sure of both."""
        return sure_steps(self.belief)


def sure_steps(belief: Floats) -> int:
    """Return at how many steps a belief is that of an observer who is sure."""
    return int(np.count_nonzero(np.maximum(belief, 1 - belief) >= SURE_BELIEF))


def with_link(street: Stage) -> Stage | None:
    """The stage on which its two largest uncertain houses are linked; None where fewer are uncertain."""
    linked = pair_of(street)
    if linked is None:
        return None
    changes = {house: change for house, change in street.changes.items() if house not in linked}
    return open_stage(street.scenario, changes, linked)


def pair_of(stage: Stage) -> tuple[int, int] | None:
    """The two largest houses that are uncertain at the stage's beginning, or ever; None where fewer are."""
    bound = stage.street.bound
    for open_houses in (stage.protected[0], stage.protected.any(axis=0)):
        largest = sorted(np.flatnonzero(open_houses).tolist(), key=lambda house: -bound[house])
        if len(largest) > 1:
            return largest[0], largest[1]
    return None


def for_both(linked: tuple[int, int]) -> Mechanism:
    """Blowfish with noise for two linked houses as for one with the sum of their bounds."""

    def scale(public: Public) -> NoiseScale:
        street, sum_of_both = public.street, public.street.occupied_bound.copy()
        sum_of_both[linked[0]] = street.bound[list(linked)].sum()
        return blowfish.scale(replace(public, street=replace(street, occupied_bound=sum_of_both)))

    return replace(blowfish.MECHANISM, scale=scale)


def linked_days(stage: Stage) -> Mapping[Noise, LinkedDay]:
    """The three ways to add noise on the linked street's day, with the same unit noise."""
    assert stage.linked is not None, "houses are linked"
    ways: dict[Noise, Mechanism] = {
        "told": told_of(stage.linked),
        "not told": blowfish.MECHANISM,
        "both": for_both(stage.linked),
    }
    return {noise: _linked_day(stage, mechanism) for noise, mechanism in ways.items()}


def _linked_day(stage: Stage, mechanism: Mechanism) -> LinkedDay:
    linked = stage.linked
    assert linked is not None, "houses are linked"
    day = publish_day(stage.scenario, stage.street_day, [mechanism])
    release = day.release[STAGE_MECHANISM]
    steps = follow(day, stage.own, linked, as_added=True)
    reach = day.market.tariff.alpha * day.market.tariff.responses(release.rate)  # of a unit of consumption
    uncertain = stage.street_day.support_classes.protected[:, linked[0]]
    most = stage.street.bound[list(linked)].sum()
    loss = [privacy_loss_any_use(float(b), most) for b in release.scale / reach]
    return LinkedDay(
        rate=release.rate,
        scale=release.scale,
        loss=np.where(uncertain, loss, 0.0),
        error=release.expected_error,
        belief=np.array([occupied_probabilities(step.models[0].posterior)[linked[0]] for step in steps]),
    )


def after_linking(scenario: Scenario, houses: int) -> tuple[int, str]:
    """Return how many houses of a small street Algorithm 1 ever protects once two are linked, and in numbers
    what that means."""
    small = small_street(scenario, houses)
    stage = with_link(open_stage(small, opening(small)))
    if stage is None:
        return 0, "Here fewer than two houses are ever uncertain."
    protected = {house for t in range(small.steps) for house in protected_by_any_model(stage.at(t))}
    told, not_told, both = linked_days(stage).values()
    noise = f"noise of scale {plain(float(told.scale.max()))}" if told.scale.any() else "no noise"
    return len(protected), (
        f"Told of it, Algorithm 1 adds {noise}, and the observer is at least {percent(SURE_BELIEF)} sure of "
        f"both at {told.sure} of {small.steps} steps. Not told, it adds noise for the larger one: a rate may "
        f"then favour one answer by e^{plain(float(not_told.loss.max()))}, and ε is "
        f"{plain(scenario.epsilon)}. Noise for both together costs an RMSRE of {percent(both.error)} in "
        f"place of {percent(not_told.error)}."
    )


def sure_by_habits(stage: Stage) -> int:
    """Return at how many steps habits alone, without any rate, make an observer sure of the linked houses."""
    assert stage.linked is not None, "houses are linked"
    first = stage.linked[0]
    chains = stage.own[first].chains(stage.street, 0, slice(first, first + 1))
    return sure_steps(marginals(chains)[0][:, 0])

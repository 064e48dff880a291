"""Two houses that come and go together, on the stage of Algorithm 1: whom it leaves out, and what that costs.

The promise is about joint states that differ in one house, and Algorithm 1 adds noise for the houses in which
two possible ones do. If everybody knows that houses a and b are always both in or both out, no two possible
states differ in one of them alone, so neither is ever in κ: told of the link, the algorithm protects neither.
Not told, it adds noise for the larger of them; but their demand changes by up to u_a + u_b at once, and a
rate may shift the log-odds of "both in" by ε·(u_a + u_b)/max(u_a, u_b). Noise as for one house with the bound
u_a + u_b keeps the promise for both.

What an observer learns is exact: Bayes' rule on all joint states, with the noise that was really added. At
how many steps she is sure is a mean over draws of that noise: in one, more of it may help her by chance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.language import noted, say
from rtp.core.types import Floats
from rtp.mechanisms import Mechanism, NoiseScale, Public, blowfish
from rtp.probability.laplace_uniform import joint_log_density
from rtp.probability.markov import marginals
from rtp.probability.privacy_loss import privacy_loss_any_use
from rtp.scenario import Scenario
from rtp.simulation import publish_day
from rtp.teaching.stage import (
    STAGE_MECHANISM,
    Stage,
    open_stage,
    opening,
    protected_by_any_model,
    small_street,
    told_of,
)

DRAWS = 16  # of the noise, for how often an observer is sure
Noise = Literal["told", "not told", "both"]  # of the link: Algorithm 1 told of it, not told, noise for both
NOISE_NAMES: Mapping[Noise, str] = {
    "told": noted("Algorithm 1, told of it"),
    "not told": noted("Algorithm 1, not told"),
    "both": noted("Noise for both together"),
}
SURE_BELIEF = 0.95  # the belief from which an observer counts as sure


@dataclass(frozen=True, kw_only=True)
class LinkedDay:
    """What one way to add noise does about two linked houses; arrays are (T,)."""

    scale: Floats
    loss: Floats  # the most a rate gives away about the two, whatever they use within their bounds
    error: float  # what the rate is off in a typical step, on average
    sure: float  # at how many steps an observer is sure of both, on average over draws of the noise


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
    return {noise: _linked_day(stage, mechanism) for noise, mechanism in ways(stage.linked).items()}


def ways(linked: tuple[int, int]) -> Mapping[Noise, Mechanism]:
    """What adds the noise in each."""
    return {"told": told_of(linked), "not told": blowfish.MECHANISM, "both": for_both(linked)}


def _linked_day(stage: Stage, mechanism: Mechanism) -> LinkedDay:
    linked = stage.linked
    assert linked is not None, "houses are linked"
    day = publish_day(stage.scenario, stage.street_day, [mechanism])
    release = day.release[STAGE_MECHANISM]
    reach = day.market.tariff.alpha * day.market.tariff.responses(release.rate)  # of a unit of consumption
    uncertain = stage.street_day.support_classes.protected[:, linked[0]]
    most = stage.street.bound[list(linked)].sum()
    loss = [privacy_loss_any_use(float(b), most) for b in release.scale / reach]
    return LinkedDay(
        scale=release.scale,
        loss=np.where(uncertain, loss, 0.0),
        error=release.expected_error,
        sure=sure_steps(beliefs(stage, mechanism, range(DRAWS))) / DRAWS,
    )


def beliefs(stage: Stage, mechanism: Mechanism, seeds: Sequence[int]) -> Floats:
    """Return Pr[both in] of the linked houses from the rates so far, (T, D), on one day under the noise of D
    seeds: the forward filter on the joint states of all houses but the second linked one."""
    assert stage.linked is not None, "houses are linked"
    first, second = stage.linked
    days = [publish_day(stage.scenario.replace(seed=seed), stage.street_day, [mechanism]) for seed in seeds]
    tariff, releases = days[0].market.tariff, [day.release[STAGE_MECHANISM] for day in days]
    response = np.stack([tariff.responses(release.rate) for release in releases], axis=1)  # (T, D)
    rate, scale = (np.stack([getattr(each, name) for each in releases], axis=1) for name in ("rate", "scale"))
    base, reach = tariff.beta + tariff.alpha * tariff.inelastic_demand, tariff.alpha * response
    houses = [house for house in range(stage.houses) if house not in stage.linked] + [first]
    x, b = ((rate - base) / reach).ravel(), (scale / reach).ravel()
    seen = joint_log_density(x, b, stage.street.occupied_bound, stage.street.empty_bound)
    seen = seen.reshape(*rate.shape, *(2,) * stage.houses)
    seen = np.diagonal(seen, axis1=2 + first, axis2=2 + second)  # the state of the linked ones comes last
    chains = [stage.own[h].chains(stage.street, 0, slice(h, h + 1)) for h in houses]
    belief = np.ones((len(seeds), *(1,) * len(houses)))
    for axis, chain in enumerate(chains, start=1):
        start = np.array([1 - chain.initial[0], chain.initial[0]])
        belief = belief * start.reshape([-1 if each == axis else 1 for each in range(belief.ndim)])
    every, others, result = tuple(range(1, belief.ndim)), tuple(range(1, belief.ndim - 1)), []
    for t, likelihood in enumerate(seen):
        belief = belief * np.exp(likelihood - likelihood.max(axis=every, keepdims=True))
        belief /= belief.sum(axis=every, keepdims=True)
        result.append(belief.sum(axis=others)[:, 1])
        for axis, chain in enumerate(chains if t + 1 < len(seen) else (), start=1):
            leave, arrive = chain.leave[chain.row[t], 0], chain.arrive[chain.row[t], 0]
            matrix = np.array([[1 - arrive, arrive], [leave, 1 - leave]])
            belief = np.moveaxis(np.tensordot(belief, matrix, (axis, 0)), -1, axis)
    return np.array(result)


class AfterLinking(NamedTuple):
    """What a link of two houses does on a small street."""

    protected: int  # how many houses Algorithm 1 ever protects
    words: str  # what that means in numbers
    steps: int
    sure: Mapping[Noise, float]  # at how many of them an observer is sure of both


def after_linking(scenario: Scenario, houses: int) -> AfterLinking:
    """Return what becomes of a small street once two of its houses are linked."""
    small = small_street(scenario, houses)
    stage = with_link(open_stage(small, opening(small)))
    if stage is None:
        none = say("Here fewer than two houses are ever uncertain.")
        return AfterLinking(0, none, small.steps, {})
    protected = {house for t in range(small.steps) for house in protected_by_any_model(stage.at(t))}
    days = linked_days(stage)
    told, not_told, both = days.values()
    noise = say("no noise")
    if told.scale.any():
        noise = say("noise of scale {scale}", scale=plain(float(told.scale.max())))
    words = say(
        "Told of it, Algorithm 1 adds {noise}, and the observer is at least {belief} sure of both at {told} "
        "of {steps} steps, on average over draws of the noise. Not told, it adds noise for the larger one: "
        "she is so sure at {not_told}, and a rate may favour one answer by e^{loss}, where ε is {epsilon}. "
        "Noise for both together leaves {both}, and costs an RMSRE of {error} in place of {before}.",
        noise=noise,
        belief=percent(SURE_BELIEF),
        told=round(told.sure),
        steps=small.steps,
        not_told=round(not_told.sure),
        loss=plain(float(not_told.loss.max())),
        epsilon=plain(scenario.epsilon),
        both=round(both.sure),
        error=percent(both.error),
        before=percent(not_told.error),
    )
    sure = {noise: day.sure for noise, day in days.items()}
    return AfterLinking(len(protected), words, small.steps, sure)


def sure_by_habits(stage: Stage) -> int:
    """Return at how many steps habits alone, without any rate, make an observer sure of the linked houses."""
    assert stage.linked is not None, "houses are linked"
    first = stage.linked[0]
    chains = stage.own[first].chains(stage.street, 0, slice(first, first + 1))
    return sure_steps(marginals(chains)[0][:, 0])

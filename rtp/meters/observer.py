"""An observer who knows that people sleep at home: she follows a house by the states of `four_states`.

A scenario's house has two states, and at home it uses, to her, what it uses on average: by night, when little
use says nothing, she would take sleep for absence. Where four states were learned, who knows what all others
used follows those in place of two: at every step the same evidence, here on whether much or little is used,
and a chain of four states. Where a rate shows use exactly she also knows how it follows the use before;
behind noise that is left aside.

She filters or, where the posterior of two states that she begins with is smoothed, judges every moment by the
whole record; what a rate adds is that of the filter in either case.

Who knows the model only follows every house's level, much or little, in place of its occupancy: chances to
change it in every step are what the four states make one expect, and the joint or Gaussian filter of
`rtp.attack` says what a rate tells of one house's level. With that evidence she follows its four states. On a
street of one house she knows as much as who knows all others.
"""

from dataclasses import replace

import numpy as np

from rtp.attack.adversary import Adversary, Posterior, method_for, observed_day
from rtp.attack.observation import Observed, insider_llr
from rtp.core.types import Floats, Ints
from rtp.meters import four_states
from rtp.meters.four_states import AWAY, BUSY, quarters, spread
from rtp.meters.learned import Learned
from rtp.meters.readings import weekend_days
from rtp.probability.hmm import (
    Model,
    forward,
    forward_backward,
    joint_weights,
    transition_matrices,
    weigh,
)
from rtp.probability.markov import MAX_LOG_ODDS, Chains
from rtp.probability.observations import Observations, to_bins
from rtp.simulation import Day
from rtp.street.draw import Street

CHAINS_AT_ONCE = 200
CERTAIN = 1e-12  # what is further from certainty counts as this


def place_of(learned: Learned | None, house: int, day: Day) -> int | None:
    """Return where a house of the day stands among those whose four states were learned, if it does and the
    day has the steps in which they were."""
    if learned is None or learned.houses.as_read is None or learned.minutes != day.scenario.step_minutes:
        return None
    places = learned.taught[learned.which[learned.taught] == house]
    return int(places[0]) if len(places) else None


def _states(learned: Learned, places: Ints) -> Model:
    """The four states of some houses, and what they use as it is read."""
    assert learned.houses.as_read is not None
    return learned.houses.as_read.select(places)


def believe(
    day: Day, two: Posterior, house: int, learned: Learned, place: int, *, outside: bool = False
) -> Posterior:
    """Return what an insider, or an outsider, believes of a house of the day by its four states, from what an
    insider believes by two."""
    observed, model = observed_day(day, two.mechanism), _states(learned, np.array([place]))
    scenario, method = day.scenario, method_for("outsider", day.street) if outside else two.method
    minutes = scenario.step_minutes
    weekend = weekend_days(scenario.first_weekday, scenario.days)
    clock = four_states.clock_of(model, minutes, weekend)
    two = replace(two, adversary="outsider" if outside else two.adversary, method=method)
    if not observed.informative.any():
        return _followed(two, model, clock, None, minutes)
    if outside:
        ratio = _outsider_ratio(day, observed, house, learned, clock)
    elif observed.b.any():
        ratio = _insider_ratio(day, observed, house, model)
    else:
        used = spread(day.street_day.use_of(np.array([house])).T, minutes).astype(np.float32)
        seen = Observations(to_bins(used, learned.houses.edges[[place]]), clock)
        return _followed(two, model, clock, joint_weights(seen, model), minutes)
    return _followed(two, model, clock, _by_level(model, clock, ratio, minutes), minutes)


def _with_levels(street: Street, houses: Ints, model: Model) -> Street:
    """The street on which some houses use what they do in either level, in place of either state."""
    laws = street.distributions
    assert laws is not None  # the learned ones
    mass = laws.mass.copy()
    mass[:, houses] = model.emission
    return replace(street, distributions=replace(laws, mass=mass, moments=None))


def _insider_ratio(day: Day, observed: Observed, house: int, model: Model) -> Floats:
    """ln Pr[rate | much use] − ln Pr[rate | little], (T, 1), to who knows what all others use."""
    hidden = np.array([house])
    street, use = _with_levels(day.street, hidden, model), day.street_day.use_of(hidden)
    return insider_llr(observed, street, day.street_day.demand, hidden, use)


def _outsider_ratio(day: Day, observed: Observed, house: int, learned: Learned, clock: Ints) -> Floats:
    """The same to who knows the model only."""
    known, all_known = learned.which[learned.taught], _states(learned, learned.taught)
    chains = day.street_day.spec.chains(day.street, 0)
    who = Adversary(
        method=method_for("outsider", day.street),
        inference="filtering",
        street=_with_levels(day.street, known, all_known),
        houses=np.array([house]),
        chains=_levels(chains, known, all_known, clock, day.scenario.step_minutes),
        steps_per_day=day.scenario.steps_per_day,
    )
    return who.infer(observed, None).log_likelihood_ratio


def _levels(chains: Chains, known: Ints, model: Model, clock: Ints, minutes: int) -> Chains:
    """The chains of all houses, of some in their levels, as their four states make one expect."""
    leave, arrive, pieces = chains.leave[chains.row], chains.arrive[chains.row], quarters(minutes)
    initial = chains.initial.copy()
    for part in np.array_split(np.arange(len(known)), -(-len(known) // CHAINS_AT_ONCE)):
        some, own = known[part], model.select(part)
        matrices, now = transition_matrices(own), own.initial
        for period in clock[: pieces // 2]:
            now = np.einsum("in,ijn->jn", now, matrices[period])
        initial[some] = now[BUSY]
        for t, periods in enumerate(clock[pieces // 2 : pieces // 2 - pieces].reshape(-1, pieces)):
            move = matrices[periods[0]]
            for period in periods[1:]:
                move = np.einsum("ijn,jkn->ikn", move, matrices[period])
            then = np.einsum("in,ijn->jn", now, move)
            leave[t, some] = 1 - move[BUSY, BUSY]
            arrive[t, some] = (then[BUSY] - now[BUSY] * move[BUSY, BUSY]) / (1 - now[BUSY])
            now = then
    return Chains(initial=initial, leave=leave, arrive=arrive, row=np.arange(chains.steps - 1))


def _followed(
    two: Posterior, model: Model, clock: Ints, seen: tuple[Floats, Floats] | None, minutes: int
) -> Posterior:
    """Beliefs by the four states where each step is read, given their joint weights with what is seen, or
    nothing."""
    matrices, pieces = transition_matrices(model)[clock[:-1]], quarters(minutes)
    read = slice(pieces // 2, None, pieces)
    alone = 1 - forward(model.initial, matrices)[0][read, AWAY]
    if seen is None:
        return replace(two, belief=alone, prior=alone, model_only=alone)
    states, _ = forward(*seen)
    before = np.einsum("tin,tijn->tjn", states[:-1], matrices)
    first = 1 - model.initial[None, AWAY]
    belief, prior = 1 - states[read, AWAY], np.concatenate([first, 1 - before[:, AWAY]])[read]
    evidence = _log_odds(belief) - _log_odds(prior)
    if two.inference == "smoothing":
        belief = 1 - forward_backward(*seen).states[:, AWAY]
    return replace(two, belief=belief, prior=prior, model_only=alone, log_likelihood_ratio=evidence)


def _by_level(model: Model, clock: Ints, ratio: Floats, minutes: int) -> tuple[Floats, Floats]:
    """The joint weights of states and rates, from ln Pr[rate | much use] − ln Pr[rate | little], (T, 1)."""
    ratio = spread(np.clip(ratio, -MAX_LOG_ODDS, MAX_LOG_ODDS).T, minutes, 0.0).T
    likelihood = np.exp(np.array([-np.maximum(ratio, 0.0), np.minimum(ratio, 0.0)]))
    level = model.table.level
    matrices = transition_matrices(model)[clock[:-1]]
    return model.initial * likelihood[list(level), 0], weigh(matrices, level, likelihood, likelihood[:, 1:])


def _log_odds(probability: Floats) -> Floats:
    sure = np.clip(probability, CERTAIN, 1 - CERTAIN)
    return np.asarray(np.log(sure) - np.log1p(-sure))

"""An observer who knows that people sleep at home: she follows a house by the three states of `rhythm`.

A scenario's house has two states, and at home it uses, to her, what it uses on average: by night, when little
use says nothing, she would take sleep for absence. Where three states were learned, who knows what all others
used follows those in place of two: at every step the same evidence, here on whether much or little is used,
and a chain of four states. Where a rate shows use exactly she also knows how it follows the use before;
behind noise that is left aside.

Who knows the model only follows every house's level, much or little, in place of its occupancy: chances to
change it in every step are what the four states make one expect, and the joint or Gaussian filter of
`rtp.attack` says what a rate tells of one house's level. With that evidence she follows its four states. On a
street of one house she knows as much as who knows all others.
"""

from dataclasses import replace

import numpy as np

from rtp.attack.adversary import Adversary, Posterior, method_for, observed_day
from rtp.attack.observation import Observed, insider_llr
from rtp.core.time import WEEKDAYS
from rtp.core.types import Floats, Ints
from rtp.meters import rhythm as rhythms
from rtp.meters.learned import Learned
from rtp.meters.readings import Observations
from rtp.meters.rhythm import AWAY, BUSY, LEVEL, Rhythm
from rtp.probability.markov import MAX_LOG_ODDS, Chains, forward_states
from rtp.scenario import Scenario
from rtp.simulation import Day

HOUSES_AT_ONCE = 200
SURE = 1e-12  # what is further from certainty counts as this


def rhythm_of(learned: Learned | None, house: int, scenario: Scenario) -> tuple[Rhythm, Floats] | None:
    """Return the three states of one of the readings' houses and its bins' edges, (1, K + 1), if they were
    learned in the scenario's steps; from the weekday on which its days begin."""
    if learned is None or learned.rhythm is None or learned.minutes != scenario.step_minutes:
        return None
    place = np.flatnonzero(learned.which[learned.decoded] == house)
    if not len(place):
        return None
    return _from(learned.rhythm, place, scenario), learned.houses.edges[learned.decoded[place]]


def _from(rhythm: Rhythm, places: Ints, scenario: Scenario) -> Rhythm:
    """Some houses, on days that begin when the scenario's do."""
    return replace(rhythm.select(places), first=WEEKDAYS.index(scenario.first_weekday))


def believe(day: Day, two: Posterior, house: int, rhythm: Rhythm, edges: Floats) -> Posterior:
    """Return what an insider believes of a house of the day by its three states, from the same by two."""
    observed = observed_day(day, two.mechanism)
    seen = _seen(day, observed, house, rhythm, edges) if observed.informative.any() else None
    return _followed(two, rhythm, seen)


def believe_outside(day: Day, two: Posterior, house: int, learned: Learned, order: Ints) -> Posterior:
    """Return what an outsider believes of a house of the day by three states, from an insider's by two.
    `order` says which of the readings' houses each house of the street is."""
    observed, street = observed_day(day, two.mechanism), day.street
    method = method_for("outsider", street)
    two = replace(two, adversary="outsider", method=method)
    own = rhythm_of(learned, int(order[house]), day.scenario)
    assert own is not None
    assert learned.rhythm is not None
    assert street.distributions is not None
    rhythm, _ = own
    if not observed.informative.any():
        return _followed(two, rhythm, None)
    decoded = learned.which[learned.decoded]
    known = np.flatnonzero(np.isin(order, decoded))
    places = np.array([np.flatnonzero(decoded == each)[0] for each in order[known]])
    all_known = _from(learned.rhythm, places, day.scenario)
    mass = street.distributions.mass.copy()
    mass[:, known] = all_known.emission
    levels = replace(street, distributions=replace(street.distributions, mass=mass, moments=None))
    who = Adversary(
        method=method,
        inference="filtering",
        street=levels,
        houses=np.array([house]),
        chains=_levels(day.street_day.spec.chains(street, 0), known, all_known),
        steps_per_day=day.scenario.steps_per_day,
    )
    return _followed(two, rhythm, _by_level(rhythm, who.infer(observed, None).log_likelihood_ratio))


def _levels(chains: Chains, known: Ints, rhythm: Rhythm) -> Chains:
    """The chains of all houses, of some in their levels, as their four states make one expect."""
    leave, arrive = chains.leave[chains.row], chains.arrive[chains.row]
    initial = chains.initial.copy()
    initial[known] = rhythm.initial[BUSY]
    for part in np.array_split(np.arange(len(known)), -(-len(known) // HOUSES_AT_ONCE)):
        some, own = known[part], rhythm.select(part)
        moves, now = rhythms.chances(own), own.initial
        for t in range(chains.steps - 1):
            move = moves[t % len(moves)]
            then = np.einsum("in,ijn->jn", now, move)
            leave[t, some] = 1 - move[BUSY, BUSY]
            arrive[t, some] = (then[BUSY] - now[BUSY] * move[BUSY, BUSY]) / (1 - now[BUSY])
            now = then
    return Chains(initial=initial, leave=leave, arrive=arrive, row=np.arange(chains.steps - 1))


def _followed(two: Posterior, rhythm: Rhythm, seen: tuple[Floats, Floats] | None) -> Posterior:
    """Beliefs by the four states, given their joint weights with what is seen, or nothing."""
    moves = rhythms.chances(rhythm)
    nothing = np.ones((2, len(two.belief), 1))
    alone = _at_home(rhythm.initial, rhythms.weigh(moves, nothing, nothing[:, 1:]))
    if seen is None:
        return replace(two, belief=alone, prior=alone, model_only=alone)
    first, weight = seen
    states, _ = forward_states(first, weight)
    before = np.einsum("tin,tijn->tjn", states[:-1], moves[np.arange(len(weight)) % len(moves)])
    belief, prior = 1 - states[:, AWAY], np.concatenate([alone[:1], 1 - before[:, AWAY]])
    evidence = _log_odds(belief) - _log_odds(prior)
    return replace(two, belief=belief, prior=prior, model_only=alone, log_likelihood_ratio=evidence)


def guess(day: Day, house: int, rhythm: Rhythm, edges: Floats) -> Floats:
    """Return Pr[at home | all that the house used], (T,)."""
    used = day.street_day.use_of(np.array([house]))
    return np.asarray(1 - rhythms.decode(_readings(used, rhythm, edges), rhythm).states[:, AWAY, 0])


def _readings(used: Floats, rhythm: Rhythm, edges: Floats) -> Observations:
    return rhythms.observations(used.T.astype(np.float32), edges, rhythm.minutes)


def _seen(day: Day, observed: Observed, house: int, rhythm: Rhythm, edges: Floats) -> tuple[Floats, Floats]:
    """The joint weights of states and rates, of the first step and of all others."""
    hidden = np.array([house])
    used = day.street_day.use_of(hidden)
    if not observed.b.any():
        return rhythms.weights(_readings(used, rhythm, edges), rhythm)
    laws = day.street.distributions
    assert laws is not None  # the learned ones
    mass = laws.mass.copy()
    mass[:, house] = rhythm.emission[:, 0]
    street = replace(day.street, distributions=replace(laws, mass=mass, moments=None))
    ratio = insider_llr(observed, street, day.street_day.demand, hidden, used)
    return _by_level(rhythm, ratio)


def _by_level(rhythm: Rhythm, ratio: Floats) -> tuple[Floats, Floats]:
    """The same from ln Pr[rate | much use] − ln Pr[rate | little], (T, 1)."""
    ratio = np.clip(ratio, -MAX_LOG_ODDS, MAX_LOG_ODDS)
    levels = np.exp(np.array([-np.maximum(ratio, 0.0), np.minimum(ratio, 0.0)]))
    first = rhythm.initial * levels[list(LEVEL), 0]
    return first, rhythms.weigh(rhythms.chances(rhythm), levels, levels[:, 1:])


def _at_home(first: Floats, weight: Floats) -> Floats:
    return 1 - forward_states(first, weight)[0][:, AWAY]


def _log_odds(probability: Floats) -> Floats:
    sure = np.clip(probability, SURE, 1 - SURE)
    return np.asarray(np.log(sure) - np.log1p(-sure))

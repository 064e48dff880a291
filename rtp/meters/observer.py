"""An observer who knows that people sleep at home: she follows a house by the three states of `rhythm`.

A scenario's house has two states, and at home it uses, to her, what it uses on average: by night, when little
use says nothing, she would take sleep for absence. Where three states were learned, who knows what all others
used follows those in place of two: at every step the same evidence, here on whether much or little is used,
and a chain of four states. Where a rate shows use exactly she also knows how it follows the use before;
behind noise that is left aside.
"""

from dataclasses import replace

import numpy as np

from rtp.attack.adversary import Posterior, observed_day
from rtp.attack.observation import Observed, insider_llr
from rtp.core.types import Floats
from rtp.meters import rhythm as rhythms
from rtp.meters.learned import Learned
from rtp.meters.readings import Observations
from rtp.meters.rhythm import AWAY, LEVEL, Rhythm
from rtp.probability.markov import MAX_LOG_ODDS, forward_states
from rtp.simulation import Day

SURE = 1e-12  # what is further from certainty counts as this


def rhythm_of(learned: Learned | None, house: int, minutes: int) -> tuple[Rhythm, Floats] | None:
    """Return the three states of one of the readings' houses and its bins' edges, (1, K + 1), if they were
    learned in steps of so many minutes."""
    if learned is None or learned.rhythm is None or learned.minutes != minutes:
        return None
    place = np.flatnonzero(learned.which[learned.decoded] == house)
    if not len(place):
        return None
    return learned.rhythm.select(place), learned.houses.edges[learned.decoded[place]]


def believe(day: Day, two: Posterior, house: int, rhythm: Rhythm, edges: Floats) -> Posterior:
    """Return what an insider believes of a house of the day by its three states, from the same by two."""
    observed = observed_day(day, two.mechanism)
    moves = rhythms.chances(rhythm)
    nothing = np.ones((2, len(observed.total), 1))
    alone = _at_home(rhythm.initial, rhythms.weigh(moves, nothing, nothing[:, 1:]))
    if not observed.informative.any():
        return replace(two, belief=alone, prior=alone, model_only=alone)
    first, weight = _seen(day, observed, house, rhythm, edges)
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
    ratio = np.clip(ratio, -MAX_LOG_ODDS, MAX_LOG_ODDS)  # ln Pr[rate | much use] − ln Pr[rate | little]
    levels = np.exp(np.array([-np.maximum(ratio, 0.0), np.minimum(ratio, 0.0)]))
    first = rhythm.initial * levels[list(LEVEL), 0]
    return first, rhythms.weigh(rhythms.chances(rhythm), levels, levels[:, 1:])


def _at_home(first: Floats, weight: Floats) -> Floats:
    return 1 - forward_states(first, weight)[0][:, AWAY]


def _log_odds(probability: Floats) -> Floats:
    sure = np.clip(probability, SURE, 1 - SURE)
    return np.asarray(np.log(sure) - np.log1p(-sure))

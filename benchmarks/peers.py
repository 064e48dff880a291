"""The interactive case beside two samplers people know; they draw occupancy alone, we do the whole day."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.measure import Result, Work, best
from rtp import Scenario, simulate
from rtp.core.time import STEPS_PER_DAY
from rtp.street.schedule import schedule_of

HOUSEHOLDS = 1000


def _matrix() -> np.ndarray:
    """One step of the paper's noon: peers take one matrix for the whole day."""
    plan = schedule_of(Scenario().models[0].habits[0])
    leave, arrive = plan.leave[1], plan.arrive[1]
    return np.array([[1 - arrive, arrive], [leave, 1 - leave]])


def quantecon() -> Work:
    from quantecon import MarkovChain

    chain = MarkovChain(_matrix())
    starts = np.arange(HOUSEHOLDS) % 2
    return lambda: chain.simulate(STEPS_PER_DAY, init=starts, random_state=0)


def hmmlearn() -> Work:
    from hmmlearn.hmm import GaussianHMM

    model = GaussianHMM(n_components=2, covariance_type="diag")
    model.startprob_, model.transmat_ = np.array([0.5, 0.5]), _matrix()
    model.means_, model.covars_ = np.array([[0.125], [0.25]]), np.full((2, 1), 0.02)
    rng = np.random.RandomState(0)

    def sample() -> None:
        for _ in range(HOUSEHOLDS):
            model.sample(STEPS_PER_DAY, random_state=rng)

    return sample


def results() -> Iterator[Result]:
    ours = partial(simulate, Scenario(households=HOUSEHOLDS))
    for name, peer, repeats in (("quantecon", quantecon(), 20), ("hmmlearn", hmmlearn(), 2)):
        peer()  # compiles, where it compiles
        mine, theirs = best(repeats, ours, peer)
        yield Result(
            subject=f"a day of {HOUSEHOLDS:,} households ÷ {name} drawing occupancy", value=mine / theirs
        )

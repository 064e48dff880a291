"""Which rates give a moment away: how much less its whole record could tell without each of them."""

import numpy as np

from rtp.core.types import Floats
from rtp.leakage.chain import Part
from rtp.leakage.leak import every_step
from rtp.leakage.moment import step_losses, worst_model
from rtp.scenario import Bounds, must_be_house, must_be_one_of, must_be_within
from rtp.simulation import Day


def giveaway(day: Day, mechanism: str, house: int, step: int) -> Floats:
    """(T,): by how much the leak of this moment falls without each step's rate, under the worst model.

    Without noise anywhere near, what falls is a difference of infinities, and is given as none.
    """
    must_be_one_of("mechanism", mechanism, day.release)
    must_be_house("house", house, day.scenario.households)
    must_be_within("step", step, Bounds(0, day.scenario.steps - 1, "Step"))
    steps, one = day.scenario.steps, np.array([house])
    losses = np.repeat(step_losses(day, mechanism, one).each(), steps + 1, axis=1)
    losses[np.arange(steps), np.arange(steps)] = 0.0  # all but one rate; the last column has all
    found = worst_model(Part(day.life, np.full(steps + 1, house)), every_step(losses))
    worst = found.shift(found.whole[step])
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nan_to_num(worst[-1] - worst[:-1], nan=0.0, posinf=np.inf))

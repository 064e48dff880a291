"""Which house sets the noise."""

from dataclasses import replace

import numpy as np

from rtp import Scenario, simulate
from rtp.simulation.day import loudest_house


def test_the_loudest_house_sets_the_widest_noise_or_is_none() -> None:
    day = simulate(Scenario(households=10))
    release = day.release["blowfish"]
    assert loudest_house(release) == day.street.bound.argmax()
    assert loudest_house(day.release["naive"]) == -1
    scale, setter = release.scale.copy(), np.zeros(96, dtype=np.intp)
    scale[40], setter[40] = 2 * scale.max(), 6
    assert loudest_house(replace(release, scale=scale, setter=setter)) == 6

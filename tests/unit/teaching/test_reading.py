"""The quick observer of a very small street is the exact one of `rtp.attack`."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.attack.beliefs import chains_of
from rtp.attack.observation import Observed, observe
from rtp.mechanisms import REGISTRY
from rtp.scenario import edit
from rtp.teaching.reading import beliefs, densities

STREETS = {
    "paper": Scenario(households=2),
    "one house": Scenario(households=1, seed=4),
    "three houses": Scenario(households=3, seed=2, epsilon=5.0),
    "certain at night": PRESETS["quiet night"].replace(households=2),
    "response": PRESETS["elastic demand"].replace(households=2),
    "groups": PRESETS["mixed street"].replace(households=3),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STREETS)
@pytest.mark.parametrize("mechanism", ["optimal", "blowfish", "forecast"])
def test_it_believes_what_the_slow_twin_believes(name: str, mechanism: str) -> None:
    day = simulate(STREETS[name])
    release, street = day.release[mechanism], day.street
    seen = observe(REGISTRY[mechanism], day.market.public, release.rate, release.scale)
    found = beliefs(seen, street, chains_of(day.life.spec, street, 0, np.arange(day.scenario.households)))
    slow = posterior(day, mechanism, inference="smoothing", model=day.scenario.model_names[0]).belief
    np.testing.assert_allclose(found, slow, atol=1e-9)


def test_a_rate_that_nothing_explains_teaches_nothing() -> None:
    day = simulate(edit.put_group(Scenario(households=2), 0, Scenario().groups[0]))
    chains = chains_of(day.life.spec, day.street, 0, np.arange(2))
    silent = Observed(total=np.zeros(4), b=np.full(4, np.inf))
    absurd = Observed(total=np.full(4, 99.0), b=np.zeros(4))
    assert not densities(absurd, day.street).any()
    np.testing.assert_allclose(beliefs(absurd, day.street, chains), beliefs(silent, day.street, chains))

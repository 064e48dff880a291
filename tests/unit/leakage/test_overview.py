"""Three secrets, two observers, one scale."""

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from rtp import Scenario, simulate
from rtp.leakage.hypothesis import given_moment, one_row_per_step
from rtp.leakage.moment import moment_leakage
from rtp.leakage.overview import OBSERVERS, VISIBLE, overview
from rtp.probability.markov import Chains
from tests.help.streets import CERTAIN

chance = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.05, 0.95))


@drawn(data=st.data(), steps=st.integers(2, 5))
def test_the_chain_given_a_moment_has_bayes_law(data: st.DataObject, steps: int) -> None:
    links = st.lists(chance, min_size=steps - 1, max_size=steps - 1)
    chain = one_row_per_step(
        initial=np.array([data.draw(st.floats(0.05, 0.95))]),
        leave=np.reshape(data.draw(links), (-1, 1)),
        arrive=np.reshape(data.draw(links), (-1, 1)),
    )
    at = data.draw(st.integers(0, steps - 1))
    paths = np.array(list(np.ndindex(*[2] * steps)))

    def weight(of: Chains) -> np.ndarray:
        total = np.where(paths[:, 0] == 1, of.initial, 1 - of.initial)
        for t in range(steps - 1):
            stays = np.where(paths[:, t] == 1, 1 - of.leave[t], of.arrive[t])
            total = total * np.where(paths[:, t + 1] == 1, stays, 1 - stays)
        return total

    before = weight(chain)
    for state in (0, 1):
        if (kept := np.where(paths[:, at] == state, before, 0.0)).sum() > 1e-9:
            np.testing.assert_allclose(
                weight(given_moment(chain, at, bool(state))), kept / kept.sum(), atol=1e-9
            )


@pytest.mark.long
def test_secrets_that_last_show_more_and_without_data_nothing_shows() -> None:
    scenario = Scenario(households=60, epsilon=1.0)
    found = overview(scenario, "blowfish", 40, repetitions=100).areas
    for adversary in OBSERVERS:
        moment, history = found["moment", adversary], found["history", adversary]
        assert history.value > moment.value - (moment.high - moment.value)
    for name in ("moment", "holiday", "history"):
        assert found[name, "insider"].value >= found[name, "outsider"].low
    assert {cell.value for cell in overview(scenario, "forecast", 40, repetitions=40).areas.values()} == {0.5}


def test_a_certain_street_has_no_secret_that_shows() -> None:
    assert moment_leakage(simulate(CERTAIN), "blowfish").worst == 0
    shown = overview(CERTAIN, "blowfish", 40, repetitions=40)
    assert set(shown.areas) == {("holiday", adversary) for adversary in OBSERVERS}
    assert max(area.value for area in shown.areas.values()) < VISIBLE

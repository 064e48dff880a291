"""The learned laws of a group: the mean of its houses', as near to the truth as they are, ready to travel."""

import numpy as np
import pytest

import rtp
from rtp.meters import Learned, learn
from rtp.meters.learned import law_of, with_laws
from rtp.meters.replaying import replay
from tests.unit.meters.streets import Known, known_street


@pytest.fixture(scope="module")
def street() -> Known:
    return known_street(8, 28, 60, 5, empty_share=(0.05, 0.1))


@pytest.fixture(scope="module")
def learned(street: Known) -> Learned:
    return learn(street.readings, resamples=0)


@pytest.mark.long
def test_a_groups_law_is_the_mean_of_its_houses(learned: Learned) -> None:
    """At every edge, up to the rounding of every share before it; the slow way, house by house."""
    law = law_of(learned, learned.groups[0])
    for state, masses in enumerate((law.empty, law.occupied)):
        for at, share in zip(law.edges[1:], np.cumsum(masses), strict=True):
            own = [
                np.interp(
                    at,
                    learned.houses.edges[i],
                    np.append(0, np.cumsum(learned.houses.emission[state, i])),
                )
                for i in learned.groups[0].houses
            ]
            assert share == pytest.approx(np.mean(own), abs=len(masses) * 1e-5)


def test_the_drawn_street_uses_what_the_feeder_used(street: Known, learned: Learned) -> None:
    """With a fuse for a bound uniform use would be many times as much; and a replay relies on the laws."""
    uniform = learned.scenario(rtp.Scenario(days=7), 14.5, 0.5)
    scenario = with_laws(uniform, learned)
    read = float(street.readings.power.mean())
    assert rtp.simulate(scenario).consumption.mean() == pytest.approx(read, rel=0.25)
    assert rtp.simulate(uniform).consumption.mean() > 5 * read
    day = replay(street.readings, scenario, days=1).pieces[0]
    assert day.street.distributions is not None
    assert (
        day.release["calibrated"].scale < replay(street.readings, uniform, days=1).scale("calibrated")
    ).all()

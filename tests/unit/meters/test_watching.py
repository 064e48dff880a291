"""The answer on real days: an observer at a house, by hand and beside a day that was simulated; bills."""

from dataclasses import replace

import numpy as np
import pytest

import rtp
from rtp.attack import posterior
from rtp.attack.adversary import BY_KNOWLEDGE
from rtp.core.formatting import percent
from rtp.core.stats import right_guesses
from rtp.exposure import exposure
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.meters import Readings, Replay, answer, learn, replay, watch
from rtp.meters.replaying import first_day, with_bounds
from rtp.output.replayed import answer_words
from rtp.scenario import Group, ScenarioError
from rtp.street.simulate import replay_houses
from tests.unit.meters.streets import as_readings, known_street

U1, U0, EPSILON, ALPHA = 3.0, 1.0, 2.0, 0.5
STREET = rtp.Scenario(
    households=5,
    alpha=ALPHA,
    epsilon=EPSILON,
    groups=(Group(occupied_max=U1, empty_max=U0, occupied_min=U1, empty_min=U0),),
    habit_spread=0.0,
    power_unit="kW",
)


@pytest.fixture(scope="module")
def day() -> rtp.Day:
    return rtp.simulate(STREET)


@pytest.fixture(scope="module")
def read(day: rtp.Day) -> Readings:
    """What the street's meters would have read, and who was at home."""
    states, used = replay_houses(day.street_day.spec, day.street, range(5))
    return as_readings(used.T, 15, states.T.astype(np.int8))


@pytest.fixture(scope="module")
def replayed(read: Readings) -> Replay:
    return replay(read, STREET)


@pytest.mark.parametrize("knows", ["others", "model"])
def test_a_replay_of_a_simulated_day_gives_the_beliefs_of_that_day(
    day: rtp.Day, replayed: Replay, knows: str
) -> None:
    """Readings are kept in single precision: rates agree to 1e-7, beliefs to what that makes of them."""
    names = list(REGISTRY) if knows == "others" else [UNPROTECTED, FEATURED]
    found = watch(replayed, "h2", knows=knows, mechanisms=names)
    states, _ = replay_houses(day.street_day.spec, day.street, [2])
    assert found.given
    assert np.array_equal(found.occupied, states[:, 0])
    for name in names:
        theirs = posterior(day, name, adversary=BY_KNOWLEDGE[knows], house=2)
        np.testing.assert_allclose(found.day.release[name].rate, day.release[name].rate, rtol=1e-6)
        np.testing.assert_allclose(found.seen[name].belief, theirs.belief, atol=1e-3)
        assert found.leak[name].worst == pytest.approx(moment_leakage(day, name, 2).worst, rel=1e-6)


def test_what_a_rate_spends_by_hand(replayed: Replay) -> None:
    """The largest log-ratio of the densities of U(0, u₁) and of U(0, u₀), each plus Laplace noise."""
    found, b = watch(replayed, "h1", mechanisms=[FEATURED]), U1 / EPSILON
    np.testing.assert_allclose(replayed.scale(FEATURED), ALPHA * b)
    loss = np.log(np.expm1(U1 / b) / (U1 / b)) - np.log(np.expm1(U0 / b) / (U0 / b))
    np.testing.assert_allclose(found.spent[FEATURED], loss)
    likelier = found.seen[FEATURED].belief[:, 0] >= 0.5
    by_rate = max(np.mean(likelier == found.occupied), found.right_alone)
    assert found.right(FEATURED) == pytest.approx(by_rate, abs=0.01)


def test_without_given_occupancy_it_is_a_guess_and_said_so(
    day: rtp.Day, read: Readings, replayed: Replay
) -> None:
    """A house that uses more than it may while empty is at home; the guess is what its meter shows."""
    unknown = replay(replace(read, occupied=None), STREET)
    found = watch(unknown, "h2", mechanisms=[UNPROTECTED])
    assert not found.given
    assert found.occupied[read.power[2] > U0].all()
    looking_back = posterior(day, UNPROTECTED, adversary="insider", house=2, inference="smoothing")
    assert np.array_equal(found.occupied, looking_back.belief[:, 0] >= 0.5)
    assert not np.array_equal(found.occupied, found.seen[UNPROTECTED].belief[:, 0] >= 0.5)
    known = watch(replayed, "h2", mechanisms=[UNPROTECTED])
    assert np.mean(found.occupied == known.occupied) > 0.9
    assert read.occupied is not None
    part = read.occupied.copy()
    part[2, :40] = -1
    mixed = watch(replay(replace(read, occupied=part), STREET), "h2", mechanisms=[UNPROTECTED])
    assert (mixed.given, mixed.labelled, found.labelled) == (True, 56, 0)
    assert np.array_equal(mixed.occupied[40:], known.occupied[40:])
    assert np.array_equal(mixed.occupied[:40], found.occupied[:40])
    likelier = mixed.seen[UNPROTECTED].belief[40:, 0] >= 0.5
    right = np.mean(likelier == known.occupied[40:])
    assert mixed.right(UNPROTECTED) == pytest.approx(right, abs=0.01)


def test_an_observer_is_never_worse_than_habits_alone(read: Readings) -> None:
    """She believes the opposite of how people live: who was told so heeds no rate."""
    assert read.occupied is not None
    other = replay(replace(read, occupied=1 - read.occupied), STREET)
    found = watch(other, "h2", mechanisms=[UNPROTECTED])
    scored = right_guesses(found.seen[UNPROTECTED].belief[:, 0], found.occupied).mean()
    assert scored < found.right_alone == found.right(UNPROTECTED)


@pytest.mark.slow
def test_houses_keep_their_names_where_groups_change_their_order() -> None:
    street = known_street(6, 14, 60, 11, empty_share=(0.05, 0.1))
    learned = learn(street.readings, groups=2, resamples=0)
    assert len(learned.groups) == 2
    found = replay(street.readings, learned.scenario(STREET, 1.0, 0.5), learned, first=0, days=1)
    for number, house in enumerate(street.readings.houses):
        seen = watch(found, house, mechanisms=[FEATURED])
        assert seen.name == house
        used = found.pieces[0].street_day.use_of(np.array([seen.house]))[:, 0]
        np.testing.assert_allclose(used, street.readings.power[number, :24], rtol=1e-6)
    alone = first_day(found.pieces[0], learned)
    areas = [
        exposure(alone.scenario, "day", "insider", houses=[house], day=alone).at(FEATURED).value
        for house in range(6)
    ]
    shows_most = watch(found, mechanisms=[FEATURED]).house
    assert areas[shows_most] >= max(areas) - 0.02
    with pytest.raises(ScenarioError, match="house is"):
        watch(found, "h9")


def test_the_answer_is_of_the_last_weeks_learned_from() -> None:
    """Unless days are chosen; every part is of the same days, and its words hold their numbers."""
    street = known_street(3, 42, 60, 11, empty_share=(0.05, 0.1))
    readings = as_readings(street.readings.power, 60, street.occupied.astype(np.int8))
    learned = learn(readings, resamples=0)
    scenario = learned.scenario(STREET, 1.0, 0.5)
    assert with_bounds(STREET, learned, 1.0, 0.5) == scenario
    done: list[float] = []
    result = answer(readings, scenario, learned, progress=done.append)
    assert (result.replay.days, result.replay.first_date) == (28, readings.date(14))
    assert done == sorted(done)
    assert done[-1] == 1.0
    _, rates, _, seen = answer_words(result)
    assert percent(result.replay.error(FEATURED)) in rates
    assert percent(result.observed.right(FEATURED)) in seen
    chosen = answer(readings, scenario, first=3, days=2, house="h1")
    assert (chosen.replay.days, chosen.observed.name, chosen.learned) == (2, "h1", None)
    assert len(answer_words(chosen)) == 3

"""The answer on real days: an observer at a house, by hand and beside a day that was simulated; bills."""

from dataclasses import replace

import numpy as np
import pytest

import rtp
from rtp.attack import posterior
from rtp.attack.adversary import BY_KNOWLEDGE
from rtp.core.formatting import percent
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.meters import Readings, Replay, answer, learn, replay, watch
from rtp.meters.answering import bills_frame
from rtp.meters.replaying import with_bounds
from rtp.output.meters import answer_cards, answer_words, observed_frame, right_words
from rtp.probability.laplace_uniform import density
from rtp.scenario import Group, House, ScenarioError, edit
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


def test_her_belief_and_what_is_spent_by_hand(replayed: Replay, read: Readings) -> None:
    """Bayes and the chain, step by step; the densities of use plus noise from another room."""
    found = watch(replayed, "h1", mechanisms=[FEATURED])
    release = replayed.pieces[0].release[FEATURED]
    b = U1 / EPSILON
    np.testing.assert_allclose(release.scale, ALPHA * b)
    noise = (release.rate - release.optimal) / ALPHA
    night = STREET.models[0].habits[0].periods[3]
    leave, arrive = (1 - (1 - chance) ** (1 / 32) for chance in (night.leave, night.arrive))
    chance = 0.5
    for step in range(20):
        seen = np.array([float(read.power[1, step]) + noise[step]])
        one, other = (density(seen, np.array([u]), b)[0] for u in (U1, U0))
        chance = chance * one / (chance * one + (1 - chance) * other)
        assert found.seen[FEATURED].belief[step, 0] == pytest.approx(chance, abs=1e-6)
        chance = chance * (1 - leave) + (1 - chance) * arrive
    loss = np.log(np.expm1(U1 / b) / (U1 / b)) - np.log(np.expm1(U0 / b) / (U0 / b))
    np.testing.assert_allclose(found.spent[FEATURED], loss)
    likelier = found.seen[FEATURED].belief[:, 0] >= 0.5
    right = found.attack.scores[FEATURED].accuracy.value
    assert right == pytest.approx(np.mean(likelier == found.occupied), abs=0.01)


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
    assert "a guess" in right_words(found)
    assert "a guess" not in right_words(known)
    assert read.occupied is not None
    part = read.occupied.copy()
    part[2, :40] = -1
    mixed = watch(replay(replace(read, occupied=part), STREET), "h2", mechanisms=[UNPROTECTED])
    assert not mixed.given
    assert np.array_equal(mixed.occupied[40:], known.occupied[40:])
    assert np.array_equal(mixed.occupied[:40], found.occupied[:40])


@pytest.mark.slow
def test_houses_keep_their_names_where_groups_change_their_order() -> None:
    street = known_street(6, 14, 60, 11, empty_share=(0.05, 0.1))
    learned = learn(street.readings, groups=2, resamples=0)
    assert len(learned.groups) == 2
    found = replay(street.readings, learned.scenario(STREET, 1.0, 0.5), learned, days=1)
    for number, house in enumerate(street.readings.houses):
        seen = watch(found, house, mechanisms=[FEATURED])
        assert seen.name == house
        used = found.pieces[0].street_day.use_of(np.array([seen.house]))[:, 0]
        np.testing.assert_allclose(used, street.readings.power[number, :24], rtol=1e-6)
    with pytest.raises(ScenarioError, match="house is"):
        watch(found, "h9")


def test_noise_takes_from_her_what_a_table_shows(replayed: Replay) -> None:
    found = watch(replayed)
    table = observed_frame(found)
    assert list(table.index) == [*(m.label for m in REGISTRY.values()), "The model alone"]
    assert table.loc[REGISTRY[UNPROTECTED].label, "Worst moment"] == "∞"
    scores = found.attack.scores
    assert scores[UNPROTECTED].accuracy.value > scores[FEATURED].accuracy.value
    assert found.leak[FEATURED].worst < found.leak[FEATURED].theorem_2


def test_each_house_pays_rate_times_power_times_hours() -> None:
    """Two houses in groups that turn their order round, a day of hours at 1 and 2 kW."""
    first = Group(name="First", share=0.5, occupied_max=3.0, empty_max=1.0)
    model = STREET.models[0].replace(habits=2 * STREET.models[0].habits)
    groups = first, first.replace(name="Second")
    street = STREET.replace(households=2, currency="EUR", groups=groups, models=(model,))
    houses = [
        House(name=f"h{i}", group=g, occupied=3.0, empty=1.0) for i, g in enumerate(("Second", "First"))
    ]
    found = replay(as_readings(np.array([[1.0] * 24, [2.0] * 24]), 60), edit.with_houses(street, houses))
    table = bills_frame(found).set_index("house")
    assert list(table["group"]) == ["Second", "First"]
    np.testing.assert_allclose(table["energy_kWh"], [24.0, 48.0])
    for name in REGISTRY:
        rate = found.rate(name).mean()
        np.testing.assert_allclose(table[f"{name}_bill_EUR"], [24 * rate, 48 * rate])


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
    right = percent(float(result.observed.attack.scores[FEATURED].accuracy.value))
    assert [value for value, _ in answer_cards(result).values()][:2] == [
        "3 of 3",
        percent(result.replay.error(FEATURED)),
    ]
    _, rates, _, seen = answer_words(result)
    assert percent(result.replay.error(FEATURED)) in rates
    assert right in seen
    assert result.observed.name in seen
    chosen = answer(readings, scenario, first=3, days=2, house="h1")
    assert (chosen.replay.days, chosen.observed.name, chosen.learned) == (2, "h1", None)
    assert len(answer_words(chosen)) == 3

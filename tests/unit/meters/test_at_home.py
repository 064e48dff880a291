"""When somebody is at home, asleep included: slow twins, scores by hand, homes whose days are known."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp.core.types import Floats
from rtp.meters import Readings, answer, learn
from rtp.meters import rhythm as rhythms
from rtp.meters.at_home import at_home
from rtp.meters.base_load import base_load, without_left_on
from rtp.meters.check import ALWAYS, LEARNED, RULE, accuracy, balanced, check, clock_alone, matthews, the_rule
from rtp.meters.hmm import conditional_emission
from rtp.meters.house_fit import AT_NIGHT, FOLLOWS, times_of_day
from rtp.meters.observer import guess, rhythm_of
from rtp.meters.readings import BINS, Observations
from rtp.meters.real_home import real_home
from rtp.meters.simulated_home import KINDS, simulated_homes
from rtp.probability.markov import forward_backward, forward_backward_states
from rtp.scenario import Scenario, ScenarioError

AWAY, BUSY, QUIET, ASLEEP = range(4)
HOURS = 6  # from midnight: going to bed and getting up are both possible in some of them
SEEN = np.array([0, 11, BINS, 11, 9, 2], dtype=np.int8)


def some_rhythm(seed: int = 0) -> rhythms.Rhythm:
    """One house's, in steps of an hour."""
    rng = np.random.default_rng(seed)
    by_period = {name: rng.uniform(0.05, 0.6, (4, 1)) for name in ("leave", "arrive", "to_bed", "get_up")}
    return rhythms.Rhythm(
        minutes=60,
        first=0,
        initial=rng.dirichlet(np.ones(4), 1).T,
        quiet=rng.uniform(0.1, 0.5, 1),
        busy=rng.uniform(0.1, 0.5, 1),
        emission=rng.dirichlet(np.ones(BINS), (2, 1)),
        correlation=np.array([[-0.3], [0.6]]),
        **by_period,
    )


def chance(model: rhythms.Rhythm, hour: int, now: int, then: int) -> float:
    """Of one move: who is up goes to bed, else leaves, else is busy or quiet; who sleeps gets up."""
    period = 3 if hour < 6 or hour >= 22 else 0 if hour < 9 else 1 if hour < 16 else 2
    arrive, leave, bed, rise = (
        float(each[period, 0]) for each in (model.arrive, model.leave, model.to_bed, model.get_up)
    )
    bed = bed if hour >= 20 or hour < 6 else 0.0
    rise = rise if 4 <= hour < 12 else 1.0 if 12 <= hour < 20 else 0.0
    if now == AWAY:
        return {AWAY: 1 - arrive, BUSY: arrive / 2, QUIET: arrive / 2}.get(then, 0.0)
    if now == ASLEEP:
        return {ASLEEP: 1 - rise, BUSY: rise / 2, QUIET: rise / 2}.get(then, 0.0)
    change = float((model.quiet if now == BUSY else model.busy)[0])
    if then in (ASLEEP, AWAY):
        return bed if then == ASLEEP else (1 - bed) * leave
    return (1 - bed) * (1 - leave) * (1 - change if then == now else change)


def by_hand(model: rhythms.Rhythm) -> Floats:
    """(24, 4, 4): every hour's chances."""
    return np.array([[[chance(model, hour, a, b) for b in range(4)] for a in range(4)] for hour in range(24)])


def likelihood(model: rhythms.Rhythm, path: tuple[int, ...], moves: Floats, pairs: Floats) -> float:
    """Of one path and what was seen along it."""
    level = [int(state == BUSY) for state in path]
    total = float(model.initial[path[0], 0] * model.emission[level[0], 0, SEEN[0]])
    for t in range(1, HOURS):
        total *= float(moves[t - 1, path[t - 1], path[t]])
        if SEEN[t] < BINS:
            before = SEEN[t - 1] if level[t] == level[t - 1] else BINS
            total *= float(pairs[level[t], 0, before, SEEN[t]])
    return total


def test_what_is_decoded_is_the_sum_over_all_paths() -> None:
    model = some_rhythm()
    found = rhythms.decode(Observations(SEEN[:, None], np.zeros(HOURS, dtype=int)), model)
    tables = by_hand(model), conditional_emission(model.emission, model.correlation)
    states, moves, total = np.zeros((HOURS, 4)), np.zeros((HOURS - 1, 4, 4)), 0.0
    for path in product(range(4), repeat=HOURS):
        weight = likelihood(model, path, *tables)
        total += weight
        states[range(HOURS), path] += weight
        moves[range(HOURS - 1), path[:-1], path[1:]] += weight
    np.testing.assert_allclose(found.states[..., 0], states / total, atol=1e-12)
    np.testing.assert_allclose(found.moves[..., 0], moves / total, atol=1e-12)
    assert found.evidence.sum() == pytest.approx(np.log(total), rel=1e-10)


def test_every_hour_of_a_day_moves_as_the_model_says() -> None:
    model = some_rhythm(1)
    np.testing.assert_allclose(rhythms.chances(model)[..., 0], by_hand(model), rtol=1e-12)


@given(st.integers(0, 2**31), st.integers(2, 5), st.integers(1, 30))
def test_states_add_up_to_one_and_two_of_them_are_the_two_state_chain(seed: int, k: int, steps: int) -> None:
    rng = np.random.default_rng(seed)
    first, weight = rng.uniform(0.01, 1, (k, 3)), rng.uniform(0.01, 1, (steps - 1, k, k, 3))
    if k > 2:
        weight[:, 0, -1] = 0.0  # an impossible move
    found = forward_backward_states(first, weight)
    np.testing.assert_allclose(found.states.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(found.moves.sum(axis=2), found.states[:-1], rtol=1e-9, atol=1e-15)
    if k == 2:
        (occupied, departures, arrivals), evidence = forward_backward(first, weight)
        for here, there in (
            (found.states[:, 1], occupied),
            (found.moves[:, 1, 0], departures),
            (found.moves[:, 0, 1], arrivals),
            (found.evidence, evidence),
        ):
            np.testing.assert_allclose(here, there, rtol=1e-9)


def test_scores_by_hand_and_by_their_definition() -> None:
    rng = np.random.default_rng(5)
    said, truth = rng.random((2, 400)) < np.array([[0.7], [0.6]])
    counts = np.array([np.sum((said == a) & (truth == b)) for a in (True, False) for b in (True, False)])
    assert accuracy(counts) == np.mean(said == truth)
    assert balanced(counts) == pytest.approx((said[truth].mean() + (~said[~truth]).mean()) / 2)
    assert matthews(counts) == pytest.approx(np.corrcoef(said, truth)[0, 1])
    assert matthews(np.array([9.0, 3.0, 0.0, 0.0])) == 0


def test_the_rule_and_the_clock_equal_slow_twins() -> None:
    """Two houses of four days; hours are steps."""
    rng = np.random.default_rng(2)
    up, truth = rng.random((8, 24)) < 0.15, rng.integers(-1, 2, (8, 24)).astype(np.int8)
    rule, clock = up.copy(), np.empty((8, 24), dtype=bool)
    for day, hour in product(range(8), range(24)):
        evening = [late for late in range(20, 24) if up[day, late]]
        rule[day, hour] |= bool(evening) and hour >= evening[0]
        rule[day, hour] |= day % 4 > 0 and hour < 10 and bool(up[day - 1, 20:].any())
        others = np.delete(truth[:, hour], day)
        clock[day, hour] = (others == 1).sum() >= (others == 0).sum()
    np.testing.assert_array_equal(the_rule(up, 60, 4), rule)
    np.testing.assert_array_equal(clock_alone(truth, np.arange(24)), clock)


def homes(count: int = 1, days: int = 14) -> Readings:
    return simulated_homes(count, days, 30, seed=3)


def test_no_label_is_looked_at_and_only_labelled_moments_judge() -> None:
    readings = homes()
    assert readings.occupied is not None
    found = at_home(readings)
    np.testing.assert_array_equal(found.at_home, at_home(readings.without_labels()).at_home)
    np.testing.assert_array_equal(found.at_home >= found.up, True)
    part = readings.occupied.copy()
    part[:, ::3] = -1
    judged = check(replace(readings, occupied=part), found)
    known = part >= 0
    assert (judged.labelled, judged.moments) == (known.sum(), known.size)
    right = (found.at_home >= 0.5)[known] == (part[known] == 1)
    assert judged.scores[LEARNED].all.accuracy.value == pytest.approx(right.mean(), rel=1e-12)
    assert sum(own.moments for own in judged.reliability) == judged.labelled
    own = judged.by_hour[LEARNED]
    hour = np.arange(known.shape[1]) // 2 % 24
    at_seven = known[0] & (hour == 7)
    assert own.value[7] == pytest.approx(((found.at_home[0] >= 0.5) == (part[0] == 1))[at_seven].mean())
    assert own.low[7] < own.value[7] < own.high[7] or own.value[7] in (0, 1)
    with pytest.raises(ScenarioError, match="who was at home"):
        check(readings.without_labels(), found)


def test_the_observer_of_three_states_believes_at_the_end_what_all_readings_say() -> None:
    """From exact rates; from none what the model alone says; and without labels nothing judges her."""
    readings = homes().without_labels()
    learned = learn(readings, meaning="at home", resamples=0)
    assert (learned.meaning, learned.counted, learned.decoded.tolist()) == ("at home", False, [0])
    seen = answer(readings, learned.scenario(Scenario(), 14.5, 0.5), learned).observed
    assert (seen.given, seen.labelled) == (False, 0)
    exact, none = seen.seen["optimal"], seen.seen["forecast"]
    three = rhythm_of(learned, 0, seen.day.scenario)
    assert three is not None
    assert exact.belief[-1, 0] == pytest.approx(guess(seen.day, 0, *three)[-1], abs=1e-6)
    assert exact.belief[-1, 0] == pytest.approx(at_home(readings).at_home[0, -1], abs=1e-3)
    np.testing.assert_array_equal(none.belief, none.model_only)
    assert np.abs(seen.seen["blowfish"].belief - none.belief).mean() < 0.1


def test_what_is_on_for_longer_than_anybody_is_up_is_left_aside_and_shorter_use_stays() -> None:
    """Hours of 0.1 and 0.2 kW, a heater of 30 hours and an evening of 6, in steps of an hour."""
    power = np.resize([0.1, 0.2], (1, 240)).astype(np.float32)
    power[0, 200] = np.nan
    use = power.copy()
    use[0, 48:78] += 1.0
    use[0, 120:126] += 1.0
    left = without_left_on(use, 60)
    np.testing.assert_allclose(left[0, 48:78], power[0, 48:78], atol=0.11)
    np.testing.assert_array_equal(left[0, 120:126], use[0, 120:126])
    np.testing.assert_array_equal(np.isnan(left), np.isnan(use))
    assert (base_load(use, 60)[0, 48:78] > 1).all()
    assert (base_load(use, 60) <= np.nan_to_num(use, nan=0.2)).all()


@pytest.mark.slow
def test_a_heater_that_runs_more_by_night_is_nobody_up() -> None:
    """Its two states follow the clock; by three, somebody would be up by night, at 94 % certainty. The others
    keep what was learned of them."""
    many = BINS + 1
    readings = simulated_homes(2, 28, 15, seed=31).only_houses(np.array([1, *[0] * many])).without_labels()
    readings = replace(readings, houses=tuple(map(str, range(1 + many))))
    hour = np.arange(readings.power.shape[1]) / 4
    wanted = 0.5 + 0.2 * np.cos(2 * np.pi * (hour - 5) / 24) + 0.3 * np.sin(2 * np.pi * hour / 216)
    heated = readings.power.copy()
    heated[0] += wanted * ((hour / 1.5 + 0.8) % 1 < 0.5)
    learned = learn(replace(readings, power=heated), meaning="at home", resamples=0)
    assert learned.verdicts == (AT_NIGHT, *[FOLLOWS] * many)
    assert [learned.tells_of(house) for house in range(2)] == [False, True]
    alone = learn(replace(readings, power=heated).only_houses(np.array([1])), meaning="at home", resamples=0)
    assert learned.houses.profile[:, many] == pytest.approx(alone.houses.profile[:, 0], abs=0.01)
    evening, noon, night = times_of_day(learned.houses.profile[:, 0])
    assert night > max(evening, noon)


@pytest.mark.long
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "night shifts"])
def test_homes_that_are_hard_are_no_worse_than_by_the_rule_and_certainty_stays_honest(kind: str) -> None:
    found = check(simulated_homes(4, 42, 30, seed=5, kind=kind))
    ours, rule = (found.scores[name].all.accuracy for name in (LEARNED, RULE))
    assert ours.value > rule.value
    assert found.found.certainty.mean() < ours.high + 0.02


@pytest.mark.long
def test_it_beats_the_rule_and_is_as_sure_as_it_is_right_on_simulated_homes_and_on_a_real_one() -> None:
    for readings, off in ((simulated_homes(10), 0.12), (real_home(), 0.2)):
        found = check(readings)
        ours, rule, always = (found.scores[name].all for name in (LEARNED, RULE, ALWAYS))
        assert ours.accuracy.low > rule.accuracy.value > always.accuracy.value
        assert ours.matthews.low > rule.matthews.value
        sure = [own for own in found.reliability if own.stated < 0.1 or own.stated > 0.9]
        assert all(abs(own.right.value - own.stated) < 0.1 for own in sure)
        weight = np.array([own.moments for own in found.reliability]) / found.labelled
        gaps = [abs(own.right.value - own.stated) for own in found.reliability]
        assert weight @ gaps < off / 2

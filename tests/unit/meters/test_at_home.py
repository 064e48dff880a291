"""When somebody is at home, asleep included: slow twins, scores by hand, homes whose days are known."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from rtp.core.formatting import percent
from rtp.meters import Learned, Readings, answer, learn, replay, watch
from rtp.meters.check import (
    ALWAYS,
    RULE,
    THREE,
    HouseCheck,
    accuracy,
    at_home,
    balanced,
    check,
    clock_alone,
    matthews,
    the_rule,
)
from rtp.meters.four_states import AWAY, agreed, base_load, heated_by_night, luck, without_left_on
from rtp.meters.house_fit import AT_NIGHT, CLOSE_CALL, FOLLOWS, OCCUPANCY, WEEKS_DIFFER, WITHIN, times_of_day
from rtp.meters.learned import FUSE, STANDBY
from rtp.meters.learning import decode
from rtp.meters.readings import by_hour
from rtp.meters.real_home import WEEK, habits, real_home
from rtp.meters.rhythm import (
    USUAL_REST,
    busy_hours,
    busy_nights,
    rest_begins,
    silent_evenings,
    weeks_differ,
)
from rtp.output.check import house_words
from rtp.output.meters import doubts_words, learned_words
from rtp.probability.hmm import Expected
from rtp.probability.observations import BINS
from rtp.scenario import Scenario, ScenarioError
from tests.help.simulated_home import KINDS, simulated_homes


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
    assert judged.scores[THREE].all.accuracy.value == pytest.approx(right.mean(), rel=1e-12)
    assert sum(own.moments for own in judged.reliability) == judged.labelled
    own = judged.by_hour[THREE]
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
    assert (learned.meaning, learned.counted, learned.taught.tolist()) == ("at home", False, [0])
    seen = answer(readings, learned.scenario(Scenario(), 14.5, 0.5), learned).observed
    assert (seen.given, seen.labelled) == (False, 0)
    exact, none = seen.seen["optimal"], seen.seen["forecast"]
    assert exact.belief[-1, 0] == pytest.approx(at_home(readings).at_home[0, -1], abs=1e-2)
    np.testing.assert_array_equal(none.belief, none.model_only)
    assert np.abs(seen.seen["blowfish"].belief - none.belief).mean() < 0.1


def test_a_home_is_judged_and_shown_by_one_decoder() -> None:
    """Where things are left on, readings are missing and a bound cuts: what is scored, the picture of a
    house, and the guess of a replay of a few days of it."""
    readings = simulated_homes(1, 28, 30, seed=12, kind="things left on").without_labels()
    readings.power[0, 500:530] = np.nan
    scored = at_home(readings).at_home[0]
    learned = learn(readings, meaning="at home", every_house=True, resamples=0)
    np.testing.assert_allclose(decode(readings, learned, 0)[1], scored, atol=1e-9)
    few = watch(replay(readings, learned.scenario(Scenario(), 1.0, 0.5), learned, first=10, days=3))
    np.testing.assert_array_equal(few.occupied, scored[10 * 48 : 13 * 48] >= 0.5)


@pytest.mark.long
def test_a_rate_of_the_real_home_tells_more_than_habits_of_other_weeks_until_it_is_private() -> None:
    """Judged by the family, on a week that nothing was learned from."""
    home, learned = real_home(), habits()
    first = learned.begins_in(home) - 7
    assert home.date(first) == WEEK
    week = replay(home, learned.scenario(Scenario(), FUSE, STANDBY), learned, first=first, days=7)
    seen = watch(week, mechanisms=["optimal", "blowfish"])
    assert week.learned_days == 0
    likelier = {name: seen.seen[name].belief[:, 0] >= 0.5 for name in seen.seen}
    right = {name: (said == seen.occupied)[seen.judged].mean() for name, said in likelier.items()}
    assert right["optimal"] > seen.right_alone + 0.08
    assert seen.right("optimal") == pytest.approx(right["optimal"], abs=0.01)
    assert abs(seen.right("blowfish") - seen.right_alone) < 0.01


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


@pytest.mark.long
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
    heater = replace(readings, power=heated).only_houses(np.array([0]))
    assert learn(heater, meaning="at home", every_house=True, resamples=0).taught.tolist() == [0]
    assert [learned.tells_of(house) for house in range(2)] == [False, True]
    alone = learn(replace(readings, power=heated).only_houses(np.array([1])), meaning="at home", resamples=0)
    assert learned.houses.profile[:, many] == pytest.approx(alone.houses.profile[:, 0], abs=0.01)
    evening, noon, night = times_of_day(learned.houses.profile[:, 0])
    assert night > max(evening, noon)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_hard_homes_are_no_worse_than_by_the_rule_and_certainty_stays_honest(kind: str) -> None:
    """Or nothing is learned of them; in eight weeks certainty is stated of most, and near what is right."""
    found = check(simulated_homes(4, 56, 30, seed=5, kind=kind))
    told = [own for own in found.houses if own.verdict in OCCUPANCY]
    assert len(told) >= 3 or kind in ("night shifts", "always by night", "appliance at random")
    for own in told:
        ours, rule = (own.scores[name].all.accuracy for name in (THREE, RULE))
        assert ours.value > rule.value
        assert own.close_call or abs(own.sure - ours.value) < 0.04


@pytest.mark.long
def test_it_beats_the_rule_and_is_as_sure_as_it_is_right_on_simulated_homes_and_on_a_real_one() -> None:
    for readings, off in ((simulated_homes(10), 0.12), (real_home(), 0.2)):
        found = check(readings)
        ours, rule, always = (found.scores[name].all for name in (THREE, RULE, ALWAYS))
        assert ours.accuracy.low > rule.accuracy.value > always.accuracy.value
        assert ours.matthews.low > rule.matthews.value
        sure = [own for own in found.reliability if own.stated < 0.1 or own.stated > 0.9]
        assert all(abs(own.right.value - own.stated) < 0.1 for own in sure)
        weight = np.array([own.moments for own in found.reliability]) / found.labelled
        gaps = [abs(own.right.value - own.stated) for own in found.reliability]
        assert weight @ gaps < off / 2


@pytest.mark.long
def test_by_the_hour_it_is_as_right_and_as_sure_as_by_quarters() -> None:
    """Who gets up and leaves within one hour is not taken to sleep on."""
    homes = simulated_homes(4, 42, 15, seed=17)
    assert homes.occupied is not None
    hours = replace(
        homes,
        minutes=60,
        power=homes.power.reshape(4, -1, 4).mean(axis=2),
        occupied=(homes.occupied.reshape(4, -1, 4).mean(axis=2) >= 0.5).astype(np.int8),
    )
    fine, coarse = (check(each).scores[THREE].all.accuracy.value for each in (homes, hours))
    assert coarse > fine - 0.02
    found = at_home(hours)
    right = np.mean((found.at_home >= 0.5) == (found.truth == 1))
    assert found.certainty.mean() == pytest.approx(right, abs=0.03)
    learned, counted = (
        learn(each, meaning="at home", resamples=0) for each in (hours.without_labels(), hours)
    )
    assert (learned.minutes, learned.chain_minutes, counted.chain_minutes) == (60, 15, 60)
    chances = [
        own.habits(g, g.leave.value, g.arrive.value) for own in (learned, counted) for g in own.groups[:1]
    ]
    away, truth = (habit.periods[1].matrix[1][0] for habit in chances)
    assert away == pytest.approx(truth, abs=0.25), "of leaving at some point of a day, whatever the step"


def refused(homes: Readings) -> tuple[int, int, int]:
    """How many by their weeks, by their nights, and by their evenings."""
    power = without_left_on(homes.power, homes.minutes)
    busy = busy_hours(power, homes.days)
    by_weeks = weeks_differ(power, homes.days, homes.weekend)
    found = by_weeks, busy_nights(busy), silent_evenings(busy, homes.weekend)
    weeks, nights, evenings = (int(each.so.sum()) for each in found)
    return weeks, nights, evenings


@pytest.mark.parametrize("minutes", [pytest.param(15, marks=pytest.mark.long), 60])
def test_homes_whose_hours_no_four_states_can_follow_are_told_from_others(minutes: int) -> None:
    """Shift workers by their weeks or evenings, an appliance on some days by its nights; a heater of all
    nights, a holiday and the real home by none."""
    assert refused(simulated_homes(6, 63, minutes, seed=37, kind="night shifts"))[0] >= 5
    assert refused(simulated_homes(6, 63, minutes, seed=37, kind="appliance at random"))[1] >= 4
    assert refused(simulated_homes(6, 63, minutes, seed=37, kind="always by night"))[2] >= 5
    for kind in ("a week's holiday", "boiler by night"):
        assert max(refused(simulated_homes(3, 63, minutes, seed=37, kind=kind))) <= 1
    assert refused(real_home()) == (0, 0, 0)


def test_work_by_night_is_told_from_early_nights_and_from_a_house_for_weekends() -> None:
    """Busy hours of four weeks: who works from ten at night, who always sleeps from ten, who comes for
    weekends, and who sleeps from eleven."""
    weekend = np.arange(28) % 7 >= 5
    busy = np.zeros((4, 28, 24))
    busy[:, :, 14:22] = 0.5
    busy[0, weekend, 22:] = busy[3, :, 22] = 0.5
    busy[2, weekend, 22:] = 0.5
    busy[2, ~weekend] = 0.0
    busy[2, 1, 15] = 1.0
    assert silent_evenings(busy, weekend).so.tolist() == [True, False, False, False]


@pytest.mark.long
@pytest.mark.parametrize("minutes", [15, 60])
def test_hardly_an_ordinary_home_is_refused_whatever_the_seed_and_shift_workers_are(minutes: int) -> None:
    """Twenty-four of each on six seeds: 1 in 40 may be refused by mistake, 1 in 20 may slip through."""
    found = {
        kind: sum(sum(refused(simulated_homes(4, 63, minutes, seed, kind))) for seed in range(91, 97))
        for kind in ("usual", "pensioners", "night shifts")
    }
    assert found["usual"] + found["pensioners"] <= 3
    assert found["night shifts"] >= 22


@pytest.mark.long
def test_a_clock_two_hours_slow_is_asked_about() -> None:
    """Of the real home and of a street; as they are, and by UTC in summer; it moves by as much."""
    for readings in (real_home(), simulated_homes(6, 42, 30, seed=41)):
        slow = np.roll(readings.power, -2 * readings.steps_per_day // 24, axis=1)
        local, early = (
            rest_begins(by_hour(each.T, readings.steps_per_day)) for each in (readings.power, slow)
        )
        assert USUAL_REST[0] < local < USUAL_REST[1]
        assert early == pytest.approx(local - 2)
        assert early < USUAL_REST[0]
    home = replace(real_home().without_labels(), power=np.roll(real_home().power, -8, axis=1))
    learned = learn(home, meaning="at home", resamples=0)
    asked = [sentence for sentence in learned_words(learned) if "these times local" in sentence]
    assert len(asked) == 1
    assert "21:30" in asked[0]
    assert "2 hours slow" in asked[0]
    as_it_is, moved = (
        at_home(each, learned).at_home >= 0.5 for each in (home, replace(home, power=real_home().power))
    )
    assert np.mean(np.roll(moved, -8, axis=1) != as_it_is) == pytest.approx(learned.otherwise, rel=1e-9)
    assert percent(learned.otherwise, 2) in asked[0]
    assert learned.houses.close_call.all()


@pytest.mark.slow
def test_nothing_is_learned_of_a_home_that_would_be_oversold() -> None:
    homes = simulated_homes(1, 42, 60, seed=37, kind="night shifts").without_labels()
    learned = learn(homes, meaning="at home", resamples=0)
    assert learned.verdicts == (WEEKS_DIFFER,)
    assert not learned.tells_of(0)
    assert learned.houses.sureness[0] > 0.95


@cache
def weeks_of_learned(days: int) -> Learned:
    return learn(homes(1, days).without_labels(), meaning="at home", every_house=True, resamples=0)


def test_how_sure_it_is_is_said_where_that_is_certain_and_else_is_a_close_call() -> None:
    """Too few weeks, one uncertain home, and certainty that luck may have made: wherever it is told."""
    short, long = weeks_of_learned(14), weeks_of_learned(28)
    assert np.isinf(short.houses.off).all()
    called = []
    for learned, sure, off in (
        (short, 0.95, np.inf),
        (long, CLOSE_CALL - 0.001, 0.001),
        (long, 0.95, WITHIN),
        (long, CLOSE_CALL + 0.001, 0.001),
    ):
        houses = replace(learned.houses, certainty=np.array([sure]), off=np.array([off]))
        own = replace(learned, houses=houses)
        said = " ".join(doubts_words(own))
        in_check = house_words(HouseCheck("A", FOLLOWS, bool(houses.close_call[0]), 1, sure, {}))
        assert (percent(sure) in said) == (off < WITHIN)
        called.append(["close call" in said, "close call" in in_check, *houses.close_call])
    assert called == [[True] * 3, [True] * 3, [True] * 3, [False] * 3]


def test_the_luck_of_a_share_that_is_right_is_that_of_drawn_days() -> None:
    """Of 4,000 paths drawn from the chain that is decoded; the standard error of theirs is 1 in 90."""
    rng = np.random.default_rng(3)
    states = rng.dirichlet(np.ones(4))
    kernels = rng.dirichlet(np.full(4, 0.3), size=(30, 4))
    marginals = [states]
    for kernel in kernels:
        marginals.append(marginals[-1] @ kernel)
    found = Expected(
        np.array(marginals)[..., None],
        (np.array(marginals)[:-1, :, None] * kernels)[..., None],
        np.zeros((31, 1)),
    )
    said = rng.random((31, 1)) < 0.5
    path = rng.choice(4, size=4000, p=states)
    wrong = [(path != AWAY) != said[0, 0]]
    for kernel, home in zip(kernels, said[1:, 0], strict=True):
        path = (rng.random((4000, 1)) > np.cumsum(kernel[path], axis=1)).sum(axis=1)
        wrong.append((path != AWAY) != home)
    assert luck(found, said)[0] == pytest.approx(np.mean(wrong, axis=0).std(), rel=0.05)


def test_what_heats_on_most_nights_says_nothing_and_a_late_kettle_does() -> None:
    """Two kilowatts at one o'clock on two nights in three, and on one in three."""
    power = np.random.default_rng(1).uniform(0.1, 0.8, (2, 30, 24)).astype(np.float32)
    for house, nights in enumerate((np.arange(30) % 3 > 0, np.arange(30) % 3 == 0)):
        power[house, nights, 1] = 2.0
    found = heated_by_night(power.reshape(2, -1), 60).reshape(2, 30, 24)
    assert found[0, :, 1].sum() == 20
    assert found[0].sum() - 20 < 30
    assert not found[1].any()


def test_where_decoders_of_held_out_weeks_differ_certainty_is_less_and_elsewhere_it_stays() -> None:
    """The first says at home, the others that and away; of one that is alone the answer is not given."""
    sure, same, against = (np.array([[[1 - p], [p], [0.0], [0.0]]]) for p in (0.95, 0.8, 0.05))
    np.testing.assert_array_equal(agreed([sure, same, same]), sure)
    assert 0.5 < agreed([sure, same, against])[0, 1, 0] < 0.95
    assert agreed([sure, against, against])[0, 1, 0] < 0.5

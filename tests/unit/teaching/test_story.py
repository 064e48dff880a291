"""The story: what it says of its home is so, on any street, and its last stop's claim."""

import re
from itertools import pairwise

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.core.formatting import whole_percent
from rtp.exposure import exposure
from rtp.figures.bend import nothing_more
from rtp.figures.daytime import stretches
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.meters import Learned
from rtp.meters.answering import believed
from rtp.meters.real_home import real_home
from rtp.output import tour as output
from rtp.teaching.home import (
    CROWD,
    DAYS,
    LOOSE,
    STREETS,
    ByRate,
    Home,
    by_meter,
    home,
    learned_home,
    moved_by_home,
    street_of,
    told_by_rate,
)
from rtp.tradeoff.curves import errors
from tests.help.few import few

SEEDS = (0, 1, 2)


@pytest.fixture(scope="module")
def learned() -> Learned:
    return learned_home()


@pytest.fixture(scope="module")
def shown() -> Home:
    return home()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_guess_is_scored_as_by_hand(shown: Home, seed: int) -> None:
    """Stretches that overlap, touch, or lead beyond the days."""
    rng = np.random.default_rng(seed)
    spans = [
        (int(a), int(a + b)) for a, b in zip(rng.integers(-9, 480, 7), rng.integers(1, 60, 7), strict=True)
    ]
    right = 0
    for step in range(len(shown.power)):
        said = not any(start <= step < stop for start, stop in spans)
        right += said == bool(shown.occupied[step])
    assert shown.right(shown.without(spans)) == right / shown.labelled
    assert shown.labelled == len(shown.power)
    merged = stretches(~shown.without(spans))
    assert (shown.without(merged) == shown.without(spans)).all()
    assert all(before[1] < after[0] for before, after in pairwise(merged))


def test_usual_hours_are_those_of_the_other_days(shown: Home) -> None:
    readings = real_home()
    assert readings.occupied is not None
    truth = readings.occupied[0].reshape(readings.days, 24, -1)
    for day in range(DAYS):
        others = np.delete(truth, day, axis=0)
        for hour in range(24):
            more = (others[:, hour] == 1).sum() >= (others[:, hour] == 0).sum()
            assert (shown.usual.reshape(DAYS, 24, -1)[day, hour] == more).all()


def test_the_observer_of_the_meter_beats_the_clock_and_who_says_nothing(
    shown: Home, learned: Learned
) -> None:
    observer = shown.believed_right(by_meter(learned))
    assert observer > shown.right(shown.usual) > shown.right(shown.without([]))
    words = output.answered_words(shown, 0.5, observer)
    assert percents(words) == [50, *(round(100 * each) for each in (shown.right(shown.usual), observer))]


def percents(words: str) -> list[int]:
    return [int(number) for number in re.findall(r"(\d+) %", words)]


@pytest.mark.parametrize("seed", few(SEEDS, SEEDS[0]))
def test_what_each_stop_says_is_what_its_arrays_say(shown: Home, learned: Learned, seed: int) -> None:
    own = Scenario(seed=seed)

    def by(houses: int = 1, knows: str = "model", rate: str = UNPROTECTED, epsilon: float = 0.5) -> ByRate:
        return told_by_rate(learned, own.replace(epsilon=epsilon), houses, rate, knows)

    def right(told: ByRate) -> float:
        return float(np.mean((told.belief >= 0.5) == (shown.occupied == 1)))

    alone = by()
    habits = float(np.mean((alone.habits >= 0.5) == (shown.occupied == 1)))
    assert percents(output.price_words(right(alone), habits)) == [
        round(100 * each) for each in (right(alone), habits)
    ]
    noisy = {epsilon: right(by(rate=FEATURED, epsilon=epsilon)) for epsilon in (LOOSE, 0.5)}
    around = {houses: right(by(houses)) for houses in STREETS}
    for told, words in (
        (noisy, output.noise_words(noisy, habits)),
        (around, output.street_words(around, habits)),
    ):
        assert percents(words) == [round(100 * each) for each in (*told.values(), habits)]
        last = [*told.values()][-1]
        assert ("no more than" in words) == (whole_percent(last) == whole_percent(habits) or last < habits)
        assert max(told.values()) < right(alone), "noise and neighbours blur it"
    outsider, insider = by(CROWD), by(CROWD, "others")
    assert right(insider) == pytest.approx(right(alone), abs=0.01)
    assert right(outsider) < right(insider) - 0.1
    assert percents(output.crowd_words(CROWD, right(outsider), right(insider))) == [
        round(100 * right(each)) for each in (outsider, insider)
    ]


def test_in_a_crowd_what_is_believed_of_a_home_is_not_its_own_doing(learned: Learned) -> None:
    alone, outsider, insider = (
        moved_by_home(learned, Scenario(seed=4), houses, knows)
        for houses, knows in ((1, "model"), (CROWD, "model"), (CROWD, "others"))
    )
    assert outsider < 0.01
    assert min(alone, insider) > 0.5


def test_a_street_begins_with_the_home_and_lives_its_other_days(learned: Learned) -> None:
    few, more = (street_of(learned, Scenario(seed=3), houses).pieces[0] for houses in (3, 8))
    used, longer = (day.street_day.use_of(np.arange(3)).T for day in (few, more))
    np.testing.assert_array_equal(used, longer)
    np.testing.assert_allclose(few.street_day.demand, used.sum(axis=0))
    readings = real_home()
    days = np.minimum(readings.power[0].reshape(readings.days, -1), 3.0)
    np.testing.assert_allclose(used[0].reshape(DAYS, -1), days[:DAYS], rtol=1e-5)
    for lived in used[1:].reshape(-1, DAYS, days.shape[1]):
        for day, own in enumerate(lived):
            differs = np.nanmax(np.abs(days - own), axis=1)  # where a reading is missing it is filled in
            other = int(differs.argmin())
            assert differs[other] < 1e-5
            assert other >= DAYS
            assert readings.weekend[other] == readings.weekend[day]


def test_who_judges_by_the_whole_record_knows_no_more_at_its_end(learned: Learned) -> None:
    street = street_of(learned, Scenario(), 2)
    so_far, whole = (believed(street, UNPROTECTED, "model", 0, how) for how in ("filtering", "smoothing"))
    np.testing.assert_allclose(so_far.belief[-1], whole.belief[-1], atol=1e-9)
    np.testing.assert_array_equal(so_far.log_likelihood_ratio, whole.log_likelihood_ratio)
    assert np.abs(so_far.belief - whole.belief).max() > 0.1


def test_noise_hides_more_and_costs_more_until_it_hides_nothing_more() -> None:
    day, budgets = simulate(Scenario()), np.geomspace(10, 0.01, 31).tolist()
    told = exposure(day.scenario, "moment", "insider").over(FEATURED, budgets).value
    (error,) = errors(day, [FEATURED], budgets).values()
    assert (told[1:] <= told[:-1]).all()
    assert (error[1:] > error[:-1]).all()
    assert nothing_more(error, [told]) is not None

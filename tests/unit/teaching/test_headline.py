"""The first sentence: an average over fixed days, whatever the seed, and the days that are typical for it."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.core.types import Floats
from rtp.mechanisms import FEATURED
from rtp.teaching.headline import (
    DAYS,
    LONG_STREET_DAYS,
    TYPICAL_DAYS,
    TYPICAL_EPSILONS,
    PrivateDays,
    PublicDays,
    average,
    day_title,
    days_of,
    headline,
    margin_words,
    private_days,
    public_days,
    scenarios,
    typical_seeds,
)
from rtp.teaching.threat import right_share, stake, story_street, threat

SEEDS = 20


def private_at(epsilon: float) -> PrivateDays:
    return private_days(story_street(Scenario(epsilon=epsilon)), 0)


@pytest.fixture(scope="module")
def public() -> PublicDays:
    return public_days(story_street(Scenario()), 0)


@pytest.fixture(scope="module")
def private() -> list[PrivateDays]:
    return [private_at(epsilon) for epsilon in TYPICAL_EPSILONS]


def percents(*days: Floats) -> list[str]:
    return [f"{100 * average(each).value:.0f}" for each in days]


@pytest.mark.slow
def test_the_papers_street_gives_the_known_shares(public: PublicDays, private: list[PrivateDays]) -> None:
    strict, loose = private
    assert percents(public.habits, public.public, strict.private, loose.private) == ["81", "92", "82", "90"]
    assert average(public.habits).margin < 0.016
    street = story_street(Scenario())
    assert headline(public, strict) == (
        "An observer is right **81 %** of the day by habits alone, **92 %** with the public price, **82 %** "
        "with the private price."
    )
    assert margin_words(street, public, strict) == (
        "Averages over 60 simulated days of 2 houses, each ± 1 %. The private price is off by 2.9 %."
    )


@pytest.mark.slow
def test_restless_houses_give_the_known_shares() -> None:
    street = story_street(PRESETS["restless houses"])
    public, private = public_days(street, 0), private_days(street, 0)
    for days, known in ((public.habits, 0.51), (public.public, 0.73), (private.private, 0.54)):
        assert abs(average(days).value - known) <= average(days).margin


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_no_seed_changes_the_days_that_are_averaged(name: str) -> None:
    first = scenarios(story_street(PRESETS[name]))
    assert len({each.seed for each in first}) == len(first) == DAYS
    for seed in range(1, SEEDS):
        assert scenarios(story_street(PRESETS[name].replace(seed=seed))) == first


def test_another_epsilon_tariff_or_group_is_another_headline() -> None:
    street = story_street(PRESETS["mansions"])
    for other in (
        story_street(PRESETS["mansions"].replace(epsilon=1.0)),
        story_street(PRESETS["mansions"].replace(alpha=2.0)),
        story_street(PRESETS["mansions"], 1),
    ):
        assert scenarios(other)[0] != scenarios(street)[0]


def test_each_day_counts_as_the_picture_of_that_day_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtp.teaching.headline.DAYS", 3)
    street = story_street(PRESETS["mixed street"])
    public, private = public_days(street, 0), private_days(street, 0)
    for seed in range(3):
        day = simulate(street.replace(seed=seed))
        found = threat(day, stake(day, 0))
        assert found.accuracy(found.stake.guess) == public.habits[seed]
        assert found.accuracy(found.stake.unprotected) == public.public[seed]
        assert found.accuracy(found.private) == private.private[seed]
        assert day.release[FEATURED].error == private.error[seed]


def test_a_coin_is_right_half_the_time() -> None:
    occupied = np.array([True, False, True, True])
    assert right_share(np.full(4, 0.5), occupied) == 0.5
    assert right_share(np.array([0.9, 0.1, 0.2, 0.5]), occupied) == 2.5 / 4


def test_a_margin_is_the_standard_error_of_the_mean() -> None:
    values = np.random.default_rng(0).normal(size=400)
    np.testing.assert_allclose(average(values).margin, np.std(values, ddof=1) / 20)


def test_the_typical_days_are_those_nearest_to_the_averages() -> None:
    rng = np.random.default_rng(1)
    habits, seen, hidden, loose = rng.normal(size=(4, 30))
    for days in (habits, seen, hidden, loose):
        days -= (days.sum() - days[17]) / 29  # the mean of all others is 0
        days[17] = 0.0
    flat = np.ones(30)
    chosen = typical_seeds(
        PublicDays(habits=habits, public=seen),
        [PrivateDays(private=each, error=flat) for each in (hidden, loose)],
    )
    assert chosen[0] == 17
    assert len({*chosen}) == TYPICAL_DAYS == 10
    same = PrivateDays(private=flat, error=flat)  # nothing that could tell days apart
    assert typical_seeds(PublicDays(habits=flat, public=flat), [same, same]) == list(range(TYPICAL_DAYS))
    assert typical_seeds(PublicDays(habits=habits, public=flat), [same, same])[0] == 17


@pytest.mark.slow
def test_the_first_picture_shows_a_day_like_the_average(
    public: PublicDays, private: list[PrivateDays]
) -> None:
    seed = typical_seeds(public, private)[0]
    for days in (public.habits, public.public, *(each.private for each in private)):
        assert abs(days[seed] - days.mean()) < 0.05 < days.std()


def test_what_is_still_counted_is_left_open() -> None:
    street = story_street(Scenario())
    assert headline(None, None) == (
        "An observer is right **…** of the day by habits alone, **…** with the public price, **…** with the "
        "private price."
    )
    assert margin_words(street, None, None) == "Averages over 60 simulated days of 2 houses: counting …"
    assert [days_of(Scenario(households=n)) for n in (2, 3)] == [DAYS, LONG_STREET_DAYS]
    assert margin_words(Scenario(), None, None) == (
        "Averages over 20 simulated days of 1,000 houses: counting …"
    )
    one = PrivateDays(private=np.array([0.5, 0.7]), error=np.array([0.1, 0.3]))
    two = PublicDays(habits=np.array([0.8, 0.8]), public=np.array([0.9, 0.9]))
    assert margin_words(Scenario(households=1), two, one) == (
        "Averages over 60 simulated days of 1 house, each ± 10 %. The private price is off by 20 %."
    )
    for public, private in ((None, one), (two, None)):
        assert margin_words(street, public, private) == margin_words(street, None, None)


def test_a_picture_says_which_day_it_shows() -> None:
    street = Scenario(households=1, seed=7)
    assert day_title(street, True) == "A typical day of 1 house: the price"
    assert day_title(Scenario(), False) == "One day of 1,000 houses: the price"

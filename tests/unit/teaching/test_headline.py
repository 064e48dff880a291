"""How often the observer is right: an average over fixed days, and the days that are typical for it."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.mechanisms import FEATURED
from rtp.output.story import headline, margin_words
from rtp.teaching import headline as counted
from rtp.teaching.threat import right_share, stake, story_street, threat


@pytest.mark.parametrize("name", PRESETS)
def test_no_seed_changes_the_days_that_are_averaged(name: str) -> None:
    first = counted.scenarios(story_street(PRESETS[name]))
    assert len({each.seed for each in first}) == len(first) == counted.days_of(first[0])
    assert counted.scenarios(story_street(PRESETS[name].replace(seed=19))) == first
    assert counted.scenarios(story_street(PRESETS[name].replace(epsilon=1.5))) != first


def test_each_day_counts_as_the_picture_of_that_day_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtp.teaching.headline.DAYS", 3)
    street = story_street(PRESETS["mixed street"])
    public, private = counted.public_days(street, 0), counted.private_days(street, 0)
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


def test_the_typical_days_are_those_nearest_to_the_averages() -> None:
    days, flat = np.random.default_rng(1).normal(size=(4, 30)), np.ones(30)
    days[:, 17] = np.delete(days, 17, axis=1).mean(axis=1)
    habits, public, *noisy = days
    private = [counted.PrivateDays(private=each, error=flat) for each in noisy]
    chosen = counted.typical_seeds(counted.PublicDays(habits=habits, public=public), private)
    assert chosen[0] == 17
    assert len({*chosen}) == counted.TYPICAL_DAYS
    same = counted.PrivateDays(private=flat, error=flat)  # nothing that could tell days apart
    assert counted.typical_seeds(counted.PublicDays(habits=flat, public=flat), [same, same]) == list(
        range(counted.TYPICAL_DAYS)
    )
    assert counted.typical_seeds(counted.PublicDays(habits=habits, public=flat), [same, same])[0] == 17


def test_the_first_sentence_says_the_averages_and_leaves_open_what_is_counted() -> None:
    public = counted.PublicDays(habits=np.array([0.7, 0.8]), public=np.array([0.9, 0.95]))
    private = counted.PrivateDays(private=np.array([0.5, 0.7]), error=np.array([0.1, 0.3]))
    told, street = headline(public, private), Scenario(households=1)  # ± √(0.2²/2)/√2
    assert told.split("**")[1::2] == ["75 %", "92 %", "60 %"]
    assert "± 10 %" in margin_words(street, public, private), "the widest margin"
    for words in (headline(None, private), headline(public, None), margin_words(street, None, private)):
        assert "…" in words

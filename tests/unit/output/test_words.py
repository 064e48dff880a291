"""Sentences and tables hold the numbers of the day that they are about; none is repeated here in words."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.audit.exact import exact_loss
from rtp.core.formatting import percent, plain
from rtp.leakage.composition import privacy_account
from rtp.leakage.crowd import NoiseBySize, scale_text
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import FEATURED, REGISTRY, YARDSTICK
from rtp.output.glossary import GLOSSARY, help_for
from rtp.output.leakage import account_words, crowd_words, moment_words
from rtp.output.words import day_headline, edited, noise_story, step_words, total_budget, unusual_words
from rtp.simulation.setup import occupancy_shift

FEW = simulate(Scenario(households=20))


@pytest.mark.parametrize("name", ["mansions", "quiet night", "paper"])
def test_the_story_has_a_line_for_every_change_of_the_noise(name: str) -> None:
    day = simulate(PRESETS[name])
    scale = day.release[FEATURED].scale
    changes = np.flatnonzero(np.diff(scale)) + 1
    story = noise_story(day)
    if not len(changes):
        assert len(story) == 1
        assert plain(scale[0], 4) in story[0]
        return
    for step, line in zip(changes, story, strict=True):
        assert line.startswith(f"**{day.scenario.when(int(step))}**")
        assert f"{plain(scale[step - 1], 4)} → {plain(scale[step], 4)}" in line


def test_many_changes_are_cut_and_counted() -> None:
    day = simulate(PRESETS["mansions"].replace(days=5))
    changes = np.count_nonzero(np.diff(day.release[FEATURED].scale))
    *told, more = noise_story(day)
    assert str(changes - len(told)) in more
    assert len(told) < changes


@pytest.mark.parametrize("name", PRESETS)
def test_the_headline_quotes_the_day(name: str) -> None:
    day = simulate(PRESETS[name].replace(households=30))
    words, release = day_headline(day), day.release
    for said in (
        f"ε = {day.scenario.epsilon:g}",
        f"ε·T = {plain(total_budget(day), 6)}",
        percent(release[FEATURED].error),
        percent(release[FEATURED].expected_error),
    ):
        assert said in words
    saved = 1 - release[FEATURED].expected_error / release[YARDSTICK].expected_error
    assert (f"{percent(saved, 2)} less" in words) == (saved >= 5e-4)


def test_only_rates_outside_their_range_are_called_unusual() -> None:
    error = FEW.release["naive"].rmsre
    assert unusual_words(FEW, {"naive": (0.5 * error, 1.5 * error)}) == ""
    assert unusual_words(FEW, {"naive": (2.0, 2.0)}) == ""  # no noise: every draw is the same
    low, high = (unusual_words(FEW, {"naive": ends}) for ends in ((2 * error, 3 * error), (0.0, error / 2)))
    assert REGISTRY["naive"].label in low
    assert REGISTRY["naive"].label in high
    assert low != high


def test_what_was_edited_is_named_and_cut() -> None:
    paper = PRESETS["paper"]
    assert edited("paper", paper, paper) == ""
    assert "0.5 → 0.3" in edited("paper", paper, paper.replace(epsilon=0.3))
    many = paper.replace(epsilon=0.3, households=7, alpha=2.0, beta=1.0, seed=4)
    assert edited("paper", paper, many).count("→") == 3
    assert "2 more" in edited("paper", paper, many)


def test_another_step_says_by_how_much_occupancy_moves() -> None:
    assert step_words(FEW.scenario) == ""
    hourly = FEW.scenario.replace(step_minutes=60)
    assert percent(occupancy_shift(hourly)) in step_words(hourly)


def test_leaks_and_the_account_are_quoted() -> None:
    found, any_use = (moment_leakage(FEW, "blowfish", any_use=each) for each in (False, True))
    words = moment_words(FEW, found, any_use)
    for said in (found.worst, found.theorem_2, any_use.worst):
        assert plain(said) in words
    book = privacy_account(FEW, exact_loss(FEW, "blowfish"))
    words = account_words(FEW, book, 39)
    for said in (20.0, 48.0, book.at_worst[39], book.given_away[39], book.moment.worst):
        assert plain(said) in words
    nothing = moment_leakage(FEW, "forecast")
    assert "ε·T" not in moment_words(FEW, nothing)


def test_the_crowd_that_suffices_is_named_or_the_largest_that_does_not() -> None:
    noise = NoiseBySize(
        epsilon=0.2, delta=1e-4, house=3, step=48, insider=0.71741,
        sizes=np.array([5, 30, 3000]), scale=np.array([0.5, 0.0, 0.0]),
    )  # fmt: skip
    for each, size in ((noise, "30 houses"), (replace(noise, scale=np.ones(3)), "3,000 houses")):
        assert size in crowd_words(each)
        assert scale_text(noise.insider) in crowd_words(each)


def test_the_glossary_explains_the_words_of_a_text_and_no_parts_of_others() -> None:
    found = help_for("Models Θ the curator guards against; RMSRE, κ and λ of an observer. Observers!")
    assert found is not None
    used = [line.partition("**")[2].partition("**")[0] for line in found.split("\n\n")]
    assert used == [term for term in GLOSSARY if term not in ("ε", "occupied")]
    assert help_for("preoccupied, armsre") is None

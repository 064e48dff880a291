"""Sentences are built from the day's own numbers."""

import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.output.words import day_headline, edited, group_words, noise_story, total_budget, unusual_draw
from rtp.scenario.units import amount


def test_the_story_tells_every_change_of_the_noise() -> None:
    day = simulate(PRESETS["mansions"])
    story = noise_story(day)
    scale = day.release["blowfish"].scale
    assert len(story) == (scale[1:] != scale[:-1]).sum() == 4
    assert story[0].startswith("**07:15**")
    assert "becomes uncertain" in story[0]
    assert "no longer uncertain" in story[1]


def test_an_empty_protected_set_is_said_in_words() -> None:
    story = noise_story(simulate(PRESETS["quiet night"]))
    assert any("the exact rate is published" in line for line in story)


def test_a_steady_day_names_the_house_that_sets_the_noise() -> None:
    day = simulate(Scenario())
    assert noise_story(day) == [
        line for line in noise_story(day) if f"house {day.release['blowfish'].setter[0]}" in line
    ]


def test_a_certain_street_has_nothing_to_hide() -> None:
    habits = PRESETS["quiet night"].models[0].habits[0]
    closed = tuple(p.replace(matrix=((1.0, 0.0), (1.0, 0.0))) for p in habits.periods)
    scenario = PRESETS["quiet night"]
    model = scenario.models[0].replace(habits=(habits.replace(periods=closed),))
    story = noise_story(simulate(scenario.replace(models=(model,))))
    assert story == [
        "No house is ever uncertain, so the exact rate is published all day: there is nothing to hide."
    ]


def test_many_changes_are_cut_and_counted() -> None:
    story = noise_story(simulate(PRESETS["mansions"].replace(days=5)))
    assert story[-1] == "… and 12 more changes."
    assert story[4].startswith("**Day 2, 07:15**")


@pytest.mark.parametrize("name", PRESETS)
def test_the_headline_quotes_the_day(name: str) -> None:
    day = simulate(PRESETS[name])
    assert f"ε·T = {total_budget(day):g}" in day_headline(day)
    assert f"ε = {day.scenario.epsilon:g}" in day_headline(day)


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0, "0"), (1.23456, "1.23"), (-0.5, "−0.5"), (999.4, "999"), (1000.0, "1,000"), (-12345.6, "−12,346")],
)
def test_money_is_said_in_three_digits_or_whole(value: float, said: str) -> None:
    assert amount(value, Scenario()) == said


def test_what_was_edited_is_said_and_cut() -> None:
    paper = PRESETS["paper"]
    assert edited("paper", paper, paper) == ""
    assert edited("quiet night", paper, paper.replace(epsilon=0.3)) == (
        "**Edited from Quiet night:** ε — privacy budget per step 0.5 → 0.3."
    )
    many = paper.replace(epsilon=0.3, households=7, alpha=2.0, beta=1.0, seed=4)
    assert edited("paper", paper, many).endswith("; and 2 more.")


@pytest.mark.parametrize(
    ("error", "range_", "said"),
    [
        (1.0, (0.9, 1.1), ""),
        (0.9, (0.9, 1.1), ""),
        (1.1, (0.9, 1.1), ""),
        (1.2, (0.9, 1.1), "an unlucky draw"),
        (0.8, (0.9, 1.1), "a lucky draw"),
        (2.0 + 1e-12, (2.0, 2.0), ""),
    ],
)
def test_a_draw_is_unusual_only_outside_its_range(
    error: float, range_: tuple[float, float], said: str
) -> None:
    assert unusual_draw(error, *range_) == said


def test_a_group_of_one_house_is_one_house() -> None:
    assert group_words("Villas", 1) == "Villas, 1 house"
    assert group_words("Villas", 1200) == "Villas, 1,200 houses"

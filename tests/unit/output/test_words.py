"""Sentences are built from the day's own numbers."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.core.formatting import percent, plain
from rtp.mechanisms import REGISTRY
from rtp.output.words import (
    day_headline,
    edited,
    group_words,
    noise_story,
    total_budget,
    unusual_draw,
    unusual_words,
)
from rtp.scenario.units import amount

MANSION = "house 4 (Mansions, bound 4.43)"
UP = f"1.998 → 8.862: {MANSION} becomes uncertain (980 → 1,000 protected houses)."
DOWN = f"8.862 → 1.998: {MANSION} is no longer uncertain (1,000 → 980 protected houses)."
SMALLEST = "house 466 (Households, bound 0.999)"


def test_the_story_tells_every_change_of_the_noise() -> None:
    day = simulate(PRESETS["mansions"])
    assert noise_story(day) == [
        f"**07:15** — {UP}",
        f"**09:15** — {DOWN}",
        f"**17:15** — {UP}",
        f"**22:15** — {DOWN}",
    ]
    assert noise_story(day, "naive") == [
        "The noise keeps the scale 10 all day: it is made for the largest bound, whoever has it."
    ]


def test_an_empty_protected_set_is_said_in_words() -> None:
    assert noise_story(simulate(PRESETS["quiet night"])) == [
        f"**07:15** — 0 → 1.998: houses become uncertain again; {SMALLEST} sets the noise "
        "(0 → 1,000 protected houses).",
        "**23:15** — 1.998 → 0: no house is uncertain any more, so the exact rate is published "
        "(1,000 → 0 protected houses).",
    ]


def test_a_steady_day_names_the_house_that_sets_the_noise() -> None:
    assert noise_story(simulate(Scenario())) == [
        "The noise keeps the scale 1.998 all day: 1,000 of 1,000 houses stay uncertain, and "
        f"{SMALLEST} is always among them."
    ]


def test_steps_in_a_row_each_compare_with_the_one_before() -> None:
    day = simulate(Scenario(households=3, days=2, power_unit="kW"))
    bounds = [f"house {house} (Households, bound {plain(day.street.bound[house])} kW)" for house in range(3)]
    steady = day.release["blowfish"]
    first = {"scale": (1.0, 2.0, 0.5), "protected": (3, 1, 2), "setter": (0, 1, 2)}
    moved = {name: getattr(steady, name).copy() for name in first}
    for name, values in first.items():
        moved[name][:3], moved[name][3:] = values, values[-1]
    told = noise_story(replace(day, release={"blowfish": replace(steady, **moved)}))
    assert told == [
        f"**Day 1, 00:15** — 1 → 2 money/kWh: {bounds[1]} becomes uncertain (3 → 1 protected houses).",
        f"**Day 1, 00:30** — 2 → 0.5 money/kWh: {bounds[1]} is no longer uncertain (1 → 2 protected houses).",
    ]
    steady = replace(steady, setter=np.minimum(steady.setter, 0), protected=np.r_[steady.protected[1:], 1])
    assert noise_story(replace(day, release={"blowfish": steady})) == [
        f"The noise keeps the scale {plain(steady.scale[0], 4)} money/kWh all days: 1 of 3 houses stay "
        f"uncertain, and {bounds[0]} is always among them."
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
    mansions = PRESETS["mansions"]
    story = noise_story(simulate(mansions.replace(days=5)))
    assert story[4] == f"**Day 2, 07:15** — {UP}"
    assert story[7:] == [f"**Day 2, 22:15** — {DOWN}", "… and 12 more changes."]
    assert noise_story(simulate(mansions.replace(days=2))) == story[:8], "eight are all told"


@pytest.mark.parametrize("name", PRESETS)
def test_the_headline_quotes_the_day(name: str) -> None:
    day = simulate(PRESETS[name])
    assert f"ε·T = {total_budget(day):g}" in day_headline(day)
    assert f"ε = {day.scenario.epsilon:g}" in day_headline(day)


@pytest.mark.parametrize(
    ("own", "forecast", "saved", "more"),
    [
        (0.9994, 1.0, "0.06 % less than", ""),
        (0.9996, 1.0, "no better than", ""),
        (0.25, 0.5, "75 % less than", ""),
        (0.25, 0.25, "75 % less than", ""),
        (
            0.25,
            0.1,
            "75 % less than",
            "Publishing the model's forecast, which looks at no data at all, would be more accurate still. ",
        ),
    ],
)
def test_the_headline_compares_with_naive_noise_and_with_the_forecast(
    own: float, forecast: float, saved: str, more: str
) -> None:
    """Threshold noise would be best, but neglects some houses; Blowfish is the best of the others."""
    day = simulate(Scenario(households=2))
    off = dict.fromkeys(REGISTRY, 2.0) | {"naive": 1.0, "threshold": 0.01, "optimal": 0.0}
    off |= {"blowfish": own, "forecast": forecast}
    release = {
        name: replace(each, rmsre=0.03 / 96**0.5, expected_rmsre=0.04 * off[name] / 96**0.5)
        for name, each in day.release.items()
    }
    assert day_headline(replace(day, release=release)) == (
        "At ε = 0.5 per step the Blowfish rate misses the optimal one by 3 % of its value in a typical step. "
        f"On average it is {percent(0.04 * own)}, {saved} the naive rate. The blowfish rate keeps the same "
        f"ε with {percent(own, 2)} of the naive error. {more}Over the 96 steps the budget adds up to at most "
        "ε·T = 48."
    )


def test_the_budget_of_all_steps_has_six_digits() -> None:
    words = day_headline(simulate(Scenario(households=2, epsilon=0.1234567)))
    assert words.partition(" at most ")[2] == "ε·T = 11.8518."


def test_rates_outside_their_range_are_called_by_their_luck() -> None:
    day = simulate(Scenario(households=2))
    inside, low, high = (
        {name: (day.release[name].rmsre * share, day.release[name].rmsre * (share + 1)) for name in names}
        for names, share in ((["calibrated"], 0.5), (["naive", "blowfish"], 2.0), (["filtered"], -0.5))
    )
    assert unusual_words(day, inside) == ""
    lucky = "**A lucky draw:** Naive, Blowfish — below the range that 95 % of draws of other noise give."
    assert unusual_words(day, inside | low) == lucky
    assert unusual_words(day, low | high) == (
        "**An unlucky draw:** Filtered — above the range that 95 % of draws of other noise give. " + lucky
    )


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
    three = "Households 1,000 → 7; ε — privacy budget per step 0.5 → 0.3; α — price slope 1 → 2"
    assert edited("paper", paper, many) == f"**Edited from Paper:** {three}; and 2 more."
    four = paper.replace(epsilon=0.3, households=7, alpha=2.0, seed=4)
    assert edited("paper", paper, four) == f"**Edited from Paper:** {three}; and 1 more."
    few = paper.replace(epsilon=0.3, households=7, alpha=2.0)
    assert edited("paper", paper, few) == f"**Edited from Paper:** {three}."


@pytest.mark.parametrize(
    ("error", "range_", "said"),
    [
        (1.0, (0.9, 1.1), ""),
        (0.9, (0.9, 1.1), ""),
        (1.1, (0.9, 1.1), ""),
        (1.2, (0.9, 1.1), "an unlucky draw"),
        (0.8, (0.9, 1.1), "a lucky draw"),
        (2.0 + 1e-12, (2.0, 2.0), ""),
        (1.0, (0.0, 0.0), ""),
        (3.0, (2.0 - 1e-9, 2.0), ""),
        (3.0, (2.0 - 4e-9, 2.0), "an unlucky draw"),
    ],
)
def test_a_draw_is_unusual_only_outside_its_range(
    error: float, range_: tuple[float, float], said: str
) -> None:
    assert unusual_draw(error, *range_) == said


def test_a_group_of_one_house_is_one_house() -> None:
    assert group_words("Villas", 1) == "Villas, 1 house"
    assert group_words("Villas", 1200) == "Villas, 1,200 houses"

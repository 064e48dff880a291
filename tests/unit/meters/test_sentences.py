"""What is seldom said of learned habits and of a replay: sentence by sentence, to the letter."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import rtp
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.meters import Learned, Readings, learn
from rtp.meters.answering import (
    Answer,
    Watched,
    answer,
    observer_words,
    rates_words,
    replay_words,
    right_at,
    watch,
    watched_words,
)
from rtp.meters.house_fit import HeldOut, HouseVerdict
from rtp.meters.replaying import replay
from rtp.meters.words import (
    correlation_words,
    days_words,
    findings_frame,
    groups_words,
    held_out_frame,
    houses_frame,
    learned_verdict,
    named,
    verdicts_words,
)
from rtp.scenario import Group
from tests.help.sentence import exactly
from tests.unit.meters.streets import as_readings, known_street

STREET = rtp.Scenario(groups=(Group(occupied_max=1.0, empty_max=0.5),), power_unit="kW")
SPLIT = "Houses were sorted by every other week; each group's habits come from the weeks between."


@cache
def readings() -> Readings:
    """Three houses, a fortnight of hours, that say who is at home."""
    street = known_street(3, 14, 60, 1)
    return as_readings(street.readings.power, 60, street.occupied.astype(np.int8))


@cache
def learned() -> Learned:
    return learn(readings(), resamples=0)


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (2, SPLIT),
        (3, SPLIT),
        (
            1,
            "**The readings show one group of houses, not 2**: so many predict other weeks no better. "
            + SPLIT,
        ),
    ],
)
def test_groups_that_the_readings_do_not_show_are_said(shown: int, words: str) -> None:
    two = replace(learned(), groups=2 * learned().groups, groups_shown=shown)
    assert groups_words(two) == [words]
    assert groups_words(replace(two, groups=learned().groups)) == []


def test_some_groups_of_many_are_counted() -> None:
    three = replace(learned(), groups=3 * learned().groups, groups_shown=2)
    told = "**The readings show 2 groups of houses, not 3**: so many predict other weeks no better."
    assert groups_words(three) == [f"{told} {SPLIT}"]


@pytest.mark.parametrize(("count", "words"), [(6, "a, b, c, d, e, f"), (7, "a, b, c, d, e, f and 1 more")])
def test_six_houses_are_named_and_others_counted(count: int, words: str) -> None:
    assert named("abcdefg"[:count]) == words
    told = f"**Too few readings on these days**, so not learned from: {words}."
    assert days_words(replace(learned(), left_out=tuple("abcdefg"[:count])))[1] == told


def test_a_sample_of_houses_is_said_of_the_groups_that_have_one() -> None:
    (group,) = learned().groups
    assert days_words(learned()) == ["Learned from 14 of 14 days: 2024-05-06 to 2024-05-19."]
    some = replace(learned(), groups=(replace(group, pooled=2), replace(group, name="Group B")))
    assert days_words(some)[1:] == ["Common habits come from a sample of the houses: Group A 2 of 3."]


@pytest.mark.parametrize(
    ("correlation", "words"),
    [
        (0.09375, "Beyond what the states explain, two readings in a row are hardly alike."),
        (
            -0.125,
            "Two readings in a row are alike beyond what the states explain: the correlation of a house is "
            "-0.1 in the middle one. It is part of the model, so a run of high use is not taken for visits.",
        ),
    ],
)
def test_a_correlation_below_a_tenth_is_no_number(correlation: float, words: str) -> None:
    houses = learned().houses
    model = replace(houses.model, correlation=np.array([-0.9, correlation, 0.9]))
    assert correlation_words(replace(learned(), houses=replace(houses, model=model))) == words


def verdicts(*labels: str) -> Learned:
    """Of four houses, one of which is not usable and one ended early unless all have a verdict."""
    found = replace(learned(), all_houses=4, counted=False, left_out=("x",) if len(labels) < 4 else ())
    found.__dict__["verdicts"] = tuple(HouseVerdict(label, "") for label in labels)
    return found


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (
            ("follows the clock",) * 4,
            "**4 of 4 houses show two states** that follow the clock and predict days that were not learned "
            "from better than one.",
        ),
        (
            ("follows the clock",) * 2,
            "**2 of 4 houses show two states** that follow the clock and predict days that were not learned "
            "from better than one. The others: ended early 1, not usable 1.",
        ),
        (
            ("follows the clock", "vacant"),
            "**Most houses do not show occupancy** in these readings: 1 of 4 show two states that follow the "
            "clock. The others: vacant 1, ended early 1, not usable 1.",
        ),
    ],
)
def test_verdicts_are_counted_over_all_houses(labels: tuple[str, ...], words: str) -> None:
    assert verdicts_words(verdicts(*labels)) == words


def test_starts_that_disagree_are_said() -> None:
    found = replace(learned(), counted=False)
    disagree = replace(found.houses, starts_agree=np.array([True, False, True]))
    assert learned_verdict(replace(found, houses=disagree))[-1] == (
        "From 3 starting points 2 of 3 houses end at the same explanation; of the others the likeliest is "
        "shown."
    )
    assert learned_verdict(found)[-1] == correlation_words(found)


def test_houses_that_were_not_learned_from_have_the_reason_in_the_table() -> None:
    some = replace(learned(), which=np.array([1]), left_out=("h2",))
    unusable, given, ended = houses_frame(readings(), some).to_dict("records")
    assert list(unusable.values()) == ["not usable", "too few, or they never change", "", "", ""]
    assert list(given.values())[:2] == ["given", "the readings say who is at home"]
    assert list(ended.values()) == ["ended early", "too few readings on the days learned from", "", "", ""]
    nothing = [{"Found": "Nothing to remark", "What is done": "all is used"}]
    assert findings_frame(readings()).reset_index().to_dict("records") == nothing


def test_models_are_compared_by_what_a_reading_is_likelier() -> None:
    """Ten readings: two nats more than one state are e^0.2 − 1 a reading, and one less is e^−0.1 − 1."""
    judged = HeldOut(np.array([True]), *(np.array([each]) for each in (-8.0, -11.0, -10.0, 10.0)))
    table = held_out_frame(replace(learned(), houses=replace(learned().houses, held_out=judged)))
    assert table["Log-likelihood of a reading"].tolist() == ["-0.8", "-1.1", "-1"]
    assert table["A reading is likelier by"].tolist() == ["+22.1%", "-9.5%", "+0.0%"]
    assert list(table.index) == ["Two states, with periods", "Two states, the same all day", "One state"]


@cache
def answered() -> Answer:
    return answer(readings(), STREET, first=3, days=1, house="h1")


def test_a_house_whose_occupancy_is_given_is_judged_by_it() -> None:
    scores = answered().watched.attack
    exact, private = (right_at(scores.scores[name]) for name in (UNPROTECTED, FEATURED))
    assert observer_words(answered()) == (
        "**Of the houses, h1 is watched.** Someone who knows what everyone else used is right about it at "
        f"{exact} of the moments from unprotected rates, at {private} from the Blowfish rate and at "
        f"{right_at(scores.model)} by the model alone."
    )
    most = replace(answered(), most_exposed=True)
    assert observer_words(most).split(" Someone")[0] == "**The house that shows most is h1.**"


def test_one_day_is_called_so() -> None:
    start = "**On real demand**, on one day from 2024-05-09, the published rate would have been off"
    assert rates_words(answered().replay).split(" in a typical step")[0] == start
    assert answered().watched.first_date == "2024-05-09"


def seen_by(knows: str, *mechanisms: str) -> Watched:
    return watch(answered().replay, "h1", knows=knows, mechanisms=mechanisms)


def test_what_she_sees_is_said_as_far_as_rates_are_shown() -> None:
    judged = "She is judged by the occupancy that the readings give."
    words = watched_words(seen_by("model", FEATURED))
    who = "**h1**, watched by an outsider, who knows the habits only."
    assert words == f"{who} {judged}"
    exact = seen_by("others", UNPROTECTED)
    assert watched_words(exact) == (
        f"**h1**, watched by an insider, who knows what everyone else used. {judged} From the unprotected "
        f"rates she is right at **{right_at(exact.attack.scores[UNPROTECTED])}** of the moments, by the "
        f"model alone at {right_at(exact.attack.model)}."
    )


def test_whom_and_how_one_may_watch_is_said() -> None:
    for asked, sentence in (
        ({"house": "h9"}, "house is 'h9'; it must be one of h0, h1, h2."),
        ({"knows": "all"}, "knows is 'all'; it must be one of model, others."),
    ):
        with pytest.raises(rtp.ScenarioError, match=exactly(sentence)):
            watch(answered().replay, **asked)


def test_a_replay_of_which_nothing_was_cut_or_filled_says_so() -> None:
    assert replay_words(replay(readings(), STREET, days=1)) == (
        "No reading is above its bound; 0 % of the readings are missing and were filled with the house's "
        "usual use."
    )

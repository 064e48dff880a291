"""The answer to a wish, against the rooms that compute its parts, and against every point of the frontier."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, ScenarioError
from rtp.core.stats import Range
from rtp.core.time import StepMinutes, on_days
from rtp.decision import (
    EPSILONS,
    Answer,
    Wish,
    completed,
    decide,
    explained,
    further_questions,
)
from rtp.decision.choose import AS_FORECAST
from rtp.decision.requirement import described_street
from rtp.exposure import HIDDEN, VISIBLE, exposure
from rtp.figures.decision import answer_figure
from rtp.mechanisms import NO_DATA, UNPROTECTED
from rtp.output.decision import (
    TABLES,
    answer_sentence,
    exposure_frame,
    reason,
    warnings,
)
from rtp.output.decision_report import LEARNED, assumptions, decision_report, promise_of
from rtp.output.exposure import EDGE, share, where
from rtp.output.report import frame_html, text_html
from rtp.output.words import LIMITS
from rtp.scenario import OccupancyModel, Scenario, edit, habit_words
from rtp.tradeoff.curves import usable_epsilon

STREET = PRESETS["mixed street"].replace(
    households=120, power_unit="kW", currency="EUR", alpha=0.005, beta=0.2, epsilon=1.0
)
LONG = PRESETS["paper"].replace(households=400)
pytestmark = pytest.mark.slow
FIRST = Wish(secret="day", observer="insider", error=2.0)
OTHERS = [
    Wish(observer="insider", error=10.0),
    Wish(secret="week", groups=("Home", "Shift")),
    Wish(secret="moment", error=60.0),
    Wish(secret="moment", rarest=0.0),
]
HOURLY: tuple[StepMinutes, ...] = (60,)
REPORTED: list[float] = []  # progress of the answer that most tests look at


@cache
def answer_to(wish: Wish) -> Answer:
    return decide(STREET, wish, among=HOURLY, progress=REPORTED.append if wish == FIRST else None)


@pytest.fixture(scope="module")
def found() -> Answer:
    return completed(answer_to(FIRST))


@pytest.fixture(
    scope="module", params=[FIRST, *(pytest.param(wish, marks=pytest.mark.long) for wish in OTHERS)]
)
def answer(request: pytest.FixtureRequest) -> Answer:
    return answer_to(request.param)


def test_seed_and_budget_play_no_part() -> None:
    """An answer is made of the described street alone."""
    for seed in range(20):
        assert described_street(STREET.replace(seed=seed, epsilon=0.3, days=3)) == described_street(STREET)


def test_nothing_on_the_frontier_does_better(answer: Answer) -> None:
    wish, chosen = answer.wish, answer.chosen
    for line in answer.lines:
        kept = np.ones(len(EPSILONS), dtype=bool)
        if wish.error is not None:
            kept &= line.errors <= wish.error / 100
        if wish.secret is not None and answer.seen[0].exact:
            kept &= line.right[2] <= HIDDEN
            assert answer.choice is not None or not kept.any() or chosen.verdict == "timetable"
        elif wish.secret is None and kept.any() and chosen.accurate is not None:
            assert line.right[0][kept].min() >= chosen.accurate.right.value - 0.01
        if (hiding := chosen.hiding) and (hiding.rate, hiding.minutes) == (line.rate, line.minutes):
            edge = hiding.epsilon
            if (beyond := chosen.edge) and (beyond.rate, beyond.minutes) == (line.rate, line.minutes):
                edge = beyond.epsilon
            assert edge >= hiding.epsilon
            if hiding.exact:
                beyond_it = 1.02 * edge < EPSILONS  # ε has three digits
                useful = line.errors < AS_FORECAST * chosen.timetable_error
                assert (line.right[1][beyond_it & useful] > HIDDEN).all()


def test_what_is_published_keeps_what_was_asked_for(answer: Answer) -> None:
    wish, choice = answer.wish, answer.choice
    if choice is not None:
        assert wish.error is None or choice.error <= wish.error / 100
        assert wish.secret is None or choice.right.high <= HIDDEN
    assert answer.chosen.verdict == "publish" or answer.rate == NO_DATA
    if answer.chosen.verdict == "timetable" and wish.error is not None:
        assert answer.chosen.timetable_error <= wish.error / 100


def test_numbers_are_those_of_exposure_and_their_place_is_said(answer: Answer) -> None:
    """To the last digit, of the group that shows best; what was measured closer is surer."""
    wish, chosen = answer.wish, answer.chosen
    street = answer.scenario.replace(epsilon=1.0)
    whole = {who: exposure(street, wish.shown, who, rarest=wish.rarest) for who in wish.observers}
    for choice in filter(None, (chosen.choice, chosen.hiding, chosen.accurate)):
        for who, right in choice.told.items():
            first = wish.asked(whole[who]).at(choice.rate, choice.epsilon)
            assert choice.first[who] == first
            if right != first:
                assert right.high - right.low < first.high - first.low
                assert right.low < first.high
                assert first.low < right.high
        if choice is chosen.choice:
            assert share(choice.first[choice.judge], choice.exact) in "".join(reason(answer))
            assert where(choice.worst, answer.scenario, wish.shown) in "".join(reason(answer))
    if answer.choice is None and wish.secret:
        assert where(
            wish.asked(whole[wish.judge]).worst(UNPROTECTED), answer.scenario, wish.secret
        ) in "".join(reason(answer))
    for each in answer.seen:
        assert each.without_noise == whole[each.observer].by_group[each.group].at(UNPROTECTED)


def test_a_crowd_alone_hides_nothing_for_sure() -> None:
    """Without noise this outsider is right no more often than counts as hidden; she is only approximate."""
    found = decide(LONG, Wish(secret="moment"), among=HOURLY)
    (outsider, insider), hiding = found.seen, found.chosen.hiding
    assert outsider.without_noise.high <= HIDDEN
    assert not outsider.exact
    assert hiding is not None
    assert hiding.told["insider"].high < (0.5 + 3 * insider.without_noise.high) / 4 + 0.001
    assert hiding.epsilon < 100


def test_every_other_kind_of_day_is_told_with_its_worst_place() -> None:
    """A street that is shut on Sunday and sleeps in on Saturday; the days beside the worst are the others."""
    ordinary = habit_words.habits_of("shop", "9–18", "Sunday")
    late = tuple(part.replace(start=part.start + 1) for part in ordinary.periods)
    shops = ordinary.replace(weekend=late)
    models = (OccupancyModel(habits=(shops,)),)
    alone = PRESETS["paper"].replace(households=300, step_minutes=60, models=models, beta=0.1)
    answer = explained(decide(alone, Wish(secret="moment"), among=HOURLY))
    assert answer.choice is not None
    assert answer.choice.worst is not None
    others = {day for other in answer.other_days for day in other.days}
    assert (len(answer.other_days), len(others)) in [(2, 6), (2, 2)]
    assert answer.choice.worst.weekday not in others
    said = " ".join(reason(answer))
    for other in answer.other_days:
        if other.worst is not None:
            assert other.worst.weekday in other.days
            assert other.right.value <= answer.choice.first[answer.choice.judge].value
        assert f"{on_days(other.days)} " in said


def test_one_groups_secret_is_judged_alone() -> None:
    """Both answers are one street's: the others' secret is not asked about."""
    first = decide(STREET, Wish(secret="day", observer="insider", groups=("Home",)), among=HOURLY)
    assert [each.group for each in first.seen] == ["Home"]
    asked = further_questions(first)
    assert {(each.secret, each.observer) for each in asked} == {
        (secret, observer) for secret in ("moment", "day", "week") for observer in ("insider", "outsider")
    }


def test_a_completed_answer_holds_every_secret_of_every_group(found: Answer) -> None:
    """And of what was asked the same numbers as before."""
    names = [group.name for group in STREET.groups]
    for secret in ("moment", "day", "week"):
        for who in ("outsider", "insider"):
            usual = [each for each in found.seen if (each.secret, each.observer) == (secret, who)]
            assert sorted(each.group for each in usual if each.rarest) == sorted(names)
            for each in usual:
                assert each.rarest or secret == "moment"
    assert set(answer_to(FIRST).seen) <= set(found.seen)
    other = found.stated_for(STREET.replace(seed=7))
    assert other.stated.seed == 7
    assert other.money is found.money, "it takes a while to work it out"


def test_the_picture_shows_the_answer_and_the_limits_that_were_asked_for(answer: Answer) -> None:
    traces = {trace["name"]: trace for trace in answer_figure(answer).traces}
    wish, choice = answer.wish, answer.choice
    assert any(name.startswith("hidden") for name in traces) == (wish.secret is not None)
    assert ("accepted" in traces) == (wish.error is not None)
    star = traces["timetable" if choice is None else "the answer"]
    error = answer.chosen.timetable_error if choice is None else choice.error
    assert list(star["x"]) == [pytest.approx(100 * error)]
    assert list(star["y"]) == [
        50.0 if choice is None else pytest.approx(100 * choice.first[choice.judge].value)
    ]


def test_the_street_is_as_described() -> None:
    houses = described_street(STREET).houses
    assert houses is not None
    assert len(houses) == STREET.households
    for group in STREET.groups:
        mine = [house for house in houses if house.group == group.name]
        assert max(house.occupied for house in mine) == group.occupied_max
        assert np.mean([house.occupied for house in mine]) == pytest.approx(
            (group.occupied_min + group.occupied_max) / 2
        )


def _first_period_at(street: Scenario, hour: float) -> OccupancyModel:
    """Its model, in which everybody's first period starts at that hour."""
    model = street.models[0]
    late = [
        each.replace(periods=(each.periods[0].replace(start=hour), *each.periods[1:]))
        for each in model.habits
    ]
    return model.replace(habits=tuple(late))


@pytest.mark.long
def test_a_period_that_an_interval_cuts_is_moved_and_named() -> None:
    street = STREET.replace(models=(_first_period_at(STREET, 7.5),))
    found = decide(street, Wish(secret="moment", observer="insider"), among=(15, 30, 60))
    assert {line.minutes for line in found.lines} == {15, 30, 60}
    assert not found.moved[30]
    after = {moved.group: moved.after for moved in found.moved[60]}
    assert after == {"Office": 7.0, "Home": 8.0, "Shift": 8.0}, "at eight people of the office are at work"
    for moved in found.moved[60]:
        assert moved.before == 7.5
        (line,) = [each for each in assumptions(found) if moved.group in each and "60" in each]
        assert moved.period in line


@pytest.mark.parametrize(
    ("right", "word"),
    [
        (Range(0.95, 0.92, 0.97), "visible"),
        (Range(0.89, 0.85, 0.92), "edge"),
        (Range(0.5, 0.45, 0.55), "hidden"),
    ],
)
def test_a_secret_that_may_be_visible_is_warned_of(found: Answer, right: Range, word: str) -> None:
    first = replace(
        found.seen[0], first=right, right=right, worst=found.seen[0].worst_without_noise, rarest=0.05
    )
    published = replace(found.chosen, choice=found.chosen.hiding)
    seen = replace(found, seen=(first,), chosen=published)
    assert bool(warnings(seen)) == (right.high >= VISIBLE)
    assert all(first.group in line and first.observer in line for line in warnings(seen))
    assert (EDGE in "".join(warnings(seen))) == (right.low < VISIBLE < right.high)
    assert word in exposure_frame(seen)[first.observer.capitalize()].iloc[0]


def test_the_report_holds_the_answer_and_every_table(found: Answer) -> None:
    page = decision_report(found)
    assert text_html(answer_sentence(found)) in page
    for frame in (table(found) for table in TABLES.values()):
        assert frame_html(frame) in page
    assert found.chosen.verdict != "publish"  # no noise, but habits that may have been learned
    assert text_html(LEARNED) in page
    assert not any(text_html(limit) in page for limit in LIMITS)
    known = [replace(found.chosen, verdict=each) for each in ("timetable", "nothing")]
    assert [len(promise_of(replace(found, chosen=each))) for each in known] == [1, 2]


def test_progress_grows_to_one_and_may_stop(found: Answer) -> None:
    assert sorted(REPORTED) == REPORTED
    assert REPORTED[-1] == pytest.approx(1.0)

    def stop(done: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        decide(STREET, found.wish, among=HOURLY, progress=stop)


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        (Wish(), "accepted error"),
        (Wish(groups=("Nobody",)), "group"),
        (Wish(error=0.0), "accepted error"),
        (Wish(error=9.0, groups=("Empty",)), "group"),
    ],
)
def test_what_cannot_be_answered_is_refused(wish: Wish, named: str) -> None:
    first, *others, last = STREET.groups
    everybody, nobody = first.replace(share=first.share + last.share), last.replace(name="Empty", share=0.0)
    with pytest.raises(ScenarioError, match=named):
        decide(STREET.replace(groups=(everybody, *others, nobody)), wish)


def test_periods_that_fit_no_interval_are_refused() -> None:
    first, *others = STREET.models[0].habits[0].periods
    twice = (first, first.replace(name="Five past", start=first.start + 1 / 12), *others)
    street = edit.set_step_minutes(STREET, 5)
    street = edit.set_habits_field(street, 0, 0, "periods", twice)
    with pytest.raises(ScenarioError, match=f"Five past of {STREET.groups[0].name}"):
        decide(street, FIRST, among=(15, 30, 60))


@given(st.floats(1e-4, 1e4))
def test_a_usable_budget_has_three_digits_and_is_on_the_safe_side(epsilon: float) -> None:
    for up in (True, False):
        rounded = usable_epsilon(epsilon, up=up)
        assert abs(rounded / epsilon - 1) < 0.0102
        assert (rounded >= epsilon * (1 - 1e-9)) if up else (rounded <= epsilon * (1 + 1e-9))
        assert rounded == float(f"{rounded:.3g}")

"""The answer for a street, each part against the room that computes it, or against plain sums."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, simulate
from rtp.attack.adversary import AdversaryKind
from rtp.core.formatting import percent
from rtp.core.stats import Range
from rtp.decision import Decision, decide
from rtp.decision.decide import INTERVALS, IntervalOption, interval_option
from rtp.decision.words import (
    EXPLAINED,
    answer_sentence,
    assumptions,
    exposure_frame,
    interval_frame,
    money_frame,
    rates_frame,
    warnings,
)
from rtp.leakage.detection import detect
from rtp.mechanisms import REGISTRY, private
from rtp.money.summary import money_of_runs, summarise
from rtp.output.decision_report import decision_report
from rtp.output.street_report import frame_html
from rtp.scenario import BOUNDS, edit
from rtp.tradeoff.answers import usable_epsilon
from tests.help.sentence import refuse

FEEDER = PRESETS["mixed street"].replace(
    households=40, power_unit="kW", currency="EUR", alpha=0.005, beta=0.2, epsilon=1.0
)
pytestmark = pytest.mark.slow
FEW = 40  # repetitions of what is watched
REPORTED: list[float] = []  # progress of the answer that most tests look at


@pytest.fixture(scope="module")
def found() -> Decision:
    return decide(FEEDER, "blowfish", 5.0, repetitions=FEW, progress=REPORTED.append)


def test_every_rate_meets_the_accepted_error_at_its_budget(found: Decision) -> None:
    assert list(found.options) == list(private())
    for name, option in found.options.items():
        if option.budget.epsilon:
            day = simulate(FEEDER.replace(epsilon=option.epsilon))
            error = day.release[name].expected_error
            assert option.error == pytest.approx(error, rel=1e-9)
            assert 0.049 < error <= 0.05 or option.epsilon == BOUNDS["epsilon"].low
    exact = found.options["blowfish"].budget.epsilon
    assert exact is not None
    assert exact <= found.scenario.epsilon <= 1.01 * exact
    assert found.scenario == FEEDER.replace(epsilon=float(f"{found.scenario.epsilon:.3g}"))


def test_only_rates_that_lean_on_habits_are_worse_where_these_are_wrong(found: Decision) -> None:
    for name, option in found.options.items():
        if REGISTRY[name].postprocess is None:
            assert (option.wrong_error, option.wrong_habits) == (option.error, "")
        else:
            assert option.wrong_error > option.error
            assert option.wrong_habits


def test_money_is_a_month_of_the_chosen_rate_at_the_found_budget(found: Decision) -> None:
    day = simulate(found.scenario)
    month = summarise(day, money_of_runs(day, "blowfish"), 30)
    assert found.money.loss == month.loss
    assert found.money.bills == month.bills
    frame = money_frame(found)
    assert list(frame.index) == ["The utility earns", "Every customer pays", *month.groups]
    assert frame.loc["Every customer pays", "Houses"] == "40"


def test_each_group_is_judged_by_its_most_exposed_house(found: Decision) -> None:
    street = simulate(found.scenario.replace(days=7)).street
    (empty, occupied), _ = street.moments()
    for g, each in enumerate(found.exposures):
        members = [h for h in range(40) if street.group[h] == g]
        assert each.group == FEEDER.groups[g].name
        assert each.houses == len(members)
        assert each.seen.house == max(members, key=lambda h: abs(occupied[h] - empty[h]))
        watched = detect(
            found.scenario, "blowfish", "holiday", 7, "insider", house=each.seen.house, repetitions=FEW
        )
        assert each.seen.areas["holiday", "insider"].value == pytest.approx(watched.area.value[-1])


def test_intervals_are_compared_at_the_same_accepted_error(found: Decision) -> None:
    assert [option.minutes for option in found.intervals] == list(INTERVALS)
    for option in found.intervals:
        assert option.epsilon is not None
        other = edit.set_step_minutes(FEEDER, option.minutes).replace(epsilon=option.epsilon)
        error = simulate(other).release["blowfish"].expected_error
        assert error == option.error
        assert 0.049 < error <= 0.05
    assert found.intervals[0].epsilon == found.scenario.epsilon


def test_an_interval_that_cuts_a_period_is_refused_in_its_sentence(found: Decision) -> None:
    habits = FEEDER.models[0].habits
    late = tuple(
        each.replace(periods=(each.periods[0].replace(start=7.5), *each.periods[1:])) for each in habits
    )
    street = FEEDER.replace(models=(FEEDER.models[0].replace(habits=late),))
    hourly = interval_option(street, "naive", 5.0, 60, FEW)
    assert hourly == IntervalOption(
        minutes=60,
        refusal="models[0].habits[0].periods[0].start is 7.5; with a price every 60 minutes a period must "
        "start with one of them.",
    )
    assert (hourly.epsilon, hourly.error, hourly.money, hourly.holiday) == (None,) * 4
    refused = replace(found, intervals=(*found.intervals[:-1], hourly))
    assert interval_frame(refused).loc["ε per price", "60 minutes"] == hourly.refusal


@pytest.mark.long
def test_where_no_budget_reaches_the_error_the_own_one_is_taken() -> None:
    found = decide(FEEDER.replace(alpha=1.0, beta=0.0), "forecast", 0.001, repetitions=FEW)
    assert not found.reached
    assert found.scenario.epsilon == 1.0
    assert (
        answer_sentence(found)
        == f"{found.chosen.budget.words} Everything below is for the scenario's own ε = 1."
    )
    assert "cannot reach" in answer_sentence(found)


@pytest.mark.long
def test_a_rate_without_data_needs_no_budget() -> None:
    found = decide(FEEDER, "forecast", 50.0, repetitions=FEW)
    assert answer_sentence(found) == (
        "Publish the **Forecast** rate. It reads no data and is within 50 % of the optimal rate."
    )
    assert warnings(found) == []
    areas = [area.value for each in found.exposures for area in each.seen.areas.values()]
    np.testing.assert_allclose(areas, 0.5)


def test_what_stays_visible_is_said_before_any_table(found: Decision) -> None:
    loud = decide(FEEDER, "naive", 0.2, repetitions=FEW)
    said = warnings(loud)
    assert "**A week away is visible** to an insider" in [line.split(":")[0] for line in said]
    for line in said:
        assert all(int(number) >= 90 for number in re.findall(r"\((\d+) %\)", line))
    page = decision_report(loud)
    assert page.index("A week away is visible") < page.index("<table")


def test_nine_times_in_ten_is_visible_and_no_secret_is_said_so(found: Decision) -> None:
    office = found.exposures[0]

    def seen(right: float) -> Decision:
        areas: dict[tuple[str, AdversaryKind], Range] = {("history", "outsider"): Range(right, 0.0, 1.0)}
        return replace(found, exposures=(replace(office, seen=replace(office.seen, areas=areas)),))

    assert warnings(seen(0.9)) == ["**A whole day is visible** to an outsider: Office (90 %)."]
    assert warnings(seen(0.9 - 1e-9)) == []
    assert exposure_frame(seen(0.75))["Office"].to_dict() == {
        "One moment, insider": "no secret",
        "One moment, outsider": "no secret",
        "A week away, insider": "no secret",
        "A week away, outsider": "no secret",
        "A whole day, insider": "no secret",
        "A whole day, outsider": "75 %, blurred",
    }


def test_tables_and_report_hold_the_same_answer(found: Decision) -> None:
    assert answer_sentence(found) == (
        f"Publish the **Blowfish** rate with **ε = {found.scenario.epsilon:g}** per price. On average it "
        f"misses the optimal rate by {percent(found.chosen.error)} in a typical step."
    )
    shown = [name for name in private() if not REGISTRY[name].neglects]  # nothing is negligible here
    assert list(rates_frame(found).index) == [REGISTRY[name].label for name in shown]
    exposed = exposure_frame(found)
    assert list(exposed.columns) == [group.name for group in FEEDER.groups]
    assert list(exposed.index) == [
        f"{secret}, {who}"
        for secret in ("One moment", "A week away", "A whole day")
        for who in ("insider", "outsider")
    ]
    for each in found.exposures:
        away = each.seen.areas["holiday", "insider"].value
        assert percent(away, 2) in exposed[each.group].astype(str)["A week away, insider"]
    assert len(assumptions(found)) == 5
    page = decision_report(found)
    for frame in (rates_frame(found), money_frame(found), exposure_frame(found), interval_frame(found)):
        assert frame_html(frame) in page
    assert re.findall("<h2>(.*?)</h2>", page) == [
        "Which ε the accepted error needs",
        "What it costs in a month of 30 days",
        "What an observer can still learn, by group",
        "A price every 15, 30 or 60 minutes",
        "What is assumed",
    ]
    assert "<pre>" not in page  # the scenario is attached
    assert re.findall(r"<(title|h\d)>(.*?)</\1>", page) == [
        ("title", "RTP Privacy Lab: the answer"),
        ("h1", "Which price can be published?"),
        *(("h2", title) for title, _ in EXPLAINED.values()),
        ("h2", "What is assumed"),
    ]


def test_progress_grows_to_one_and_may_stop(found: Decision) -> None:
    groups = [0.3 + 0.4 * share for share in (1 / 3, 2 / 3, 1)]
    assert pytest.approx([0.2, 0.3, *groups, 0.8, 0.9, 1.0]) == REPORTED

    def stop(done: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        decide(FEEDER, "naive", 5.0, repetitions=FEW, progress=stop)


@pytest.mark.parametrize(
    ("mechanism", "accepted", "sentence"),
    [
        ("optimal", 5.0, f"mechanism is 'optimal'; it must be one of {', '.join(private())}."),
        ("nothing", 5.0, f"mechanism is 'nothing'; it must be one of {', '.join(private())}."),
        ("naive", 0.0, "accepted error is 0.0; it must be a number from 1e-10 to 100,000,000."),
    ],
)
def test_what_cannot_be_answered_is_refused(mechanism: str, accepted: float, sentence: str) -> None:
    assert refuse(lambda: decide(FEEDER, mechanism, accepted)) == sentence


@given(st.floats(1e-4, 1e4))
def test_a_usable_budget_is_no_smaller_and_has_three_digits(epsilon: float) -> None:
    rounded = usable_epsilon(epsilon)
    assert epsilon * (1 - 1e-9) <= rounded <= 1.0101 * epsilon
    assert rounded == float(f"{rounded:.3g}")

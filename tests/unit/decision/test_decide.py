"""The answer for a street, each part against the room that computes it, or against plain sums."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, ScenarioError, simulate
from rtp.attack.adversary import AdversaryKind
from rtp.core.formatting import percent
from rtp.core.stats import Range
from rtp.decision import Decision, decide
from rtp.decision.decide import INTERVALS, IntervalOption
from rtp.leakage.detection import detect
from rtp.leakage.overview import VISIBLE
from rtp.mechanisms import private
from rtp.output.decision import (
    TABLES,
    answer_sentence,
    decision_report,
    exposure_frame,
    interval_frame,
    warnings,
)
from rtp.output.report import text_html
from rtp.output.street_report import frame_html
from rtp.scenario import BOUNDS, edit
from rtp.tradeoff.answers import usable_epsilon

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
            one_day = day.release[name].expected_error  # which is not the average over days, but near it
            assert option.error == pytest.approx(one_day, rel=0.05)
            assert 0.049 < option.error <= 0.05 or option.epsilon == BOUNDS["epsilon"].low
    exact = found.options["blowfish"].budget.epsilon
    assert exact is not None
    assert exact <= found.scenario.epsilon <= 1.01 * exact
    assert found.scenario == FEEDER.replace(epsilon=float(f"{found.scenario.epsilon:.3g}"))


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
    assert tuple(found.intervals) == INTERVALS
    for minutes, option in found.intervals.items():
        assert isinstance(option, IntervalOption)
        other = edit.set_step_minutes(FEEDER, minutes).replace(epsilon=option.epsilon)
        assert option.error == pytest.approx(simulate(other).release["blowfish"].expected_error, rel=0.05)
        assert 0.049 < option.error <= 0.05
        if minutes == FEEDER.step_minutes:
            assert option.epsilon == found.scenario.epsilon


@pytest.mark.long
def test_an_interval_that_cuts_a_period_says_why_not() -> None:
    habits = FEEDER.models[0].habits
    late = tuple(
        each.replace(periods=(each.periods[0].replace(start=7.5), *each.periods[1:])) for each in habits
    )
    street = FEEDER.replace(models=(FEEDER.models[0].replace(habits=late),))
    found = decide(street, "naive", 5.0, repetitions=FEW)
    refused = found.intervals[60]
    assert isinstance(refused, str)
    assert "periods[0].start is 7.5" in refused
    assert interval_frame(found).loc["ε per step", "60 minutes"] == refused


@pytest.mark.long
def test_where_no_budget_reaches_the_error_the_own_one_is_taken() -> None:
    found = decide(FEEDER.replace(alpha=1.0, beta=0.0), "forecast", 0.001, repetitions=FEW)
    assert not found.reached
    assert found.scenario.epsilon == 1.0
    assert percent(found.chosen.error) in answer_sentence(found)


@pytest.mark.parametrize("right", [0.9, 0.9 - 1e-9])
def test_a_secret_that_is_visible_is_warned_of(found: Decision, right: float) -> None:
    office = found.exposures[0]
    areas: dict[tuple[str, AdversaryKind], Range] = {("history", "outsider"): Range(right, 0.0, 1.0)}
    seen = replace(found, exposures=(replace(office, seen=replace(office.seen, areas=areas)),))
    assert bool(warnings(seen)) == (right >= VISIBLE)
    assert all("outsider" in line and "Office" in line for line in warnings(seen))
    cells = exposure_frame(seen)["Office"]
    assert percent(right, 2) in cells["A whole day, outsider"]
    assert (cells == "no secret").sum() == 5


def test_the_report_holds_the_answer_and_every_table(found: Decision) -> None:
    page = decision_report(found)
    assert f"ε = {found.scenario.epsilon:g}" in answer_sentence(found)
    assert text_html(answer_sentence(found)) in page
    for frame in (table(found) for table in TABLES.values()):
        assert frame_html(frame) in page
    exposed = exposure_frame(found)
    for each in found.exposures:
        assert percent(each.seen.areas["holiday", "insider"].value, 2) in exposed[each.group].iloc[2]


def test_progress_grows_to_one_and_may_stop(found: Decision) -> None:
    assert sorted(REPORTED) == REPORTED
    assert REPORTED[-1] == pytest.approx(1.0)

    def stop(done: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        decide(FEEDER, "naive", 5.0, repetitions=FEW, progress=stop)


@pytest.mark.parametrize(
    ("mechanism", "accepted", "named"), [("optimal", 5.0, "blowfish"), ("naive", 0.0, "accepted error")]
)
def test_what_cannot_be_answered_is_refused(mechanism: str, accepted: float, named: str) -> None:
    with pytest.raises(ScenarioError, match=named):
        decide(FEEDER, mechanism, accepted)


@given(st.floats(1e-4, 1e4))
def test_a_usable_budget_is_no_smaller_and_has_three_digits(epsilon: float) -> None:
    rounded = usable_epsilon(epsilon)
    assert epsilon * (1 - 1e-9) <= rounded <= 1.0101 * epsilon
    assert rounded == float(f"{rounded:.3g}")

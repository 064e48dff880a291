"""What is handed over: the code publishes what the lab would, the timetable is what was judged, and the page
can be read without a screen."""

import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.decision import Answer, Wish, decide
from rtp.decision.frontier import kinds_of_days
from rtp.decision.handover import plans, program
from rtp.mechanisms import REGISTRY
from rtp.output.decision_report import hours, price_frame
from rtp.scenario import edit, habit_words
from rtp.simulation.publish import publish
from rtp.tradeoff.expected import scales
from tests.help.few import few

FEEDER = edit.set_step_minutes(PRESETS["feeder"].replace(households=12), 60)
STREET = edit.set_habits(FEEDER, 2, habit_words.habits_of("shop", closed="Sunday"))  # three kinds of day


@cache
def answer_with(rate: str) -> Answer:
    """As if that rate had been chosen, on a street where Saturday and Sunday differ."""
    found = decide(STREET, Wish(error=90.0, observer="insider"))
    assert found.chosen.accurate is not None
    choice = replace(found.chosen.accurate, rate=rate)
    return replace(found, chosen=replace(found.chosen, choice=choice, verdict="publish"))


class Fixed(random.SystemRandom):
    """The same draws, which can be known beforehand: two for each price, a size and a side."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(3)

    def random(self) -> float:
        return float(self.rng.random())


@pytest.mark.parametrize("rate", few(["blowfish", "filtered"], "filtered"))
def test_the_code_publishes_what_the_lab_would(rate: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = answer_with(rate)
    monkeypatch.setattr(random, "SystemRandom", Fixed)
    code = program(answer)
    assert code is not None
    made: dict[str, object] = {}
    exec(compile(code, "price.py", "exec"), made)
    price, rng = made["price"], np.random.default_rng(3)
    assert callable(price)
    for plan, day in zip(plans(answer), kinds_of_days(answer.scenario.replace(epsilon=1.0)), strict=True):
        demand = day.market.street_day.demand
        sizes, sides = rng.random((len(demand), 2)).T
        unit = -np.log1p(-sizes) * np.where(sides < 0.5, 1.0, -1.0)
        mechanism = REGISTRY[rate]
        scale = scales(day.market, [mechanism], [answer.scenario.epsilon])[rate][:, 0]
        right = publish(mechanism, day.market.public, demand, unit, scale).rate
        prices = [price(plan.kind, step, used) for step, used in enumerate(demand.tolist())]
        np.testing.assert_allclose(prices, right, rtol=1e-4)


def test_a_timetable_is_the_rate_that_is_expected_on_each_kind_of_day() -> None:
    found = decide(STREET, Wish(secret="week", observer="insider"))
    assert found.choice is None
    assert program(found) is None
    frame = price_frame(found)
    assert len(frame) == STREET.steps_per_day
    for plan, day in zip(plans(found), kinds_of_days(found.scenario.replace(epsilon=1.0)), strict=True):
        mean = day.market.street_day.true_moments.expected_demand
        np.testing.assert_allclose(plan.expected, STREET.alpha * mean + STREET.beta)
        (column,) = [name for name in map(str, frame) if plan.kind.replace(" ", "_") in name]
        np.testing.assert_allclose(frame[column], plan.expected, rtol=1e-3)


def test_hours_are_said_of_every_group_and_kind_of_day() -> None:
    lines = hours(STREET)
    assert len(lines) == 2 * len(STREET.groups)
    assert len(hours(Scenario())) == 1
    for group in STREET.groups:
        assert sum(group.name in line for line in lines) == 2
